"""Exact curves: weighted sums of many lines, each of which gives way to another at a point of its own.

Expected loss as the cost grows, and an elementary score as its threshold does, are such sums. Sorting
the points once and adding up what changes at each gives the sum at every x in one search, as an exact
fraction, and on both sides of every break. Points, lines and weights are integers over one denominator
each: int64 where that provably holds them, Python integers otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.figures.columns import Mask, largest
from worldgen.scoring.figures.means import exact_text

Side = Literal["left", "right"]
_SIDES: tuple[Side, Side] = ("left", "right")


@dataclass(frozen=True, eq=False)
class Change:
    """A coefficient of n lines, before and after each turns: before[i] factors[i] / unit, then
    after[i] factors[i] / unit. The factors, from 1 to `unit`, bring small integers over denominators of
    their own to one unit.
    """

    before: Integers
    after: Integers
    factors: Integers
    unit: int


@dataclass(frozen=True)
class Break:
    """A point of a curve where it jumps or bends, with its limit from the left, the value that it takes
    there, and its limit from the right; None outside its range.
    """

    at: Fraction
    left: Fraction | None
    value: Fraction | None
    right: Fraction | None


@dataclass(frozen=True, eq=False)
class Piecewise:
    """A function of x that is affine between `points[j] / grid`, ascending and with repetitions, m of them.

    With j points passed it is (constants[j] + tilt slopes[j] x) / unit, j = 0 ... m. At a point, the limit
    from the left has passed only those before it, and that from the right has passed all that stand there;
    `from_right` says which of the two the curve takes there.
    """

    points: Integers
    grid: int
    constants: Integers
    slopes: Integers
    tilt: int
    unit: int
    from_right: bool = True

    @classmethod
    def of(
        cls,
        points: tuple[Integers, Integers, Mask],
        constants: Change,
        slopes: Change,
        shares: tuple[Integers, int],
        *,
        from_right: bool = True,
    ) -> "Piecewise":
        """The sum over i of a share of the line constants[i] + slopes[i] x, which changes at its own point.

        `points` are (tops, units, has): line i turns at tops[i] / units[i] where `has`, and never elsewhere.
        `shares` are (tops, whole): item i counts tops[i] / whole, not negative, at most 1 in all. The unit of
        the slopes divides that of the constants (else ValueError). Arrays are (n,).

        >>> loss = Piecewise.of(  # two equally likely reports that act from 1/10 on and from 3/10 on
        ...     (np.array([1, 3]), np.array([10, 10]), np.array([True, True])),
        ...     Change(np.array([0, 0]), np.array([1, 2]), np.array([1, 1]), 4),
        ...     Change(np.array([1, 1]), np.array([0, 0]), np.array([1, 1]), 1),
        ...     (np.array([1, 1]), 2),
        ... )
        >>> loss(Fraction(1, 5)), loss.left(Fraction(3, 10)), loss(Fraction(3, 10))
        (Fraction(9, 40), Fraction(11, 40), Fraction(3, 8))
        """
        if constants.unit % slopes.unit:
            raise ValueError(f"slopes over {slopes.unit} are not added to constants over {constants.unit}")
        turning = np.flatnonzero(points[2])
        tops, units = points[0][turning], points[1][turning]
        grid = lcm(*set(units.tolist()))
        reached = largest(tops) * grid + grid + 1
        places = integers(tops, reached) * (grid // integers(units, reached))
        order = np.argsort(places, kind="stable")
        turned = turning[order]
        return cls(
            places[order],
            grid,
            _passing(constants, shares, turned),
            _passing(slopes, shares, turned),
            constants.unit // slopes.unit,
            constants.unit * shares[1],
            from_right,
        )

    def left(self, x: Fraction) -> Fraction:
        """The limit at x from the left."""
        return self._value(x, self._passed(x, "left"))

    def right(self, x: Fraction) -> Fraction:
        """The limit at x from the right."""
        return self._value(x, self._passed(x, "right"))

    def __call__(self, x: Fraction) -> Fraction:
        """The value at x."""
        return self.right(x) if self.from_right else self.left(x)

    def tops(self, places: Sequence[int], unit: int) -> list[int]:
        """The values at places / unit as integers over self.unit * unit, all at once.

        |constants| and |slopes| times the larger of unit and tilt |places| bound every term.
        """
        side: Side = "right" if self.from_right else "left"
        passed = self._search([place * self.grid for place in places], unit, side)
        most = max([unit, *(self.tilt * abs(place) for place in places)])
        constants, slopes = self.constants[passed], self.slopes[passed]
        bound = 2 * most * max(largest(constants), largest(slopes), 1) + 1
        x = integers([self.tilt * place for place in places], bound)
        constants, slopes = integers(constants, bound), integers(slopes, bound)
        found: list[int] = (constants * unit + slopes * x).tolist()
        return found

    @cached_property
    def marks(self) -> tuple[Fraction, ...]:
        """The distinct points, ascending."""
        return tuple(Fraction(point, self.grid) for point in dict.fromkeys(self.points.tolist()))

    def breaks(self, low: Fraction, high: Fraction) -> Iterator[Break]:
        """Every point strictly between two ends, and the ends: between them the curve is affine.

        At the ends only the limit from inside is given.
        """
        yield Break(low, None, None, self.right(low))
        for mark in self.marks:
            if low < mark < high:
                left, right = self.left(mark), self.right(mark)
                yield Break(mark, left, right if self.from_right else left, right)
        yield Break(high, self.left(high), None, None)

    def rows(self, low: Fraction, high: Fraction) -> Iterator[dict[str, str | float | None]]:
        """The breaks as rows: nearest doubles, and the point as an exact text, too."""
        # Quotients of integers are rounded once, whatever their size; no fraction is reduced for it.
        marks = np.array(list(dict.fromkeys(self.points.tolist())), dtype=self.points.dtype)
        before, passed = (self.points.searchsorted(marks, side=side).tolist() for side in _SIDES)
        yield _row(low, None, None, float(self.right(low)))
        for mark, point, j, k in zip(self.marks, marks.tolist(), before, passed, strict=True):
            if low < mark < high:
                left, right = self._double(point, j), self._double(point, k)
                yield _row(mark, left, right if self.from_right else left, right)
        yield _row(high, float(self.left(high)), None, None)

    def integral(self, low: Fraction, high: Fraction) -> Fraction:
        """The exact integral between two ends.

        From a to b with nothing passed between, that of (k + t x) / u is (k (b - a) + t (b^2 - a^2) / 2) / u.
        """
        grid = lcm(self.grid, low.denominator, high.denominator)
        step, first, last = grid // self.grid, int(low * grid), int(high * grid)
        inside = (point * step for point in dict.fromkeys(self.points.tolist()))
        ends = [first, *(point for point in inside if first < point < last), last]
        passed = self._search(ends[:-1], step, "right")
        lines = zip(
            self.constants[passed].tolist(), self.slopes[passed].tolist(), pairwise(ends), strict=True
        )
        twice = sum(
            2 * grid * constant * (b - a) + self.tilt * slope * (b * b - a * a)
            for constant, slope, (a, b) in lines
        )
        return Fraction(twice, 2 * grid**2 * self.unit)

    def _passed(self, x: Fraction, side: Side) -> int:
        return int(self._search([x.numerator * self.grid], x.denominator, side)[0])

    def _search(self, tops: Sequence[int], unit: int, side: Side) -> Integers:
        """How many points, times the grid, lie below tops / unit, or with "right" at most there.

        A whole point is at most y where it is at most floor(y), and below y where it is below ceil(y).
        """
        whole = [top // unit if side == "right" else -(-top // unit) for top in tops]
        sought = integers(whole, max(map(abs, whole), default=0) + 1)
        return np.asarray(self.points.searchsorted(sought, side=side))

    def _value(self, x: Fraction, passed: int) -> Fraction:
        constant, slope = int(self.constants[passed]), self.tilt * int(self.slopes[passed])
        return Fraction(constant * x.denominator + slope * x.numerator, self.unit * x.denominator)

    def _double(self, point: int, passed: int) -> float:
        constant, slope = int(self.constants[passed]), self.tilt * int(self.slopes[passed])
        return (constant * self.grid + slope * point) / (self.unit * self.grid)


def _passing(change: Change, shares: tuple[Integers, int], order: NDArray[np.int64]) -> Integers:
    """(m + 1,) the sum with 0 ... m items passed in an order: those passed count `after`, others `before`.

    Shares sum to `whole` and no factor exceeds the unit, so sums of shares times coefficients of at most C
    stay within 2 C whole, and with factors within that times the unit. What is small is multiplied and
    ordered first: large factors are met once an item.
    """
    whole, peak = shares[1], max(largest(change.before), largest(change.after), 1)
    bound = 2 * whole * peak + 1
    share, before, after = (integers(array, bound) for array in (shares[0], change.before, change.after))
    start, steps = share * before, (share * (after - before))[order]
    bound = bound * change.unit
    start, steps, factors = (integers(array, bound) for array in (start, steps, change.factors))
    first = (start * factors).sum(keepdims=True) if start.any() else np.zeros(1, dtype=steps.dtype)
    return np.asarray(np.concatenate((first, steps * factors[order])).cumsum())


def _row(
    at: Fraction, left: float | None, value: float | None, right: float | None
) -> dict[str, str | float | None]:
    return {"at": float(at), "exact_at": exact_text(at), "left": left, "value": value, "right": right}
