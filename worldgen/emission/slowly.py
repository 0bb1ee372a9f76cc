"""The slow path over a batch: whether the integers of an answer are what the independent posterior says."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.decimals import AGREEMENT
from worldgen.exact.domains import Codes
from worldgen.exact.numbers import Integers, integers
from worldgen.worlds.base import World

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]

TOLERANCE = Fraction(AGREEMENT)


def gathered(
    shown: Sequence[Mapping[str, Codes]], owners: Sequence[Places], roots: int
) -> tuple[dict[str, Codes], list[Places]]:
    """The distinct tables of values that requests show, and the place of each request's among them.

    Requests come in groups: values row by row, and the root that each row is of. Those of one root mostly
    show the same, which becomes one table; what differs from the first that a root shows stands for itself.

    >>> shown, owners = [{"x": np.array([5, 6])}, {"x": np.array([6, 7])}], [np.array([0, 1])] * 2
    >>> values, places = gathered(shown, owners, 2)
    >>> values["x"].tolist(), [found.tolist() for found in places]
    ([5, 6, 6, 7], [[0, 1], [2, 3]])
    """
    names = list(shown[0])
    seen = np.zeros(roots, dtype=np.bool_)
    first = {name: np.zeros(roots, dtype=shown[0][name].dtype) for name in names}
    for values, owner in zip(shown, owners, strict=True):
        new = ~seen[owner]
        for name in names:
            first[name][owner[new]] = values[name][new]
        seen[owner] = True
    number, total = np.cumsum(seen) - 1, int(seen.sum())
    parts = [{name: column[seen] for name, column in first.items()}]
    places = []
    for values, owner in zip(shown, owners, strict=True):
        other = np.zeros(len(owner), dtype=np.bool_)
        for name in names:
            other |= np.asarray(values[name] != first[name][owner], dtype=np.bool_)
        place = number[owner]
        place[other] = total + np.arange(other.sum())
        total += int(other.sum())
        parts.append({name: values[name][other] for name in names})
        places.append(place)
    return {name: np.concatenate([part[name] for part in parts]) for name in names}, places


class SlowPath:
    """The slow posteriors of n tables of shown values, each worked out once, however many payloads show it.

    Two masses agree where they differ by at most 1e-15.
    """

    def __init__(self, world: World, values: Mapping[str, Codes]) -> None:
        self.world, self._values = world, values
        self._known: dict[tuple[int, int], Mask] = {}

    @cached_property
    def weights(self) -> Integers:
        """The weights of the atoms of each table by the slow path, (n, K); zeros without mass."""
        return self.world.slow_posterior(self._values)

    @cached_property
    def _fast(self) -> Integers:
        return self.world.posterior(self._values)[0].numerators

    def confirms(self, event: int, given: int) -> Mask:
        """For each table, whether both paths agree on P(event | given), both sets of atoms as bit masks.

        With whole numbers a/b on one path and c/d on the other, |a/b - c/d| <= t is
        |a d - c b| <= t b d. As a <= b and c <= d, no product is above the largest b times the largest d:
        below 2**63, int64 tells where the sides are equal. The others are compared in integers of any size.
        Where a path has no mass, nothing is confirmed.
        """
        if (event, given) not in self._known:
            asked, whole = _atoms(event & given), _atoms(given)
            a, b = (self._fast[:, atoms].sum(axis=1) for atoms in (asked, whole))
            c, d = (self.weights[:, atoms].sum(axis=1) for atoms in (asked, whole))
            bound = int(b.max(initial=0)) * int(d.max(initial=0)) + 1
            a, b, c, d = (integers(part, bound) for part in (a, b, c, d))
            near = np.asarray((a * d == c * b) & (b > 0) & (d > 0), dtype=np.bool_)
            rows = np.flatnonzero(~near)
            a, b, c, d = (part[rows].astype(np.object_) for part in (a, b, c, d))
            apart = abs(a * d - c * b) * TOLERANCE.denominator
            near[rows] = (apart <= b * d * TOLERANCE.numerator) & (b > 0) & (d > 0)
            self._known[event, given] = near
        return self._known[event, given]

    def agrees(self, events: Mask, given: Mask, tables: Places) -> Mask:
        """For each row, whether both paths agree on every option: events (n, options, K), given (n, K)."""
        bits = integers([1 << atom for atom in range(events.shape[2])], 1 << events.shape[2])
        asked, whole = events @ bits, np.broadcast_to((given @ bits)[:, None], events.shape[:2])
        agreed = np.ones(len(events), dtype=np.bool_)
        for event in np.unique(asked):
            for condition in np.unique(whole[asked == event]):
                rows, _ = np.nonzero((asked == event) & (whole == condition))
                agreed[rows] &= self.confirms(int(event), int(condition))[tables[rows]]
        return agreed


def _atoms(mask: int) -> list[int]:
    return [atom for atom in range(mask.bit_length()) if mask >> atom & 1]
