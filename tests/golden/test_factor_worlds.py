"""The three factor worlds against the figures published for them.

The decimals are those published with the worlds. The fractions were computed beside them, each by two
programs that share nothing with this library. The weights of peer review are ours, so its fractions are too.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tests.networks import CREDIT_VIEWS, POSITIONS, QUALITIES, REVIEW_VIEWS, credit, review, surplus, transfer
from worldgen.exact.design import Curve, UnreachableError, bayes_error_curve, hidings, rescaled
from worldgen.exact.events import Atoms
from worldgen.exact.joints import Joint, bayes_error, joint
from worldgen.exact.networks import Network, Outcome

NETWORKS = {"review": cache(review), "credit": cache(credit)}
VIEWS = {"review": REVIEW_VIEWS, "credit": CREDIT_VIEWS}
HIDEABLE = {"review": QUALITIES, "credit": POSITIONS}  # type, sector and cycle are always shown
REVIEW_WHOLE, CREDIT_WHOLE = 12 * 10**17, 10**19


@cache
def law(world: str, view: str) -> Joint:
    return joint(NETWORKS[world](), VIEWS[world][view])


@cache
def curve(view: str) -> Curve:
    return bayes_error_curve(credit(), CREDIT_VIEWS[view], "residual", "0")


@pytest.mark.parametrize(
    ("world", "prior", "published"),
    [
        ("review", Fraction(289286705498647291, REVIEW_WHOLE), "0.241"),
        ("credit", Fraction(2108757137735734623, CREDIT_WHOLE), "0.211"),
    ],
)
def test_the_prior(world: str, prior: Fraction, published: str) -> None:
    assert joint(NETWORKS[world](), []).prior.masses[1] == prior
    assert {law(world, view).prior.masses[1] for view in VIEWS[world]} == {prior}
    assert round(prior, 3) == Fraction(published)


@pytest.mark.parametrize(
    ("world", "view", "error", "patterns"),
    [
        ("review", "low", Fraction(41142869289200759, REVIEW_WHOLE), 19_683),
        ("review", "medium", Fraction(116201117150113739, REVIEW_WHOLE), 6_561),
        ("review", "high", Fraction(142065353829627809, REVIEW_WHOLE), 2_187),
        ("credit", "low", Fraction(259265749903241391, CREDIT_WHOLE), 78_732),
        ("credit", "medium", Fraction(2158783012047216459, 2 * CREDIT_WHOLE), 26_244),
        ("credit", "high", Fraction(1671103239230940747, CREDIT_WHOLE), 8_748),
    ],
)
def test_the_bayes_error_of_every_view(world: str, view: str, error: Fraction, patterns: int) -> None:
    found = law(world, view)
    assert len(found) == patterns
    assert found.bayes_error == error


def test_credit_posteriors_of_the_high_view_have_small_denominators() -> None:
    found = law("credit", "high")
    assert found.numerators.dtype == np.int64
    assert set(found.totals.tolist()) == {10**6}
    assert not (2 * found.numerators[:, 1] == found.totals).any()  # nowhere is the outcome a coin toss


@pytest.mark.parametrize(
    ("world", "view", "percent"),
    [
        ("review", "high", "3.77"),
        ("credit", "high", "1.01"),
        ("credit", "medium", "0.37"),
        ("credit", "low", "0.14"),
    ],
)
def test_the_mass_that_fifty_cases_cover(world: str, view: str, percent: str) -> None:
    assert round(100 * law(world, view).coverage(50), 2) == Fraction(percent)


@pytest.mark.parametrize(
    ("world", "hidden", "error"),
    [("review", {"reproducibility", "clarity"}, "0.07372"), ("credit", {"flexibility"}, "0.03466")],
)
def test_every_factor_is_worth_something(world: str, hidden: set[str], error: str) -> None:
    found = dict(hidings(NETWORKS[world](), VIEWS[world]["low"], 1, HIDEABLE[world]))
    nothing = found.pop(())
    least = min(found.values())
    assert nothing == law(world, "low").bayes_error < least
    assert round(least, 5) == Fraction(error)
    assert {name for names, value in found.items() if value == least for name in names} == hidden


@pytest.mark.parametrize(
    ("view", "lowest", "highest"),
    [("low", "0", "0.10803"), ("medium", "0.09899", "0.12959"), ("high", "0.15833", "0.19243")],
)
def test_what_scaling_the_residual_reaches(view: str, lowest: str, highest: str) -> None:
    found = curve(view)
    assert found.largest == Fraction(25, 6)
    assert [round(error, 5) for error in found.reachable] == [Fraction(lowest), Fraction(highest)]
    assert found(Fraction(1)) == law("credit", view).bayes_error


def test_a_bayes_error_of_a_tenth_by_scaling() -> None:
    scale = curve("low").scale_for(Fraction(1, 10))
    assert scale == Fraction(10**18, 259265749903241391)
    assert bayes_error(rescaled(credit(), "residual", "0", scale), CREDIT_VIEWS["low"]) == Fraction(1, 10)
    with pytest.raises(UnreachableError, match=r"from 0\.158334 to 0\.192432"):
        curve("high").scale_for(Fraction(1, 10))


def test_ties_of_resources_and_obligations() -> None:
    factors, reads = credit().factors, credit().outcome.reads
    ties = Network(factors, Outcome(Atoms(("apart", "tied")), reads, lambda codes: surplus(codes) == 0))
    assert int(ties.classes.sum()) == 10_809
    assert round(100 * joint(ties, []).prior.masses[1], 2) == Fraction("3.56")


PARTS = {
    "low": tuple("abcdefghijklmnopqrstuvwxyz"),
    "medium": ("abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx", "yz"),
    "high": ("abcdefgh", "ijklmnop", "qrstuvwx", "yz"),
}


@pytest.mark.parametrize(
    ("view", "error"),
    [("low", Fraction(1, 52)), ("medium", Fraction(25, 338)), ("high", Fraction(49, 338))],
)
def test_covert_transfer(view: str, error: Fraction) -> None:
    network = transfer("".join(PARTS["low"]), PARTS, Fraction(1, 2), ("absent", "present"))
    found = joint(network, ["letter", view])
    assert found.bayes_error == error == Fraction(sum(len(part) ** 2 for part in PARTS[view]), 2 * 26**2)
    for place, letter in enumerate(PARTS["low"]):
        for code, part in enumerate(PARTS[view]):
            expected = Fraction(26, 26 + len(part)) if letter in part else 0
            assert found.row(place * len(PARTS[view]) + code).masses[1] == expected
