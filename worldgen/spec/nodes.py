"""YAML text as a tree of our own nodes, each with its path, line and column.

The tree is built from the parser's events; nothing is constructed or resolved by the loader, so a
plain scalar is the text that stands there. JSON is YAML and is read by the same door.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.reader import ReaderError

from worldgen.faults import Fault, Path

DEEPEST = 64


@dataclass(frozen=True)
class Place:
    """Where something stands: its path, and line and column from 1."""

    path: Path
    line: int
    column: int


@dataclass(frozen=True)
class Scalar:
    """A text. `quoted` tells whether it stood in quotation marks or as a block."""

    place: Place
    text: str
    quoted: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing stands there, or YAML's word for it."""
        return not self.quoted and self.text in {"", "~", "null"}


@dataclass(frozen=True)
class Sequence_:  # noqa: N801  (the plain names belong to typing)
    """A list of nodes."""

    place: Place
    items: tuple["Node", ...]


@dataclass(frozen=True)
class Mapping_:  # noqa: N801  (as above)
    """Pairs of a key and a node, the keys distinct, in the order of the file."""

    place: Place
    pairs: tuple[tuple[Scalar, "Node"], ...]

    def get(self, key: str) -> "Node | None":
        """The node under a key."""
        return next((node for name, node in self.pairs if name.text == key), None)


@dataclass(frozen=True)
class Refused:
    """A node that could not be read; its fault is reported already."""

    place: Place


Node = Scalar | Sequence_ | Mapping_ | Refused


class _Stop(Exception):  # noqa: N818  (it ends a walk, it is no error)
    """Nothing more can be read."""


class _Builder:
    def __init__(self, text: str, file: str) -> None:
        self.text, self.file = text, file
        self.faults: list[Fault] = []
        self.events: Iterator[Any] = iter(YAML(typ="safe", pure=True).parse(text))

    def fault(self, place: Place, message: str, remedy: str) -> None:
        self.faults.append(Fault(place.path, message, remedy, self.file, place.line, place.column))

    def next(self) -> tuple[str, Any]:
        """The kind and the event. Raises _Stop, with the fault noted, where the text is not YAML."""
        try:
            event = next(self.events)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            self._not_yaml(line, column, str(error.problem or error.context))
        except ReaderError as error:
            line, column = line_and_column(self.text, error.position)
            self._not_yaml(line, column, f"the character U+{error.character:04X} may not stand there")
        except Exception:
            self._not_yaml(1, 1, "the parser cannot read an escape in it")
        return type(event).__name__.removesuffix("Event"), event

    def _not_yaml(self, line: int, column: int, problem: str) -> None:
        problem = problem.replace("\t", "\\t")
        remedy = "quote texts that hold ': ' or ' #', close every bracket and indent with spaces"
        if "\\t" in problem:
            remedy = "indent with spaces, not tabs"
        self.fault(Place((), line, column), f"this is not YAML: {problem}", remedy)
        raise _Stop

    def document(self) -> Node | None:
        self.next()
        kind, event = self.next()
        if kind == "StreamEnd":
            remedy = "start with 'kind: cells' or 'kind: cohort'"
            self.fault(Place((), 1, 1), "the file is empty", remedy)
            return None
        root = self.node(*self.next(), path=())
        self.next()
        kind, event = self.next()
        if kind != "StreamEnd":
            mark = event.start_mark
            place = Place((), mark.line + 1, mark.column + 1)
            self.fault(place, "a second document starts here", "keep one spec per file")
        return root

    def node(self, kind: str, event: Any, path: Path) -> Node:
        place = Place(path, event.start_mark.line + 1, event.start_mark.column + 1)
        if kind == "Alias":
            self.fault(place, f"the alias *{event.anchor} is refused", "write the value out where it is used")
            return Refused(place)
        if event.anchor is not None:
            self.fault(place, f"the anchor &{event.anchor} is refused", "remove it")
        if event.tag is not None:
            self.fault(
                place, f"the tag {_short(event.tag)} is refused", "remove it: every value is a plain text"
            )
        if kind == "Scalar":
            return self.scalar(place, event)
        if len(path) >= DEEPEST:
            self.fault(place, f"the nesting is deeper than {DEEPEST}", "flatten it")
            raise _Stop
        return self.sequence(place) if kind == "SequenceStart" else self.mapping(place)

    def scalar(self, place: Place, event: Any) -> Node:
        text = _joined(event.value)
        if text is None:
            remedy = "write both halves of the pair, or the character itself"
            self.fault(place, "the text holds half of a surrogate pair", remedy)
            return Refused(place)
        return Scalar(place, text, event.style is not None)

    def sequence(self, place: Place) -> Node:
        items: list[Node] = []
        while (following := self.next())[0] != "SequenceEnd":
            items.append(self.node(*following, path=(*place.path, len(items))))
        return Sequence_(place, tuple(items))

    def mapping(self, place: Place) -> Node:
        pairs: dict[str, tuple[Scalar, Node]] = {}
        unnamed = 0
        while (following := self.next())[0] != "MappingEnd":
            key = self.node(*following, path=place.path)
            if isinstance(key, Scalar):
                name = key.text
            else:
                unnamed += 1
                name = f"?{unnamed}"
                if not isinstance(key, Refused):
                    self.fault(key.place, "a key is not a plain text", "use one word as the key")
            value = self.node(*self.next(), path=(*place.path, name))
            if not isinstance(key, Scalar):
                continue
            where = Place(value.place.path, key.place.line, key.place.column)
            if isinstance(value, Scalar) and not value.text and not value.quoted:
                # The parser places nothing after whatever comes next; people look beside the key.
                value = replace(value, place=where)
            if name == "<<" and not key.quoted:
                self.fault(where, "the merge key '<<' is refused", "write the merged keys out")
            elif name in pairs:
                first = pairs[name][0].place.line
                self.fault(where, f"the key '{name}' stands twice, first on line {first}", "keep one of them")
            else:
                pairs[name] = (key, value)
        return Mapping_(place, tuple(pairs.values()))


def read_tree(text: str, file: str) -> tuple[Node | None, list[Fault]]:
    """The tree of a YAML text, and every fault of its form. The tree is None where there is none.

    Refused are anchors, aliases, explicit tags, merge keys, repeated keys, keys that are not texts, a
    second document, an empty file, deep nesting, and what is not YAML.

    >>> tree, faults = read_tree("a: [1, x]", "spec.yaml")
    >>> tree.get("a").items[1]
    Scalar(place=Place(path=('a', 1), line=1, column=8), text='x', quoted=False)
    """
    builder = _Builder(text, file)
    try:
        root = builder.document()
    except _Stop:
        root = None
    return root, builder.faults


def line_and_column(text: str, position: int) -> tuple[int, int]:
    r"""Line and column, from 1, of a position in a text.

    >>> line_and_column("ab\ncd", 4)
    (2, 2)
    """
    before = text[:position]
    return before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1


def _joined(text: str) -> str | None:
    r"""The text with JSON's surrogate pairs (\ud83d\ude00) joined; None if half of one is left over."""
    try:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")
    except UnicodeDecodeError:
        return None


def _short(tag: object) -> str:
    return str(tag).replace("tag:yaml.org,2002:", "!!")
