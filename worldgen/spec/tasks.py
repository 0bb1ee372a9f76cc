"""Tasks in specs: for each name, how what it takes is read."""

from collections.abc import Callable, Mapping

from worldgen.names import nearest
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Node
from worldgen.worlds.items import Task
from worldgen.worlds.products import SPLITS, Products

Reader = Callable[[Fields, Node], Task | None]


def _products(fields: Fields, node: Node) -> Products | None:
    found = fields.keys(node, ("split",))
    if found is None or "split" not in found:
        return None
    text = fields.text(found["split"], "write test, or development")
    for split in SPLITS:
        if text == split:
            return Products(split)
    if text is not None:
        fields.fault(found["split"], f"there is no split '{text}'", nearest(text, SPLITS))
    return None


TASKS: Mapping[str, Reader] = {Products.name: _products}
