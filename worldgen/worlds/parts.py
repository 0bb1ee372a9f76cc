"""The parts of a world of cells: drawn numbers, cells, observations."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from worldgen.exact.domains import Codes, Grid, Numbers, Numeric
from worldgen.exact.partitions import Partition
from worldgen.exact.streams import Attempts, Indices
from worldgen.worlds.base import Streams


@dataclass(frozen=True)
class Drawn:
    """How a number of a root comes about: a value of `domain`, uniform or with integer weights.

    A domain with one value is a constant. Weights are aligned with the codes of the domain; a weighted
    grid is held as the table of its values.

    >>> from worldgen.exact.domains import Numbers
    >>> Drawn(Numbers((Fraction(0), Fraction(1), Fraction(2))), (1, 3, 0)).support
    (Fraction(0, 1), Fraction(1, 1))
    """

    domain: Numeric
    weights: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        grid = self.domain
        if self.weights is not None and isinstance(grid, Grid) and grid.size == len(self.weights):
            values = tuple(grid.value(code) for code in range(grid.size))
            object.__setattr__(self, "domain", Numbers(values, grid.notation))

    @property
    def support(self) -> tuple[Fraction, Fraction]:
        """The least and the greatest value of positive weight; those of the domain where there is none."""
        values = [
            self.domain.value(code)
            for code, weight in zip(range(self.domain.size), self.weights or (), strict=False)
            if weight > 0
        ]
        return (min(values), max(values)) if values else self.domain.extremes

    def draw(self, streams: Streams, purpose: str, indices: Indices, attempt: Attempts) -> Codes:
        """The code drawn for each root."""
        if self.domain.size == 1:
            return np.zeros(len(indices), dtype=np.int64)
        stream = streams.purpose(purpose)
        if self.weights is None:
            return stream.below(indices, attempt, self.domain.size)
        return self._codes.find(stream.below(indices, attempt, self._codes.total))

    @cached_property
    def _codes(self) -> Partition:
        assert self.weights is not None, "uniform codes need no weights"
        return Partition(self.weights)


@dataclass(frozen=True)
class Cell:
    """One cell: its value of each attribute, in the world's order, its category, count and likelihood."""

    values: tuple[str, ...]
    category: str
    count: Drawn
    likelihood: Drawn


@dataclass(frozen=True)
class Observation:
    """An attribute of the drawn cell that is read off with a given chance. Where it is, the likelihood
    of every cell with another value is zero.
    """

    attribute: str
    chance: Fraction
