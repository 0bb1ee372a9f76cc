"""Columns: one exact value per root, ordered by stratum, and their means.

Every figure is a mean of a column, or a ratio of two such means, so that one set of bootstrap weights
serves them all. Values are integers over integers, row by row; nothing is rounded before `scaled`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, integers, nearest_doubles

Mask = NDArray[np.bool_]
Signs = NDArray[np.int8]


@dataclass(frozen=True)
class Axis:
    """The roots of a cohort in one order: stratum by stratum, within a stratum as the table has them.

    `sizes[i]` roots stand in the stratum `strata[i]`.

    >>> axis = Axis.of({"r1": "a", "r2": "b", "r3": "a"})
    >>> axis.roots, axis.strata, axis.slices
    (('r1', 'r3', 'r2'), ('a', 'b'), (slice(0, 2, None), slice(2, 3, None)))
    """

    roots: tuple[str, ...]
    strata: tuple[str, ...]
    sizes: tuple[int, ...]

    @classmethod
    def of(cls, strata: Mapping[str, str]) -> "Axis":
        """The axis of a mapping from root to stratum."""
        grouped: dict[str, list[str]] = {}
        for root, stratum in strata.items():
            grouped.setdefault(stratum, []).append(root)
        roots = tuple(root for group in grouped.values() for root in group)
        return cls(roots, tuple(grouped), tuple(map(len, grouped.values())))

    def __len__(self) -> int:
        """The number of roots."""
        return len(self.roots)

    @cached_property
    def slices(self) -> tuple[slice, ...]:
        """Where each stratum stands."""
        ends = np.cumsum(self.sizes).tolist()
        return tuple(slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True))

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Root -> place."""
        return {root: place for place, root in enumerate(self.roots)}


@dataclass(frozen=True, eq=False)
class Column:
    """One value per root of an axis: numerators / denominators where `valid`, nothing elsewhere.

    All arrays have shape (n,); denominators are positive everywhere, and rows without a value hold 0 / 1.
    `infinite` is 1 or -1 where the value is infinite (its numerator is 0), and 0 elsewhere.
    """

    numerators: Integers
    denominators: Integers
    valid: Mask
    infinite: Signs

    @classmethod
    def ratio(
        cls, numerators: Integers, denominators: Integers, valid: Mask, infinite: Signs | None = None
    ) -> "Column":
        """A column from arrays, its rows without a finite value set to 0 / 1.

        >>> column = Column.ratio(np.array([1, 5]), np.array([2, 0]), np.array([True, False]))
        >>> column.values
        (Fraction(1, 2), None)
        """
        signs, finite = np.zeros(len(valid), np.int8), valid
        if infinite is not None:
            signs = np.where(valid, infinite, 0).astype(np.int8)
            finite = valid & (signs == 0)
        return cls(np.where(finite, numerators, 0), np.where(finite, denominators, 1), valid, signs)

    @classmethod
    def of(cls, values: Sequence[Fraction | None]) -> "Column":
        """A column from fractions, None where there is no value.

        >>> Column.of([Fraction(1, 2), None]).valid.tolist()
        [True, False]
        """
        tops = [0 if value is None else value.numerator for value in values]
        bottoms = [1 if value is None else value.denominator for value in values]
        bound = max(map(abs, [*tops, *bottoms]), default=0) + 1
        valid = np.array([value is not None for value in values], dtype=np.bool_)
        return cls.ratio(integers(tops, bound), integers(bottoms, bound), valid)

    @property
    def values(self) -> tuple[Fraction | None, ...]:
        """The finite values as fractions, None where there is none."""
        rows = zip(
            self.numerators.tolist(),
            self.denominators.tolist(),
            self.finite.tolist(),
            strict=True,
        )
        return tuple(Fraction(top, bottom) if here else None for top, bottom, here in rows)

    @cached_property
    def finite(self) -> Mask:
        """(n,) where a value stands that is not infinite."""
        return np.asarray(self.valid & (self.infinite == 0))

    @cached_property
    def divisor(self) -> int:
        """The greatest common divisor of the denominators of finite values, 1 without any."""
        return int(np.gcd.reduce(self.denominators[self.finite], initial=0)) or 1

    @cached_property
    def complete(self) -> bool:
        """Whether every root has a finite value."""
        return bool(self.finite.all())

    def __sub__(self, other: "Column") -> "Column":
        """The difference where both have a value; infinity less infinity of one sign is none.

        a/b - c/d = (a m - c n) / u, where u = bm = dn is the least common multiple of b and d.
        """
        signs = self.infinite - other.infinite
        lost = (self.infinite != 0) & (self.infinite == other.infinite)
        unit, shares = common_unit(self.denominators, other.denominators)
        arrays = (self.numerators, shares[0], other.numerators, shares[1])
        a, m, c, n = map(largest, arrays)
        bound = a * m + c * n + 1
        top, more, less, other_more = bounded(bound, *arrays)
        return Column.ratio(
            top * more - less * other_more,
            unit,
            self.valid & other.valid & ~lost,
            np.sign(signs).astype(np.int8),
        )

    def where(self, mask: Mask) -> "Column":
        """The same values on the roots of the mask alone."""
        return Column.ratio(self.numerators, self.denominators, self.valid & mask, self.infinite)

    def doubles(self) -> NDArray[np.float64]:
        """The double nearest to each value, 0 where there is none or it is infinite."""
        exact = max(largest(self.numerators), largest(self.denominators)) <= 2**53
        if exact and np.object_ not in (self.numerators.dtype, self.denominators.dtype):
            # Both integers are doubles, and IEEE division rounds their quotient once.
            return self.numerators.astype(np.float64) / self.denominators.astype(np.float64)
        return nearest_doubles(self.numerators, self.denominators)


def written(array: Integers | Mask | Signs) -> bytes:
    """Bytes that only an array of the same type and entries has.

    >>> written(np.array([2**70])) == written(np.array([2**70])) != written(np.array([2]))
    True
    """
    if array.dtype != np.object_:
        return array.tobytes()
    return " ".join(map(hex, array.tolist())).encode()  # Python writes decimals of 4,300 digits at most


def largest(array: Integers) -> int:
    """The greatest absolute value of an array, 0 for an empty one.

    >>> largest(np.array([-3, 2]))
    3
    """
    return max(int(array.max(initial=0)), -int(array.min(initial=0)))


def bounded(bound: int, *arrays: Integers) -> tuple[Integers, ...]:
    """The arrays as int64, where nothing that is done with them reaches `bound` < 2**63 in absolute value
    and neither do they, else as Python integers.

    >>> [array.dtype.name for array in bounded(10, np.array([2]), np.array([2**70]))]
    ['object', 'object']
    """
    whole = max([bound, *(largest(array) + 1 for array in arrays)])
    return tuple(integers(array, whole) for array in arrays)


def common_unit(left: Integers, right: Integers) -> tuple[Integers, tuple[Integers, Integers]]:
    """The least common multiples of two arrays of positive integers, elementwise, and how often each
    of the two goes into them. A multiple is at most the product of the two.

    >>> unit, (more, other) = common_unit(np.array([4, 10]), np.array([6, 10]))
    >>> unit.tolist(), more.tolist(), other.tolist()
    ([12, 10], [3, 1], [2, 1])
    """
    if np.array_equal(left, right):
        return left, (np.ones_like(left), np.ones_like(left))
    bound = largest(left) * largest(right) + 1
    a, b = bounded(bound, left, right)
    unit: Integers = np.lcm(a, b)
    bound = largest(unit) + 1
    return integers(unit, bound), (integers(unit // a, bound), integers(unit // b, bound))


def along(array: Integers) -> Integers:
    """The sum over the last axis, as `array.sum(axis=-1)` has it, which is not to be empty.

    Rows are short here, a few options or repeats each: column by column that is five times as fast.

    >>> along(np.array([[1, 2], [3, 4]])).tolist()
    [3, 7]
    """
    total: Integers = array[..., 0].copy()
    for place in range(1, array.shape[-1]):
        total += array[..., place]
    return total
