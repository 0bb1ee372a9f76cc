"""What was worked out for a number, kept for the next batch that asks for it."""

from collections.abc import Callable
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST = 2**17

Numbers = NDArray[np.int64]
Rows = NDArray[Any]


class Known:
    """Rows of an array by numbers from 0 to `size` - 1, worked out when they are asked for.

    The row of a number lies in the place number mod 2**17, and stays there until one that shares the place is
    worked out: a world with more numbers than places costs time, and not memory.

    >>> squares = Known(10)
    >>> squares.of(np.array([3, 4, 3]), lambda missing: missing**2).tolist()
    [9, 16, 9]
    >>> squares.of(np.array([4, 5]), lambda missing: missing**2 if 4 not in missing else missing).tolist()
    [16, 25]
    """

    def __init__(self, size: int) -> None:
        self._places = min(size, MOST)
        self._lock = Lock()  # threads share a world, and one must not overwrite what another is about to read
        self._owners: Numbers = np.full(self._places, -1, dtype=np.int64)
        self._rows: Rows | None = None

    def of(self, numbers: Numbers, made: Callable[[Numbers], Rows]) -> Rows:
        """The rows of n numbers, (n, ...). `made` gives those of the numbers that are not known, which it is
        asked for once each and in ascending order; all that it ever gives has one type and width.
        """
        with self._lock:
            places = numbers % self._places
            unknown = self._owners[places] != numbers
            if self._rows is not None and not unknown.any():
                return np.take(self._rows, places, axis=0)
            missing = np.unique(numbers[unknown])
            rows = made(missing)
            if self._rows is None:
                self._rows = np.zeros((self._places, *rows.shape[1:]), dtype=rows.dtype)
            found = np.take(self._rows, places, axis=0)
            found[unknown] = rows[np.searchsorted(missing, numbers[unknown])]
            taken, first = np.unique(missing % self._places, return_index=True)
            self._owners[taken], self._rows[taken] = missing[first], rows[first]
            return found
