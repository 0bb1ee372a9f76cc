"""Items: problems with their right answers, and the slots that say what their candidates are like."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np

from worldgen.exact.geometry import Candidates, Geometry
from worldgen.exact.streams import Stream
from worldgen.exact.variables import Variable
from worldgen.faults import Fault

Texts = Mapping[str, Sequence[str]]
_LANES = 64


@dataclass(frozen=True)
class Slot:
    """What one item of a world must be like: the length of its answer, and the positions, counted from one,
    at which those candidates differ that begin as the answer does.
    """

    name: str
    length: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Item:
    """A problem, its right answer, and the candidates.

    `slot` names the slot that it fills, `problem` holds the text of each variable that states the problem,
    and `notes` what is on record of the item and never shown.

    >>> eight = Candidates.crossed("589", {0: "3456", 2: "59"}, "0123456789")
    >>> item = Item("p000", {"left": "19", "right": "31"}, "589", eight, {})
    >>> item.geometry.counts
    (8, 2, 2, 1)
    """

    slot: str
    problem: Mapping[str, str]
    gold: str
    candidates: Candidates
    notes: Mapping[str, str]

    @property
    def inventory(self) -> str:
        """The characters that any position may have, in order."""
        return self.candidates.alphabet

    @cached_property
    def geometry(self) -> Geometry:
        """The candidates and the right one among them."""
        return Geometry(self.candidates, self.gold)


class Source(Protocol):
    """What a task draws an item from: a stream for each purpose, and the attempt."""

    @property
    def attempt(self) -> int:
        """The number of the attempt, from 0."""
        ...

    def stream(self, purpose: str) -> Stream:
        """The stream of a purpose."""
        ...


class Task(Protocol):
    """A kind of problem: its items, and its right answers by two roads that share nothing."""

    @property
    def name(self) -> str:
        """The name, as specs write it."""
        ...

    @property
    def says(self) -> str:
        """What is to be done, as a request says it."""
        ...

    @property
    def alphabet(self) -> str:
        """Every character that an answer may have."""
        ...

    @property
    def symbols(self) -> int:
        """How many characters a position may have."""
        ...

    @property
    def crossed(self) -> bool:
        """Whether candidates differ at the positions of the slot, whichever of them is right."""
        ...

    @property
    def looked_up(self) -> bool:
        """Whether right answers stand in the spec, and do not follow from what states the problem."""
        ...

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What states a problem."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """The names of what is on record of an item."""
        ...

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """How many characters the candidates of an item have at its first branch, its second and so on; None
        where that is not the same for all items.
        """
        ...

    def size(self, slots: Sequence[Slot]) -> int:
        """The number of items that there are for these slots."""
        ...

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """The items of one attempt, in order; there are as many at each attempt."""
        ...

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Why it cannot have items for these slots, each fault with its path in the spec."""
        ...

    def answers(self, problems: Texts) -> list[str]:
        """The right answer to each problem, given the texts of its variables."""
        ...

    def slow_answers(self, problems: Texts) -> list[str]:
        """The right answers by the other road."""
        ...


Called = Sequence[tuple[str, Mapping[str, str]]]
"""For each position of an answer what it is about, and what each character there means."""


@runtime_checkable
class NamedTask(Protocol):
    """A task whose answers say something of named fields, a character for each."""

    @property
    def fields(self) -> tuple[str, ...]:
        """Every field that a position may be about."""
        ...

    @property
    def meanings(self) -> tuple[str, ...]:
        """Every text that a character may mean."""
        ...

    def called(self, problems: Texts) -> list[Called]:
        """The fields of each problem in order, and what the characters mean in each."""
        ...


def crossed_choices(
    gold: str, slot: Slot, widths: Sequence[int], allowed: Sequence[str], source: Source
) -> dict[int, str]:
    """The characters at each position of a slot at which candidates differ: the answer's own and others.

    `allowed` holds the characters that may stand at each of these positions. The others are drawn without
    replacement, from a stream of the slot's own whose word 64 k + i draws the i-th of position number k. They
    are listed in the order of `allowed`, so that nothing tells which is the answer's.
    """
    stream = source.stream(f"choices {slot.name}")
    found: dict[int, str] = {}
    for number, (position, width, symbols) in enumerate(zip(slot.positions, widths, allowed, strict=True)):
        own = gold[position - 1]
        others = [symbol for symbol in symbols if symbol != own]
        taken = {own}
        for i in range(width - 1):
            rank = stream.below(np.array([_LANES * number + i]), source.attempt, len(others))[0]
            taken.add(others.pop(int(rank)))
        found[position - 1] = "".join(symbol for symbol in symbols if symbol in taken)
    return found
