"""The candidate sets of the lexicon: for each slot a right answer, its mate, and three more pairs of nouns.

Two nouns are a pair at a position if they share all letters before it and not the one there. An answer and
its mate are a pair at the branch position of the slot, so that K is that of the product of the same slot. The
other pairs begin with other letters, and each is one at a position that is drawn from the same ones, so that
where a pair branches does not tell the answer's from the others. The range of their frequencies is drawn
among those that hold the answer and its mate. At each position at which a pair branches the eight nouns have
BRANCHED letters between them, so that every item offers as many options there, and at no position one alone.

Answers are dealt to the slots for which there are fewest first, and each slot takes one of the kind, by
frequency and repeated letters, of which its length has most to come. A set is drawn until one passes.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from worldgen.exact.errors import WorldgenError
from worldgen.exact.permutations import distinct
from worldgen.exact.streams import Stream
from worldgen.lexicon.screening import BROADEST, COMMON, Screen, cued, doubled

BRANCHED = 6
SPLITS: Mapping[str, int] = {"test": 64, "development": 24}
"""Split -> how many of the slots of each length it fills, the first ones."""
_KINDS = 4
_BLOCKS, _BLOCK = 12, 512  # attempts at a set around one answer

Slots = Mapping[str, tuple[int, int]]
Sets = dict[str, tuple[str, tuple[str, ...]]]


class LexiconError(WorldgenError):
    """A lexicon that cannot be made from what the screen leaves."""


@dataclass(frozen=True)
class _Start:
    """A noun, those of the same beginning, itself among them, and how many of these are a pair with it."""

    noun: str
    nouns: Sequence[str]
    count: int

    def others(self, branch: int) -> list[str]:
        """Those that are."""
        return [noun for noun in self.nouns if noun[branch - 1] != self.noun[branch - 1]]


@dataclass(frozen=True)
class Dealer:
    """A screen, and the slots to be filled, by name: the length of the answer, and its branch position,
    counted from one. What is drawn depends on nothing else.
    """

    screen: Screen
    slots: Slots

    def deal(self) -> dict[str, Sets]:
        """The sets of each split: slot -> right answer and candidates, in alphabetical order. No two items
        have one right answer. Raises LexiconError where there are too few answers for the slots.
        """
        taken: set[str] = set()
        found: dict[str, Sets] = {split: {} for split in SPLITS}
        seen: dict[tuple[str, int, int], int] = {}
        for split, slot in self._turns():
            length = self.slots[slot][0]
            counts = [seen.get((split, length, kind), 0) for kind in range(_KINDS)]
            kinds = sorted(range(_KINDS), key=counts.__getitem__)
            offer = next(self._offers(split, slot, kinds, taken), None)
            if offer is None:
                shape = f"{length} letters that branch at position {self.slots[slot][1]}"
                raise LexiconError(f"no set is left for {slot}: too few nouns of {shape} pass the screen")
            answer, words = offer
            taken.add(answer)
            key = split, length, self.kind(answer)
            seen[key] = 1 + seen.get(key, 0)
            found[split][slot] = answer, words
        return {split: dict(sorted(sets.items())) for split, sets in found.items()}

    def kind(self, answer: str) -> int:
        """The kind of an answer: by whether it is common, and whether a letter stands in it twice."""
        return 2 * (self.screen.zipf[answer] >= COMMON) + doubled(answer)

    def _turns(self) -> list[tuple[str, str]]:
        """The split and name of every slot, those for which there are fewest answers first."""
        by_length: dict[int, list[str]] = {}
        for slot, (length, _) in self.slots.items():
            by_length.setdefault(length, []).append(slot)
        wanted = [
            (split, slot)
            for split, count in SPLITS.items()
            for slots in by_length.values()
            for slot in slots[:count]
        ]
        return sorted(wanted, key=lambda turn: (len(self._answers[self.slots[turn[1]]]), self.slots[turn[1]]))

    @cached_property
    def _answers(self) -> Mapping[tuple[int, int], list[str]]:
        """The answers of each length that have a mate at each position."""
        return {
            (length, branch): [
                answer
                for answer in self.screen.answers
                if len(answer) == length and any(self._mates(answer, branch))
            ]
            for length, branch in sorted(set(self.slots.values()))
        }

    @cached_property
    def _beginnings(self) -> Mapping[tuple[int, int], Mapping[str, list[str]]]:
        """The listed nouns by their length, and by their first letters, so many of them."""
        found: dict[tuple[int, int], dict[str, list[str]]] = {}
        for noun in self.screen.listed:
            for end in range(len(noun)):
                found.setdefault((len(noun), end), {}).setdefault(noun[:end], []).append(noun)
        return found

    @cached_property
    def _branching(self) -> Mapping[tuple[int, int], list[list[str]]]:
        """For each length and position, the listed nouns of one beginning that are not alike there."""
        return {
            (length, end + 1): [nouns for nouns in groups.values() if len({noun[end] for noun in nouns}) > 1]
            for (length, end), groups in self._beginnings.items()
        }

    def _mates(self, answer: str, branch: int) -> Iterator[str]:
        """The nouns that are a pair with an answer at a position and may stand beside it."""
        for noun in self._beginnings[len(answer), branch - 1][answer[: branch - 1]]:
            if (
                noun[branch - 1] != answer[branch - 1]
                and self._near(answer, noun)
                and self._fits(answer, noun)
            ):
                yield noun

    def _near(self, answer: str, noun: str) -> bool:
        return abs(self.screen.zipf[answer] - self.screen.zipf[noun]) <= BROADEST

    def _fits(self, answer: str, noun: str) -> bool:
        sense = self.screen.answers[answer]
        return not cued(sense.definition, noun) and not self.screen.akin(sense, noun)

    def _offers(
        self, split: str, slot: str, kinds: Sequence[int], taken: set[str]
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Sets for a slot whose answers are not taken, the kinds in this order."""
        free = [answer for answer in self._answers[self.slots[slot]] if answer not in taken]
        order = distinct(Stream.named(0, "lexicon", split, slot), 0, len(free), len(free))
        for kind in kinds:
            for answer in (free[place] for place in order):
                if self.kind(answer) == kind and (words := self._drawn(split, slot, answer)):
                    yield answer, words

    def _drawn(self, split: str, slot: str, answer: str) -> tuple[str, ...] | None:
        """The first set around an answer that passes; None where _BLOCKS times _BLOCK attempts have none.

        Each block has a mate of its own, and a range of frequencies that holds both.
        """
        length, branch = self.slots[slot]
        mates = list(self._mates(answer, branch))
        stream = Stream.named(0, "lexicon", split, slot, answer)
        chosen = stream.below(np.arange(_BLOCKS), 0, len(mates)).tolist()
        for block, rank in enumerate(chosen):
            own, other = (self.screen.zipf[word] for word in (answer, mates[rank]))
            least = max(own, other) - BROADEST
            low = least + int(stream.below(np.array([block]), 1, min(own, other) - least + 1)[0])
            pairs = {
                at: self._pairs(answer, at, range(low, low + BROADEST + 1)) for at in range(2, length + 1)
            }
            for three in self._triples(stream, block, {at: found for at, found in pairs.items() if found}):
                words = [answer, mates[rank], *three]
                if self._passes(words):
                    return tuple(sorted(words))
        return None

    def _triples(
        self, stream: Stream, block: int, pairs: Mapping[int, Sequence["_Start"]]
    ) -> Iterator[list[str]]:
        """Three pairs of different initial letters, each at a drawn position: those that a block yields."""
        places, lanes = list(pairs), np.arange(3 * _BLOCK * block, 3 * _BLOCK * (block + 1))
        if not places:
            return
        at = [places[rank] for rank in stream.below(lanes, 2, len(places)).tolist()]
        first = stream.below(lanes, 3, np.array([len(pairs[place]) for place in at])).tolist()
        starts = [pairs[place][rank] for place, rank in zip(at, first, strict=True)]
        second = stream.below(lanes, 4, np.array([start.count for start in starts])).tolist()
        drawn = list(zip(starts, at, second, strict=True))
        for i in range(0, len(drawn), 3):
            three = drawn[i : i + 3]
            if len({start.noun[0] for start, _, _ in three}) == len(three):
                yield [
                    word
                    for start, place, choice in three
                    for word in (start.noun, start.others(place)[choice])
                ]

    def _pairs(self, answer: str, branch: int, frequencies: range) -> list["_Start"]:
        """The nouns of other initial letters, of these frequencies, that have a pair at a position."""
        found = []
        for nouns in self._branching[len(answer), branch]:
            if nouns[0][0] != answer[0]:
                near = [noun for noun in nouns if self.screen.zipf[noun] in frequencies]
                letters = Counter(noun[branch - 1] for noun in near)
                counts = ((noun, len(near) - letters[noun[branch - 1]]) for noun in near)
                found += [_Start(noun, near, count) for noun, count in counts if count]
        return found

    def _passes(self, words: Sequence[str]) -> bool:
        """Whether eight nouns, pair by pair, may be a set around the first."""
        for one, other in zip(words[::2], words[1::2], strict=True):
            place = next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
            if len({word[place] for word in words}) != BRANCHED:
                return False
        if any(len(set(letters)) == 1 for letters in zip(*words, strict=True)):
            return False
        if not all(self._fits(words[0], word) for word in words[1:]):
            return False
        apart = (self.screen.synonyms(a, b) for i, a in enumerate(words) for b in words[i + 1 :])
        return not any(apart)
