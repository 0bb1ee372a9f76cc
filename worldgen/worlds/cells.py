"""Cell worlds: a shown table of cells, each with attributes, a category, a count and a likelihood.

One cell is drawn with chance proportional to count times likelihood, given the evidence that the
likelihoods describe. A fixed table and a generator of tables are one thing: a count or likelihood is
a number, or a range that is drawn for every root.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from typing import ClassVar

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact.decimals import agrees, decimal_posterior
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Numbers, Numeric, Phrases
from worldgen.exact.errors import DomainError
from worldgen.exact.events import Atoms, Event
from worldgen.exact.numbers import Integers
from worldgen.exact.posterior import posteriors
from worldgen.exact.streams import Indices
from worldgen.exact.variables import Variable, View
from worldgen.faults import SpecError
from worldgen.renderers.encodings import Encoding
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import Draw, Streams, Values, draw_nuisance
from worldgen.worlds.checks import cell_faults
from worldgen.worlds.definitions import CATEGORY, All, Definition, Is, Not, Ref, holds, phrase
from worldgen.worlds.drafts import CellDraft, WorldDraft
from worldgen.worlds.parts import Cell, Observation


@dataclass(frozen=True)
class CellWorld:
    """A world of cells. Built in Python or read from a spec, it is the same object.

    `attributes` maps a name to its values; `events` a name to a definition; `metadata` are nuisance
    variables. The atoms are the cells, by position. Raises SpecError with all that is wrong.
    """

    family: ClassVar[str] = "cells"

    name: str
    rule: str
    attributes: Mapping[str, tuple[str, ...]]
    categories: tuple[str, ...]
    cells: tuple[Cell, ...]
    definitions: Mapping[str, Definition]
    encodings: Mapping[str, Encoding]
    observations: tuple[Observation, ...] = ()
    metadata: tuple[Variable, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        draft = WorldDraft(
            self.name,
            self.title,
            self.rule,
            self.attributes,
            self.categories,
            [CellDraft(cell.values, cell.category, cell.count, cell.likelihood) for cell in self.cells],
            self.definitions,
            self.encodings,
            self.observations,
            self.metadata,
        )
        if found := list(cell_faults(draft)):
            raise SpecError(found)

    @cached_property
    def atoms(self) -> Atoms:
        """The cells, named by position."""
        return Atoms(tuple(str(i) for i in range(len(self.cells))))

    @cached_property
    def view(self) -> View:
        """All counts and likelihoods, then the metadata as nuisance."""
        shown = [Variable(f"count_{i}", cell.count.domain) for i, cell in enumerate(self.cells)]
        shown += [Variable(f"likelihood_{i}", self._likelihood(cell)) for i, cell in enumerate(self.cells)]
        return View("full", tuple(shown), self.metadata)

    @cached_property
    def hidden(self) -> tuple[Variable, ...]:
        """For each observation, whether it was made."""
        return tuple(
            Variable(f"observed_{seen.attribute}", Phrases(("no", "yes"))) for seen in self.observations
        )

    def _likelihood(self, cell: Cell) -> Numeric:
        domain = cell.likelihood.domain
        if not self.observations:
            return domain
        values = {domain.value(code) for code in range(domain.size)} | {Fraction(0)}
        return Numbers(tuple(sorted(values)), domain.notation)

    @cached_property
    def partition(self) -> Mapping[str, Event]:
        """The categories, in the world's order."""
        return {name: self._event(Is(CATEGORY, (name,))) for name in self.categories}

    @cached_property
    def events(self) -> Mapping[str, Event]:
        """The events of the spec, then "not X" for each and "X and Y" and "not (X and Y)" for each two."""
        names = list(self.definitions)
        asked: dict[str, Definition] = dict(self.definitions)
        asked |= {f"not {name}": Not(self.definitions[name]) for name in names}
        for x, y in permutations(names, 2):
            both = All((Ref(x), Ref(y)))
            asked |= {f"{x} and {y}": both, f"not ({x} and {y})": Not(both)}
        return {name: self._event(definition) for name, definition in asked.items()}

    def _event(self, definition: Definition) -> Event:
        cells = (
            i for i, cell in enumerate(self.cells) if holds(definition, self._row(cell), self.definitions)
        )
        return self.atoms.event(cells, phrase(definition, self.definitions))

    def _row(self, cell: Cell) -> dict[str, str]:
        return dict(zip(self.attributes, cell.values, strict=True)) | {CATEGORY: cell.category}

    def template_names(self, *, metadata: bool) -> Mapping[str, Constant]:
        """rule, attributes, cells (id, values, category, count, likelihood) and metadata (name, value)."""
        shown = {variable.name: variable for variable in self.view.shown}
        cells: list[Constant] = [
            {
                "id": str(i),
                "values": list(cell.values),
                "category": cell.category,
                "count": shown[f"count_{i}"],
                "likelihood": shown[f"likelihood_{i}"],
            }
            for i, cell in enumerate(self.cells)
        ]
        listed: list[Constant] = [{"name": item.name, "value": item} for item in self.metadata]
        return {
            "rule": self.rule,
            "attributes": list(self.attributes),
            "cells": cells,
            "metadata": listed if metadata else [],
        }

    @cached_property
    def _likelihood_denominator(self) -> int:
        domains = [variable.domain for variable in self.view.shown[len(self.cells) :]]
        return int(np.lcm.reduce([domain.denominator for domain in domains], dtype=object))  # type: ignore[union-attr]

    def _weights(self, values: Values) -> tuple[Integers, Integers, int]:
        """Counts (n, K), likelihoods (n, K) over the common denominator, and a bound on their products."""
        size, denominator = len(self.cells), self._likelihood_denominator
        shown = self.view.shown
        counts = [_scaled(variable, values, 1) for variable in shown[:size]]
        likelihoods = [_scaled(variable, values, denominator) for variable in shown[size:]]
        largest = max(int(cell.count.domain.extremes[1]) for cell in self.cells) * denominator
        return np.stack(counts, axis=1), np.stack(likelihoods, axis=1), largest

    def posterior(self, values: Values) -> tuple[Posteriors, NDArray[np.bool_]]:
        """The posterior of each row, and whether any cell has positive mass."""
        counts, likelihoods, largest = self._weights(values)
        return posteriors(self.atoms, counts, likelihoods, largest)

    def _decimals(self, values: Values) -> Iterator[list[Decimal] | None]:
        counts, likelihoods, _ = self._weights(values)
        for weights, chances in zip(counts.tolist(), likelihoods.tolist(), strict=True):
            yield decimal_posterior(weights, chances, self._likelihood_denominator)

    def slow_posterior(self, values: Values) -> list[list[Fraction] | None]:
        """The posterior of each row in 70-digit decimals, as fractions; None without mass."""
        return [masses and list(map(Fraction, masses)) for masses in self._decimals(values)]

    def disagreements(self, values: Values, posteriors: Posteriors) -> list[int]:
        """The rows where 70-digit decimals do not come within 1e-15 of the posterior in every cell."""
        exact = zip(posteriors.numerators.tolist(), posteriors.denominators.tolist(), strict=True)
        return [
            row
            for row, (masses, (tops, bottom)) in enumerate(zip(self._decimals(values), exact, strict=True))
            if masses is None or not agrees(masses, tops, bottom)
        ]

    def draw(self, streams: Streams, indices: Indices, attempt: int) -> Draw:
        """A table for each root, a cell of it by count times likelihood, and what is observed of it.

        The cell is the outcome. What is read off it is true of it, so given all that is shown its law
        is the posterior.
        """
        values: dict[str, Codes] = {}
        for i, cell in enumerate(self.cells):
            values[f"count_{i}"] = cell.count.draw(streams, f"count {i}", indices, attempt)
            values[f"likelihood_{i}"] = cell.likelihood.draw(streams, f"likelihood {i}", indices, attempt)
        shown = self._translated(values)
        prior, possible = self.posterior(shown)
        outcome_stream = streams.purpose("outcome")
        outcomes = outcome_stream.choose(indices, attempt, prior.numerators, prior.denominators)
        hidden: dict[str, Codes] = {}
        for seen in self.observations:
            marks = streams.purpose(f"observe {seen.attribute}").below(
                indices, attempt, seen.chance.denominator
            )
            made = np.asarray(marks < seen.chance.numerator, dtype=np.bool_)
            hidden[f"observed_{seen.attribute}"] = made.astype(np.int64)
            self._reveal(shown, seen.attribute, outcomes, made)
        for variable in self.metadata:
            shown[variable.name] = draw_nuisance(variable, streams, indices, attempt)
        return Draw(shown, hidden, outcomes.astype(np.int64), possible)

    def _translated(self, values: Mapping[str, Codes]) -> dict[str, Codes]:
        """Codes of the drawn domains as codes of the shown ones."""
        shown = dict(values)
        if self.observations:
            for i, cell in enumerate(self.cells):
                drawn, target = cell.likelihood.domain, self._likelihood(cell)
                codes = [target.code_of(drawn.value(code)) for code in range(drawn.size)]
                shown[f"likelihood_{i}"] = np.asarray(codes, dtype=np.int64)[shown[f"likelihood_{i}"]]
        return shown

    def _reveal(
        self, values: dict[str, Codes], attribute: str, outcomes: Integers, made: NDArray[np.bool_]
    ) -> None:
        position = list(self.attributes).index(attribute)
        owned = np.array([cell.values[position] for cell in self.cells])
        for i, cell in enumerate(self.cells):
            ruled_out = made & (owned[outcomes.astype(np.int64)] != owned[i])
            zero = self._likelihood(cell).code_of(Fraction(0))
            values[f"likelihood_{i}"] = np.where(ruled_out, zero, values[f"likelihood_{i}"])

    def digests(self, values: Values) -> list[str]:
        """SHA-256 of the canonical JSON of attributes, categories, rule and the sorted multiset of cells,
        numbers as strings in lowest terms. Encoding, metadata and every order of display are out.
        """
        head = {"attributes": sorted(self.attributes), "categories": sorted(self.categories)}
        size, shown = len(self.cells), self.view.shown
        opening = rfc8785.dumps(head).decode()[:-1] + ',"cells":['
        closing = '],"rule":' + rfc8785.dumps(self.rule).decode() + "}"
        order = np.argsort(list(self.attributes))
        columns = []
        for i, cell in enumerate(self.cells):
            fixed = rfc8785.dumps([*(cell.values[k] for k in order), cell.category]).decode()[:-1]
            counts = _lowest_texts(shown[i], values)
            likelihoods = _lowest_texts(shown[size + i], values)
            pairs = zip(counts, likelihoods, strict=True)
            columns.append([f'{fixed},"{count}","{likelihood}"]' for count, likelihood in pairs])
        rows = zip(*columns, strict=True)
        texts = (opening + ",".join(sorted(row)) + closing for row in rows)
        return [hashlib.sha256(text.encode()).hexdigest() for text in texts]


def _scaled(variable: Variable, values: Values, denominator: int) -> Integers:
    domain = variable.domain
    if not isinstance(domain, Numeric):
        raise DomainError(f"variable '{variable.name}' is not a number")
    return domain.scaled(values[variable.name], denominator)


def _lowest_texts(variable: Variable, values: Values) -> list[str]:
    domain = variable.domain
    codes = values[variable.name]
    distinct, places = np.unique(codes, return_inverse=True)
    texts = [str(domain.value(code)) for code in distinct.tolist()]  # type: ignore[union-attr]
    return [texts[place] for place in places.tolist()]
