"""Masses from natural log-probabilities, and the mass that the answers held before normalising.

A model that is read out without a body gives a log-probability l_i to each answer id, and usually gives
some probability to texts that are no answer. With e_i = exp(l_i),

    held mass = sum_i e_i,    mass of answer i = e_i / held mass.

exp is taken of the decimal as written and rounded once, correctly, to 40 significant digits, half to even:
one number on every machine. From there on everything is a ratio of integers, so that the masses sum to
exactly 1. The text -inf (or -Infinity) is log 0, and its mass is 0. No other log-probability may be below
-10,000, which is 10**-4343: such numbers stand for "never" in some systems, and say so better as -inf.
"""

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Literal, cast

from worldgen.exact.numbers import LONGEST_NUMBER
from worldgen.scoring.reports.jsontext import DECIMAL

DIGITS = 40
LEAST = Decimal(-10_000)

Scaled = tuple[int, int]
"""(n, k) for n / 10**k."""

_NEVER = ("-inf", "-Infinity")
# Its own context, because the ambient one belongs to the caller; exp(LEAST) is far from its least exponent.
_CONTEXT = Context(DIGITS, ROUND_HALF_EVEN, Emin=-9999, Emax=9999, clamp=0, traps=[InvalidOperation])


@lru_cache(maxsize=2**12)
def exp(text: str) -> Scaled | Literal["non-numeric", "out of range"]:
    """The exponential of a log-probability as written, or what is wrong with it: "out of range" if it is
    above 0, below -10,000, or written with more than three digits of exponent or more than 1,000 characters.

    >>> exp("0"), exp("-inf"), exp("0.1"), exp("nan")
    ((1, 0), (0, 0), 'out of range', 'non-numeric')
    >>> exp("-1")  # 1 / e
    (3678794411714423215955237701614608674458, 40)
    """
    if text in _NEVER:
        return 0, 0
    written = DECIMAL.fullmatch(text)
    if written is None:
        return "non-numeric"
    if len(text) > LONGEST_NUMBER or len(written["exponent"] or "") > 3:
        return "out of range"
    value = Decimal(text)
    if not LEAST <= value <= 0:
        return "out of range"
    found = _CONTEXT.exp(value)
    places = -cast(int, found.as_tuple().exponent)  # it is finite, and at most 1
    return int(found.scaleb(places, _CONTEXT)), places


def normalise(exps: Sequence[Scaled]) -> tuple[tuple[Fraction, ...], Fraction]:
    """The masses e_i / held that sum to exactly 1, and the held mass, sum_i e_i; no masses where it is 0.

    >>> normalise([(3, 1), (1, 1)])
    ((Fraction(3, 4), Fraction(1, 4)), Fraction(2, 5))
    """
    places = max(k for _, k in exps)
    tops = [n * 10 ** (places - k) for n, k in exps]
    total = sum(tops)
    return tuple(Fraction(top, total) for top in tops if total), Fraction(total, 10**places)
