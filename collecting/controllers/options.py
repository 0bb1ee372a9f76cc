"""Options: codes bound to symbols, in the order in which they are displayed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from worldgen.cohort.fields import Binding, Contract
from worldgen.exact.errors import WorldgenError
from worldgen.exact.streams import Stream


class ControllerError(WorldgenError):
    """An arm that does not exist, a task that does not fit its arm, or a record that no run gives."""


@dataclass(frozen=True)
class Option:
    """One answer that a request allows: what it stands for, and the code that is displayed for it.

    The symbol is a character, or a whole answer where one is chosen at once.
    """

    code: str
    symbol: str


@dataclass(frozen=True)
class Naming:
    """The codes of symbols: `opaque` ones that say nothing, `readable` ones that name a symbol, each in the
    order of the symbols, and a `derangement`, which binds place i to the code of place derangement[i].

    Raises ControllerError for codes that stand twice, different numbers of them, or a derangement that is no
    permutation or keeps a place.
    """

    opaque: tuple[str, ...]
    readable: tuple[str, ...]
    derangement: tuple[int, ...]

    def __post_init__(self) -> None:
        size = len(self.derangement)
        if any(len(set(codes)) != size or len(codes) != size for codes in (self.opaque, self.readable)):
            raise ControllerError(f"{size} symbols need {size} distinct codes of each kind")
        if sorted(self.derangement) != list(range(size)):
            raise ControllerError(f"{self.derangement} is no permutation")
        if any(place == there for place, there in enumerate(self.derangement)):
            raise ControllerError(f"{self.derangement} keeps a symbol under its own code")


def bound(symbols: Sequence[str], binding: Binding, naming: Naming | None = None) -> tuple[Option, ...]:
    """The options for symbols under a binding.

    literal      the code is the symbol
    opaque       codes that say nothing
    remapped     the same codes, deranged
    aligned      codes that name their symbol
    conflicting  the same codes, deranged: each names another symbol

    Raises ControllerError where a binding other than literal has no naming, or one of another size.

    >>> from worldgen.cohort.fields import BINDINGS
    >>> naming = Naming(("k1", "k2", "k3"), ("A", "B", "C"), (1, 2, 0))
    >>> [[option.code for option in bound("abc", binding, naming)] for binding in BINDINGS]
    [['a', 'b', 'c'], ['k1', 'k2', 'k3'], ['k2', 'k3', 'k1'], ['A', 'B', 'C'], ['B', 'C', 'A']]
    """
    if binding == "literal":
        return tuple(Option(symbol, symbol) for symbol in symbols)
    if naming is None or len(naming.derangement) != len(symbols):
        raise ControllerError(
            f"the binding {binding} needs codes for {len(symbols)} symbols", remedy="give the task a naming"
        )
    codes = naming.opaque if binding in {"opaque", "remapped"} else naming.readable
    if binding in {"remapped", "conflicting"}:
        codes = tuple(codes[place] for place in naming.derangement)
    return tuple(map(Option, codes, symbols))


def resolve(options: Sequence[Option], contract: Contract, answer: str | None) -> str | None:
    """The symbol that an answer gives under a contract, None if it gives none: it must be, to the letter, the
    code of an option or its symbol, whichever was asked for. Nothing is stripped, and no case is changed.

    >>> options = (Option("A", "7"), Option("B", "8"))
    >>> resolve(options, "code", "B"), resolve(options, "character", "B"), resolve(options, "code", "b")
    ('8', None, None)
    """
    for option in options:
        if answer == (option.code if contract == "code" else option.symbol):
            return option.symbol
    return None


def permutation(size: int, seed: int, *names: str, attempt: int = 0) -> tuple[int, ...]:
    """A uniform permutation of 0 .. size - 1, fixed by seed and names (Fisher and Yates).

    >>> permutation(4, 7, "order", "1")
    (1, 0, 3, 2)
    """
    found = list(range(size))
    ends = np.arange(1, size + 1)
    drawn = Stream.named(seed, "permutation", *names).below(np.arange(size), attempt, ends)
    for place in reversed(range(size)):
        other = int(drawn[place])
        found[place], found[other] = found[other], found[place]
    return tuple(found)


def derangement(size: int, seed: int, *names: str) -> tuple[int, ...]:
    """A uniform permutation that keeps no place, fixed by seed and names: the first such one of a sequence of
    uniform permutations, of which more than a third are.

    Raises ControllerError for a size below 2.

    >>> derangement(3, 7, "item")
    (2, 0, 1)
    """
    if size < 2:
        raise ControllerError(f"{size} symbols cannot all change places")
    attempt = 0
    while True:
        found = permutation(size, seed, "derangement", *names, attempt=attempt)
        if all(place != there for place, there in enumerate(found)):
            return found
        attempt += 1
