"""Estimates against what is written: near it, from few roots, and without a file."""

from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.emission.estimates import about
from worldgen.exact.errors import DomainError
from worldgen.spec import read_spec
from worldgen.spec.cohorts import as_cohort


@pytest.mark.parametrize(
    ("name", "roots"), [("noisy-sensor", 30), ("contracts", 1000), ("covert-transfer", 2000)]
)
def test_bytes_are_near_what_is_written(name: str, roots: int, tmp_path: Path) -> None:
    cohort = as_cohort(read_spec(name))
    estimate = about(cohort, roots, 7)
    emit(cohort, roots, 7, tmp_path / "cohort")
    written = sum(file.stat().st_size for file in (tmp_path / "cohort").rglob("*.parquet"))
    assert 7 * written < 10 * estimate.bytes < 14 * written
    assert 0 < estimate.sampled <= roots and estimate.seconds > 0


def test_few_roots_tell_of_many() -> None:
    cohort = as_cohort(read_spec("noisy-sensor"))
    few, many = about(cohort, 8_192 * 16, 7), about(cohort, 8_192 * 16 * 10_000 // 16, 7)
    assert many.sampled < 100_000
    assert 500 < many.bytes / few.bytes < 800
    assert many.seconds > 100 * few.seconds


def test_a_cohort_that_cannot_be_is_refused_before_any_work() -> None:
    with pytest.raises(DomainError, match="reversal has 64 items"):
        about(as_cohort(read_spec("reversal")), 4000, 7)
