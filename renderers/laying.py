"""Laying payloads: every text is a run of segments taken from one pool, and none is spelled twice.

A segment is a literal, a table of texts by code, the texts of an open slot, or a *run*: the items of a leaf
that several plans show. A run is spelled once for all of them, and taken as a whole.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, join, strings
from worldgen.exact.domains import Codes
from worldgen.exact.errors import DomainError
from worldgen.exact.pools import together
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Column, Item, Line, Literal
from worldgen.renderers.opened import written

Values = Mapping[str, Codes]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]
Items = tuple[Item, ...]

_FOLDED = 200_000


class Lined(Protocol):
    """Anything with a line: a plan."""

    @property
    def line(self) -> Line:
        """The straight line over the whole payload."""


@dataclass(frozen=True)
class Run:
    """The items of a leaf that several plans show, by their place in the list of all runs."""

    number: int
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Table:
    """A column with the positions of its texts in the pool."""

    column: Column
    places: Index


Segment = int | Table | Variable | Run


class Layout:
    """The segments of some lines, and the pool that holds every fixed text of them; its first is empty.

    Literals are folded into the table after them, which halves the segments.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._pool: dict[str, int] = {"": 0}
        cut = [list(_cut(line)) for line in lines]
        counts = Counter(items for parts in cut for items in parts if _manifold(items))
        shared = {items: i for i, items in enumerate(key for key, count in counts.items() if count > 1)}
        self.runs = [self._segments(items) for items in shared]
        self.lines = [self._segments(_with_runs(parts, shared)) for parts in cut]
        self.pool = strings(list(self._pool))

    def _segments(self, items: Sequence[Item | Run]) -> list[Segment]:
        segments: list[Segment] = []
        prefix = ""
        for item in items:
            if isinstance(item, Literal):
                prefix += item.text
                continue
            if not isinstance(item, Column):
                segments += [self._place(prefix)] if prefix else []
                segments.append(item if isinstance(item, Run) else item.variable)
            elif len(prefix) * len(item.texts) <= _FOLDED:
                segments.append(self._table(item, prefix))
            else:
                segments += [self._place(prefix), self._table(item, "")]
            prefix = ""
        return segments + ([self._place(prefix)] if prefix else [])

    def _place(self, text: str) -> int:
        return self._pool.setdefault(text, len(self._pool))

    def _table(self, column: Column, prefix: str) -> Table:
        places = [self._place(prefix + text) for text in column.texts]
        return Table(column, np.array(places, dtype=np.int64))


def _cut(line: Line) -> Iterator[Items]:
    """The items of a line, those of one leaf together from its first variable to its last."""
    start = 0
    shown = (i for i, item in enumerate(line.items) if not isinstance(item, Literal))
    for _, group in groupby(shown, key=line.places.__getitem__):
        first, *more = group
        last = more[-1] if more else first
        yield from ((item,) for item in line.items[start:first])
        yield line.items[first : last + 1]
        start = last + 1
    yield from ((item,) for item in line.items[start:])


def _manifold(items: Items) -> bool:
    """Whether a run is worth being spelled for itself: a single column is a segment already."""
    return len(items) > 1


def _with_runs(parts: Sequence[Items], shared: Mapping[Items, int]) -> list[Item | Run]:
    laid: list[Item | Run] = []
    for items in parts:
        if items in shared:
            variables = {variable.name: variable for item in items for variable in item.variables}
            laid.append(Run(shared[items], tuple(variables.values())))
        else:
            laid += items
    return laid


@lru_cache(maxsize=64)
def layout_of(plans: tuple[Lined, ...]) -> Layout:
    """The layout of the lines of some plans."""
    return Layout([plan.line for plan in plans])


def render_together(plans: Sequence[Lined], values: Sequence[Values], valid: Mask) -> Array:
    """The payloads of many plans side by side: n * P strings, row i holding plans 0 .. P - 1.

    `values` holds one mapping a plan and `valid` is (n, P): a text that is not valid is null, and its
    codes are not looked at. Raises DomainError for a code outside its domain.
    """
    pool, index, ends = lay(plans, values, valid)
    return join(pool, index, ends, valid)


def lay(plans: Sequence[Lined], values: Sequence[Values], valid: Mask) -> tuple[Array, Index, list[int]]:
    """What `render_together` joins: the pool, the (n, S) positions in it, and where each plan's end."""
    layout = layout_of(tuple(plans))
    batch = _Batch(layout, len(valid))
    given = list(zip(layout.lines, values, valid.T, strict=True))
    for segments, codes, rows in given:
        for run in (segment for segment in segments if isinstance(segment, Run)):
            batch.want(run, codes, rows)
    batch.spell()
    ends = np.cumsum([len(segments) for segments in layout.lines], dtype=np.int64).tolist()
    index = np.zeros((len(valid), ends[-1] if ends else 0), dtype=np.int64)
    segment = 0
    for segments, codes, rows in given:
        batch.fill(index[:, segment : segment + len(segments)], segments, codes, rows)
        segment += len(segments)
    return together(batch.pools)[0], index, ends


class _Batch:
    """One rendering: the pools so far, and what was done once already for the same codes."""

    def __init__(self, layout: Layout, n: int) -> None:
        self.pools = [layout.pool]
        self._layout, self._n, self._size = layout, n, len(layout.pool)
        self._wanted: dict[tuple[int, ...], tuple[Run, Values, Mask]] = {}
        self._places: dict[tuple[object, ...], Index] = {}

    def want(self, run: Run, values: Values, rows: Mask) -> None:
        """Take note of the rows for which a run must be spelled."""
        key = _key(run, values)
        known = self._wanted.get(key)
        self._wanted[key] = (run, values, rows if known is None else known[2] | rows)

    def spell(self) -> None:
        """Spell every run that is wanted, once."""
        laid = {key: self._laid(*wanted) for key, wanted in self._wanted.items()}
        whole = together(self.pools)[0]
        every = np.ones((self._n, 1), dtype=np.bool_)
        for key, index in laid.items():
            self._places[key] = self._add(join(whole, index, [index.shape[1]], every)) + np.arange(self._n)

    def _laid(self, run: Run, values: Values, rows: Mask) -> Index:
        segments = self._layout.runs[run.number]
        index = np.zeros((self._n, len(segments)), dtype=np.int64)
        self.fill(index, segments, values, rows)
        return index

    def fill(self, index: Index, segments: Sequence[Segment], values: Values, rows: Mask) -> None:
        """Write the positions of the segments; those of rows that are not wanted are 0, the empty text."""
        mark = rows.tobytes()  # plans mostly share their codes and their rows
        for number, segment in enumerate(segments):
            if isinstance(segment, int):
                index[:, number] = segment
            elif isinstance(segment, Run):
                index[:, number] = self._places[_key(segment, values)]
            elif isinstance(segment, Variable):
                index[:, number] = self._open(segment, values, rows, mark)
            else:
                joint = self._joint(segment.column, values, rows, mark)
                np.take(segment.places, joint, out=index[:, number], mode="clip")  # checked to be codes
        if not rows.all():
            index[~rows] = 0

    def _joint(self, column: Column, values: Values, rows: Mask, mark: bytes) -> Index:
        """The place of each row's text in a column."""
        joint, *more = (self._codes(variable, values, rows, mark) for variable in column.variables)
        for codes, size in zip(more, column.sizes[1:], strict=True):
            joint = joint * size + codes
        return joint

    def _open(self, variable: Variable, values: Values, rows: Mask, mark: bytes) -> Index:
        key = (id(variable.domain), id(values[variable.name]), mark)
        if key not in self._places:
            codes = values[variable.name]
            if variable.domain.size is not None:
                codes = self._codes(variable, values, rows, mark)
            elif np.shape(codes) != rows.shape:
                raise DomainError(f"'{variable.name}' needs {len(rows)} texts, got {np.shape(codes)}")
            texts, found = written(variable, cast(Codes, np.asarray(codes)[rows]))
            places = np.zeros(self._n, dtype=np.int64)
            places[rows] = self._add(texts) + found
            self._places[key] = places
        return self._places[key]

    def _codes(self, variable: Variable, values: Values, rows: Mask, mark: bytes) -> Index:
        """The codes of a finite variable, 0 where the row is not wanted."""
        given = values[variable.name]
        key = (id(variable.domain), id(given), mark, "codes")
        if key not in self._places:
            self._places[key] = _checked(variable, given, rows)
        return self._places[key]

    def _add(self, texts: Array) -> int:
        """Append texts to the pool; the position of the first of them."""
        start = self._size
        self.pools.append(texts)
        self._size += len(texts)
        return start


def _key(run: Run, values: Values) -> tuple[int, ...]:
    return (run.number, *(id(values[variable.name]) for variable in run.variables))


def _checked(variable: Variable, given: Codes, rows: Mask) -> Index:
    codes = np.asarray(given)
    if codes.dtype.kind not in "iu" or codes.shape != rows.shape:
        raise DomainError(
            f"'{variable.name}' needs {len(rows)} integer codes, got {codes.dtype} {codes.shape}"
        )
    wanted = codes if rows.all() else np.where(rows, codes, 0)
    size = variable.domain.size
    if len(wanted) and size is not None and not (wanted.min() >= 0 and wanted.max() < size):
        raise DomainError(
            f"'{variable.name}' has codes 0 .. {size - 1}, got {wanted.min()} .. {wanted.max()}"
        )
    return wanted.astype(np.int64, copy=False)
