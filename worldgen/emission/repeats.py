"""Roots that show what an earlier root of the cohort shows already, told by their semantic digests."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from worldgen.exact import arrow
from worldgen.exact.arrow import byte_lengths
from worldgen.exact.pools import kept, take, text_bytes

Openings = NDArray[np.uint64]
DIGITS = 64
_VALUES = np.zeros(256, dtype=np.uint8)  # what is no digit is forged, and counts as 0
_VALUES[list(b"0123456789abcdef")] = np.arange(16)

_SORTED = 2**25  # how many are sorted at once


def openings_of(digests: arrow.Array) -> Openings:
    """The first 64 bits of each digest, which are its first 16 hexadecimal digits. Raises ValueError for a
    text that has fewer.

    >>> openings_of(arrow.strings(["00000000000000ff" + "0" * 48])).tolist()
    [255]
    """
    data, offsets = text_bytes(digests)
    if (np.diff(offsets) < 16).any():
        raise ValueError("a semantic digest has fewer than 16 digits")
    digits = _VALUES[data[offsets[:-1, None] + np.arange(16)]]
    octets = digits[:, 0::2] << 4 | digits[:, 1::2]
    opened: Openings = octets.reshape(-1).view(">u8").astype(np.uint64)
    return opened


def repeated_roots(openings: Sequence[Openings], digests: Callable[[int], arrow.Array]) -> int:
    """How many roots have the digest of an earlier one, given the openings of every shard.

    Digests that differ in their first 64 bits differ, and only shards with an opening that occurs twice are
    asked for theirs whole, which is what `digests` reads, by position. Beside the openings are held a part of
    them, by value, and a digest for each that occurs twice.

    >>> shards = [arrow.strings([mark * 64 for mark in marks]) for marks in ("ab", "cd", "ca")]
    >>> repeated_roots([openings_of(each) for each in shards], shards.__getitem__)
    2
    """
    parts = 1 + sum(map(len, openings)) // _SORTED
    twice = np.concatenate([_twice(openings, part, parts) for part in range(parts)])
    first = np.zeros((len(twice), DIGITS), dtype=np.uint8)  # a digest with each opening, once there is one
    met = np.zeros(len(twice), dtype=np.bool_)
    repeated, others = 0, Counter[str]()
    for shard, opened in enumerate(openings):
        places = np.flatnonzero(np.isin(opened, twice))
        if not len(places):
            continue
        texts = take(digests(shard), places)
        sound = byte_lengths(texts) == DIGITS
        group, whole = np.searchsorted(twice, opened[places][sound]), _matrix(kept(texts, sound))
        new, rows = np.unique(group, return_index=True)
        rows, new = rows[~met[new]], new[~met[new]]
        first[new], met[new] = whole[rows], True
        equal = (whole == first[group]).all(axis=1)
        repeated += int(equal.sum()) - len(new)
        sound[sound] = equal
        others.update(take(texts, np.flatnonzero(~sound)).to_pylist())  # seldom more than none
    return repeated + sum(count - 1 for count in others.values())


def _matrix(digests: arrow.Array) -> NDArray[np.uint8]:
    """The digits of digests, (n, 64)."""
    return text_bytes(digests)[0].reshape(len(digests), DIGITS)


def _twice(openings: Sequence[Openings], part: int, parts: int) -> Openings:
    """The openings that occur more than once, of one of equal parts of all that there can be."""
    low, high = 2**64 * part // parts, 2**64 * (part + 1) // parts - 1
    found = [each[(each >= np.uint64(low)) & (each <= np.uint64(high))] for each in openings]
    ordered = np.concatenate([*found, np.zeros(0, dtype=np.uint64)])
    ordered.sort()
    return np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
