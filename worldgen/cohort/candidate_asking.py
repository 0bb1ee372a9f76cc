"""Asking about candidates: which of them, or which character of the right one, options differing by root."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.presenting import OPAQUE, distinct_keys, written
from worldgen.cohort.variants import CHARACTER, Variant
from worldgen.exact.domains import Codes, Identifiers, Phrases
from worldgen.exact.geometry import Candidates, Geometry
from worldgen.exact.streams import Indices
from worldgen.exact.variables import Variable
from worldgen.renderers import chat
from worldgen.renderers.encodings import candidate_prompts
from worldgen.renderers.lines import Column, Leaf, Literal, Slot
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import Streams, Values
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import GOLD, INVENTORY, SUPPLIED, CandidateWorld, codes_for

POSITION, DRAFT = "position", "draft"


@dataclass(frozen=True)
class Presentation:
    """How n roots see a question whose options differ by root.

    `values` are the codes of the question's variables, `names` (n, options) what the displayed options are
    called, and `labels` (n, options) their answer ids.
    """

    values: Mapping[str, Codes]
    names: NDArray[np.object_]
    labels: NDArray[np.object_]


@dataclass(frozen=True)
class CandidateAsking:
    """A variant as one stratum of candidates sees it on one wire: its options, and its plan.

    `options` are the variables that hold what each displayed option says: a candidate, or a character.
    `labels` are the answer ids, unless they are drawn.
    """

    variant: Variant
    world: CandidateWorld
    plan: Plan
    options: tuple[Variable, ...]
    labels: tuple[str, ...]
    portable: bool

    def present(self, streams: Streams, indices: Indices, roots: Values) -> Presentation:
        """The presentation of each root; `roots` holds the codes of all that it shows and hides."""
        rows, width = len(indices), len(self.options)
        words = self.world.words(roots)
        values: dict[str, Codes] = {}
        if self.variant.asks != CHARACTER:
            said: Sequence[Sequence[str]] = words
        else:
            targets = roots[SUPPLIED if self.world.seen in COPYING else GOLD].tolist()
            places = list(map(self._place, words, targets))
            values[POSITION] = np.array(places, dtype=np.int64)
            drafts = [target[:place] for target, place in zip(targets, places, strict=True)]
            if self.variant.support == "trie":
                values[DRAFT] = np.array(drafts, dtype=np.object_)
            known = zip(words, roots[INVENTORY].tolist(), drafts, strict=True)
            said = [self._characters(*one) for one in known]
        for number, option in enumerate(self.options):
            values[option.name] = codes_for(option, [row[number] for row in said])
        names = np.array([tuple(row) for row in said], dtype=np.object_).reshape(rows, width)
        labels = np.broadcast_to(np.array(self.labels, dtype=np.object_), names.shape)
        if self.variant.keys == "opaque":
            keys = distinct_keys(streams, f"keys {self.variant.name}", indices, width)
            values |= {f"key_{place}": keys[:, place] for place in range(width)}
            labels = keys
        return Presentation(values, names, labels)

    def _place(self, words: Sequence[str], target: str) -> int:
        """The position, from 0, whose character is asked for."""
        if self.variant.at is not None:
            return self.variant.at - 1
        assert self.variant.branch is not None, "a character is asked for at a branch or at a position"
        return Geometry(Candidates(tuple(words), _symbols(words)), target).branches[self.variant.branch - 1]

    def _characters(self, words: Sequence[str], inventory: str, draft: str) -> str:
        """The characters that are options, in the order of the inventory."""
        if self.variant.support == "full":
            return inventory
        candidates = Candidates(tuple(words), inventory)
        return (
            candidates.following(draft) if self.variant.support == "trie" else candidates.unions[len(draft)]
        )

    def meaning(self, option: str) -> str:
        """What an option says, by its name."""
        return f"it is {option}"

    def events_of(self, values: Values) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The events that payload values name: of each option in displayed order (n, options, K), and of
        the condition (n, K), which is none.
        """
        words = self.world.table(values)
        said = np.array([self._texts(option, values) for option in self.options], dtype=np.str_).T
        if self.variant.asks == CHARACTER:
            # A row of fixed-width texts is a row of characters, padded with empty ones.
            letters = words.view("U1").reshape(*words.shape, words.itemsize // np.dtype("U1").itemsize)
            places = np.asarray(values[POSITION], dtype=np.int64)
            within = places < letters.shape[2]
            words = letters[np.arange(len(words)), :, np.where(within, places, 0)]
            words = np.where(within[:, None], words, "")
        return said[:, :, None] == words[:, None, :], np.ones(words.shape, dtype=np.bool_)

    def _texts(self, option: Variable, values: Values) -> list[str]:
        return [option.domain.text(code) for code in values[option.name].tolist()]


def candidate_asking(
    world: CandidateWorld, variant: Variant, state: Leaf, wire: str, model: str
) -> CandidateAsking:
    """Compile a variant for a world of candidates. Raises PlanError or TemplateError."""
    target = "the word to be copied" if world.seen in COPYING else "the right answer"
    longest = world.model.lengths[1]
    position = Variable(POSITION, Phrases(tuple(map(str, range(1, longest + 1)))))
    draft = Variable(DRAFT, Identifiers(world.model.task.alphabet, 1, longest))
    asked = "character" if variant.asks == CHARACTER else "word"
    asked += "-drafted" if variant.support == "trie" else ""
    instructions = candidate_prompts()[asked].leaf({"target": target, "position": position, "draft": draft})
    variables = list(world.view.shown)
    if variant.asks != CHARACTER:
        options = world.candidates
    else:
        symbols = Phrases(tuple(world.model.task.alphabet))
        width = world.model.task.symbols
        if variant.support != "full" and variant.branch is not None:
            widths = world.model.widths if variant.support == "trie" else world.model.unions
            width = widths[variant.branch - 1] or 0  # a variant without one is refused
        options = tuple(Variable(f"character_{place + 1}", symbols) for place in range(width))
        variables += [position, *[draft] * (variant.support == "trie"), *options]
    labels = chat.letters(len(options))
    if wire == "systemone":
        labels = tuple(f"c{place + 1}" for place in range(len(options)))
    leaves: list[tuple[Leaf, Leaf]] = []
    for place, (option, label) in enumerate(zip(options, labels, strict=True)):
        key = Leaf((Literal(label),))
        if variant.keys == "opaque":
            variables.append(Variable(f"key_{place}", OPAQUE))
            key = Leaf((Slot(variables[-1]),))
        leaves.append((key, Leaf((_shown(option),))))
    tree, portable = written(
        wire, model, variant.form, state=state, instructions=instructions, options=leaves
    )
    return CandidateAsking(variant, world, Plan(tree, tuple(variables)), options, labels, portable)


def _shown(option: Variable) -> Column | Slot:
    domain = option.domain
    return Column((option,), domain.values) if isinstance(domain, Phrases) else Slot(option)


def _symbols(words: Sequence[str]) -> str:
    return "".join(sorted(set("".join(words))))
