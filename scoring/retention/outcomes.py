"""What became of one output: the first class that fits, in a fixed order of priority."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

OutputClass = Literal[
    "strict correct",
    "truncated",
    "empty",
    "format-valid wrong",
    "correct bound code",
    "another listed code",
    "extra text",
    "other invalid",
]


@dataclass(frozen=True)
class Expected:
    """What a request wanted: the texts that its contract allows, the right one of them, the codes that it
    listed, and the code that is bound to the right answer. Where codes are wanted, the texts are the codes.

    ValueError if the right text or code is not among them.
    """

    legal: frozenset[str]
    right: str
    codes: frozenset[str]
    code: str

    def __post_init__(self) -> None:
        if self.right not in self.legal or self.code not in self.codes:
            raise ValueError(f"{self.right!r} or its code {self.code!r} is not among what is allowed")


def output_class(text: str, expected: Expected, *, truncated: bool = False) -> OutputClass:
    """The class of an output, to the letter.

    strict correct       the right text, and complete
    truncated            cut off by a limit, whatever it says
    empty                nothing but blanks
    format-valid wrong   another text that the contract allows
    correct bound code   the code of the right answer, where codes are not wanted
    another listed code  the code of another one
    extra text           an allowed text or a listed code, standing free among other characters or blanks
    other invalid        all else

    >>> expected = Expected(frozenset("0123456789"), "7", frozenset("ABCDEFGHIJ"), "A")
    >>> [output_class(text, expected) for text in ("7", "3", "A")]
    ['strict correct', 'format-valid wrong', 'correct bound code']
    >>> [output_class(text, expected) for text in ("F", "It is 7.", "seven")]
    ['another listed code', 'extra text', 'other invalid']
    """
    known = expected.legal | expected.codes
    rules: tuple[tuple[OutputClass, bool], ...] = (
        ("strict correct", text == expected.right and not truncated),
        ("truncated", truncated),
        ("empty", not text.strip()),
        ("format-valid wrong", text in expected.legal),
        ("correct bound code", text == expected.code),
        ("another listed code", text in expected.codes),
        ("extra text", any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) for one in known)),
    )
    return next((name for name, holds in rules if holds), "other invalid")


WordClass = Literal[
    "gold", "other candidate", "malformed", "gold-synset lemma", "other noun", "other word", "unindexed"
]


@dataclass(frozen=True)
class Lexicon:
    """The nouns that an index knows, and all words of any kind that it knows."""

    nouns: frozenset[str]
    words: frozenset[str]


def word_class(
    text: str, gold: str, candidates: Collection[str], lemmas: Collection[str], lexicon: Lexicon
) -> WordClass:
    """The class of a string that was constructed for a word; `lemmas` are those of the sense of `gold`.

    A string is malformed if it has another length than `gold`, or anything but lower case ASCII letters.

    >>> lexicon = Lexicon(frozenset({"car", "cat"}), frozenset({"car", "cat", "run"}))
    >>> [word_class(text, "cat", ["cat", "car"], ["cat"], lexicon) for text in ("car", "run", "caT", "zzz")]
    ['other candidate', 'other word', 'malformed', 'unindexed']
    """
    formed = len(text) == len(gold) and re.fullmatch("[a-z]+", text) is not None
    rules: tuple[tuple[WordClass, bool], ...] = (
        ("gold", text == gold),
        ("other candidate", text in candidates),
        ("malformed", not formed),
        ("gold-synset lemma", text in lemmas),
        ("other noun", text in lexicon.nouns),
        ("other word", text in lexicon.words),
    )
    return next((name for name, holds in rules if holds), "unindexed")


StoppingOutcome = Literal[
    "exact completion",
    "premature END",
    "correct content without END",
    "cap exhaustion",
    "wrong content",
]


@dataclass(frozen=True)
class Stopped:
    """How a run ended that had to say itself where its answer ends.

    Beside the first outcome that fits stand three facts that overlap: whether all that was given before END
    is the answer, whether what was given first is, over its length, and whether the cap of steps was reached.
    """

    outcome: StoppingOutcome
    content: bool
    beginning: bool
    exhausted: bool


def stopping_outcome(symbols: Sequence[str | None], gold: str, end: str, cap: int) -> Stopped:
    """The outcome of a run that gave `symbols`, None where one is invalid, of which `end` may be the last.

    exact completion             the answer, and `end` right after it
    premature END                `end` before as many symbols as the answer has
    correct content without END  the answer first, and no `end` at all
    cap exhaustion               `cap` symbols without `end`
    wrong content                all else: `end` after something else, or too late

    ValueError for more than `cap` symbols, or for one after `end`.

    >>> stopping_outcome(["4", "2", "END"], "42", "END", 5).outcome
    'exact completion'
    >>> stopping_outcome(["4", "2", "0", "0", "0"], "42", "END", 5).outcome
    'correct content without END'
    """
    if len(symbols) > cap or end in symbols[:-1]:
        raise ValueError(f"{len(symbols)} symbols are no run with the cap {cap}: it is over after {end}")
    ended = bool(symbols) and symbols[-1] == end
    given = list(symbols[:-1] if ended else symbols)
    content, beginning = given == list(gold), given[: len(gold)] == list(gold)
    exhausted = len(symbols) == cap and not ended
    rules: tuple[tuple[StoppingOutcome, bool], ...] = (
        ("exact completion", ended and content),
        ("premature END", ended and len(given) < len(gold)),
        ("correct content without END", beginning and not ended),
        ("cap exhaustion", exhausted),
    )
    outcome: StoppingOutcome = next((name for name, holds in rules if holds), "wrong content")
    return Stopped(outcome, content, beginning, exhausted)
