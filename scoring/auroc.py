"""The area under the ROC curve with ties counted as halves, for weighted rows, exactly and in replicates."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from worldgen.scoring.bootstrap import Doubles
from worldgen.scoring.columns import Mask


def dense_ranks(values: Sequence[Fraction]) -> NDArray[np.int64]:
    """The place of each value among the distinct values, ascending from 0: equal exactly where they are.

    >>> dense_ranks([Fraction(1, 2), Fraction(1, 3), Fraction(2, 4)]).tolist()
    [1, 0, 1]
    """
    places = {value: place for place, value in enumerate(sorted(set(values)))}
    return np.array([places[value] for value in values], dtype=np.int64)


def auroc(ranks: Sequence[int], positive: Sequence[bool], weights: Sequence[int]) -> Fraction | None:
    """The chance that a positive row ranks above a negative one, a tie counting half: the sum over pairs of a
    positive row i and a negative row j of w_i w_j ([r_i > r_j] + [r_i = r_j] / 2), over the sum of w_i w_j.

    `weights` are whole numbers >= 0. Doubled, the sum is an integer: a positive row counts the negative
    weight below its rank twice and the weight at its rank once. None where one class has no weight.

    >>> auroc([0, 1, 2, 2], [True, False, False, True], [1, 1, 1, 1])
    Fraction(3, 8)
    """
    doubled = below = above = 0
    rows = sorted(zip(ranks, positive, weights, strict=True))
    for _, tied in groupby(rows, key=lambda row: row[0]):
        block = list(tied)
        up = sum(weight for _, right, weight in block if right)
        down = sum(weight for _, right, weight in block if not right)
        doubled += up * (2 * below + down)
        above, below = above + up, below + down
    return Fraction(doubled, 2 * above * below) if above and below else None


def auroc_replicates(ranks: NDArray[np.int64], positives: Sequence[Mask], weights: Doubles) -> Doubles:
    """(B, P) the same for weights (B, n) that are doubles and each of P classings, NaN where one class has no
    weight.

    Sums run along the rows one after the other, so that they round the same everywhere.
    """
    order = np.argsort(ranks, kind="stable")
    found = np.full((len(weights), len(positives)), np.nan)
    if not len(order):
        return found
    ends = np.append(np.flatnonzero(np.diff(ranks[order])), len(order) - 1)
    ordered = np.take(weights, order, axis=1)
    for place, positive in enumerate(positives):
        ups, downs = (
            np.take(np.cumsum(ordered * side[order], axis=1), ends, axis=1) for side in (positive, ~positive)
        )
        twice = downs.copy()  # the negative weight up to each rank, and below it
        twice[:, 1:] += downs[:, :-1]
        doubled = np.cumsum(np.diff(ups, axis=1, prepend=0.0) * twice, axis=1)[:, -1]
        with np.errstate(invalid="ignore"):
            found[:, place] = doubled / (2 * ups[:, -1] * downs[:, -1])
    return found
