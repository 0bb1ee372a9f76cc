"""Specs: worlds and cohorts as people write them, read with every fault, written, and digested."""

from worldgen.spec.cohorts import as_cohort, cohort_of
from worldgen.spec.reading import (
    read_candidates,
    read_cohort,
    read_factors,
    read_spec,
    read_transfer,
    read_world,
)
from worldgen.spec.sources import Source
from worldgen.spec.write import cohort_data, spec_digest, world_data, write_spec, write_spec_folder

__all__ = [
    "Source",
    "as_cohort",
    "cohort_data",
    "cohort_of",
    "read_candidates",
    "read_cohort",
    "read_factors",
    "read_spec",
    "read_transfer",
    "read_world",
    "spec_digest",
    "world_data",
    "write_spec",
    "write_spec_folder",
]
