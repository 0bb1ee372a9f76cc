"""True and false in specs."""

from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Node


def flag(fields: Fields, node: Node) -> bool | None:
    """True or false, as written."""
    text = fields.text(node, "write true or false")
    if text is not None and text not in {"true", "false"}:
        fields.fault(node, f"'{text}' is neither true nor false", "write true or false")
        return None
    return None if text is None else text == "true"
