"""Networks: factors that depend on each other without a cycle, and an outcome that they determine.

A *state* is one level of every factor; its probability is the product of one entry of each table. The
outcome is a function of the state. A *view* shows some of the factors; one that no view shows is what
is called a residual. A *pattern* is one level of each factor that is shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from worldgen.exact.errors import WorldgenError
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor

Codes = NDArray[np.int64]
Rule = Callable[[Mapping[str, Codes]], NDArray[np.int64] | NDArray[np.bool_]]

LARGEST_TABLE = 10**8  # entries of any table that is made
_BLOCK = 2**20  # states that a rule is asked for at a time


class NetworkError(WorldgenError):
    """Factors that do not make a network, or a name that the network does not have."""


class CycleError(NetworkError):
    """Factors that depend on themselves; `path` names them in order, the first one again at the end."""

    def __init__(self, path: Sequence[str]) -> None:
        super().__init__(
            f"the factors depend on each other in a circle: {' -> '.join(path)}",
            remedy="take one of these parents away",
        )
        self.path = tuple(path)


class TooLargeError(NetworkError):
    """A table of more than 10**8 entries; `size` is how many there would be. Nothing was allocated."""

    def __init__(self, what: str, size: int) -> None:
        super().__init__(
            f"{what}: {size:,} entries, and {LARGEST_TABLE:,} is the most",
            remedy="use fewer factors or levels, or a rule that reads fewer of them",
        )
        self.size = size


@dataclass(frozen=True)
class Outcome:
    """What a state leads to: one of the atoms (the classes), by a rule that reads some factors.

    `rule` maps the name of each factor in `reads` to an int64 array of codes, arrays that broadcast with each
    other, and gives the class of each combination: integers (or booleans) that broadcast with them.

    >>> import numpy as np
    >>> both = Outcome(Atoms(("no", "yes")), ("a", "b"), lambda codes: (codes["a"] > 0) & (codes["b"] > 0))
    >>> both.classes({"a": np.arange(2)[:, None], "b": np.arange(2)[None, :]}).tolist()
    [[0, 0], [0, 1]]
    """

    atoms: Atoms
    reads: tuple[str, ...]
    rule: Rule

    def classes(self, codes: Mapping[str, Codes]) -> NDArray[np.int64]:
        """The class of each combination of codes. Raises ValueError where the rule gives no class."""
        found = np.asarray(self.rule({name: codes[name] for name in self.reads}))
        if found.dtype.kind not in "biu":
            raise ValueError(f"a rule gives integers, the codes of classes, not {found.dtype}")
        if found.size and not 0 <= found.min() <= found.max() < len(self.atoms):
            raise ValueError(f"a rule gives classes from 0 to {len(self.atoms) - 1}")
        return found.astype(np.int64)


@dataclass(frozen=True)
class Network:
    """Factors and the outcome they determine.

    Raises NetworkError for a name that stands twice, a parent or a factor read by the rule that is unknown,
    or a table that does not fit the levels of the parents; CycleError, with the path, for a cycle;
    TooLargeError where the factors that the rule reads have more than 10**8 joint levels.

    >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> rule = Outcome(Atoms(("0", "1")), ("coin", "noise"), lambda codes: codes["coin"] ^ codes["noise"])
    >>> Network((coin, noise), rule).states
    4
    """

    factors: tuple[Factor, ...]
    outcome: Outcome

    def __post_init__(self) -> None:
        names = [factor.name for factor in self.factors]
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise NetworkError(f"a factor stands twice: {', '.join(twice)}")
        for factor in self.factors:
            self.check_known(factor.parents, f"factor '{factor.name}' depends on")
        self.check_known(self.outcome.reads, "the outcome reads")
        if not nx.is_directed_acyclic_graph(self.graph):
            edges = nx.find_cycle(self.graph)
            raise CycleError([edges[0][0], *(edge[1] for edge in edges)])
        for factor in self.factors:
            wanted = tuple(self.size(name) for name in factor.scope)
            if factor.table.shape != wanted:
                raise NetworkError(
                    f"the table of '{factor.name}' has shape {factor.table.shape}, and {factor.scope} have "
                    f"{wanted} levels"
                )
        check_size("the states that the outcome rule tells apart", self.sizes(self.outcome.reads))

    def check_known(self, names: Sequence[str], who: str) -> None:
        """Raises NetworkError, which says `who` names it, for a factor that there is not."""
        unknown = [name for name in names if name not in self.by_name]
        if unknown:
            raise NetworkError(
                f"{who} '{unknown[0]}', and there is no such factor",
                remedy=f"choose from {', '.join(self.by_name)}",
            )

    @cached_property
    def by_name(self) -> dict[str, Factor]:
        """The factors by their names."""
        return {factor.name: factor for factor in self.factors}

    @cached_property
    def graph(self) -> "nx.DiGraph[str]":
        """An edge from every parent to its child."""
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(factor.name for factor in self.factors)
        graph.add_edges_from((parent, factor.name) for factor in self.factors for parent in factor.parents)
        return graph

    def size(self, name: str) -> int:
        """The number of levels of a factor."""
        return self.by_name[name].size

    def sizes(self, names: Sequence[str]) -> tuple[int, ...]:
        """The number of levels of each of these factors."""
        return tuple(map(self.size, names))

    def described(self, codes: Mapping[str, int]) -> str:
        """Codes as people read them: the names of the factors and of their levels."""
        return ", ".join(self.by_name[name].described(code) for name, code in codes.items())

    @property
    def states(self) -> int:
        """The number of states, those of probability zero included."""
        return prod(factor.size for factor in self.factors)

    @cached_property
    def classes(self) -> NDArray[np.unsignedinteger]:
        """The class of every combination of what the rule reads, an axis for each of `outcome.reads`.

        The rule is asked for blocks of them, so that what it makes on the way stays small.
        """
        reads, sizes = self.outcome.reads, self.sizes(self.outcome.reads)
        found = np.empty(sizes, dtype=np.min_scalar_type(len(self.outcome.atoms)))
        depth = next(i for i in range(len(sizes) + 1) if prod(sizes[i:]) <= _BLOCK)
        mesh = np.ix_(*map(np.arange, sizes[depth:]))
        for fixed in np.ndindex(sizes[:depth]):
            codes = [*map(np.int64, fixed), *mesh]
            found[fixed] = self.outcome.classes(dict(zip(reads, map(np.asarray, codes), strict=True)))
        found.setflags(write=False)
        return found

    def ancestors(self, names: Sequence[str]) -> frozenset[str]:
        """These factors and everything that they depend on."""
        return frozenset(names).union(*(nx.ancestors(self.graph, name) for name in names))

    def relevant(self, shown: Sequence[str], given: Sequence[str] = ()) -> tuple[str, ...]:
        """The shown factors that the outcome may depend on, once the others and `given` are known.

        The outcome is independent of the rest, whatever the tables hold: in the moral graph of what the
        outcome and these factors depend on, every path between the two passes through a factor that is shown.
        Raises NetworkError for unknown names.

        >>> coins = [Factor(name, ("tails", "heads"), (), [1, 1], 2) for name in "abc"]
        >>> first = Outcome(Atoms(("lost", "won")), ("a",), lambda codes: codes["a"])
        >>> Network(tuple(coins), first).relevant(["c", "a"])
        ('a',)
        """
        self.check_known([*shown, *given], "a view shows")
        outcome, known = object(), {*shown, *given}  # a node that no name can equal
        graph: nx.DiGraph[object] = nx.DiGraph()
        graph.add_node(outcome)
        graph.add_edges_from((name, outcome) for name in self.outcome.reads)
        behind = self.ancestors([*known, *self.outcome.reads])
        graph.add_edges_from(self.graph.subgraph(behind).edges)
        graph.add_nodes_from(behind)
        moral = nx.moral_graph(graph)
        seen, front = {outcome}, [outcome]
        while front:
            near = set(moral.neighbors(front.pop())) - seen
            seen |= near
            front.extend(near - known)
        return tuple(name for name in shown if name in seen)


def check_size(what: str, sizes: Sequence[int]) -> None:
    """Raises TooLargeError where a table of these sizes would hold more than 10**8 entries."""
    if prod(sizes) > LARGEST_TABLE:
        raise TooLargeError(what, prod(sizes))
