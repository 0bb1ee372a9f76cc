"""Design: how far a residual is scaled, or which factors are hidden, for a Bayes error that is asked for.

A residual is a factor without parents, one level of which, its zero, leaves the outcome alone. Scaling it by
s multiplies the probability of every other level by s, and zero takes the rest; s runs from 0 to where
nothing is left for zero. The probability P(pattern, class k) is then affine in s, its maximum over k is
convex and piecewise linear, and so the Bayes error, 1 minus a sum of such maxima, is concave and piecewise
linear. It is determined by its values where it bends, and those are crossings of lines with rational
coefficients.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm

import numpy as np

from worldgen.exact.errors import WorldgenError
from worldgen.exact.factors import Factor
from worldgen.exact.joints import bayes_error, joint
from worldgen.exact.networks import Network, NetworkError
from worldgen.exact.numbers import write_number

Point = tuple[Fraction, Fraction]

_PLACES = 6  # decimals in which an interval is told


class UnreachableError(WorldgenError):
    """A Bayes error that no scale leads to; `lowest` and `highest` are those between which every one is
    reached.
    """

    def __init__(self, target: Fraction, lowest: Fraction, highest: Fraction) -> None:
        super().__init__(
            f"no scale of the residual gives a Bayes error of {target}",
            remedy=f"ask for one from {_within(lowest, highest)}, or hide other factors",
        )
        self.target, self.lowest, self.highest = target, lowest, highest


def _within(lowest: Fraction, highest: Fraction) -> str:
    """An interval, its ends rounded inwards so that both can be asked for, or exact if it is too narrow."""
    unit = 10**_PLACES
    low, high = Fraction(-(-lowest * unit // 1), unit), Fraction(highest * unit // 1, unit)
    if low > high:
        return f"{lowest} to {highest}"
    return " to ".join(write_number(end, "decimal", _PLACES) for end in (low, high))


@dataclass(frozen=True)
class Curve:
    """The Bayes error as a function of the scale: linear between `points`, which are (scale, error) pairs.

    The first scale is 0, the last the largest there is; the error bends at those between.

    >>> hill = Curve(((Fraction(0), Fraction(0)), (Fraction(2), Fraction(1, 2)), (Fraction(3), Fraction(0))))
    >>> hill(Fraction(1)), hill.scale_for(Fraction(1, 8))
    (Fraction(1, 4), Fraction(1, 2))
    """

    points: tuple[Point, ...]

    @property
    def largest(self) -> Fraction:
        """The largest scale."""
        return self.points[-1][0]

    @property
    def reachable(self) -> tuple[Fraction, Fraction]:
        """The lowest and the highest Bayes error; the curve is continuous, so all between are reached."""
        errors = [error for _, error in self.points]
        return min(errors), max(errors)

    def __call__(self, scale: Fraction) -> Fraction:
        """The Bayes error at a scale. Raises ValueError for one outside 0 .. `largest`."""
        if not 0 <= scale <= self.largest:
            raise ValueError(f"a scale lies between 0 and {self.largest}, not at {scale}")
        after = max(bisect_left(self.points, scale, key=lambda point: point[0]), 1)
        (left, low), (right, high) = self.points[after - 1 : after + 1]
        return low + (high - low) * (scale - left) / (right - left)

    def scale_for(self, target: Fraction) -> Fraction:
        """The least scale at which the Bayes error is `target`. Raises UnreachableError for none."""
        for (left, low), (right, high) in pairwise(self.points):
            if low == target:
                return left
            if min(low, high) <= target <= max(low, high):
                return left + (right - left) * (target - low) / (high - low)
        raise UnreachableError(target, *self.reachable)


def rescaled(network: Network, residual: str, zero: str, scale: Fraction) -> Network:
    """The network whose residual is scaled; `zero` is the level that leaves the outcome alone.

    Raises NetworkError for a residual that is unknown or has parents, ValueError for a scale that leaves less
    than nothing for zero.

    >>> from worldgen.exact.events import Atoms
    >>> from worldgen.exact.networks import Outcome
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> rule = Outcome(Atoms(("kept", "flipped")), ("noise",), lambda codes: codes["noise"])
    >>> rescaled(Network((noise,), rule), "noise", "none", Fraction(3)).by_name["noise"].table.tolist()
    [7, 3]
    """
    factor = _residual(network, residual)
    masses = [scale * Fraction(int(weight), factor.total) for weight in factor.table]
    code = factor.code(zero)
    masses[code] += 1 - sum(masses)
    if scale < 0 or masses[code] < 0:
        raise ValueError(f"a scale of {scale} leaves {masses[code]} for '{zero}'")
    other = Factor.of(residual, factor.levels, masses)
    return Network(
        tuple(other if mine.name == residual else mine for mine in network.factors), network.outcome
    )


def largest_scale(network: Network, residual: str, zero: str) -> Fraction:
    """The scale that leaves nothing for zero. Raises NetworkError where zero is all that there is."""
    factor = _residual(network, residual)
    rest = factor.total - int(factor.table[factor.code(zero)])
    if rest == 0:
        raise NetworkError(f"'{residual}' is always '{zero}': there is nothing to scale")
    return Fraction(factor.total, rest)


def _residual(network: Network, name: str) -> Factor:
    network.check_known([name], "the residual is")
    factor = network.by_name[name]
    if factor.parents:
        raise NetworkError(
            f"the residual '{name}' depends on {', '.join(factor.parents)}",
            remedy="scale a factor without parents",
        )
    return factor


def bayes_error_curve(network: Network, shown: Sequence[str], residual: str, zero: str) -> Curve:
    """The Bayes error of a view as a function of the scale of a residual that it does not show.

    Raises NetworkError for unknown names, a residual that is shown, has parents or is always zero.

    >>> from worldgen.exact.events import Atoms
    >>> from worldgen.exact.networks import Outcome
    >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> rule = Outcome(Atoms(("0", "1")), ("coin", "noise"), lambda codes: codes["coin"] ^ codes["noise"])
    >>> curve = bayes_error_curve(Network((coin, noise), rule), ["coin"], "noise", "none")
    >>> [(str(scale), str(error)) for scale, error in curve.points]
    [('0', '0'), ('5', '1/2'), ('10', '0')]
    """
    if residual in shown:
        raise NetworkError(f"the residual '{residual}' is shown", remedy="take it out of the view")
    largest = largest_scale(network, residual, zero)
    shown = network.relevant(shown)
    ends = [joint(rescaled(network, residual, zero, scale), shown) for scale in (Fraction(0), largest)]
    # Both ends show the same factors, so their weights agree, and one denominator serves both.
    whole = lcm(*(end.denominator for end in ends))
    rows = np.concatenate(
        [end.numerators.astype(object) * (whole // end.denominator) for end in ends], axis=1
    )
    pooled: dict[tuple[int, ...], int] = {}
    for row, weight in zip(map(tuple, rows.tolist()), ends[0].weights.tolist(), strict=True):
        if weight:
            pooled[row] = pooled.get(row, 0) + weight
    height, slope, bends = 0, 0, {Fraction(1): 0}  # of the sum of maxima, over the way from 0 to `largest`
    for row, weight in pooled.items():
        classes = len(row) // 2
        first, *later = _envelope(row[:classes], row[classes:])
        height += weight * first[1]
        slope += weight * first[2]
        for (_, _, before), (place, _, after) in pairwise([first, *later]):
            bends[place] = bends.get(place, 0) + weight * (after - before)
    points, at, value = [(Fraction(0), 1 - Fraction(height, whole))], Fraction(0), Fraction(height)
    for place in sorted(bends):
        value += slope * (place - at)
        at = place
        slope += bends[place]
        points.append((place * largest, 1 - value / whole))
    return Curve(tuple(points))


def _envelope(starts: Sequence[int], ends: Sequence[int]) -> list[tuple[Fraction, int, int]]:
    """The maximum over 0 <= t < 1 of the lines from starts[k] at t = 0 to ends[k] at t = 1.

    A list of (place from which a line is the highest, its start, its slope). At every step the next line is
    the one that crosses the present one first, and the steepest of these: lines that are less steep stay
    below for good.
    """
    lines = {(start, end - start) for start, end in zip(starts, ends, strict=True)}
    start, slope = max(lines)
    found = [(Fraction(0), start, slope)]
    while True:
        crossings = [(Fraction(start - a, b - slope), -b, a) for a, b in lines if b > slope]
        place, steepness, begin = min(crossings, default=(Fraction(1), 0, 0))
        if place >= 1:
            return found
        start, slope = begin, -steepness
        found.append((place, start, slope))


def hidings(
    network: Network, shown: Sequence[str], most: int, candidates: Sequence[str] | None = None
) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every set of at most `most` candidates to hide from a view, with the Bayes error of what is left.

    Candidates are all of `shown` unless they are named. Sets come by size, the empty one first, then in the
    order of the candidates. Raises NetworkError for a candidate that the view does not show.

    >>> from worldgen.exact.events import Atoms
    >>> from worldgen.exact.networks import Outcome
    >>> coins = tuple(Factor(name, ("tails", "heads"), (), [2, 1], 3) for name in "ab")
    >>> rule = Outcome(Atoms(("no", "both")), ("a", "b"), lambda codes: codes["a"] & codes["b"])
    >>> [(hidden, str(error)) for hidden, error in hidings(Network(coins, rule), ["a", "b"], 1)]
    [((), '0'), (('a',), '1/9'), (('b',), '1/9')]
    """
    candidates = shown if candidates is None else candidates
    missing = [name for name in candidates if name not in shown]
    if missing:
        raise NetworkError(f"'{missing[0]}' is not shown, so it cannot be hidden")
    for size in range(min(most, len(candidates)) + 1):
        for hidden in combinations(candidates, size):
            yield hidden, bayes_error(network, [name for name in shown if name not in hidden])
