"""The second path to a posterior: 70-digit decimals, the prior normalised before the evidence.

It shares no code with `exact.posterior`: other arithmetic, another order of operations. A table is
admitted only where both paths agree within 1e-15 in every cell, so a slip in either is seen.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DIGITS = 70
AGREEMENT = Decimal("1e-15")

_context = Context(prec=DIGITS, rounding=ROUND_HALF_EVEN)


def decimal_posterior(counts: Sequence[int], likelihoods: Sequence[Fraction]) -> list[Decimal] | None:
    """The posterior of one table; None without mass.

    >>> [str(mass)[:8] for mass in decimal_posterior((1, 3), (Fraction(1, 2), Fraction(1, 2)))]
    ['0.25', '0.75']
    """
    divide, multiply, add = _context.divide, _context.multiply, _context.add
    total = Decimal(0)
    for count in counts:
        total = add(total, Decimal(count))
    if not total:
        return None
    joint = []
    evidence = Decimal(0)
    for count, likelihood in zip(counts, likelihoods, strict=True):
        prior = divide(Decimal(count), total)
        chance = divide(Decimal(likelihood.numerator), Decimal(likelihood.denominator))
        mass = multiply(prior, chance)
        joint.append(mass)
        evidence = add(evidence, mass)
    return [divide(mass, evidence) for mass in joint] if evidence else None


def agrees(decimals: Sequence[Decimal], numerators: Sequence[int], denominator: int) -> bool:
    """Whether each decimal lies within 1e-15 of numerators[i] / denominator.

    >>> agrees([Decimal("0.25"), Decimal("0.75")], (1, 3), 4)
    True
    """
    whole = Decimal(denominator)
    return all(
        _context.subtract(mass, _context.divide(Decimal(numerator), whole)).copy_abs() <= AGREEMENT
        for mass, numerator in zip(decimals, numerators, strict=True)
    )
