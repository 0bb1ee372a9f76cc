"""Natural logarithms that are the same everywhere: to 30 decimal places, as integers.

Binary logarithms differ in their last bit between C libraries. `decimal` rounds ln correctly at any
precision, so these do not; what is computed from them is exact but for half a unit of the 30th place.
"""

from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from functools import lru_cache

PLACES = 30
UNIT = 10**PLACES

# Of parts below 10**(10**20), logarithms have at most 21 digits before the point: 60 hold 39 places or more.
_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)


@lru_cache(maxsize=2**16)
def scaled_ln(top: int, bottom: int) -> int:
    """ln(top / bottom) in units of 10**-30, rounded to the nearest; ValueError unless both are positive.

    >>> scaled_ln(1, 1), scaled_ln(1, 2)
    (0, -693147180559945309417232121458)
    """
    if top <= 0 or bottom <= 0:
        raise ValueError(f"the logarithm of {top}/{bottom} is not a number")
    difference = _CONTEXT.subtract(_ln(top), _ln(bottom))
    return int(_CONTEXT.scaleb(difference, PLACES).to_integral_value(ROUND_HALF_EVEN))


@lru_cache(maxsize=2**16)
def _ln(number: int) -> Decimal:
    return _CONTEXT.ln(Decimal(number))


def ln(value: Fraction) -> Fraction:
    """The natural logarithm of value to 30 decimal places; ValueError unless it is positive.

    >>> float(ln(Fraction(1, 2)))
    -0.6931471805599453
    """
    return Fraction(scaled_ln(value.numerator, value.denominator), UNIT)
