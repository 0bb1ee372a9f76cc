"""Tasks in specs: for each name, how what it takes is read."""

from collections.abc import Callable, Mapping

from worldgen.names import nearest
from worldgen.spec.fields import Fields
from worldgen.spec.lexicons import lexical
from worldgen.spec.nodes import Node
from worldgen.spec.numbers import whole
from worldgen.worlds.dialogues import Dialogues
from worldgen.worlds.facts import Facts
from worldgen.worlds.items import Task
from worldgen.worlds.lexical import Lexical
from worldgen.worlds.products import SPLITS, Products
from worldgen.worlds.symbols import OPERATIONS, Symbols

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


def _symbols(fields: Fields, node: Node) -> Symbols | None:
    found = fields.keys(node, ("scripts", "operations"), ("options",))
    if found is None:
        return None
    scripts = fields.pairs(found.get("scripts"), "write {0123456789: [], abcdefghij: []}")
    named = {
        script: fields.whole_texts(one, "name slots, or none for all")
        for script, (_, one) in (scripts or {}).items()
    }
    operations = fields.whole_texts(found.get("operations"), f"list some of {', '.join(OPERATIONS)}")
    if None in named.values():
        return None
    for name in operations or ():
        if name not in OPERATIONS:
            fields.fault(found["operations"], f"there is no operation '{name}'", nearest(name, OPERATIONS))
            return None
    options = fields.text(found["options"], "write all symbols in one") if "options" in found else ""
    if scripts is None or operations is None or options is None:
        return None
    if not scripts or not operations:
        fields.fault(node, "there is no script, or no operation", "name at least one of each")
        return None
    return Symbols(tuple((script, names or ()) for script, names in named.items()), operations, options)


def _facts(fields: Fields, node: Node) -> Facts | None:
    return None if fields.keys(node, ()) is None else Facts()


def _dialogues(fields: Fields, node: Node) -> Dialogues | None:
    found = fields.keys(node, ("turns",))
    items = fields.items((found or {}).get("turns"), "write [4, 6, 8]")
    turns = [whole(fields, item, 1) for item in items or ()]
    known = tuple(number for number in turns if number is not None)
    if items is not None and not items:
        fields.fault(node, "there is no number of turns", "write [4, 6, 8]")
    return Dialogues(known) if known and len(known) == len(turns) else None


TASKS: Mapping[str, Reader] = {
    Products.name: _products,
    Symbols.name: _symbols,
    Facts.name: _facts,
    Dialogues.name: _dialogues,
    Lexical.name: lexical,
}
