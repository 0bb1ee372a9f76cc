"""Leakage: the tail against counting every outcome, its bounds, and who may be judged by it."""

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.built import axis_of, panel_of, truth_of
from worldgen.scoring.accuracy.leakage import (
    EXACT_CASES,
    Case,
    SharedOutcomeError,
    cases_of,
    evidence,
    leakage,
    tail,
    tail_bounds,
)
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.panels.panel import Panel
from worldgen.scoring.reports.accounting import Verdict
from worldgen.scoring.reports.reader import Rejected, Valid

HALF = Fraction(1, 2)
CHANCES = st.lists(st.fractions(0, 1, max_denominator=12), max_size=7)


def counted(chances: list[Fraction], successes: int) -> Fraction:
    """The tail by adding up all outcomes."""
    outcomes = (o for o in product((0, 1), repeat=len(chances)) if sum(o) >= successes)
    each = (prod(c if hit else 1 - c for c, hit in zip(chances, o, strict=True)) for o in outcomes)
    return sum(map(Fraction, each), Fraction(0))


@given(CHANCES, st.integers(-1, 8))
def test_the_tail_is_the_sum_over_all_outcomes(chances: list[Fraction], successes: int) -> None:
    assert tail(chances, successes) == counted(chances, successes)


@given(CHANCES, st.integers(-1, 8))
def test_the_bounds_enclose_the_tail(chances: list[Fraction], successes: int) -> None:
    low, high = tail_bounds(chances, successes)
    assert low <= tail(chances, successes) <= high


@pytest.mark.parametrize("successes", [0, 1, 40, 200, 280, 350, 399, 400, 401])
def test_the_bounds_are_as_tight_as_they_say(successes: int) -> None:
    chances = [Fraction(300 + 17 * i % 600, 901) for i in range(400)]
    low, high = tail_bounds(chances, successes)
    assert low <= tail(chances, successes) <= high
    assert high - low <= low * 14 * 401 / 2**53


@pytest.mark.parametrize("trials", [65, 1_000, 5_000])
def test_nothing_underflows(trials: int) -> None:
    """Of 65 fair coins all come up heads with chance 2.7e-20, which 1 - cdf in doubles calls 0; of 1,000
    with 9.3e-302, and of 5,000 with a chance that no double holds.
    """
    low, high = tail_bounds([HALF] * trials, trials)
    assert 0 < low <= Fraction(1, 2**trials) <= high < Fraction(1, 2**trials) * (1 + Fraction(1, 10**10))


def test_a_deep_tail_of_many_different_trials() -> None:
    chances = [Fraction(1, 2) + Fraction(i % 7, 20) for i in range(1_000)]
    low, high = tail_bounds(chances, 990)
    assert low <= tail(chances, 990) <= high < Fraction(1, 10**80)


def test_a_text_and_a_double_stand_for_what_no_double_holds() -> None:
    axis = axis_of(1_100)
    truth = truth_of(axis, [(HALF, HALF)] * 1_100, outcomes=[0] * 1_100)
    (row,) = leakage([panel_of(truth, [(1, 0)] * 1_100)])
    assert row["p_text"] == "7.36215183E-332" and row["p_value"] == 2.0**-1074 and row["flagged"]


@given(st.lists(st.tuples(st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9))))
def test_no_pick_beats_the_best_pick_in_distribution(pairs: list[tuple[Fraction, Fraction]]) -> None:
    pairs = pairs[:9]
    less, more = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    assert all(tail(less, s) <= tail(more, s) for s in range(len(pairs) + 1))


@given(CHANCES.filter(bool), st.fractions(0, 1, max_denominator=50))
def test_a_p_value_is_at_most_a_level_with_at_most_that_chance(
    chances: list[Fraction], level: Fraction
) -> None:
    counts = range(len(chances) + 1)
    tails = [tail(chances, s) for s in counts]
    masses = [tails[s] - (tails[s + 1] if s < len(chances) else 0) for s in counts]
    assert sum(mass for mass, p in zip(masses, tails, strict=True) if p <= level) <= level


def test_pooling_seven_requests_of_a_root_flags_a_quarter_of_the_honest() -> None:
    """Seven variants of 100 roots read one coin a root: honest picks have 7 B right, B binomial. Judged as
    700 coins they fall below 5 % five times as often as they may; judged as 100 they do not.
    """
    fair = [Fraction(comb(100, k), 2**100) for k in range(101)]
    level = Fraction(1, 20)
    pooled = [Fraction(sum(comb(700, j) for j in range(7 * k, 701)), 2**700) for k in range(101)]
    alone = [tail([HALF] * 100, k) for k in range(101)]
    wrongly = sum((mass for mass, p in zip(fair, pooled, strict=True) if p <= level), Fraction(0))
    rightly = sum((mass for mass, p in zip(fair, alone, strict=True) if p <= level), Fraction(0))
    assert round(float(wrongly), 3) == 0.242 and rightly <= level


def test_cases_that_share_an_outcome_are_refused() -> None:
    case = Case("r", HALF, HALF, True)
    with pytest.raises(SharedOutcomeError, match="root 'r' stands in two cases") as caught:
        evidence([case, Case("s", HALF, HALF, True), case])
    assert caught.value.remedy == "take one request of each root: one system, one variant, one repeat"


def test_evidence_counts_what_was_right_and_what_should_have_been() -> None:
    cases = [Case(str(i), Fraction(1, 4), Fraction(3, 4), i < 3) for i in range(4)]
    found = evidence(cases)
    assert (found.cases, found.right, found.bayes, found.expected) == (4, 3, 3.0, 1.0)
    assert found.p_value == Fraction(3**4 + 4 * 3**3, 4**4)
    assert found.z == (3 - 1) / (4 * 3 / 16) ** 0.5


def test_certain_picks_have_no_spread() -> None:
    found = evidence([Case("r", Fraction(1), Fraction(1), True)])
    assert found.z is None and found.p_value == 1


def test_above_the_exact_cases_the_p_value_is_an_upper_bound() -> None:
    count = EXACT_CASES + 1
    cases = [Case(str(i), HALF, HALF, i % 2 == 0) for i in range(count)]
    exact = tail([HALF] * count, (count + 1) // 2)
    assert exact <= evidence(cases).p_value <= exact * (1 + Fraction(1, 10**10))


def test_a_pick_is_what_the_system_named_or_else_its_best_class() -> None:
    axis = axis_of(6)
    q = (Fraction(1, 4), Fraction(3, 4))
    truth = truth_of(axis, [q, q, q, q, None, q], outcomes=[0, 1, 0, None, None, 1])
    tie, sure = (HALF, HALF), (0, 1)
    panel = panel_of(truth, [tie, sure, sure, sure, None, None], selected=[None, None, 0, None, None, None])
    assert cases_of(panel) == [
        Case("0", Fraction(1, 4), Fraction(3, 4), True),  # a tie goes to the earlier class
        Case("1", Fraction(3, 4), Fraction(3, 4), True),
        Case("2", Fraction(1, 4), Fraction(3, 4), True),  # named against its own masses
    ]


def test_the_first_valid_repeat_is_the_case() -> None:
    truth = truth_of(axis_of(1), [(Fraction(1, 4), Fraction(3, 4))], outcomes=[0])
    answers: dict[int, Verdict] = {
        0: Rejected("simplex sum"),
        1: Valid((HALF, HALF)),
        2: Valid((Fraction(0), Fraction(1))),
    }
    (case,) = cases_of(Panel.of("mine", truth, {"0-event": answers}))
    assert case.right and case.chance == Fraction(1, 4)


def test_a_predictor_that_knows_outcomes_is_flagged_and_the_oracle_is_not() -> None:
    axis = axis_of(40)
    q = (Fraction(2, 5), Fraction(3, 5))
    outcomes = [int(i % 5 < 3) for i in range(40)]
    truth = truth_of(axis, [q] * 40, outcomes=outcomes)
    honest = panel_of(truth, [q] * 40, system="oracle")
    leaked = panel_of(truth, [(1 - y, y) for y in outcomes], system="leaked")
    unknown = truth_of(axis, [q] * 40, variant="canonical")
    rows = leakage([honest, leaked, panel_of(unknown, [q] * 40)])
    assert [(row["system"], row["variant"], row["correct"], row["flagged"]) for row in rows] == [
        ("oracle", "event", 24, False),
        ("leaked", "event", 40, True),
    ]
    assert rows[1]["p_value"] == float(Fraction(3, 5) ** 40)
    assert rows[1]["p_adjusted"] == float(2 * Fraction(3, 5) ** 40)


def test_rows_of_no_case_are_left_out() -> None:
    assert leakage([]) == []


@given(st.lists(st.fractions(0, 1, max_denominator=40), max_size=6), st.fractions(0, 1, max_denominator=40))
def test_holm_rejects_step_by_step(p_values: list[Fraction], level: Fraction) -> None:
    """The procedure as it was published: smallest first, against level / m, level / (m - 1), ..., until one
    is kept.
    """
    rejected = set()
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[place] * (len(p_values) - rank) > level:
            break
        rejected.add(place)
    adjusted = holm(p_values)
    assert level == 1 or {place for place, p in enumerate(adjusted) if p <= level} == rejected
