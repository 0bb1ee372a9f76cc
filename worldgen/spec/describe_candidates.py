"""Descriptions of worlds of candidates: what each view leaves open, and what the items are like."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from worldgen.cohort.grammar import spellings
from worldgen.worlds.candidate_models import VIEWS
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.items import NamedTask


@dataclass(frozen=True)
class CandidateDescription:
    """A world of candidates.

    `task` says what is to be done, `items` counts the items that a seed gives, `widths` says among how many
    characters candidates differ at each such position, `candidates` is how many there are, `lengths` maps a
    length to the number of its slots, and `views` says what each view shows. `parts` are what may stand
    behind the names of variants, N for a number: of those that ask for a character, and for a whole answer.
    """

    kind: str
    name: str
    title: str
    task: str
    alphabet: str
    items: int
    widths: tuple[int, ...]
    candidates: int
    lengths: Mapping[int, int]
    views: Mapping[str, str]
    encodings: Mapping[str, tuple[str, ...]]
    variants: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    spec_digest: str


def candidate_description(
    world: CandidateWorld, variants: tuple[str, ...], digest: str
) -> CandidateDescription:
    """What a world of candidates is; `digest` is that of its spec, `variants` what it can be asked in."""
    model, named = world.model, isinstance(world.model.task, NamedTask)
    return CandidateDescription(
        kind=world.family,
        name=model.name,
        title=model.title,
        task=model.task.says,
        alphabet=model.task.alphabet,
        items=model.size,
        widths=model.widths,
        candidates=model.count,
        lengths=dict(Counter(slot.length for slot in model.slots)),
        views={view: VIEWS[view] for view in model.views},
        encodings={
            name: tuple(layout.name for layout in encoding.layouts)
            for name, encoding in model.encodings.items()
        },
        variants=variants,
        parts={
            "character": tuple(part for part in spellings(single=True) if part != "named" or named),
            "whole": tuple(spellings(single=False)),
        },
        spec_digest=digest,
    )
