"""Worlds of covert transfer: a model, and which of its views is looked through."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array
from worldgen.exact.distributions import Distribution, Posteriors
from worldgen.exact.domains import Codes, Phrases, texts_at
from worldgen.exact.events import Event
from worldgen.exact.numbers import Integers, integers
from worldgen.exact.pools import ascii_texts
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable, View
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import Draw, Streams, Values
from worldgen.worlds.digests import object_digests
from worldgen.worlds.transfer_models import REPORT, TagView, TransferModel
from worldgen.worlds.viewed import ViewedClasses

TAG = "tag"


@dataclass(frozen=True)
class TransferWorld(ViewedClasses[TransferModel]):
    """A model of covert transfer seen through one of its views, the first unless it is named.

    Raises DomainError for a view that the model does not have.
    """

    family: ClassVar[str] = "transfer"

    @property
    def tag_view(self) -> TagView:
        """What the view says of the tag."""
        return self.model.views[self.seen]

    @cached_property
    def _ranges(self) -> tuple[str, ...]:
        """The letters of each range that the view tells apart."""
        return tuple(self.tag_view.parts(self.model.alphabet).values())

    @cached_property
    def letters(self) -> tuple[Variable, ...]:
        """The letters of the identifier, from the first to the last."""
        domain = Phrases(tuple(self.model.alphabet))
        return tuple(Variable(f"letter_{i + 1}", domain) for i in range(self.model.length))

    @cached_property
    def view(self) -> View:
        """The type of the report, the letters, the range of the tag, then the irrelevant fields."""
        report = Variable(REPORT, Phrases(tuple(self.model.reports)))
        tag = Variable(self.tag_view.shows, Phrases(tuple(self.tag_view.parts(self.model.alphabet))))
        return View(self.seen, (report, *self.letters, tag, *(one.variable for one in self.model.irrelevant)))

    @property
    def hidden(self) -> tuple[Variable, ...]:
        """The tag itself."""
        return (Variable(TAG, Phrases(tuple(self.model.alphabet))),)

    @property
    def ordered(self) -> bool:
        """No: the classes are two sides of one thing."""
        return False

    @cached_property
    def events(self) -> Mapping[str, Event]:
        """A, that the tag was written in, and "not A"."""
        without, encoded = self.partition.values()
        return {"A": encoded, "not A": without}

    def template_names(self, *, metadata: bool) -> Mapping[str, Constant]:
        """Every variable that some view shows by its name, `shown` with the names of those that this one
        shows, `identifier` with `mark` and `letter` of each place, the mark being a hyphen before each group
        but the first, and `fields` with name and value of all that is shown and is not a letter.
        """
        letters = [one.name for one in self.letters]
        variables = self.view.shown
        listed: list[Constant] = [{"name": v.name, "value": v} for v in variables if v.name not in letters]
        group = self.model.group
        identifier: list[Constant] = [
            {"mark": "-" if i and i % group == 0 else "", "letter": one} for i, one in enumerate(self.letters)
        ]
        every = [one for view in self.views for one in self.through(view).view.shown]
        # Two views may show the range under one name: here it is that of this view, which comes last.
        named: dict[str, Constant] = {one.name: one for one in (*every, *variables)}
        shown = [one.name for one in variables]
        return {**named, "shown": shown, "fields": listed, "identifier": identifier}

    def _letter(self, values: Values) -> NDArray[np.int64]:
        """The code of the letter at the position of each report."""
        positions = np.array(list(self.model.reports.values()), dtype=np.int64) - 1
        letters = np.stack([np.asarray(values[one.name], dtype=np.int64) for one in self.letters], axis=1)
        rows = np.arange(len(letters))
        found: NDArray[np.int64] = letters[rows, positions[np.asarray(values[REPORT], dtype=np.int64)]]
        return found

    @cached_property
    def _table(self) -> Integers:
        """The weights of the classes for each range and each letter, (ranges, letters, 2)."""
        weights = [
            [self.model.weights(len(held), letter in held) for letter in self.model.alphabet]
            for held in self._ranges
        ]
        return integers(weights, max(max(pair) for row in weights for pair in row) * 2 + 1)

    def posterior(self, values: Values) -> tuple[Posteriors, NDArray[np.bool_]]:
        """The posterior of each row, and whether what it shows can be."""
        rows = self._table[np.asarray(values[self.tag_view.shows], dtype=np.int64), self._letter(values)]
        totals = rows.sum(axis=1, dtype=rows.dtype)
        positive: NDArray[np.bool_] = np.asarray(totals > 0, dtype=np.bool_)
        rows[~positive], totals[~positive] = [1, 0], 1
        return Posteriors(self.atoms, rows, totals), positive

    @cached_property
    def _sums(self) -> Integers:
        """The literal sums for each range and each letter, (ranges, letters, 2)."""
        sums = [[self._sum(held, letter) for letter in self.model.alphabet] for held in self._ranges]
        return integers(sums, max(sum(pair) for row in sums for pair in row) + 1)

    def _sum(self, held: str, letter: str) -> tuple[int, ...]:
        each, encoding = Fraction(1, len(self.model.alphabet)), self.model.encoding
        encoded = without = Fraction(0)
        for tag in held:
            encoded += each * encoding * (letter == tag)
            without += each * (1 - encoding) * each
        return Distribution.of(self.atoms, (without, encoded)).weights if encoded + without else (0, 0)

    def slow_posterior(self, values: Values) -> Integers:
        """The weights of the classes, by the literal sum over the tags that the view leaves open."""
        return self._sums[np.asarray(values[self.tag_view.shows], dtype=np.int64), self._letter(values)]

    def disagreements(self, values: Values, posteriors: Posteriors) -> list[int]:
        """The rows where the literal sum over the tags is not the posterior exactly."""
        return posteriors.unlike(self.slow_posterior(values))

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Draw:
        """A report for each root: type, tag and letters, then the tag in its place where it is written in."""

        def below(purpose: str, size: int) -> NDArray[np.int64]:
            return np.asarray(streams.purpose(purpose).below(indices, attempt, size), dtype=np.int64)

        model, size = self.model, len(self.model.alphabet)
        report, tag = below("report", len(model.reports)), below(TAG, size)
        marks = streams.purpose("encoding").below(indices, attempt, model.encoding.denominator)
        encoded = np.asarray(marks < model.encoding.numerator, dtype=np.bool_)
        places = np.array(list(model.reports.values()), dtype=np.int64)[report]
        codes: dict[str, Codes] = {REPORT: report}
        for place, one in enumerate(self.letters, 1):
            codes[one.name] = np.where(encoded & (places == place), tag, below(one.name, size))
        range_of = np.array([[letter in held for held in self._ranges] for letter in model.alphabet])
        codes[self.tag_view.shows] = range_of[tag].argmax(axis=1)
        for each in model.irrelevant:
            codes[each.variable.name] = each.draw(streams, indices, attempt)
        possible = np.ones(len(indices), dtype=np.bool_)
        return Draw(codes, {TAG: tag}, encoded.astype(np.int64), possible)

    def shown(self, streams: Streams, indices: Indices, attempt: Attempts) -> Values:
        """What `draw` shows: nothing is drawn beside it that would be worth leaving out."""
        return self.draw(streams, indices, attempt).values

    def digests(self, values: Values) -> Array:
        """SHA-256 of the law, the classes, and all that is shown but the irrelevant fields."""
        names = [REPORT, *(one.name for one in self.letters), self.tag_view.shows]
        domains = {one.name: cast(Phrases, one.domain) for one in self.view.shown if one.name in names}
        shown = {name: texts_at(domains[name], values[name]) for name in names}
        positions = {name: str(position) for name, position in self.model.reports.items()}
        fixed = {
            "law": [self.model.alphabet, str(self.model.encoding), positions],
            "classes": list(self.model.classes.values()),
        }
        return ascii_texts(object_digests(fixed, "shown", shown, len(values[REPORT])))
