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

    `factor` is its name. Where one row is at fault, `row` gives the code of each parent there; where that row
    does not sum to one, `row_sum` is what it sums to. Otherwise they are None.
    """

    def __init__(
        self,
        factor: str,
        message: str,
        *,
        remedy: str = "",
        row: Mapping[str, int] | None = None,
        row_sum: Fraction | None = None,
    ) -> None:
        super().__init__(f"factor '{factor}': {message}", remedy=remedy)
        self.factor, self.row, self.row_sum = factor, row, row_sum


@dataclass(frozen=True, eq=False)
class Factor:
    """A variable with named levels, and its probabilities given those of its parents.

    `table[i, ..., k] / total` is the probability of level k where the parents have the codes i, ...: its
    shape is (*sizes of the parents, number of levels), and every row, the last axis, sums to `total` exactly.
    Nothing is ever renormalised. When built, table and total are divided by what they have in common and the
    table becomes int64 where the total is below 2**63, Python integers otherwise; factors are equal when that
    form is.

    Raises FactorError, which names the row and its sum, for a name that cannot be printed, no levels,
    repeated names, a negative entry or a row that does not sum to the total; TypeError for entries that are
    no integers.

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
        if not name.isprintable() or not name:
            raise FactorError(name, "a factor needs a name that can be printed")
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
        wrong = [value for value in array.ravel() if not (isinstance(value, Fraction) or _is_integer(value))]
        if wrong:
            raise TypeError(f"factor '{name}': a probability is a Fraction, not {wrong[0]!r}")
        values = [Fraction(value) for value in array.ravel()]
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

    def described(self, code: int) -> str:
        """A code as people read it.

        >>> Factor("rain", ("no", "yes"), (), [7, 3], 10).described(1)
        'rain=yes'
        """
        return f"{self.name}={self.levels[code]}"

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
    """The entries, as integers whose sums over a row cannot wrap."""
    array = np.asarray(table)
    if array.dtype.kind not in "iu":
        # A list that holds integers on both sides of 2**63 becomes floats unless numpy is told.
        array = np.asarray(table, dtype=np.object_)
        wrong = [value for value in array.ravel() if not _is_integer(value)]
        if wrong:
            raise TypeError(f"factor '{name}': a weight is an integer, not {wrong[0]!r}")
    array = np.frompyfunc(int, 1, 1)(array) if array.size else array
    largest = max(map(abs, np.asarray(array).ravel().tolist()), default=0)
    return integers(array, largest * array.size + 1)


def _is_integer(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _check_rows(name: str, parents: tuple[str, ...], entries: Integers, total: int) -> None:
    """Raises FactorError for the first row that has a negative entry or does not sum to the total."""
    if total < 1:
        raise FactorError(name, f"its total is {total}", remedy="give a total of at least 1")
    sums, least = np.asarray(entries.sum(axis=-1)), np.asarray(entries.min(axis=-1))
    for codes in np.argwhere(np.asarray((sums != total) | (least < 0), dtype=np.bool_))[:1]:
        cell = tuple(codes.tolist())
        row = dict(zip(parents, cell, strict=True))
        at = " at " + ", ".join(f"{parent}={code}" for parent, code in row.items()) if row else ""
        if least[cell] < 0:
            shown = Fraction(int(least[cell]), total)
            raise FactorError(name, f"one of its probabilities{at} is negative: {shown}", row=row)
        found = Fraction(int(sums[cell]), total)
        raise FactorError(
            name,
            f"its probabilities{at} sum to {found}, not to 1",
            remedy="write probabilities that sum to 1 exactly",
            row=row,
            row_sum=found,
        )
