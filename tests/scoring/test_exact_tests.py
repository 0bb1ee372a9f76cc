"""Binomial intervals, McNemar, sign tests and Holm, each against enumeration or its definition."""

from fractions import Fraction
from itertools import product
from math import comb, nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention import paired
from worldgen.scoring.retention.binomial import at_most, binomial_interval, retained_interval, tail_within
from worldgen.scoring.retention.joint import Joint
from worldgen.scoring.retention.paired import SignTest, mcnemar, sign_test

TRIALS = st.integers(1, 25).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
LEVELS = st.fractions(0, 1, max_denominator=200).filter(lambda level: 0 < level < 1)


def tail(least: int, trials: int, chance: Fraction) -> Fraction:
    """P(X >= least), term by term."""
    terms = (comb(trials, j) * chance**j * (1 - chance) ** (trials - j) for j in range(least, trials + 1))
    return sum(terms, Fraction(0))


@given(TRIALS, st.fractions(0, 1, max_denominator=9))
@example((1, 3), Fraction(1))
def test_the_lower_tail_is_its_sum(counts: tuple[int, int], chance: Fraction) -> None:
    successes, trials = counts
    assert at_most(successes, trials, chance) == 1 - tail(successes + 1, trials, chance)
    assert at_most(-1, trials, chance) == 0 and at_most(trials + 5, trials, chance) == 1


@given(TRIALS, LEVELS, st.integers(0, 5))
def test_the_ends_of_an_interval_are_the_nearest_outside_the_exact_ones(
    counts: tuple[int, int], level: Fraction, digits: int
) -> None:
    successes, trials = counts
    found = binomial_interval(successes, trials, level, digits)
    assert found is not None
    step, limit = Fraction(1, 10**digits), (1 - level) / 2
    assert 0 <= found.low <= found.high <= 1
    assert found.low % step == found.high % step == 0
    # p is below the exact lower end where P(X >= k) is less than the tail, and above the upper one likewise.
    if successes == 0:
        assert found.low == 0
    else:
        assert tail(successes, trials, found.low) <= limit < tail(successes, trials, found.low + step)
    if successes == trials:
        assert found.high == 1
    else:
        above = (1 - tail(successes + 1, trials, p) for p in (found.high, found.high - step))
        assert next(above) <= limit < next(above)


@given(TRIALS, st.integers(1, 99), st.sampled_from([0, 1, -1]))
def test_a_tail_is_held_against_its_limit_exactly(counts: tuple[int, int], part: int, off: int) -> None:
    """At the very limit, and a hair beside it, the bounds of the fast sum decide nothing."""
    successes, trials = counts
    exact = at_most(successes, trials, Fraction(part, 100))
    limit = exact + Fraction(off, 10**60)
    assert tail_within(limit, successes, trials, part, 100) is (exact <= limit)


def test_an_interval_of_thousands_of_trials_is_as_exact() -> None:
    found, level = binomial_interval(3000, 6000), Fraction(1, 40)
    assert found is not None
    assert at_most(3000, 6000, found.high) <= level < at_most(3000, 6000, found.high - Fraction(1, 10**6))
    assert found.low == 1 - found.high


def test_an_end_that_lies_on_the_grid_is_itself() -> None:
    """Of one trial without success the tail is 1 - p, at most 1/4 from p = 3/4 on."""
    found = binomial_interval(0, 1, Fraction(1, 2), 2)
    assert found is not None and found.high == Fraction(3, 4)


@given(TRIALS, LEVELS)
def test_failures_have_the_mirrored_interval(counts: tuple[int, int], level: Fraction) -> None:
    successes, trials = counts
    found, other = (binomial_interval(k, trials, level, 4) for k in (successes, trials - successes))
    assert found is not None and other is not None
    assert (found.low, found.high) == (1 - other.high, 1 - other.low)


@pytest.mark.parametrize(
    ("trials", "level", "near"),
    [(18, Fraction(99, 100), "0.2549850"), (500, 1 - Fraction(1, 501_000), "0.0272567")],
)
def test_no_success_and_nothing_but_success_have_closed_forms(
    trials: int, level: Fraction, near: str
) -> None:
    """U = 1 - (alpha / 2)**(1 / n), where statsmodels has given NaN and nearly 1 (issues 2609 and 9549)."""
    none, every = (binomial_interval(k, trials, level, 7) for k in (0, trials))
    assert none is not None and every is not None
    assert none.low == 0 and every.high == 1 and every.low == 1 - none.high
    step, limit = Fraction(1, 10**7), (1 - level) / 2
    assert (1 - none.high) ** trials <= limit < (1 - none.high + step) ** trials
    assert abs(none.high - Fraction(near)) <= step


def test_without_trials_there_is_no_interval() -> None:
    assert binomial_interval(0, 0) is None
    assert retained_interval(Joint(0, 0, 4, 4)) is None
    for wrong in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match="no interval"):
            binomial_interval(*wrong)
    for level in (0, 1):
        with pytest.raises(ValueError, match=f"no interval at level {level}"):
            binomial_interval(1, 3, Fraction(level))
    for chance in (Fraction(-1, 2), Fraction(3, 2)):
        with pytest.raises(ValueError, match="between 0 and 1"):
            at_most(1, 3, chance)


@given(st.integers(0, 9), st.integers(0, 9))
@example(0, 0)
@example(5, 5)
def test_mcnemar_counts_the_coins_that_are_as_uneven(b: int, c: int) -> None:
    """With b = c twice the tail exceeds 1, and without discordant pairs there is nothing to divide by
    (mlxtend 851, evaluate 795)."""
    coins = [sum(flips) for flips in product([0, 1], repeat=b + c)]
    as_low = sum(heads <= min(b, c) for heads in coins)
    assert mcnemar(b, c) == mcnemar(c, b) == min(1, Fraction(2 * as_low, len(coins)))


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 2)


DIFFERENCES = st.lists(st.fractions(-3, 3, max_denominator=6), max_size=8)


@given(DIFFERENCES)
def test_a_sign_test_is_the_enumeration_of_all_signs(differences: list[Fraction]) -> None:
    seen = abs(sum(differences, Fraction(0)))
    sums = [
        abs(sum((s * d for s, d in zip(signs, differences, strict=True)), Fraction(0)))
        for signs in product([-1, 1], repeat=len(differences))
    ]
    assert sign_test(differences) == SignTest(Fraction(sum(s >= seen for s in sums), len(sums)), None)


def test_equal_differences_are_coins_of_mcnemar() -> None:
    for b, c in ((0, 7), (3, 9), (6, 6), (40, 61)):
        assert sign_test([Fraction(1, 3)] * b + [Fraction(-1, 3)] * c).p_value == mcnemar(b, c)


def test_drawn_signs_come_near_the_law_and_are_the_same_again() -> None:
    differences = [Fraction(n % 7 - 2, 3) for n in range(70)]
    exact = sign_test(differences).p_value
    drawn = sign_test(differences, largest=0, draws=20_000)
    assert drawn == sign_test(differences, largest=0, draws=20_000)
    assert drawn.draws == 20_000 and (drawn.p_value * 20_001).denominator == 1
    # A binomial share of 20,000 strays from its chance by 5 standard errors once in a million seeds.
    assert (drawn.p_value - exact) ** 2 < 25 * exact * (1 - exact) / 20_000 + Fraction(1, 10**6)
    assert drawn != sign_test(differences, largest=0, draws=20_000, seed=8)


@pytest.mark.parametrize("at_once", [1, 65, 1000])
def test_how_many_signs_are_held_at_a_time_changes_nothing(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """65 signs take one word and a bit of the next."""
    differences = [Fraction(n % 5 - 2 if n > 20 else 1) for n in range(81) if n <= 20 or n % 5 != 2][:65]
    assert len(differences) == 65
    whole = sign_test(differences, largest=0, draws=101)
    monkeypatch.setattr(paired, "_AT_ONCE", at_once)
    assert sign_test(differences, largest=0, draws=101) == whole
    assert 0 < whole.p_value * 102 - 1 < 101


def test_sums_beyond_machine_integers_do_not_wrap() -> None:
    huge = [Fraction(2**70 + n) for n in range(5)]
    found = sign_test(huge, largest=0, draws=400)
    plain = sign_test([Fraction(1)] * 5, largest=0, draws=400)
    assert found == plain and plain.p_value > Fraction(1, 401)


def test_a_drawn_p_value_is_never_zero() -> None:
    assert sign_test([Fraction(1)] * 200, largest=0, draws=99).p_value == Fraction(1, 100)


@pytest.mark.parametrize("wrong", [nan, Fraction(3, 2), Fraction(-1, 2), 0.5])
def test_holm_refuses_what_is_no_exact_p_value(wrong: Fraction) -> None:
    """A NaN among p-values once turned the whole list into NaN (statsmodels issue 2899)."""
    with pytest.raises(ValueError, match="p-value 1 is"):
        holm([Fraction(1, 100), wrong, Fraction(1, 25)])


def test_holm_of_the_rest_is_what_it_would_be_alone() -> None:
    assert holm([Fraction(1, 100), Fraction(1, 25)]) == [Fraction(1, 50), Fraction(1, 25)]
    assert holm([]) == []
