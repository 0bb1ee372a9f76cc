"""Cell worlds: a shown table of cells, each with attributes, a category, a count and a likelihood.

One cell is drawn with chance proportional to count times likelihood, given the evidence that the
likelihoods describe. A fixed table and a generator of tables are one thing: a count or likelihood is
a number, or a range that is drawn for every root.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import lcm
from operator import attrgetter
from typing import ClassVar, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array
from worldgen.exact.decimals import decimal_of, decimal_posterior, weights_of
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Numbers, Numeric, Phrases, values_at
from worldgen.exact.events import Atoms, Event
from worldgen.exact.numbers import Integers, integers
from worldgen.exact.odds import unconfirmed
from worldgen.exact.pools import ascii_texts
from worldgen.exact.posterior import posteriors
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable, View
from worldgen.faults import SpecError
from worldgen.renderers.encodings import Encoding
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import Draw, Streams, Values, draw_nuisance, view_named
from worldgen.worlds.checks import cell_faults
from worldgen.worlds.definitions import CATEGORY, All, Definition, Is, Not, Ref, holds, phrase
from worldgen.worlds.digests import table_digests
from worldgen.worlds.drafts import CellDraft, WorldDraft
from worldgen.worlds.parts import Cell, Observation

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]
T = TypeVar("T")
Tabled = tuple[list[T], Places]


@dataclass(frozen=True, eq=False)
class CellWorld:
    """A world of cells. Built in Python or read from a spec, it is the same object.

    `attributes` maps a name to its values; `definitions` an event to what it says; `metadata` are nuisance
    variables; `ordered` says that the categories run from lowest to highest. The atoms are the cells, by
    position. Raises SpecError with all that is wrong.
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
    ordered: bool = False

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
            self.ordered,
        )
        if found := list(cell_faults(draft)):
            raise SpecError(found)

    def __eq__(self, other: object) -> bool:
        """Equal in every part; attributes and encodings in the same order, for that is how they are shown."""
        if not isinstance(other, CellWorld):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.name, self.cells))

    def _parts(self) -> dict[str, object]:
        ordered = {"attributes": list(self.attributes.items()), "encodings": list(self.encodings.items())}
        return {part.name: getattr(self, part.name) for part in fields(self)} | ordered

    @cached_property
    def atoms(self) -> Atoms:
        """The cells, named by position."""
        return Atoms(tuple(str(i) for i in range(len(self.cells))))

    @property
    def views(self) -> tuple[str, ...]:
        """The one view, "full"."""
        return ("full",)

    def through(self, view: str) -> "CellWorld":
        """The world itself. Raises DomainError for any view but "full"."""
        view_named(self.name, view, self.views)
        return self

    @cached_property
    def view(self) -> View:
        """All counts and likelihoods, then the metadata as nuisance."""
        shown = [Variable(f"count_{i}", cell.count.domain) for i, cell in enumerate(self.cells)]
        shown += [Variable(f"likelihood_{i}", domain) for i, domain in enumerate(self._likelihoods)]
        return View(self.views[0], tuple(shown), self.metadata)

    @cached_property
    def hidden(self) -> tuple[Variable, ...]:
        """For each observation, whether it was made."""
        return tuple(
            Variable(f"observed_{seen.attribute}", Phrases(("no", "yes"))) for seen in self.observations
        )

    @cached_property
    def _likelihoods(self) -> tuple[Numeric, ...]:
        """The likelihoods that a request may show: those drawn, and zero where something is observed."""
        return tuple(self._with_zero(cell.likelihood.domain) for cell in self.cells)

    def _with_zero(self, drawn: Numeric) -> Numeric:
        if not self.observations or drawn.code_of(Fraction(0)) is not None:
            return drawn
        values = [drawn.value(code) for code in range(drawn.size)]
        return Numbers((Fraction(0), *values), drawn.notation)

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
    def _denominator(self) -> int:
        """The least common denominator of every likelihood."""
        return lcm(*(domain.denominator for domain in self._likelihoods))

    @cached_property
    def _largest(self) -> int:
        """A bound on every product of a count and a scaled likelihood, which is at most 1."""
        return max(int(cell.count.domain.extremes[1]) for cell in self.cells) * self._denominator

    def _weights(self, values: Values) -> tuple[Integers, Integers, int]:
        """Counts (n, K), likelihoods (n, K) over the common denominator, and a bound on their products."""
        numbers = list(enumerate(self.cells))
        counts = [cell.count.domain.scaled(values[f"count_{i}"], 1) for i, cell in numbers]
        chances = [
            self._likelihoods[i].scaled(values[f"likelihood_{i}"], self._denominator) for i, _ in numbers
        ]
        return _columns(counts), _columns(chances), self._largest

    def posterior(self, values: Values) -> tuple[Posteriors, Mask]:
        """The posterior of each row, and whether any cell has positive mass."""
        counts, likelihoods, largest = self._weights(values)
        return posteriors(self.atoms, counts, likelihoods, largest)

    def _numbers(
        self, values: Values, form: Callable[[Fraction], T]
    ) -> Iterator[tuple[Tabled[T], Tabled[T]]]:
        """The counts and the likelihoods of each cell, in some form."""
        # The numbers that stand for the codes, without `_weights`: a slip there must be seen by whoever asks.
        for i, cell in enumerate(self.cells):
            yield (
                _each(cell.count.domain, values[f"count_{i}"], form),
                _each(self._likelihoods[i], values[f"likelihood_{i}"], form),
            )

    def slow_posterior(self, values: Values) -> Integers:
        """The posterior of each row in 70-digit decimals, as integers over their sum; zeros without mass."""
        found = np.zeros((len(values["count_0"]), len(self.cells)), dtype=np.object_)
        counts, likelihoods = (
            zip(*([table[place] for place in places.tolist()] for table, places in cells), strict=True)
            for cells in zip(*self._numbers(values, decimal_of), strict=True)
        )
        for row, masses in enumerate(map(decimal_posterior, counts, likelihoods)):
            if masses is not None:
                found[row] = weights_of(masses)
        return found

    def disagreements(self, values: Values, posteriors: Posteriors) -> list[int]:
        """The rows where the odds of the cells are not as Bayes' rule has them, exactly."""
        (counts, tops), (_, bottoms) = (
            [
                _columns([_listed(*part) for part in cells])
                for cells in zip(*self._numbers(values, form), strict=True)
            ]
            for form in (attrgetter("numerator"), attrgetter("denominator"))
        )
        return unconfirmed(posteriors, counts, tops, bottoms)

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Draw:
        """A table for each root, a cell of it by count times likelihood, and what is observed of it.

        The cell is the outcome. What is read off it is true of it, so given all that is shown its law
        is the posterior.
        """
        shown = self._tables(streams, indices, attempt)
        outcomes, possible = self._outcomes(shown, streams, indices, attempt)
        hidden = self._observed(shown, outcomes, streams, indices, attempt)
        for variable in self.metadata:
            shown[variable.name] = draw_nuisance(variable, streams, indices, attempt)
        return Draw(shown, hidden, outcomes, possible)

    def shown(self, streams: Streams, indices: Indices, attempt: Attempts) -> Values:
        """The tables of `draw`, without metadata, and without an outcome where nothing is observed of one."""
        shown = self._tables(streams, indices, attempt)
        if self.observations:
            outcomes, _ = self._outcomes(shown, streams, indices, attempt)
            self._observed(shown, outcomes, streams, indices, attempt)
        return shown

    def _tables(self, streams: Streams, indices: Indices, attempt: Attempts) -> dict[str, Codes]:
        values: dict[str, Codes] = {}
        for i, cell in enumerate(self.cells):
            values[f"count_{i}"] = cell.count.draw(streams, f"count {i}", indices, attempt)
            values[f"likelihood_{i}"] = cell.likelihood.draw(streams, f"likelihood {i}", indices, attempt)
        return self._translated(values)

    def _outcomes(
        self, shown: Values, streams: Streams, indices: Indices, attempt: Attempts
    ) -> tuple[Places, Mask]:
        """A cell of each table, and whether there was one to choose."""
        prior, possible = self.posterior(shown)
        stream = streams.purpose("outcome")
        chosen = stream.choose(indices, attempt, prior.numerators, prior.denominators)
        return chosen.astype(np.int64), possible

    def _observed(
        self,
        shown: dict[str, Codes],
        outcomes: Places,
        streams: Streams,
        indices: Indices,
        attempt: Attempts,
    ) -> dict[str, Codes]:
        """Which observations are made, each of them revealed in what is shown."""
        hidden: dict[str, Codes] = {}
        for seen in self.observations:
            marks = streams.purpose(f"observe {seen.attribute}").below(
                indices, attempt, seen.chance.denominator
            )
            made = np.asarray(marks < seen.chance.numerator, dtype=np.bool_)
            hidden[f"observed_{seen.attribute}"] = made.astype(np.int64)
            self._reveal(shown, seen.attribute, outcomes, made)
        return hidden

    def _translated(self, drawn: Mapping[str, Codes]) -> dict[str, Codes]:
        """Codes of the drawn likelihoods as codes of the shown ones."""
        shown = dict(drawn)
        for i, cell in enumerate(self.cells):
            if self._likelihoods[i] is not cell.likelihood.domain:
                # Zero was put before the others.
                shown[f"likelihood_{i}"] = shown[f"likelihood_{i}"] + 1
        return shown

    def _reveal(self, values: dict[str, Codes], attribute: str, outcomes: Integers, made: Mask) -> None:
        """Set the likelihood of every cell to zero whose value of the attribute is not the outcome's."""
        position = list(self.attributes).index(attribute)
        owned = np.array([cell.values[position] for cell in self.cells])
        for i, domain in enumerate(self._likelihoods):
            ruled_out = made & (owned[outcomes] != owned[i])
            zero = cast(int, domain.code_of(Fraction(0)))
            values[f"likelihood_{i}"] = np.where(ruled_out, zero, values[f"likelihood_{i}"])

    def digests(self, values: Values) -> Array:
        """The digest of each row's table, as `table_digests` defines it; metadata are out."""
        order = sorted(range(len(self.attributes)), key=list(self.attributes).__getitem__)
        cells = [
            ((*(cell.values[k] for k in order), cell.category), *numbers)
            for cell, numbers in zip(self.cells, self._numbers(values, str), strict=True)
        ]
        return ascii_texts(table_digests(self.rule, tuple(self.attributes), self.categories, cells))


def _columns(columns: Sequence[Integers]) -> Integers:
    # Each column lies in one piece, which is what is added and multiplied.
    return cast(Integers, np.stack(columns).T)


def _each(domain: Numeric, codes: Codes, form: Callable[[Fraction], T]) -> Tabled[T]:
    """The numbers of some codes in some form, each made once, and the place of each code among them."""
    values, places = values_at(domain, codes)
    return [form(value) for value in values], places


def _listed(table: list[int], places: Places) -> Integers:
    return integers(table, max(table, default=0) + 1)[places]
