"""Roots: for each index of a stratum, the first attempt that may stand."""

from collections.abc import Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.cohorts import Stratum
from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes
from worldgen.exact.errors import WorldgenError
from worldgen.exact.streams import Indices
from worldgen.worlds.base import Draw, Streams

MOST_ATTEMPTS = 10_000


class UnreachableError(WorldgenError):
    """A root that no attempt gave. `rate` says how many attempts were made and how many were kept."""

    def __init__(self, stratum: str, index: int, made: int, kept: int) -> None:
        super().__init__(
            f"stratum '{stratum}': root {index} found no admissible draw in {MOST_ATTEMPTS} attempts "
            f"({kept} of {made} attempts of its batch were kept)",
            remedy="widen the ranges of the world, exclude less, or loosen the quota",
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


def draw_roots(stratum: Stratum, seed: int, indices: Indices, excluded: Set[str] = frozenset()) -> Roots:
    """The roots at ascending `indices`: the first attempt of positive mass whose digest is not excluded.

    A root depends on nothing but (seed, world, stratum, index) and the exclusions. Raises
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
        keep = _admissible(stratum, draw, excluded)
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
        raise UnreachableError(stratum.name, int(indices[pending[0]]), made, len(indices) - len(pending))
    posteriors, _ = world.posterior(values)
    if refused := world.disagreements(values, posteriors):
        root = int(indices[refused[0]])
        raise AdmissionError(f"stratum '{stratum.name}': the two posteriors of root {root} differ")
    return Roots(stratum, indices, attempts, values, hidden, outcomes, posteriors, world.digests(values))


def _admissible(stratum: Stratum, draw: Draw, excluded: Set[str]) -> NDArray[np.bool_]:
    keep = draw.possible.copy()
    if excluded:
        digests = stratum.world.digests(draw.values)
        keep &= np.array([digest not in excluded for digest in digests], dtype=np.bool_)
    return keep
