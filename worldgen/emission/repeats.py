"""Roots that show what an earlier root of the cohort shows already, told by their semantic digests.

Two digests are taken for one where their first 128 bits agree. Of a billion roots that all differ, the chance
that any two agree so is below 2**-69: there are fewer than 2**59 pairs, and each agrees once in 2**128.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worldgen.exact import arrow
from worldgen.exact.pools import text_bytes

Openings = NDArray[np.uint64]

_DIGITS = 32
_VALUES = np.zeros(256, dtype=np.uint8)  # what is no digit is forged, and counts as 0
_VALUES[list(b"0123456789abcdef")] = np.arange(16)

_SORTED, _PARTS = 2**18, 64  # so many are sorted at once, in at most so many parts of all


def openings_of(digests: arrow.Array) -> Openings:
    """The first 128 bits of each of n digests, which are its first 32 hexadecimal digits, as two words a
    digest, (n, 2). Raises ValueError for a text that has fewer.

    >>> openings_of(arrow.strings(["00000000000000ff" + "0" * 48])).tolist()
    [[255, 0]]
    """
    data, offsets = text_bytes(digests)
    if (np.diff(offsets) < _DIGITS).any():
        raise ValueError(f"a semantic digest has fewer than {_DIGITS} digits")
    digits = np.take(_VALUES, data[offsets[:-1, None] + np.arange(_DIGITS)])
    octets = digits[:, 0::2] << 4 | digits[:, 1::2]
    opened: Openings = octets.view(">u8").astype(np.uint64)
    return opened


def repeated_roots(openings: Sequence[Openings]) -> int:
    """How many roots have the opening of an earlier one, given the openings of every shard. Beside these, a
    part of them is held, by value.

    >>> shards = [arrow.strings([mark * 64 for mark in marks]) for marks in ("ab", "cd", "ca")]
    >>> repeated_roots([openings_of(each) for each in shards])
    2
    """
    parts = min(1 + sum(map(len, openings)) // _SORTED, _PARTS)
    return sum(_repeated(_part(openings, part, parts)) for part in range(parts))


def _part(openings: Sequence[Openings], part: int, parts: int) -> Openings:
    """Those that begin with one of equal parts of all words."""
    nothing = np.zeros((0, 2), dtype=np.uint64)
    low, high = np.uint64(2**64 * part // parts), np.uint64(2**64 * (part + 1) // parts - 1)
    return np.concatenate([nothing, *(each[(low <= each[:, 0]) & (each[:, 0] <= high)] for each in openings)])


def _repeated(openings: Openings) -> int:
    """How many are in a row with another before them, once they are sorted."""
    first, second = openings.T
    order = np.argsort(first)
    again, alike = (np.diff(word[order]) == 0 for word in (first, second))
    if (again & ~alike).any():  # words that agree lie in no order of what follows them
        order = np.lexsort((second, first))
        again, alike = (np.diff(word[order]) == 0 for word in (first, second))
    return int((again & alike).sum())
