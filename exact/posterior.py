"""The posterior of a table of cells, in integers. Its independent twin is `exact.decimals`.

Cell i has an integer prior count w_i and a rational likelihood l_i in [0, 1]; given the evidence, its
mass is w_i l_i / sum_j w_j l_j.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.distributions import Distribution, Posteriors
from worldgen.exact.events import Atoms
from worldgen.exact.numbers import Integers, integers


def posterior(atoms: Atoms, counts: Sequence[int], likelihoods: Sequence[Fraction]) -> Distribution:
    """The posterior of one table. Raises ZeroMassError when no cell has positive mass.

    >>> atoms = Atoms(("0", "1", "2", "3"))
    >>> half = Fraction(1, 2)
    >>> q = posterior(atoms, (67, 85, 9, 79), (half, Fraction(9, 10), Fraction(1), half))
    >>> q.probability(atoms.event([0, 1]))
    Fraction(220, 317)
    """
    pairs = zip(counts, likelihoods, strict=True)
    return Distribution.of(atoms, [count * likelihood for count, likelihood in pairs])


def posteriors(
    atoms: Atoms, counts: Integers, likelihoods: Integers, largest: int
) -> tuple[Posteriors, NDArray[np.bool_]]:
    """The posteriors of n tables, and which of them have positive mass.

    `counts` and `likelihoods` are (n, K), the likelihoods scaled by one common denominator; `largest`
    bounds every count, every likelihood and every product of the two. A row's total is at most
    K * largest, so int64 is proved where that is below 2**63. A row without mass reads
    (1, 0, ..., 0) / 1 and is marked False.
    """
    bound = len(atoms) * largest + 1
    weights = integers(counts, bound) * integers(likelihoods, bound)
    totals = weights.sum(axis=1, dtype=weights.dtype)
    positive: NDArray[np.bool_] = np.asarray(totals > 0, dtype=np.bool_)
    if not positive.all():
        weights[~positive] = [1] + [0] * (len(atoms) - 1)
        totals[~positive] = 1
    return Posteriors(atoms, weights, totals), positive
