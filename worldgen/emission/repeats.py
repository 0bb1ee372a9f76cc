"""Roots that show what an earlier root of the cohort shows already, told by their semantic digests."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from worldgen.exact import arrow
from worldgen.exact.pools import take, text_bytes

Openings = NDArray[np.uint64]


def openings_of(digests: arrow.Array) -> Openings:
    """The first 64 bits of each digest, which are its first 16 hexadecimal digits. Raises ValueError for a
    text that has fewer.

    >>> openings_of(arrow.strings(["00000000000000ff" + "0" * 48])).tolist()
    [255]
    """
    data, offsets = text_bytes(digests)
    if (np.diff(offsets) < 16).any():
        raise ValueError("a semantic digest has fewer than 16 digits")
    marks = data[offsets[:-1, None] + np.arange(16)].astype(np.uint64)
    digits = np.where(marks > ord("9"), marks - np.uint64(ord("a") - 10), marks - np.uint64(ord("0")))
    powers = np.array([16**place for place in reversed(range(16))], dtype=np.uint64)
    opened: Openings = digits @ powers
    return opened


def repeated_roots(openings: Sequence[Openings], digests: Callable[[int], arrow.Array]) -> int:
    """How many roots have the digest of an earlier one, given the openings of every shard.

    Eight bytes a root are held: digests that differ in their first 64 bits differ, and only shards with an
    opening that occurs twice are asked for theirs whole, which is what `digests` reads, by position.

    >>> shards = [arrow.strings([mark * 64 for mark in marks]) for marks in ("ab", "cd", "ca")]
    >>> repeated_roots([openings_of(each) for each in shards], shards.__getitem__)
    2
    """
    ordered = np.concatenate(openings) if openings else np.zeros(0, dtype=np.uint64)
    ordered.sort()
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    alike: Counter[str] = Counter()
    for shard, opened in enumerate(openings):
        places = np.flatnonzero(np.isin(opened, twice))
        if len(places):
            alike.update(take(digests(shard), places).to_pylist())
    return sum(count - 1 for count in alike.values())
