"""Names of things in specs, and what to say about a name that nothing has."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}", re.ASCII)

NAME_REMEDY = "use letters, digits, '_', '.' and '-', at most 128, and start with a letter, digit or '_'"


def is_name(text: str) -> bool:
    """Whether a text may name a thing of a spec.

    >>> is_name("type_0"), is_name("type 0")
    (True, False)
    """
    return _NAME.fullmatch(text) is not None


def nearest(name: str, known: Iterable[str]) -> str:
    """The remedy for an unknown name: the nearest known one, else all of them.

    >>> nearest("catgory", ["category", "count"]), nearest("x", ["category", "count"])
    ("did you mean 'category'?", 'known are category, count')
    """
    names = list(dict.fromkeys(known))
    close = get_close_matches(name, names, n=1)
    return f"did you mean '{close[0]}'?" if close else f"known are {', '.join(names) or 'none'}"
