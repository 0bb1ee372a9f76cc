"""What the document Probability Contracts states about decisions and pairs of reports."""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.accuracy.scores import total_variation
from worldgen.scoring.decisions.averaging import BinaryAction, averaging_penalty, binary_action
from worldgen.scoring.decisions.elementary import THRESHOLDS, elementary_score
from worldgen.scoring.panels.actions import (
    COSTS,
    FINE_COSTS,
    SECOND_COSTS,
    choose,
    expected_loss,
    headroom,
    minimisers,
    oracle_loss,
)

HALF = Fraction(1, 2)
unit = st.fractions(0, 1, max_denominator=200)
binary_costs = st.fractions(Fraction(1, 200), Fraction(99, 200), max_denominator=200)


def loss(x: Fraction, q: Fraction, cost: Fraction) -> Fraction:
    return expected_loss(choose((x, 1 - x), cost), (q, 1 - q), cost)


def test_the_grids_of_costs_and_thresholds() -> None:
    """Probability Contracts, Section 5.3 and Appendix S.1."""
    assert [str(cost) for cost in COSTS] == ["1/50", "1/20", "1/10", "1/5", "2/5"]
    assert [str(cost) for cost in SECOND_COSTS] == ["1/20", "1/10", "1/5", "3/10", "2/5"]
    assert FINE_COSTS[0] == THRESHOLDS[0] == Fraction(1, 200)
    assert (len(FINE_COSTS), FINE_COSTS[-1]) == (99, Fraction(99, 200))
    assert (len(THRESHOLDS), THRESHOLDS[-1]) == (199, Fraction(199, 200))


def test_one_interface_defers_and_the_other_answers() -> None:
    """Probability Contracts, Appendix H: 0.84 and 0.97 of an event of probability 220/317, at cost 1/10.

    Averaged, 0.905 answers; the penalty of that is half of what answering loses beyond deferring.
    """
    q, cost = Fraction(220, 317), Fraction(1, 10)
    event, choice = Fraction("0.84"), Fraction("0.97")
    actions = [binary_action(x, cost) for x in (event, choice, (event + choice) / 2)]
    assert actions == ["defer", "yes", "yes"]
    assert [loss(x, q, cost) for x in (event, choice)] == [cost, Fraction(97, 317)]
    penalty = averaging_penalty(actions[0], actions[1], actions[2], q, cost)
    assert penalty == (1 - q - cost) / 2 == (Fraction(97, 317) - cost) / 2
    assert minimisers((q, 1 - q), cost) == (None,)
    assert headroom((q, 1 - q), cost) == 0


@pytest.mark.parametrize(
    ("first", "second", "middle", "formula"),
    [
        ("no", "no", "no", "0"),
        ("defer", "defer", "defer", "0"),
        ("yes", "yes", "yes", "0"),
        ("no", "defer", "no", "(q - c) / 2"),
        ("no", "defer", "defer", "(c - q) / 2"),
        ("defer", "yes", "defer", "(c + q - 1) / 2"),
        ("defer", "yes", "yes", "(1 - q - c) / 2"),
        ("no", "yes", "no", "q - 1 / 2"),
        ("no", "yes", "defer", "c - 1 / 2"),
        ("no", "yes", "yes", "1 / 2 - q"),
    ],
)
def test_the_table_of_penalties(
    first: BinaryAction, second: BinaryAction, middle: BinaryAction, formula: str
) -> None:
    """Probability Contracts, Proposition 1 and Table 29, in either order of the reports."""
    formulas: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
        "0": lambda _q, _c: Fraction(0),
        "(q - c) / 2": lambda q, c: (q - c) / 2,
        "(c - q) / 2": lambda q, c: (c - q) / 2,
        "(c + q - 1) / 2": lambda q, c: (c + q - 1) / 2,
        "(1 - q - c) / 2": lambda q, c: (1 - q - c) / 2,
        "q - 1 / 2": lambda q, _c: q - HALF,
        "c - 1 / 2": lambda _q, c: c - HALF,
        "1 / 2 - q": lambda q, _c: HALF - q,
    }
    for q in (Fraction(0), Fraction(1, 35), Fraction(220, 317), Fraction(1)):
        for cost in COSTS:
            found = averaging_penalty(first, second, middle, q, cost)
            assert found == averaging_penalty(second, first, middle, q, cost) == formulas[formula](q, cost)


@given(unit, unit, unit, binary_costs)
def test_the_table_covers_every_pair_of_reports(
    p: Fraction, other: Fraction, q: Fraction, cost: Fraction
) -> None:
    """Probability Contracts, Equation 3 and Appendix Q."""
    m = (p + other) / 2
    actions = [binary_action(x, cost) for x in (p, other, m)]
    expected = loss(m, q, cost) - (loss(p, q, cost) + loss(other, q, cost)) / 2
    assert averaging_penalty(actions[0], actions[1], actions[2], q, cost) == expected


@given(binary_costs, st.fractions(0, 1, max_denominator=50).filter(lambda share: 0 < share < 1))
def test_two_worlds_where_a_better_score_is_a_worse_decision(cost: Fraction, share: Fraction) -> None:
    """Probability Contracts, Appendix Q: averaging loses e/4 more than a random interface, both stay below
    always deferring, every report is within 4 e of the truth, and the Brier score falls by 2 e^2.
    """
    e = share * min(cost, (1 - 2 * cost) / 3)
    worlds = [(cost - e, cost - e, cost + 3 * e), (e, e, e)]
    assert all(abs(x - q) <= 4 * e for q, *reports in worlds for x in reports)
    averaged = sum(loss((p + other) / 2, q, cost) for q, p, other in worlds) / 2
    at_random = sum(loss(p, q, cost) + loss(other, q, cost) for q, p, other in worlds) / 4
    assert averaged == (cost + e) / 2
    assert at_random == cost / 2 + e / 4
    assert at_random < averaged < cost
    brier = [((p - q) ** 2 + (other - q) ** 2) / 2 - ((p + other) / 2 - q) ** 2 for q, p, other in worlds]
    assert sum(brier) / 2 == 2 * e**2


@given(unit, unit, binary_costs)
def test_the_two_thresholds_of_the_reject_loss(p: Fraction, q: Fraction, cost: Fraction) -> None:
    """Probability Contracts, Appendix R: R_c = S_c^> + S_(1-c)^>=, at boundary ties as well."""
    for x in (p, cost, 1 - cost):
        strict = elementary_score(x, q, cost, inclusive=False)
        assert loss(x, q, cost) == strict + elementary_score(x, q, 1 - cost)


@given(unit, unit, unit)
def test_scores_are_integrals_over_costs(p: Fraction, other: Fraction, q: Fraction) -> None:
    """Probability Contracts, Section 7.2 and Appendix R, from the breakpoints of the loss.

    2 * integral of R_c over (0, 1/2) = (p - q)^2 + q (1 - q), and of the midpoint's contrast
    -(p - p')^2 / 8 before it is doubled.
    """

    def integral(x: Fraction) -> Fraction:
        turn = min(x, 1 - x)
        total = Fraction(0)
        for low, high in pairwise(sorted({Fraction(0), turn, HALF})):
            thirds = [loss(x, q, low + (high - low) * k / 3) for k in (1, 2)]
            total += (high - low) * sum(thirds) / 2  # affine inside, so two inner points give the mean
        return total

    m = (p + other) / 2
    assert 2 * integral(p) == (p - q) ** 2 + q * (1 - q)
    assert integral(m) - (integral(p) + integral(other)) / 2 == -((p - other) ** 2) / 8


@given(unit, unit, binary_costs)
def test_regret_is_bounded_by_the_error(p: Fraction, q: Fraction, cost: Fraction) -> None:
    """Probability Contracts, Section 6.3: at most 2 TV, and at most TV where one of the actions defers."""
    distance = total_variation((p, 1 - p), (q, 1 - q))
    regret = loss(p, q, cost) - oracle_loss((q, 1 - q), cost)
    assert 0 <= regret <= 2 * distance
    actions = choose((p, 1 - p), cost), choose((q, 1 - q), cost)
    if None in actions and actions[0] != actions[1]:
        assert regret <= distance


@given(unit, unit)
def test_the_regret_bounds_are_attained(q: Fraction, share: Fraction) -> None:
    """Probability Contracts, Appendix I: neither bound can be lowered."""
    cost = Fraction(1, 10)
    step = share / 100
    above, below = 1 - cost, 1 - cost - step
    if step:
        regret = loss(above, below, cost) - oracle_loss((below, 1 - below), cost)
        assert regret == total_variation((above, 1 - above), (below, 1 - below)) == step
    even, no = (HALF, HALF), (HALF - step, HALF + step)  # at cost 1/2 two classes compete, and even says yes
    regret = expected_loss(choose(even, HALF), no, HALF) - oracle_loss(no, HALF)
    assert regret == 2 * total_variation(even, no) == 2 * step


def test_always_deferring_is_the_reference_and_the_oracle_the_bound() -> None:
    """Probability Contracts, Appendix I: L* = min(c, 1 - max q) and H = max(0, max q - (1 - c))."""
    q = (Fraction(1, 35), Fraction(0), Fraction(24, 35), Fraction(2, 7))
    assert oracle_loss(q, Fraction(2, 5)) == Fraction(11, 35)
    assert headroom(q, Fraction(2, 5)) == Fraction(24, 35) - Fraction(3, 5)
    assert oracle_loss(q, Fraction(1, 10)) == Fraction(1, 10)
    assert headroom(q, Fraction(1, 10)) == 0
    a = (Fraction(1, 35), Fraction(34, 35))
    assert headroom(a, Fraction(1, 10)) == Fraction(1, 10) - Fraction(1, 35)
