"""Exact means: many columns at once, against fractions added one after the other."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.built import axis_of, mean_of, random_columns
from worldgen.scoring.figures import exact_means
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.figures.exact_means import means
from worldgen.scoring.figures.means import Quotient

VALUES = st.none() | st.fractions(-5, 5, max_denominator=99) | st.fractions(max_denominator=10**30)
COLUMNS = st.lists(st.lists(VALUES, min_size=5, max_size=5), min_size=1, max_size=7)
FRACTIONS = st.fractions(max_denominator=10**12)


def assert_means(columns: list[Column], axis: Axis) -> None:
    """Every mean of every column is that of fractions."""
    for column, found in zip(columns, means(columns, axis), strict=True):
        expected = mean_of(column, axis)
        assert (found.macro and found.macro.fraction) == expected
        for each, part in zip(found.strata, axis.slices, strict=True):
            values = [value for value in column.values[part] if value is not None]
            mean = sum(values, Fraction(0)) / len(values) if values else None
            assert (each and each.fraction) == mean


@given(COLUMNS, st.integers(0, 5))
def test_means_are_those_of_fractions(columns: list[list[Fraction | None]], split: int) -> None:
    assert_means(list(map(Column.of, columns)), axis_of(split, 5 - split))


@pytest.mark.parametrize("most", [1, 2_000, 2**26])
@pytest.mark.parametrize("reach", [1, 2**20, 2**40, 2**70])
def test_columns_over_the_same_denominators(reach: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Digit by digit, with carries of either sign, and in halves where the common multiple is too long."""
    monkeypatch.setattr(exact_means, "_MOST", most)
    random, axis = np.random.default_rng(4), axis_of(70, 1, 29)
    bottoms = random.integers(1, 5000, 100)
    valid = random.random(100) < 0.9
    columns = []
    for times in (1, 1, 1, 10, 20, 1):
        tops: Any = random.integers(-1000, 1001, 100).astype(np.object_) * reach
        columns.append(Column.ratio(tops, bottoms * times, valid))
        columns.append(Column.ratio(tops, bottoms * times, np.ones(100, dtype=np.bool_)))
    assert_means([*columns, *random_columns(axis, 9)], axis)


def test_no_length_of_a_common_multiple_is_too_great() -> None:
    values = [Fraction(1, 2**400 + 2 * i + 1) for i in range(200)]
    assert_means([Column.of(values)], axis_of(200))


def test_without_values_there_is_no_mean() -> None:
    (found,) = means([Column.of([None, None])], axis_of(1, 1))
    assert found.macro is None and found.strata == (None, None)
    assert means([], axis_of(1)) == []


@given(FRACTIONS, FRACTIONS, st.integers(1, 99), st.integers(1, 99))
def test_quotients_are_fractions_in_whatever_terms(a: Fraction, b: Fraction, m: int, n: int) -> None:
    left, right = Quotient(a.numerator * m, a.denominator * m), Quotient(b.numerator * n, b.denominator * n)
    same = Quotient(b.numerator * left.bottom, b.denominator * left.bottom)
    over = Quotient(a.numerator * same.bottom, a.denominator * same.bottom)
    assert left.fraction == a and float(left) == float(a) and hash(left) == hash(Quotient.of(a))
    assert (left - right).fraction == (left - same).fraction == (over - same).fraction == a - b
    assert (left == right) == (a == b) and left != a
    if b:
        assert (left / right).fraction == a / b
        assert Quotient(left.top, same.bottom) / same == Quotient(left.top, 1) / Quotient(same.top, 1)
        assert (left / right).bottom > 0
    else:
        with pytest.raises(ZeroDivisionError, match="undefined"):
            left / right
