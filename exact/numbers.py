"""Numbers as written: text in, `Fraction` out, and back.

A number is an integer, a decimal, or a ratio of two integers. It is read digit by digit, so `0.1` is
1/10 and no binary float is ever made of it.
"""

import re
from fractions import Fraction
from math import gcd, lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.errors import NumberError

Notation = Literal["integer", "decimal", "rational"]
Integers = NDArray[np.int64] | NDArray[np.object_]

INT64_BOUND = 2**63
DOUBLE_BOUND = 2**53  # every integer up to it is a double
LARGEST_PART = 10**499  # a ratio of two numbers below it is written in fewer than LONGEST_NUMBER characters
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?|\d+/\d+)", re.ASCII)
LONGEST_NUMBER = 1000  # characters; with an exponent of 999 still below the 4300 digits that Python writes


def read_number(text: str) -> Fraction:
    """The exact value of a number as written: `12`, `0.84`, `8.4e-1` or `220/317`.

    Raises NumberError for anything else, NaN, infinities and zero denominators included.

    >>> read_number("0.1"), read_number("220/317"), read_number("-2.50e1")
    (Fraction(1, 10), Fraction(220, 317), Fraction(-25, 1))
    """
    if len(text) > LONGEST_NUMBER or not _NUMBER.fullmatch(text):
        shown = text if len(text) <= 40 else text[:37] + "..."
        raise NumberError(f"'{shown}' is not an exact number", remedy="write 12, 0.25 or 1/3")
    if text.endswith("/" + "0" * (len(text) - text.find("/") - 1)) and "/" in text:
        raise NumberError(f"'{text}' divides by zero", remedy="give a denominator of at least 1")
    return Fraction(text)


def notation_of(text: str) -> Notation:
    """The notation that a number is written in.

    >>> notation_of("12"), notation_of("0.10"), notation_of("1/10")
    ('integer', 'decimal', 'rational')
    """
    if "/" in text:
        return "rational"
    return "decimal" if any(mark in text for mark in ".eE") else "integer"


def decimal_places(value: Fraction) -> int | None:
    """The least number of decimal places that write `value` exactly; None if no number of them does.

    >>> decimal_places(Fraction(1, 8)), decimal_places(Fraction(3)), decimal_places(Fraction(1, 3))
    (3, 0, None)
    """
    rest, twos, fives = value.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return max(twos, fives) if rest == 1 else None


def write_number(value: Fraction, notation: Notation, places: int = 0) -> str:
    """The one text of `value` in a notation; decimals have exactly `places` places.

    Raises NumberError if the notation cannot write the value exactly.

    >>> write_number(Fraction(1, 4), "decimal", 3), write_number(Fraction(2, 8), "rational")
    ('0.250', '1/4')
    """
    if notation == "rational":
        return str(value)
    scaled = value * 10**places if notation == "decimal" else value
    if scaled.denominator != 1:
        raise NumberError(f"{value} cannot be written exactly as {notation} with {places} places")
    if notation == "integer" or places == 0:
        return str(scaled.numerator)
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    sign = "-" if scaled.numerator < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def common_denominator(values: "list[Fraction] | tuple[Fraction, ...]") -> int:
    """The least d such that d * v is an integer for every v in `values` (1 for none).

    >>> common_denominator([Fraction(1, 4), Fraction(1, 6)])
    12
    """
    return lcm(*(value.denominator for value in values))


def integers(values: object, bound: int) -> Integers:
    """An array of int64 where every intermediate is proved to stay below `bound` < 2**63 in absolute
    value, else an array of Python integers: slower, and never wrong.

    >>> integers([1, 2], 10).dtype, integers([1, 2], 2**80).dtype
    (dtype('int64'), dtype('O'))
    """
    if bound < INT64_BOUND:
        return np.asarray(values, dtype=np.int64)
    return np.asarray(values, dtype=np.object_)


def magnitude(values: Integers) -> int:
    """The largest absolute value in an array, 0 in an empty one, as a Python integer.

    >>> magnitude(np.array([3, -(2**63)])) == 2**63
    True
    """
    # Not abs(values).max(): the absolute value of -2**63 is no int64.
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def lowest_terms(numerators: Integers, denominators: Integers) -> tuple[Integers, Integers]:
    """The same rationals, elementwise, with numerator and denominator coprime.

    Both arrays have one shape; denominators are positive.

    >>> n, d = lowest_terms(np.array([2, 0]), np.array([8, 5]))
    >>> n.tolist(), d.tolist()
    ([1, 0], [4, 1])
    """
    if np.object_ in (numerators.dtype, denominators.dtype):
        divisors = np.frompyfunc(gcd, 2, 1)(numerators, denominators)
    else:
        divisors = np.gcd(numerators, denominators)
    return numerators // divisors, denominators // divisors


def nearest_doubles(numerators: Integers, denominators: Integers) -> NDArray[np.float64]:
    """The double nearest to each n/d, ties to even.

    This is the only place where a gold value becomes a float, and nothing reads it back. Integers up to
    2**53 are doubles, and IEEE 754 rounds the quotient of two doubles once, to the nearest. Larger ones
    are divided by Python, which rounds once whatever their size.

    >>> nearest_doubles(np.array([1]), np.array([3])).tolist()
    [0.3333333333333333]
    """
    if np.object_ not in (numerators.dtype, denominators.dtype) and all(
        part.min(initial=0) >= -DOUBLE_BOUND and part.max(initial=0) <= DOUBLE_BOUND
        for part in (numerators, denominators)
    ):
        return np.asarray(numerators / denominators, dtype=np.float64)
    pairs = zip(numerators.tolist(), denominators.tolist(), strict=True)
    return np.array([top / bottom for top, bottom in pairs], dtype=np.float64)
