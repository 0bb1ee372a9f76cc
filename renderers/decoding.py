"""The walk from left to right that reads a payload back: the inverse that the proof promises."""

import json
import re
from collections.abc import Sequence
from typing import Protocol

from worldgen.exact.domains import Code, Texts
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Column, Line, Literal, Slot, escaped, following, size_of

_STRING_BODY = re.compile(r'(?:[^"\\]|\\.)*')
_SHOWN = 24


class Unreadable(Exception):  # noqa: N818  (it never leaves the decoder)
    """A text that is not in the language of the line: the offset where that shows, and why."""

    def __init__(self, offset: int, message: str) -> None:
        super().__init__(message)
        self.offset = offset
        self.message = message


class _Reader(Protocol):
    """One item after which `literal` stands."""

    def read(self, text: str, at: int, row: list[Code]) -> int:
        """Append the codes of the fresh variables to `row`; return the offset behind the literal."""


class Walk:
    """The readers of a line that is proved, in order.

    `variables` are in the order in which `read` returns their codes.

    >>> from worldgen.exact.domains import Phrases
    >>> from worldgen.renderers.lines import Leaf, straight
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> Walk(straight(Leaf((Literal("a "), Column((coin,), ("head", "tail")))))).read('"a tail"')
    [1]
    """

    def __init__(self, line: Line) -> None:
        self.variables: list[Variable] = []
        self._opening = line.items[0].text if isinstance(line.items[0], Literal) else ""
        self._readers: list[_Reader] = []
        places: dict[str, int] = {}
        for position, item in enumerate(line.items):
            if isinstance(item, Literal):
                continue
            after = following(line.items, position)
            if isinstance(item, Column):
                self._readers.append(_Table(item, after, places))
            elif item.variable.name in places:
                self._readers.append(_Repeat(item, after, places[item.variable.name]))
            else:
                self._readers.append(_Open(item, after))
            for variable in item.variables:
                if variable.name not in places:
                    places[variable.name] = len(self.variables)
                    self.variables.append(variable)

    def read(self, text: str) -> list[Code]:
        """The codes of one payload. Raises Unreadable."""
        row: list[Code] = []
        if not text.startswith(self._opening):
            raise _expected(text, 0, self._opening)
        at = len(self._opening)
        for reader in self._readers:
            at = reader.read(text, at, row)
        if at != len(text):
            raise Unreadable(at, f"the text goes on after its end: {_excerpt(text, at)}")
        return row


class _Table:
    """A column: for each joint code of its known variables, the texts and the fresh codes they stand for."""

    def __init__(self, column: Column, after: str, places: dict[str, int]) -> None:
        known = [variable for variable in column.variables if variable.name in places]
        self._known = [(places[variable.name], size_of(variable)) for variable in known]
        self._label, self._after = column.label, after
        self._tables: list[dict[str, tuple[int, ...]]] = []
        self._lengths: list[list[int]] = []
        # product() runs through the known codes in row-major order, so that the joint code is the index.
        for _, entries in sorted(column.given(tuple(places)).items()):
            self._tables.append({text: codes for codes, text in entries})
            self._lengths.append(sorted({len(text) for _, text in entries}))

    def read(self, text: str, at: int, row: list[Code]) -> int:
        joint = 0
        for place, size in self._known:
            joint = joint * size + int(row[place])
        table = self._tables[joint]
        for length in self._lengths[joint]:
            end = at + length
            codes = table.get(text[at:end])
            if codes is not None and text.startswith(self._after, end):
                row += codes
                return end + len(self._after)
        if len(table) == 1:
            raise _expected(text, at, next(iter(table)) + self._after)
        raise Unreadable(at, f"{self._label} has no text that fits {_excerpt(text, at)}")


class _Open:
    """A slot of a fresh variable: its text ends where the literal after it begins."""

    def __init__(self, slot: Slot, after: str) -> None:
        self._slot, self._after = slot, after
        self._quoted = isinstance(slot.variable.domain, Texts)

    def read(self, text: str, at: int, row: list[Code]) -> int:
        if self._quoted:
            body = _STRING_BODY.match(text, at)
            end = body.end() if body else -1
        else:
            end = text.find(self._after[0], at)
        if end < 0 or not text.startswith(self._after, end):
            raise Unreadable(at, f"{self._slot.label} does not end with '{self._after[:_SHOWN]}'")
        shown = text[at:end]
        code = self._slot.variable.domain.code(_unescaped(shown, at) if self._quoted else shown)
        if code is None or (self._quoted and escaped(str(code)) != shown):
            raise Unreadable(at, f"{self._slot.label} cannot be {_excerpt(shown, 0)}")
        row.append(code)
        return end + len(self._after)


class _Repeat:
    """A slot of a known variable: it must show the same text again."""

    def __init__(self, slot: Slot, after: str, place: int) -> None:
        self._domain, self._after, self._place = slot.variable.domain, after, place

    def read(self, text: str, at: int, row: list[Code]) -> int:
        expected = escaped(self._domain.text(row[self._place])) + self._after
        if not text.startswith(expected, at):
            raise _expected(text, at, expected)
        return at + len(expected)


def _unescaped(body: str, at: int) -> str:
    try:
        return str(json.loads(f'"{body}"'))
    except ValueError as error:
        raise Unreadable(at, f"this is not the inside of a JSON string: {_excerpt(body, 0)}") from error


def _expected(text: str, at: int, wanted: str) -> Unreadable:
    same = next((i for i, mark in enumerate(wanted) if text[at + i : at + i + 1] != mark), 0)
    offset = at + same
    return Unreadable(offset, f"expected {_excerpt(wanted, same)}, found {_excerpt(text, offset)}")


def _excerpt(text: str, at: int) -> str:
    rest = text[at : at + _SHOWN]
    return repr(rest + "..." * (len(text) > at + _SHOWN)) if rest else "the end"


def transposed(rows: Sequence[Sequence[Code]], width: int) -> list[list[Code]]:
    """Rows of codes as columns; `width` columns even where there are no rows.

    >>> transposed([[1, 2], [3, 4]], 2), transposed([], 2)
    ([[1, 3], [2, 4]], [[], []])
    """
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
