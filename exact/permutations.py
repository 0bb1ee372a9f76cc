"""Permutations by rank, derangements, and distinct values drawn one by one: exact and in batches."""

from collections.abc import Callable
from math import factorial

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.domains import Codes
from worldgen.exact.errors import DomainError
from worldgen.exact.streams import Indices, Stream


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


def derangements(
    streams: Callable[[str], Stream], purpose: str, indices: Indices, width: int
) -> NDArray[np.int64]:
    """A uniform permutation of 0 .. width - 1 that keeps no place, for each index, (n, width).

    It is the first such one of the permutations that Fisher and Yates give with attempt 0, 1, ...: uniform,
    because each is, and soon there, because a third of all or more keep no place. `streams` gives the stream
    of a purpose. Raises DomainError for a width below 2.

    >>> derangements(lambda name: Stream.named(7, name), "deck", np.arange(3), 4).tolist()
    [[2, 3, 1, 0], [1, 0, 3, 2], [2, 0, 3, 1]]
    """
    if width < 2:
        raise DomainError(f"{width} places cannot all be left")
    found = np.empty((len(indices), width), dtype=np.int64)
    left, attempt = np.arange(len(indices)), 0
    while len(left):
        drawn = np.tile(np.arange(width), (len(left), 1))
        rows = np.arange(len(left))
        for place in range(width - 1, 0, -1):
            other = streams(f"{purpose} {place}").below(indices[left], attempt, place + 1)
            other = np.asarray(other, dtype=np.int64)
            drawn[rows, place], drawn[rows, other] = drawn[rows, other], drawn[rows, place]
        moved = (drawn != np.arange(width)).all(axis=1)
        found[left[moved]] = drawn[moved]
        left, attempt = left[~moved], attempt + 1
    return found
