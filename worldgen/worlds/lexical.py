"""Nouns to be found by their definitions, among candidates that a frozen lexicon lists.

Unlike those of other tasks, the candidates are not all words that can be put together from a few characters:
they are a tree in which each word branches as widely as the others, but not at the same positions.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from string import ascii_lowercase
from typing import ClassVar

from worldgen.exact.domains import Phrases
from worldgen.exact.errors import DomainError
from worldgen.exact.geometry import Candidates, Geometry
from worldgen.exact.variables import Variable
from worldgen.faults import Fault
from worldgen.worlds.items import Item, Slot, Source, Texts

COMMON = Fraction(4)
"""The Zipf frequency from which a word counts as common."""


@dataclass(frozen=True)
class Entry:
    """A word of a lexicon, with the sense that is meant: its definition, and where they are known the Zipf
    frequency as it is written, the name of the synset and its lemmas.
    """

    word: str
    definition: str
    zipf: str = ""
    synset: str = ""
    lemmas: tuple[str, ...] = ()


@dataclass(frozen=True)
class WordSet:
    """The candidates of a slot and the right one among them; `place` is the file and the line of it.

    >>> WordSet("p000", "cat", ("cab", "cat", "dim", "dog")).degrees("dog")
    ((2, 2), (2, 3))
    """

    slot: str
    answer: str
    candidates: tuple[str, ...]
    place: tuple[str, int] = field(default=("", 0), compare=False)

    @cached_property
    def offered(self) -> Candidates:
        """The candidates over the alphabet. Raises GeometryError where they are no candidate set."""
        return Candidates(self.candidates, ascii_lowercase)

    def degrees(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """How many characters are open at each branch of a candidate: beside its beginning, and in all."""
        return self._degrees[word]

    @cached_property
    def _degrees(self) -> Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]]:
        found = {}
        for word in self.candidates:
            places = Geometry(self.offered, word).branches
            beside = (len(self.offered.following(word[:place])) for place in places)
            found[word] = tuple(beside), tuple(len(self.offered.unions[place]) for place in places)
        return found


@dataclass(frozen=True)
class Lexical:
    """The task of finding a noun by its definition.

    There is one item for each slot: the set of that name. `entries` hold the definition of each candidate;
    that of a right answer is no other word's. `credits` are the notices that whoever passes the lexicon on
    has to pass on with it.

    Raises DomainError for candidates without an entry, and for a right answer that is not among them or whose
    definition another word has.
    """

    name: ClassVar[str] = "lexical"
    says: ClassVar[str] = "Find the noun that the definition defines."
    alphabet: ClassVar[str] = ascii_lowercase
    symbols: ClassVar[int] = len(ascii_lowercase)
    crossed: ClassVar[bool] = False
    looked_up: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = ("synset", "zipf", "frequency", "repeats")

    entries: tuple[Entry, ...]
    sets: tuple[WordSet, ...]
    credits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        words = [entry.word for entry in self.entries]
        meant = Counter(entry.definition for entry in self.entries)
        lost = sorted({word for one in self.sets for word in (one.answer, *one.candidates)} - set(words))
        if lost or len(set(words)) < len(words):
            raise DomainError(
                f"a lexicon needs one entry for each word; {', '.join(lost) or 'some have two'}"
            )
        for one in self.sets:
            if one.answer not in one.candidates or meant[self._entries[one.answer].definition] > 1:
                raise DomainError(f"'{one.answer}' is no candidate of {one.slot}, or shares its definition")

    @cached_property
    def _entries(self) -> Mapping[str, Entry]:
        return {entry.word: entry for entry in self.entries}

    @cached_property
    def _answers(self) -> Mapping[str, str]:
        """The right answer to each definition that is asked about."""
        return {self._entries[one.answer].definition: one.answer for one in self.sets}

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The definition."""
        return (Variable("definition", Phrases(tuple(self._answers))),)

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """How many characters the candidates of an item have at each branch, whichever of them is right; None
        where that is not the same in all sets.
        """
        counts = {one.degrees(word)[1] for one in self.sets for word in one.candidates}
        columns = [set(column) for column in zip(*counts, strict=True)]
        return tuple(column.pop() if len(column) == 1 else None for column in columns)

    def size(self, slots: Sequence[Slot]) -> int:
        """One for each slot."""
        return len(slots)

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """The set of each slot: nothing of it is drawn, so that every attempt has the same ones."""
        return tuple(self._items[slot.name] for slot in slots)

    @cached_property
    def _items(self) -> Mapping[str, Item]:
        return {one.slot: self._item(one) for one in self.sets}

    def _item(self, one: WordSet) -> Item:
        entry = self._entries[one.answer]
        common = "common" if entry.zipf and Fraction(entry.zipf) >= COMMON else "rare"
        notes = {
            "synset": entry.synset,
            "zipf": entry.zipf,
            "frequency": common if entry.zipf else "",
            "repeats": "yes" if len(set(one.answer)) < len(one.answer) else "no",
        }
        return Item(one.slot, {"definition": entry.definition}, one.answer, one.offered, notes)

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Slots without a set, sets without a slot, sets whose candidates do not branch as they should, and
        right answers that are asked for twice.
        """
        wanted = {slot.name: slot for slot in slots}
        known = {one.slot for one in self.sets}
        for slot in slots:
            if slot.name not in known:
                message = "no set of the lexicon is named so"
                yield Fault(("geometry", "slots", slot.name), message, "add one, or drop the slot")
        seen: dict[str, str] = {}
        for one in self.sets:
            first = seen.setdefault(one.answer, one.slot)
            if first != one.slot:
                message = f"'{one.answer}' is the right answer of {first} already"
                yield self._fault(one, message, "ask for each word once")
            if one.slot not in wanted:
                yield self._fault(one, "there is no such slot", "add it to the geometry, or drop the set")
            else:
                yield from self._unlike(one, wanted[one.slot], widths)

    def _unlike(self, one: WordSet, slot: Slot, widths: Sequence[int]) -> Iterator[Fault]:
        """Why a set does not have the geometry of its slot."""
        if len(one.answer) != slot.length:
            message = f"'{one.answer}' has {len(one.answer)} letters, and the slot {slot.length}"
            yield self._fault(one, message, "give words of the length of the slot")
            return
        odd = [word for word in one.candidates if one.degrees(word)[0] != tuple(widths)]
        if odd:
            found = ", ".join(map(str, one.degrees(odd[0])[0]))
            message = f"the words that begin like '{odd[0]}' differ in {found} letters, and the widths are "
            message += ", ".join(map(str, widths))
            yield self._fault(one, message, "let all candidates branch by the widths")
            return
        geometry = Geometry(one.offered, one.answer)
        places = tuple(place + 1 for place in geometry.branches)
        if places != slot.positions:
            wanted = _counts(slot, widths)
            message = f"K of '{one.answer}' is {_written(geometry.counts)}, and that of the slot {wanted}"
            yield self._fault(one, message, "let candidates differ at the positions of the slot")

    def _fault(self, one: WordSet, message: str, remedy: str) -> Fault:
        file, line = one.place
        return Fault(("task", self.name, "sets", one.slot), message, remedy, file, line, 1)

    def answers(self, problems: Texts) -> list[str]:
        """The right answers, by looking up the definitions of those of the sets."""
        return [self._answers.get(text, "") for text in problems["definition"]]

    def slow_answers(self, problems: Texts) -> list[str]:
        """The right answers, by reading the whole lexicon for the words that have a definition; none where
        several have.
        """
        found = []
        for text in problems["definition"]:
            words = [entry.word for entry in self.entries if entry.definition == text]
            found.append(words[0] if len(words) == 1 else "")
        return found


def _counts(slot: Slot, widths: Sequence[int]) -> str:
    """K of a slot, from K(0) to K(L)."""
    counts = [1]
    for place in range(slot.length, 0, -1):
        width = widths[slot.positions.index(place)] if place in slot.positions else 1
        counts.insert(0, counts[0] * width)
    return _written(counts)


def _written(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts))
