"""Arrays of numbers in specs: one number for every combination of levels of some factors.

Along each axis stands a list in the order of the levels, or a mapping by level; where no axis is left, a
number. So `[0.2, 0.8]` and `{no: 0.2, yes: 0.8}` say the same of a factor with the levels no and yes.
"""

from collections.abc import Sequence
from fractions import Fraction

from worldgen.names import nearest
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, Sequence_
from worldgen.spec.numbers import number

Axis = tuple[str, tuple[str, ...]]


def array(fields: Fields, node: Node | None, axes: Sequence[Axis]) -> tuple[Fraction, ...] | None:
    """The numbers at a node in C order, None with every fault noted. An axis is a factor and its levels."""
    if node is None:
        return None
    if not axes:
        read = number(fields, node)
        return None if read is None else (read[0],)
    (name, levels), *rest = axes
    nodes = _along(fields, node, name, levels)
    if nodes is None:
        return None
    parts = [array(fields, each, rest) for each in nodes]
    whole = [part for part in parts if part is not None]
    return sum(whole, ()) if len(whole) == len(parts) else None


def _along(fields: Fields, node: Node, name: str, levels: tuple[str, ...]) -> Sequence[Node] | None:
    """The node of each level."""
    if isinstance(node, Sequence_):
        if len(node.items) == len(levels):
            return node.items
        stand = "stands" if len(node.items) == 1 else "stand"
        message = f"here {stand} {len(node.items)} for the {len(levels)} levels of {name}"
        fields.fault(node, message, f"give one for each of {', '.join(levels)}")
        return None
    if not isinstance(node, Mapping_):
        remedy = f"give one for each level of {name}: {', '.join(levels)}"
        fields.unlike(node, "a list or a mapping", remedy)
        return None
    found = {key.text: value for key, value in node.pairs}
    for key, _ in node.pairs:
        if key.text not in levels:
            fields.fault(key, f"{name} has no level '{key.text}'", nearest(key.text, levels))
    missing = [level for level in levels if level not in found]
    if missing and all(key.text in levels for key, _ in node.pairs):
        fields.fault(node, f"the level '{missing[0]}' of {name} is missing", f"add '{missing[0]}:'")
    return None if missing or len(found) > len(levels) else [found[level] for level in levels]
