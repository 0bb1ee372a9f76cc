"""What every score of a report against the exact answer owes. A new score is a subject by itself."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.accuracy import expected_brier, total_variation
from worldgen.scoring.decisions import COSTS, choose, expected_loss, oracle_loss

Masses = tuple[Fraction, ...]
Score = Callable[[Sequence[Fraction], Sequence[Fraction]], Fraction]

LOSSES: dict[str, Score] = {
    f"loss at {cost}": lambda p, q, cost=cost: expected_loss(choose(p, cost), q, cost)  # type: ignore[misc]  # bound now
    for cost in COSTS
}
SCORES: dict[str, Score] = {"total variation": total_variation, "expected Brier": expected_brier, **LOSSES}

PAIRS = st.integers(2, 4).flatmap(lambda size: st.tuples(masses(size), masses(size)))


def masses(size: int) -> st.SearchStrategy[Masses]:
    weights = st.lists(st.integers(0, 12), min_size=size, max_size=size).filter(any)
    return weights.map(lambda found: tuple(Fraction(weight, sum(found)) for weight in found))


@pytest.mark.parametrize("name", SCORES)
@given(PAIRS)
def test_no_report_beats_the_truth_in_expectation(name: str, pair: tuple[Masses, Masses]) -> None:
    p, q = pair
    score = SCORES[name](p, q)
    assert isinstance(score, Fraction)
    assert score >= SCORES[name](q, q) >= 0


@pytest.mark.parametrize("name", SCORES)
@given(PAIRS)
def test_the_order_of_the_options_does_not_matter_unless_two_of_them_tie(
    name: str, pair: tuple[Masses, Masses]
) -> None:
    p, q = pair
    if name in LOSSES and len(set(p)) < len(p):
        return
    for order in permutations(range(len(p))):
        assert SCORES[name]([p[i] for i in order], [q[i] for i in order]) == SCORES[name](p, q)


@given(PAIRS)
def test_strict_scores_are_least_at_the_truth_and_nowhere_else(pair: tuple[Masses, Masses]) -> None:
    p, q = pair
    for score in (total_variation, expected_brier):
        assert (score(p, q) == score(q, q)) == (p == q)


@given(PAIRS)
def test_the_oracle_attains_the_least_loss_and_regret_is_bounded_by_the_distance(
    pair: tuple[Masses, Masses],
) -> None:
    p, q = pair
    distance = total_variation(p, q)
    for cost in COSTS:
        action, best = choose(p, cost), choose(q, cost)
        assert expected_loss(best, q, cost) == oracle_loss(q, cost) == min(cost, 1 - max(q))
        regret = expected_loss(action, q, cost) - oracle_loss(q, cost)
        one_defers = (action is None) != (best is None)
        assert 0 <= regret <= (distance if one_defers else 2 * distance)


@given(PAIRS)
def test_expected_brier_is_the_mean_of_the_scores_of_outcomes(pair: tuple[Masses, Masses]) -> None:
    p, q = pair
    scores = [sum((mass - (k == y)) ** 2 for k, mass in enumerate(p)) for y in range(len(p))]
    assert expected_brier(p, q) == sum(chance * score for chance, score in zip(q, scores, strict=True))
