"""Worlds of cells in specs."""

from collections.abc import Mapping

from worldgen.exact.domains import Domain, Identifiers, Phrases
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.spec.built import sure, whole_parts
from worldgen.spec.definitions import definition
from worldgen.spec.fields import Fields
from worldgen.spec.flags import flag
from worldgen.spec.nodes import Mapping_, Node, Scalar, Sequence_
from worldgen.spec.numbers import drawn, length_range, number, numeric
from worldgen.spec.templates import encodings
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.checks import cell_faults
from worldgen.worlds.definitions import CATEGORY, Definition
from worldgen.worlds.drafts import CellDraft, ObservationDraft, WorldDraft
from worldgen.worlds.layouts import layout_faults
from worldgen.worlds.parts import Cell, Observation

KIND = "cells"
_REQUIRED = ("kind", "name", "rule", "attributes", "categories", "cells", "events", "encodings")
_OPTIONAL = ("title", "ordered", "observe", "metadata")

_Attributes = Mapping[str, tuple[str | None, ...] | None]


def cell_world(fields: Fields, node: Node) -> CellWorld | None:
    """The world at a node, or None with every fault noted: those of form, and those of meaning in all
    parts that could be read.
    """
    found = fields.keys(node, _REQUIRED, _OPTIONAL)
    if found is None:
        return None
    attributes = _attributes(fields, found.get("attributes"))
    draft = WorldDraft(
        name=fields.text(found.get("name")),
        title=fields.text(found["title"]) if "title" in found else "",
        rule=fields.text(found.get("rule")),
        attributes=attributes,
        categories=fields.texts(found.get("categories")),
        cells=_cells(fields, found.get("cells"), attributes),
        definitions=_events(fields, found.get("events")),
        encodings=encodings(fields, found.get("encodings")),
        observations=_observations(fields, found.get("observe")),
        metadata=_metadata(fields, found.get("metadata")),
        ordered=flag(fields, found["ordered"]) if "ordered" in found else False,
    )
    fields.check(node, cell_faults(draft))
    if not fields.sound(node):
        return None
    world = _built(draft)
    if fields.prove:
        fields.check(node, layout_faults(world))
    return world


def _attributes(fields: Fields, node: Node | None) -> _Attributes | None:
    pairs = fields.pairs(node, "write {b: [False, True]}")
    return None if pairs is None else {name: fields.texts(value) for name, (_, value) in pairs.items()}


def _cells(
    fields: Fields, node: Node | None, attributes: _Attributes | None
) -> list[CellDraft | None] | None:
    items = fields.items(node, "list the cells, each a mapping of attributes, category, count, likelihood")
    return None if items is None else [_cell(fields, item, attributes) for item in items]


def _cell(fields: Fields, node: Node, attributes: _Attributes | None) -> CellDraft | None:
    numbers = (CATEGORY, "count", "likelihood")
    names = tuple(attributes or ())
    unknown = tuple(key.text for key, _ in node.pairs) if isinstance(node, Mapping_) else ()
    found = fields.keys(node, (*names, *numbers), unknown if attributes is None else ())
    if found is None:
        return None
    return CellDraft(
        tuple(fields.text(found.get(name)) for name in names),
        fields.text(found.get(CATEGORY)),
        drawn(fields, found.get("count")),
        drawn(fields, found.get("likelihood")),
    )


def _events(fields: Fields, node: Node | None) -> dict[str, Definition | None] | None:
    pairs = fields.pairs(node, "write {A: {category: x}}")
    if pairs is None or node is None:
        return None
    path = node.place.path
    return {name: definition(fields, value, (*path, name)) for name, (_, value) in pairs.items()}


def _observations(fields: Fields, node: Node | None) -> tuple[ObservationDraft, ...]:
    pairs = fields.pairs(node, "write {b: 1/2}") or {}
    read = ((name, number(fields, value)) for name, (_, value) in pairs.items())
    return tuple(ObservationDraft(name, None if chance is None else chance[0]) for name, chance in read)


def _metadata(fields: Fields, node: Node | None) -> tuple[Variable, ...]:
    pairs = fields.pairs(node, "write {site: [north, south]}") or {}
    read = ((name, _domain(fields, value)) for name, (_, value) in pairs.items())
    return tuple(Variable(name, domain) for name, domain in read if domain is not None)


def _domain(fields: Fields, node: Node) -> Domain | None:
    """A list of phrases, an alphabet with a length, or numbers."""
    try:
        if isinstance(node, Sequence_):
            phrases = fields.whole_texts(node)
            return None if phrases is None else Phrases(phrases)
        if isinstance(node, Mapping_) and node.get("numbers") is not None:
            return numeric(fields, (fields.keys(node, ("numbers",)) or {}).get("numbers"))
        if isinstance(node, Mapping_):
            return _identifiers(fields, node)
        if isinstance(node, Scalar) and not node.empty:
            return numeric(fields, node)
    except DomainError as error:
        fields.fault(node, error.message, error.remedy or "list distinct values")
        return None
    remedy = "write [north, south], 1..40 or {alphabet: 0123456789, length: 8}"
    fields.unlike(node, "the values of a variable", remedy)
    return None


def _identifiers(fields: Fields, node: Mapping_) -> Identifiers | None:
    found = fields.keys(node, ("alphabet", "length")) or {}
    alphabet, length = fields.text(found.get("alphabet")), length_range(fields, found.get("length"))
    return None if alphabet is None or length is None else Identifiers(alphabet, *length)


def _built(draft: WorldDraft) -> CellWorld:
    return CellWorld(
        name=sure(draft.name),
        rule=sure(draft.rule),
        attributes={k: tuple(map(sure, sure(values))) for k, values in sure(draft.attributes).items()},
        categories=tuple(map(sure, sure(draft.categories))),
        cells=tuple(_built_cell(cell) for cell in sure(draft.cells)),
        definitions=whole_parts(draft.definitions),
        encodings=whole_parts(draft.encodings),
        observations=tuple(Observation(seen.attribute, sure(seen.chance)) for seen in draft.observations),
        metadata=tuple(draft.metadata),
        title=sure(draft.title),
        ordered=sure(draft.ordered),
    )


def _built_cell(draft: CellDraft | None) -> Cell:
    cell = sure(draft)
    values = tuple(sure(value) for value in cell.values)
    return Cell(values, sure(cell.category), sure(cell.count), sure(cell.likelihood))
