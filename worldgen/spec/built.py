"""From drafts to worlds: the parts of a draft in which no fault was found."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


def sure(part: T | None) -> T:
    """A part that was read: where a draft has no fault, none of its parts is None.

    >>> sure("reports")
    'reports'
    """
    if part is None:
        raise AssertionError("a draft without faults has every part")
    return part


def whole_parts(parts: Mapping[str, T | None] | None) -> dict[str, T]:
    """Parts by name, all of which were read.

    >>> whole_parts({"weekly": 1, "urgent": 3})
    {'weekly': 1, 'urgent': 3}
    """
    return {name: sure(part) for name, part in sure(parts).items()}
