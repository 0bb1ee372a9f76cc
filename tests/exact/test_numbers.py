"""Numbers: text and Fraction determine each other, and every array path agrees with Fraction."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import (
    common_denominator,
    decimal_places,
    integers,
    lowest_terms,
    nearest_doubles,
    notation_of,
    read_number,
    write_number,
)
from worldgen.exact.pools import rationals

ratios = st.fractions() | st.builds(Fraction, st.integers(-(10**60), 10**60), st.integers(1, 10**60))
decimals = st.builds(lambda n, places: Fraction(n, 10**places), st.integers(), st.integers(0, 30))


@given(ratios)
def test_a_rational_reads_back_as_it_was_written(value: Fraction) -> None:
    assert read_number(write_number(value, "rational")) == value


@given(decimals, st.integers(0, 5))
def test_a_decimal_reads_back_with_any_sufficient_number_of_places(value: Fraction, extra: int) -> None:
    least = decimal_places(value)
    assert least is not None
    text = write_number(value, "decimal", least + extra)
    assert read_number(text) == value
    assert len(text.partition(".")[2]) == least + extra
    if extra == 0 and least:
        with pytest.raises(NumberError, match="cannot be written exactly"):
            write_number(value, "decimal", least - 1)


@given(st.integers())
def test_an_integer_reads_back_as_it_was_written(value: int) -> None:
    text = write_number(Fraction(value), "integer")
    assert read_number(text) == value == int(text)
    assert notation_of(text) == "integer"


@given(st.integers(0, 10**20), st.integers(0, 10**20), st.integers(-99, 99), st.sampled_from(["", "+", "-"]))
def test_scientific_notation_is_exact(whole: int, part: int, exponent: int, sign: str) -> None:
    text = f"{sign}{whole}.{part}e{exponent}"
    mantissa = Fraction(whole) + Fraction(part, 10 ** len(str(part)))
    assert read_number(text) == (-1 if sign == "-" else 1) * mantissa * Fraction(10) ** exponent
    assert notation_of(text) == "decimal"


REFUSED = (
    "", " 1", "1 ", "1\n", "1.", ".5", "1/0", "1/00", "-3/000", "1/-2", "1//2", "1/2/3", "1.5/2", "--1",
    "1,5", "1_000", "0x10", "1e", "1e1000", "NaN", "inf", "-Infinity", "true",
    "\u0661", "\u00bd", "9" * 1001,
)  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(NumberError):
        read_number(text)


@given(st.text(alphabet="0123456789+-./eE ", max_size=8))
@example("0/1")
@example("7/10")
def test_reading_either_refuses_or_agrees_with_fraction(text: str) -> None:
    try:
        value = read_number(text)
    except NumberError:
        return
    assert value == Fraction(text)
    assert read_number(write_number(value, "rational")) == value


def test_the_largest_numbers_that_are_read_can_be_written() -> None:
    huge, tiny = read_number("9" * 996 + "e999"), read_number("1e-999")
    assert write_number(tiny, "decimal", 999) == "0." + "0" * 998 + "1"
    assert write_number(huge, "integer") == "9" * 996 + "0" * 999


@given(st.integers(0, 12), st.integers(0, 12), st.sampled_from([1, 3, 7, 11]), st.integers())
def test_decimal_places_are_the_least_that_suffice(twos: int, fives: int, other: int, top: int) -> None:
    value = Fraction(top, 2**twos * 5**fives * other)
    sufficient = [places for places in range(13) if (value * 10**places).denominator == 1]
    assert decimal_places(value) == (sufficient[0] if sufficient else None)


@pytest.mark.parametrize("notation", ["integer", "decimal"])
def test_a_third_is_neither_an_integer_nor_a_decimal(notation: str) -> None:
    with pytest.raises(NumberError, match="1/3 cannot be written exactly"):
        write_number(Fraction(1, 3), "integer" if notation == "integer" else "decimal", 40)


@given(st.lists(ratios, max_size=6))
def test_the_common_denominator_is_the_least(values: list[Fraction]) -> None:
    common = common_denominator(values)
    assert all((value * common).denominator == 1 for value in values)
    for prime in (2, 3, 5, 7, 11, 13):
        if common % prime == 0:
            assert any((value * (common // prime)).denominator != 1 for value in values)


@pytest.mark.parametrize(("bound", "kind"), [(2**63 - 1, np.int64), (2**63, np.object_)])
def test_int64_is_used_exactly_below_the_bound(bound: int, kind: type) -> None:
    assert integers([bound - 1], bound).dtype == kind
    assert integers([bound - 1], bound).tolist() == [bound - 1]


sizes = st.sampled_from([100, 2**31, 2**62, 10**30, 10**400])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Numerators and denominators of probabilities, small to very large."""
    largest = draw(sizes)
    bottoms = draw(st.lists(st.integers(1, largest), min_size=1, max_size=5))
    return [draw(st.integers(0, bottom)) for bottom in bottoms], bottoms


@given(pairs())
@example(([0, 1], [1, 1]))
@example(([1], [2**1074]))
@example(([1], [2**1075]))
@example(([3], [2**1075]))
@example(([2**53 + 1], [2**54]))
@example(([2**53 + 3], [2**54]))
def test_batches_of_rationals_agree_with_fraction(pair: tuple[list[int], list[int]]) -> None:
    bound = max(pair[1]) + 1
    tops, bottoms = integers(pair[0], bound), integers(pair[1], bound)
    twins = [Fraction(top, bottom) for top, bottom in zip(*pair, strict=True)]
    assert rationals(tops, bottoms).to_pylist() == [str(twin) for twin in twins]
    assert nearest_doubles(tops, bottoms).tolist() == [float(twin) for twin in twins]
    low, high = lowest_terms(tops, bottoms)
    expected = [(twin.numerator, twin.denominator) for twin in twins]
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == expected


@given(pairs())
def test_no_double_is_nearer(pair: tuple[list[int], list[int]]) -> None:
    bound = max(pair[1]) + 1
    doubles = nearest_doubles(integers(pair[0], bound), integers(pair[1], bound))
    for top, bottom, double in zip(*pair, doubles.tolist(), strict=True):
        exact = Fraction(top, bottom)
        error = abs(Fraction(double) - exact)
        for neighbour in np.nextafter(double, [-1.0, 2.0]).tolist():
            assert error <= abs(Fraction(neighbour) - exact)


def test_one_python_integer_makes_the_whole_batch_python_integers() -> None:
    tops, bottoms = lowest_terms(np.array([4, 6]), np.array([2 * 10**30, 9], dtype=np.object_))
    assert list(zip(tops.tolist(), bottoms.tolist(), strict=True)) == [(1, 5 * 10**29), (2, 3)]
