"""Columns along an axis, in fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.figures.columns import Axis, Column, along, largest

VALUES = st.lists(
    st.none() | st.fractions(-5, 5, max_denominator=99) | st.fractions(max_denominator=10**30),
    min_size=5,
    max_size=5,
)


def signed(*signs: int) -> Column:
    """A column of infinities and ones."""
    ones, marks = np.ones(len(signs), dtype=np.int64), np.array(signs, dtype=np.int8)
    return Column.ratio(ones, ones, np.ones(len(signs), dtype=np.bool_), marks)


def test_an_axis_goes_stratum_by_stratum_in_the_order_of_the_table() -> None:
    axis = Axis.of({"r3": "b", "r1": "a", "r2": "b", "r0": "a"})
    assert axis.roots == ("r3", "r2", "r1", "r0") and axis.strata == ("b", "a")
    assert axis.sizes == (2, 2) and len(axis) == 4
    assert [axis.positions[root] for root in axis.roots] == [0, 1, 2, 3]
    assert ["".join(axis.roots[part]) for part in axis.slices] == ["r3r2", "r1r0"]


def test_an_axis_of_no_roots_is_empty() -> None:
    assert len(Axis.of({})) == 0 and Axis.of({}).slices == ()


@given(VALUES)
def test_values_come_back(values: list[Fraction | None]) -> None:
    column = Column.of(values)
    assert column.values == tuple(values)
    assert column.valid.tolist() == [value is not None for value in values]


@given(VALUES, VALUES)
def test_a_difference_is_that_of_fractions(left: list[Fraction | None], right: list[Fraction | None]) -> None:
    pairs = zip(left, right, strict=True)
    expected = tuple(None if a is None or b is None else a - b for a, b in pairs)
    assert (Column.of(left) - Column.of(right)).values == expected


def test_differences_with_infinities() -> None:
    found = signed(1, 1, 1, -1, -1, 0) - signed(1, 0, -1, -1, 0, 1)
    assert found.valid.tolist() == [False, True, True, False, True, True]
    assert found.infinite.tolist() == [0, 1, 1, 0, -1, -1]


@given(VALUES)
def test_doubles_are_the_nearest(values: list[Fraction | None]) -> None:
    assert Column.of(values).doubles().tolist() == [float(value or 0) for value in values]


def test_where_keeps_the_roots_of_a_mask() -> None:
    column = Column.of([Fraction(1), Fraction(2)]).where(np.array([False, True]))
    assert column.values == (None, Fraction(2))
    assert signed(1, 1).where(np.array([False, True])).infinite.tolist() == [0, 1]


def test_rows_without_a_value_hold_nothing() -> None:
    column = Column.ratio(np.array([7, 7]), np.array([0, 3]), np.array([False, True]))
    assert column.numerators.tolist() == [0, 7] and column.denominators.tolist() == [1, 3]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=5))
def test_the_greatest_absolute_value_does_not_wrap(values: list[int]) -> None:
    expected = max(map(abs, values), default=0)
    assert largest(np.array(values, dtype=np.int64)) == expected
    assert largest(np.array([value * 2**70 for value in values], dtype=np.object_)) == expected * 2**70


@given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), max_size=4))
def test_adding_column_by_column_is_adding(rows: list[list[int]]) -> None:
    whole = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    for array in (whole, whole.astype(np.object_)):
        before = array.copy()
        assert along(array).tolist() == list(map(sum, rows)) and (array == before).all()
