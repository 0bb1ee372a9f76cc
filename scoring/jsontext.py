"""JSON read as text: numbers keep the digits they were written with, objects keep every pair."""

import json
import re
from dataclasses import dataclass
from typing import cast

DEEPEST = 64

_SPACE = re.compile(r"[ \t\n\r]*")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


@dataclass(frozen=True, slots=True)
class Digits:
    """A JSON number, or one of the words NaN, Infinity and -Infinity, as its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Object:
    """A JSON object as its pairs, in order, repeated keys included."""

    pairs: tuple[tuple[str, object], ...]

    def as_dict(self) -> dict[str, object] | None:
        """The object as a dictionary, None if a key stands twice."""
        found = dict(self.pairs)
        return found if len(found) == len(self.pairs) else None


_DECODER = json.JSONDecoder(
    object_pairs_hook=lambda pairs: Object(tuple(pairs)),
    parse_float=cast(type[float], Digits),
    parse_int=cast(type[int], Digits),
    parse_constant=Digits,
)


def decode(text: str) -> tuple[object, str]:
    """The JSON value that begins `text`, and what follows it; white space around the value is dropped.

    ValueError if none begins there, or if it nests deeper than 64 levels.

    >>> decode(' {"p": 0.10} thanks')
    (Object(pairs=(('p', Digits(text='0.10')),)), 'thanks')
    """
    if _too_deep(text):
        raise ValueError(f"nests deeper than {DEEPEST} levels")
    value, end = _DECODER.raw_decode(text, _after_space(text, 0))
    return value, text[_after_space(text, end) :]


def _after_space(text: str, start: int) -> int:
    return cast(re.Match[str], _SPACE.match(text, start)).end()


def _too_deep(text: str) -> bool:
    """Whether brackets nest deeper than DEEPEST. Decided here, because where the parser itself gives up
    depends on the call stack above it, and a verdict must not. One pass: a string that never ends is
    one token up to the end of the text.
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = 0
    for token in _TOKENS.finditer(text):
        depth += _STEP.get(token[0], 0)
        if depth > DEEPEST:
            return True
    return False
