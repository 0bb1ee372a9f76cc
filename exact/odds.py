"""Bayes' rule in odds: the check of a posterior that never forms the total it was divided by.

Of two cells, the odds after the evidence are the odds before it times the ratio of their likelihoods. A
distribution that keeps this between its likeliest cell and each other cell is the posterior, and no other is.
"""

from math import prod

import numpy as np

from worldgen.exact.distributions import Posteriors
from worldgen.exact.numbers import Integers, integers, magnitude


def unconfirmed(found: Posteriors, counts: Integers, tops: Integers, bottoms: Integers) -> list[int]:
    """The rows that are not the posterior of their table: counts w and likelihoods l = tops / bottoms, all
    (n, K), none negative, bottoms positive.

    Let a row be t_1, ..., t_K over b, and r its likeliest cell. It stands where the t sum to b, t_r and
    w_r l_r are positive, and t_i (w_r l_r) = t_r (w_i l_i) for every cell i: then t_i = c w_i l_i with one
    c = t_r / (w_r l_r) > 0, so t_i / b = w_i l_i / sum_j w_j l_j. The posterior has all this. Multiplied out,
    nothing is above the product of the largest of each factor and K: int64 where that is below 2**63.

    >>> from worldgen.exact.events import Atoms
    >>> two = Posteriors(Atoms(("a", "b")), np.array([[1, 3], [2, 2]]), np.array([4, 4]))
    >>> unconfirmed(two, np.array([[5, 5]] * 2), np.array([[1, 1]] * 2), np.array([[6, 2]] * 2))
    [1]
    """
    parts = (found.numerators, found.denominators, counts, tops, bottoms)
    # Of magnitudes, for a fault may have made any of them negative.
    bound = len(found.atoms) * prod(max(1, magnitude(part)) for part in parts) + 1
    masses, wholes, counts, tops, bottoms = (integers(part, bound) for part in parts)
    rows, likeliest = np.arange(len(found)), masses.argmax(axis=1)
    mass, count, top, bottom = (part[rows, likeliest] for part in (masses, counts, tops, bottoms))
    weight = count * top
    right = np.asarray((masses.sum(axis=1) == wholes) & (mass > 0) & (weight > 0), dtype=np.bool_)
    for i in range(len(found.atoms)):
        after, before = masses[:, i] * weight * bottoms[:, i], mass * counts[:, i] * tops[:, i] * bottom
        right &= np.asarray(after == before, dtype=np.bool_)
    return np.flatnonzero(~right).tolist()
