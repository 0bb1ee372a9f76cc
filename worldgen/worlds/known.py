"""What was worked out for a number, kept for the next batch that asks for it."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

MOST = 2**17

T = TypeVar("T")


class Known(Generic[T]):
    """Values by number, each worked out once; all are forgotten before more than 2**17 are kept, so that a
    world with more patterns than that costs time, and not memory.

    >>> squares = Known[int]()
    >>> squares.of([3, 4], lambda missing: [n * n for n in missing])
    [9, 16]
    >>> squares.of([4, 5], lambda missing: [n * n for n in missing if n > 4])
    [16, 25]
    """

    def __init__(self) -> None:
        self._kept: dict[int, T] = {}

    def of(self, numbers: Sequence[int], made: Callable[[Sequence[int]], Sequence[T]]) -> list[T]:
        """The values of distinct numbers; `made` gives those of the numbers that are not known."""
        kept = self._kept  # another thread may start a new one meanwhile
        missing = [number for number in numbers if number not in kept]
        if len(kept) + len(missing) > MOST:
            self._kept = kept = {}
            missing = list(numbers)
        if missing:
            kept.update(zip(missing, made(missing), strict=True))
        return [kept[number] for number in numbers]
