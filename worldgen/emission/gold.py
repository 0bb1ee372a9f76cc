"""Gold: the answers to all variants of a batch of roots. Each event is answered once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.asking import Asking, Presentation
from worldgen.cohort.roots import Roots
from worldgen.exact.arrow import Array, strings
from worldgen.exact.events import Event
from worldgen.exact.numbers import Integers, nearest_doubles
from worldgen.exact.pools import rationals

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Options:
    """The options of all variants, numbered through: variant by variant, in canonical order.

    `widths` is the number of options of each variant, `first` the number of its first one; `names` are
    the names of all options; the atoms of option k are atoms[starts[k] : starts[k] + sizes[k]].
    """

    def __init__(self, askings: Sequence[Asking]) -> None:
        events = [event for asking in askings for event in asking.question.events]
        self.widths = np.array([len(asking.names) for asking in askings], dtype=np.int64)
        self.first = np.cumsum(self.widths) - self.widths
        self.names = strings([name for asking in askings for name in asking.names])
        self.atoms = np.array([atom for event in events for atom in event.indices], dtype=np.int32)
        self.sizes = np.array([len(event.indices) for event in events], dtype=np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes

    def displayed(self, shown: Sequence[Presentation]) -> Places:
        """The numbers of the options that each root sees, all variants side by side, in displayed order."""
        return np.concatenate([p.order + first for p, first in zip(shown, self.first, strict=True)], axis=1)


@dataclass(frozen=True)
class Gold:
    """The answers to n roots and V variants that display W options in all.

    `defined` (n, V) says which questions have an answer, and `true` which option came true, by place of
    display, -1 for none. Option by option, `places` (n, W) is where q stands in the pools `texts` and
    `doubles`.
    """

    defined: Mask
    true: Places
    texts: Array
    doubles: NDArray[np.float64]
    places: Places


def answered(
    askings: Sequence[Asking], shown: Sequence[Presentation], displayed: Places, roots: Roots
) -> Gold:
    """The answers to every question of a batch."""
    answers: dict[tuple[Event, ...], tuple[Integers, Integers, Mask]] = {}
    columns: dict[tuple[Event, Event], int] = {}  # an event, with its condition
    tops: list[Integers] = []
    bottoms: list[Integers] = []
    column_of: list[int] = []
    defined, true = [], []
    for asking, presentation in zip(askings, shown, strict=True):
        events, given = asking.question.events, asking.question.given
        if (*events, given) not in answers:
            answers[*events, given] = asking.question.answers(roots.posteriors)
        weights, whole, has = answers[*events, given]
        for event, weight in zip(events, weights.T, strict=True):
            if (event, given) not in columns:
                columns[event, given] = len(tops)
                tops.append(weight)
                bottoms.append(whole)
            column_of.append(columns[event, given])
        came = _option_of_atom(events, len(roots.posteriors.atoms))[roots.outcomes]
        place = (presentation.order == came[:, None]).argmax(axis=1)
        defined.append(has)
        true.append(np.where(has & (came >= 0), place, -1))
    numerators, denominators = (cast(Integers, np.concatenate(part)) for part in (tops, bottoms))
    return Gold(
        np.stack(defined, axis=1),
        np.stack(true, axis=1),
        rationals(numerators, denominators),
        nearest_doubles(numerators, denominators),
        np.array(column_of)[displayed] * len(roots) + np.arange(len(roots))[:, None],
    )


def _option_of_atom(events: Sequence[Event], atoms: int) -> Places:
    """The option that each atom belongs to; -1 outside all of them, and so outside `given`."""
    found = np.full(atoms, -1, dtype=np.int64)
    for number, event in enumerate(events):
        found[list(event.indices)] = number
    return found
