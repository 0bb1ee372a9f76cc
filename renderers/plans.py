"""Plans: what renders batches of codes to payloads, and reads payloads back to codes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from worldgen.exact.arrow import Array, strings
from worldgen.exact.domains import Code, Codes, Texts
from worldgen.exact.pools import alike, equal, kept, present, take
from worldgen.exact.variables import Variable
from worldgen.renderers.decoding import Unreadable, Walk, transposed
from worldgen.renderers.laying import Index, Mask, Values, lay, render_together
from worldgen.renderers.lines import Leaf, Line, Tree, longest, straight
from worldgen.renderers.proof import prove
from worldgen.renderers.scanning import Scan


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
    >>> from worldgen.renderers.lines import Column, Literal
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
        pool, index, _ = lay((self,), (values,), np.ones((n, 1), dtype=np.bool_))
        return pool.to_pylist(), index

    def decode(self, texts: Sequence[str | None] | Array) -> Decoded:
        """The codes that render to these payloads; what differs by a byte from every payload is a fault.

        So is an object with one key twice, which leaves as keys can spell and JSON readers do not keep.
        Rows are scanned all at once and rendered again; those that differ are walked one by one, which
        says why they cannot be read.
        """
        codes, same = self._scanned(_strings(texts) if isinstance(texts, Sequence) else texts)
        left = np.flatnonzero(~same)
        values: dict[str, Codes] = {}
        rest = (
            [texts[i] for i in left.tolist()]
            if isinstance(texts, Sequence)
            else take(texts, left).to_pylist()
        )
        walked, faults = self._walked(rest) if rest else ({}, [])
        for variable in self._walk.variables:
            blank = _codes(variable, [0 if variable.domain.size else ""])
            values[variable.name] = cast(Codes, np.repeat(blank, len(same)))
            values[variable.name][same] = codes[variable.name]
            if len(left):
                values[variable.name][left] = walked[variable.name]
        return Decoded(values, [replace(fault, row=int(left[fault.row])) for fault in faults])

    def _scanned(self, texts: Array) -> tuple[Mapping[str, Codes], Mask]:
        """The codes of the texts that were read and render to the same bytes again, and which those are."""
        same = present(texts)
        codes, right = self._scan.read(kept(texts, same))
        same[same] = right
        codes = {name: column[right] for name, column in codes.items()}
        again = self.render(codes, int(right.sum()))
        right = equal(again, kept(texts, same)) & self._distinct(codes, len(again))
        same[same] = right
        return {name: column[right] for name, column in codes.items()}, same

    def _distinct(self, codes: Values, n: int) -> Mask:
        """Whether no object of a row has one key twice."""
        distinct = np.ones(n, dtype=np.bool_)
        for keys in self._keys:
            shown = render_together(keys, [codes] * len(keys), np.ones((n, len(keys)), dtype=np.bool_))
            known = np.sort(alike(shown).reshape(n, len(keys)), axis=1)
            distinct &= (known[:, 1:] != known[:, :-1]).all(axis=1)
        return distinct

    def _walked(self, texts: Sequence[str | None]) -> tuple[dict[str, Codes], list[DecodeFault]]:
        """The codes of some texts one by one, and the faults of those that are no payloads."""
        rows: list[list[Code]] = []
        faults: list[DecodeFault] = []
        blank: list[Code] = [0 if variable.domain.size else "" for variable in self._walk.variables]
        for number, text in enumerate(texts):
            try:
                if text is None:
                    raise Unreadable(0, "there is no payload")
                rows.append(self._walk.read(text))
                if self._keys:
                    json.loads(text, object_pairs_hook=_unrepeated)
            except Unreadable as fault:
                faults.append(DecodeFault(number, fault.offset, fault.message))
                rows[number:] = [blank]
        self._compare(texts, rows, faults, blank)
        columns = zip(self._walk.variables, transposed(rows, len(blank)), strict=True)
        values = {variable.name: _codes(variable, codes) for variable, codes in columns}
        return values, sorted(faults, key=lambda fault: fault.row)

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
    def _keys(self) -> tuple[tuple["_Key", ...], ...]:
        """The keys of each object that has leaves as keys, which may turn out equal."""
        return tuple(_keys_of(self.tree))

    @cached_property
    def _walk(self) -> Walk:
        return Walk(self.line)

    @cached_property
    def _scan(self) -> Scan:
        return Scan(self.line)


@dataclass(frozen=True)
class _Key:
    """A key of an object."""

    text: str | Leaf

    @property
    def line(self) -> Line:
        """Its line, quotation marks included."""
        return straight(self.text)


def _keys_of(tree: Tree) -> Iterator[tuple[_Key, ...]]:
    if isinstance(tree, Mapping):
        if any(isinstance(key, Leaf) for key in tree):
            yield tuple(map(_Key, tree))
        yield from (keys for value in tree.values() for keys in _keys_of(value))
    elif not isinstance(tree, Leaf | str | None):
        yield from (keys for value in tree for keys in _keys_of(value))


def _strings(texts: Sequence[str | None]) -> Array:
    """An array of the texts; null for one with a lone surrogate, which UTF-8 cannot write."""
    try:
        return strings(texts)
    except UnicodeEncodeError:
        return strings([None if text is None or Texts().code(text) is None else text for text in texts])


def _unrepeated(pairs: list[tuple[str, object]]) -> None:
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise Unreadable(0, f"an object has the key '{key}' twice")
        keys.add(key)


def _codes(variable: Variable, codes: Sequence[Code]) -> Codes:
    if variable.domain.size:
        return np.array(codes, dtype=np.int64)
    return np.array(codes, dtype=np.object_)
