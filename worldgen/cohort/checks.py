"""What a cohort must satisfy: every fault, each with its path in the spec. Checks run on drafts, see
`worldgen.worlds.checks`.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from worldgen.cohort.exclusion import is_digest
from worldgen.cohort.quotas import EVERYTHING, Admission
from worldgen.cohort.variants import BY_NAME, WIRES, refusal, unknown
from worldgen.faults import Fault, Path
from worldgen.names import NAME_REMEDY, is_name, nearest
from worldgen.relations.declared import RELATIONS
from worldgen.relations.written import Written
from worldgen.worlds.base import World

MOST_ROOTS = 10**9
MOST_POOLED = 10**6
RELATION_CLAIMS: Mapping[str, tuple[str, ...]] = {relation.name: relation.claims for relation in RELATIONS}


@dataclass(frozen=True)
class StratumDraft:
    """A stratum, or what could be read of it."""

    name: str | None
    world: World | None
    encoding: str | None


@dataclass(frozen=True)
class CohortDraft:
    """The parts of `Cohort`, each under the same name; None where one could not be read."""

    name: str | None
    strata: Sequence[StratumDraft | None] | None
    variants: Sequence[str | None] | None
    relations: Sequence[str | Written | None] | None
    wire: str | None
    model: str | None
    roots: int | None
    title: str | None
    admission: Admission = EVERYTHING
    pool: int | None = 0


def cohort_faults(
    cohort: CohortDraft,
    variants: Collection[str] = BY_NAME,
    relations: Mapping[str, Collection[str]] = RELATION_CLAIMS,
) -> Iterator[Fault]:
    """Everything that is wrong with a cohort, nothing if it can be built.

    `variants` are the known names; `relations` maps the known names to the variants they claim about.
    """
    if cohort.name is not None and not is_name(cohort.name):
        yield Fault(("name",), f"'{cohort.name}' is not a name", NAME_REMEDY)
    yield from _strata(cohort)
    yield from _choice("variant", cohort.variants, variants)
    written = [one for one in cohort.relations or () if isinstance(one, Written)]
    names = [one.name if isinstance(one, Written) else one for one in cohort.relations or ()]
    yield from _choice("relation", names, [*relations, *(one.name for one in written)])
    yield from _written(cohort, relations)
    if cohort.variants is not None and not cohort.variants:
        yield Fault(("variants",), "there is no variant", "list at least one, such as canonical")
    yield from _refusals(cohort)
    if cohort.variants and all(variant in variants for variant in cohort.variants):
        claims = dict(relations) | {one.name: one.relation.claims for one in written}
        known = {name: [one for one in claimed if one in variants] for name, claimed in claims.items()}
        yield from _claims(cohort.variants, names, known)
    yield from _admission(cohort)
    yield from _pool(cohort)
    if cohort.wire is not None and cohort.wire not in WIRES:
        yield Fault(("wire",), f"there is no wire '{cohort.wire}'", nearest(cohort.wire, WIRES))
    if cohort.model is not None and not cohort.model.strip():
        yield Fault(("model",), "the model has no name", "name the model, such as jev-latest")
    if cohort.roots is not None:
        yield from _number_of_roots(("roots",), cohort.roots)


def _number_of_roots(path: Path, roots: int) -> Iterator[Fault]:
    if not 1 <= roots <= MOST_ROOTS:
        yield Fault(path, f"there cannot be {roots} roots", f"write a number from 1 to {MOST_ROOTS:,}")


def _strata(cohort: CohortDraft) -> Iterator[Fault]:
    if cohort.strata is None:
        return
    if not cohort.strata:
        yield Fault(("strata",), "there is no stratum", "list at least one world with an encoding")
    names: dict[str, int] = {}
    worlds: dict[str, World] = {}
    for i, stratum in enumerate(cohort.strata):
        if stratum is None:
            continue
        path = ("strata", i)
        if stratum.name is not None:
            yield from _stratum_name(path, stratum.name, names.setdefault(stratum.name, i))
        if stratum.world is not None:
            first = worlds.setdefault(stratum.world.name, stratum.world)
            yield from _stratum_world(path, stratum.world, first, stratum.encoding)


def _stratum_name(path: tuple[str, int], name: str, first: int) -> Iterator[Fault]:
    if not is_name(name):
        yield Fault((*path, "name"), f"'{name}' is not a name", NAME_REMEDY)
    if first != path[1]:
        yield Fault(
            path, f"stratum {first} is named '{name}' too", "drop one of them, or give it another name"
        )


def _stratum_world(path: Path, world: World, first: World, encoding: str | None) -> Iterator[Fault]:
    if first.through(first.views[0]) != world.through(world.views[0]):
        yield Fault((*path, "world"), f"two different worlds are named '{world.name}'", "rename one of them")
    if encoding is not None and encoding not in world.encodings:
        message = f"the world {world.name} has no encoding '{encoding}'"
        yield Fault((*path, "encoding"), message, nearest(encoding, world.encodings))


def _choice(kind: str, names: Sequence[str | None] | None, known: Collection[str]) -> Iterator[Fault]:
    for i, name in enumerate(names or ()):
        if name is None:
            continue
        if name not in known:
            remedy = unknown(name) if known is BY_NAME else nearest(name, known)
            yield Fault((f"{kind}s", i), f"there is no {kind} '{name}'", remedy)
        if name in (names or ())[:i]:
            yield Fault((f"{kind}s", i), f"'{name}' stands twice", "keep one of them")


def _refusals(cohort: CohortDraft) -> Iterator[Fault]:
    """Every variant must be able to ask its question of every stratum; the first that cannot is named."""
    if cohort.wire not in WIRES:
        return
    for i, name in enumerate(cohort.variants or ()):
        if name is None or name not in BY_NAME:
            continue
        for stratum in cohort.strata or ():
            world, encoding = (stratum.world, stratum.encoding) if stratum else (None, None)
            if world is None or encoding is None or encoding not in world.encodings:
                continue
            if refused := refusal(BY_NAME[name], cohort.wire, world, encoding):
                message, remedy = refused
                yield Fault(("variants", i), f"'{name}' cannot be asked: {message}", remedy)
                break


def _claims(
    variants: Sequence[str | None], names: Sequence[str | None], claims: Mapping[str, Collection[str]]
) -> Iterator[Fault]:
    """Every relation must find the variants that it is about."""
    for i, relation in enumerate(names):
        missing = [name for name in claims.get(relation or "", ()) if name not in variants]
        if missing:
            message = f"'{relation}' needs the variant{'s' if len(missing) > 1 else ''} {', '.join(missing)}"
            yield Fault(("relations", i), message, "add to the variants, or drop the relation")


def _written(cohort: CohortDraft, known: Collection[str]) -> Iterator[Fault]:
    """A relation that is written out needs a name of its own, and speaks of events."""
    for i, one in enumerate(cohort.relations or ()):
        if not isinstance(one, Written):
            continue
        path: Path = ("relations", i)
        if one.name in known or not is_name(one.name):
            taken = (
                f"'{one.name}' is a relation already" if one.name in known else f"'{one.name}' is not a name"
            )
            yield Fault((*path, "name"), taken, "give it a name of its own, of letters, digits and '-'")
        for symbol, variant in one.claims:
            if variant not in BY_NAME:
                yield Fault((*path, "claims", symbol), f"there is no variant '{variant}'", unknown(variant))
            elif BY_NAME[variant].form != "event":
                message = f"'{variant}' does not ask about one event"
                events = [name for name, each in BY_NAME.items() if each.form == "event"]
                yield Fault((*path, "claims", symbol), message, f"such variants are {', '.join(events)}")


def _pool(cohort: CohortDraft) -> Iterator[Fault]:
    if cohort.pool is None:
        return
    if not 0 <= cohort.pool <= MOST_POOLED:
        message = f"there cannot be {cohort.pool} cases in a pool"
        yield Fault(("pool",), message, f"write a number from 0 to {MOST_POOLED:,}")
    if cohort.pool and cohort.admission.quota:
        yield Fault(("pool",), "a cohort has either a quota or a pool", "drop one of them")
    for i, name in enumerate(cohort.variants or ()):
        if name is None or name not in BY_NAME:
            continue
        shown = BY_NAME[name].demonstrations
        if shown > cohort.pool:
            message = f"'{name}' shows {shown} cases of a pool, and the pool has {cohort.pool}"
            yield Fault(("variants", i), message, f"write pool: {max(shown, 1000)} in a cohort")


def _admission(cohort: CohortDraft) -> Iterator[Fault]:
    wrong = sorted(digest for digest in cohort.admission.excluded if not is_digest(digest))
    if wrong:
        yield Fault(
            ("exclude",), f"'{wrong[0][:40]}' is no digest", "write 64 hexadecimal digits in lower case"
        )
    quota = cohort.admission.quota
    if quota is None:
        return
    if not quota.bins:
        yield Fault(("quota", "bins"), "there is no bin", "list {from: 1/2, below: 3/4, roots: 10}")
    for i, each in enumerate(quota.bins):
        if each.low >= each.high:
            message = f"the interval [{each.low}, {each.high}) holds nothing"
            yield Fault(("quota", "bins", i), message, "let from be less than below")
        yield from _number_of_roots(("quota", "bins", i, "roots"), each.roots)
    for stratum in cohort.strata or ():
        if (
            stratum is not None
            and stratum.world is not None
            and (said := quota.quantity.fault(stratum.world))
        ):
            yield Fault(("quota", "of"), said, "use q(EVENT) of events that every world of the cohort has")
            return
