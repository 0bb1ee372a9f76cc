"""What every score of a report against the exact answer owes. A new score is a subject by itself."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from math import lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.accuracy.scores import expected_brier, total_variation
from worldgen.scoring.decisions.elementary import elementary_score
from worldgen.scoring.decisions.margins import Margins
from worldgen.scoring.panels.actions import ALL_COSTS as COSTS
from worldgen.scoring.panels.actions import choose, expected_loss, headroom, minimisers, oracle_loss
from worldgen.scoring.panels.controllers import DEFER, Reported

Masses = tuple[Fraction, ...]
Score = Callable[[Sequence[Fraction], Sequence[Fraction]], Fraction]

LOSSES: dict[str, Score] = {
    f"loss at {cost}": lambda p, q, cost=cost: expected_loss(choose(p, cost), q, cost)  # type: ignore[misc]  # bound now
    for cost in COSTS
}
ELEMENTARY: dict[str, Score] = {
    f"elementary scores at {at}, {'inclusive' if inclusive else 'strict'}": (
        lambda p, q, at=at, inclusive=inclusive: sum(  # type: ignore[misc]  # bound now
            (elementary_score(a, b, at, inclusive=inclusive) for a, b in zip(p, q, strict=True)), Fraction(0)
        )
    )
    for at in (Fraction(1, 10), Fraction(1, 3), Fraction(1, 2), Fraction(9, 10))
    for inclusive in (True, False)
}
SCORES: dict[str, Score] = {
    "total variation": total_variation,
    "expected Brier": expected_brier,
    **LOSSES,
    **ELEMENTARY,
}

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


@given(PAIRS)
def test_minimisers_are_the_actions_without_regret_and_headroom_is_what_they_save(
    pair: tuple[Masses, Masses],
) -> None:
    _, q = pair
    for cost in COSTS:
        best = minimisers(q, cost)
        for action in (*range(len(q)), None):
            regret = expected_loss(action, q, cost) - oracle_loss(q, cost)
            assert (regret == 0) == (action in best)
            assert regret >= 0
        assert choose(q, cost) in best
        assert headroom(q, cost) == cost - oracle_loss(q, cost) >= 0


@given(st.integers(0, 24), st.integers(0, 24), st.integers(1, 11))
def test_reject_loss_is_a_strict_and_an_inclusive_elementary_score(p: int, q: int, cost: int) -> None:
    """R_c = S_c (strict) + S_(1-c) (inclusive), ties at both ends included, for 0 < c < 1/2."""
    x, z, c = Fraction(p, 24), Fraction(q, 24), Fraction(cost, 24)
    loss = expected_loss(choose((x, 1 - x), c), (z, 1 - z), c)
    assert loss == elementary_score(x, z, c, inclusive=False) + elementary_score(x, z, 1 - c)


@given(st.integers(0, 24), st.integers(0, 24), st.integers(0, 24), st.integers(0, 24), st.booleans())
def test_the_elementary_contrast_of_a_midpoint_is_that_of_the_indicators(
    p: int, other: int, q: int, at: int, inclusive: bool
) -> None:
    x, y, z, t = (Fraction(value, 24) for value in (p, other, q, at))
    m, a, b = (elementary_score(each, z, t, inclusive=inclusive) for each in ((x + y) / 2, x, y))
    h = [each >= t if inclusive else each > t for each in ((x + y) / 2, x, y)]
    assert m - (a + b) / 2 == (t - z) * (h[0] - Fraction(h[1] + h[2], 2))


@st.composite
def representations(draw: st.DrawFn) -> tuple[Reported, Reported]:
    """Two reports of one question, near each other or not, whose masses need not sum to 1."""
    size = draw(st.integers(1, 4))
    first = draw(st.lists(st.integers(0, 60), min_size=size, max_size=size))
    moved = draw(st.lists(st.integers(-8, 8), min_size=size, max_size=size))
    second = [max(0, mass + move) for mass, move in zip(first, moved, strict=True)]
    return tuple(  # type: ignore[return-value]  # two of them
        Reported(np.array([[masses]]) * scale, np.array([60 * scale]), np.array([[True]]))
        for masses, scale in ((first, draw(st.integers(1, 3))), (second, draw(st.integers(1, 3))))
    )


@given(representations(), st.integers(0, 60))
def test_margins_guarantee_what_they_say(pair: tuple[Reported, Reported], cost: int) -> None:
    margins, c = Margins.of(*pair), Fraction(cost, 60)
    one, two = margins.first.actions(c), margins.second.actions(c)
    if margins.acts_alike(c).all():
        assert ((one == DEFER) == (two == DEFER)).all()
    if margins.chooses_alike.all():
        assert (margins.first.places == margins.second.places).all()


@pytest.mark.parametrize("second", [(40, 30), (20, 10), (50, 0)])
def test_margins_mind_masses_that_only_grow_or_only_shrink(second: tuple[int, int]) -> None:
    """Neither the sum of the increases nor that of the decreases bounds the change by itself."""
    one, two = (
        Reported(np.array([[masses]]), np.array([60]), np.array([[True]])) for masses in ((40, 10), second)
    )
    margins = Margins.of(one, two)
    changes = [new - old for old, new in zip((40, 10), second, strict=True)]
    most = max(sum(c for c in changes if c > 0), -sum(c for c in changes if c < 0))
    assert margins.distance.item() == most
    for cost in range(61):
        assert margins.acts_alike(Fraction(cost, 60)).item() == (abs(10 - cost) > most)


@given(PAIRS, st.integers(0, 60))
def test_margins_of_distributions_are_those_of_total_variation(
    pair: tuple[Masses, Masses], cost: int
) -> None:
    """|p_(1) - (1 - c)| > TV, and p_(1) - p_(2) > 2 TV."""
    p, q = pair
    unit = lcm(*(mass.denominator for mass in (*p, *q)))
    reported = [
        Reported(np.array([[[int(mass * unit) for mass in each]]]), np.array([unit]), np.array([[True]]))
        for each in pair
    ]
    margins, c, distance = Margins.of(*reported), Fraction(cost, 60), total_variation(p, q)
    runner_up, top = sorted(p)[-2:]
    assert margins.acts_alike(c).item() == (abs(top - (1 - c)) > distance)
    assert margins.chooses_alike.item() == (top - runner_up > 2 * distance)
