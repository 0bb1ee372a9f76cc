"""Sums of products of tables, one variable after the other, in the cheapest arithmetic that is exact.

A table holds non-negative integers and a bound on them. To eliminate a variable, the tables that speak of it
are multiplied and the product is summed over it. All summands are non-negative, so every number on the way,
products and partial sums in any order, is at most the bound of the result: the bound of the largest table
times the greatest sum that a row of the product of the others has. That bound, known before anything is
computed, picks the arithmetic:

| bound at most | arithmetic | why it is exact                                                            |
| ------------- | ---------- | -------------------------------------------------------------------------- |
| 2**24         | float32    | it holds every integer up to 2**24, so no operation on them ever rounds     |
| 2**53         | float64    | the same, up to 2**53                                                      |
| 2**64 - 1     | uint64     | nothing wraps                                                              |
| beyond        | Python     | integers without a bound; by then the table has become small               |

An operation of IEEE 754 whose true result its type holds gives that result, fused or not, in whatever order a
matrix product adds up. So the products of BLAS are exact here, with any number of threads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.networks import check_size
from worldgen.exact.numbers import INT64_BOUND, Integers

Values = NDArray[Any]  # one of the four types of `arithmetic`, or a narrower type of integers


@dataclass(frozen=True, eq=False)
class Table:
    """A function of some variables: an axis for each of `names`, 0 <= values <= bound, and 1 <= bound."""

    names: tuple[str, ...]
    values: Values
    bound: int

    def along(self, names: Sequence[str]) -> Values:
        """The values with an axis for each of `names`, of size 1 for one that they do not depend on."""
        axes = [self.names.index(name) for name in names if name in self.names]
        sizes = sizes_of([self])
        return self.values.transpose(axes).reshape([sizes.get(name, 1) for name in names])

    @property
    def integers(self) -> Integers:
        """The values as integers: int64 where the bound is below 2**63, Python's otherwise."""
        return exactly(self.values, np.int64 if self.bound < INT64_BOUND else np.object_)


def arithmetic(bound: int) -> type[np.generic]:
    """The cheapest type in which non-negative integers up to `bound` are added and multiplied exactly.

    >>> [arithmetic(bound).__name__ for bound in (2**24, 2**53, 2**64 - 1, 2**64)]
    ['float32', 'float64', 'uint64', 'object_']
    """
    if bound <= 2**24:
        return np.float32
    if bound <= 2**53:
        return np.float64
    return np.uint64 if bound < 2**64 else np.object_


def exactly(values: Values, kind: type[np.generic]) -> Values:
    """The same integers in another of the types above; a float becomes a Python integer by way of int64."""
    if kind is np.object_ and values.dtype.kind == "f":
        values = values.astype(np.int64)
    return values.astype(kind, copy=False)


def eliminate(tables: Iterable[Table], keep: Sequence[str]) -> Table:
    """The product of tables, summed over every variable that is not in `keep`; its axes follow `keep`.

    Raises TooLargeError before a table of more than 10**8 entries is made.

    >>> rain = Table(("rain",), np.array([7, 3]), 7)
    >>> wet = Table(("rain", "wet"), np.array([[9, 1], [0, 10]]), 10)
    >>> eliminate([rain, wet], ["wet"]).values.tolist()
    [63.0, 37.0]
    """
    left = list(tables)
    order = elimination_order([table.names for table in left], sizes_of(left), keep)
    axes = [*keep, *reversed(order)]  # what goes first stands last, where its sum runs over adjacent numbers
    for name in order:
        touched = [table for table in left if name in table.names]
        scope = [axis for axis in axes if any(axis in table.names for table in touched)]
        left = [table for table in left if name not in table.names] + [summed(touched, scope)]
    return multiply(left, [name for name in keep if any(name in table.names for table in left)])


def multiply(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """The product of tables, with an axis for each of `names`, among which are all of theirs.

    Raises TooLargeError before a table of more than 10**8 entries is made.
    """
    sizes = sizes_of(tables)
    check_size(f"a table over {listed(names)}", [sizes.get(name, 1) for name in names])
    bound = prod(table.bound for table in tables)
    kind = arithmetic(bound)
    # No bound is below 1, so each table and each running product is at most the bound of the whole.
    factors = sorted((exactly(table.along(names), kind) for table in tables), key=np.size)
    ones = np.ones((1,) * len(names), dtype=kind)
    # Products of arrays without axes come back as plain numbers.
    return Table(tuple(names), np.asarray(reduce(np.multiply, factors, ones), dtype=kind), bound)


def sizes_of(tables: Iterable[Table]) -> dict[str, int]:
    """How many values each variable of the tables takes, in the order in which they name them."""
    return {
        name: size for table in tables for name, size in zip(table.names, table.values.shape, strict=True)
    }


def listed(names: Sequence[str]) -> str:
    """Names of variables as people read them."""
    return ", ".join(map(str.strip, names))


def elimination_order(
    scopes: Iterable[Sequence[str]], sizes: Mapping[str, int], keep: Sequence[str]
) -> list[str]:
    """The variables to sum over, in an order that keeps the tables small.

    Greedy: next comes the variable whose elimination leaves the smallest table; among equals, the one for
    which the largest table is multiplied with the least; then the one of fewest tables, a leaf before its
    parents.
    """
    left = [frozenset(scope) for scope in scopes]
    waiting = [name for name in sizes if name not in keep]
    order = []

    def volume(names: Iterable[str]) -> int:
        return prod(sizes[name] for name in names)

    def cost(name: str) -> tuple[int, int, int]:
        touched = sorted((scope for scope in left if name in scope), key=volume)
        left_over, others = frozenset().union(*touched) - {name}, frozenset().union(*touched[:-1])
        return volume(left_over), volume(others), len(touched)

    while waiting:
        name = min(waiting, key=cost)
        waiting.remove(name)
        order.append(name)
        touched = [scope for scope in left if name in scope]
        left = [scope for scope in left if name not in scope]
        left.append(frozenset[str]().union(*touched) - {name})
    return order


_BLOCK = 2**24  # entries that are converted at a time: a large table is never held twice
_ROWS = 16  # with fewer rows a matrix product costs more to call than to compute


def summed(tables: Sequence[Table], names: Sequence[str]) -> Table:
    """The product of tables, all of which speak of the last of `names`, summed over it.

    Its axes are the rest of `names`, which are all that the tables speak of. Raises TooLargeError before a
    table of more than 10**8 entries is made.

    >>> rain = Table(("rain",), np.array([7, 3]), 7)
    >>> wet = Table(("wet", "rain"), np.array([[9, 0], [1, 10]]), 10)
    >>> summed([rain, wet], ["wet", "rain"]).values.tolist()
    [63.0, 37.0]
    """
    sizes = sizes_of(tables)
    check_size(f"a table over {listed(names[:-1])}", [sizes[name] for name in names[:-1]])
    *others, largest = sorted(tables, key=lambda table: table.values.size)
    nothing = Table((names[-1],), np.ones(sizes[names[-1]], dtype=np.uint8), 1)
    weights = multiply(others or [nothing], names)
    rows = exactly(weights.values, arithmetic(weights.bound * sizes[names[-1]])).sum(axis=-1)
    # An entry is at most the sum of its row. A sum of zero counts as one: the largest table is converted too.
    bound = largest.bound * max(int(np.max(rows)), 1)
    return Table(tuple(names[:-1]), _contract(largest.along(names), weights.values, arithmetic(bound)), bound)


def _contract(values: Values, weights: Values, kind: type[np.generic]) -> Values:
    """The sum over the last axis of values * weights, which broadcast, in an arithmetic exact for it."""
    if values.size > _BLOCK and values.ndim > 1 and len(values) > 1:
        parts = [
            _contract(values[i : i + 1], weights if len(weights) == 1 else weights[i : i + 1], kind)
            for i in range(len(values))
        ]
        return np.concatenate(parts)
    values, weights = np.ascontiguousarray(exactly(values, kind)), exactly(weights, kind)
    *shape, size = np.broadcast_shapes(values.shape, weights.shape)
    lead = max((i + 1 for i, length in enumerate(weights.shape[:-1]) if length > 1), default=0)
    if np.dtype(kind).kind == "f" and values.shape == (*shape, size) and prod(shape[lead:]) >= _ROWS:
        # The weights vary along the first axes only: a matrix times a vector for each place of these.
        spread = np.broadcast_to(weights, (*shape[:lead], *weights.shape[lead:])).reshape(-1, size, 1)
        return np.asarray((values.reshape(len(spread), -1, size) @ spread).reshape(shape))
    total = np.asarray(values[..., 0] * weights[..., 0], dtype=kind)
    for i in range(1, size):
        total = np.asarray(total + values[..., i] * weights[..., i], dtype=kind)
    return total
