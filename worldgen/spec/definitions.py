"""Events in specs: a name, or a mapping of attributes, `category`, `not`, `all` and `any`.

Several keys in one mapping must all hold. Checks speak of a definition by its own structure; where the
text is shorter than that, `Fields.places` leads from one to the other.
"""

from worldgen.faults import Path
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, Scalar, Sequence_
from worldgen.worlds.definitions import All, AnyOf, Definition, Is, Not, Ref

_REMEDY = "name an event, or write {category: x}, {not: A}, {all: [A, B]} or {any: [A, B]}"


def definition(fields: Fields, node: Node, path: Path) -> Definition | None:
    """The definition at a node, known to checks by `path`; None if nothing of it could be read."""
    fields.places[path] = node
    if isinstance(node, Scalar) and not node.empty:
        return Ref(node.text)
    if not isinstance(node, Mapping_):
        fields.unlike(node, "an event", _REMEDY)
        return None
    if not node.pairs:
        fields.fault(node, "the definition is empty", _REMEDY)
        return None
    if len(node.pairs) == 1:
        return _part(fields, *node.pairs[0], path)
    parts: list[Definition] = []
    # In order of the keys: a tool that sorts them must not change what an event is called.
    for key, value in sorted(node.pairs, key=lambda pair: pair[0].text):
        part = _part(fields, key, value, (*path, "all", len(parts)))
        if part is not None:
            parts.append(part)
    return All(tuple(parts)) if parts else None


def _part(fields: Fields, key: Scalar, value: Node, path: Path) -> Definition | None:
    match key.text:
        case "not":
            inner = definition(fields, value, (*path, "not"))
            return None if inner is None else Not(inner)
        case "all" | "any" as word:
            items = fields.items(value, f"write {word}: [A, B]")
            if items is None:
                return None
            fields.places[(*path, word)] = value
            parts: list[Definition] = []
            for item in items:
                part = definition(fields, item, (*path, word, len(parts)))
                if part is not None:
                    parts.append(part)
            if items and not parts:
                return None
            return All(tuple(parts)) if word == "all" else AnyOf(tuple(parts))
        case name:
            return _membership(fields, name, value, (*path, name))


def _membership(fields: Fields, name: str, value: Node, path: Path) -> Definition | None:
    fields.places[path] = value
    if not isinstance(value, Sequence_):
        text = fields.text(value, "write one value, or a list of them")
        if text is None:
            return None
        fields.places[(*path, 0)] = value
        return Is(name, (text,))
    values: list[str] = []
    for item in value.items:
        text = fields.text(item)
        if text is not None:
            fields.places[(*path, len(values))] = item
            values.append(text)
    return Is(name, tuple(values)) if values or not value.items else None
