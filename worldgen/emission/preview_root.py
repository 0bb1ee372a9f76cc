"""One root as a person wants to see it: its cells, its requests with their answers, its relations."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction

from worldgen.cohort.cohorts import Cohort
from worldgen.emission.batches import Batcher
from worldgen.emission.preview import Preview, Row, batcher_at, requests_shown, root_at
from worldgen.emission.preview import to_json as request_json
from worldgen.exact.numbers import read_number
from worldgen.relations.declared import Relation
from worldgen.spec.cohorts import as_cohort
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld


@dataclass(frozen=True)
class CellPreview:
    """One cell of the table of a root; of a world that shows no table, one class of the outcome or one
    candidate.

    Count and likelihood are texts as they are shown, empty where there is no table, `events` the named events
    that hold in the cell, `posterior` its exact probability given all that is shown.
    """

    attributes: Mapping[str, str]
    category: str
    count: str
    likelihood: str
    events: tuple[str, ...]
    posterior: Fraction


@dataclass(frozen=True)
class RelationPreview:
    """One relation of a root: the variants compared, the demand, its residual as a formula, the tolerance
    as the cohort states it, and whether it counts, can be judged on this root, and compares equal bytes.
    """

    relation: str
    claims: tuple[str, ...]
    condition: str
    formula: str
    tolerance: str
    primary: bool
    eligible: bool
    reason: str | None
    identity_control: bool


@dataclass(frozen=True)
class RootPreview:
    """One root of a cohort with all that the evaluator knows of it.

    `demand` says what the cohort asks of a root at this index, `attempts` counts the draws until one had it,
    `outcome` is the position of the cell that came true, `events` says what the named events mean. `hidden`
    and `metadata` hold what was drawn and is never shown, or shown in some requests and of no consequence;
    `visible` what every request shows, where that is no table of cells.
    """

    root_id: str
    world: str
    stratum: str
    wire: str
    semantic_digest: str
    demand: str
    attempts: int
    rule: str
    events: Mapping[str, str]
    hidden: Mapping[str, str]
    metadata: Mapping[str, str]
    visible: Mapping[str, str]
    cells: tuple[CellPreview, ...]
    outcome: int
    requests: tuple[Preview, ...]
    relations: tuple[RelationPreview, ...]


def preview_root(spec: World | Cohort, seed: int, *, index: int = 0, stratum: str = "") -> RootPreview:
    """The root at `index` of a stratum, the first of the cohort unless it is named.

    Identifiers, payloads and answers are those of an emission from this spec and seed. Raises PreviewError
    for a stratum that the cohort does not have.

    >>> from worldgen.spec import read_spec
    >>> root = preview_root(read_spec("contracts"), seed=7)
    >>> sum(cell.posterior for cell in root.cells), len(root.requests), len(root.relations)
    (Fraction(1, 1), 12, 10)
    """
    batcher = batcher_at(as_cohort(spec), seed, index, stratum)
    world = batcher.stratum.world
    roots = root_at(batcher, index)
    tables = batcher.tables(roots)
    (root,), (truth,) = tables["roots"].to_pylist(), tables["truth"].to_pylist()
    visible = dict(zip((v.name for v in world.view.variables), root["visible"], strict=True))
    return RootPreview(
        root_id=root["root_id"],
        world=world.name,
        stratum=batcher.stratum.name,
        wire=batcher.cohort.wire,
        semantic_digest=root["semantic_digest"],
        demand=batcher.cohort.admission.demand(index),
        attempts=int(roots.attempts[0]),
        rule=_rule(world),
        events={name: event.label for name, event in world.events.items() if _named(world, name)},
        hidden=dict(zip((v.name for v in world.hidden), truth["hidden"], strict=True)),
        metadata={variable.name: visible[variable.name] for variable in world.view.nuisance},
        visible={} if isinstance(world, CellWorld) else visible,
        cells=_cells(world, visible, truth),
        outcome=truth["outcome"],
        requests=requests_shown(batcher, tables),
        relations=_relations(batcher, tables["relations"].to_pylist()),
    )


def _rule(world: World) -> str:
    """By what rule the outcome comes about, in the words of the spec."""
    if isinstance(world, CellWorld):
        return world.rule
    if isinstance(world, CandidateWorld):
        return world.model.task.says
    return world.model.rule if isinstance(world, FactorWorld) else ""


def _named(world: World, name: str) -> bool:
    """Whether an event is one that the spec names, not one that follows from those."""
    return name in world.definitions if isinstance(world, CellWorld) else name == "A"


def _cells(world: World, visible: Mapping[str, str], truth: Row) -> tuple[CellPreview, ...]:
    if isinstance(world, CandidateWorld):
        masses = map(read_number, truth["posterior"])
        words = [visible[name] for name in world.atoms.names]
        pairs = zip(words, masses, strict=True)
        return tuple(CellPreview({}, word, "", "", (), mass) for word, mass in pairs)
    if not isinstance(world, CellWorld):
        return tuple(
            CellPreview({}, name, "", "", ("A",) if i in world.events["A"].indices else (), read_number(mass))
            for i, (name, mass) in enumerate(zip(world.atoms.names, truth["posterior"], strict=True))
        )
    return tuple(
        CellPreview(
            dict(zip(world.attributes, cell.values, strict=True)),
            cell.category,
            visible[f"count_{i}"],
            visible[f"likelihood_{i}"],
            tuple(name for name in world.definitions if i in world.events[name].indices),
            read_number(mass),
        )
        for i, (cell, mass) in enumerate(zip(world.cells, truth["posterior"], strict=True))
    )


def _relations(batcher: Batcher, rows: Sequence[Row]) -> tuple[RelationPreview, ...]:
    def shown(relation: Relation, row: Row) -> RelationPreview:
        return RelationPreview(
            relation.name,
            relation.claims,
            relation.condition,
            relation.formula,
            row["tolerance"],
            row["primary"],
            row["eligible"],
            row["reason"],
            row["identity_control"],
        )

    return tuple(map(shown, batcher.cohort.declared, rows))


def to_json(root: RootPreview) -> dict[str, object]:
    """The root as plain JSON values: each probability as its exact text and the nearest double."""
    plain = asdict(root)
    for cell in plain["cells"]:
        cell["posterior_float"] = float(cell["posterior"])
        cell["posterior"] = str(cell["posterior"])
    plain["requests"] = [request_json(request) for request in root.requests]
    return plain
