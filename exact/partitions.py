"""Where marks fall among intervals that follow each other from 0: the inverse of a cumulative law."""

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, integers

_CELLS = 2**11  # at most
_MANY = 2**11  # so many marks are worth a table of the cells


class Partition:
    """The whole numbers below the sum of some weights, cut in order: interval k has weights[k] of them.

    Weights are whole numbers from 0, their sum at least 1. `find` is `np.searchsorted` of the ends of the
    intervals: for many marks, most are found by their leading bits. All numbers that share these make a
    cell; where no interval ends inside a cell, each number of it lies in the interval of the first.

    >>> dice = Partition([1, 2, 0, 1])
    >>> dice.total, dice.find(np.array([0, 1, 2, 3])).tolist()
    (4, [0, 1, 1, 3])
    """

    def __init__(self, weights: Sequence[int]) -> None:
        self.total = sum(weights)
        self._ends = integers(list(accumulate(weights)), self.total + 1)
        self._shift = max(0, (self.total - 1).bit_length() - (_CELLS - 1).bit_length())

    def find(self, marks: Integers) -> NDArray[np.int64]:
        """The interval of each mark, 0 <= mark < total."""
        if self._ends.dtype == np.object_ or len(marks) < _MANY:
            return np.searchsorted(self._ends, marks, side="right").astype(np.int64)
        first, cut = self._cells
        cells = marks >> self._shift
        found = first.take(cells)
        rest = np.flatnonzero(cut.take(cells))
        found[rest] = np.searchsorted(self._ends, marks[rest], side="right")
        return found

    @cached_property
    def _cells(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The interval of the first number of each cell, and whether the last has another."""
        starts = np.arange(((self.total - 1) >> self._shift) + 1) << self._shift
        first, last = (
            np.searchsorted(self._ends, marks, side="right").astype(np.int64)
            for marks in (starts, starts + ((1 << self._shift) - 1))
        )
        return first, first != last
