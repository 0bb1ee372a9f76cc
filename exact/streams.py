"""Random words by counter, and exact integers drawn from them.

A stream is keyed by names: (seed, world, stratum, purpose). Its words are those of Philox4x64-10 with
the first 128 bits of SHA-256 over the canonical JSON of the names as key. The word of root i, attempt t
and extension e stands at lane i % 4 of the block with counter (i // 4, t, e, 0): any root can be
redrawn alone, in any order, on any machine.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact import philox
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import INT64_BOUND, Integers, integers
from worldgen.exact.philox import Words

Indices = NDArray[np.int64]
Attempts = int | NDArray[np.int64]  # one for all roots, or one for each

_LANES = 4
# What words cost, counted in words of a run: a run by itself, a call of `philox.words`, a word of that.
_RUN, _CALL, _SINGLE = 2000, 40_000, 21
_BITS = 64
_HALF, _LOW = np.uint64(32), np.uint64(2**32 - 1)


@dataclass(frozen=True)
class Stream:
    """The words of one purpose. Streams with different names are independent.

    >>> Stream.named(7, "urn", "all", "ball").words(np.arange(2)).tolist()
    [13824523217700391542, 13359641009359388013]
    """

    key: int

    @classmethod
    def named(cls, seed: int, *names: str) -> "Stream":
        """The stream of a seed and a path of names."""
        path = rfc8785.dumps([str(seed), *names])
        return cls(int.from_bytes(hashlib.sha256(path).digest()[:16], "little"))

    def words(self, indices: Indices, attempt: Attempts = 0, extension: int = 0) -> Words:
        """The 64-bit words of roots `indices`, in any order, each a uniform integer below 2**64."""
        if not len(indices):
            return np.zeros(0, dtype=np.uint64)
        attempts = np.broadcast_to(np.asarray(attempt, dtype=np.uint64), indices.shape)
        # Indices in a row with one attempt are a run: all blocks from the first of them to the last at once.
        starts = np.zeros(1, dtype=np.int64)
        if not isinstance(attempt, int):
            starts = np.append(starts, np.flatnonzero(attempts[1:] != attempts[:-1]) + 1)
        enough = _CALL + _SINGLE * len(indices)
        if len(starts) * _RUN <= enough:
            firsts, lasts = (end.reduceat(indices, starts) // _LANES for end in (np.minimum, np.maximum))
            counts = (lasts - firsts + 1).tolist()
            if len(starts) * _RUN + _LANES * sum(counts) <= enough:
                spans = zip(firsts.tolist(), counts, attempts[starts].tolist(), strict=True)
                runs = self._runs(spans, extension)
                asked = zip(runs, np.split(indices, starts[1:]), (firsts * _LANES).tolist(), strict=True)
                found = [run[roots - first] for run, roots, first in asked]
                return np.concatenate(found) if len(found) > 1 else found[0]
        blocks, lanes = np.divmod(indices, _LANES)
        return philox.words(self.key, blocks.astype(np.uint64), attempts, extension, lanes)

    def first(self, count: int, attempt: int = 0, extension: int = 0) -> Words:
        """The words of roots 0 ... count - 1: `words` of them without the gathering.

        >>> stream = Stream.named(7, "urn")
        >>> bool((stream.first(9, 2) == stream.words(np.arange(9), 2)).all())
        True
        """
        (found,) = self._runs([(0, -(-count // _LANES), attempt)], extension)
        return found[:count]

    def _runs(self, spans: Iterable[tuple[int, int, int]], extension: int) -> Iterator[Words]:
        """The words of each span of blocks (first, count, attempt): first, ..., first + count - 1."""
        # numpy steps the counter before it makes a block, so that it must stand one below the first. Integers
        # are passed whole: numpy reads a list of words above and below 2**63 as floats.
        generator, counter = np.random.Philox(counter=0, key=self.key), 0
        for first, count, attempt in spans:
            below = first + (attempt << 64) + (extension << 128) - 1
            generator.advance((below - counter) % 2**256)
            counter = below + count
            yield np.asarray(generator.random_raw(count * _LANES), dtype=np.uint64)

    def below(self, indices: Indices, attempt: Attempts, sizes: Integers | int) -> Integers:
        """A uniform integer in 0 .. size - 1 for each root, exactly.

        The word is the first 64 bits of a uniform real U in [0, 1) and the draw is floor(U * size).
        Where those bits leave two values possible, further words extend U until one remains, so every
        value has probability 1 / size exactly, for any size, given ideal words. Raises DomainError for
        a size below 1.
        """
        words = self.words(indices, attempt)
        if isinstance(sizes, int) and 1 < sizes < INT64_BOUND and sizes.bit_count() == 1:
            # floor(U * 2**k) is the first k bits of U: no later word can change it.
            return (words >> np.uint64(_BITS + 1 - sizes.bit_length())).astype(np.int64)
        least, largest = (sizes, sizes) if isinstance(sizes, int) else _extremes(sizes)
        if least < 1:
            raise DomainError(f"nothing can be drawn from {least} values")
        drawn: Integers
        if largest < INT64_BOUND and (isinstance(sizes, int) or sizes.dtype == np.int64):
            factors = np.uint64(sizes) if isinstance(sizes, int) else sizes.astype(np.uint64)
            drawn, open_rows = _multiply_high(words, factors, largest)
        else:
            wide = np.broadcast_to(np.asarray(sizes, dtype=np.object_), words.shape).tolist()
            products = [word * size for word, size in zip(words.tolist(), wide, strict=True)]
            drawn = integers([product >> _BITS for product in products], largest)
            cuts = zip(products, wide, strict=True)
            open_rows = np.array([p % 2**_BITS + size > 2**_BITS for p, size in cuts], dtype=np.bool_)
        undecided = np.flatnonzero(open_rows)
        if not len(undecided):
            return drawn
        sizes = np.broadcast_to(np.asarray(sizes), words.shape)
        attempts = np.broadcast_to(np.asarray(attempt), words.shape)
        for row in undecided:
            drawn[row] = self._extended(
                int(words[row]), int(indices[row]), int(attempts[row]), int(sizes[row])
            )
        return drawn

    def _extended(self, word: int, index: int, attempt: int, size: int) -> int:
        bits, extension = _BITS, 0
        while True:
            low, high = word * size >> bits, (word * size + size - 1) >> bits
            if low == high:
                return low
            extension += 1
            more = self.words(np.array([index]), attempt, extension)[0]
            word, bits = word << _BITS | int(more), bits + _BITS

    def choose(
        self, indices: Indices, attempt: Attempts, weights: Integers, totals: Integers | int
    ) -> Integers:
        """An option for each root, option k of row r with probability weights[r, k] / totals[r].

        `weights` is (n, K), non-negative integers with row sums `totals` (n,), or one for all; all positive.
        """
        marks = self.below(indices, attempt, totals)
        chosen = np.zeros(len(marks), dtype=np.int64)
        end: Integers | int = 0  # of the options so far: at most the total
        for column in weights.T[:-1]:
            end = end + column
            chosen += end <= marks
        return chosen


def _extremes(sizes: Integers) -> tuple[int, int]:
    """The least and the largest, (1, 1) of none."""
    return (int(sizes.min()), int(sizes.max())) if len(sizes) else (1, 1)


def _multiply_high(
    words: Words, sizes: Words | np.uint64, largest: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """floor(word * size / 2**64) for sizes from 1 to `largest`, below 2**63, and where the next word could
    change it: where the lowest 64 bits of the product, with the size added, pass 2**64.

    For sizes below 2**32 the halves of the word are enough: each product is at most (2**32 - 1)**2, and with
    the upper half of the other added at most 2**64 - 2**32, so nothing wraps.
    """
    if largest < 2**32:
        carried = (words & _LOW) * sizes >> _HALF
        drawn, rest = (words >> _HALF) * sizes + carried >> _HALF, words * sizes
    else:
        drawn, rest = philox.wide_product(words, sizes)
    undecided = rest > np.uint64(2**64 - 1) - sizes + np.uint64(1)
    return drawn.astype(np.int64), undecided
