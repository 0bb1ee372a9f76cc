"""Words of symbols to be copied or reversed, in one script or another of the same ten symbols.

A source is a word over the first script; in another script each of its symbols is written as the one at the
same place there. Presentations of a source, script by script and operation by operation, thus share their
structure and the geometry of their candidates.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from worldgen.exact.domains import Identifiers, Phrases
from worldgen.exact.geometry import Candidates
from worldgen.exact.permutations import distinct
from worldgen.exact.variables import Variable
from worldgen.faults import Fault
from worldgen.worlds.items import Item, Slot, Source, Texts, crossed_choices

OPERATIONS: Mapping[str, str] = {"copy": "write it as it stands", "reverse": "write it backwards"}
LONGEST = 64


@dataclass(frozen=True)
class Symbols:
    """The task of copying or reversing a word.

    `scripts` maps each script, its symbols in order, to the names of the slots that are written in it; none
    stands for all of them. All scripts have as many symbols. Items are those of the first script, then of the
    second and so on, in each slot by slot and operation by operation. Slots whose names are alike up to the
    first '-' share their source. Of the sources of one length every second one has a symbol twice; the others
    have none twice, where there are symbols enough.

    `options` are the symbols that any position may have, as far as a request says: those of its script where
    it is empty. All scripts are among them.
    """

    name: ClassVar[str] = "symbols"
    says: ClassVar[str] = "Take the source and do with it what the operation says."
    crossed: ClassVar[bool] = True
    looked_up: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = ("source_name", "script", "repeats")

    scripts: tuple[tuple[str, tuple[str, ...]], ...]
    operations: tuple[str, ...]
    options: str = ""

    @cached_property
    def alphabet(self) -> str:
        """The symbols of all scripts, or the options."""
        return self.options or "".join(dict.fromkeys("".join(script for script, _ in self.scripts)))

    @property
    def symbols(self) -> int:
        """The number of symbols that a position may have."""
        return len(self.options or self.scripts[0][0])

    @property
    def variables(self) -> tuple[Variable, ...]:
        """What is to be done, and the source."""
        operation = Phrases(tuple(OPERATIONS[name] for name in self.operations))
        source = Identifiers(self.alphabet, 1, LONGEST)
        return Variable("operation", operation), Variable("source", source)

    def _written(self, slots: Sequence[Slot]) -> Iterator[tuple[str, Slot, str]]:
        """The script, the slot and the operation of each item."""
        for script, named in self.scripts:
            for slot in slots:
                if not named or slot.name in named:
                    yield from ((script, slot, operation) for operation in self.operations)

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """The widths: candidates are all words that have one of so many characters at each branch."""
        return tuple(widths)

    def size(self, slots: Sequence[Slot]) -> int:
        """One for each script, slot and operation."""
        return sum(1 for _ in self._written(slots))

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """The items, by script, slot and operation."""
        sources = self._sources(slots, source)
        first = self.scripts[0][0]
        # Candidates are drawn once for each answer in the first script, so that presentations share them.
        choices: dict[tuple[str, str], Mapping[int, str]] = {}
        found = []
        for script, slot, operation in self._written(slots):
            word = sources[_source_of(slot)]
            answer = done(operation, word)
            if (slot.name, operation) not in choices:
                allowed = [first] * len(widths)
                choices[slot.name, operation] = crossed_choices(answer, slot, widths, allowed, source)
            turned = str.maketrans(first, script)
            shown = {at: text.translate(turned) for at, text in choices[slot.name, operation].items()}
            gold = answer.translate(turned)
            found.append(
                Item(
                    slot.name,
                    {"operation": OPERATIONS[operation], "source": word.translate(turned)},
                    gold,
                    Candidates.crossed(gold, shown, self.options or script),
                    {
                        "source_name": _source_of(slot),
                        "script": script,
                        "repeats": "yes" if len(set(word)) < len(word) else "no",
                    },
                )
            )
        return tuple(found)

    def _sources(self, slots: Sequence[Slot], source: Source) -> dict[str, str]:
        """The source of each name, in the first script: all different."""
        first = self.scripts[0][0]
        lengths = {_source_of(slot): slot.length for slot in slots}
        found: dict[str, str] = {}
        seen: dict[int, int] = {}
        for name, length in lengths.items():
            repeated = seen.get(length, 0) % 2 == 1 or length > len(first)
            seen[length] = seen.get(length, 0) + 1
            stream, start = source.stream(f"source {name}"), 0
            while name not in found:
                if repeated:
                    lanes = np.arange(start, start + length)
                    places = stream.below(lanes, source.attempt, len(first)).tolist()
                else:
                    more = source.stream(f"source {name} {start}")
                    places = distinct(more, source.attempt, len(first), length)
                word = "".join(first[place] for place in places)
                start += length
                if (len(set(word)) < length) == repeated and word not in found.values():
                    found[name] = word
        return found

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Scripts and operations that cannot be, sources of two lengths, and too many."""
        yield from _script_faults(self.scripts, slots)
        yield from self._option_faults(widths)
        for i, operation in enumerate(self.operations):
            if operation in self.operations[:i]:
                yield Fault(("task", self.name, "operations"), f"'{operation}' stands twice", "keep one")
        lengths: dict[str, int] = {}
        for slot in slots:
            if lengths.setdefault(_source_of(slot), slot.length) != slot.length:
                message = f"it has another length than the source {_source_of(slot)}"
                yield Fault(("geometry", "slots", slot.name), message, "share a source by length")
        for length in sorted(set(lengths.values())):
            count = list(lengths.values()).count(length)
            # Half of all words of a kind at most are drawn, so that a new one is found soon.
            if 4 * count > len(self.scripts[0][0]) ** max(length - 1, 0):
                message = f"there are too few words of {length} symbols for {count} sources"
                yield Fault(("geometry", "slots"), message, "list fewer slots of this length")

    def _option_faults(self, widths: Sequence[int]) -> Iterator[Fault]:
        path, written = ("task", self.name, "options"), set("".join(script for script, _ in self.scripts))
        if self.options and not is_script(self.options):
            yield Fault(path, f"'{self.options}' is no script", "write distinct letters and digits")
        if self.options and not written <= set(self.options):
            lacking = ", ".join(sorted(written - set(self.options)))
            yield Fault(path, f"there is no {lacking} among them", "list all symbols of the scripts")
        size = len(self.scripts[0][0])
        for i, width in enumerate(widths):
            if self.options and width > size:
                message = f"{width} characters to choose among, and scripts of {size}"
                yield Fault(("geometry", "widths", i), message, f"write a number from 2 to {size}")

    def answers(self, problems: Texts) -> list[str]:
        """The answers, by slicing."""
        back = OPERATIONS["reverse"]
        pairs = zip(problems["operation"], problems["source"], strict=True)
        return [word[::-1] if operation == back else word for operation, word in pairs]

    def slow_answers(self, problems: Texts) -> list[str]:
        """The answers, symbol by symbol, each put behind those before it or in front of them."""
        found = []
        for operation, word in zip(problems["operation"], problems["source"], strict=True):
            written = ""
            for symbol in word:
                written = written + symbol if operation == OPERATIONS["copy"] else symbol + written
            found.append(written)
        return found


def done(operation: str, word: str) -> str:
    """A word copied, or reversed.

    >>> done("copy", "abc"), done("reverse", "abc")
    ('abc', 'cba')
    """
    return word[::-1] if operation == "reverse" else word


def is_script(text: str) -> bool:
    """Whether a text is distinct letters and digits.

    >>> is_script("abc"), is_script("aba"), is_script("a b")
    (True, False, False)
    """
    return len(set(text)) == len(text) and text.isascii() and text.isalnum()


def _source_of(slot: Slot) -> str:
    return slot.name.split("-", 1)[0]


def _script_faults(scripts: Sequence[tuple[str, tuple[str, ...]]], slots: Sequence[Slot]) -> Iterator[Fault]:
    known = {slot.name for slot in slots}
    for script, named in scripts:
        path = ("task", "symbols", "scripts", script)
        if not is_script(script):
            yield Fault(path, f"'{script}' is no script", "write distinct letters and digits")
        if len(script) != len(scripts[0][0]):
            message = f"it has {len(script)} symbols, and {scripts[0][0]} has {len(scripts[0][0])}"
            yield Fault(path, message, "give all scripts as many symbols")
        for name in named:
            if name not in known:
                yield Fault(path, f"there is no slot '{name}'", "name slots of the geometry, or none for all")
