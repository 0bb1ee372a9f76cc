"""The page that a stranger would write agrees with every cohort, and finds what is wrong in one."""

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from worldgen.cohort.variants import VARIANTS, WIRES, refusal
from worldgen.emission.emit import emit
from worldgen.renderers.encodings import Encoding, Layout, shipped
from worldgen.spec import Source, cohort_of, read_world

PAGE = Path(__file__).parents[2] / "examples" / "check_gold.py"
# Names and a rule that try the grammar of phrases and layouts; decimals; cells that share a category; a
# condition that often has probability zero.
AWKWARD = """
kind: cells
name: awkward
rule: |-
  A rule with lines that look like others: a, b

  one: two
    three: four
  | a | table | of, five |
attributes: {is: [is, not, one], cell: [none, or, and-1]}
categories: [likelihood, cell, "0"]
cells:
  - {is: is, cell: none, category: cell, count: 0..9, likelihood: 0..1 by 0.25}
  - {is: not, cell: or, category: cell, count: 0..9, likelihood: 0..1 by 0.25}
  - {is: one, cell: or, category: likelihood, count: 0..1, likelihood: 0..1 by 1/2}
  - {is: one, cell: and-1, category: "0", count: 3, likelihood: 1/7}
  - {is: not, cell: and-1, category: "0", count: 0..1, likelihood: 0.125}
events:
  A: {any: [{is: [is, not], cell: or}, {not: {all: [{category: [cell, likelihood]}, {not: {is: one}}]}}]}
  B: {not: {any: [{cell: [or, and-1]}, {not: {category: cell}}]}}
observe: {is: 1/4}
metadata:
  is: [cell=1, "2:"]
  note: ["cell", "| cell | count |"]
encodings: [joined-tables, nested-records]
"""


Change = Callable[[list[dict[str, Any]]], None]
Check = Callable[[Path], tuple[int, list[str]]]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Check:
    """Run the page on a cohort: its exit code, and the lines that it prints."""

    def checked(cohort: Path) -> tuple[int, list[str]]:
        monkeypatch.setattr(sys, "argv", [str(PAGE), str(cohort)])
        with pytest.raises(SystemExit) as left:
            runpy.run_path(str(PAGE), run_name="__main__")
        assert isinstance(left.value.code, int)
        return left.value.code, capsys.readouterr().out.splitlines()

    return checked


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("spec", ["noisy-sensor", Source(AWKWARD)], ids=["noisy-sensor", "awkward"])
def test_it_agrees_on_every_variant_of_both_encodings(
    spec: Source | str, wire: str, tmp_path: Path, check: Check
) -> None:
    world = replace(read_world(spec), ordered=True)
    assert list(world.encodings) == list(shipped()), "an encoding that ships and is not checked here"
    askable = [v.name for v in VARIANTS if not any(refusal(v, wire, world, name) for name in world.encodings)]
    assert len(askable) >= 12
    emit(replace(cohort_of(world), wire=wire, variants=tuple(askable)), 40, 11, tmp_path / "cohort")
    eligible = pq.read_table(tmp_path / "cohort" / "public" / "requests")["eligible"].to_pylist()
    assert check(tmp_path / "cohort") == (
        0,
        [f"{sum(eligible)} checked, 0 wrong, {eligible.count(False)} not eligible"],
    )
    assert len(eligible) == 40 * len(askable)
    assert spec == "noisy-sensor" or not all(eligible)


def tampered(cohort: Path, target: Path, table: str, change: Change) -> Path:
    """A copy of a cohort in which `change` has been made to the rows of a table."""
    for side in ("public/requests", "evaluator/targets"):
        found = pq.read_table(cohort / side)
        rows = found.to_pylist()
        if side == table:
            change(rows)
        (target / side).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=found.schema), target / side / "0.parquet")
    shutil.copy(cohort / "public" / "manifest.json", target / "public")
    return target


def swap(rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows if row["q"][0] != row["q"][1])
    row["q"][:2] = row["q"][1::-1]


def unreduce(rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows if "/" in row["q"][0])
    top, bottom = row["q"][0].split("/")
    row["q"][0] = f"{2 * int(top)}/{2 * int(bottom)}"


def lose(rows: list[dict[str, Any]]) -> None:
    rows[0]["q"] = None


def recount(rows: list[dict[str, Any]]) -> None:
    rows[0]["payload"] = re.sub(r"(cell,likelihood\\n0),[^\\]*", r"\1,1/97", rows[0]["payload"])


def reword(rows: list[dict[str, Any]]) -> None:
    rows[1]["payload"] = rows[1]["payload"].replace("State the probability", "Guess", 1)


CASES: list[tuple[str, Change, str]] = [
    ("evaluator/targets", swap, "the payload gives"),
    ("evaluator/targets", unreduce, "the payload gives"),
    ("evaluator/targets", lose, "the targets None"),
    ("public/requests", recount, "the payload gives"),
    ("public/requests", reword, "the payload cannot be read"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1].__name__)
def test_it_finds_what_was_tampered_with(
    small_cohort: Path, tmp_path: Path, check: Check, case: tuple[str, Change, str]
) -> None:
    table, change, said = case
    code, [fault, summary] = check(tampered(small_cohort, tmp_path / "cohort", table, change))
    assert code == 1
    assert said in fault
    assert ", 1 wrong, " in summary


def test_a_cohort_of_nothing_eligible_is_not_fine(small_cohort: Path, tmp_path: Path, check: Check) -> None:
    cohort = tampered(small_cohort, tmp_path / "cohort", "public/requests", list.clear)
    assert check(cohort) == (1, ["0 checked, 0 wrong, 0 not eligible"])


def test_layouts_of_ones_own_are_left_alone_and_counted(tmp_path: Path, check: Check) -> None:
    source = "{% for cell in cells %}{{ cell.category }} {{ cell.count }} {{ cell.likelihood }};{% endfor %}"
    own = Encoding("mine", (Layout("plain", source),))
    world = read_world("noisy-sensor")
    for encodings, said in (
        ({**world.encodings, "mine": own}, "60 checked, 0 wrong, 0 not eligible, 30 in"),
        ({"mine": own}, "0 checked, 0 wrong, 0 not eligible, 90 in"),
    ):
        folder = tmp_path / str(len(encodings))
        emit(replace(world, encodings=encodings), 30, 11, folder)
        assert check(folder) == (int(said.startswith("0 checked")), [f"{said} layouts of your own left out"])


def test_on_its_own_it_runs_from_anywhere_and_says_how_it_is_used(small_cohort: Path, tmp_path: Path) -> None:
    alone = [sys.executable, "-W", "error", "-I", str(PAGE)]
    done = subprocess.run(
        [*alone, str(small_cohort)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"\d+ checked, 0 wrong, \d+ not eligible\n", done.stdout)
    done = subprocess.run(alone, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "usage: python examples/check_gold.py COHORT\n")


def test_a_cohort_that_cannot_be_read_is_told_in_a_line(small_cohort: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cohort"
    shutil.copytree(small_cohort, folder)
    shard = next((folder / "public" / "requests").glob("*.parquet"))
    shard.write_bytes(shard.read_bytes()[:-20])
    line = [sys.executable, "-I", str(PAGE), str(folder)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("the cohort cannot be read: ")
    assert done.stderr.count("\n") == 1 and shard.name in done.stderr


def test_it_is_one_page_and_imports_nothing_of_ours() -> None:
    source = PAGE.read_text()
    assert len(source.splitlines()) <= 110
    imported = {
        name.split(".")[0] for name in re.findall(r"^(?:import|from) (\S+)", source, flags=re.MULTILINE)
    }
    assert imported - set(sys.stdlib_module_names) == {"pyarrow"}
