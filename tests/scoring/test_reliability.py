"""Brier, reliability bins and average precision of strings, against their definitions string by string."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.figures.auroc import dense_ranks
from worldgen.scoring.retention.confidence import Confidence, confidence, geometric_bin, geometric_ranks
from worldgen.scoring.retention.reliability import (
    average_precision,
    bin_of,
    bins,
    brier,
    calibration_error,
)
from worldgen.scoring.retention.strings import Strings

TENTHS = st.integers(0, 10).map(lambda n: Fraction(n, 10))
ROWS = st.lists(st.tuples(TENTHS, st.booleans(), st.integers(1, 3)), min_size=1, max_size=9)
Rows = list[tuple[Fraction, bool, int]]


def repeated(rows: Rows) -> list[tuple[Fraction, bool]]:
    """A string of weight w as w strings."""
    return [(score, right) for score, right, weight in rows for _ in range(weight)]


@given(ROWS)
def test_brier_and_calibration_error_are_means_over_strings(rows: Rows) -> None:
    scores, right, weights = (list(column) for column in zip(*rows, strict=True))
    several = repeated(rows)
    squares = [(1 - score if is_right else score) ** 2 for score, is_right in several]
    assert brier(scores, right, weights) == sum(squares) / len(several)
    found = bins(scores, right, weights, [bin_of(score) for score in scores])
    error = Fraction(0)
    for k in range(10):
        low, high = Fraction(k, 10), Fraction(k + 1, 10)
        own = [one for one in several if low <= one[0] < high or (k == 9 and one[0] == 1)]
        assert found[k].weight == len(own) and (found[k].score is None) == (not own)
        error += abs(sum((score - is_right for score, is_right in own), Fraction(0)))
    assert calibration_error(found) == error / len(several)
    assert sum(one.strings for one in found) == len(rows)


@given(ROWS)
def test_average_precision_adds_up_over_thresholds(rows: Rows) -> None:
    scores, right, weights = (list(column) for column in zip(*rows, strict=True))
    found = average_precision(dense_ranks(scores).tolist(), right, weights)
    if len(set(right)) == 1:
        assert found is None
        return
    several, reached, before = repeated(rows), Fraction(0), Fraction(0)
    every = sum(is_right for _, is_right in several)
    for threshold in sorted(set(scores), reverse=True):
        taken = [is_right for score, is_right in several if score >= threshold]
        recall = Fraction(sum(taken), every)
        reached += (recall - before) * Fraction(sum(taken), len(taken))
        before = recall
    assert found == reached


def of(*masses: Fraction) -> Confidence:
    found = confidence(masses, masses)
    assert found is not None
    return found


@given(st.lists(st.lists(TENTHS, min_size=1, max_size=4), min_size=1, max_size=6))
def test_geometric_means_are_ranked_as_their_common_powers(steps: list[list[Fraction]]) -> None:
    """Each to the twelfth power is rational, as one, two, three and four divide twelve."""
    found = [of(*masses) for masses in steps]
    powers = [one.product ** (12 // one.steps) for one in found]
    assert geometric_ranks(found) == dense_ranks(powers).tolist()
    for one, power in zip(found, powers, strict=True):
        k = geometric_bin(one)
        assert Fraction(k, 10) ** 12 <= power and (power < Fraction(k + 1, 10) ** 12 or k == 9)


def test_roots_that_agree_in_all_kept_digits_are_told_apart() -> None:
    """The square roots of 1/2 and of the least bit more; and one just below the edge of a bin."""
    least = Fraction(1, 10**40)
    first, second = of(Fraction(1, 2), Fraction(1)), of(Fraction(1, 2) + least, Fraction(1))
    assert first.geometric_mean == second.geometric_mean and geometric_ranks([second, first]) == [1, 0]
    below = of(Fraction(1, 4) - least, Fraction(1))
    assert below.geometric_mean == Fraction(1, 2)
    assert (geometric_bin(below), geometric_bin(of(Fraction(1, 4), Fraction(1)))) == (4, 5)


def test_nothing_has_no_figures() -> None:
    assert brier([], [], []) is None and calibration_error(()) is None
    assert average_precision([], [], []) is None
    with pytest.raises(ValueError, match="between 0 and 1"):
        bin_of(Fraction(11, 10))


def test_lengths_weigh_alike_and_rank_alone() -> None:
    """Two of three short strings are right, and not the long one."""
    known = [of(Fraction(n, 10)) for n in (9, 5, 3, 8)]
    strings = Strings(known, [3, 3, 3, 4], [True, True, False, False])
    assert strings.mixtures == {"as they occur": [1, 1, 1, 1], "alike": (1, 1, 1, 3)}
    *_, length = strings.scores
    assert (length.ranks, length.bins([1] * 4)) == ([1, 1, 1, 0], ())
    assert average_precision(length.ranks, length.right, strings.mixtures["alike"]) == Fraction(2, 3)
    product = strings.scores[0]
    assert product.values is not None
    assert brier(product.values, product.right, strings.mixtures["alike"]) == Fraction(227, 600)
