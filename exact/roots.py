"""Roots of integers and rationals, exact where there is one and to a stated number of places elsewhere."""

from fractions import Fraction


def integer_root(number: int, degree: int) -> int:
    """The greatest r >= 0 with r**degree <= number. ValueError for a number below 0 or a degree below 1.

    >>> integer_root(26, 3), integer_root(27, 3)
    (2, 3)
    """
    if number < 0 or degree < 1:
        raise ValueError(f"there is no root of degree {degree} of {number}")
    low, high = 0, 1 << -(-number.bit_length() // degree)  # high**degree >= 2**bits > number, or number is 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


def rational_root(value: Fraction, degree: int) -> Fraction | None:
    """The rational root of this degree of a value >= 0, None if there is none: in lowest terms both parts
    must have an integer root.

    >>> rational_root(Fraction(4, 9), 2), rational_root(Fraction(1, 2), 2)
    (Fraction(2, 3), None)
    """
    top, bottom = (integer_root(part, degree) for part in (value.numerator, value.denominator))
    return Fraction(top, bottom) if Fraction(top, bottom) ** degree == value else None


def nearest_root(value: Fraction, degree: int, places: int) -> Fraction:
    """The root where it is rational, else the multiple of 10**-places that is nearest to it.

    No irrational number lies halfway between two of them, so there is no tie.

    >>> nearest_root(Fraction(8, 27), 3, 2), nearest_root(Fraction(1, 2), 2, 4)
    (Fraction(2, 3), Fraction(7071, 10000))
    """
    exact = rational_root(value, degree)
    if exact is not None:
        return exact
    halves = integer_root(value.numerator * (2 * 10**places) ** degree // value.denominator, degree)
    return Fraction((halves + 1) // 2, 10**places)
