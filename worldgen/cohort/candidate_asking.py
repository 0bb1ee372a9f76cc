"""Asking about candidates: which of them, or which character of the right one, options differing by root."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.presenting import arranged, distinct_keys
from worldgen.cohort.shapes import DRAFT, FIELD, MARK, POSITION, Shape, Wording, compiled
from worldgen.cohort.variants import CHARACTER, Variant, options_of
from worldgen.cohort.wording import stated
from worldgen.exact.domains import Codes
from worldgen.exact.geometry import Candidates, Geometry
from worldgen.exact.permutations import derangements
from worldgen.exact.streams import Indices
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Leaf
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import Streams, Values
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import GOLD, INVENTORY, SUPPLIED, CandidateWorld, codes_for
from worldgen.worlds.items import Called

Labels = NDArray[np.object_]
Places = NDArray[np.int64]


@dataclass(frozen=True)
class Presentation:
    """How n roots see a question whose options differ by root.

    `values` are the codes of the question's variables, `names` (n, options) what the displayed options say,
    and `labels` (n, options) their answer ids.
    """

    values: Mapping[str, Codes]
    names: NDArray[np.object_]
    labels: NDArray[np.object_]


@dataclass(frozen=True)
class CandidateAsking:
    """A variant as one stratum of candidates sees it on one wire, worded."""

    variant: Variant
    world: CandidateWorld
    wording: Wording

    @property
    def plan(self) -> Plan:
        """The plan of its payloads."""
        return self.wording.plan

    @property
    def options(self) -> tuple[Variable, ...]:
        """The variables that hold what each displayed option says: a candidate, or a character."""
        return self.wording.options

    @property
    def portable(self) -> bool:
        """Whether every server takes it."""
        return self.wording.portable

    def present(self, streams: Streams, indices: Indices, roots: Values) -> Presentation:
        """The presentation of each root; `roots` holds the codes of all that it shows and hides.

        What options are called and where they stand is drawn once for a root, by what they say: variants that
        differ in other fields share it.
        """
        words, width = self.world.words(roots), len(self.options)
        targets = roots[SUPPLIED if self.world.seen in COPYING else GOLD].tolist()
        inventories = roots[INVENTORY].tolist()
        values: dict[str, Codes] = {}
        places: list[int | None] = [None] * len(words)
        said: Sequence[Sequence[str]] = words
        if self.variant.asks == CHARACTER:
            places = list(map(self._place, words, targets))
            values[POSITION] = np.array(places, dtype=np.int64)
            known = zip(words, inventories, targets, values[POSITION].tolist(), strict=True)
            said = [self._characters(*one) for one in known]
        names = np.array([tuple(row) for row in said], dtype=np.object_).reshape(len(words), width)
        labels = self._labels(streams, indices, names, inventories)
        order = arranged(self.variant.order, streams, "order of characters", indices, width)
        names, labels = np.take_along_axis(names, order, axis=1), np.take_along_axis(labels, order, axis=1)
        if self.variant.named:
            names, values = self._by_name(roots, names, values[POSITION].tolist())
        shown = [*zip(self.options, names.T, strict=True), *zip(self.wording.keys, labels.T, strict=False)]
        values |= {variable.name: codes_for(variable, column.tolist()) for variable, column in shown}
        fields = self.world.called(roots) if self.variant.named else ()
        values |= self._beside(targets, inventories, places, fields)
        # Under the other contract an answer is listed by what options say, not by what they are called.
        return Presentation(values, names, labels if self.variant.contract == "code" else names)

    def _by_name(
        self, roots: Values, symbols: Labels, places: Sequence[int]
    ) -> tuple[Labels, dict[str, Codes]]:
        """What the characters of options mean, and the field that each root is asked for. Where an answer has
        no such position nothing is asked, and its first field stands there.
        """
        fields = [
            row[place if place < len(row) else 0]
            for row, place in zip(self.world.called(roots), places, strict=True)
        ]
        said = [
            [meant[symbol] for symbol in row]
            for row, (_, meant) in zip(symbols.tolist(), fields, strict=True)
        ]
        (field,) = self.wording.positions
        names = np.array(said, dtype=np.object_).reshape(symbols.shape)
        return names, {FIELD: codes_for(field, [name for name, _ in fields])}

    def _place(self, words: Sequence[str], target: str) -> int:
        """The position, from 0, whose character is asked for."""
        if self.variant.at is not None:
            return self.variant.at - 1
        assert self.variant.branch is not None, "a character is asked for at a branch or at a position"
        return Geometry(Candidates(tuple(words), _symbols(words)), target).branches[self.variant.branch - 1]

    def _characters(self, words: Sequence[str], inventory: str, target: str, place: int) -> str:
        """The characters that are options, in the order of the inventory."""
        if self.variant.support == "full":
            return inventory
        candidates = Candidates(tuple(words), inventory)
        if self.variant.support == "trie":
            return candidates.following(target[:place])
        return candidates.unions[place]

    def _labels(
        self, streams: Streams, indices: Indices, names: Labels, inventories: Sequence[str]
    ) -> Labels:
        """What each option is called, in canonical order."""
        binding = self.variant.binding
        if binding == "literal":
            return np.broadcast_to(np.array(self.wording.labels, dtype=np.object_), names.shape)
        if self.variant.asks != CHARACTER:
            return distinct_keys(streams, f"keys {self.variant.name.split('+')[0]}", indices, names.shape[1])
        size = self.world.model.task.symbols
        every = np.array([list(row) for row in inventories], dtype=np.object_).reshape(len(names), size)
        keys = every
        if binding in {"opaque", "remapped"}:
            keys = distinct_keys(streams, "keys of characters", indices, size)
        if binding in {"remapped", "conflicting"}:
            moved = derangements(streams.purpose, "derangement of characters", indices, size)
            keys = np.take_along_axis(keys, moved, axis=1)
        at = (names[:, :, None] == every[:, None, :]).argmax(axis=2)
        return np.take_along_axis(keys, at, axis=1)

    def _beside(
        self,
        targets: Sequence[str],
        inventories: Sequence[str],
        places: Sequence[int | None],
        fields: Sequence[Called],
    ) -> dict[str, Codes]:
        """What is shown beside the state and the options: a draft, by name where there are fields, and the
        evidence of a word.
        """
        found: dict[str, list[str]] = {}
        rows = zip(targets, inventories, places, strict=True)
        for row, (target, inventory, place) in enumerate(rows):
            texts = self.wording.beside(target, place)
            if self.variant.draft is not None:
                draft = self._draft(target, inventory, self.variant.draft or place or 0)
                texts[DRAFT] = stated(draft, fields[row]) if fields else draft
            for name, text in texts.items():
                found.setdefault(name, []).append(text)
        variables = {one.name: one for one in self.plan.variables}
        return {name: codes_for(variables[name], texts) for name, texts in found.items()}

    def _draft(self, target: str, inventory: str, reach: int) -> str:
        """The beginning of a word, with the slip of the variant."""
        slip = self.variant.slip
        draft = target[:reach]
        if slip is None or slip > len(draft):
            return draft
        turned = inventory[(inventory.index(draft[slip - 1]) + 1) % len(inventory)]
        return draft[: slip - 1] + turned + draft[slip:]

    def meaning(self, option: str) -> str:
        """What an option says, by its name."""
        return f"it is {option}"

    def events_of(self, values: Values) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The events that payload values name: of each option in displayed order (n, options, K), and of
        the condition (n, K), which is none.
        """
        words = self.world.table(values)
        said = np.array([self._texts(option, values) for option in self.options], dtype=np.str_).T
        places = values.get(POSITION)
        if self.variant.named:
            places, said = self._meant(values, said)
        if places is not None:
            # A row of fixed-width texts is a row of characters, padded with empty ones.
            letters = words.view("U1").reshape(*words.shape, words.itemsize // np.dtype("U1").itemsize)
            places = np.asarray(places, dtype=np.int64)
            within = places < letters.shape[2]
            words = letters[np.arange(len(words)), :, np.where(within, places, 0)]
            words = np.where(within[:, None], words, "")
        return said[:, :, None] == words[:, None, :], np.ones(words.shape, dtype=np.bool_)

    def _meant(self, values: Values, said: NDArray[np.str_]) -> tuple[Places, NDArray[np.str_]]:
        """The position that each row asks for by the name of its field, beyond all answers where the problem
        has no such field, and the characters that the options mean there, a mark where one means nothing.
        """
        (field,) = self.wording.positions
        places, found = [], []
        asked = zip(self.world.called(values), self._texts(field, values), said.tolist(), strict=True)
        for fields, name, options in asked:
            names = [each for each, _ in fields]
            place = names.index(name) if name in names else self.world.model.lengths[1]
            back = {text: symbol for symbol, text in fields[place][1].items()} if name in names else {}
            places.append(place)
            found.append([back.get(option, MARK) for option in options])
        return np.array(places, dtype=np.int64), np.array(found, dtype=np.str_).reshape(said.shape)

    def _texts(self, option: Variable, values: Values) -> list[str]:
        return [option.domain.text(code) for code in values[option.name].tolist()]


def candidate_asking(
    world: CandidateWorld, variant: Variant, state: Leaf, wire: str, model: str
) -> CandidateAsking:
    """Compile a variant for a world of candidates. Raises PlanError or TemplateError."""
    return CandidateAsking(variant, world, compiled(world, state, wire, model, shape_of(world, variant)))


def shape_of(world: CandidateWorld, variant: Variant) -> Shape:
    """The shape of a variant that asks about candidates."""
    single = variant.asks == CHARACTER
    width = len(world.atoms)
    if single:
        width = options_of(variant, world) or 0  # a variant without a number of options is refused
    return Shape(
        asks="field" if variant.named else "character" if single else "word",
        width=width,
        positions=1 if single else 0,
        labelled=variant.binding != "literal" or variant.order != "canonical",
        drafted="" if variant.draft is None else "listed" if variant.named else "plain",
        evidence=variant.evidence,
        contract=variant.contract,
        wording=variant.wording,
    )


def _symbols(words: Sequence[str]) -> str:
    return "".join(sorted(set("".join(words))))
