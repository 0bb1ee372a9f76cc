"""Cohorts: which worlds, in which encodings, asked in which variants, related by what, on which wire."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property

from worldgen.cohort.checks import CohortDraft, StratumDraft, cohort_faults
from worldgen.cohort.quotas import EVERYTHING, Admission
from worldgen.cohort.variants import BY_NAME, unknown
from worldgen.faults import Fault, SpecError
from worldgen.names import nearest
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.relations.written import Written
from worldgen.worlds.base import Streams, World
from worldgen.worlds.candidates import CandidateWorld


@dataclass(frozen=True)
class Stratum:
    """Roots of one world, seen through one view, in one encoding. The name is unique in its cohort.

    The name keys the draws. A world of several views is drawn from once for all strata of it, so that each
    shows more or less of the very same cases: there its own name keys them.
    """

    name: str
    world: World
    encoding: str

    def streams(self, seed: int) -> Streams:
        """The streams that the roots are drawn from."""
        keyed = self.name if len(self.world.views) == 1 else self.world.name
        return Streams(seed, self.world.name, keyed)


@dataclass(frozen=True)
class Cohort:
    """A cohort before it has a seed: strata share the roots equally, the first ones taking the rest.

    `variants` are names, `relations` names or relations written out, both in order of emission;
    `admission` says which draws may stand. The first `pool` indices of every stratum are cases to learn from,
    and the roots that are asked about follow them. Raises SpecError with all that is wrong.
    """

    name: str
    strata: tuple[Stratum, ...]
    variants: tuple[str, ...]
    relations: tuple[str | Written, ...]
    wire: str = "systemone"
    model: str = "jev-latest"
    roots: int = 1000
    title: str = ""
    admission: Admission = EVERYTHING
    pool: int = 0

    def __post_init__(self) -> None:
        draft = CohortDraft(
            self.name,
            tuple(StratumDraft(one.name, one.world, one.encoding) for one in self.strata),
            self.variants,
            self.relations,
            self.wire,
            self.model,
            self.roots,
            self.title,
            self.admission,
            self.pool,
        )
        if found := list(cohort_faults(draft)):
            raise SpecError(found)

    @cached_property
    def declared(self) -> tuple[Relation, ...]:
        """The relations, as scoring takes them."""
        known = {relation.name: relation for relation in RELATIONS}
        return tuple(known[one] if isinstance(one, str) else one.relation for one in self.relations)

    @property
    def candidates(self) -> bool:
        """Whether some world is one of candidates, so that there is a table of geometry."""
        return any(stratum.world.family == CandidateWorld.family for stratum in self.strata)

    @property
    def worlds(self) -> Mapping[str, World]:
        """The worlds of the strata, by name."""
        return {stratum.world.name: stratum.world for stratum in self.strata}

    def sizes(self, roots: int) -> list[int]:
        """The number of roots of each stratum: equal shares, the first strata taking the rest.

        The share of a stratum only grows with `roots`, so a larger cohort holds every root of a smaller one.
        """
        share, rest = divmod(roots, len(self.strata))
        return [share + (number < rest) for number in range(len(self.strata))]

    def only(
        self,
        *,
        strata: Collection[str] | None = None,
        variants: Collection[str] | None = None,
        wire: str | None = None,
        excluded: Collection[str] = (),
    ) -> "Cohort":
        """A part of this cohort, asked on another wire, or without roots that another cohort has.

        `strata` are names or shell patterns, `variants` names, one or several; what is kept keeps its
        order, and relations of which a claim is gone are gone too. `excluded` are semantic digests, added
        to those that are excluded already. By default the part has the roots that the kept strata have
        here: draws are keyed by the name of a stratum, so they are the very same roots, unless some are
        excluded. Raises SpecError for a name or pattern that nothing has, and for variants that the wire
        cannot carry.

        >>> from worldgen.spec import read_cohort
        >>> part = read_cohort("contracts").only(strata=["noisy-sensor.*"], variants=["canonical", "event"])
        >>> part.roots, part.variants, part.relations
        (250, ('canonical', 'event'), ('coarsening',))
        """
        strata = [strata] if isinstance(strata, str) else strata
        variants = [variants] if isinstance(variants, str) else variants
        names = [stratum.name for stratum in self.strata]
        patterns, wanted = (
            names if strata is None else strata,
            self.variants if variants is None else variants,
        )
        if found := [*_unmatched(self.name, patterns, names), *_unknown(self.name, wanted, self.variants)]:
            raise SpecError(found)
        keep = [any(fnmatchcase(name, pattern) for pattern in patterns) for name in names]
        roots = sum(size for size, kept in zip(self.sizes(self.roots), keep, strict=True) if kept)
        return replace(
            self,
            strata=tuple(stratum for stratum, kept in zip(self.strata, keep, strict=True) if kept),
            variants=tuple(name for name in self.variants if name in wanted),
            relations=tuple(
                one
                for one, declared in zip(self.relations, self.declared, strict=True)
                if set(declared.claims) <= set(wanted)
            ),
            wire=self.wire if wire is None else wire,
            # A stratum that has no share of so few roots gets the one that a cohort needs.
            roots=max(roots, 1),
            admission=replace(self.admission, excluded=self.admission.excluded | frozenset(excluded)),
        )


def _unmatched(cohort: str, patterns: Collection[str], names: Collection[str]) -> Iterator[Fault]:
    for i, pattern in enumerate(patterns):
        if not any(fnmatchcase(name, pattern) for name in names):
            message = f"{cohort} has no stratum '{pattern}'"
            yield Fault(("strata", i), message, nearest(pattern, names))


def _unknown(cohort: str, wanted: Collection[str], variants: Collection[str]) -> Iterator[Fault]:
    for i, name in enumerate(wanted):
        if name not in variants:
            remedy = nearest(name, variants) if name in BY_NAME or "+" not in name else unknown(name)
            yield Fault(("variants", i), f"{cohort} has no variant '{name}'", remedy)
