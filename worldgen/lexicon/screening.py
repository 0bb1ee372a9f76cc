"""Which nouns may be candidates, which senses may be asked for, and which nouns may stand beside them.

Everything here is a rule that a program applies. No person has read the words or their definitions.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from worldgen.lexicon.wordnet import Sense, WordNet

LEAST = 250
"""The least Zipf frequency of a candidate, in hundredths, as all of them are here."""
COMMON = 400
"""The Zipf frequency from which a noun counts as common."""
BROADEST = 150
"""The most by which the Zipf frequencies of the candidates of a set differ."""
WORDS = range(3, 26)
"""How many words a definition that is asked about may have."""

# The lemmas under which WordNet keeps what is disparaging, an ethnic slur or obscene, and how its
# definitions say the like.
_SLURS = frozenset({"disparagement", "ethnic_slur", "obscenity"})
_LABELS = re.compile(r"\b(?:offensive|slurs?|disparag\w*|derogat\w*|obscen\w*|vulgar\w*)\b")
_PLAIN = re.compile(r"[ !#-\[\]-~]+", re.ASCII)  # printable ASCII without quotation mark and backslash
_LETTERS = 4  # what fewer letters of two words have in common is no cue


@dataclass(frozen=True)
class Screen:
    """WordNet with the Zipf frequency of each noun, in hundredths, and what the rules leave of the nouns."""

    wordnet: WordNet
    zipf: Mapping[str, int]

    @cached_property
    def known(self) -> frozenset[str]:
        """The nouns of 3 to 8 lower case ASCII letters whose Zipf frequency is at least LEAST."""
        return frozenset(noun for noun in self.wordnet.nouns if self.zipf[noun] >= LEAST)

    @cached_property
    def listed(self) -> tuple[str, ...]:
        """The nouns that may be candidates, in alphabetical order: those known that are no name with a
        capital letter, and of which no sense is marked or defined as a slur, disparaging, obscene or vulgar.
        """
        slurs = {sense.offset for sense in self.wordnet.senses.values() if _SLURS & set(sense.lemmas)}
        return tuple(
            noun
            for noun in sorted(self.known - self.wordnet.names)
            if not any(
                slurs & sense.usage or _LABELS.search(sense.definition) for sense in self.wordnet.nouns[noun]
            )
        )

    @cached_property
    def answers(self) -> Mapping[str, Sense]:
        """The nouns listed that may be right answers, each with the sense that is asked for: the most
        frequent one that has no other known noun among its lemmas, and a definition that no other sense has,
        in plain text of as many words as WORDS allows, without a cue to the noun.
        """
        shared = Counter(sense.definition for sense in self.wordnet.senses.values())

        def sound(noun: str, sense: Sense) -> bool:
            text = sense.definition
            alone = self.known & set(sense.lemmas) == {noun} and shared[text] == 1
            return (
                alone and bool(_PLAIN.fullmatch(text)) and len(text.split()) in WORDS and not cued(text, noun)
            )

        found = {}
        for noun in self.listed:
            sense = next((one for one in self.wordnet.nouns[noun] if sound(noun, one)), None)
            if sense is not None:
                found[noun] = sense
        return found

    def akin(self, sense: Sense, noun: str) -> bool:
        """Whether a noun has a sense so near to another that it might answer to its definition: the same, one
        that points to it or that it points to, one above or below it, however far, or one that lies directly
        below the same as it does.
        """
        own = self.wordnet.nouns[noun]
        near = self.wordnet.ancestors(sense.offset) | sense.linked
        return any(
            one.offset in near
            or sense.offset in self.wordnet.ancestors(one.offset) | one.linked
            or one.above & sense.above
            for one in own
        )

    def synonyms(self, one: str, other: str) -> bool:
        """Whether two nouns have a sense in common."""
        offsets = {sense.offset for sense in self.wordnet.nouns[one]}
        return any(sense.offset in offsets for sense in self.wordnet.nouns[other])


def cued(definition: str, noun: str) -> bool:
    """Whether a definition gives a noun away, or suggests it: one of its words holds the noun, has four
    letters or more and stands within it, or begins as it does, with at least four letters and all but the
    last three.

    >>> cued("the act of creating", "creation"), cued("a large cathouse", "cat"), cued("the act", "theory")
    (True, True, False)
    """
    return any(
        noun in word
        or (len(word) >= _LETTERS and word in noun)
        or _alike(word, noun) >= max(_LETTERS, len(noun) - 3)
        for word in re.findall("[a-z]+", definition.lower())
    )


def _alike(one: str, other: str) -> int:
    """The number of letters with which two words begin alike."""
    apart = (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(apart, min(len(one), len(other)))


def doubled(word: str) -> bool:
    """Whether a letter stands in a word twice.

    >>> doubled("level"), doubled("table")
    (True, False)
    """
    return len(set(word)) < len(word)
