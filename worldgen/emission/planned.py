"""What an emission would write: arithmetic on the cohort, no draws and no files."""

from dataclasses import dataclass

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.schemas import TABLES
from worldgen.cohort.shards import shards
from worldgen.worlds.candidates import CandidateWorld


@dataclass(frozen=True)
class Planned:
    """The numbers of an emission: roots of every stratum, rows of every table, files of every table.

    `excluded` is the number of digests that no root may have.
    """

    cohort: str
    wire: str
    variants: tuple[str, ...]
    relations: tuple[str, ...]
    excluded: int
    roots: int
    strata: dict[str, int]
    rows: dict[str, int]
    shards: dict[str, int]
    """File name -> the number of its roots; every table has these files."""


def planned(cohort: Cohort, roots: int) -> Planned:
    """What `emit` writes for a cohort of `roots` roots, without writing it.

    >>> from worldgen.spec import read_cohort
    >>> planned(read_cohort("contracts"), 1_001).strata["noisy-sensor.joined-tables"]
    125
    """
    per_root = {
        "requests": len(cohort.variants),
        "targets": len(cohort.variants),
        "relations": len(cohort.relations),
    }
    pool = {"pool": cohort.pool * len(cohort.strata)} if cohort.pool else {}
    sizes = zip(cohort.strata, cohort.sizes(roots), strict=True)
    candidates = sum(size for stratum, size in sizes if stratum.world.family == CandidateWorld.family)
    geometry = {"geometry": candidates} if cohort.candidates else {}
    return Planned(
        cohort.name,
        cohort.wire,
        cohort.variants,
        tuple(relation.name for relation in cohort.declared),
        len(cohort.admission.excluded),
        roots,
        {stratum.name: size for stratum, size in zip(cohort.strata, cohort.sizes(roots), strict=True)},
        {table: roots * per_root.get(table, 1) for table in TABLES} | pool | geometry,
        {shard.file: shard.stop - shard.start for shard in shards(roots)},
    )
