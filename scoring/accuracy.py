"""How far reported masses p are from the exact probabilities q, in fractions."""

from collections.abc import Sequence
from fractions import Fraction


def total_variation(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """TV(p, q) = 1/2 sum_k |p_k - q_k|: the masses as reported, not normalised.

    Between 0 and 1 for two distributions; ValueError if p and q differ in length.

    >>> total_variation((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 3), Fraction(2, 3)))
    Fraction(1, 6)
    """
    return sum((abs(a - b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2


def expected_brier(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """sum_y q_y sum_k (p_k - [k = y])^2: the multiclass Brier score, a sum over all coordinates,
    expected under q.

    Expanding the square gives sum_k p_k^2 - 2 sum_k p_k q_k + 1 where q sums to 1, which is what is
    computed. It lies in [0, 2] for distributions, and p = q makes it least. ValueError if p and q
    differ in length.

    >>> expected_brier((Fraction(1), Fraction(0)), (Fraction(3, 4), Fraction(1, 4)))
    Fraction(1, 2)
    """
    return sum((a * (a - 2 * b) for a, b in zip(p, q, strict=True)), Fraction(1))
