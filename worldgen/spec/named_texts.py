"""Named texts in specs: the classes of an outcome with what each says, and the terms of a rule."""

from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Node


def named_texts(fields: Fields, node: Node | None, remedy: str) -> dict[str, str | None] | None:
    """The texts by name, in order; None in the place of each that could not be read."""
    pairs = fields.pairs(node, remedy)
    return None if pairs is None else {name: fields.text(one) for name, (_, one) in pairs.items()}
