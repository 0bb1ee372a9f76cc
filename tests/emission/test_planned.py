"""The plan of an emission against what is written."""

from pathlib import Path

import pytest

from worldgen.cohort.manifests import table_files
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.planned import planned
from worldgen.exact.arrow import count_rows
from worldgen.spec import cohort_of, read_world

COHORT = cohort_of(read_world("noisy-sensor"))


@pytest.mark.parametrize("roots", [1, 257])
def test_the_plan_is_what_is_written(tmp_path: Path, roots: int) -> None:
    plan = planned(COHORT, roots)
    emit(COHORT, roots, 0, tmp_path)
    opened = open_cohort(tmp_path)
    assert {name: opened.table(name).num_rows for name in plan.rows} == plan.rows
    assert {file.name: count_rows(file) for file in table_files(tmp_path, "roots")} == plan.shards
    strata = opened.table("roots").column("stratum").to_pylist()
    assert {name: strata.count(name) for name in plan.strata} == plan.strata
