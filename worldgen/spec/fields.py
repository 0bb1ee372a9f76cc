"""A reader of fields that collects faults instead of stopping at the first.

Every method returns what it read, or None with the fault noted. A node that was refused before is
passed over in silence: its fault is noted already.
"""

import pathlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from worldgen.faults import Fault, Path, SpecError
from worldgen.names import nearest
from worldgen.spec.nodes import Mapping_, Node, Refused, Scalar, Sequence_
from worldgen.spec.sources import Source

_KINDS = {Scalar: "a text", Sequence_: "a list", Mapping_: "a mapping", Refused: "refused"}


@dataclass
class Fields:
    """The fields of one source, and the faults found so far.

    `places` maps paths by which checks speak of a part to the node that it was read from, where that is
    not the path of the node itself.
    """

    source: Source
    faults: list[Fault] = field(default_factory=list)
    places: dict[Path, Node] = field(default_factory=dict)
    prove: bool = False

    def fault(self, node: Node, message: str, remedy: str = "") -> None:
        """Note a fault at a node."""
        place = node.place
        self.faults.append(Fault(place.path, message, remedy, self.source.file, place.line, place.column))

    def beside(self, node: Node, name: str, remedy: str) -> pathlib.Path | None:
        """The path of a file that a node names, which starts from the folder of the spec; None, with the
        fault noted, where the spec is in no folder.
        """
        if self.source.folder is None:
            self.fault(node, "this spec is not in a file, so it has no files beside it", remedy)
            return None
        return self.source.folder / name

    def raise_all(self) -> None:
        """Raise SpecError with every fault so far, in the order of the files and their lines."""
        if self.faults:
            files = list(dict.fromkeys([self.source.file, *(fault.file for fault in self.faults)]))
            raise SpecError(sorted(self.faults, key=lambda f: (files.index(f.file), f.line, f.column)))

    def sound(self, node: Node) -> bool:
        """Whether no fault of this source lies at the node or below it."""
        root, file = node.place.path, self.source.file
        return not any(fault.file == file and fault.path[: len(root)] == root for fault in self.faults)

    def keys(
        self, node: Node, required: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Node] | None:
        """The fields of a mapping by key. Unknown and missing keys are noted; None if it is no mapping."""
        if not isinstance(node, Mapping_):
            self.unlike(node, "a mapping", f"give the keys {', '.join(required or optional)}")
            return None
        known = (*required, *optional)
        found = {key.text: value for key, value in node.pairs if key.text in known}
        missing = [name for name in required if name not in found]
        for key, _ in node.pairs:
            if key.text not in known:
                self.unknown(node, key, known)
                # A required key that is misspelt is one fault, not two.
                for name in get_close_matches(key.text, missing, n=1):
                    missing.remove(name)
        for name in missing:
            self.fault(node, f"the key '{name}' is missing", f"add '{name}:'")
        return found

    def unknown(self, node: Mapping_, key: Scalar, known: Iterable[str]) -> None:
        """Note an unknown key of a mapping, at the key."""
        path = (*node.place.path, key.text)
        message, remedy = f"unknown key '{key.text}'", nearest(key.text, known)
        place = key.place
        self.faults.append(Fault(path, message, remedy, self.source.file, place.line, place.column))

    def unlike(self, node: Node, wanted: str, remedy: str) -> None:
        """Note that a node is not of the wanted kind."""
        if isinstance(node, Refused):
            return
        found = "nothing" if isinstance(node, Scalar) and node.empty else _KINDS[type(node)]
        self.fault(node, f"this should be {wanted} and is {found}", remedy)

    def text(self, node: Node | None, remedy: str = "write a text") -> str | None:
        """A text. An empty one must be quoted."""
        if isinstance(node, Scalar) and not (node.empty and not node.text):
            return node.text
        if node is not None:
            self.unlike(node, "a text", remedy)
        return None

    def items(self, node: Node | None, remedy: str) -> Sequence[Node] | None:
        """The nodes of a list."""
        if isinstance(node, Sequence_):
            return node.items
        if node is not None:
            self.unlike(node, "a list", remedy)
        return None

    def texts(
        self, node: Node | None, remedy: str = "write [first, second]"
    ) -> tuple[str | None, ...] | None:
        """A list of texts; None in the place of each that could not be read."""
        items = self.items(node, remedy)
        return None if items is None else tuple(self.text(item) for item in items)

    def whole_texts(self, node: Node | None, remedy: str = "write [first, second]") -> tuple[str, ...] | None:
        """A list of texts, None if any of them could not be read."""
        texts = self.texts(node, remedy) or ()
        read = tuple(text for text in texts if text is not None)
        return read if isinstance(node, Sequence_) and len(read) == len(texts) else None

    def pairs(self, node: Node | None, remedy: str) -> Mapping[str, tuple[Scalar, Node]] | None:
        """Named nodes in order: a mapping, or a list of mappings with one key each.

        The list says outright that the order matters, and survives tools that sort keys.
        """
        if node is None:
            return None
        if isinstance(node, Mapping_):
            return {key.text: (key, value) for key, value in node.pairs}
        if not isinstance(node, Sequence_):
            self.unlike(node, "a mapping", remedy)
            return None
        found: dict[str, tuple[Scalar, Node]] = {}
        for item in node.items:
            if not isinstance(item, Mapping_) or len(item.pairs) != 1:
                if not isinstance(item, Refused):
                    self.fault(item, "an item of this list should be one key with its value", remedy)
                continue
            key, value = item.pairs[0]
            if key.text in found:
                self.fault(item, f"the key '{key.text}' stands twice", "keep one of them")
                continue
            found[key.text] = (key, value)
            self.places[(*node.place.path, key.text)] = value
        return found

    def check(self, root: Node, found: Iterable[Fault]) -> None:
        """Note faults whose paths start from `root`, each at the deepest node that its path leads to, unless
        it says for itself where it is.
        """
        for fault in found:
            if fault.file:
                self.faults.append(fault)
                continue
            node, rest = self._deepest(root, fault.path)
            if isinstance(node, Refused):
                continue
            place, path = node.place, (*node.place.path, *rest)
            file = self.source.file
            self.faults.append(Fault(path, fault.message, fault.remedy, file, place.line, place.column))

    def _deepest(self, root: Node, path: Path) -> tuple[Node, Path]:
        """The node that the longest possible part of a path leads to, and the rest of the path."""
        for length in range(len(path), 0, -1):
            known = self.places.get((*root.place.path, *path[:length]))
            node = known or _walk(root, path[:length])
            if node is not None:
                return node, path[length:]
        return root, path


def _walk(node: Node, path: Path) -> Node | None:
    for step in path:
        following: Node | None = None
        if isinstance(step, str) and isinstance(node, Mapping_):
            following = node.get(step)
        elif isinstance(step, int) and isinstance(node, Sequence_) and step < len(node.items):
            following = node.items[step]
        if following is None:
            return None
        node = following
    return node
