"""Asking: one variant of one stratum, compiled. Roots in, questions, payload values and answers out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.variants import PARTITION, Variant
from worldgen.exact.domains import Codes, Identifiers, Phrases
from worldgen.exact.events import Event
from worldgen.exact.questions import Option, Question
from worldgen.exact.streams import Indices
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Column, Leaf, Slot
from worldgen.renderers.plans import Plan
from worldgen.renderers.templates import compile_leaf
from worldgen.renderers.wires import WIRES, Asked, prompts
from worldgen.worlds.base import Streams, World

OPAQUE = Identifiers("bcdfghjkmnpqrstvwxz23456789", 6, 6)
YES, NO = "yes", "no"


@dataclass(frozen=True)
class Presentation:
    """How n roots see one question.

    `values` are the codes of the question's variables, `order` (n, options) the canonical position of
    the option displayed at each place, `answer_ids` its label, row by row in displayed order.
    """

    values: Mapping[str, Codes]
    order: NDArray[np.int64]
    answer_ids: list[tuple[str, ...]]


@dataclass(frozen=True)
class Asking:
    """A variant as one stratum sees it: the question in canonical order, and the plan of its payload.

    `phrases` maps every phrase that the payload may show to its event; a reader of payloads rebuilds
    the event map from it.
    """

    variant: Variant
    question: Question
    plan: Plan
    phrases: Mapping[str, Event]
    portable: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The option names, in canonical order."""
        return tuple(option.name for option in self.question.options)

    def present(self, streams: Streams, indices: Indices) -> Presentation:
        """The presentation of each root. Order and labels come from two streams that nothing else reads."""
        rows, width = len(indices), len(self.names)
        source = self.variant.repeats or self.variant.name
        order = np.broadcast_to(np.arange(width), (rows, width))
        if self.variant.order == "permuted" and width > 1:
            order = permutations(streams.purpose(f"order {source}").below(indices, 0, factorial(width) - 1) + 1, width)
        values: dict[str, Codes] = {}
        if self.variant.form == "event":
            asked = self.question.options[0].event, self.question.given
            for variable, event in zip(_event_variables(self.phrases), asked, strict=True):
                values[variable.name] = np.full(rows, variable.domain.code(event.label) or 0)
            return Presentation(values, order, [("true", "false")] * rows)
        for place in range(width):
            values[f"option_{place}"] = order[:, place]
        if self.variant.form == "choice" and self.question.given.label != "everything":
            variable = _event_variables(self.phrases)[1]
            values[variable.name] = np.full(rows, variable.domain.code(self.question.given.label) or 0)
        if self.variant.keys == "names":
            names = np.array(self.names, dtype=np.object_)
            return Presentation(values, order, [tuple(row) for row in names[order].tolist()])
        keys = distinct_keys(streams, f"keys {source}", indices, width)
        for place in range(width):
            values[f"key_{place}"] = keys[:, place]
        return Presentation(values, order, [tuple(row) for row in keys.tolist()])


def question_of(world: World, variant: Variant) -> Question:
    """The question of a variant, options in canonical order. The world must have its events."""
    given = world.events[variant.given] if variant.given else world.atoms.everything
    if variant.asks == PARTITION:
        options = tuple(Option(name, event) for name, event in world.partition.items())
        return Question(variant.form, options, given)
    event = world.events[variant.asks]
    if variant.form == "event":
        return Question.about(event, given)
    other = world.events[f"not {variant.asks}"]
    return Question(variant.form, (Option(YES, event), Option(NO, other)), given)


def permutations(ranks: Codes, width: int) -> NDArray[np.int64]:
    """The permutations of 0 .. width - 1 at lexicographic ranks, (n, width); rank 0 is the identity.

    >>> permutations(np.array([0, 1, 5]), 3).tolist()
    [[0, 1, 2], [0, 2, 1], [2, 1, 0]]
    """
    left = np.tile(np.arange(width), (len(ranks), 1))
    placed = np.empty_like(left)
    rows = np.arange(len(ranks))
    for place in range(width):
        block = factorial(width - 1 - place)
        picks = np.asarray(ranks // block, dtype=np.int64)
        ranks = ranks % block
        placed[:, place] = left[rows, picks]
        kept = np.arange(left.shape[1]) != picks[:, None]
        left = left[kept].reshape(len(left), -1)
    return placed


def distinct_keys(streams: Streams, purpose: str, indices: Indices, width: int) -> NDArray[np.object_]:
    """`width` distinct opaque identifiers for each root, every ordered choice equally likely, (n, width)."""
    ranks = np.empty((len(indices), width), dtype=np.int64)
    for place in range(width):
        rank = streams.purpose(f"{purpose} {place}").below(indices, 0, OPAQUE.count - place)
        for taken in np.sort(ranks[:, :place], axis=1).T:
            rank = rank + (rank >= taken)
        ranks[:, place] = rank
    flat = [OPAQUE.nth(rank) for rank in ranks.ravel().tolist()]
    return np.array(flat, dtype=np.object_).reshape(ranks.shape)
