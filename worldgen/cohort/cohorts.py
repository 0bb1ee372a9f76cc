"""Cohorts: which worlds, in which encodings, asked in which variants, related by what, on which wire."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from worldgen.cohort.checks import CohortDraft, StratumDraft, cohort_faults
from worldgen.cohort.quotas import EVERYTHING, Admission
from worldgen.faults import SpecError
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.relations.written import Written
from worldgen.worlds.base import World


@dataclass(frozen=True)
class Stratum:
    """Roots of one world in one encoding. The name is unique in its cohort and keys the draws."""

    name: str
    world: World
    encoding: str


@dataclass(frozen=True)
class Cohort:
    """A cohort before it has a seed: strata share the roots equally, the first ones taking the rest.

    `variants` are names, `relations` names or relations written out, both in order of emission;
    `admission` says which draws may stand. Raises SpecError with all that is wrong.
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
        )
        if found := list(cohort_faults(draft)):
            raise SpecError(found)

    @cached_property
    def declared(self) -> tuple[Relation, ...]:
        """The relations, as scoring takes them."""
        known = {relation.name: relation for relation in RELATIONS}
        return tuple(known[one] if isinstance(one, str) else one.relation for one in self.relations)

    @property
    def worlds(self) -> Mapping[str, World]:
        """The worlds of the strata, by name."""
        return {stratum.world.name: stratum.world for stratum in self.strata}
