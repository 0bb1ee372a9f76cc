"""WordNet 3.0 as its database files have it: senses of nouns, and the words of each part of speech.

The files are read as they are (wndb(5WN) defines them): lines end in CR LF, so that a sense is known by its
offset as it is written, not by its place in the file; letter case stands in `data.noun` alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")
_ABOVE = ("@", "@i")
_USAGE = ";u"
_WORD = re.compile(r"[a-z]{3,8}", re.ASCII)


@dataclass(frozen=True)
class Sense:
    """A noun synset: its offset, its lemmas in their letter case, its definition without examples, the
    offsets of all noun synsets that it points to, of those directly above it, and of those that say how it
    is used.
    """

    offset: str
    lemmas: tuple[str, ...]
    definition: str
    linked: frozenset[str]
    above: frozenset[str]
    usage: frozenset[str]


@dataclass(frozen=True)
class WordNet:
    """The noun senses by offset, the offsets of each noun's senses, the most frequent first, and the words of
    3 to 8 lower case ASCII letters of each part of speech.
    """

    senses: Mapping[str, Sense]
    order: Mapping[str, tuple[str, ...]]
    words: Mapping[str, frozenset[str]]

    @cached_property
    def nouns(self) -> Mapping[str, tuple[Sense, ...]]:
        """The senses of each noun that is written in 3 to 8 lower case ASCII letters, as it stands there; the
        most frequent first.
        """
        own: dict[str, set[str]] = {}
        for sense in self.senses.values():
            for lemma in filter(_WORD.fullmatch, sense.lemmas):
                own.setdefault(lemma, set()).add(sense.offset)
        return {
            noun: tuple(self.senses[offset] for offset in self.order[noun] if offset in offsets)
            for noun, offsets in sorted(own.items())
        }

    @cached_property
    def names(self) -> frozenset[str]:
        """The lemmas with a capital letter, in lower case."""
        lemmas = (lemma for sense in self.senses.values() for lemma in sense.lemmas)
        return frozenset(lemma.lower() for lemma in lemmas if lemma != lemma.lower())

    @cached_property
    def _ancestors(self) -> dict[str, frozenset[str]]:
        """What was asked for of `ancestors`."""
        return {}

    def ancestors(self, offset: str) -> frozenset[str]:
        """The offsets of all that is above a sense, however far, and its own."""
        known = self._ancestors
        if offset not in known:
            known[offset] = frozenset({offset}).union(*map(self.ancestors, self.senses[offset].above))
        return known[offset]


def read_wordnet(folder: Path) -> WordNet:
    """The database in a folder.

    Raises OSError where a file is missing.
    """
    senses = {sense.offset: sense for sense in map(_sense, _lines(folder / "data.noun"))}
    order = {}
    for fields in map(str.split, _lines(folder / "index.noun")):
        # lemma, part of speech, number of senses, number p of kinds of pointers, these, two counts, offsets
        order[fields[0]] = tuple(fields[6 + int(fields[3]) :])
    words = {
        part: frozenset(
            filter(_WORD.fullmatch, (line.split(" ", 1)[0] for line in _lines(folder / f"index.{part}")))
        )
        for part in PARTS
    }
    return WordNet(senses, order, words)


def _lines(path: Path) -> Iterator[str]:
    """The lines after the licence, whose lines begin with a blank."""
    with path.open(encoding="utf-8") as file:
        yield from (line.rstrip("\n") for line in file if not line.startswith(" "))


def _sense(line: str) -> Sense:
    data, _, gloss = line.partition(" | ")
    fields = data.split(" ")
    count = int(fields[3], 16)
    lemmas = tuple(fields[4 : 4 + 2 * count : 2])
    start = 4 + 2 * count
    pointers = [fields[start + 1 + 4 * i : start + 4 + 4 * i] for i in range(int(fields[start]))]
    nouns = [(kind, offset) for kind, offset, part in pointers if part == "n"]
    return Sense(
        fields[0],
        lemmas,
        gloss.split('; "')[0].strip(),
        frozenset(offset for _, offset in nouns),
        frozenset(offset for kind, offset in nouns if kind in _ABOVE),
        frozenset(offset for kind, offset in nouns if kind == _USAGE),
    )
