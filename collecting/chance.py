"""What is left to chance in a task, fixed by a seed and the root: positions, slips, codes and orders."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worldgen.cohort.presenting import OPAQUE
from worldgen.collecting.controllers.options import Naming, derangement, permutation
from worldgen.exact.streams import Stream


@dataclass(frozen=True)
class Chance:
    """The draws of one root."""

    seed: int
    root_id: str

    def below(self, size: int, purpose: str) -> int:
        """A number from 0 to size - 1, each as likely."""
        return int(Stream.named(self.seed, purpose, self.root_id).below(np.arange(1), 0, size)[0])

    def position(self, length: int) -> int:
        """A position from 0 that has one before it, or the only one there is."""
        return 1 + self.below(length - 1, "position") if length > 1 else 0

    def other(self, symbol: str, symbols: Sequence[str]) -> str:
        """Another symbol than this one."""
        others = [one for one in symbols if one != symbol]
        return others[self.below(len(others), "other symbol")]

    def slipped(self, draft: str, symbols: Sequence[str]) -> str:
        """A draft with one of its characters replaced by another; an empty one as it is."""
        if not draft:
            return draft
        at = self.below(len(draft), "slip")
        return draft[:at] + self.other(draft[at], symbols) + draft[at + 1 :]

    def naming(self, symbols: Sequence[str]) -> Naming:
        """Codes for symbols: opaque ones, the symbols themselves, and a derangement.

        >>> Chance(7, "r0").naming("abc").derangement
        (2, 0, 1)
        """
        size, ranks = len(symbols), list[int]()
        for place in range(size):
            # The rank among those that are not taken, counted on over each that is.
            rank = self.below(OPAQUE.count - place, f"code {place}")
            for taken in sorted(ranks):
                rank += rank >= taken
            ranks.append(rank)
        codes = OPAQUE.nths(np.array(ranks)).tolist()
        return Naming(tuple(codes), tuple(symbols), derangement(size, self.seed, "codes", self.root_id))

    def orders(self, size: int) -> tuple[tuple[int, ...], ...]:
        """The displayed orders by number: canonical, reversed, and one that is drawn."""
        drawn = permutation(size, self.seed, "order", self.root_id)
        return tuple(range(size)), tuple(reversed(range(size))), drawn
