"""Columns of rationals against fractions, row by row, where int64 suffices and where it does not."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.expressions import FRACTIONS, UndefinedError, parse, term
from worldgen.exact.numbers import integers
from worldgen.exact.ratios import RATIOS, Ratios

TEXTS = (
    "x",
    "-x + +y",
    "x - y * 0.1",
    "x / y",
    "1 / (x - y) / x",
    "abs(x - 1/3) * abs(y)",
    "max(x, y, 1/2) - min(x, y, -0.5)",
    "max(x, 1 - x)",
    "min(x / y, 7) * 10 / max(y, 1)",
    "x * x * x * y * y / (x + y)",
)

sizes = st.sampled_from([3, 2**31, 2**62, 10**30])


@st.composite
def columns(draw: st.DrawFn) -> tuple[list[Fraction | None], Ratios]:
    """Four numbers, or none where the denominator is zero."""
    largest = draw(sizes)
    tops = draw(st.lists(st.integers(-largest, largest), min_size=4, max_size=4))
    bottoms = draw(st.lists(st.integers(0, largest), min_size=4, max_size=4))
    bound = max(largest, 1) + 1
    made = Ratios.of(integers(tops, bound), integers(bottoms, bound))
    return [Fraction(a, b) if b else None for a, b in zip(tops, bottoms, strict=True)], made


def by_fractions(text: str, x: Fraction | None, y: Fraction | None) -> Fraction | None:
    """The slow twin. What a text does not name may be undefined."""
    known = {"x": x, "y": y}
    if any(name in text.replace("max", "") and value is None for name, value in known.items()):
        return None
    try:
        return term(text, parse(text), FRACTIONS)({n: v for n, v in known.items() if v is not None})
    except UndefinedError:
        return None


@pytest.mark.parametrize("text", TEXTS)
@given(columns(), columns())
def test_an_expression_over_columns_is_that_of_every_row(
    text: str, x: tuple[list[Fraction | None], Ratios], y: tuple[list[Fraction | None], Ratios]
) -> None:
    found = term(text, parse(text), RATIOS)({"x": x[1], "y": y[1]}).over(4)
    assert found.fractions() == [by_fractions(text, *row) for row in zip(x[0], y[0], strict=True)]
    assert (found.bottoms > 0).all()


@given(columns(), columns())
def test_comparison_is_that_of_fractions(
    x: tuple[list[Fraction | None], Ratios], y: tuple[list[Fraction | None], Ratios]
) -> None:
    found = x[1].at_least(y[1]).tolist()
    for here, one, other in zip(found, x[0], y[0], strict=True):
        assert one is None or other is None or here == (one >= other)


def test_int64_is_left_where_a_product_could_pass_it() -> None:
    third, large = Ratios.constant(Fraction(1, 3)), Ratios.constant(Fraction(2**62))
    assert (third * third).tops.dtype == np.int64
    assert (large * large).tops.dtype == np.object_
    assert (large * large).fractions() == [Fraction(2**124)]


def test_numbers_of_a_list_are_found_by_row() -> None:
    numbers = [Fraction(1, 2), Fraction(-7), Fraction(10**40, 3)]
    listed = Ratios.listed(numbers)
    assert listed.fractions() == numbers
    assert listed.at(np.array([2, 0])).fractions() == [numbers[2], numbers[0]]
