"""Roots: for each index of a stratum, the first attempt that may stand."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.cohorts import Stratum
from worldgen.cohort.quotas import EVERYTHING, Admission
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes
from worldgen.exact.errors import WorldgenError
from worldgen.exact.streams import Indices
from worldgen.worlds.base import Streams

MOST_ATTEMPTS = 10_000


class UnreachableError(WorldgenError):
    """A root that no attempt gave. `rate` says how many attempts were kept, and of how many."""

    def __init__(self, stratum: str, index: int, demand: str, kept: int, made: int) -> None:
        super().__init__(
            f"stratum '{stratum}': root {index} must have {demand}, and no draw of {MOST_ATTEMPTS:,} had it; "
            f"of all {made:,} draws made for its batch, {kept:,} could be kept",
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
    digests: list[str]

    def __len__(self) -> int:
        return len(self.indices)


def draw_roots(stratum: Stratum, seed: int, indices: Indices, admission: Admission = EVERYTHING) -> Roots:
    """The roots at ascending `indices`: the first attempt that is admitted.

    A root depends on nothing but (seed, world, stratum, index) and the admission. Raises
    UnreachableError when attempts run out, AdmissionError when the two paths disagree.
    """
    world, streams = stratum.world, Streams(seed, stratum.world.name, stratum.name)
    pending = np.arange(len(indices))
    attempts = np.zeros(len(indices), dtype=np.int64)
    made = 0
    first = world.draw(streams, indices, 0)
    values, hidden, outcomes = dict(first.values), dict(first.hidden), first.outcomes.copy()
    for attempt in range(MOST_ATTEMPTS):
        draw = first if attempt == 0 else world.draw(streams, indices[pending], attempt)
        made += len(pending)
        keep = admission.admits(world, draw, indices[pending])
        rows = pending[keep]
        attempts[rows] = attempt + 1
        for kept, drawn in ((values, draw.values), (hidden, draw.hidden)):
            for name, codes in drawn.items():
                kept[name][rows] = codes[keep]
        outcomes[rows] = draw.outcomes[keep]
        pending = pending[~keep]
        if not len(pending):
            break
    else:
        index = int(indices[pending[0]])
        demand = admission.demand(index)
        raise UnreachableError(stratum.name, index, demand, len(indices) - len(pending), made)
    posteriors, _ = world.posterior(values)
    if refused := world.disagreements(values, posteriors):
        root = int(indices[refused[0]])
        raise AdmissionError(f"stratum '{stratum.name}': the two posteriors of root {root} differ")
    return Roots(stratum, indices, attempts, values, hidden, outcomes, posteriors, world.digests(values))
