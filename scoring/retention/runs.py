"""What retention is made of: items, what runs came to on them, and states of dialogues, as plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from worldgen.exact.geometry import Candidates
from worldgen.scoring.retention.confidence import Confidence
from worldgen.scoring.retention.outcomes import OutputClass, Stopped, WordClass

Ending = Literal["complete", "ended", "cap", "aborted"]
Masses = Mapping[str, Fraction]


@dataclass(frozen=True)
class Item:
    """One root: its right answer and its candidates.

    `unit` names what is resampled: items of one unit, such as partners of a pair or presentations of one
    source, are drawn together. `stratum` is the one in which units are drawn, `domain` that of the cohort.
    Of a word of a lexicon, `lemmas` are those of the sense that is meant.
    """

    root_id: str
    gold: str
    candidates: Candidates
    unit: str
    stratum: str
    domain: str
    lemmas: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Done:
    """What a run came to on an item.

    `right` says whether its output answers the item, `positions` the same of each position, where an answer
    was built position by position. `supplied` is what was to be copied, if something was: a string, or its
    characters where a run is about single positions, and `wanted` what answers the item likewise. `masses`
    are those of the candidates that a choice of a whole answer reported, `local` those of the symbols of each
    position, each None where they were not reported. `word` is the
    class of a string that answers a word of a lexicon.
    """

    root_id: str
    output: str | None
    right: bool
    valid: bool
    ending: Ending
    calls: int
    fills: int
    decisions: int
    classes: tuple[OutputClass, ...]
    positions: tuple[bool, ...] | None = None
    supplied: str | None = None
    stopped: Stopped | None = None
    confidence: Confidence | None = None
    masses: tuple[Fraction, ...] | None = None
    local: tuple[Masses, ...] | None = None
    word: WordClass | None = None
    wanted: str | None = None


@dataclass(frozen=True)
class Setting:
    """Who was asked how: the system, the arm without its template and binding, the numbers of the template's
    wording and order, and the binding, what options are called. `native` says that whole answers were chosen,
    `copies` that a string was supplied, and `paired` that runs answer items on the same problem and
    candidates as native ones, so that they can be held against these. `ways` are the other fields in which
    arms differ, by name: two settings can be contrasted where they are asked in ways that differ in one.
    """

    system: str
    arm: str
    wording: int = 0
    order: int = 0
    native: bool = False
    copies: bool = False
    paired: bool = True
    binding: str = "literal"
    ways: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The arm with its binding and its template, where these are not the usual ones.

        >>> Setting("m", "serial trie", wording=1).name
        'serial trie, wording 1'
        """
        parts = (f"{what} {n}" for what, n in (("wording", self.wording), ("order", self.order)) if n)
        return ", ".join((self.arm, *[self.binding] * (self.binding != "literal"), *parts))


@dataclass(frozen=True)
class Talked:
    """A run of an arm over a dialogue: which turns have the right state, and how many requests it took."""

    name: str
    turns: tuple[bool, ...]
    valid: bool
    calls: int


Runs = Mapping[Setting, Mapping[str, Done]]
"""The runs of each setting by root."""

Talks = Mapping[Setting, Mapping[str, Talked]]
"""The dialogues of each setting by name."""


def native_for(setting: Setting, settings: Sequence[Setting]) -> Setting | None:
    """The native setting against which a setting is held: of the same system, and as like in wording and
    order as there is one; None where the system has none.

    >>> native = [Setting("m", "native", native=True), Setting("m", "native", wording=1, native=True)]
    >>> native_for(Setting("m", "serial", wording=1), native).wording
    1
    """
    own = [one for one in settings if one.native and one.system == setting.system]

    def unlike(one: Setting) -> tuple[bool, bool, int, int]:
        return one.wording != setting.wording, one.order != setting.order, one.wording, one.order

    return min(own, key=unlike, default=None)
