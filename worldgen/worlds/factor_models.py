"""Models of factors: the law of a world, which all its views share."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from math import prod
from typing import Any, cast

import networkx as nx
import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact.domains import Phrases
from worldgen.exact.events import Atoms, Event
from worldgen.exact.joints import Joint, joint
from worldgen.exact.networks import Network, Outcome
from worldgen.exact.numbers import Integers
from worldgen.exact.rules import Amounts, Rule, Scope
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable
from worldgen.faults import SpecError
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.base import Streams
from worldgen.worlds.factor_checks import FactorDraft, factor_faults
from worldgen.worlds.factor_parts import FactorPart, Field, Levels, Measurement, Residual


@dataclass(frozen=True)
class FactorModel:
    """Factors, the rule by which they decide which class comes true, and the views of them.

    `classes` maps a name to what it says in a sentence; the event A holds in those that are `positive`;
    `ordered` says that they run from lowest to highest. `views` maps a name to the factors that it hides,
    each view hiding all that the one before hides. Raises SpecError with all that is wrong.
    """

    name: str
    factors: tuple[FactorPart, ...]
    rule: str
    classes: Mapping[str, str]
    positive: tuple[str, ...]
    views: Mapping[str, tuple[str, ...]]
    encodings: Mapping[str, Encoding]
    tables: Mapping[str, Amounts]
    terms: Mapping[str, str]
    residual: Residual | None = None
    measurements: tuple[Measurement, ...] = ()
    irrelevant: tuple[Field, ...] = ()
    title: str = ""
    ordered: bool = False

    def __post_init__(self) -> None:
        draft = FactorDraft(
            self.name,
            self.title,
            {part.name: part for part in self.factors},
            {part.name: part.levels for part in self.factors},
            self.rule,
            self.classes,
            self.positive,
            self.ordered,
            self.views,
            self.encodings,
            self.tables,
            self.terms,
            self.residual,
            {one.name: one for one in self.measurements},
            {one.variable.name: one for one in self.irrelevant},
        )
        if found := list(factor_faults(draft)):
            raise SpecError(found)

    def __eq__(self, other: object) -> bool:
        """Equal in every part; what is shown or asked in order, in the same order."""
        return isinstance(other, FactorModel) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.name, self.rule))

    def __getstate__(self) -> dict[str, Any]:
        """Only what was given travels to other processes: the rest is worked out there again."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    def _parts(self) -> dict[str, object]:
        ordered = ("classes", "views", "encodings")
        return self.__getstate__() | {name: list(getattr(self, name).items()) for name in ordered}

    @cached_property
    def parts(self) -> tuple[FactorPart, ...]:
        """The factors, then the residual if there is one."""
        return self.factors if self.residual is None else (*self.factors, self.residual.part)

    @cached_property
    def levels(self) -> Levels:
        """The levels of every factor, the residual among them."""
        return {part.name: part.levels for part in self.parts}

    @cached_property
    def atoms(self) -> Atoms:
        """The classes."""
        return Atoms(tuple(self.classes))

    def event(self, names: Sequence[str], label: str) -> Event:
        """The event that one of these classes comes true."""
        return self.atoms.membership(names, label)

    @cached_property
    def decision(self) -> Rule:
        """The rule, compiled."""
        amounts = {part.name: part.amounts for part in self.parts if part.amounts is not None}
        return Rule(self.rule, Scope(self.levels, amounts, self.tables, self.terms, tuple(self.classes)))

    @cached_property
    def network(self) -> Network:
        """The factors with their tables worked out, and the outcome."""
        reads = tuple(name for name in self.levels if name in self.decision.factors)
        outcome = Outcome(self.atoms, reads, self.decision.outcomes)
        return Network(tuple(part.factor(self.levels) for part in self.parts), outcome)

    @cached_property
    def law(self) -> str:
        """SHA-256, in hex, of all that a posterior depends on beside what is shown: every table worked out,
        the rule and what it names.
        """
        factors = [
            [
                factor.name,
                list(factor.levels),
                list(factor.parents),
                str(factor.table.tolist()),
                str(factor.total),
            ]
            for factor in self.network.factors
        ]
        amounts = {part.name: part.amounts for part in self.parts if part.amounts is not None}
        numbers = {
            kind: {name: [list(one.of), list(map(str, one.numbers))] for name, one in named.items()}
            for kind, named in (("amounts", amounts), ("tables", self.tables))
        }
        content: Any = {"factors": factors, "rule": self.rule, "terms": dict(self.terms), **numbers}
        return hashlib.sha256(rfc8785.dumps(content)).hexdigest()

    @cached_property
    def _joints(self) -> dict[tuple[str, ...], Joint]:
        return {}

    def joint(self, hidden: Sequence[str] = ()) -> Joint:
        """The joint law of the outcome and of the factors that are shown when these are hidden."""
        shown = tuple(part.name for part in self.factors if part.name not in hidden)
        if shown not in self._joints:
            self._joints[shown] = joint(self.network, shown)
        return self._joints[shown]

    @property
    def states(self) -> int:
        """The number of states, the residual counted."""
        return prod(map(len, self.levels.values()))

    @property
    def patterns(self) -> int:
        """The number of states that differ in what a view may show."""
        return prod(len(part.levels) for part in self.factors)

    def shown_as(self, part: FactorPart) -> Variable:
        """The variable by which a factor is shown: its levels, or the number that is measured of it."""
        measured = self.measured.get(part.name)
        return measured.variable if measured else Variable(part.name, Phrases(part.levels))

    @cached_property
    def measured(self) -> Mapping[str, Measurement]:
        """The measurements, by the factor that each is of."""
        return {one.of: one for one in self.measurements}

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> dict[str, NDArray[np.int64]]:
        """A state for each root: the codes of all factors, each drawn by its row, parents first."""
        codes: dict[str, NDArray[np.int64]] = {}
        for name in nx.topological_sort(self.network.graph):
            factor = self.network.by_name[name]
            rows = factor.table[tuple(codes[parent] for parent in factor.parents)]
            weights = cast(Integers, np.broadcast_to(rows, (len(indices), factor.size)))
            chosen = streams.purpose(f"factor {name}").choose(indices, attempt, weights, factor.total)
            codes[name] = np.asarray(chosen, dtype=np.int64)
        return codes
