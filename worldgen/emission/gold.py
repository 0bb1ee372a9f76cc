"""Gold: the answers to all variants of a batch of roots. Each event is answered once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.asking import Asking
from worldgen.cohort.presenting import Presentation
from worldgen.cohort.roots import Roots
from worldgen.exact.arrow import Array, strings
from worldgen.exact.distributions import Posteriors
from worldgen.exact.events import Event
from worldgen.exact.numbers import Integers, nearest_doubles
from worldgen.exact.pools import rationals, together
from worldgen.exact.questions import Question

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Options:
    """The options of all variants, numbered through: variant by variant, in canonical order.

    `widths` is the number of options of each variant, `first` the number of its first one; `names` are
    the names of all options; the atoms of option k are atoms[starts[k] : starts[k] + sizes[k]]. `column`
    says of each option which of the distinct `asked`, events with their conditions, it stands for. The
    probability of an atom without a condition stands in the posterior already: `known` has the atom of each
    pair asked, -1 for all others.
    """

    def __init__(self, askings: Sequence[Asking]) -> None:
        questions = [asking.question for asking in askings]
        pairs = [(event, question.given) for question in questions for event in question.events]
        self.widths = np.array([len(question.options) for question in questions], dtype=np.int64)
        self.first = np.cumsum(self.widths) - self.widths
        self.names = strings([option.name for question in questions for option in question.options])
        self.atoms = np.array([atom for event, _ in pairs for atom in event.indices], dtype=np.int32)
        self.sizes = np.array([len(event.indices) for event, _ in pairs], dtype=np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.asked = list(dict.fromkeys(pairs))
        self.column = np.array([self.asked.index(pair) for pair in pairs], dtype=np.int64)
        self.known = np.array([_known_atom(*pair) for pair in self.asked], dtype=np.int64)
        self.given = [question.given for question in questions]
        self.questions = list(
            {(question.events, question.given): question for question in questions}.values()
        )
        self.option_of_atom = [_option_of_atom(question) for question in questions]

    def displayed(self, shown: Sequence[Presentation]) -> Places:
        """The numbers of the options that each root sees, all variants side by side, in displayed order."""
        return np.concatenate([p.order + first for p, first in zip(shown, self.first, strict=True)], axis=1)


def _known_atom(event: Event, given: Event) -> int:
    whole = len(given.indices) == len(given.atoms)
    return event.indices[0] if whole and len(event.indices) == 1 else -1


@dataclass(frozen=True)
class Gold:
    """The answers to n roots and V variants that display W options in all.

    `defined` (n, V) says which questions have an answer, and `true` which option came true, by place of
    display, -1 for none. Option by option, `places` (n, W) is where q stands in the pools `texts` and
    `doubles`; where there is no answer, it is the place of a 0. Both pools begin with the masses of the n
    posteriors, atom by atom.
    """

    defined: Mask
    true: Places
    texts: Array
    doubles: NDArray[np.float64]
    places: Places


def masses(posteriors: Posteriors) -> Array:
    """The masses of n posteriors as texts, atom by atom."""
    wholes = np.repeat(posteriors.denominators, len(posteriors.atoms))
    return rationals(posteriors.numerators.ravel(), cast(Integers, wholes))


def answered(
    options: Options, shown: Sequence[Presentation], displayed: Places, roots: Roots, told: Array
) -> Gold:
    """The answers to every question of a batch, whose masses are `told` in the posterior.

    Raises PartitionError where the options of a question do not part its possible atoms.
    """
    posteriors, n, atoms = roots.posteriors, len(roots), len(roots.posteriors.atoms)
    for question in options.questions:
        question.check(posteriors.support)
    wholes = {given.mask: posteriors.weight(given) for given in options.given}
    defined = {mask: np.asarray(whole > 0, dtype=np.bool_) for mask, whole in wholes.items()}
    fresh = np.flatnonzero(options.known < 0)
    tops, bottoms = [], []
    for event, given in (options.asked[pair] for pair in fresh):
        tops.append(np.where(defined[given.mask], posteriors.weight(event), 0))
        bottoms.append(np.where(defined[given.mask], wholes[given.mask], 1))
    nothing = np.zeros(0, dtype=np.int64)
    numerators, denominators = (cast(Integers, np.concatenate([nothing, *part])) for part in (tops, bottoms))
    true = []
    for presentation, given, option_of_atom in zip(shown, options.given, options.option_of_atom, strict=True):
        came = option_of_atom[roots.outcomes]
        place = (presentation.order == came[:, None]).argmax(axis=1)
        true.append(np.where(defined[given.mask] & (came >= 0), place, -1))
    # The masses of root r stand at r K + atom, the j-th answer beside them at n K + j n + r.
    first, step = options.known.copy(), np.where(options.known < 0, 1, atoms)
    first[fresh] = n * atoms + np.arange(len(fresh)) * n
    column = options.column[displayed]
    return Gold(
        np.stack([defined[given.mask] for given in options.given], axis=1),
        np.stack(true, axis=1),
        together([told, rationals(numerators, denominators)])[0],
        np.concatenate([_doubles(posteriors), nearest_doubles(numerators, denominators)]),
        np.asarray(first[column] + step[column] * np.arange(n)[:, None], dtype=np.int64),
    )


def _doubles(posteriors: Posteriors) -> NDArray[np.float64]:
    wholes = np.repeat(posteriors.denominators, len(posteriors.atoms))
    return nearest_doubles(posteriors.numerators.ravel(), cast(Integers, wholes))


def _option_of_atom(question: Question) -> Places:
    """The option that each atom belongs to; -1 outside all of them, and so outside `given`."""
    found = np.full(len(question.given.atoms), -1, dtype=np.int64)
    for number, event in enumerate(question.events):
        found[list(event.indices)] = number
    return found
