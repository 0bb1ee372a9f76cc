"""Factors: finite variables with exact conditional probabilities, as integers over one total."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from operator import index
from typing import Any

import numpy as np

from worldgen.exact.errors import WorldgenError
from worldgen.exact.numbers import Integers, common_denominator, integers


class FactorError(WorldgenError):
    """A factor whose levels or probabilities cannot be.

    `factor` is its name. Where one row is at fault, `row` gives the code of each parent there and `sum` what
    the row sums to, as a probability; else both are None.
    """

    def __init__(
        self,
        factor: str,
        message: str,
        *,
        remedy: str = "",
        row: Mapping[str, int] | None = None,
        sum: Fraction | None = None,  # noqa: A002  (the word for it; nothing is added up here)
    ) -> None:
        super().__init__(f"factor '{factor}': {message}", remedy=remedy)
        self.factor, self.row, self.sum = factor, row, sum


@dataclass(frozen=True, eq=False)
class Factor:
    """A variable with named levels, and its probabilities given those of its parents.

    `table[i, ..., k] / total` is the probability of level k where the parents have the codes i, ...: its
    shape is (*sizes of the parents, number of levels), and every row, the last axis, sums to `total` exactly.
    Nothing is ever renormalised. When built, table and total are divided by what they have in common and the
    table becomes int64 where the total is below 2**63, Python integers otherwise; factors are equal when that
    form is.

    Raises FactorError, which names the row and its sum, for no levels, repeated names, a negative entry or a
    row that does not sum to the total; TypeError for entries that are no integers.

    >>> rain = Factor("rain", ("no", "yes"), (), [7, 3], 10)
    >>> wet = Factor("wet", ("no", "yes"), ("rain",), [[90, 10], [0, 100]], 100)
    >>> wet.probability(1, {"rain": 0})
    Fraction(1, 10)
    >>> Factor("wet", ("no", "yes"), ("rain",), [[90, 10], [0, 99]], 100)
    Traceback (most recent call last):
    ...
    worldgen.exact.factors.FactorError: factor 'wet': its probabilities at rain=1 sum to 99/100, not to 1
      try: write probabilities that sum to 1 exactly
    """

    name: str
    levels: tuple[str, ...]
    parents: tuple[str, ...]
    table: Integers
    total: int

    def __init__(
        self, name: str, levels: tuple[str, ...], parents: tuple[str, ...], table: Any, total: int
    ) -> None:
        entries = _entries(name, table)
        if not levels or len(set(levels)) != len(levels):
            raise FactorError(name, "it needs distinct levels, at least one")
        if name in parents or len(set(parents)) != len(parents):
            raise FactorError(name, "its parents must be distinct, and not itself")
        if entries.ndim != len(parents) + 1 or entries.shape[-1] != len(levels):
            wanted = " by ".join([*(f"levels of {parent}" for parent in parents), f"{len(levels)} levels"])
            raise FactorError(name, f"its table has shape {entries.shape}", remedy=f"make it {wanted}")
        _check_rows(name, parents, entries, index(total))
        divisor = gcd(total, *entries.ravel().tolist())
        reduced = integers(entries // divisor, total // divisor + 1)
        reduced.setflags(write=False)
        fields = {"name": name, "levels": tuple(levels), "parents": tuple(parents)}
        for field, value in {**fields, "table": reduced, "total": total // divisor}.items():
            object.__setattr__(self, field, value)

    @classmethod
    def of(cls, name: str, levels: tuple[str, ...], masses: Any, parents: tuple[str, ...] = ()) -> "Factor":
        """The factor with these probabilities: Fractions (or integers), nested as `table` is.

        >>> Factor.of("rain", ("no", "yes"), [Fraction(7, 10), Fraction(3, 10)]).total
        10
        """
        array = np.asarray(masses, dtype=np.object_)
        values = [_rational(name, value) for value in array.ravel()]
        total = common_denominator(values)
        scaled = np.array([int(value * total) for value in values], dtype=np.object_)
        return cls(name, levels, parents, scaled.reshape(array.shape), total)

    @property
    def size(self) -> int:
        """The number of levels."""
        return len(self.levels)

    @property
    def scope(self) -> tuple[str, ...]:
        """The variables that the table speaks of, an axis each: the parents, then the factor itself."""
        return (*self.parents, self.name)

    def code(self, level: str) -> int:
        """The position of a level. Raises FactorError for one that the factor does not have."""
        if level not in self.levels:
            raise FactorError(
                self.name, f"it has no level '{level}'", remedy=f"choose from {', '.join(self.levels)}"
            )
        return self.levels.index(level)

    def probability(self, code: int, parents: Mapping[str, int]) -> Fraction:
        """The probability of a level, given the codes of the parents."""
        cell = (*(parents[parent] for parent in self.parents), code)
        return Fraction(int(self.table[cell]), self.total)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Factor) and self._normal_form == other._normal_form

    def __hash__(self) -> int:
        return hash((self.name, self.levels, self.parents, self.total))

    @property
    def _normal_form(self) -> tuple[object, ...]:
        return self.name, self.levels, self.parents, self.total, self.table.shape, self.table.tolist()


def _entries(name: str, table: Any) -> Integers:
    """The entries as Python integers: numpy's own integers would wrap while they are added up."""
    array = np.asarray(table)
    if array.dtype.kind not in "iuO":
        # A list that holds integers on both sides of 2**63 becomes floats unless numpy is told.
        array = np.asarray(table, dtype=np.object_)
    found = np.array([_integer(name, value) for value in array.ravel()], dtype=np.object_)
    return found.reshape(array.shape)


def _integer(name: str, value: Any) -> int:
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError(f"factor '{name}': a weight is an integer, not {value!r}")
    return int(value)


def _rational(name: str, value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(_integer(name, value))


def _check_rows(name: str, parents: tuple[str, ...], entries: Integers, total: int) -> None:
    if total < 1:
        raise FactorError(name, f"its total is {total}", remedy="give a total of at least 1")
    sums = entries.sum(axis=-1, dtype=np.object_)
    for row in np.ndindex(entries.shape[:-1]):
        place = dict(zip(parents, row, strict=True))
        at = " at " + ", ".join(f"{parent}={code}" for parent, code in place.items()) if place else ""
        if min(entries[row]) < 0:
            shown = Fraction(int(min(entries[row])), total)
            raise FactorError(name, f"one of its probabilities{at} is negative: {shown}", row=place)
        found = Fraction(int(sums[row] if row else sums), total)
        if found != 1:
            raise FactorError(
                name,
                f"its probabilities{at} sum to {found}, not to 1",
                remedy="write probabilities that sum to 1 exactly",
                row=place,
                sum=found,
            )
