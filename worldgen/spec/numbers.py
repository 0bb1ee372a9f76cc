"""Numbers in specs: constants, ranges, lists and weighted values, read as written.

| written                | meaning                                  |
| ---------------------- | ---------------------------------------- |
| `5`, `0.9`, `1/3`      | a constant                               |
| `1..99`                | 1, 2, ..., 99, each as likely            |
| `0..1 by 1/10`         | 0, 1/10, ..., 1, each as likely          |
| `[1, 2, 5]`            | one of the list, each as likely          |
| `{0: 3, 1: 1}`         | 0 with weight 3, 1 with weight 1         |

They are shown as they are written: as ratios if any of them is one, else as decimals if any is one,
else as integers.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from worldgen.exact.domains import Grid, Numbers, Numeric
from worldgen.exact.errors import DomainError, NumberError
from worldgen.exact.numbers import Notation, notation_of, read_number
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, Scalar, Sequence_
from worldgen.worlds.parts import Drawn

_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*(\S+?)(?:\s+by\s+(\S+))?\s*", re.ASCII)
REMEDY = "write 5, 1..99, 0..1 by 1/10, [1, 2] or {0: 3, 1: 1}"


def number(fields: Fields, node: Node | None) -> tuple[Fraction, Notation] | None:
    """One number and the notation that it is written in."""
    text = fields.text(node, "write a number, like 12, 0.25 or 1/3")
    if node is None or text is None:
        return None
    try:
        return read_number(text), notation_of(text)
    except NumberError as error:
        fields.fault(node, error.message, error.remedy)
        return None


def whole(fields: Fields, node: Node | None, least: int) -> int | None:
    """A whole number from `least` on."""
    read = number(fields, node)
    if node is None or read is None:
        return None
    if read[0].denominator != 1 or read[0] < least:
        fields.fault(node, f"{read[0]} is not a whole number from {least}", f"write {least} or more")
        return None
    return int(read[0])


def drawn(fields: Fields, node: Node | None) -> Drawn | None:
    """How a number is drawn: a constant, a range, a list or weighted values."""
    if isinstance(node, Mapping_) or (isinstance(node, Sequence_) and _is_weighted(node)):
        return _weighted(fields, node)
    domain = numeric(fields, node)
    return None if domain is None else Drawn(domain)


def length_range(fields: Fields, node: Node | None) -> tuple[int, int] | None:
    """A length, or the shortest and the longest one: `8` or `2..8`."""
    read = numeric(fields, node)
    if node is None or read is None:
        return None
    low, high = read.extremes
    if read.denominator != 1 or low < 1 or read.size != high - low + 1:
        fields.fault(node, "this is not a length", "write 8, or 2..8")
        return None
    return int(low), int(high)


def numeric(fields: Fields, node: Node | None) -> Numeric | None:
    """The values of a constant, a range or a list."""
    if isinstance(node, Sequence_):
        read = [number(fields, item) for item in node.items]
        return _table(fields, node, read)
    if isinstance(node, Scalar) and not node.empty:
        if ".." in node.text:
            return _grid(fields, node)
        return _table(fields, node, [number(fields, node)])
    if node is not None:
        fields.unlike(node, "a number or how to draw one", REMEDY)
    return None


def _is_weighted(node: Sequence_) -> bool:
    return bool(node.items) and all(isinstance(item, Mapping_) for item in node.items)


def _weighted(fields: Fields, node: Node) -> Drawn | None:
    pairs = fields.pairs(node, REMEDY)
    if pairs is None:
        return None
    values = [number(fields, key) for key, _ in pairs.values()]
    weights = [whole(fields, value, 0) for _, value in pairs.values()]
    if isinstance(node, Sequence_) and len(pairs) != len(node.items):
        return None
    domain = _table(fields, node, values)
    if domain is None or any(weight is None for weight in weights):
        return None
    return Drawn(domain, tuple(weight for weight in weights if weight is not None))


def _table(fields: Fields, node: Node, read: Sequence[tuple[Fraction, Notation] | None]) -> Numbers | None:
    known = [one for one in read if one is not None]
    if len(known) != len(read):
        return None
    if not known:
        fields.fault(node, "the list of numbers is empty", "list at least one")
        return None
    try:
        return Numbers(
            tuple(value for value, _ in known), shared_notation([notation for _, notation in known])
        )
    except DomainError as error:
        fields.fault(node, error.message, error.remedy or "write each number once")
        return None


def _grid(fields: Fields, node: Scalar) -> Grid | None:
    match = _RANGE.fullmatch(node.text)
    if match is None:
        remedy = "write LOW..HIGH or LOW..HIGH by STEP, like 1..99 or 0..1 by 1/10"
        fields.fault(node, f"'{_short(node.text)}' is not a range", remedy)
        return None
    low, high, step = match.groups(default="1")
    try:
        notation = shared_notation([notation_of(text) for text in (low, high, step)])
        return Grid.between(read_number(low), read_number(high), read_number(step), notation)
    except (NumberError, DomainError) as error:
        fields.fault(node, error.message, error.remedy)
        return None


def shared_notation(notations: Sequence[Notation]) -> Notation:
    """How numbers are shown that were written in these notations."""
    order: tuple[Notation, ...] = ("rational", "decimal", "integer")
    return next(notation for notation in order if notation in notations)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
