"""Permutations by rank, and distinct values drawn one after the other: exact and in batches."""

from math import factorial

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.domains import Codes
from worldgen.exact.streams import Stream


def permutations(ranks: Codes, width: int) -> NDArray[np.int64]:
    """The permutations of 0 .. width - 1 at lexicographic ranks, (n, width); rank 0 is the identity.

    >>> permutations(np.array([0, 1, 5]), 3).tolist()
    [[0, 1, 2], [0, 2, 1], [2, 1, 0]]
    """
    left = np.tile(np.arange(width), (len(ranks), 1))
    placed = np.empty_like(left)
    rows = np.arange(len(ranks))
    for place in range(width):
        block = factorial(width - 1 - place)
        picks = np.asarray(ranks // block, dtype=np.int64)
        ranks = ranks % block
        placed[:, place] = left[rows, picks]
        kept = np.arange(left.shape[1]) != picks[:, None]
        left = left[kept].reshape(len(left), -1)
    return placed


def distinct(stream: Stream, attempt: int, size: int, count: int) -> list[int]:
    """`count` different values of 0 .. size - 1, in the order drawn, every such list equally likely.

    The k-th is drawn by word k of the stream among those that are left. Raises DomainError where there are
    fewer than `count` values.

    >>> distinct(Stream.named(7, "deck"), 0, 5, 5)
    [0, 4, 3, 1, 2]
    """
    sizes = np.arange(size, size - count, -1)
    left, found = list(range(size)), []
    for rank in stream.below(np.arange(count), attempt, sizes).tolist():
        found.append(left.pop(rank))
    return found
