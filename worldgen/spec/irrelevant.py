"""Irrelevant fields in specs: texts, each as likely or weighted, or numbers as in `spec/numbers.py`."""

from collections.abc import Mapping

from worldgen.exact.domains import Phrases
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.faults import SpecError
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, Scalar, Sequence_
from worldgen.spec.numbers import drawn, whole
from worldgen.spec.weights import read_weights
from worldgen.worlds.factor_parts import Field
from worldgen.worlds.parts import Drawn

_REMEDY = (
    "write {month: [May, June]}, {month: {texts: {May: 2, June: 1}}}, {pages: 1..40}, {pages: {1: 3, 2: 5}} "
    "or {pages: {file: weights.yaml}}"
)


def irrelevant(fields: Fields, node: Node | None) -> dict[str, Field | None]:
    """The fields at a node; None in the place of each that could not be read.

    A field may stand under its own name in a file of weights beside the spec; each file is read once.
    """
    files: dict[str, Mapping[str, Drawn] | None] = {}
    pairs = fields.pairs(node, _REMEDY) or {}
    return {name: _field(fields, name, one, files) for name, (_, one) in pairs.items()}


def _field(
    fields: Fields, name: str, node: Node, files: dict[str, Mapping[str, Drawn] | None]
) -> Field | None:
    if isinstance(node, Sequence_) and all(isinstance(item, Scalar) for item in node.items):
        texts = fields.whole_texts(node)
        try:
            return None if texts is None else Field(Variable(name, Phrases(texts)))
        except DomainError as error:
            fields.fault(node, error.message, error.remedy or "list distinct values")
            return None
    if isinstance(node, Mapping_) and list(node.pairs) and node.pairs[0][0].text == "texts":
        return _weighted(fields, name, (fields.keys(node, ("texts",)) or {}).get("texts"))
    if isinstance(node, Mapping_) and list(node.pairs) and node.pairs[0][0].text == "file":
        read = _filed(fields, name, node, files)
    elif isinstance(node, Mapping_) and list(node.pairs) and node.pairs[0][0].text == "numbers":
        read = drawn(fields, (fields.keys(node, ("numbers",)) or {}).get("numbers"))
    else:
        read = drawn(fields, node)
    return None if read is None else Field(Variable(name, read.domain), read.weights)


def _weighted(fields: Fields, name: str, node: Node | None) -> Field | None:
    pairs = fields.pairs(node, "write {texts: {May: 3, June: 1}}")
    if node is None or not pairs:
        return None
    weights = [whole(fields, value, 0) for _, value in pairs.values()]
    if any(weight is None for weight in weights):
        return None
    if not any(weights):
        fields.fault(node, "every weight is 0", "give one text a weight of at least 1")
        return None
    try:
        known = tuple(weight for weight in weights if weight is not None)
        return Field(Variable(name, Phrases(tuple(pairs))), known)
    except DomainError as error:
        fields.fault(node, error.message, error.remedy or "list distinct values")
        return None


def _filed(
    fields: Fields, name: str, node: Mapping_, files: dict[str, Mapping[str, Drawn] | None]
) -> Drawn | None:
    place = (fields.keys(node, ("file",)) or {}).get("file")
    text = fields.text(place, "name a file")
    if place is None or text is None:
        return None
    path = fields.beside(place, text, "write the weights here")
    if path is None:
        return None
    if text not in files:
        files[text] = None
        try:
            files[text] = read_weights(path)
        except SpecError as error:
            fields.faults.extend(error.faults)
    found = files[text]
    if found is not None and name not in found:
        fields.fault(place, f"{text} has no entry '{name}'", f"add '{name}:' there")
    return None if found is None else found.get(name)
