"""Records of three Boolean facts, to be written down as one word: by named fields, or as bits.

A fact is whether a reading is above its limit. The word has a character for each fact, in order, so that its
eight candidates are all there are, and each character is one decision between two.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import ClassVar

import numpy as np

from worldgen.exact.domains import Grid, Phrases
from worldgen.exact.geometry import Candidates
from worldgen.exact.variables import Variable
from worldgen.faults import Fault
from worldgen.worlds.items import Called, Item, Slot, Source, Texts

FACTS = ("pressure", "temperature", "level")
PATTERNS = tuple("".join(bits) for bits in product("01", repeat=len(FACTS)))
FORMATS: Mapping[str, str] = {
    "ny": "one letter for each field, pressure, temperature and level in this order: y where the reading is "
    "above its limit, n where it is not",
    "01": "three bits, of which the first is 1 where pressure is above its limit, the second where "
    "temperature is, the third where level is, each else 0",
}
"""The two characters of a format, for not so and so, and what it says: by named fields, then as bits."""

MEANINGS = ("not above its limit", "above its limit")

LARGEST = 99
GAP = 10


@dataclass(frozen=True)
class Facts:
    """The task of writing down three facts.

    The slots take the eight patterns of truth in turn, each slot with a record of its own. Items are those by
    named fields, then those as bits, of the very same records.
    """

    name: ClassVar[str] = "facts"
    says: ClassVar[str] = (
        "Write down which readings of the record are above their limits, in the given format."
    )
    alphabet: ClassVar[str] = "".join(FORMATS)
    symbols: ClassVar[int] = 2
    crossed: ClassVar[bool] = True
    looked_up: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = ("pattern",)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The format, then each reading with its limit."""
        numbers = Grid(Fraction(0), Fraction(1), LARGEST + 1)
        pairs = (Variable(name, numbers) for fact in FACTS for name in (fact, f"{fact}_limit"))
        return Variable("format", Phrases(tuple(FORMATS.values()))), *pairs

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """The widths: candidates are all words that have one of so many characters at each branch."""
        return tuple(widths)

    def size(self, slots: Sequence[Slot]) -> int:
        """Two for each slot."""
        return len(FORMATS) * len(slots)

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """The items, by format and slot."""
        records: list[tuple[str, dict[str, str]]] = []
        for number, slot in enumerate(slots):
            pattern = PATTERNS[number % len(PATTERNS)]
            start = 0
            while True:
                record = _record(pattern, slot, source, start)
                if (pattern, record) not in records:
                    break
                start += 2 * len(FACTS)
            records.append((pattern, record))
        found = []
        for symbols, said in FORMATS.items():
            for slot, (pattern, record) in zip(slots, records, strict=True):
                gold = pattern.translate(str.maketrans("01", symbols))
                choices = {position - 1: symbols for position in slot.positions}
                problem = {"format": said, **record}
                candidates = Candidates.crossed(gold, choices, symbols)
                found.append(Item(slot.name, problem, gold, candidates, {"pattern": pattern}))
        return tuple(found)

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Slots that are not of three characters, and more than can differ."""
        for slot in slots:
            if slot.length != len(FACTS):
                path = ("geometry", "slots", slot.name)
                yield Fault(path, "a record has three facts", f"use the length {len(FACTS)}")
        if len(slots) > MOST:
            message = f"{len(slots)} records, where there are surely {MOST:,} that differ"
            yield Fault(("geometry", "slots"), message, "list fewer slots")

    @property
    def fields(self) -> tuple[str, ...]:
        """The readings."""
        return FACTS

    @property
    def meanings(self) -> tuple[str, ...]:
        """What is so of a reading, or not."""
        return MEANINGS

    def called(self, problems: Texts) -> list[Called]:
        """The readings, and what both characters of the format mean."""
        symbols = {said: two for two, said in FORMATS.items()}
        both = (dict(zip(symbols[said], MEANINGS, strict=True)) for said in problems["format"])
        return [tuple((fact, two) for fact in FACTS) for two in both]

    def answers(self, problems: Texts) -> list[str]:
        """The answers, by comparing numbers."""
        symbols = {said: two for two, said in FORMATS.items()}
        columns = [
            [int(x) > int(y) for x, y in zip(problems[fact], problems[f"{fact}_limit"], strict=True)]
            for fact in FACTS
        ]
        rows = zip(problems["format"], zip(*columns, strict=True), strict=True)
        return ["".join(symbols[said][above] for above in row) for said, row in rows]

    def slow_answers(self, problems: Texts) -> list[str]:
        """The answers, by comparing digits from the left, of numbers written with equally many."""
        width = len(str(LARGEST))
        found = []
        for row, said in enumerate(problems["format"]):
            written = ""
            for fact in FACTS:
                reading, limit = (problems[name][row].rjust(width, "0") for name in (fact, f"{fact}_limit"))
                apart = [(x, y) for x, y in zip(reading, limit, strict=True) if x != y]
                above = bool(apart) and "0123456789".index(apart[0][0]) > "0123456789".index(apart[0][1])
                written += next(two for two, each in FORMATS.items() if each == said)[1 if above else 0]
            found.append(written)
        return found


MOST = 10_000  # of a pattern there are more than 800,000 records, so that a new one is found soon


def _record(pattern: str, slot: Slot, source: Source, start: int) -> dict[str, str]:
    """Readings of a pattern: limits from GAP to LARGEST - GAP, and readings at most GAP away."""
    stream = source.stream(f"record {slot.name}")
    lanes = np.arange(start, start + 2 * len(FACTS))
    limits = stream.below(lanes[0::2], source.attempt, LARGEST - 2 * GAP + 1) + GAP
    gaps = stream.below(lanes[1::2], source.attempt, GAP)
    found: dict[str, str] = {}
    for fact, bit, limit, gap in zip(FACTS, pattern, limits.tolist(), gaps.tolist(), strict=True):
        reading = limit + 1 + gap if bit == "1" else limit - gap
        found |= {fact: str(reading), f"{fact}_limit": str(limit)}
    return found
