"""The area under the ROC curve with ties counted as halves, for weighted rows, exactly and in replicates."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from worldgen.scoring.figures.bootstrap import Doubles
from worldgen.scoring.figures.columns import Mask


def dense_ranks(values: Sequence[Fraction]) -> NDArray[np.int64]:
    """The place of each value among the distinct values, ascending from 0: equal exactly where they are.

    Fractions are ordered as integers: with denominators up to d two that differ do so by 1 / d**2 or more,
    and so do their multiples by 2**k >= d**2 rounded down, by 1 or more.

    >>> dense_ranks([Fraction(1, 2), Fraction(1, 3), Fraction(2, 4)]).tolist()
    [1, 0, 1]
    """
    shift = 2 * max((value.denominator for value in values), default=1).bit_length()
    keys = [(value.numerator << shift) // value.denominator for value in values]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([places[key] for key in keys], dtype=np.int64)


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


def tied_blocks(ranks: NDArray[np.int64]) -> list[list[int]]:
    """The places of each rank, ranks ascending.

    >>> tied_blocks(np.array([1, 0, 1]))
    [[1], [0, 2]]
    """
    order = np.argsort(ranks, kind="stable")
    ends = np.flatnonzero(np.diff(ranks[order])) + 1
    return [block.tolist() for block in np.split(order, ends) if len(block)]


def auroc_replicates(ranks: NDArray[np.int64], positives: Sequence[Mask], weights: Doubles) -> Doubles:
    """(B, P) the same for B columns of weights (n, B) that are doubles and each of P classings, NaN where one
    class has no weight.

    Rows are added one after the other, so that sums round the same everywhere.
    """
    found = np.empty((weights.shape[1], len(positives)))
    blocks = tied_blocks(ranks)
    for place, positive in enumerate(positives):
        right = positive.tolist()
        doubled, below, above = (np.zeros(weights.shape[1]) for _ in range(3))
        for block in blocks:
            up, down = ([i for i in block if right[i] == side] for side in (True, False))
            passed = below + below
            for i in down:
                below += weights[i]
                passed += weights[i]
            if up:
                tied = _added(weights, up)
                above += tied
                doubled += tied * passed
        with np.errstate(invalid="ignore"):
            found[:, place] = doubled / (2 * above * below)
    return found


def _added(weights: Doubles, places: Sequence[int]) -> Doubles:
    total: Doubles = weights[places[0]].copy()
    for i in places[1:]:
        total += weights[i]
    return total
