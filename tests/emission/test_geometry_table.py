"""The table of geometry: for the roots of worlds of candidates, on the evaluator's side."""

import shutil
from pathlib import Path

import pytest

from tests.emission.test_verify import forge
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import CohortError
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.planned import planned
from worldgen.emission.verify import verify
from worldgen.spec import Source, read_cohort

MIXED = """
kind: cohort
name: mixed
strata:
  - {world: noisy-sensor, encoding: joined-tables}
  - {world: arithmetic, encoding: sheet}
  - {world: arithmetic, encoding: sheet, view: candidates}
  - {world: facts, encoding: sheet, view: prefix}
variants: [canonical, rendering, opaque-keys]
relations: [rendering, opaque-keys]
"""


@pytest.fixture(scope="module")
def mixed() -> Cohort:
    return read_cohort(Source(MIXED))


@pytest.fixture(scope="module")
def folder(mixed: Cohort, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("mixed") / "cohort"
    emit(mixed, 300, 5, found)
    return found


def test_the_roots_of_candidates_have_a_row_and_the_others_none(mixed: Cohort, folder: Path) -> None:
    assert verify(folder).ok
    found = open_cohort(folder)
    worlds = {row["root_id"]: row["world"] for row in found.table("roots").to_pylist()}
    rows = [row["root_id"] for row in found.table("geometry").to_pylist()]
    assert rows == [root for root, world in worlds.items() if world != "noisy-sensor"]
    assert planned(mixed, 300).rows["geometry"] == len(rows) == 225
    assert not (folder / "public" / "geometry").exists()


def test_views_of_one_world_share_their_items(folder: Path) -> None:
    rows = open_cohort(folder).table("geometry").to_pylist()
    one, other = ([row["gold"] for row in rows if f"-{number}-" in row["root_id"]] for number in (1, 2))
    assert one == other and len(one) == 75


def test_the_two_presentations_of_a_choice_are_compared(folder: Path) -> None:
    rows = open_cohort(folder).table("relations").to_pylist()
    assert {row["relation"] for row in rows} == {"rendering", "opaque-keys"}
    assert all(row["eligible"] and not row["identity_control"] for row in rows)


def test_a_cohort_without_candidates_has_no_such_table(small_cohort: Path) -> None:
    with pytest.raises(CohortError, match="this cohort has no candidates"):
        open_cohort(small_cohort).table("geometry")


FORGERIES = {
    "counts": ("geometry", [8, 4, 2, 1], "draws"),
    "gold": ("geometry", "1234", "draws"),
    "q": ("targets", ["1/2", "1/2", *["0"] * 6], "payloads"),
    "event_map": ("targets", [[1], [0], *([place] for place in range(2, 8))], "payloads"),
}


@pytest.mark.parametrize("column", FORGERIES)
def test_a_forged_value_is_found(folder: Path, tmp_path: Path, column: str) -> None:
    table, value, check = FORGERIES[column]
    copied = tmp_path / "cohort"
    shutil.copytree(folder, copied)
    row = 0 if table == "geometry" else 3 * 75  # the first root of arithmetic, asked which candidate
    forge(copied, table, row, column, value)
    found = [one for one in verify(copied).findings if one.check == check]
    assert (row, column) in {(one.row, one.column) for one in found}
