"""Worlds of covert transfer in specs."""

from worldgen.spec.built import sure, whole_parts
from worldgen.spec.fields import Fields
from worldgen.spec.irrelevant import irrelevant
from worldgen.spec.named_texts import named_texts
from worldgen.spec.nodes import Node
from worldgen.spec.numbers import number, whole
from worldgen.spec.templates import encodings
from worldgen.worlds.layouts import layout_faults
from worldgen.worlds.transfer import TransferWorld
from worldgen.worlds.transfer_models import TagView, TransferDraft, TransferModel, transfer_faults

KIND = "transfer"
_REQUIRED = (
    "kind", "name", "alphabet", "identifier", "reports", "encoding", "classes", "views", "encodings"
)  # fmt: skip
_OPTIONAL = ("title", "irrelevant")


def transfer_world(fields: Fields, node: Node) -> TransferWorld | None:
    """The world at a node, or None with every fault noted."""
    found = fields.keys(node, _REQUIRED, _OPTIONAL)
    if found is None:
        return None
    identifier = fields.keys(found["identifier"], ("length", "group")) if "identifier" in found else None
    reports = fields.pairs(found.get("reports"), "write {progress: 5, error: 13}")
    views = fields.pairs(found.get("views"), "write {low: {shows: tag}}")
    chance = number(fields, found.get("encoding"))
    draft = TransferDraft(
        name=fields.text(found.get("name")),
        title=fields.text(found["title"]) if "title" in found else "",
        alphabet=fields.text(found.get("alphabet")),
        length=whole(fields, (identifier or {}).get("length"), 1),
        group=whole(fields, (identifier or {}).get("group"), 1),
        reports=None
        if reports is None
        else {name: whole(fields, one, 1) for name, (_, one) in reports.items()},
        encoding=None if chance is None else chance[0],
        classes=named_texts(fields, found.get("classes"), "write {no: it was not, yes: it was}"),
        views=None if views is None else {name: _view(fields, one) for name, (_, one) in views.items()},
        encodings=encodings(fields, found.get("encodings"), KIND),
        irrelevant=irrelevant(fields, found.get("irrelevant")),
    )
    fields.check(node, transfer_faults(draft))
    if not fields.sound(node):
        return None
    world = TransferWorld(_built(draft))
    if fields.prove:
        fields.check(node, layout_faults(world))
    return world


def _view(fields: Fields, node: Node) -> TagView | None:
    found = fields.keys(node, ("shows",), ("ranges",))
    if found is None:
        return None
    shows = fields.text(found.get("shows"), "write the name under which the range is shown")
    ranges = fields.whole_texts(found["ranges"], "write [a-d, e-h]") if "ranges" in found else ()
    return None if shows is None or ranges is None else TagView(shows, ranges)


def _built(draft: TransferDraft) -> TransferModel:
    return TransferModel(
        name=sure(draft.name),
        alphabet=sure(draft.alphabet),
        length=sure(draft.length),
        group=sure(draft.group),
        reports=whole_parts(draft.reports),
        encoding=sure(draft.encoding),
        classes=whole_parts(draft.classes),
        views=whole_parts(draft.views),
        encodings=whole_parts(draft.encodings),
        irrelevant=tuple(map(sure, draft.irrelevant.values())),
        title=sure(draft.title),
    )
