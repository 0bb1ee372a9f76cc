"""The confidence of a completed string, from the masses that its steps reported, and weights by length."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from math import lcm, prod

from worldgen.exact.roots import integer_root, nearest_root
from worldgen.scoring.figures.logs import PLACES
from worldgen.scoring.retention.reliability import BINS


@dataclass(frozen=True)
class Confidence:
    """Three scores of a string of L steps: the product of the masses of what was chosen, its L-th root (exact
    where it is rational, else to 30 places), and the least of the greatest masses.
    """

    product: Fraction
    geometric_mean: Fraction
    minimum_top: Fraction
    steps: int


def confidence(chosen: Sequence[Fraction], tops: Sequence[Fraction]) -> Confidence | None:
    """The confidence of a string whose steps gave these masses to what was chosen, and at most `tops` to
    anything. Steps that were filled in without a request report nothing and are left out; None without steps.

    What was chosen need not have the greatest mass. ValueError for masses outside [0, 1], a chosen one above
    its top, or different numbers of them.

    >>> confidence([Fraction(1, 2), Fraction(1, 8)], [Fraction(1, 2), Fraction(3, 4)])
    Confidence(product=Fraction(1, 16), geometric_mean=Fraction(1, 4), minimum_top=Fraction(1, 2), steps=2)
    """
    if any(not 0 <= mass <= top <= 1 for mass, top in zip(chosen, tops, strict=True)):
        raise ValueError("masses lie between 0 and 1, and none lies above the greatest of its step")
    if not chosen:
        return None
    product = prod(chosen, start=Fraction(1))
    return Confidence(product, nearest_root(product, len(chosen), PLACES), min(tops), len(chosen))


def geometric_ranks(strings: Sequence[Confidence]) -> list[int]:
    """The place of each geometric mean among those that differ, ascending from 0: equal exactly where the
    roots are, whatever digits were kept of them.

    Each kept root is at most half a unit of its last place away, so that two which are more than a unit apart
    are in the order of the roots. Of others, p**(1/m) and r**(1/n) are in the order of p**n and r**m.

    >>> half, root = (confidence(masses, masses) for masses in ([Fraction(1, 2)], [Fraction(1, 4)] * 2))
    >>> geometric_ranks([half, root, confidence([Fraction(1, 2)] * 3, [Fraction(1, 2)] * 3)])
    [1, 0, 1]
    """

    def compared(one: Confidence, other: Confidence) -> int:
        left, right = one.geometric_mean, other.geometric_mean
        if abs(left - right) <= Fraction(1, 10**PLACES):
            left, right = one.product**other.steps, other.product**one.steps
        return (left > right) - (left < right)

    order = sorted(strings, key=cmp_to_key(compared))
    places, place = {}, -1
    for number, each in enumerate(order):
        place += number == 0 or compared(order[number - 1], each) != 0
        places[each.product, each.steps] = place
    return [places[each.product, each.steps] for each in strings]


def geometric_bin(string: Confidence) -> int:
    """The reliability bin in which the geometric mean lies, of the root itself: the greatest k with
    (k / BINS)**L <= the product, and the last bin for 1.

    >>> geometric_bin(confidence([Fraction(3, 10)] * 3, [Fraction(1)] * 3))
    3
    """
    scaled = string.product * BINS**string.steps
    return min(BINS - 1, integer_root(scaled.numerator // scaled.denominator, string.steps))


def common_length(lengths: Sequence[int]) -> tuple[int, ...]:
    """Whole weights under which every length that occurs weighs the same, and items of a length alike: item i
    weighs lcm(n) / n_L, with n_L the number of items of its length.

    >>> common_length([3, 3, 4])
    (1, 1, 2)
    """
    counts = Counter(lengths)
    common = lcm(*counts.values())
    return tuple(common // counts[length] for length in lengths)


def weighted_mean(values: Sequence[Fraction], weights: Sequence[int]) -> Fraction | None:
    """The sum of w v over that of w; None where no weight is positive. ValueError for different numbers.

    >>> weighted_mean([Fraction(1), Fraction(0), Fraction(0)], common_length([3, 3, 4]))
    Fraction(1, 4)
    """
    whole = sum(weights)
    total = sum((w * v for v, w in zip(values, weights, strict=True)), Fraction(0))
    return total / whole if whole else None
