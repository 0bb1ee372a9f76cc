"""Relations in specs: the name of a declared one, or one written out."""

from worldgen.exact.expressions import Expression, ExpressionError
from worldgen.relations.declared import TOLERANCE
from worldgen.relations.written import RelationError, Written
from worldgen.spec.fields import Fields
from worldgen.spec.flags import flag
from worldgen.spec.nodes import Mapping_, Node
from worldgen.spec.numbers import number

_REMEDY = "name a relation, or write {name: ..., claims: {x: event, y: complement}, residual: x + y - 1}"


def relations(fields: Fields, node: Node | None) -> tuple[str | Written | None, ...] | None:
    """The relations of a cohort; None in the place of each that could not be read."""
    items = fields.items(node, "write [complement, coarsening]")
    return None if items is None else tuple(_relation(fields, item) for item in items)


def _relation(fields: Fields, node: Node) -> str | Written | None:
    if not isinstance(node, Mapping_):
        return fields.text(node, _REMEDY)
    found = fields.keys(node, ("name", "claims", "residual"), ("tolerance", "primary"))
    if found is None:
        return None
    name, text = fields.text(found.get("name")), fields.text(found.get("residual"))
    tolerance = number(fields, found["tolerance"]) if "tolerance" in found else (TOLERANCE, "decimal")
    pairs = fields.pairs(found.get("claims"), "write {x: event, y: complement}")
    claims = [(symbol, fields.text(value)) for symbol, (_, value) in (pairs or {}).items()]
    primary = flag(fields, found["primary"]) if "primary" in found else False
    if name is None or text is None or pairs is None or tolerance is None or primary is None:
        return None
    read = tuple((symbol, variant) for symbol, variant in claims if variant is not None)
    if len(read) != len(claims):
        return None
    try:
        return Written(name, read, Expression(text), tolerance[0], primary)
    except ExpressionError as error:
        fields.fault(found["residual"], error.message, error.remedy)
    except RelationError as error:
        fields.fault(node, error.message, error.remedy)
    return None
