"""The cohorts that these tests read."""

from tests.cohorts import small_cohort

__all__ = ["small_cohort"]
