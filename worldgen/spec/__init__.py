"""Specs: worlds and cohorts as people write them, read with every fault, written, and digested."""

from worldgen.spec.cohorts import as_cohort, cohort_of
from worldgen.spec.reading import read_cohort, read_spec, read_world
from worldgen.spec.sources import Source

__all__ = ["Source", "as_cohort", "cohort_of", "read_cohort", "read_spec", "read_world"]
