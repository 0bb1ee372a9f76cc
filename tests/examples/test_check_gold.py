"""The page that a stranger would write agrees with every cohort, and finds what is wrong in one."""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from worldgen.emission.emit import emit
from worldgen.spec import Source, cohort_of, read_cohort, read_world

PAGE = Path(__file__).parents[2] / "examples" / "check_gold.py"
EVERYTHING = (
    *("canonical", "event", "complement", "query-b", "intersection", "conditional"),
    *("binary-choice", "permutation", "rendering", "opaque-keys", "metadata", "exact-repeat"),
)

# Names and a rule that try the grammar of phrases and layouts; decimals; cells that share a category; a condition
# that often has probability zero.
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
metadata:
  is: [cell=1, "2:"]
  note: ["cell", "| cell | count |"]
encodings: [joined-tables, nested-records]
"""


def check(cohort: Path) -> tuple[int, list[str]]:
    """The exit code of the page and the lines that it prints, run on its own: not from this folder."""
    command = [sys.executable, "-W", "error", "-I", str(PAGE), str(cohort)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cohort.parent)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("wire", ["systemone", "chat"])
@pytest.mark.parametrize("world", ["noisy-sensor", Source(AWKWARD)], ids=["noisy-sensor", "awkward"])
def test_it_agrees_on_every_variant_of_both_encodings(world: Source | str, wire: str, tmp_path: Path) -> None:
    cohort = replace(cohort_of(read_world(world), EVERYTHING), wire=wire)
    emit(cohort, 40, 11, tmp_path / "cohort")
    eligible = pq.read_table(tmp_path / "cohort" / "public" / "requests")["eligible"].to_pylist()
    code, lines = check(tmp_path / "cohort")
    assert lines == [f"{sum(eligible)} checked, 0 wrong, {eligible.count(False)} not eligible"]
    assert code == 0
    assert len(eligible) == 480
    assert (world == "noisy-sensor") or eligible.count(False) > 0


def tampered(cohort: Path, target: Path, table: str, change: Callable[[list[dict[str, Any]]], None]) -> Path:
    """A copy of a cohort in which `change` has been made to the rows of a table."""
    for side in ("public/requests", "evaluator/targets"):
        found = pq.read_table(cohort / side)
        rows = found.to_pylist()
        if side == table:
            change(rows)
        (target / side).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=found.schema), target / side / "0.parquet")
    return target


def swap(rows: list[dict[str, Any]]) -> None:
    row = next(row for row in rows if row["q"][0] != row["q"][1])
    row["q"][:2] = row["q"][1::-1]


def unreduce(rows: list[dict[str, Any]]) -> None:
    rows[0]["q"] = [f"{2 * int(top)}/{2 * int(bottom)}" for top, bottom in (q.split("/") for q in rows[0]["q"] if "/" in q)]


def lose(rows: list[dict[str, Any]]) -> None:
    rows[0]["q"] = None


def recount(rows: list[dict[str, Any]]) -> None:
    rows[0]["payload"] = rows[0]["payload"].replace("\\n0,", "\\n0,1", 1)


def reword(rows: list[dict[str, Any]]) -> None:
    rows[1]["payload"] = rows[1]["payload"].replace("State the probability", "Guess", 1)
