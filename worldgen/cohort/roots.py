"""Roots: for each index of a stratum, the first attempt that may stand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.cohorts import Stratum
from worldgen.cohort.quotas import EVERYTHING, Admission
from worldgen.exact.arrow import Array
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes
from worldgen.exact.errors import WorldgenError
from worldgen.exact.streams import Indices
from worldgen.interrupts import heed
from worldgen.worlds.base import Draw

MOST_ATTEMPTS = 10_000
PATIENCE = 32
RARE = 1000
DRAWN_AT_ONCE = 8192


class UnreachableError(WorldgenError):
    """A root that no attempt gave. `rate` is the rate measured: how many draws were kept and how many
    were made, for all roots of which the same was asked.
    """

    def __init__(self, stratum: str, index: int, demand: str, kept: int, made: int) -> None:
        super().__init__(
            f"stratum '{stratum}': root {index} must have {demand}, and no draw of {MOST_ATTEMPTS:,} had it; "
            f"of {made:,} draws made for roots of this kind, {kept:,} could be kept",
            remedy="widen the ranges of the world, loosen the quota, or exclude less",
        )
        self.rate = (kept, made)


class AdmissionError(WorldgenError):
    """A root whose posterior the independent path does not confirm: a fault of this library."""


@dataclass(frozen=True)
class Roots:
    """n roots of one stratum, in order of index: what is shown, what is hidden, and what is true.

    `attempts` counts from 1 the draws that each root took.
    """

    stratum: Stratum
    indices: Indices
    attempts: NDArray[np.int64]
    values: dict[str, Codes]
    hidden: dict[str, Codes]
    outcomes: NDArray[np.int64]
    posteriors: Posteriors
    digests: Array

    def __len__(self) -> int:
        return len(self.indices)


class _Tally:
    """How many draws were made and kept for the roots of each bin."""

    def __init__(self, bins: NDArray[np.int64]) -> None:
        self.bins = bins
        self.made, self.kept = np.zeros((2, bins.max(initial=0) + 1), dtype=np.int64)

    def count(self, drawn: NDArray[np.int64], made: NDArray[np.int64], kept: NDArray[np.bool_]) -> None:
        """Count `made` draws for each of the rows `drawn`, of which the last was `kept` or was not."""
        np.add.at(self.made, self.bins[drawn], made)
        np.add.at(self.kept, self.bins[drawn[kept]], 1)

    def rare(self, pending: NDArray[np.int64]) -> list[int]:
        """The first pending row of every bin where fewer than one draw in RARE was kept."""
        kinds, firsts = np.unique(self.bins[pending], return_index=True)
        return [int(row) for row in pending[firsts[self.kept[kinds] * RARE < self.made[kinds]]]]

    def unreachable(
        self, stratum: Stratum, admission: Admission, indices: Indices, row: int, more: int = 0
    ) -> UnreachableError:
        """The error of a row that no attempt gave; `more` draws were made for it apart."""
        index, kind = int(indices[row]), self.bins[row]
        kept, made = int(self.kept[kind]), int(self.made[kind]) + more
        return UnreachableError(stratum.name, index, admission.demand(index), kept, made)


def _ahead(tried: int, pending: int) -> int:
    """How many attempts of each pending root are drawn at once: at most as many as were made in vain, so
    that at most half of all draws are not needed; and not beyond the next point where a choice is made.
    """
    stop = PATIENCE if tried < PATIENCE < MOST_ATTEMPTS else MOST_ATTEMPTS
    return min(max(1, min(tried, DRAWN_AT_ONCE // pending)), stop - tried)


def draw_roots(stratum: Stratum, seed: int, indices: Indices, admission: Admission = EVERYTHING) -> Roots:
    """The roots at ascending `indices`: the first attempt that is admitted.

    A root depends on nothing but the streams of its stratum, its index and the admission. Raises
    UnreachableError when attempts run out, AdmissionError when the two paths disagree.
    """
    world, streams = stratum.world, stratum.streams(seed)
    first = world.draw(streams, indices, 0)
    attempts = _attempts(stratum, seed, indices, admission, first)
    values, hidden, outcomes = dict(first.values), dict(first.hidden), first.outcomes.copy()
    if len(late := np.flatnonzero(attempts > 1)):
        # What no admission looks at is drawn for the attempts alone that it let pass.
        draw = world.draw(streams, indices[late], attempts[late] - 1)
        outcomes[late] = draw.outcomes
        for kept, drawn in ((values, draw.values), (hidden, draw.hidden)):
            for name, codes in drawn.items():
                kept[name][late] = codes
    posteriors, _ = world.posterior(values)
    if refused := world.disagreements(values, posteriors):
        root = int(indices[refused[0]])
        raise AdmissionError(f"stratum '{stratum.name}': the two posteriors of root {root} differ")
    return Roots(stratum, indices, attempts, values, hidden, outcomes, posteriors, world.digests(values))


def _attempts(
    stratum: Stratum, seed: int, indices: Indices, admission: Admission, first: Draw
) -> NDArray[np.int64]:
    """How many attempts each root takes, of which `first` holds the first."""
    world, streams = stratum.world, stratum.streams(seed)
    pending, tried = np.arange(len(indices)), 0
    attempts = np.zeros(len(indices), dtype=np.int64)
    tally = _Tally(admission.bins(indices))
    while len(pending):
        heed()
        if tried == MOST_ATTEMPTS:
            raise tally.unreachable(stratum, admission, indices, pending[0])
        if tried == PATIENCE and len(indices) > 1:
            # One root is tried to its end before the others go on, so that what cannot be is refused after
            # the attempts of one root, not of thousands. It is drawn again below.
            for row in tally.rare(pending):
                one = indices[[row]]
                try:
                    _attempts(stratum, seed, one, admission, world.draw(streams, one, 0))
                except UnreachableError as error:
                    raise tally.unreachable(stratum, admission, indices, row, error.rate[1]) from None
        ahead = _ahead(tried, len(pending))
        lined = indices[np.tile(pending, ahead)]
        if tried:
            # All roots at one attempt, then all at the next: their words are made in runs.
            attempt = np.repeat(np.arange(tried, tried + ahead), len(pending))
            admitted = admission.admits(world, world.shown(streams, lined, attempt), lined)
        else:
            admitted = (
                first.possible if admission == EVERYTHING else admission.admits(world, first.values, lined)
            )
        admitted = admitted.reshape(ahead, len(pending))
        found, nth = np.asarray(admitted.any(axis=0)), admitted.argmax(axis=0)
        tally.count(pending, np.where(found, nth + 1, ahead), found)
        attempts[pending[found]] = tried + nth[found] + 1
        pending, tried = pending[~found], tried + ahead
    return attempts
