"""Worlds of candidates in specs."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from worldgen.faults import SpecError
from worldgen.names import nearest
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, Node, read_tree
from worldgen.spec.numbers import whole
from worldgen.spec.sources import read_source
from worldgen.spec.tasks import TASKS
from worldgen.spec.templates import encodings
from worldgen.worlds.candidate_models import CandidateDraft, CandidateModel, candidate_faults
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.items import Slot, Task
from worldgen.worlds.layouts import layout_faults

KIND = "candidates"
_REQUIRED = ("kind", "name", "task", "geometry", "views", "encodings")
_OPTIONAL = ("title",)
_SLOTS = (
    "write {p000: [3, 1, 2]}: a length, then the positions at which candidates differ; or {file: slots.yaml}"
)
_COUNTS = "write {counts: [8, 2, 1, 1]}"

Widths = Sequence[int | None] | None
_T = TypeVar("_T")


def candidate_world(fields: Fields, node: Node) -> CandidateWorld | None:
    """The world at a node, or None with every fault noted."""
    before = len(fields.faults)
    found = fields.keys(node, _REQUIRED, _OPTIONAL)
    if found is None:
        return None
    geometry = fields.keys(found["geometry"], ("widths", "slots")) if "geometry" in found else None
    widths = fields.items((geometry or {}).get("widths"), "write [4, 2]")
    known = None if widths is None else [whole(fields, width, 2) for width in widths]
    draft = CandidateDraft(
        name=fields.text(found.get("name")),
        title=fields.text(found["title"]) if "title" in found else "",
        task=_task(fields, found.get("task")),
        widths=known,
        slots=_slots(fields, (geometry or {}).get("slots"), known),
        views=fields.texts(found.get("views"), "list some of problem, candidates, prefix, copy, miscopy"),
        encodings=encodings(fields, found.get("encodings"), KIND),
    )
    fields.check(node, candidate_faults(draft))
    # Faults of files beside the spec are not below the node.
    if len(fields.faults) > before or not fields.sound(node):
        return None
    world = CandidateWorld(_built(draft))
    if fields.prove:
        fields.check(node, layout_faults(world))
    return world


def _task(fields: Fields, node: Node | None) -> Task | None:
    """The task of one key, with what it takes."""
    pairs = fields.pairs(node, "write {product: {split: test}}")
    if node is None or pairs is None:
        return None
    if len(pairs) != 1:
        fields.fault(node, "a world has one task", f"name one of {', '.join(TASKS)}")
        return None
    ((name, (key, value)),) = pairs.items()
    if name not in TASKS:
        fields.fault(key, f"there is no task '{name}'", nearest(name, TASKS))
        return None
    return TASKS[name](fields, value)


def _slots(fields: Fields, node: Node | None, widths: Widths) -> list[Slot | None] | None:
    if isinstance(node, Mapping_) and node.pairs and node.pairs[0][0].text == "file":
        return _filed(fields, node, widths)
    pairs = fields.pairs(node, _SLOTS)
    return None if pairs is None else [_slot(fields, name, one, widths) for name, (_, one) in pairs.items()]


def _filed(fields: Fields, node: Mapping_, widths: Widths) -> list[Slot | None] | None:
    """The slots of a file beside the spec."""
    place = (fields.keys(node, ("file",)) or {}).get("file")
    text = fields.text(place, "name a file")
    if place is None or text is None:
        return None
    path = fields.beside(place, text, "write the slots here")
    if path is None:
        return None
    try:
        source = read_source(path)
    except SpecError as error:
        (fault,) = error.faults
        fields.fault(place, f"{text}: {fault.message}", fault.remedy)
        return None
    root, faults = read_tree(source.text, source.file)
    inner = Fields(source, faults)
    pairs = inner.pairs(root, _SLOTS) or {}
    found = [_slot(inner, name, one, widths) for name, (_, one) in pairs.items()]
    fields.faults.extend(inner.faults)
    return None if inner.faults else found


def _slot(fields: Fields, name: str, node: Node, widths: Widths) -> Slot | None:
    if isinstance(node, Mapping_):
        return _counted(fields, name, node, widths)
    items = fields.items(node, _SLOTS)
    if items is None:
        return None
    numbers = [whole(fields, item, 1) for item in items]
    known = [number for number in numbers if number is not None]
    if len(known) != len(numbers) or not known:
        if not numbers:
            fields.fault(node, "a slot needs a length", _SLOTS)
        return None
    return Slot(name, known[0], tuple(known[1:]))


def _counted(fields: Fields, name: str, node: Mapping_, widths: Widths) -> Slot | None:
    """The slot of the numbers of candidates that each beginning of the answer leaves, from K(0) to K(L)."""
    found = fields.keys(node, ("counts",))
    items = fields.items((found or {}).get("counts"), _COUNTS)
    numbers = [whole(fields, item, 1) for item in items or ()]
    counts = [number for number in numbers if number is not None]
    if items is None or len(counts) != len(items):
        return None
    falls = list(pairwise(counts))
    if len(counts) < 2 or counts[-1] != 1 or any(then > here or here % then for here, then in falls):
        said = "counts fall from the number of candidates to 1, each a multiple of the next"
        fields.fault(found["counts"] if found else node, said, _COUNTS)
        return None
    ratios = [here // then for here, then in falls if then < here]
    if widths is not None and None not in widths and ratios != list(widths):
        said = f"the counts fall by {_times(ratios)}, and the widths are {_times(widths)}"
        fields.fault(found["counts"] if found else node, said, "let them fall by the widths in order")
        return None
    return Slot(name, len(falls), tuple(k for k, (here, then) in enumerate(falls, 1) if then < here))


def _times(numbers: Sequence[int | None]) -> str:
    return " x ".join(map(str, numbers)) or "none"


def _sure(part: _T | None) -> _T:
    if part is None:
        raise AssertionError("a draft without faults has every part")
    return part


def _built(draft: CandidateDraft) -> CandidateModel:
    return CandidateModel(
        name=_sure(draft.name),
        task=_sure(draft.task),
        widths=tuple(map(_sure, _sure(draft.widths))),
        slots=tuple(map(_sure, _sure(draft.slots))),
        views=tuple(map(_sure, _sure(draft.views))),
        encodings={name: _sure(one) for name, one in _sure(draft.encodings).items()},
        title=_sure(draft.title),
    )
