"""The worlds with views against the published figures, and their pages against what their specs say."""

from fractions import Fraction

import numpy as np
import pytest

from tests.unshipped import viewed
from worldgen import catalog
from worldgen.spec import read_factors, read_spec, read_transfer
from worldgen.spec.describe import describe
from worldgen.spec.describe_factors import FactorWorldDescription, TransferDescription
from worldgen.worlds.base import Streams
from worldgen.worlds.factors import FactorWorld

REVIEW, CREDIT = 12 * 10**17, 10**19
# P(A) and the Bayes errors of the views, as fractions whose decimals are the published ones; the weights of
# peer review are those of this project.
FIGURES = {
    "peer-review": (
        Fraction(289286705498647291, REVIEW),
        Fraction(41142869289200759, REVIEW),
        Fraction(116201117150113739, REVIEW),
        Fraction(142065353829627809, REVIEW),
    ),
    "credit-risk": (
        Fraction(2108757137735734623, CREDIT),
        Fraction(259265749903241391, CREDIT),
        Fraction(2158783012047216459, 2 * CREDIT),
        Fraction(1671103239230940747, CREDIT),
    ),
    "covert-transfer": (Fraction(1, 2), Fraction(1, 52), Fraction(25, 338), Fraction(49, 338)),
}


def page(name: str) -> str:
    return (catalog.worlds()[name].parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", FIGURES)
def test_prior_and_bayes_errors_are_the_published_ones(name: str) -> None:
    prior, *errors = FIGURES[name]
    found = describe(read_spec(name))
    assert isinstance(found, FactorWorldDescription | TransferDescription)
    assert list(found.views) == ["low", "medium", "high"]
    assert [Fraction(view.bayes_error.exact) for view in found.views.values()] == errors
    assert list(map(Fraction, (p.exact for p in found.prior.values()))) == [1 - prior, prior]
    assert f"{int(found.states):,}" in page(name)
    for view, said in found.views.items():
        error = said.bayes_error
        assert f"| {error.exact} | {error.decimal:.5f} |" in page(name)
        assert f"| {view} | " in page(name)


@pytest.mark.parametrize("name", ["peer-review", "credit-risk"])
def test_the_page_says_what_each_factor_is_worth(name: str) -> None:
    world = read_factors(name)
    low = world.joint.bayes_error
    for part in world.model.factors:
        error = world.model.joint((part.name,)).bayes_error
        assert error > low
        assert f"| {part.name} | {float(error):.5f} |" in page(name)
    for view in world.views:
        hidden, patterns = world.through(view).hides, len(world.through(view).joint)
        assert f"| {view} | {', '.join(hidden) or 'nothing'} | {patterns:,} | " in page(name)
    prior = world.joint.prior.masses[1]
    assert f"{prior}, about {float(prior):.5f}" in page(name)
    assert f"{float(world.through('high').joint.coverage(50)):.2%}" in page(name)


def test_the_least_losses_are_the_published_ones() -> None:
    errors = {
        name: min(world.model.joint((part.name,)).bayes_error for part in world.model.factors[1:])
        for name in ("peer-review", "credit-risk")
        for world in [read_factors(name)]
    }
    assert {name: f"{float(error):.5f}" for name, error in errors.items()} == {
        "peer-review": "0.07372",
        "credit-risk": "0.03466",
    }


def test_the_page_of_covert_transfer_lists_the_ranges() -> None:
    world = read_transfer("covert-transfer")
    for view in world.views:
        sizes = [len(letters) for letters in world.model.views[view].parts(world.model.alphabet).values()]
        said = ", ".join(f"{sizes.count(size)} of {size}" for size in dict.fromkeys(sizes))
        error = world.model.bayes_error(view)
        assert error == Fraction(sum(size**2 for size in sizes), 2 * 26**2)
        assert f"| {view} | {world.model.views[view].shows} | {said} | {error} |" in page(world.name)
        for size in set(sizes):
            without, encoded = world.model.weights(size, True)
            assert Fraction(encoded, without + encoded) == Fraction(26, 26 + size)


def test_the_rules_of_the_published_worlds_are_told_again_here() -> None:
    """Draws of states, their outcome worked out in twentieths and tenths with no table of the spec."""
    indices = np.arange(4000)
    credit, review = read_factors("credit-risk"), read_factors("peer-review")
    for world, outcome in ((credit, default), (review, accepted)):
        state = world.model.draw(Streams(5, world.name, "all"), indices, 0)
        found = world.model.network.outcome.classes(state)
        names = list(state)
        rows = zip(*(state[name].tolist() for name in names), strict=True)
        assert found.tolist() == [outcome(dict(zip(names, row, strict=True))) for row in rows]
        assert 0 < found.sum() < len(indices)


def default(state: dict[str, int]) -> bool:
    """Twentieths: 20 is one unit."""
    cycle, flexible = state["cycle"], state["flexibility"]
    cash, buffer = (60, 100, 140)[state["cash_generation"]], (20, 60, 100)[state["cash_buffer"]]
    funds = 40 * state["refinancing"] * (20, 15, 8)[cycle] // 20
    service = 20 + 20 * state["debt_service"] + (0, 5, 15)[cycle] * state["rate_exposure"]
    due = (20, 60, 120)[state["principal_due"]]
    if cycle == 2:
        steps = 15 + (5, 10, 15, 0)[state["sector"]]
        cash -= 20 + steps * state["concentration"] - 10 * flexible
    residual = 20 * (-3, -1, 0, 1, 3)[state["residual"]]
    return cash + buffer + funds + residual < service + due


WEIGHTS = ((18, 10, 20, 18, 10, 10, 8, 8), (10, 10, 18, 20, 16, 12, 8, 8), (10, 18, 12, 20, 10, 12, 10, 10))
QUALITIES = (
    "novelty",
    "significance",
    "validity",
    "evidence",
    "comparison",
    "robustness",
    "reproducibility",
    "clarity",
)


def accepted(state: dict[str, int]) -> bool:
    """Tenths: 10 is one point."""
    weights = WEIGHTS[state["contribution"]]
    score = sum(weight * state[name] for weight, name in zip(weights, QUALITIES, strict=True))
    score += 6 * (state["evidence"] == state["comparison"] == 2)
    score += 6 * (state["validity"] == state["robustness"] == 2)
    return score + 10 * (state["residual"] - 5) >= 115 and state["validity"] > 0


@pytest.mark.parametrize("name", ["peer-review.high", "credit-risk.high"])
def test_draws_come_as_often_as_they_should(name: str) -> None:
    world = viewed()[name]
    assert isinstance(world, FactorWorld)
    n = 20_000
    draw = world.draw(Streams(9, world.name, "all"), np.arange(n), 0)
    prior = world.joint.prior.masses[1]
    assert (int(draw.outcomes.sum()) - n * prior) ** 2 <= 25 * n * prior * (1 - prior)
    state = world.model.draw(Streams(9, world.name, "all"), np.arange(n), 0)
    for factor in world.model.network.factors:
        law = world.model.network
        masses = marginal(world, factor.name)
        counts = np.bincount(state[factor.name], minlength=law.size(factor.name)).tolist()
        for count, mass in zip(counts, masses, strict=True):
            assert (count - n * mass) ** 2 <= 25 * n * mass * (1 - mass)


def marginal(world: FactorWorld, name: str) -> list[Fraction]:
    """The law of one factor, by its parents: in these worlds a parent has no parents."""
    factor = world.model.network.by_name[name]
    masses = [Fraction(0)] * factor.size
    parents = [world.model.network.by_name[parent] for parent in factor.parents]
    for codes in np.ndindex(*(parent.size for parent in parents)):
        place = dict(zip(factor.parents, map(int, codes), strict=True))
        weight = Fraction(1)
        for parent in parents:
            weight *= parent.probability(place[parent.name], {})
        for level in range(factor.size):
            masses[level] += weight * factor.probability(level, place)
    return masses
