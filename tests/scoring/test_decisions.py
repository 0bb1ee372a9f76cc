"""The controller and the scores against their definitions, spelled out."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.accuracy.scores import expected_brier, total_variation
from worldgen.scoring.panels.actions import best_class, canonical_order, choose, expected_loss, oracle_loss

masses = st.lists(st.integers(0, 20), min_size=1, max_size=5).map(lambda w: tuple(Fraction(k, 20) for k in w))
costs = st.integers(0, 20).map(lambda k: Fraction(k, 20))


@st.composite
def vectors(draw: st.DrawFn) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Reported masses of any sum and an exact distribution."""
    weights = draw(st.lists(st.integers(0, 20), min_size=1, max_size=5).filter(any))
    p = draw(st.lists(st.fractions(0, 1), min_size=len(weights), max_size=len(weights)))
    return tuple(p), tuple(Fraction(weight, sum(weights)) for weight in weights)


@given(masses, costs, st.randoms())
def test_the_action_costs_least_and_comes_first_among_equals(
    p: tuple[Fraction, ...], cost: Fraction, dice: object
) -> None:
    order = list(range(len(p)))
    dice.shuffle(order)  # type: ignore[attr-defined] # a random.Random
    price = {i: sum(p[:i] + p[i + 1 :], Fraction(0)) for i in order}
    least = min([*price.values(), cost])
    first = next((i for i in order if price[i] == least), None)
    assert choose(p, cost, order) == first
    assert best_class(p, order)[1] == min(price.values())


@given(vectors(), costs)
def test_scores_are_expectations_over_outcomes(
    pair: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], cost: Fraction
) -> None:
    p, q = pair
    size = range(len(q))
    assert expected_brier(p, q) == sum(q[y] * sum((p[k] - (k == y)) ** 2 for k in size) for y in size)
    for action in size:
        assert expected_loss(action, q, cost) == sum(q[y] * (y != action) for y in size)
    assert oracle_loss(q, cost) == min(expected_loss(a, q, cost) for a in [None, *size])


@given(vectors())
def test_the_truth_has_the_least_brier_score(pair: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]) -> None:
    p, q = pair
    gain = expected_brier(p, q) - expected_brier(q, q)
    assert gain == sum((a - b) ** 2 for a, b in zip(p, q, strict=True))
    assert (total_variation(p, q) == 0) == (p == q)


def test_vectors_of_different_lengths_are_refused() -> None:
    for error in (total_variation, expected_brier):
        with pytest.raises(ValueError, match="argument"):
            error((Fraction(1),), (Fraction(1), Fraction(0)))


def test_canonical_order_does_not_depend_on_the_display() -> None:
    events = [frozenset({5}), frozenset({0, 9}), frozenset({2, 3}), frozenset[int]()]
    shown = [events[i] for i in (2, 3, 0, 1)]
    assert [events[i] for i in canonical_order(events)] == [shown[i] for i in canonical_order(shown)]
