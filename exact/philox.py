"""Philox4x64-10 on arrays of counters, for words that do not lie side by side.

numpy's generator makes blocks one after another, and costs as much to set up as a hundred of them. Here every
block has a counter of its own. Salmon et al. 2011, doi 10.1145/2063384.2063405.
"""

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]

_ROUNDS = 10
_MULTIPLIERS = (np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157))
_STEPS = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
_HALF, _LOW = np.uint64(32), np.uint64(2**32 - 1)


def words(key: int, first: Words, second: Words, third: int, lanes: NDArray[np.int64]) -> Words:
    """The word at one lane, 0 .. 3, of each block with counter (first, second, third, 0), under a key of 128
    bits.

    >>> counter = np.zeros(1, dtype=np.uint64)
    >>> hex(words(0, counter, counter, 0, np.array([2]))[0])
    '0xd7e772cee186176b'
    """
    c0, c1 = first, second
    c2, c3 = np.full_like(first, third), np.zeros_like(first)
    k0, k1 = key % 2**64, key >> 64
    for _ in range(_ROUNDS):
        high0, low0 = wide_product(c0, _MULTIPLIERS[0])
        high1, low1 = wide_product(c2, _MULTIPLIERS[1])
        high1 ^= c1
        high1 ^= np.uint64(k0)
        high0 ^= c3
        high0 ^= np.uint64(k1)
        c0, c1, c2, c3 = high1, low1, high0, low0
        k0, k1 = (k0 + _STEPS[0]) % 2**64, (k1 + _STEPS[1]) % 2**64
    return np.asarray(np.choose(lanes, (c0, c1, c2, c3)), dtype=np.uint64)


def wide_product(left: Words, right: Words | np.uint64) -> tuple[Words, Words]:
    """The high and the low 64 bits of left * right.

    In halves of 32 bits each partial product is at most (2**32 - 1)**2 = 2**64 - 2**33 + 1, and the middle
    sum adds two halves of at most 2**32 - 1 to one: at most 2**64 - 1, so it does not wrap.

    >>> high, low = wide_product(np.array([2**63], dtype=np.uint64), np.uint64(6))
    >>> int(high[0]), int(low[0])
    (3, 0)
    """
    high, low = left >> _HALF, left & _LOW
    up, down = right >> _HALF, right & _LOW
    # In place: new arrays for every step cost a third of the time.
    cross, middle = down * high, down * low
    middle >>= _HALF
    low *= up
    middle += low
    middle += np.bitwise_and(cross, _LOW, out=low)
    high *= up
    high += np.right_shift(cross, _HALF, out=cross)
    high += np.right_shift(middle, _HALF, out=middle)
    return high, left * right
