"""Reading whole columns of payloads from left to right, all rows at once.

The walk of the proof again, with arrays for offsets: a table is read by a decision tree over bytes, an open
slot ends at the next byte that starts the literal after it. What comes out is a guess, good for every text
of the language and arbitrary for others; rendering it again and comparing bytes says which is which.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array
from worldgen.exact.domains import Codes
from worldgen.exact.pools import text_bytes, texts_of
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Column, Line, Literal, Slot, following, longest, size_of
from worldgen.renderers.opened import read

Bytes = NDArray[np.uint8]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]

_NEAR = 64  # up to so many bytes, every row looks for itself; else all marks are found first


@dataclass
class Scanned:
    """The state of a scan: where each row stands, the codes so far, and which rows may still be right."""

    data: Bytes
    at: Index
    ends: Index
    right: Mask
    codes: dict[str, Codes] = field(default_factory=dict)
    widths: dict[str, Index] = field(default_factory=dict)  # bytes of the texts of open slots


class Scan:
    """The readers of a line that is proved, in order.

    >>> from worldgen.exact.arrow import strings
    >>> from worldgen.exact.domains import Phrases
    >>> from worldgen.renderers.lines import Leaf, straight
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> scan = Scan(straight(Leaf((Literal("a "), Column((coin,), ("head", "tail"))))))
    >>> codes, right = scan.read(strings(['"a tail"', '"a head"', '"a t"']))
    >>> codes["coin"][:2].tolist(), right.tolist()
    ([1, 0], [True, True, False])
    """

    def __init__(self, line: Line) -> None:
        first = line.items[0] if line.items else Literal("")
        self._opening = len(first.text.encode()) if isinstance(first, Literal) else 0
        self._readers: list[_Tree | _Until | _Again] = []
        known: dict[str, Variable] = {}
        for position, item in enumerate(line.items):
            if isinstance(item, Literal):
                continue
            after = following(line.items, position)
            if isinstance(item, Column):
                self._readers.append(
                    _tree(item, after, tuple(v.name for v in item.variables if v.name in known))
                )
            elif item.variable.name in known:
                self._readers.append(_Again(item.variable.name, len(after.encode())))
            else:
                self._readers.append(_Until(item, after))
            known |= {variable.name: variable for variable in item.variables}

    def read(self, texts: Array) -> tuple[Mapping[str, Codes], Mask]:
        """A guess at the codes of each text, none of them null, and the rows where it was possible."""
        data, offsets = text_bytes(texts)
        rows = len(texts)
        scanned = Scanned(data, offsets[:-1] + self._opening, offsets[1:], np.ones(rows, dtype=np.bool_))
        for reader in self._readers:
            reader.read(scanned)
        return scanned.codes, scanned.right & (scanned.at == scanned.ends)


@lru_cache(maxsize=1024)
def _tree(column: Column, after: str, known: tuple[str, ...]) -> "_Tree":
    """A tree, grown once for all plans that read the same column."""
    return _Tree(column, after, known)


class _Tree:
    """A column. A node looks at one byte, at its own distance, and goes where that byte says.

    Let T be the texts, each with the literal after it, that are left at a node, and p the length of their
    longest common prefix. No text of T is a prefix of another, so all are longer than p, and at p they do
    not all have one byte: looking there parts them, and the tree ends. A byte that no text has leads to
    some leaf: what is rendered again will differ.
    """

    def __init__(self, column: Column, after: str, known: Sequence[str]) -> None:
        self._known = [(v.name, size_of(v)) for v in column.variables if v.name in known]
        fresh = [variable for variable in column.variables if variable.name not in known]
        self._probes: list[int] = []
        self._goes: list[dict[int, int]] = []
        roots: list[int] = []
        widths: list[int] = []
        depths: list[int] = []
        codes: list[tuple[int, ...]] = []
        ending = after.encode()
        for _, entries in sorted(column.given(tuple(known)).items()):
            texts = [text.encode() for _, text in entries]
            start = len(widths)
            widths += [len(text) + len(ending) for text in texts]
            codes += [code for code, _ in entries]
            node, depth = self._grow([(text + ending, start + i) for i, text in enumerate(texts)])
            roots.append(node)
            depths.append(depth)
        self._depth = max(depths)
        # A leaf is ~entry, below zero, so that no leaf is a node.
        self._roots = np.array(roots, dtype=np.int64)
        # Bytes that the tree asks for have a class of their own each, all others share class 0.
        asked = sorted({byte for goes in self._goes for byte in goes})
        self._class = np.zeros(256, dtype=np.int64)
        self._class[asked] = np.arange(1, len(asked) + 1)
        self._classes = len(asked) + 1
        self._next = np.full(len(self._goes) * self._classes, -1, dtype=np.int64)  # ~0: any leaf will do
        for node, goes in enumerate(self._goes):
            for byte, target in goes.items():
                self._next[node * self._classes + self._class[byte]] = target
        self._probe = np.array(self._probes, dtype=np.int64)
        self._widths = np.array(widths, dtype=np.int64)
        self._fresh = {
            variable.name: np.array([code[i] for code in codes], dtype=np.int64)
            for i, variable in enumerate(fresh)
        }

    def _grow(self, texts: list[tuple[bytes, int]]) -> tuple[int, int]:
        """Add the tree of some texts; its root and how many bytes it looks at, at most.

        Texts that share long openings make deep trees, so those to part lie on a stack of our own.
        """
        above: dict[int, int] = {}
        deepest, waiting = 0, [(texts, above, 0, 0)]
        while waiting:
            left, parent, byte, depth = waiting.pop()
            deepest = max(deepest, depth)
            if len(left) == 1:
                parent[byte] = ~left[0][1]
                continue
            low, high = min(left)[0], max(left)[0]
            probe = next(i for i, (one, other) in enumerate(zip(low, high, strict=False)) if one != other)
            parts: dict[int, list[tuple[bytes, int]]] = {}
            for text, entry in left:
                parts.setdefault(text[probe], []).append((text, entry))
            parent[byte] = len(self._probes)
            goes: dict[int, int] = {}
            self._probes.append(probe)
            self._goes.append(goes)
            waiting += [(part, goes, mark, depth + 1) for mark, part in parts.items()]
        return above[0], deepest

    def read(self, scanned: Scanned) -> None:
        """Set the codes of the fresh variables, and go behind the literal."""
        if self._known:
            joint = np.zeros(len(scanned.at), dtype=np.int64)
            for name, size in self._known:
                joint = joint * size + np.asarray(scanned.codes[name], dtype=np.int64)
            node = self._roots[joint]
        else:
            node = np.full(len(scanned.at), self._roots[0])
        for step in range(self._depth):
            if step == 0 and (node >= 0).all():
                node = self._step(scanned, scanned.at, node)
            else:
                rows = np.flatnonzero(node >= 0)
                node[rows] = self._step(scanned, scanned.at[rows], node[rows])
        entry = ~node
        for name, codes in self._fresh.items():
            scanned.codes[name] = codes[entry]
        scanned.at = scanned.at + self._widths[entry]

    def _step(self, scanned: Scanned, at: Index, node: Index) -> Index:
        data = scanned.data if len(scanned.data) else np.zeros(1, dtype=np.uint8)
        byte = data.take(at + self._probe[node], mode="clip")
        found: Index = self._next[node * self._classes + self._class[byte]]
        return found


class _Until:
    """A slot of a fresh variable: it ends where the literal after it begins, or nowhere in its row."""

    def __init__(self, slot: Slot, after: str) -> None:
        self._variable = slot.variable
        self._mark, self._after = after.encode()[0], len(after.encode())
        bound = longest(slot)
        self._window = bound + 1 if bound is not None and bound < _NEAR else None

    def read(self, scanned: Scanned) -> None:
        """Set the codes of the variable, and go behind the literal."""
        data, starts = scanned.data, scanned.at
        ends = self._ends(data, starts)
        right = scanned.right & (starts <= ends) & (ends < scanned.ends)
        if len(data):
            # The mark is no part of a character, and the text starts with one: what lies between is UTF-8.
            right &= (data.take(starts, mode="clip") & 0xC0) != 0x80
            right &= self._mark < 0x80
        widths = np.where(right, ends - starts, 0)
        codes, known = read(self._variable, texts_of(data, np.where(right, starts, 0), widths))
        scanned.codes[self._variable.name] = codes
        scanned.widths[self._variable.name] = widths
        scanned.right = right & known
        scanned.at = starts + widths + self._after

    def _ends(self, data: Bytes, starts: Index) -> Index:
        """Where the mark stands next, -1 or beyond the row for nowhere near."""
        if self._window is None or not len(data):
            marks = np.append(np.flatnonzero(data == self._mark), len(data))
            return marks[np.minimum(np.searchsorted(marks, starts), len(marks) - 1)]
        near = data.take(starts[:, None] + np.arange(self._window), mode="clip") == self._mark
        return np.where(near.any(axis=1), starts + near.argmax(axis=1), -1)


class _Again:
    """A slot of a known variable, as long as it was before; if a table showed it, nothing is known."""

    def __init__(self, name: str, after: int) -> None:
        self._name, self._after = name, after

    def read(self, scanned: Scanned) -> None:
        """Go behind the literal."""
        widths = scanned.widths.get(self._name)
        if widths is None:
            scanned.right = np.zeros_like(scanned.right)
        else:
            scanned.at = scanned.at + widths + self._after
