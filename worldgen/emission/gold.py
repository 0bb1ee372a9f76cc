"""Gold: the exact answer to every request of a batch of roots, in displayed order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.asking import AnyAsking, Asking
from worldgen.cohort.candidate_asking import CandidateAsking
from worldgen.cohort.presenting import Presentation
from worldgen.cohort.roots import Roots
from worldgen.exact.errors import PartitionError
from worldgen.exact.events import Event
from worldgen.exact.numbers import nearest_doubles, write_rationals

UNDEFINED = "the condition has probability zero"
BEYOND = "the answer has no such position"


@dataclass(frozen=True)
class Answers:
    """The gold of one variant: event maps, conditions, texts and doubles of q in displayed order, the true
    option; `reason` says why a row has no answer, where it has none.
    """

    event_map: list[tuple[tuple[int, ...], ...]]
    given: list[tuple[int, ...]]
    texts: list[tuple[str, ...] | None]
    floats: list[tuple[float, ...] | None]
    outcomes: list[int | None]
    defined: NDArray[np.bool_]
    reason: str = UNDEFINED


@dataclass(frozen=True)
class _Gold:
    """The answers to one question in canonical order: texts and doubles (n, options), where they are
    defined, and the option that came true, -1 where none did.
    """

    texts: NDArray[np.object_]
    doubles: NDArray[np.float64]
    defined: NDArray[np.bool_]
    true: NDArray[np.int64]


def answers_of(askings: Sequence[AnyAsking], shown: Sequence[Presentation], roots: Roots) -> list[Answers]:
    """The gold of each variant. Variants that ask the same share the work."""
    known: dict[tuple[Event, ...], _Gold] = {}
    answered = []
    for asking, presentation in zip(askings, shown, strict=True):
        if isinstance(asking, CandidateAsking):
            answered.append(_row_by_row(asking, presentation, roots))
            continue
        asked = (*asking.question.events, asking.question.given)
        if asked not in known:
            known[asked] = _gold(asking, roots)
        answered.append(_displayed(known[asked], asking, presentation.order))
    return answered


def _gold(asking: Asking, roots: Roots) -> _Gold:
    tops, bottoms, defined = asking.question.answers(roots.posteriors)
    texts = np.array([write_rationals(top, bottoms) for top in tops.T], dtype=np.object_).T
    doubles = np.array([nearest_doubles(top, bottoms) for top in tops.T]).T
    option_of = _option_of_atom(asking.question.events, len(roots.posteriors.atoms))
    return _Gold(texts, doubles, defined, option_of[roots.outcomes])


def _displayed(gold: _Gold, asking: Asking, order: NDArray[np.int64]) -> Answers:
    """The gold in displayed order; one order for all rows is the common case, and quick."""
    atoms = [event.indices for event in asking.question.events]
    one = len(order) and bool((order == order[0]).all())
    place = np.where(gold.defined & (gold.true >= 0), (order == gold.true[:, None]).argmax(axis=1), -1)
    if one:
        texts, doubles = gold.texts[:, order[0]], gold.doubles[:, order[0]]
        event_map = [tuple(atoms[option] for option in order[0].tolist())] * len(order)
    else:
        rows = np.arange(len(order))[:, None]
        texts, doubles = gold.texts[rows, order], gold.doubles[rows, order]
        event_map = [tuple(atoms[option] for option in row) for row in order.tolist()]
    return Answers(
        event_map,
        [asking.question.given.indices] * len(order),
        _where(gold.defined, list(map(tuple, texts.tolist()))),
        _where(gold.defined, list(map(tuple, doubles.tolist()))),
        [None if at < 0 else at for at in place.tolist()],
        gold.defined,
    )


def _option_of_atom(events: Sequence[Event], atoms: int) -> NDArray[np.int64]:
    """The option that each atom belongs to; -1 outside all of them, and so outside `given`."""
    found = np.full(atoms, -1, dtype=np.int64)
    for number, event in enumerate(events):
        found[list(event.indices)] = number
    return found


def _row_by_row(asking: CandidateAsking, presentation: Presentation, roots: Roots) -> Answers:
    """The gold of a question whose options differ by root; there is none at a position that the answer does
    not have. Raises PartitionError where no option holds a
    candidate that is possible.
    """
    events, given = asking.events_of({**roots.values, **presentation.values})
    weights, totals = roots.posteriors.numerators, roots.posteriors.denominators
    tops = np.where(events, weights[:, None, :], 0).sum(axis=2)
    place = asking.variant.at or 0
    defined = np.array([len(words[0]) >= place for words in asking.world.words(roots.values)], dtype=np.bool_)
    missed = np.flatnonzero(defined & (tops.sum(axis=1) != totals))
    if len(missed):
        index = int(roots.indices[missed[0]])
        raise PartitionError(f"the options of {asking.variant.name} do not part what is possible at {index}")
    texts = np.array([write_rationals(top, totals) for top in tops.T], dtype=np.object_).T
    doubles = np.array([nearest_doubles(top, totals) for top in tops.T]).T
    came = events[np.arange(len(events)), :, roots.outcomes]
    return Answers(
        [tuple(tuple(np.flatnonzero(event).tolist()) for event in row) for row in events],
        [tuple(np.flatnonzero(row).tolist()) for row in given],
        _where(defined, list(map(tuple, texts.tolist()))),
        _where(defined, list(map(tuple, doubles.tolist()))),
        [int(row.argmax()) if row.any() else None for row in came],
        defined,
        BEYOND,
    )


def _where(defined: NDArray[np.bool_], rows: list[Any]) -> list[Any]:
    if defined.all():
        return rows
    return [row if ok else None for row, ok in zip(rows, defined, strict=True)]
