"""Asking: one variant of one stratum, compiled. Roots in, questions, payload values and answers out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.candidate_asking import CandidateAsking, candidate_asking
from worldgen.cohort.case_asking import LABELS, cases_of, demonstrated, payload
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.presenting import (
    NO_POOL,
    OPAQUE,
    Presentation,
    arranged,
    distinct_keys,
    written,
)
from worldgen.cohort.variants import BINARY, BY_NAME, PARTITION, Variant, negation_of
from worldgen.exact.domains import Codes, Phrases
from worldgen.exact.events import Event
from worldgen.exact.questions import Option, Question
from worldgen.exact.streams import Indices
from worldgen.exact.variables import Variable
from worldgen.renderers import chat, systemone
from worldgen.renderers.cases import Cases
from worldgen.renderers.encodings import prompts
from worldgen.renderers.lines import Column, Leaf, Slot
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import Streams, Values, World
from worldgen.worlds.candidates import CandidateWorld


@dataclass(frozen=True)
class Asking:
    """A variant as one stratum sees it on one wire: the question in canonical order, and its plan.

    `phrases` maps every phrase that may stand for an event in the payload to that event; a reader of
    payloads rebuilds the event map from it. `named` says that the instructions name the event asked
    about, `listed` that the options stand below them. `base` is the canonical display: an event puts
    false before true where both are listed. `labels` are the answer ids of the options in canonical
    order, unless they are drawn. `cases` is what a case variant shows.
    """

    variant: Variant
    question: Question
    plan: Plan
    phrases: Mapping[str, Event]
    named: bool
    listed: bool
    base: tuple[int, ...]
    labels: tuple[str, ...]
    portable: bool
    cases: Cases | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The option names, in canonical order."""
        return tuple(option.name for option in self.question.options)

    def present(self, streams: Streams, indices: Indices, pool: Values = NO_POOL) -> Presentation:
        """The presentation of each root. Order and labels come from streams that nothing else reads; `pool`
        holds the cases that may be demonstrated, see `case_asking.labelled`.
        """
        variant, rows, width = self.variant, len(indices), len(self.base)
        source = variant.repeats or variant.name
        values: dict[str, Codes] = {}
        if variant.demonstrations and self.cases is not None:
            values |= demonstrated(self.cases, pool, rows)
        if variant.given:
            values["given"] = np.full(rows, list(self.phrases).index(self.question.given.label))
        if self.named:
            event = self.question.options[_itself(variant)].event
            values["event"] = np.full(rows, list(self.phrases).index(event.label))
        if not self.listed:
            order = np.broadcast_to(np.arange(width), (rows, width))
            return Presentation(values, order, self.labels, order)
        base = np.array(self.base)
        order = base[arranged(variant.order, streams, f"order {source}", indices, width)]
        values |= {f"option_{place}": order[:, place] for place in range(width)}
        if variant.binding == "opaque":
            keys = distinct_keys(streams, f"keys {source}", indices, width)
            values |= {f"key_{place}": keys[:, place] for place in range(width)}
            return Presentation(
                values, order, keys.ravel().tolist(), np.arange(keys.size).reshape(keys.shape)
            )
        if variant.ids == "permuted":
            letter_of = np.argsort(base)[order]
            drawn = arranged("permuted", streams, f"ids {source}", indices, width)
            ids = np.take_along_axis(drawn, letter_of, axis=1)
            values |= {f"id_{place}": ids[:, place] for place in range(width)}
            return Presentation(values, order, chat.letters(width), ids)
        return Presentation(values, order, self.labels, order)

    def meaning(self, option: str) -> str:
        """What an option says, by its name."""
        return {each.name: each.event.label for each in self.question.options}[option]

    def events_of(self, values: Values) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """The events that payload values name: of each option in displayed order (n, options, K), and of
        the condition (n, K).
        """
        masks = _masks(list(self.phrases.values()))
        rows = len(next(iter(values.values())))
        given = masks[values["given"]] if self.variant.given else np.ones((rows, masks.shape[1]), np.bool_)
        if self.named:
            event = masks[values["event"]]
            both = [event, ~event] if _itself(self.variant) == 0 else [~event, event]
            options = np.stack(both, axis=1)
        else:
            fixed = _masks([option.event for option in self.question.options])
            options = np.broadcast_to(fixed, (rows, *fixed.shape))
        if not self.listed:
            return options, given
        order = np.stack([values[f"option_{place}"] for place in range(len(self.base))], axis=1)
        return options[np.arange(rows)[:, None], order], given


def question_of(world: World, variant: Variant) -> Question:
    """The question of a variant, options in canonical order. The world must have its events."""
    given = world.events[variant.given] if variant.given else world.atoms.everything
    if variant.asks == PARTITION:
        options = tuple(Option(name, event) for name, event in world.partition.items())
        return Question(variant.form, options, given)
    event, other = world.events[variant.asks], world.events[negation_of(variant.asks)]
    if variant.form == "event":
        return Question("event", (Option("true", event), Option("false", other)), given)
    return Question(variant.form, (Option(BINARY[0], other), Option(BINARY[1], event)), given)


AnyAsking = Asking | CandidateAsking


def askings_of(cohort: Cohort, stratum: Stratum) -> list[AnyAsking]:
    """The variants of a cohort, compiled for a stratum. Raises PlanError or TemplateError."""
    variants = [BY_NAME[name] for name in cohort.variants]
    shapes = {(variant.layout, variant.metadata): variant for variant in variants}
    states = {shape: state_of(stratum, variant) for shape, variant in shapes.items()}
    return [asking_of(cohort, stratum, one, states[one.layout, one.metadata]) for one in variants]


def state_of(stratum: Stratum, variant: Variant) -> Leaf:
    """The state that a variant shows. Raises TemplateError."""
    layout = stratum.world.encodings[stratum.encoding].layouts[variant.layout]
    return layout.leaf(stratum.world.template_names(metadata=variant.metadata))


def asking_of(cohort: Cohort, stratum: Stratum, variant: Variant, state: Leaf | None = None) -> AnyAsking:
    """Compile a variant for a stratum: its plan is proved here. Raises PlanError or TemplateError.

    `state` is what `state_of` gives; variants that show the same may share it.
    """
    shown = state or state_of(stratum, variant)
    if isinstance(stratum.world, CandidateWorld):
        return candidate_asking(stratum.world, variant, shown, cohort.wire, cohort.model)
    return fixed_asking(cohort, stratum, variant, shown)


def fixed_asking(cohort: Cohort, stratum: Stratum, variant: Variant, shown_state: Leaf) -> Asking:
    """Compile a variant that asks one question of all roots. Raises PlanError or TemplateError."""
    world, question = stratum.world, question_of(stratum.world, variant)
    phrases = {event.label: event for event in (*world.partition.values(), *world.events.values())}
    if variant.cases is not None:
        cases = cases_of(world, variant, shown_state)
        plan = Plan(payload(cases, cohort.wire, cohort.model), cases.shown)
        portable = cohort.wire == "chat" or not systemone.portable(cases.question)
        return Asking(
            variant, question, plan, phrases, False, False, (0, 1), LABELS[cohort.wire], portable, cases
        )
    lettered = cohort.wire == "chat"
    listed = lettered or variant.form != "event"
    named = variant.asks != PARTITION and (lettered or not listed)
    base = (1, 0) if variant.form == "event" and listed else tuple(range(len(question.options)))
    labels = _labels(cohort.wire, variant, question, base)
    domain = Phrases(tuple(phrases))
    event, given = Variable("event", domain), Variable("given", domain)
    asked = ("yes-no" if listed else "event") if named else variant.form
    wording = prompts()[asked + ("-given" if variant.given else "")]
    instructions = wording.leaf({"event": event, "given": given})
    described = _described(question, variant, named)
    options, shown = _options(described, variant, labels) if listed else ((), [])
    tree, portable = written(
        cohort.wire,
        cohort.model,
        variant.form,
        state=shown_state,
        instructions=instructions,
        options=options,
    )
    variables = [*(world.view.variables if variant.metadata else world.view.shown), *shown]
    variables += [event] * named + [given] * (variant.given is not None)
    plan = Plan(tree, tuple(variables))
    return Asking(variant, question, plan, phrases, named, listed, base, labels, portable)


def _itself(variant: Variant) -> int:
    """The canonical position of the option that the event asked about stands for."""
    return 0 if variant.form == "event" else BINARY.index("yes")


def _described(question: Question, variant: Variant, named: bool) -> Phrases:
    """What the lines of the options say, in canonical order: their events, unless the instructions name
    the event already; then yes and no.
    """
    if not named:
        return Phrases(tuple(option.event.label for option in question.options))
    return Phrases(BINARY[::-1] if _itself(variant) == 0 else BINARY)


def _labels(wire: str, variant: Variant, question: Question, base: Sequence[int]) -> tuple[str, ...]:
    """The answer ids of the options in canonical order, where they are not drawn."""
    if wire == "systemone":
        names = (option.name for option in question.options)
        return tuple(map(str, base)) if variant.form == "score" else tuple(names)
    letters = chat.letters(len(base))
    if variant.ids == "reversed":
        letters = letters[::-1]
    return tuple(letters[place] for place in np.argsort(base))


def _options(
    described: Phrases, variant: Variant, labels: tuple[str, ...]
) -> tuple[tuple[tuple[Leaf, Leaf], ...], list[Variable]]:
    """The label and the description of each displayed option, and the variables that they show."""
    leaves: list[tuple[Leaf, Leaf]] = []
    variables: list[Variable] = []
    for place in range(len(labels)):
        option = Variable(f"option_{place}", described)
        label: Column | Slot = Column((option,), labels)
        variables.append(option)
        if variant.binding == "opaque":
            variables.append(Variable(f"key_{place}", OPAQUE))
            label = Slot(variables[-1])
        elif variant.ids == "permuted":
            variables.append(Variable(f"id_{place}", Phrases(chat.letters(len(labels)))))
            label = Column((variables[-1],), chat.letters(len(labels)))
        leaves.append((Leaf((label,)), Leaf((Column((option,), described.values),))))
    return tuple(leaves), variables


def _masks(events: Sequence[Event]) -> NDArray[np.bool_]:
    masks = np.zeros((len(events), len(events[0].atoms)), dtype=np.bool_)
    for number, event in enumerate(events):
        masks[number, list(event.indices)] = True
    return masks
