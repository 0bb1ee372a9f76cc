"""The parts of a world of factors, as they are written: factors, shifts, a residual, measurements, fields."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np

from worldgen.exact.domains import Codes, Grid, Numbers
from worldgen.exact.factors import Factor
from worldgen.exact.numbers import Notation, write_number
from worldgen.exact.partitions import Partition
from worldgen.exact.rules import Amounts
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable
from worldgen.worlds.base import Streams

RESIDUAL = "residual"

Levels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Shift:
    """Probability moved from the level `source` to the level `target`: `by[i]` of it where the factor
    `given` has its level i. A negative amount moves the other way.
    """

    given: str
    source: str
    target: str
    by: tuple[Fraction, ...]


@dataclass(frozen=True)
class FactorPart:
    """A factor with named levels, and its probabilities before and after shifts.

    `masses` are its probabilities given the levels of the factors `given`, in C order: the level of the
    factor itself runs fastest. Without masses all levels are as likely. `amounts` is what a rule reads for
    its name.
    """

    name: str
    levels: tuple[str, ...]
    masses: tuple[Fraction, ...] = ()
    given: tuple[str, ...] = ()
    shifts: tuple[Shift, ...] = ()
    amounts: Amounts | None = None

    @property
    def parents(self) -> tuple[str, ...]:
        """The factors that its probabilities depend on: those given, then those of shifts."""
        return tuple(dict.fromkeys((*self.given, *(shift.given for shift in self.shifts))))

    def row(self, place: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[Fraction, ...]:
        """The probabilities before shifts where the factors `given`, of `sizes` levels, have these codes.

        >>> FactorPart("coin", ("tails", "heads")).row((), ())
        (Fraction(1, 2), Fraction(1, 2))
        """
        width = len(self.levels)
        if not self.masses:
            return (Fraction(1, width),) * width
        start = int(np.ravel_multi_index(place, sizes)) if place else 0
        return self.masses[start * width : (start + 1) * width]

    def rows(self, levels: Levels) -> Iterator[tuple[dict[str, int], tuple[Fraction, ...]]]:
        """The codes of all parents, and the probabilities after shifts, row by row.

        >>> by = (Fraction(0), Fraction(1, 8))
        >>> coin = FactorPart("coin", ("tails", "heads"), shifts=(Shift("hand", "tails", "heads", by),))
        >>> [row for _, row in coin.rows({"hand": ("left", "right"), "coin": coin.levels})][1]
        (Fraction(3, 8), Fraction(5, 8))
        """
        sizes = tuple(len(levels[name]) for name in self.given)
        for codes in product(*(range(len(levels[name])) for name in self.parents)):
            place = dict(zip(self.parents, codes, strict=True))
            found = list(self.row(tuple(place[name] for name in self.given), sizes))
            for shift in self.shifts:
                moved = shift.by[place[shift.given]]
                found[self.levels.index(shift.source)] -= moved
                found[self.levels.index(shift.target)] += moved
            yield place, tuple(found)

    def factor(self, levels: Levels) -> Factor:
        """The factor with its table worked out."""
        shape = (*(len(levels[name]) for name in self.parents), len(self.levels))
        masses = [mass for _, row in self.rows(levels) for mass in row]
        table = np.array(masses, dtype=np.object_).reshape(shape)
        return Factor.of(self.name, self.levels, table, self.parents)


@dataclass(frozen=True)
class Residual:
    """A number that the outcome depends on and that no view shows, with its exact law.

    `notation` is how the numbers are written: a level of the factor is named after its number.
    """

    numbers: tuple[Fraction, ...]
    masses: tuple[Fraction, ...]
    notation: Notation = "rational"

    @property
    def part(self) -> FactorPart:
        """The residual as a factor, named `residual`.

        >>> half = Fraction(1, 2)
        >>> Residual((Fraction(-1), Fraction(1)), (half, half)).part.levels
        ('-1', '1')
        """
        places = Numbers(self.numbers, self.notation).places
        levels = tuple(write_number(number, self.notation, places) for number in self.numbers)
        return FactorPart(RESIDUAL, levels, self.masses, amounts=Amounts((RESIDUAL,), self.numbers))


@dataclass(frozen=True)
class Measurement:
    """A factor that is shown as a number: one of the grid inside the interval of its level, each as likely.

    The first level begins where the grid does, each further one at its number in `starts`: a number on the
    border belongs to the higher level.
    """

    name: str
    of: str
    grid: Grid
    starts: tuple[Fraction, ...]

    @property
    def variable(self) -> Variable:
        """What is shown."""
        return Variable(self.name, self.grid)

    @cached_property
    def ends(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The first code of each level, and the number of codes at the end.

        A start between two numbers of the grid begins at the higher one, hence the ceiling.

        >>> grid = Grid(Fraction(0), Fraction(1, 2), 5, "rational")
        >>> Measurement("height", "size", grid, (Fraction(1),)).ends.tolist()
        [0, 2, 5]
        """
        inner = [-int((self.grid.low - start) // self.grid.step) for start in self.starts]
        return np.array([0, *inner, self.grid.size], dtype=np.int64)

    def level(self, codes: Codes) -> Codes:
        """The code of the level that each code of the grid shows."""
        return np.searchsorted(self.ends[1:-1], codes, side="right").astype(np.int64)

    def draw(self, levels: Codes, streams: Streams, indices: Indices, attempt: Attempts) -> Codes:
        """A code of the grid for each root, uniform in the interval of its level."""
        chosen = np.asarray(levels, dtype=np.int64)
        sizes = np.diff(self.ends)[chosen]
        stream = streams.purpose(f"measurement {self.name}")
        return self.ends[chosen] + np.asarray(stream.below(indices, attempt, sizes), dtype=np.int64)


@dataclass(frozen=True)
class Field:
    """A field that is shown and that nothing depends on: drawn apart, uniform or with integer weights.

    Weights are aligned with the codes of the domain of the variable, which is finite.
    """

    variable: Variable
    weights: tuple[int, ...] | None = None

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Codes:
        """The code drawn for each root."""
        stream = streams.purpose(f"irrelevant {self.variable.name}")
        size = self.variable.domain.size
        assert size is not None, "the checks of a world let finite domains through only"
        if self.weights is None:
            return stream.below(indices, attempt, size)
        return self._codes.find(stream.below(indices, attempt, self._codes.total))

    @cached_property
    def _codes(self) -> Partition:
        assert self.weights is not None, "uniform codes need no weights"
        return Partition(self.weights)
