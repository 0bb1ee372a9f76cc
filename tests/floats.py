"""Sums of floating-point numbers as compiled code forms them."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(values: Iterable[float]) -> float:
    """One after the other; `sum` compensates since Python 3.12, and gives other last digits."""
    return reduce(add, values)
