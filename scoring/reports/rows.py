"""Rows of a file made reports: the columns and their types, which all formats share.

A format hands over a mapping from column to value: texts as `str`, counts as `int` or `Digits`, flags as
`bool`, numbers by answer id as a dictionary, `Repeating` or a tuple of pairs. A column that is absent or
null says nothing.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar, cast

from worldgen.scoring.reports.jsontext import Digits, Repeating
from worldgen.scoring.reports.report import (
    COLUMNS,
    COUNT_BOUND,
    REQUIRED,
    Fault,
    Report,
    Status,
    Written,
    form_faults,
)

COUNTS = ("repeat", "attempt")
FLAGS = ("final",)
NUMBERS = ("probabilities", "logprobs")

Row = TypeVar("Row")

_KNOWN = frozenset(COLUMNS)
_LONGEST_COUNT = len(str(COUNT_BOUND - 1))


class RowError(Exception):
    """A row that is no report: message and remedy. It never leaves the reading of a file."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def header_faults(names: Iterable[str], source: str) -> list[Fault]:
    """What is wrong with the columns of a table: unknown, twice, or a required one missing."""
    listed = list(names)
    faults = [Fault(source, *_unknown(name)) for name in listed if name not in _KNOWN]
    faults += [Fault(source, f"column {name!r} stands twice") for name in COLUMNS if listed.count(name) > 1]
    return faults + [Fault(source, f"there is no column {name!r}") for name in REQUIRED if name not in listed]


def collect(
    rows: Iterable[tuple[int, Row]], columns_of: Callable[[Row], Mapping[str, object]], source: str
) -> tuple[list[Report], list[Fault]]:
    """The reports of numbered rows, and what is wrong with them, in order. `columns_of` reads a row as a
    format writes it, and may raise RowError.
    """
    reports: list[Report] = []
    faults: list[Fault] = []
    for number, row in rows:
        try:
            report = _report(columns_of(row), source, number)
        except RowError as bad:
            faults.append(Fault(f"{source}:{number}", bad.message, bad.remedy))
        else:
            faults += form_faults(report)
            reports.append(report)
    return reports, faults


def _report(row: Mapping[str, object], source: str, number: int) -> Report:
    """The report that a row holds. Raises RowError."""
    if not row.keys() <= _KNOWN:
        raise RowError(*_unknown(next(name for name in row if name not in _KNOWN)))
    missing = [name for name in REQUIRED if row.get(name) is None]
    if missing:
        raise RowError(f"no {', '.join(missing)}")
    final = row.get("final")
    if final is not None and type(final) is not bool:
        raise RowError("final is neither true nor false", "write true for the attempt that counts")
    return Report(
        cast(str, _text(row, "system")),
        cast(str, _text(row, "request_id")),
        _count(row, "repeat"),
        cast(Status, _text(row, "status")),
        _text(row, "response"),
        _written(row, "probabilities"),
        _written(row, "logprobs"),
        _text(row, "selected"),
        _text(row, "model_requested"),
        _text(row, "model_reported"),
        _count(row, "attempt"),
        final is not False,
        _text(row, "time"),
        source,
        number,
    )


def _unknown(name: str) -> tuple[str, str]:
    near = get_close_matches(name, COLUMNS, 1)
    remedy = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(COLUMNS)}"
    return f"unknown column {name!r}", remedy


def _text(row: Mapping[str, object], name: str) -> str | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise RowError(f"{name} is not a text", "quote it; a response stays the text that was received")
    if not _whole(value):
        raise RowError(f"{name} holds half of a surrogate pair", "write whole characters")
    return value


def _whole(text: str) -> bool:
    """Whether a text can be encoded: JSON can escape half of a surrogate pair, which is no character."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _count(row: Mapping[str, object], name: str) -> int:
    value = row.get(name)
    if value is None:
        return 0
    if type(value) is Digits and value.text.isdecimal() and value.text.isascii():
        value = int(value.text) if len(value.text) <= _LONGEST_COUNT else None
    if type(value) is int:
        return value
    remedy = f"number the {name}s 0, 1, 2, ..."
    raise RowError(f"{name} is not a whole number from 0 to {COUNT_BOUND - 1}", remedy)


def _written(row: Mapping[str, object], name: str) -> Written | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, dict):
        pairs: Iterable[tuple[object, object]] = value.items()
    elif isinstance(value, Repeating):
        pairs = value.pairs
    elif isinstance(value, tuple):
        pairs = value
    else:
        raise RowError(f"{name} is not an object", 'write {"answer id": number, ...} or null')
    found = tuple((answer, _number(name, answer, number)) for answer, number in pairs)
    for answer, text in found:
        if not isinstance(answer, str):
            raise RowError(f"a number of {name} has no answer id")
        if not _whole(answer + text):
            raise RowError(f"{name} hold half of a surrogate pair", "write whole characters")
    return cast(Written, found)


def _number(name: str, answer: object, value: object) -> str:
    """The text of a reported value. What is no number keeps a text that the strict reader rejects: a
    system may report null or NaN, and that is its answer, not a fault of the file.
    """
    if type(value) is Digits:
        return value.text
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    raise RowError(f"the number of {answer!r} in {name} is an array or an object", "write a number")
