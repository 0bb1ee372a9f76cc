"""A relation that a spec writes out is held against the truth while a cohort is emitted."""

from dataclasses import replace
from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.exact.expressions import Expression
from worldgen.relations.written import RelationError, Written
from worldgen.spec import cohort_of, read_world

COHORT = cohort_of(
    read_world("finite-population"), ["event", "complement", "query-b", "intersection", "conditional"]
)


def written(residual: str, **claims: str) -> Written:
    return Written("mine", tuple(claims.items()), Expression(residual))


def test_what_holds_of_the_truth_is_emitted(tmp_path: Path) -> None:
    mine = written("x * y - z", x="conditional", y="query-b", z="intersection")
    emit(replace(COHORT, relations=(mine,)), 60, 1, tmp_path)


@pytest.mark.parametrize("residual", ["x + y - 2", "x + y - 0.999999999999999999", "x - y"])
def test_what_does_not_hold_is_refused_with_a_root_that_shows_it(residual: str, tmp_path: Path) -> None:
    mine = written(residual, x="event", y="complement")
    with pytest.raises(RelationError, match="does not hold of the truth: at root 0 of stratum") as caught:
        emit(replace(COHORT, relations=(mine,)), 60, 1, tmp_path)
    assert "x = " in caught.value.message and "residual" in caught.value.remedy
    assert not list(tmp_path.rglob("*.parquet"))
