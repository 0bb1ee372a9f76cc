"""Verify finds whatever is changed, and says where."""

import hashlib
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.digested import content_digest
from worldgen.cohort.manifests import CohortError, pretty, table_files
from worldgen.cohort.schemas import SCHEMAS, TABLES
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import Finding, verify
from worldgen.exact import arrow
from worldgen.exact.places import Place, sha256_of


@pytest.fixture
def cohort(small_cohort: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "cohort"
    shutil.copytree(small_cohort, folder)
    return folder


def forge(folder: Path, table: str, row: int, column: str, value: object) -> None:
    """Change one value and cover it up: footer, hashes and both manifests say that all is well."""
    file = table_files(folder, table)[0]
    rows = arrow.read_table([file], SCHEMAS[table]).to_pylist()
    rows[row][column] = value
    rewrite(file, table, rows, {})
    cover_up(folder, {})


def rewrite(file: Place, table: str, rows: list[dict[str, Any]], footer: dict[str, str]) -> None:
    """Write a shard anew, its content digest right, some of its footer changed."""
    forged = pa.Table.from_pylist(rows, schema=SCHEMAS[table])
    footer = arrow.read_footer(file) | {"worldgen.content": content_digest(forged)} | footer
    writer = pq.ParquetWriter(file, SCHEMAS[table], use_compliant_nested_type=False)
    writer.write_table(forged)
    writer.add_key_value_metadata(footer)
    writer.close()


def cover_up(folder: Path, change: dict[str, object]) -> None:
    """Let both manifests hash what is there, and the evaluator's say something else."""
    for side in ("public", "evaluator"):
        path = folder / side / "manifest.json"
        manifest = json.loads(path.read_text())
        for name in manifest["files"]:
            manifest["files"][name]["sha256"] = sha256_of(folder / side / name)
        if side == "evaluator":
            manifest |= change | {"public_manifest": sha256_of(folder / "public" / "manifest.json")}
        path.write_bytes(pretty(manifest))


def findings(folder: Path, check: str) -> list[Finding]:
    return [finding for finding in verify(folder).findings if finding.check == check]


def files_at_fault(folder: Path) -> set[str]:
    """The files with a finding; a manifest that is no JSON is no cohort, and the error names it."""
    try:
        return {finding.file for finding in verify(folder).findings}
    except CohortError as error:
        return {
            f"{side}/manifest.json" for side in ("public", "evaluator") if f"{side}/manifest" in str(error)
        }


def test_a_cohort_as_emitted_has_no_finding(small_cohort: Path) -> None:
    done = verify(small_cohort)
    assert done.findings == []
    assert done.rows == {"roots": 40, "requests": 120, "truth": 40, "targets": 120, "relations": 80}
    assert done.derivable == {"payload": 120, "payload and spec": 0, "not": 0}


def test_one_flipped_byte_in_any_file_is_found(cohort: Path) -> None:
    chance = random.Random(3)
    for path in sorted(path for path in cohort.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        place = chance.randrange(len(whole))
        path.write_bytes(
            whole[:place] + bytes([whole[place] ^ 1 << chance.randrange(8)]) + whole[place + 1 :]
        )
        name = path.relative_to(cohort).as_posix()
        assert name in files_at_fault(cohort), place
        path.write_bytes(whole)
    assert verify(cohort).ok


FORGERIES: list[tuple[str, int, str, Callable[[Any], object]]] = [
    ("targets", 4, "q", lambda q: q[::-1]),
    ("targets", 4, "q", lambda q: ["1/2"] * len(q)),
    ("targets", 4, "q_float", lambda q: [value + 1e-16 if value < 0.5 else value - 1e-16 for value in q]),
    ("targets", 5, "event_map", lambda events: events[::-1]),
    ("targets", 7, "given", lambda given: given[1:]),
    ("targets", 3, "outcome", lambda outcome: (outcome + 1) % 2),
    ("targets", 3, "ineligible_reason", lambda _: "no reason"),
    ("requests", 6, "payload", lambda text: text.replace("type_0", "type_1", 1)),
    ("requests", 6, "payload", lambda text: text + " "),
    ("requests", 6, "payload", lambda _: None),
    ("requests", 6, "answer_ids", lambda names: names[::-1]),
    ("requests", 6, "options", lambda names: names[::-1]),
    ("requests", 8, "eligible", lambda flag: not flag),
    ("requests", 8, "variant", lambda _: "event"),
    ("roots", 9, "visible", lambda texts: ["98", *texts[1:]]),
    ("roots", 9, "semantic_digest", lambda digest: hashlib.sha256(digest.encode()).hexdigest()),
    ("roots", 39, "semantic_digest", lambda _: "none"),
    ("truth", 2, "posterior", lambda masses: masses[::-1]),
    ("truth", 2, "outcome", lambda atom: (atom + 1) % 4),
    ("relations", 3, "request_ids", lambda names: names[::-1]),
    ("relations", 3, "tolerance", lambda _: "0.5"),
    ("relations", 3, "eligible", lambda flag: not flag),
]


@pytest.mark.parametrize(("table", "row", "column", "change"), FORGERIES)
def test_a_forged_value_is_found_at_its_row_and_column(
    table: str, row: int, column: str, change: Callable[[Any], object], cohort: Path
) -> None:
    value = open_cohort(cohort).table(table).to_pylist()[row][column]
    forge(cohort, table, row, column, change(value))
    places = {
        (finding.file.split("/")[1], finding.row, finding.column) for finding in findings(cohort, "draws")
    }
    assert places == {(table, row, column)}


def test_a_forged_q_is_found_from_the_payload_alone(cohort: Path) -> None:
    q = open_cohort(cohort).table("targets").to_pylist()[4]["q"]
    forge(cohort, "targets", 4, "q", q[::-1])
    found = findings(cohort, "payloads")
    assert {(finding.row, finding.column) for finding in found} == {(4, "q")}
    assert any("the payload says" in finding.message for finding in found)
    assert any("the slow path says" in finding.message for finding in found)


def test_a_file_that_is_missing_and_one_too_many_are_found(cohort: Path) -> None:
    (cohort / "public" / "README.md").unlink()
    (cohort / "public" / "requests" / "extra.parquet").write_bytes(b"")
    (cohort / "answers.jsonl").write_text("{}")
    found = {finding.file: finding.message for finding in findings(cohort, "files")}
    assert "missing" in found["public/README.md"]
    assert "does not list" in found["public/requests/extra.parquet"]
    assert "public/ and evaluator/ only" in found["answers.jsonl"]


def test_a_wrong_seed_or_root_count_is_found(cohort: Path) -> None:
    path = cohort / "evaluator" / "manifest.json"
    manifest = json.loads(path.read_text())
    for change in (
        {"seed": "1"},
        {"roots": 41},
        {"roots": "many"},
        {"roots": 10**30},
        {"roots": 0},
        {"seed": "-1"},
    ):
        path.write_bytes(pretty(manifest | change))
        assert not verify(cohort).ok
    path.write_bytes(pretty(manifest))
    assert verify(cohort).ok


def test_a_forged_number_of_attempts_is_found(cohort: Path) -> None:
    for table in TABLES:
        (file,) = table_files(cohort, table)
        rows = arrow.read_table([file], TABLES[table]).to_pylist()
        rewrite(file, table, rows, {"worldgen.attempts": "1"})
    cover_up(cohort, {"attempts": 1})
    found = findings(cohort, "draws")
    assert {finding.file.split("/")[1] for finding in found} == set(TABLES)
    assert all("says 1 attempts" in finding.message for finding in found)
