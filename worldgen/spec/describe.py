"""Descriptions: what a world or a cohort is, as plain data that a person can read and JSON can hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod

from worldgen import catalog
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.variants import BY_NAME, refusal
from worldgen.spec.cohorts import cohort_of
from worldgen.spec.describe_candidates import CandidateDescription, candidate_description
from worldgen.spec.describe_domains import domain_text
from worldgen.spec.describe_factors import (
    FactorWorldDescription,
    TransferDescription,
    factor_description,
    transfer_description,
)
from worldgen.spec.families import AnyWorld
from worldgen.spec.reading import read_spec
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.parts import Drawn


@dataclass(frozen=True)
class CellDescription:
    """One cell: its attributes, its category, and how its count and likelihood are drawn."""

    attributes: Mapping[str, str]
    category: str
    count: str
    likelihood: str


@dataclass(frozen=True)
class EventDescription:
    """A named event: what it says, and the cells that it holds in."""

    means: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class WorldDescription:
    """A world of cells.

    `observed` maps an attribute to the chance that it is read off, `encodings` a name to its layouts.
    `variants` are those that the world can be asked in, `tables` counts the tables of counts and
    likelihoods that it can show, as text, and `spec_digest` is what a cohort of it states.
    """

    kind: str
    name: str
    title: str
    rule: str
    attributes: Mapping[str, tuple[str, ...]]
    categories: tuple[str, ...]
    cells: tuple[CellDescription, ...]
    events: Mapping[str, EventDescription]
    observed: Mapping[str, str]
    metadata: Mapping[str, str]
    encodings: Mapping[str, tuple[str, ...]]
    variants: tuple[str, ...]
    tables: str
    spec_digest: str


@dataclass(frozen=True)
class StratumDescription:
    """A stratum: the world and the encoding that its roots have."""

    name: str
    world: str
    encoding: str


@dataclass(frozen=True)
class CohortDescription:
    """A cohort; `roots` is its default number of roots."""

    kind: str
    name: str
    title: str
    strata: tuple[StratumDescription, ...]
    variants: tuple[str, ...]
    relations: tuple[str, ...]
    wire: str
    roots: int
    spec_digest: str


@dataclass(frozen=True)
class Shipped:
    """One spec that ships with the library."""

    name: str
    kind: str
    title: str


def shipped_specs() -> list[Shipped]:
    """Every spec that ships with the library, worlds first.

    >>> [spec.name for spec in shipped_specs()][-1]
    'recoding'
    """
    found = ((name, read_spec(name)) for name in catalog.specs())
    return [
        Shipped(name, "cohort" if isinstance(spec, Cohort) else spec.family, spec.title)
        for name, spec in found
    ]


Description = (
    WorldDescription | FactorWorldDescription | TransferDescription | CandidateDescription | CohortDescription
)


def describe(spec: AnyWorld | Cohort) -> Description:
    """What a world or a cohort is. A world of several views is described with all of them.

    >>> from worldgen.spec import read_spec
    >>> describe(read_spec("noisy-sensor")).cells[0].likelihood
    '0..1 by 1/10'
    """
    if isinstance(spec, Cohort):
        return _cohort(spec)
    if isinstance(spec, CellWorld):
        return _world(spec)
    seen = spec.through(spec.views[0])
    variants, digest = tuple(askable(seen)), spec_digest(cohort_data(cohort_of(seen)))
    if isinstance(seen, FactorWorld):
        return factor_description(seen, variants, digest)
    if isinstance(seen, CandidateWorld):
        return candidate_description(seen, variants, digest)
    return transfer_description(seen, variants, digest)


def _world(world: CellWorld) -> WorldDescription:
    cells = tuple(
        CellDescription(
            dict(zip(world.attributes, cell.values, strict=True)),
            cell.category,
            drawn_text(cell.count),
            drawn_text(cell.likelihood),
        )
        for cell in world.cells
    )
    sizes = [number.domain.size for cell in world.cells for number in (cell.count, cell.likelihood)]
    return WorldDescription(
        kind=world.family,
        name=world.name,
        title=world.title,
        rule=world.rule,
        attributes=dict(world.attributes),
        categories=world.categories,
        cells=cells,
        events={
            name: EventDescription(world.events[name].label, world.events[name].indices)
            for name in world.definitions
        },
        observed={seen.attribute: str(seen.chance) for seen in world.observations},
        metadata={variable.name: domain_text(variable.domain) for variable in world.metadata},
        encodings={
            name: tuple(layout.name for layout in encoding.layouts)
            for name, encoding in world.encodings.items()
        },
        variants=tuple(askable(world)),
        tables=str(prod(sizes)),
        spec_digest=spec_digest(cohort_data(cohort_of(world))),
    )


def _cohort(cohort: Cohort) -> CohortDescription:
    return CohortDescription(
        kind="cohort",
        name=cohort.name,
        title=cohort.title,
        strata=tuple(StratumDescription(s.name, s.world.name, s.encoding) for s in cohort.strata),
        variants=cohort.variants,
        relations=tuple(relation.name for relation in cohort.declared),
        wire=cohort.wire,
        roots=cohort.roots,
        spec_digest=spec_digest(cohort_data(cohort)),
    )


def askable(world: World, *more: str) -> list[str]:
    """The variants that a world can be asked in, in every encoding, on the default wire: the declared ones,
    and those of `more` that there are.

    >>> from worldgen.spec import read_spec
    >>> askable(read_spec("facts"), "at-3", "at-4")[-2:]
    ['trie-3', 'at-3']
    """
    names = [*BY_NAME, *(name for name in more if name in BY_NAME)]
    return [
        name
        for name, variant in ((name, BY_NAME[name]) for name in dict.fromkeys(names))
        if not any(refusal(variant, Cohort.wire, world, encoding) for encoding in world.encodings)
    ]


def drawn_text(drawn: Drawn) -> str:
    """How a number is drawn, as specs write it.

    >>> from fractions import Fraction
    >>> from worldgen.exact.domains import Numbers
    >>> drawn_text(Drawn(Numbers((Fraction(0), Fraction(1)), "integer"), (3, 1)))
    '{0: 3, 1: 1}'
    """
    if drawn.weights is None:
        return domain_text(drawn.domain)
    texts = (drawn.domain.text(code) for code in range(drawn.domain.size))
    return (
        "{" + ", ".join(f"{text}: {weight}" for text, weight in zip(texts, drawn.weights, strict=True)) + "}"
    )
