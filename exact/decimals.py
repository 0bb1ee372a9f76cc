"""The posterior of a table in 70-digit decimals, the prior normalised before the evidence.

It shares no code with `exact.posterior` and `exact.odds`: other arithmetic, another order of operations. Of
two paths that differ by more than 1e-15 in any cell, one is wrong.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DIGITS = 70
AGREEMENT = Decimal("1e-15")

_context = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN)


def decimal_of(number: Fraction) -> Decimal:
    """The decimal of 70 digits that is nearest to a number.

    >>> str(decimal_of(Fraction(1, 3)))[:6]
    '0.3333'
    """
    return _context.divide(Decimal(number.numerator), Decimal(number.denominator))


def decimal_posterior(counts: Sequence[Decimal], likelihoods: Sequence[Decimal]) -> list[Decimal] | None:
    """The posterior of one table; None without mass.

    >>> one, three, half = (decimal_of(Fraction(number)) for number in ("1", "3", "1/2"))
    >>> [str(mass)[:8] for mass in decimal_posterior((one, three), (half, half))]
    ['0.25', '0.75']
    """
    divide, multiply, add = _context.divide, _context.multiply, _context.add
    total = Decimal(0)
    for count in counts:
        total = add(total, count)
    if not total:
        return None
    joint = []
    evidence = Decimal(0)
    for count, likelihood in zip(counts, likelihoods, strict=True):
        mass = multiply(divide(count, total), likelihood)
        joint.append(mass)
        evidence = add(evidence, mass)
    return [divide(mass, evidence) for mass in joint] if evidence else None


def weights_of(masses: Sequence[Decimal]) -> list[int]:
    """Integers in the ratios of some decimals of at most 70 digits, of which one is positive.

    A decimal whose first digit counts 10**a ends at 10**(a - 69) or before, so the least of the first digits
    says by which power of ten all become whole: nothing is rounded.

    >>> [weight // 10**69 for weight in weights_of((Decimal("0.2"), Decimal(0), Decimal("0.8")))]
    [2, 0, 8]
    """
    shift = DIGITS - 1 - min(mass.adjusted() for mass in masses if mass)
    return [int(_context.scaleb(mass, shift)) for mass in masses]
