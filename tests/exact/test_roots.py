"""Roots against trying all integers, and against the inequalities that define the nearest decimal."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.exact.roots import integer_root, nearest_root, rational_root


@given(st.integers(0, 3000), st.integers(1, 9))
def test_the_integer_root_is_the_last_that_fits(number: int, degree: int) -> None:
    assert integer_root(number, degree) == max(r for r in range(number + 1) if r**degree <= number)


@given(st.integers(0, 10**40), st.integers(1, 9))
def test_the_integer_root_of_a_large_number_brackets_it(number: int, degree: int) -> None:
    root = integer_root(number, degree)
    assert root**degree <= number < (root + 1) ** degree


@given(st.fractions(0, 50, max_denominator=60), st.integers(1, 7))
def test_a_power_has_its_root(root: Fraction, degree: int) -> None:
    assert rational_root(root**degree, degree) == nearest_root(root**degree, degree, 3) == root


@given(st.fractions(0, 50, max_denominator=60), st.integers(1, 7), st.integers(0, 12))
@example(Fraction(1, 2), 2, 0)
def test_the_nearest_root_is_within_half_a_place(value: Fraction, degree: int, places: int) -> None:
    found, half = nearest_root(value, degree, places), Fraction(1, 2 * 10**places)
    if rational_root(value, degree) is None:
        assert max(found - half, Fraction(0)) ** degree < value < (found + half) ** degree
        assert found % (2 * half) == 0


def test_what_has_no_root_is_refused() -> None:
    for number, degree in ((-1, 2), (4, 0)):
        with pytest.raises(ValueError, match="no root"):
            integer_root(number, degree)
