"""Encodings in specs: shipped ones by name, or layouts of one's own, in files or inline."""

from collections.abc import Mapping

from worldgen.faults import SpecError
from worldgen.names import nearest
from worldgen.renderers.encodings import Encoding, Layout, shipped
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, Scalar, Sequence_
from worldgen.spec.sources import read_source

_REMEDY = "write [joined-tables], or {mine: {plain: {file: mine.j2}}}"


def encodings(
    fields: Fields, node: Node | None, family: str = "cells"
) -> Mapping[str, Encoding | None] | None:
    """The encodings by name; None in the place of each that could not be read. `family` is that of the world,
    whose shipped encodings may be named.
    """
    found: dict[str, Encoding | None] = {}
    for key, value in _entries(fields, node):
        name = key.text
        if name in found:
            fields.fault(key, f"the encoding '{name}' stands twice", "keep one of them")
            continue
        if node is not None:
            fields.places[(*node.place.path, name)] = value or key
        if value is None or (isinstance(value, Scalar) and value.empty):
            found[name] = shipped(family).get(name)
            if found[name] is None:
                fields.fault(key, f"there is no shipped encoding '{name}'", nearest(name, shipped(family)))
        else:
            found[name] = _encoding(fields, name, value)
    return found if isinstance(node, Mapping_ | Sequence_) else None


def _entries(fields: Fields, node: Node | None) -> list[tuple[Scalar, Node | None]]:
    if isinstance(node, Mapping_):
        return list(node.pairs)
    entries: list[tuple[Scalar, Node | None]] = []
    for item in fields.items(node, _REMEDY) or ():
        if isinstance(item, Scalar) and not item.empty:
            entries.append((item, None))
        elif isinstance(item, Mapping_) and len(item.pairs) == 1:
            entries.append(item.pairs[0])
        else:
            fields.unlike(item, "the name of an encoding, or one name with its layouts", _REMEDY)
    return entries


def _encoding(fields: Fields, name: str, node: Node) -> Encoding | None:
    pairs = fields.pairs(node, _REMEDY)
    if pairs is None:
        return None
    if isinstance(node, Sequence_) and len(pairs) != len(node.items):
        return None
    read = [(layout, _source(fields, value)) for layout, (_, value) in pairs.items()]
    layouts = tuple(Layout(layout, *source) for layout, source in read if source is not None)
    return Encoding(name, layouts) if len(layouts) == len(read) else None


def _source(fields: Fields, node: Node) -> tuple[str, str] | None:
    """The source of a layout, and where it stands."""
    found = fields.keys(node, (), ("file", "text"))
    if found is None:
        return None
    if len(found) == 1:
        return _text(fields, found["text"]) if "text" in found else _file(fields, found["file"])
    if not isinstance(node, Mapping_) or len(node.pairs) == len(found):
        fields.fault(node, "a layout has either a file or a text", "write {file: mine.j2} or {text: ...}")
    return None


def _text(fields: Fields, node: Node) -> tuple[str, str] | None:
    text = fields.text(node)
    return None if text is None else (text, f"{fields.source.file}:{node.place.line}")


def _file(fields: Fields, node: Node) -> tuple[str, str] | None:
    name = fields.text(node, "name a file")
    path = None if name is None else fields.beside(node, name, "write {text: ...}")
    if path is None:
        return None
    try:
        return read_source(path).text, str(path)
    except SpecError as error:
        (fault,) = error.faults
        fields.fault(node, f"{name}: {fault.message}", fault.remedy)
        return None
