"""How well scores say which strings are right: Brier (1950), reliability bins, and average precision."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

BINS = 10
"""How many reliability bins there are, all equally wide; they are fixed, whatever scores there are."""


@dataclass(frozen=True)
class Bin:
    """One reliability bin: how many strings are in it, what they weigh, their mean score and the share of
    them that is right, both by weight and None where the bin is empty.
    """

    strings: int
    weight: int
    score: Fraction | None
    right: Fraction | None

    @property
    def gap(self) -> Fraction:
        """How far the two are apart; 0 for an empty bin."""
        return (
            abs(self.score - self.right) if self.score is not None and self.right is not None else Fraction(0)
        )


def bin_of(score: Fraction) -> int:
    """The bin of a score: bin k of 10 is [k / 10, (k + 1) / 10), and the last has 1 as well.

    ValueError for a score outside [0, 1].

    >>> [bin_of(Fraction(n, 10)) for n in (0, 3, 10)]
    [0, 3, 9]
    """
    if not 0 <= score <= 1:
        raise ValueError(f"a score lies between 0 and 1, not at {score}")
    return min(BINS - 1, score * BINS // 1)


def bins(
    scores: Sequence[Fraction], right: Sequence[bool], weights: Sequence[int], places: Sequence[int]
) -> tuple[Bin, ...]:
    """The ten bins over strings, the i-th of which is in bin `places[i]`.

    `weights` are whole numbers from 1. ValueError for different numbers of any of these.

    >>> found = bins([Fraction(1, 4), Fraction(1, 5)], [True, False], [1, 3], [2, 2])
    >>> found[2]
    Bin(strings=2, weight=4, score=Fraction(17, 80), right=Fraction(1, 4))
    """
    rows = list(zip(places, scores, right, weights, strict=True))
    found = []
    for place in range(BINS):
        own = [row[1:] for row in rows if row[0] == place]
        weight = sum(w for *_, w in own)
        score = sum((w * value for value, _, w in own), Fraction(0)) / weight if own else None
        share = Fraction(sum(w for _, is_right, w in own if is_right), weight) if own else None
        found.append(Bin(len(own), weight, score, share))
    return tuple(found)


def calibration_error(found: Sequence[Bin]) -> Fraction | None:
    """The expected calibration error: the mean over bins, by weight, of |mean score - share right|. None
    where nothing is in any.

    >>> calibration_error(bins([Fraction(1, 4), Fraction(1, 5)], [True, False], [1, 3], [2, 2]))
    Fraction(3, 80)
    """
    whole = sum(one.weight for one in found)
    return sum((one.weight * one.gap for one in found), Fraction(0)) / whole if whole else None


def brier(scores: Sequence[Fraction], right: Sequence[bool], weights: Sequence[int]) -> Fraction | None:
    """The weighted mean of (score - 1)**2 over right strings and score**2 over wrong ones, from 0 to 1; None
    where nothing weighs. Whoever states the share a of right strings for each has a (1 - a).

    >>> brier([Fraction(1, 2), Fraction(1)], [True, True], [1, 1])
    Fraction(1, 8)
    """
    rows = zip(scores, right, weights, strict=True)
    lost = sum((w * (score - is_right) ** 2 for score, is_right, w in rows), Fraction(0))
    return lost / sum(weights) if sum(weights) else None


def average_precision(ranks: Sequence[int], right: Sequence[bool], weights: Sequence[int]) -> Fraction | None:
    """The sum over thresholds, from the greatest rank down, of the precision of the strings at or above one,
    times what of all right weight is at it: tied strings are taken together. No curve is interpolated.

    None where only one class has weight, as for the area under the ROC curve.

    >>> average_precision([2, 1, 1, 0], [True, True, False, False], [1, 1, 1, 1])
    Fraction(5, 6)
    """
    rows = sorted(zip(ranks, right, weights, strict=True), reverse=True)
    positive = sum(weight for _, is_right, weight in rows if is_right)
    if positive in (0, sum(weights)):
        return None
    hits = taken = 0
    reached = Fraction(0)
    for _, tied in groupby(rows, key=lambda row: row[0]):
        block = list(tied)
        more = sum(weight for _, is_right, weight in block if is_right)
        hits, taken = hits + more, taken + sum(weight for *_, weight in block)
        reached += Fraction(more * hits, taken) if taken else 0
    return reached / positive
