"""JSON read as text: numbers keep the digits they were written with, objects keep every pair."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

DEEPEST = 64
DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?(?P<exponent>\d+))?", re.ASCII)
"""A decimal as JSON or a person writes it, of any length."""

_SPACE = " \t\n\r"
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}


@dataclass(frozen=True, slots=True)
class Digits:
    """A JSON number, or one of the words NaN, Infinity and -Infinity, as its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Repeating:
    """A JSON object in which a key stands twice, as its pairs in order. Any other is a dictionary."""

    pairs: tuple[tuple[str, object], ...]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | Repeating:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Repeating(tuple(pairs))


# Reports repeat their numbers, so equal texts share one Digits; long ones, which do not, are not kept.
_kept = lru_cache(maxsize=2**12)(Digits)


def _digits(text: str) -> Digits:
    return _kept(text) if len(text) < 32 else Digits(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=cast(type[float], _digits),
    parse_int=cast(type[int], _digits),
    parse_constant=_digits,
)


def decode(text: str) -> tuple[object, str]:
    """The JSON value that begins `text`, and what follows it; white space around the value is dropped.

    Numbers are `Digits`, objects are dictionaries or `Repeating`, the rest is as `json.loads` gives it.
    ValueError if none begins there, or if it nests deeper than 64 levels.

    >>> decode(' {"p": 0.10} thanks')
    ({'p': Digits(text='0.10')}, 'thanks')
    >>> decode('{"p": 1, "p": 2}')[0].pairs
    (('p', Digits(text='1')), ('p', Digits(text='2')))
    """
    if _too_deep(text):
        raise ValueError(f"nests deeper than {DEEPEST} levels")
    begun = text.lstrip(_SPACE)
    value, end = _DECODER.raw_decode(begun)
    return value, begun[end:].lstrip(_SPACE)


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
