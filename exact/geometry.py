"""The geometry of a candidate set: what each prefix leaves open, and what each position allows.

Words are strings of one length over an alphabet of single characters; positions count from 0, and the
prefix of length k is the first k characters.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import prod

import networkx as nx

from worldgen.exact.distributions import Distribution
from worldgen.exact.entropy import Entropy, mean_entropy
from worldgen.exact.errors import WorldgenError
from worldgen.exact.events import Atoms


class GeometryError(WorldgenError):
    """Candidates that are no candidate set, or a word that does not fit them."""


@dataclass(frozen=True)
class Candidates:
    """Distinct words of one length, in the order in which they are shown, over an alphabet.

    Raises GeometryError for no words, a word that stands twice, unequal lengths, an empty word, a character
    outside the alphabet or one that stands in it twice.

    >>> eight = Candidates.crossed("589", {0: "3456", 2: "95"}, "0123456789")
    >>> eight.words
    ('389', '385', '489', '485', '589', '585', '689', '685')
    >>> eight.unions, eight.cartesian, eight.following("5"), eight.following("58")
    (('3456', '8', '59'), 8, '8', '59')
    """

    words: tuple[str, ...]
    alphabet: str

    def __post_init__(self) -> None:
        if not self.alphabet or len(set(self.alphabet)) != len(self.alphabet):
            raise GeometryError("an alphabet needs distinct characters, at least one")
        if not self.words or len(set(self.words)) != len(self.words):
            raise GeometryError("candidates need distinct words, at least one")
        if not self.words[0] or len({len(word) for word in self.words}) > 1:
            raise GeometryError(f"candidates need one length of at least 1: {', '.join(self.words)}")
        strange = sorted(set("".join(self.words)) - set(self.alphabet))
        if strange:
            raise GeometryError(f"the alphabet {self.alphabet!r} lacks {', '.join(map(repr, strange))}")

    @classmethod
    def crossed(cls, word: str, choices: Mapping[int, str], alphabet: str) -> "Candidates":
        """All words that have, at each position of `choices`, one of its characters, and `word`'s elsewhere.

        Their Cartesian support is themselves. Raises GeometryError for a position outside the word, a
        character that stands twice among the choices of a position, and choices without `word`'s own.
        """
        for position, symbols in choices.items():
            if not 0 <= position < len(word):
                raise GeometryError(
                    f"{word!r} has no position {position}: they run from 0 to {len(word) - 1}"
                )
            if word[position] not in symbols:
                raise GeometryError(
                    f"the choices {symbols!r} at {position} lack {word[position]!r} of {word!r}"
                )
        columns = [choices.get(position, symbol) for position, symbol in enumerate(word)]
        return cls(tuple(map("".join, product(*columns))), alphabet)

    @property
    def length(self) -> int:
        """The number of characters of every word."""
        return len(self.words[0])

    def compatible(self, prefix: str) -> tuple[str, ...]:
        """The words that begin with a prefix, in their order."""
        return tuple(word for word in self.words if word.startswith(prefix))

    def following(self, prefix: str) -> str:
        """The characters that continue a prefix towards some word, in the order of the alphabet.

        Empty where no word begins with the prefix, and for a whole word.
        """
        here = {word[len(prefix)] for word in self.compatible(prefix) if len(prefix) < self.length}
        return "".join(symbol for symbol in self.alphabet if symbol in here)

    def law(self, prefix: str = "") -> Distribution:
        """The words, uniform over those compatible with a prefix. Raises ZeroMassError where none is.

        >>> Candidates(("ab", "ba"), "ab").law("b").masses
        (Fraction(0, 1), Fraction(1, 1))
        """
        everything = Distribution(Atoms(self.words), (1,) * len(self.words))
        return everything.given(
            everything.atoms.membership(self.compatible(prefix), f"the prefix {prefix!r}")
        )

    def next_law(self, prefix: str) -> Distribution:
        """The character that follows a prefix, under the law of the words given it.

        Raises ZeroMassError where no word is compatible, GeometryError where the prefix is a whole word.

        >>> Candidates(("aa", "ab", "ba"), "abc").next_law("").masses
        (Fraction(2, 3), Fraction(1, 3), Fraction(0, 1))
        """
        if len(prefix) >= self.length:
            raise GeometryError(f"nothing follows {prefix!r} in words of length {self.length}")
        kept = [word[len(prefix)] for word in self.compatible(prefix)]
        return Distribution(Atoms(tuple(self.alphabet)), tuple(map(kept.count, self.alphabet)))

    @cached_property
    def unions(self) -> tuple[str, ...]:
        """The characters that occur at each position, in the order of the alphabet."""
        columns = map(set, zip(*self.words, strict=True))
        return tuple("".join(symbol for symbol in self.alphabet if symbol in column) for column in columns)

    @property
    def mean_union(self) -> Fraction:
        """The mean number of characters that occur at a position."""
        return Fraction(sum(map(len, self.unions)), self.length)

    @property
    def open_positions(self) -> tuple[int, ...]:
        """The positions at which words differ."""
        return tuple(position for position, union in enumerate(self.unions) if len(union) > 1)

    @property
    def cartesian(self) -> int:
        """The number of words that have an occurring character at every position."""
        return prod(map(len, self.unions))

    def admits(self, word: str) -> bool:
        """Whether a word has an occurring character at every position: it is a candidate, or recombines some.

        >>> two = Candidates(("ab", "ba"), "ab")
        >>> two.admits("aa"), two.admits("ac"), two.recombines("aa"), two.recombines("ab")
        (True, False, True, False)
        """
        return len(word) == self.length and all(map(str.__contains__, self.unions, word))

    def recombines(self, word: str) -> bool:
        """Whether a word is admitted without being a candidate."""
        return self.admits(word) and word not in self.words


@dataclass(frozen=True)
class Geometry:
    """Candidates and the word among them that is right. Raises GeometryError if it is not among them.

    >>> geometry = Geometry(Candidates.crossed("5893", {0: "3456", 2: "95"}, "0123456789"), "5893")
    >>> geometry.counts, geometry.first_unique, geometry.branches
    ((8, 2, 2, 1, 1), 3, (0, 2))
    >>> [str(entropy.bits) for entropy in geometry.entropies], geometry.mean_entropy.bits
    (['3', '1', '1', '0', '0'], Fraction(5, 4))
    """

    candidates: Candidates
    gold: str

    def __post_init__(self) -> None:
        if self.gold not in self.candidates.words:
            raise GeometryError(f"{self.gold!r} is not among the candidates")

    @property
    def prefixes(self) -> tuple[str, ...]:
        """The prefixes of the right word, of length 0 .. L."""
        return tuple(self.gold[:length] for length in range(self.candidates.length + 1))

    @property
    def counts(self) -> tuple[int, ...]:
        """K(k), the number of candidates that begin as the right word does, for k = 0 .. L."""
        return tuple(len(self.candidates.compatible(prefix)) for prefix in self.prefixes)

    @property
    def first_unique(self) -> int:
        """The least k with K(k) = 1."""
        return self.counts.index(1)

    @property
    def branches(self) -> tuple[int, ...]:
        """The positions k at which K falls: the right prefix of length k leaves several characters open."""
        return tuple(position for position, (here, then) in enumerate(pairwise(self.counts)) if then < here)

    @property
    def entropies(self) -> tuple[Entropy, ...]:
        """The entropy log2 K(k) of the candidates given each prefix of the right word, k = 0 .. L."""
        return tuple(Entropy(Fraction(count)) for count in self.counts)

    @property
    def mean_entropy(self) -> Entropy:
        """The mean of log2 K(k) over k = 0 .. L - 1."""
        return mean_entropy(self.entropies[:-1])

    @property
    def branch_entropies(self) -> tuple[Entropy, ...]:
        """The entropy of the next character given each prefix of the right word, k = 0 .. L - 1."""
        laws = map(self.candidates.next_law, self.prefixes[:-1])
        return tuple(Entropy.of(law.weights) for law in laws)


def trie(candidates: Candidates) -> "nx.DiGraph[str]":
    """The prefix tree: a node for each prefix of a word, with the number of words below it as `count`, and an
    edge to each prefix that is one character longer, with that as `symbol`. The leaves are the words.

    >>> tree = trie(Candidates(("ab", "ac", "bc"), "abc"))
    >>> sorted(tree.edges(data="symbol")), tree.nodes["a"]["count"]
    ([('', 'a', 'a'), ('', 'b', 'b'), ('a', 'ab', 'b'), ('a', 'ac', 'c'), ('b', 'bc', 'c')], 2)
    """
    tree: nx.DiGraph[str] = nx.DiGraph()
    for prefix in dict.fromkeys(_prefixes(candidates)):
        tree.add_node(prefix, count=len(candidates.compatible(prefix)))
        if prefix:
            tree.add_edge(prefix[:-1], prefix, symbol=prefix[-1])
    return tree


def _prefixes(candidates: Candidates) -> Iterator[str]:
    """The prefixes of all words, short ones first."""
    return (word[:length] for length in range(candidates.length + 1) for word in candidates.words)
