"""Plans: what renders batches of codes to payloads, and reads payloads back to codes."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, join, strings
from worldgen.exact.domains import Code, Codes
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.renderers.decoding import Unreadable, Walk, transposed
from worldgen.renderers.lines import Column, Leaf, Line, Literal, Tree, escaped, longest, straight
from worldgen.renderers.proof import prove

Values = Mapping[str, Codes]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

_FOLDED = 200_000


@dataclass(frozen=True)
class DecodeFault:
    """A row that is not a payload of the plan: where that shows, and why."""

    row: int
    offset: int
    message: str


@dataclass(frozen=True)
class Decoded:
    """The codes of every row, and the rows that could not be read: there the codes are 0 or ""."""

    values: dict[str, Codes]
    faults: list[DecodeFault]


@dataclass(frozen=True, eq=False)
class Plan:
    """A JSON tree of leaves that provably shows exactly `variables` and can be read back.

    The payload of a row is json.dumps(tree, ensure_ascii=False, separators=(",", ":")) with each leaf
    replaced by its text. Building a plan is proving it (see proof.py): PlanError otherwise.

    >>> from worldgen.exact.domains import Phrases
    >>> from worldgen.renderers.lines import Leaf
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> plan = Plan({"state": Leaf((Literal("it shows "), Column((coin,), ("heads", "tails"))))}, (coin,))
    >>> plan.render({"coin": np.array([1, 0])}, 2).to_pylist()
    ['{"state":"it shows tails"}', '{"state":"it shows heads"}']
    >>> decoded = plan.decode(['{"state":"it shows tails"}', '{"state":"it shows t"}'])
    >>> decoded.values["coin"].tolist(), decoded.faults[0].row
    ([1, 0], 1)
    """

    tree: Tree
    variables: tuple[Variable, ...]

    def __post_init__(self) -> None:
        prove(self.line, self.variables)

    @cached_property
    def line(self) -> Line:
        """The straight line over the whole payload."""
        return straight(self.tree)

    def render(self, values: Values, n: int) -> Array:
        """The payloads of n rows, a string array. Raises DomainError for a code outside its domain."""
        return render_together((self,), (values,), np.ones((n, 1), dtype=np.bool_))

    def segments(self, values: Values, n: int) -> tuple[list[str], Index]:
        """A pool of texts, the first of them empty, and the (n, S) positions in it that spell the rows."""
        pool, index, _ = _lay((self,), (values,), np.ones((n, 1), dtype=np.bool_))
        return pool, index

    def decode(self, texts: Sequence[str | None]) -> Decoded:
        """The codes that render to these payloads; what differs by a byte from every payload is a fault.

        So is an object with one key twice, which leaves as keys can spell and JSON readers do not keep.
        """
        rows: list[list[Code]] = []
        faults: list[DecodeFault] = []
        blank: list[Code] = [0 if variable.domain.size else "" for variable in self._walk.variables]
        for number, text in enumerate(texts):
            try:
                if text is None:
                    raise Unreadable(0, "there is no payload")
                rows.append(self._walk.read(text))
                if self._named:
                    json.loads(text, object_pairs_hook=_distinct)
            except Unreadable as fault:
                faults.append(DecodeFault(number, fault.offset, fault.message))
                rows[number:] = [blank]
        self._compare(texts, rows, faults, blank)
        columns = zip(self._walk.variables, transposed(rows, len(blank)), strict=True)
        values = {variable.name: _codes(variable, codes) for variable, codes in columns}
        return Decoded(values, sorted(faults, key=lambda fault: fault.row))

    def _compare(
        self,
        texts: Sequence[str | None],
        rows: list[list[Code]],
        faults: list[DecodeFault],
        blank: list[Code],
    ) -> None:
        """Render what was read once more; a row that differs becomes a fault."""
        read = sorted(set(range(len(rows))) - {fault.row for fault in faults})
        columns = zip(self._walk.variables, transposed([rows[i] for i in read], len(blank)), strict=True)
        values = {variable.name: _codes(variable, codes) for variable, codes in columns}
        for number, again in zip(read, self.render(values, len(read)).to_pylist(), strict=True):
            if again != texts[number]:
                faults.append(DecodeFault(number, 0, "it does not render to the same bytes again"))
                rows[number] = blank

    @cached_property
    def longest(self) -> int | None:
        """A bound on the UTF-8 bytes of a payload; None where a text may be of any length."""
        bounds = [longest(item) for item in self.line.items]
        return None if None in bounds else sum(bound for bound in bounds if bound is not None)

    @cached_property
    def _named(self) -> bool:
        """Whether an object has keys that are leaves, which may turn out equal."""
        return _has_leaf_keys(self.tree)

    @cached_property
    def _walk(self) -> Walk:
        return Walk(self.line)

    @cached_property
    def _layout(self) -> "_Layout":
        return _Layout(self.line)


def render_together(plans: Sequence[Plan], values: Sequence[Values], valid: Mask) -> Array:
    """The payloads of many plans side by side: n * P strings, row i holding plans 0 .. P - 1.

    `values` holds one mapping a plan and `valid` is (n, P): a text that is not valid is null, and its
    codes are not looked at. Raises DomainError for a code outside its domain.
    """
    pool, index, ends = _lay(tuple(plans), values, valid)
    return join(strings(pool), index, ends, valid)


class _Layout:
    """The segments of one line: its own pool of texts, and for each segment where its texts lie there.

    A segment is a position (a literal), a column with the positions of its texts, or an open variable.
    Literals are folded into the table after them, which halves the segments.
    """

    def __init__(self, line: Line) -> None:
        self.pool: dict[str, int] = {"": 0}
        self.segments: list[int | tuple[Column, Index] | Variable] = []
        prefix = ""
        for item in line.items:
            if isinstance(item, Literal):
                prefix = item.text
                continue
            if isinstance(item, Column) and len(prefix) * len(item.texts) <= _FOLDED:
                self.segments.append((item, self._places(item.texts, prefix)))
            else:
                self.segments.extend([self._place(prefix)] if prefix else [])
                folded = (item, self._places(item.texts, "")) if isinstance(item, Column) else item.variable
                self.segments.append(folded)
            prefix = ""
        self.segments.extend([self._place(prefix)] if prefix else [])

    def _place(self, text: str) -> int:
        return self.pool.setdefault(text, len(self.pool))

    def _places(self, texts: Sequence[str], prefix: str) -> Index:
        return np.array([self._place(prefix + text) for text in texts], dtype=np.int64)


@lru_cache(maxsize=64)
def _shared_pool(plans: tuple[Plan, ...]) -> tuple[list[str], list[Index]]:
    """The texts of all plans, each once, and for each plan the new positions of its own pool."""
    pool: dict[str, int] = {}
    moved = []
    for plan in plans:
        places = [pool.setdefault(text, len(pool)) for text in plan._layout.pool]
        moved.append(np.array(places, dtype=np.int64))
    return list(pool), moved


def _lay(
    plans: tuple[Plan, ...], values: Sequence[Values], valid: Mask
) -> tuple[list[str], Index, list[int]]:
    fixed, moved = _shared_pool(plans)
    pool = list(fixed) if fixed else [""]
    ends = np.cumsum([len(plan._layout.segments) for plan in plans], dtype=np.int64).tolist()
    index = np.zeros((len(valid), ends[-1] if ends else 0), dtype=np.int64)
    arrays = [
        {v.name: given[v.name] for v in plan.variables} for plan, given in zip(plans, values, strict=True)
    ]
    checked: dict[tuple[int, int, bytes], Codes] = {}
    texts: dict[tuple[int, int, bytes], Index] = {}
    segment = 0
    for number, plan in enumerate(plans):
        rows, given = valid[:, number], arrays[number]
        # Plans mostly share the arrays of their variables: check and write each once for equal rows.
        mark = rows.tobytes()
        for part in plan._layout.segments:
            if isinstance(part, int):
                index[:, segment] = moved[number][part]
            elif isinstance(part, Variable):
                key = (id(part.domain), id(given[part.name]), mark)
                if key not in texts:
                    texts[key] = _write_open(part, given, rows, pool)
                index[:, segment] = texts[key]
            else:
                column, places = part
                joint = np.zeros(len(valid), dtype=np.int64)
                for variable, size in zip(column.variables, column.sizes, strict=True):
                    key = (id(variable.domain), id(given[variable.name]), mark)
                    if key not in checked:
                        checked[key] = _checked(variable, given, rows)
                    joint = joint * size + checked[key]
                index[:, segment] = moved[number][places][joint]
            segment += 1
        index[~rows, segment - len(plan._layout.segments) : segment] = 0
    return pool, index, ends


def _checked(variable: Variable, values: Values, rows: Mask) -> Codes:
    """The codes of a finite variable, 0 where the row is not valid."""
    given = np.asarray(values[variable.name])
    if given.dtype.kind not in "iu" or given.shape != rows.shape:
        raise DomainError(
            f"'{variable.name}' needs {len(rows)} integer codes, got {given.dtype} {given.shape}"
        )
    codes = np.where(rows, given, 0).astype(np.int64)
    size = variable.domain.size
    if len(codes) and size is not None and not (codes.min() >= 0 and codes.max() < size):
        raise DomainError(f"'{variable.name}' has codes 0 .. {size - 1}, got {codes.min()} .. {codes.max()}")
    return codes


def _write_open(variable: Variable, values: Values, rows: Mask, pool: list[str]) -> Index:
    """Append the distinct texts of an open variable to the pool; their positions, row by row."""
    if variable.domain.size is not None:
        codes: list[Code] = _checked(variable, values, rows).tolist()
    else:
        given = np.asarray(values[variable.name], dtype=np.object_)
        if given.shape != rows.shape:
            raise DomainError(f"'{variable.name}' needs {len(rows)} texts, got {given.shape}")
        codes = given.tolist()
    places: dict[Code, int] = {}
    for code, used in zip(codes, rows.tolist(), strict=True):
        if used and code not in places:
            places[code] = len(pool)
            pool.append(escaped(variable.domain.text(code)))
    return np.array([places.get(code, 0) for code in codes], dtype=np.int64)


def _has_leaf_keys(tree: Tree) -> bool:
    if isinstance(tree, Mapping):
        return any(isinstance(key, Leaf) or _has_leaf_keys(value) for key, value in tree.items())
    return not isinstance(tree, Leaf | str | None) and any(map(_has_leaf_keys, tree))


def _distinct(pairs: list[tuple[str, object]]) -> None:
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise Unreadable(0, f"an object has the key '{key}' twice")
        keys.add(key)


def _codes(variable: Variable, codes: Sequence[Code]) -> Codes:
    if variable.domain.size:
        return np.array(codes, dtype=np.int64)
    return np.array(codes, dtype=np.object_)
