"""Exact tests on pairs: of right and wrong (McNemar 1947), and of differences with exchangeable signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import common_denominator, integers
from worldgen.exact.streams import Stream
from worldgen.scoring.binomial import at_most

DRAWS = 99_999
SEED = 20261130
LARGEST_LAW = 2**16
"""Up to so many distinct sums the law of a signed sum is computed, above it is drawn from."""

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

    Differences of 0 change nothing. The law of the sum is built difference by difference as long as it has at
    most `largest` values; else signs are drawn, from a stream keyed by the seed.

    >>> sign_test([Fraction(1)] * 5)
    SignTest(p_value=Fraction(1, 16), draws=None)
    """
    unit = common_denominator(tuple(differences))
    steps = [int(abs(difference * unit)) for difference in differences if difference]
    seen = abs(int(sum(differences) * unit))
    law = _law(steps, largest)
    if law is not None:
        extreme = sum(ways for total, ways in law.items() if abs(total) >= seen)
        return SignTest(Fraction(extreme, 2 ** len(steps)), None)
    extreme = sum(_extreme(signs, steps, seen) for signs in _signs(seed, draws, len(steps)))
    return SignTest(Fraction(1 + extreme, 1 + draws), draws)


def _law(steps: Sequence[int], largest: int) -> dict[int, int] | None:
    """In how many ways signs give each sum; None if there are more than `largest` sums on the way."""
    law = {0: 1}
    for step in steps:
        moved: dict[int, int] = {}
        for total, ways in law.items():
            for there in (total - step, total + step):
                moved[there] = moved.get(there, 0) + ways
        if len(moved) > largest:
            return None
        law = moved
    return law


def _signs(seed: int, draws: int, width: int) -> "list[NDArray[np.int64]]":
    """(rows, width) signs, `draws` rows in all; a row takes whole words, each bit of them a sign."""
    stream, words = Stream.named(seed, "signs"), -(-width // 64)
    rows = max(1, _AT_ONCE // width)
    found = []
    for start in range(0, draws, rows):
        count = min(rows, draws - start)
        drawn = stream.words(np.arange(start * words, (start + count) * words)).astype("<u8")
        bits = np.unpackbits(drawn.view(np.uint8).reshape(count, -1), axis=1, bitorder="little")
        found.append(2 * bits[:, :width].astype(np.int64) - 1)
    return found


def _extreme(signs: NDArray[np.int64], steps: Sequence[int], seen: int) -> int:
    """How many rows reach `seen`. No partial sum exceeds the sum of the steps, which bounds the integers."""
    bound = sum(steps) + 1
    sums = integers(signs, bound) @ integers(steps, bound)
    return int((abs(sums) >= seen).sum())
