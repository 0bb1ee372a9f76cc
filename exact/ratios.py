"""Columns of rationals: exact arithmetic on whole arrays, in int64 as long as that is proved to suffice.

Before every product and sum the largest absolute values of both sides are looked up, and Python integers are
taken instead where the result could reach 2**63. So nothing wraps, whatever the columns hold.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.expressions import Algebra
from worldgen.exact.numbers import Integers, integers, magnitude

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Ratios:
    """The numbers tops / bottoms, row by row, where `defined`; bottoms are positive. Not in lowest terms.

    A column of one row stands for all rows.

    >>> half = Ratios.constant(Fraction(1, 2))
    >>> thirds = Ratios.of(np.array([1, 2]), np.array([3, 3]))
    >>> (thirds - half).fractions()
    [Fraction(-1, 6), Fraction(1, 6)]
    >>> (half / (thirds - Ratios.constant(Fraction(1, 3)))).fractions()
    [None, Fraction(3, 2)]
    """

    tops: Integers
    bottoms: Integers
    defined: Mask

    @classmethod
    def of(cls, tops: Integers, bottoms: Integers) -> "Ratios":
        """Tops / bottoms, undefined where a bottom is 0. Bottoms are not negative."""
        defined = np.asarray(bottoms > 0, dtype=np.bool_)
        return cls(tops, cast(Integers, np.where(defined, bottoms, 1)), defined)

    @classmethod
    def listed(cls, values: Sequence[Fraction]) -> "Ratios":
        """The numbers of a list."""
        tops, bottoms = zip(*(value.as_integer_ratio() for value in values), strict=True)
        largest = max(map(abs, (*tops, *bottoms)))
        defined = np.ones(len(values), dtype=np.bool_)
        return cls(integers(tops, largest + 1), integers(bottoms, largest + 1), defined)

    @classmethod
    def constant(cls, value: Fraction) -> "Ratios":
        """One number for all rows."""
        return cls.listed([value])

    def at(self, rows: NDArray[np.int64]) -> "Ratios":
        """The numbers at some rows."""
        return Ratios(self.tops[rows], self.bottoms[rows], self.defined[rows])

    def over(self, n: int) -> "Ratios":
        """The same numbers in n rows, where there is one row for all."""
        tops, bottoms = (cast(Integers, np.broadcast_to(part, n)) for part in (self.tops, self.bottoms))
        return Ratios(tops, bottoms, np.broadcast_to(self.defined, n))

    def fractions(self) -> list[Fraction | None]:
        """The numbers as fractions; None where there is none."""
        rows = np.broadcast_arrays(self.tops, self.bottoms, self.defined)
        columns = zip(*(column.tolist() for column in rows), strict=True)
        return [Fraction(top, bottom) if known else None for top, bottom, known in columns]

    def __add__(self, other: "Ratios") -> "Ratios":
        tops = _sum(_product(self.tops, other.bottoms), _product(other.tops, self.bottoms))
        return Ratios(tops, _product(self.bottoms, other.bottoms), self.defined & other.defined)

    def __neg__(self) -> "Ratios":
        return Ratios(-self.tops, self.bottoms, self.defined)

    def __sub__(self, other: "Ratios") -> "Ratios":
        return self + -other

    def __mul__(self, other: "Ratios") -> "Ratios":
        tops, bottoms = _product(self.tops, other.tops), _product(self.bottoms, other.bottoms)
        return Ratios(tops, bottoms, self.defined & other.defined)

    def __abs__(self) -> "Ratios":
        return Ratios(cast(Integers, abs(self.tops)), self.bottoms, self.defined)

    def __truediv__(self, other: "Ratios") -> "Ratios":
        """Undefined where the divisor is 0."""
        nonzero = np.asarray(other.tops != 0, dtype=np.bool_)
        signs = np.where(other.tops < 0, -1, 1)
        tops = _product(_product(self.tops, other.bottoms), signs)
        bottoms = _product(self.bottoms, cast(Integers, np.where(nonzero, abs(other.tops), 1)))
        return Ratios(tops, bottoms, self.defined & other.defined & nonzero)

    def at_least(self, other: "Ratios") -> Mask:
        """Whether each number is at least that of the other column, whatever stands where undefined.

        Bottoms are positive, so a/b >= c/d is a d >= c b.
        """
        left, right = _product(self.tops, other.bottoms), _product(other.tops, self.bottoms)
        return np.asarray(left >= right, dtype=np.bool_)


def _larger(one: Ratios, other: Ratios) -> Ratios:
    return _chosen(one.at_least(other), one, other)


def _smaller(one: Ratios, other: Ratios) -> Ratios:
    return _chosen(other.at_least(one), one, other)


def _chosen(mask: Mask, one: Ratios, other: Ratios) -> Ratios:
    tops, bottoms = np.where(mask, one.tops, other.tops), np.where(mask, one.bottoms, other.bottoms)
    return Ratios(tops, bottoms, one.defined & other.defined)


def _among(better: Callable[[Ratios, Ratios], Ratios]) -> Callable[..., Ratios]:
    return lambda *columns: reduce(better, columns)


def _product(left: Integers, right: Integers) -> Integers:
    largest, other = magnitude(left), magnitude(right)
    bound = max(largest, other, largest * other) + 1
    return integers(left, bound) * integers(right, bound)


def _sum(left: Integers, right: Integers) -> Integers:
    bound = magnitude(left) + magnitude(right) + 1
    return integers(left, bound) + integers(right, bound)


RATIOS = Algebra[Ratios](
    Ratios.constant,
    {
        "+": Ratios.__add__,
        "-": Ratios.__sub__,
        "*": Ratios.__mul__,
        "negative": Ratios.__neg__,
        "abs": Ratios.__abs__,
        "max": _among(_larger),
        "min": _among(_smaller),
    },
    Ratios.__truediv__,
)
