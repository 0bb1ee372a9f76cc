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
from worldgen.renderers import systemone
from worldgen.renderers.encodings import prompts
from worldgen.renderers.lines import Column, Leaf, Slot
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import Streams, Values, World

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

    `phrases` maps every phrase that may stand for an event in the payload to that event; a reader of
    payloads rebuilds the event map from it.
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
        """The presentation of each root. Order and labels come from streams that nothing else reads."""
        rows, width = len(indices), len(self.names)
        values: dict[str, Codes] = {}
        if self.variant.given:
            values["given"] = np.full(rows, list(self.phrases).index(self.question.given.label))
        order = np.broadcast_to(np.arange(width), (rows, width))
        names = np.array(self.names, dtype=np.object_)
        if self.variant.form == "event":
            values["event"] = np.full(rows, list(self.phrases).index(self.question.options[0].event.label))
            return Presentation(values, order, _rows(names[order]))
        source = self.variant.repeats or self.variant.name
        if self.variant.order == "permuted" and width > 1:
            ranks = streams.purpose(f"order {source}").below(indices, 0, factorial(width) - 1) + 1
            order = permutations(ranks, width)
        values |= {f"option_{place}": order[:, place] for place in range(width)}
        if self.variant.keys == "names":
            return Presentation(values, order, _rows(names[order]))
        keys = distinct_keys(streams, f"keys {source}", indices, width)
        values |= {f"key_{place}": keys[:, place] for place in range(width)}
        return Presentation(values, order, _rows(keys))

    def events_of(self, values: Values) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The events that payload values name: of each option in displayed order (n, options, K), and of
        the condition (n, K).
        """
        masks = _masks(list(self.phrases.values()))
        rows = len(next(iter(values.values())))
        given = masks[values["given"]] if self.variant.given else np.ones((rows, masks.shape[1]), np.bool_)
        if self.variant.form == "event":
            event = masks[values["event"]]
            return np.stack([event, ~event], axis=1), given
        listed = _masks([option.event for option in self.question.options])
        return np.stack([listed[values[f"option_{place}"]] for place in range(len(listed))], axis=1), given


def asking_of(cohort: Cohort, stratum: Stratum, variant: Variant) -> Asking:
    """Compile a variant for a stratum: its plan is proved here. Raises PlanError or TemplateError."""
    world, question = stratum.world, question_of(stratum.world, variant)
    phrases = {event.label: event for event in (*world.partition.values(), *world.events.values())}
    domain = Phrases(tuple(phrases))
    event, given = Variable("event", domain), Variable("given", domain)
    wording = prompts()[
        f"{'event' if variant.form == 'event' else 'choice'}{'-given' if variant.given else ''}"
    ]
    instructions = wording.leaf({"event": event, "given": given})
    options, shown = _options(question, variant)
    asked = (
        systemone.Noul(instructions) if variant.form == "event" else systemone.Choice(instructions, options)
    )
    layout = world.encodings[stratum.encoding].layouts[variant.layout]
    state = layout.leaf(world.template_names(metadata=variant.metadata))
    variables = [*(world.view.variables if variant.metadata else world.view.shown), *shown]
    variables += [given] if variant.given else []
    variables += [event] if variant.form == "event" else []
    plan = Plan(systemone.payload(state, cohort.model, asked), tuple(variables))
    return Asking(variant, question, plan, phrases, not systemone.portable(asked))


def _options(question: Question, variant: Variant) -> tuple[tuple[tuple[Leaf, Leaf], ...], list[Variable]]:
    """The label and the description of each displayed option, and the variables that they show."""
    if variant.form == "event":
        return (), []
    names = tuple(option.name for option in question.options)
    described = Phrases(tuple(option.event.label for option in question.options))
    leaves, variables = [], []
    for place in range(len(names)):
        option, key = Variable(f"option_{place}", described), Variable(f"key_{place}", OPAQUE)
        label = Slot(key) if variant.keys == "opaque" else Column((option,), names)
        leaves.append((Leaf((label,)), Leaf((Column((option,), described.values),))))
        variables += [option, key] if variant.keys == "opaque" else [option]
    return tuple(leaves), variables


def _masks(events: Sequence[Event]) -> NDArray[np.bool_]:
    masks = np.zeros((len(events), len(events[0].atoms)), dtype=np.bool_)
    for number, event in enumerate(events):
        masks[number, list(event.indices)] = True
    return masks


def _rows(names: NDArray[np.object_]) -> list[tuple[str, ...]]:
    return [tuple(row) for row in names.tolist()]


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
