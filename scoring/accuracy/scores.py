"""How far reported masses p are from the exact probabilities q: the scores of one report, in fractions.

These are the definitions. `scoring.accuracy.kernels` computes the same for whole panels in integers.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import inf

from worldgen.scoring.figures.logs import ln

CLIP = (Fraction(1, 1000), Fraction(999, 1000))
"""The ends to which `clipped_divergence` moves reported masses."""


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


def expected_log_loss(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction | float:
    """-sum_y q_y ln p_y in nats, nothing smoothed: infinite exactly where some q_y > 0 has p_y = 0.

    That is decided before any logarithm is taken. An option of q_y = 0 adds nothing, whatever p_y.
    Logarithms are taken to 30 decimal places. ValueError if p and q differ in length.

    >>> expected_log_loss((Fraction(1), Fraction(0)), (Fraction(3, 4), Fraction(1, 4)))
    inf
    >>> expected_log_loss((Fraction(1), Fraction(0)), (Fraction(1), Fraction(0)))
    Fraction(0, 1)
    """
    if any(b > 0 and a == 0 for a, b in zip(p, q, strict=True)):
        return inf
    return -sum((b * ln(a) for a, b in zip(p, q, strict=True) if b > 0), Fraction(0))


def clipped_divergence(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """KL(q || p') = sum_k q_k ln(q_k / p'_k) in nats, where p' moves every reported mass into [0.001, 0.999]
    and does not normalise: finite for every report. An option of q_k = 0 adds nothing.

    Because p' may sum to more or less than 1 it can be slightly negative. ValueError if p and q differ in
    length.

    >>> half = Fraction(1, 2)
    >>> clipped_divergence((half, half), (half, half))
    Fraction(0, 1)
    """
    low, high = CLIP
    pairs = [(min(max(a, low), high), b) for a, b in zip(p, q, strict=True)]
    return sum((b * (ln(b) - ln(a)) for a, b in pairs if b > 0), Fraction(0))


def ranked_probability_score(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """The ranked probability score of ordered options, expected under q and divided by K - 1:
    1/(K - 1) sum over k < K of F_k^2 - 2 F_k G_k + G_k, with F and G the running sums of p and q.

    For one outcome y, G_k = [y <= k], it is the mean of (F_k - [y <= k])^2, in [0, 1]. ValueError for fewer
    than two options, or if p and q differ in length.

    >>> low, high = (Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(0), Fraction(1))
    >>> ranked_probability_score(low, high)
    Fraction(1, 1)
    """
    if len(p) < 2:
        raise ValueError("an ordered answer has at least two options")
    runs = list(zip(accumulate(p), accumulate(q), strict=True))
    if len(p) != len(q):
        raise ValueError("p and q differ in length")
    return sum((f * f - 2 * f * g + g for f, g in runs[:-1]), Fraction(0)) / (len(p) - 1)
