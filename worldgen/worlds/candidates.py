"""Worlds of candidates: a model, and which of its views is looked through.

A root is an item with its candidates in a drawn order. The atoms are the candidates by place; the outcome is
the right one, or where a word is to be copied, that word.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Any, ClassVar

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, strings
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Identifiers
from worldgen.exact.domains import Texts as AnyText
from worldgen.exact.errors import DomainError
from worldgen.exact.events import Event
from worldgen.exact.numbers import Integers
from worldgen.exact.permutations import permutations
from worldgen.exact.streams import Attempts, Indices
from worldgen.exact.variables import Variable, View
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import Draw, Streams, Values
from worldgen.worlds.candidate_models import COPYING, VIEWS, CandidateModel
from worldgen.worlds.items import Called, Item, NamedTask
from worldgen.worlds.lexical import Lexical
from worldgen.worlds.viewed import Viewed

GOLD, INVENTORY, PREFIX, SUPPLIED, SLOT = "gold", "inventory", "prefix", "supplied", "slot"


@dataclass(frozen=True)
class CandidateWorld(Viewed[CandidateModel]):
    """A model of candidates seen through one of its views, the first unless it is named.

    Raises DomainError for a view that the model does not have.
    """

    family: ClassVar[str] = "candidates"

    @cached_property
    def word(self) -> Identifiers:
        """The words that may be candidates."""
        return Identifiers(self.model.task.alphabet, *self.model.lengths)

    @cached_property
    def candidates(self) -> tuple[Variable, ...]:
        """The candidates, in the order in which they are shown."""
        return tuple(Variable(name, self.word) for name in self.atoms.names)

    @cached_property
    def view(self) -> View:
        """What states the problem, or the prefix, or the word to be copied, then the candidates."""
        return View(self.seen, (*self._beside(self.seen), *self.candidates))

    def _beside(self, view: str) -> tuple[Variable, ...]:
        if view == "problem":
            return self.model.task.variables
        if view == "prefix":
            return (Variable(PREFIX, Identifiers(self.model.task.alphabet, 1, self.model.lengths[1])),)
        return (Variable(SUPPLIED, self.word),) if view in COPYING else ()

    @cached_property
    def hidden(self) -> tuple[Variable, ...]:
        """The slot, the right answer, the characters that a position may have, and what the task notes."""
        texts = (SLOT, INVENTORY, *self.model.task.notes)
        return (Variable(GOLD, self.word), *(Variable(name, AnyText()) for name in texts))

    @cached_property
    def partition(self) -> Mapping[str, Event]:
        """Each candidate, in the order in which they are shown."""
        names = self.atoms.names
        return {
            name: self.atoms.membership([name], f"candidate {place}") for place, name in enumerate(names, 1)
        }

    @property
    def ordered(self) -> bool:
        """No: the order of the candidates is drawn."""
        return False

    @property
    def events(self) -> Mapping[str, Event]:
        """None: a candidate stands at another place in every root."""
        return {}

    def template_names(self, *, metadata: bool) -> Mapping[str, Constant]:
        """Every variable that a view may show by its name, `view`, `task` with what is to be done, `fields`
        with name and value of what states the problem, and `candidates`, a list of records with number and
        word. There are no metadata.
        """
        every = [one for view in VIEWS for one in self._beside(view)]
        named: dict[str, Constant] = {one.name: one for one in every}
        fields: list[Constant] = [
            {"name": one.name, "value": one} for one in (self.model.task.variables if self.states else ())
        ]
        listed: list[Constant] = [
            {"number": str(place), "word": one} for place, one in enumerate(self.candidates, 1)
        ]
        told: dict[str, Constant] = {
            "view": self.seen,
            "task": self.model.task.says,
            "fields": fields,
            "candidates": listed,
        }
        return {**named, **told}

    @property
    def states(self) -> bool:
        """Whether the view states the problem."""
        return self.seen == "problem"

    @property
    def looked_up(self) -> bool:
        """Whether q follows from what is shown only with the spec at hand."""
        return self.states and self.model.task.looked_up

    @property
    def credits(self) -> tuple[str, ...]:
        """The notices that go with what is shown."""
        task = self.model.task
        return task.credits if isinstance(task, Lexical) else ()

    @property
    def settles(self) -> bool:
        """Whether the view makes one candidate certain."""
        return self.states or self.seen in COPYING

    def words(self, values: Values) -> list[tuple[str, ...]]:
        """The candidates of each row, as they are shown."""
        columns = (values[one.name].tolist() for one in self.candidates)
        return list(zip(*columns, strict=True))

    def table(self, values: Values) -> NDArray[np.str_]:
        """The same as an array (n, K)."""
        return np.array(self.words(values), dtype=np.str_).reshape(-1, len(self.candidates))

    def _texts(self, values: Values) -> dict[str, list[str]]:
        """The texts of what states the problem."""
        return {
            one.name: [one.domain.text(code) for code in values[one.name].tolist()]
            for one in self.model.task.variables
        }

    def called(self, values: Values) -> list[Called]:
        """What each position of each row is about, and what its characters mean: of a problem that is shown
        and has named fields.
        """
        assert isinstance(self.model.task, NamedTask), "the task has named fields"
        return self.model.task.called(self._texts(values))

    def posterior(self, values: Values) -> tuple[Posteriors, NDArray[np.bool_]]:
        """The posterior of each row: uniform over the candidates that what is shown leaves open. Rows where
        none is left, or where a candidate stands twice, have no mass.
        """
        words = self.table(values)
        if self.seen == "candidates":
            opened = np.ones(words.shape, dtype=np.bool_)
        elif self.seen == "prefix":
            opened = np.char.startswith(words, values[PREFIX].astype(np.str_)[:, None])
        else:
            shown = self.model.task.answers(self._texts(values)) if self.states else values[SUPPLIED].tolist()
            opened = words == np.array(shown, dtype=np.str_)[:, None]
        ordered = np.sort(words, axis=1)
        distinct = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
        weights = opened.astype(np.int64)
        totals = weights.sum(axis=1)
        positive: NDArray[np.bool_] = np.asarray(distinct & (totals > 0), dtype=np.bool_)
        weights[~positive], totals[~positive] = [1, *[0] * (len(self.atoms) - 1)], 1
        return Posteriors(self.atoms, weights, totals), positive

    def slow_posterior(self, values: Values) -> Integers:
        """The weights of the candidates, row by row, by filtering one by one; answers by the slow road."""
        rows = self.words(values)
        wanted: Sequence[str] = [""] * len(rows)
        if self.states:
            wanted = self.model.task.slow_answers(self._texts(values))
        elif self.seen != "candidates":
            wanted = values[PREFIX if self.seen == "prefix" else SUPPLIED].tolist()
        kept = [self._filtered(words, text) for words, text in zip(rows, wanted, strict=True)]
        return np.array(kept, dtype=np.int64).reshape(len(rows), len(self.atoms))

    def _filtered(self, words: Sequence[str], text: str) -> list[bool]:
        kept = [list(word[: len(text)]) == list(text) for word in words]
        if self.settles:
            kept = [word == text for word in words]
        return kept if len(set(words)) == len(words) else [False] * len(words)

    def disagreements(self, values: Values, posteriors: Posteriors) -> list[int]:
        """The rows where filtering does not give the posterior exactly."""
        return posteriors.unlike(self.slow_posterior(values))

    def draw(self, streams: Streams, indices: Indices, attempt: Attempts) -> Draw:
        """The item of each root, its candidates in a drawn order. Where a wrong word is to be copied, it is
        drawn among the others that match the right one (`matched`). Raises DomainError for a root beyond the
        items.
        """
        if len(indices) and int(indices.max()) >= self.model.size:
            raise DomainError(
                f"{self.name} has {self.model.size} items, and there is no item {int(indices.max()) + 1}",
                remedy=f"emit at most {self.model.size} roots, or more cohorts with other seeds",
            )
        own = self._items(streams, indices, attempt)
        ranks = streams.purpose("order").below(indices, attempt, factorial(len(self.atoms)))
        order = permutations(ranks, len(self.atoms))
        words = [
            [item.candidates.words[place] for place in row]
            for item, row in zip(own, order.tolist(), strict=True)
        ]
        gold = np.array([row.index(item.gold) for row, item in zip(words, own, strict=True)], dtype=np.int64)
        outcomes = gold
        if self.seen == "miscopy":
            others = [matched(row, place) for row, place in zip(words, gold.tolist(), strict=True)]
            sizes = np.array([len(places) for places in others], dtype=np.int64)
            picks = streams.purpose("wrong").below(indices, attempt, sizes).tolist()
            outcomes = np.array([row[pick] for row, pick in zip(others, picks, strict=True)], dtype=np.int64)
        texts = {one.name: [row[place] for row in words] for place, one in enumerate(self.candidates)}
        texts |= self._shown(own, [row[place] for row, place in zip(words, outcomes.tolist(), strict=True)])
        values = {one.name: codes_for(one, texts[one.name]) for one in self.view.shown}
        known = [{GOLD: item.gold, SLOT: item.slot, INVENTORY: item.inventory, **item.notes} for item in own]
        codes = {one.name: codes_for(one, [row[one.name] for row in known]) for one in self.hidden}
        possible = np.ones(len(indices), dtype=np.bool_)
        return Draw(values, codes, np.asarray(outcomes, dtype=np.int64), possible)

    def shown(self, streams: Streams, indices: Indices, attempt: Attempts) -> Values:
        """What `draw` shows: nothing is drawn beside it that would be worth leaving out."""
        return self.draw(streams, indices, attempt).values

    def _items(self, streams: Streams, indices: Indices, attempt: Attempts) -> list[Item]:
        """The item of each root at its attempt."""
        attempts = np.broadcast_to(np.asarray(attempt), indices.shape)
        items = {one: self.model.items(streams, one) for one in np.unique(attempts).tolist()}
        return [items[one][index] for one, index in zip(attempts.tolist(), indices.tolist(), strict=True)]

    def _shown(self, items: Sequence[Item], targets: list[str]) -> dict[str, list[str]]:
        """The texts of what is shown beside the candidates."""
        if self.seen == "prefix":
            ends = [item.geometry.branches[-1] for item in items]
            return {PREFIX: [item.gold[:end] for item, end in zip(items, ends, strict=True)]}
        if self.seen in COPYING:
            return {SUPPLIED: targets}
        return {one.name: [item.problem[one.name] for item in items] for one in self._beside(self.seen)}

    def digests(self, values: Values) -> Array:
        """SHA-256 of the task, the view, what is shown beside the candidates, and these in sorted order."""
        beside = self._beside(self.seen)
        texts = [[one.domain.text(code) for code in values[one.name].tolist()] for one in beside]
        names = [one.name for one in beside]
        found = []
        for row, words in enumerate(self.words(values)):
            content: Any = {
                "task": self.model.task.name,
                "view": self.seen,
                "shown": {name: column[row] for name, column in zip(names, texts, strict=True)},
                "candidates": sorted(words),
            }
            found.append(hashlib.sha256(rfc8785.dumps(content)).hexdigest())
        return strings(found)


def matched(words: Sequence[str], right: int) -> list[int]:
    """The places of the wrong words that match the right one: those that have its character where words first
    differ, so that the first decision is the same; all wrong ones, if none has.

    >>> matched(["35", "39", "45", "49"], 1), matched(["3", "4"], 0)
    ([0], [1])
    """
    first = next(at for at in range(len(words[right])) if len({word[at] for word in words}) > 1)
    wrong = [place for place in range(len(words)) if place != right]
    return [place for place in wrong if words[place][first] == words[right][first]] or wrong


def codes_for(variable: Variable, texts: Sequence[str]) -> Codes:
    """The codes of texts of a variable."""
    codes = [variable.domain.code(text) for text in texts]
    if variable.domain.size is None:
        return np.array(codes, dtype=np.object_)
    return np.array(codes, dtype=np.int64)
