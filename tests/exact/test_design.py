"""Design: the curve is the Bayes error at every scale, and hiding is what is left without."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.networks import CREDIT_VIEWS, credit
from tests.small_networks import literal, questions
from worldgen.exact.design import (
    Curve,
    UnreachableError,
    bayes_error_curve,
    hidings,
    largest_scale,
    rescaled,
)
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor, FactorError
from worldgen.exact.joints import bayes_error
from worldgen.exact.networks import Network, NetworkError, Outcome

Question = tuple[Network, list[str], dict[str, int]]
SCALES = st.fractions(0, 1, max_denominator=12)


def by_states(network: Network, shown: list[str]) -> Fraction:
    """The Bayes error by its definition, from the sum over all states."""
    return 1 - sum((max(row) for row in literal(network, shown, {}).values()), Fraction(0))


@st.composite
def designs(draw: st.DrawFn) -> tuple[Network, list[str], str, str]:
    """A network, a view, and a factor without parents that the view does not show and that can be scaled."""
    network, shown, _ = draw(questions())
    free = [f for f in network.factors if not f.parents and f.name not in shown]
    places = [(f, k) for f in free for k in range(f.size) if f.table[k] < f.total]
    assume(places)
    factor, code = draw(st.sampled_from(places))
    return network, shown, factor.name, factor.levels[code]


@given(designs(), st.lists(SCALES, min_size=1, max_size=4))
def test_the_curve_is_the_bayes_error_at_every_scale(
    design: tuple[Network, list[str], str, str], places: list[Fraction]
) -> None:
    network, shown, residual, zero = design
    curve = bayes_error_curve(network, shown, residual, zero)
    assert curve.largest == largest_scale(network, residual, zero)
    for scale in [*(place * curve.largest for place in places), *(scale for scale, _ in curve.points)]:
        assert curve(scale) == by_states(rescaled(network, residual, zero, scale), shown)
    assert curve(Fraction(1)) == by_states(network, shown)


@given(designs())
def test_the_curve_is_concave_and_bends_at_its_points(design: tuple[Network, list[str], str, str]) -> None:
    points = bayes_error_curve(*design).points
    slopes = [(high - low) / (right - left) for (left, low), (right, high) in pairwise(points)]
    assert all(before > after for before, after in pairwise(slopes))


@given(designs(), SCALES)
def test_a_scale_is_the_least_that_reaches_its_target(
    design: tuple[Network, list[str], str, str], place: Fraction
) -> None:
    curve = bayes_error_curve(*design)
    low, high = curve.reachable
    target = low + (high - low) * place
    scale = curve.scale_for(target)
    assert curve(scale) == target
    assert target not in {
        curve(scale * part) for part in (Fraction(0), Fraction(1, 3), Fraction(8, 9)) if scale
    }
    for beyond in (low - Fraction(1, 9), high + Fraction(1, 9)):
        with pytest.raises(UnreachableError) as caught:
            curve.scale_for(beyond)
        assert (caught.value.target, caught.value.lowest, caught.value.highest) == (beyond, low, high)


def test_scaling_moves_mass_between_zero_and_the_rest() -> None:
    noise = credit().by_name["residual"]
    half = rescaled(credit(), "residual", "0", Fraction(1, 2)).by_name["residual"]
    assert [half.probability(k, {}) for k in range(5)] == [Fraction(w, 200) for w in (3, 9, 176, 9, 3)]
    assert rescaled(credit(), "residual", "0", Fraction(1)).by_name["residual"] == noise
    assert rescaled(credit(), "residual", "0", Fraction(25, 6)).by_name["residual"].table[2] == 0
    for scale in (Fraction(-1, 9), Fraction(26, 6)):
        with pytest.raises(ValueError, match=r"leaves .* for '0'"):
            rescaled(credit(), "residual", "0", scale)
        with pytest.raises(ValueError, match="a scale lies between 0 and 25/6"):
            bayes_error_curve(credit(), CREDIT_VIEWS["high"], "residual", "0")(scale)


def test_what_cannot_be_scaled_is_refused() -> None:
    with pytest.raises(NetworkError, match="the residual is 'luck', and there is no such factor"):
        bayes_error_curve(credit(), ["cycle"], "luck", "0")
    with pytest.raises(NetworkError, match="the residual 'refinancing' depends on cycle"):
        bayes_error_curve(credit(), ["cycle"], "refinancing", "low")
    with pytest.raises(NetworkError, match="the residual 'residual' is shown"):
        bayes_error_curve(credit(), ["residual"], "residual", "0")
    with pytest.raises(FactorError, match="it has no level '2'"):
        bayes_error_curve(credit(), ["cycle"], "residual", "2")
    still = Factor("still", ("0", "1"), (), [1, 0], 1)
    network = Network((still,), Outcome(Atoms(("no", "yes")), ("still",), lambda codes: codes["still"]))
    with pytest.raises(NetworkError, match="'still' is always '0'"):
        bayes_error_curve(network, [], "still", "0")


def test_a_pattern_that_never_occurs_bends_nothing() -> None:
    shown = Factor("shown", ("often", "never"), (), [1, 0], 1)
    noise = Factor("noise", ("none", "flip", "flop"), (), [6, 3, 1], 10)
    # The classes are even at scale 5/4 where both levels of noise count, at 5/3 where one of them does.
    rule = Outcome(
        Atoms(("0", "1")),
        ("shown", "noise"),
        lambda c: (c["noise"] == 1) | ((c["noise"] == 2) & (c["shown"] == 0)),
    )
    curve = bayes_error_curve(Network((shown, noise), rule), ["shown"], "noise", "none")
    assert [scale for scale, _ in curve.points] == [0, Fraction(5, 4), Fraction(5, 2)]


def test_classes_that_are_even_at_first_do_not_bend_there() -> None:
    coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    noise = Factor("noise", ("none", "force"), (), [9, 1], 10)
    rule = Outcome(Atoms(("0", "1")), ("coin", "noise"), lambda codes: codes["coin"] | codes["noise"])
    curve = bayes_error_curve(Network((coin, noise), rule), [], "noise", "none")
    assert curve.points == ((Fraction(0), Fraction(1, 2)), (Fraction(10), Fraction(0)))


def test_a_curve_that_is_flat_somewhere_is_left_at_its_first_scale() -> None:
    points = [(0, 0), (1, 1), (2, 1), (3, 0)]
    curve = Curve(tuple((Fraction(scale), Fraction(error, 2)) for scale, error in points))
    assert curve.scale_for(Fraction(1, 2)) == 1
    assert curve.scale_for(Fraction(1, 4)) == Fraction(1, 2)
    assert curve.reachable == (Fraction(0), Fraction(1, 2))


@given(questions(), st.integers(0, 2))
def test_hiding_goes_through_every_set_once(question: Question, most: int) -> None:
    network, shown, _ = question
    found = dict(hidings(network, shown, most))
    assert len(found) == sum(1 for mask in range(2 ** len(shown)) if mask.bit_count() <= most)
    for hidden, error in found.items():
        assert error == by_states(network, [name for name in shown if name not in hidden])
        assert len(hidden) <= most and error >= found[()]


def test_only_candidates_are_hidden() -> None:
    view = ["cycle", "refinancing", "cash_buffer"]
    found = dict(hidings(credit(), view, 5, ["refinancing"]))
    assert found == {
        (): bayes_error(credit(), view),
        ("refinancing",): bayes_error(credit(), ["cycle", "cash_buffer"]),
    }
    with pytest.raises(NetworkError, match="'sector' is not shown"):
        next(hidings(credit(), view, 1, ["sector"]))
