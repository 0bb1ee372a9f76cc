"""Exact tests on pairs: of right and wrong (McNemar 1947), and of differences with exchangeable signs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import common_denominator, integers
from worldgen.exact.streams import Stream
from worldgen.scoring.retention.binomial import at_most

DRAWS = 99_999
SEED = 20261130
LARGEST_LAW = 2**24
"""Up to so many bits of counts the law of a signed sum is computed, above it is drawn from."""

_AT_ONCE = 2**20  # signs that are held at a time


def mcnemar(first_only: int, second_only: int) -> Fraction:
    """The exact two-sided p-value of the counts of discordant pairs, b and c: of b + c fair coins, twice the
    chance of at most min(b, c) heads, at most 1. It is 1 where no pair is discordant.

    ValueError for a negative count.

    >>> mcnemar(0, 0), mcnemar(5, 5), mcnemar(0, 5)
    (Fraction(1, 1), Fraction(1, 1), Fraction(1, 16))
    """
    if min(first_only, second_only) < 0:
        raise ValueError(f"a count of pairs is negative: {first_only}, {second_only}")
    tail = at_most(min(first_only, second_only), first_only + second_only, Fraction(1, 2))
    return min(Fraction(1), 2 * tail)


@dataclass(frozen=True)
class SignTest:
    """The two-sided p-value of a sum of differences, had each the other sign with chance 1/2.

    `draws` is None where the law of the sum was computed. Otherwise it is how many assignments of signs were
    drawn, and the p-value is (1 + at least as extreme) / (1 + draws), which no sample can make too small.
    """

    p_value: Fraction
    draws: int | None


def sign_test(
    differences: Sequence[Fraction], *, draws: int = DRAWS, seed: int = SEED, largest: int = LARGEST_LAW
) -> SignTest:
    """How often a random assignment of signs makes |sum of differences| as great as it is, or greater.

    Differences of 0 change nothing. All assignments are counted where that takes at most `largest` bits; else
    signs are drawn, from a stream keyed by the seed.

    >>> sign_test([Fraction(1)] * 5)
    SignTest(p_value=Fraction(1, 16), draws=None)
    """
    unit = common_denominator(tuple(differences))
    steps = [int(abs(difference * unit)) for difference in differences if difference]
    seen = abs(int(sum(differences) * unit))
    if seen == 0:
        return SignTest(Fraction(1), None)
    scale = gcd(*steps)
    steps, seen = [step // scale for step in steps], seen // scale
    # A sum is the whole less twice what has the sign -, so it reaches `seen` where that part is at most
    # `limit`; as many assignments make it at most -seen.
    limit = (sum(steps) - seen) // 2
    if (len(steps) + 1) * (limit + 1) <= largest:
        return SignTest(Fraction(2 * _subsets(steps, limit), 2 ** len(steps)), None)
    extreme = sum(_extreme(signs, steps, seen) for signs in _signs(seed, draws, len(steps)))
    return SignTest(Fraction(1 + extreme, 1 + draws), draws)


def _subsets(steps: Sequence[int], limit: int) -> int:
    """How many subsets of n positive steps have a sum of at most `limit`.

    Digit t of `counts`, in base B = 2**(n + 1), is the number of subsets with sum t; none reaches B, so that
    nothing is carried. Modulo B - 1 a number is the sum of its digits, here at most 2**n and so below B - 1.
    """
    width = len(steps) + 1
    kept = (1 << width * (limit + 1)) - 1
    counts = 1
    for step in steps:
        counts = counts + (counts << width * step) & kept if step <= limit else counts
    return counts % ((1 << width) - 1)


def _signs(seed: int, draws: int, width: int) -> Iterator[NDArray[np.int64]]:
    """(rows, width) signs, `draws` rows in all; a row takes whole words, each bit of them a sign."""
    stream, words = Stream.named(seed, "signs"), -(-width // 64)
    rows = max(1, _AT_ONCE // width)
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        drawn = stream.words(np.arange(start * words, (start + count) * words)).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8).reshape(count, -1), axis=1, bitorder="little")
        yield 2 * bits[:, :width].astype(np.int64) - 1


def _extreme(signs: NDArray[np.int64], steps: Sequence[int], seen: int) -> int:
    """How many rows reach `seen`. No partial sum exceeds the sum of the steps, which bounds the integers."""
    bound = sum(steps) + 1
    sums = integers(signs, bound) @ integers(steps, bound)
    return int((abs(sums) >= seen).sum())
