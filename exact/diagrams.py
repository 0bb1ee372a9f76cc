"""The outcome as a decision diagram: where a rule leads to the same sums, they are computed once.

An outcome rule tells few things apart: with one factor left to sum over, what matters of all the others is
which of its levels lead where, and there are far fewer such rows than states. So the outcome is held as
codes: the entry of a state is values[codes[state]], at first the class itself. To eliminate a variable, rows
of codes along it are numbered anew, equal rows alike, and the sum is computed once for every distinct row.
What the sum multiplies with may depend on further variables, parents that are still there; these become axes
of the values beside the codes. The arithmetic is that of `exact.elimination`, on tables that are as small as
the rule is simple.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.elimination import Table, eliminate, elimination_order, listed, sizes_of, summed
from worldgen.exact.networks import check_size

Codes = NDArray[np.integer]

# A factor's name can be printed, so it is neither of these axes: that of the nodes, and that of the classes.
NODE, CLASS = "node\n", "class\n"

_LOOKUP = 2**12  # keys up to which it costs nothing to number those that do not occur


@dataclass(frozen=True, eq=False)
class Diagram:
    """A function of some variables, class by class: at x it is values[codes[x]], at the axes that x names.

    `codes` has an axis for each of `names`; the first axis of `values` is NODE, and one of them is CLASS. A
    variable may be in both.

    >>> both = Diagram.of(("a", "b"), np.array([[0, 0], [0, 1]]), 2)
    >>> once = both.eliminate("b", [Table(("b",), np.array([1, 4]), 4)])
    >>> once.codes.tolist(), once.values.values.tolist()
    ([0, 1], [[5.0, 0.0], [1.0, 4.0]])
    """

    names: tuple[str, ...]
    codes: Codes
    values: Table

    @classmethod
    def of(cls, names: tuple[str, ...], classes: Codes, count: int) -> "Diagram":
        """The indicator of each of `count` classes, where `classes` has an axis for each name."""
        return cls(names, classes, Table((NODE, CLASS), np.eye(count, dtype=np.uint8), 1))

    @property
    def scope(self) -> tuple[str, ...]:
        """The variables that the function depends on, CLASS included."""
        return (*self.names, *(name for name in self.values.names[1:] if name not in self.names))

    @property
    def crowded(self) -> bool:
        """Whether so many nodes differ that numbering them costs more than it saves."""
        return self.codes.size < 4 * len(self.values.values)

    @property
    def table(self) -> Table:
        """The same function as a table."""
        scope, values = self.scope, self.values
        sizes = sizes_of([values]) | dict(zip(self.names, self.codes.shape, strict=True))
        check_size(f"a table over {listed(scope)}", [sizes[name] for name in scope])
        axes = np.ix_(*(range(values.values.shape[values.names.index(name)]) for name in values.names[1:]))
        shape = [slice(None) if name in self.names else None for name in scope]
        places = [
            mesh.reshape([-1 if other == name else 1 for other in scope])
            for name, mesh in zip(values.names[1:], axes, strict=True)
        ]
        return Table(scope, values.values[(self.codes[tuple(shape)], *places)], values.bound)

    def eliminate(self, name: str, others: Sequence[Table]) -> "Diagram":
        """The product with other tables, all of which speak of `name`, summed over it."""
        values, rest = self.values, tuple(other for other in self.names if other != name)
        codes = self.codes
        if name in self.names:
            codes, children = _rows(np.moveaxis(codes, self.names.index(name), -1), len(values.values))
            kept = tuple(other for other in values.names[1:] if other != name)
            sizes = sizes_of([values])
            check_size(f"the nodes that {name} leads to", [*children.shape, *(sizes[axis] for axis in kept)])
            if name in values.names:  # a level of `name` has its own values at its own child
                moved = np.moveaxis(values.values, values.names.index(name), 1)
                spread = moved[children, np.arange(children.shape[1])]
            else:
                spread = values.values[children]
            values = Table((NODE, name, *kept), spread, values.bound)
        axes = [axis for axis in sizes_of([values, *others]) if axis != name]
        return Diagram(rest, codes, summed([values, *others], [*axes, name]))


def eliminate_outcome(outcome: Diagram, tables: Iterable[Table], keep: Sequence[str]) -> Table:
    """The outcome times the tables, summed over all but `keep`: its axes are those of `keep`, then CLASS.

    >>> both = Diagram.of(("a", "b"), np.array([[0, 0], [0, 1]]), 2)
    >>> coins = [Table((name,), np.array([1, 4]), 4) for name in "ab"]
    >>> eliminate_outcome(both, coins, []).values.tolist()
    [9.0, 16.0]
    """
    left = list(tables)
    sizes = sizes_of(left) | dict(zip(outcome.names, outcome.codes.shape, strict=True))
    for name in elimination_order([outcome.names, *(table.names for table in left)], sizes, keep):
        if outcome.crowded:
            break
        if name in outcome.scope:
            outcome = outcome.eliminate(name, [table for table in left if name in table.names])
            left = [table for table in left if name not in table.names]
    return eliminate([outcome.table, *left], [*keep, CLASS])


def _rows(codes: Codes, count: int) -> tuple[Codes, Codes]:
    """Rows of codes below `count`, along the last axis, numbered so that equal rows have one number.

    Gives the numbers, and the row behind each of them. Row by row, a number and the next code are one key,
    number * count + code; the keys that occur are numbered again where there are many.
    """
    numbers: Codes = codes[..., 0]
    rows: Codes = np.arange(count)[:, None]
    for place in range(1, codes.shape[-1]):
        bound = len(rows) * count
        keys = numbers.astype(np.min_scalar_type(bound)) * count + codes[..., place]
        last = place == codes.shape[-1] - 1
        found, numbers = _numbered(keys, bound) if last or bound > _LOOKUP else (np.arange(bound), keys)
        rows = np.column_stack([rows[found // count], found % count])
    return numbers, rows


def _numbered(keys: Codes, bound: int) -> tuple[Codes, Codes]:
    """The distinct keys, all below `bound`, in order, and the place of each key among them."""
    if bound > max(4 * keys.size, 2**16):
        found, places = np.unique(keys, return_inverse=True)
        # Joined with signed integers, unsigned ones of 64 bits would become floats.
        return found.astype(np.int64), places.reshape(keys.shape)
    used = np.zeros(bound, dtype=np.bool_)
    used[keys] = True
    found = np.flatnonzero(used)
    numbers = np.zeros(bound, dtype=np.min_scalar_type(len(found)))
    numbers[found] = np.arange(len(found))
    return found, numbers[keys]
