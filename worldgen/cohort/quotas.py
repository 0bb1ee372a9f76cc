"""Quotas: how many roots of a stratum must have a quantity in which interval.

A quantity is an expression over `q(EVENT)` and the shown numbers of a root. EVENT is a name of the world
(an event, or an option of its partition), or such names under `not`, `and` and `or`; `given=EVENT` may
follow. `max(q(A), 1 - q(A))` is how sure the exact answer is.
"""

import ast
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Grid, Numbers
from worldgen.exact.events import Event
from worldgen.exact.expressions import (
    ExpressionError,
    Term,
    column_of,
    names_of,
    parse,
    term,
)
from worldgen.exact.numbers import integers
from worldgen.exact.ratios import RATIOS, Ratios
from worldgen.exact.streams import Indices
from worldgen.worlds.base import Values, World


@dataclass(frozen=True)
class Quantity:
    """A number of a root. Raises ExpressionError for a text outside the language."""

    text: str

    def __post_init__(self) -> None:
        _ = self._term

    def __reduce__(self) -> tuple[type["Quantity"], tuple[str]]:
        """Only the text travels to other processes: the function made of it cannot."""
        return Quantity, (self.text,)

    @cached_property
    def _term(self) -> Term[Ratios]:
        return term(self.text, self._parts[0], RATIOS)

    @cached_property
    def _names(self) -> frozenset[str]:
        return names_of(self._parts[0])

    @cached_property
    def _parts(self) -> tuple[ast.expr, tuple[tuple[ast.expr, ast.expr | None], ...]]:
        """The tree with each q(...) replaced by a name, and what was asked in each."""
        asked: list[tuple[ast.expr, ast.expr | None]] = []
        text = self.text

        class Replace(ast.NodeTransformer):
            def visit_Call(self, node: ast.Call) -> ast.expr:
                if not (isinstance(node.func, ast.Name) and node.func.id == "q"):
                    return self.generic_visit(node)  # type: ignore[return-value]  # a call stays a call
                given = [word.value for word in node.keywords if word.arg == "given"]
                if len(node.args) != 1 or len(given) != len(node.keywords) or len(given) > 1:
                    message = "q takes one event, and one condition if any"
                    remedy = "write q(EVENT) or q(EVENT, given=EVENT)"
                    raise ExpressionError(text, column_of(text, node), message, remedy=remedy)
                asked.append((node.args[0], given[0] if given else None))
                return ast.copy_location(ast.Name(f"q {len(asked) - 1}", ast.Load()), node)

        return Replace().visit(parse(text)), tuple(asked)

    def fault(self, world: World) -> str:
        """Why a world does not have this quantity; empty if it does."""
        _, asked = self._parts
        numbers = {v.name for v in world.view.shown if isinstance(v.domain, Numbers | Grid)}
        unknown = sorted(name for name in self._names - numbers if not name.startswith("q "))
        if unknown:
            return f"{world.name} shows no number '{unknown[0]}'"
        try:
            for event, given in asked:
                self._event(world, event)
                if given is not None:
                    self._event(world, given)
        except ExpressionError as error:
            return error.message
        return ""

    def _event(self, world: World, tree: ast.expr) -> Event:
        match tree:
            case ast.Name(name) | ast.Constant(str() as name):
                for named in (world.events, world.partition):
                    if name in named:
                        return named[name]
                message = f"{world.name} has no event '{name}'"
                raise ExpressionError(self.text, column_of(self.text, tree), message)
            case ast.UnaryOp(ast.Not(), part):
                return ~self._event(world, part)
            case ast.BoolOp(operator, parts):
                events = [self._event(world, part) for part in parts]
                whole = events[0]
                for event in events[1:]:
                    whole = whole & event if isinstance(operator, ast.And) else whole | event
                return whole
        message = "an event is a name, or not, and, or of events"
        raise ExpressionError(self.text, column_of(self.text, tree), message)

    def of(self, world: World, values: Values, posteriors: Posteriors) -> Ratios:
        """The quantity of each row; undefined where a condition in it has probability zero, or where it
        divides by zero.
        """
        _, asked = self._parts
        known: dict[str, Ratios] = {}
        for number, (event, given) in enumerate(asked):
            whole = world.atoms.everything if given is None else self._event(world, given)
            tops = posteriors.weight(self._event(world, event) & whole)
            known[f"q {number}"] = Ratios.of(tops, posteriors.weight(whole))
        for variable in world.view.shown:
            if variable.name in self._names:
                known[variable.name] = _numbers(variable.domain, values[variable.name])
        return self._term(known).over(len(posteriors))


def _numbers(domain: object, codes: Codes) -> Ratios:
    assert isinstance(domain, Numbers | Grid)
    whole = domain.denominator
    return Ratios.of(domain.scaled(codes, whole), integers([whole], whole + 1))


@dataclass(frozen=True)
class Bin:
    """At least `low`, below `high`, for `roots` of every round of the quota."""

    low: Fraction
    high: Fraction
    roots: int


@dataclass(frozen=True)
class Quota:
    """Bins that take turns: of every sum-of-bins roots of a stratum, the first `roots` go to the first
    bin, and so on. Which bin a root must fall in follows from its index alone.
    """

    quantity: Quantity
    bins: tuple[Bin, ...]

    @property
    def round(self) -> int:
        """After how many roots the bins repeat."""
        return sum(each.roots for each in self.bins)

    def bin_of(self, indices: Indices) -> NDArray[np.int64]:
        """The position of the bin that each root belongs to."""
        ends = np.cumsum([each.roots for each in self.bins])
        return np.searchsorted(ends, indices % self.round, side="right")

    def admits(
        self, world: World, values: Values, posteriors: Posteriors, indices: Indices
    ) -> NDArray[np.bool_]:
        """Whether each row has its quantity in the bin of its index; never where it is undefined."""
        found, place = self.quantity.of(world, values, posteriors), self.bin_of(indices)
        lows = Ratios.listed([one.low for one in self.bins]).at(place)
        highs = Ratios.listed([one.high for one in self.bins]).at(place)
        return found.defined & found.at_least(lows) & ~found.at_least(highs)


@dataclass(frozen=True)
class Admission:
    """Which draws may stand as roots: in the bin of their index, and not among the excluded digests."""

    quota: Quota | None = None
    excluded: frozenset[str] = frozenset()

    def admits(self, world: World, values: Values, indices: Indices) -> NDArray[np.bool_]:
        """Whether each row of shown values may stand as the root of its index."""
        posteriors, possible = world.posterior(values)
        keep = possible.copy()
        if self.quota:
            keep &= self.quota.admits(world, values, posteriors, indices)
        if self.excluded:
            rows = np.flatnonzero(keep)
            digests = world.digests({name: codes[rows] for name, codes in values.items()}).to_pylist()
            keep[rows] = [digest not in self.excluded for digest in digests]
        return keep

    def bins(self, indices: Indices) -> NDArray[np.int64]:
        """A number for each root: roots of one number must meet one demand."""
        return self.quota.bin_of(indices) if self.quota else np.zeros(len(indices), dtype=np.int64)

    def demand(self, index: int) -> str:
        """What is asked of the root at an index, in words."""
        if not self.quota:
            return "positive mass" + (" and a digest that is not excluded" if self.excluded else "")
        own = self.quota.bins[int(self.quota.bin_of(np.array([index]))[0])]
        return f"{self.quota.quantity.text} in [{own.low}, {own.high})"


EVERYTHING = Admission()
