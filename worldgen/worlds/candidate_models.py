"""Candidate sets: a task whose answers are words, and the geometry of the words offered beside each.

An item is a problem with one right answer of known length, among candidates of that length. Where those that
begin alike differ, they have as many characters as the widths say: in most tasks they are all words that have
one of a few characters at some positions, and elsewhere those of the answer. `VIEWS` says what a request may
show of an item, and so what the probabilities condition on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod

from worldgen.exact.domains import Texts as AnyText
from worldgen.exact.events import Atoms
from worldgen.exact.streams import Stream
from worldgen.faults import Fault, SpecError
from worldgen.names import nearest
from worldgen.renderers.encodings import Encoding
from worldgen.renderers.systemone import MOST_OPTIONS
from worldgen.worlds.base import Streams
from worldgen.worlds.checks import encoding_faults, named
from worldgen.worlds.items import Item, Slot, Task

LONGEST = 64

VIEWS: Mapping[str, str] = {
    "problem": "the problem and the candidates: the right one is certain",
    "candidates": "the candidates alone: each is as likely",
    "prefix": "the candidates and, as certain, how the right one begins: each that begins so is as likely",
    "copy": "the candidates and the right one to be copied: it is certain",
    "miscopy": "the candidates and a wrong one to be copied: that one is certain",
}
"""View -> what it shows, and what follows from that."""

COPYING = ("copy", "miscopy")


@dataclass(frozen=True)
class _Attempt:
    """The streams of one attempt."""

    streams: Streams
    attempt: int

    def stream(self, purpose: str) -> Stream:
        return self.streams.purpose(purpose)


@dataclass(frozen=True)
class CandidateDraft:
    """The parts of `CandidateModel`, each under the same name; None where one could not be read."""

    name: str | None
    title: str | None
    task: Task | None
    widths: Sequence[int | None] | None
    slots: Sequence[Slot | None] | None
    views: Sequence[str | None] | None
    encodings: Mapping[str, Encoding | None] | None


@dataclass(frozen=True)
class CandidateModel:
    """A task, the slots of its items, and the views through which they can be seen.

    `widths` are the numbers of characters among which candidates differ, at the first such position, the
    second and so on; there are as many candidates as their product. Raises SpecError with all that is wrong.
    """

    name: str
    task: Task
    widths: tuple[int, ...]
    slots: tuple[Slot, ...]
    views: tuple[str, ...]
    encodings: Mapping[str, Encoding]
    title: str = ""

    def __post_init__(self) -> None:
        draft = CandidateDraft(
            self.name, self.title, self.task, self.widths, self.slots, self.views, self.encodings
        )
        if found := list(candidate_faults(draft)):
            raise SpecError(found)

    def __eq__(self, other: object) -> bool:
        """Equal in every part, encodings in the same order."""
        return isinstance(other, CandidateModel) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.widths, self.slots))

    def _parts(self) -> tuple[object, ...]:
        encodings = list(self.encodings.items())
        return self.name, self.title, self.task, self.widths, self.slots, self.views, encodings

    @property
    def count(self) -> int:
        """The number of candidates of every item."""
        return prod(self.widths)

    @cached_property
    def unions(self) -> tuple[int | None, ...]:
        """How many characters candidates have at each branch; None where items differ in it."""
        return self.task.unions(self.widths)

    @cached_property
    def atoms(self) -> Atoms:
        """The candidates, by the place at which a request lists them."""
        return Atoms(tuple(f"candidate_{place + 1}" for place in range(self.count)))

    @property
    def lengths(self) -> tuple[int, int]:
        """The least and the greatest length of an answer."""
        lengths = [slot.length for slot in self.slots]
        return min(lengths), max(lengths)

    @property
    def size(self) -> int:
        """The number of items that a seed gives."""
        return self.task.size(self.slots)

    def items(self, streams: Streams, attempt: int) -> tuple[Item, ...]:
        """The items of one attempt, in the order of the roots."""
        return _items(self, streams, attempt)


@lru_cache(maxsize=16)
def _items(model: CandidateModel, streams: Streams, attempt: int) -> tuple[Item, ...]:
    return model.task.items(model.slots, model.widths, _Attempt(streams, attempt))


def candidate_faults(world: CandidateDraft) -> Iterator[Fault]:
    """Everything that is wrong with a world of candidates, nothing if it can be built."""
    if world.name is not None:
        yield from named(("name",), world.name)
    if world.title is not None and AnyText().code(world.title) is None:
        yield Fault(("title",), "the text holds a lone surrogate", "write the character itself")
    yield from _widths(world)
    yield from _slots(world)
    if world.views is not None and not world.views:
        yield Fault(("views",), "there is no view", f"list some of {', '.join(VIEWS)}")
    for i, view in enumerate(world.views or ()):
        if view is not None and view not in VIEWS:
            yield Fault(("views", i), f"there is no view '{view}'", nearest(view, VIEWS))
        if view is not None and view in (world.views or ())[:i]:
            yield Fault(("views", i), f"'{view}' stands twice", "keep one of them")
    yield from encoding_faults(world.encodings, "sheet")


def _widths(world: CandidateDraft) -> Iterator[Fault]:
    path = ("geometry", "widths")
    if world.widths is None or None in world.widths:
        return
    widths = [width for width in world.widths if width is not None]
    if not widths:
        yield Fault(path, "candidates differ nowhere", "write [4, 2]")
    for i, width in enumerate(widths):
        most = world.task.symbols if world.task else MOST_OPTIONS
        if not 2 <= width <= most:
            yield Fault((*path, i), f"{width} characters to choose among", f"write a number from 2 to {most}")
    if prod(widths) > MOST_OPTIONS:
        message = f"there would be {prod(widths)} candidates, and a question has {MOST_OPTIONS} options"
        yield Fault(path, message, "make a width less")


def _slots(world: CandidateDraft) -> Iterator[Fault]:
    if world.slots is None:
        return
    if not world.slots:
        yield Fault(("geometry", "slots"), "there is no slot", "write {p000: [3, 1, 2]}")
    for slot in world.slots:
        if slot is None:
            continue
        path = ("geometry", "slots", slot.name)
        yield from named(path, slot.name)
        if not 1 <= slot.length <= LONGEST:
            yield Fault(path, f"there is no answer of length {slot.length}", f"use 1 to {LONGEST}")
        elif list(slot.positions) != sorted(set(slot.positions) & set(range(1, slot.length + 1))):
            yield Fault(
                path,
                f"candidates of length {slot.length} cannot differ at {', '.join(map(str, slot.positions))}",
                f"list ascending positions from 1 to {slot.length}",
            )
        if world.widths is not None and len(slot.positions) != len(world.widths):
            count = len(slot.positions)
            said = f"{count} position{'s' * (count != 1)}"
            message = f"it has {said}, and there are {len(world.widths)} widths"
            yield Fault(path, message, "give one position for each width")
    slots = [slot for slot in world.slots if slot is not None]
    names = [slot.name for slot in slots]
    if world.task is not None and world.widths is not None and len(set(names)) == len(world.slots):
        yield from world.task.faults(slots, [width for width in world.widths if width is not None])
    alone = len(world.widths or ()) == 1 and any(slot.positions == (1,) for slot in slots)
    if "prefix" in (world.views or ()) and alone:
        yield Fault(("views",), "an answer is settled by its first character alone", "drop the view prefix")
