"""Reference inputs on disk: what the rows say, that memory stays flat, and that verify finds every change."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.by_hand import masses_of
from tests.cohort.test_references import minute
from tests.digested import content_digest
from tests.unshipped import viewed
from worldgen.cohort.manifests import FORMAT, CohortError, pretty
from worldgen.cohort.references import BATCH, DrawError, inputs_at
from worldgen.emission import references
from worldgen.emission.references import FILE_ROWS, Reference, write_reference
from worldgen.emission.verify import Finding, verify
from worldgen.emission.verify_references import holds_reference, verify_reference
from worldgen.exact import arrow
from worldgen.exact.domains import Phrases
from worldgen.exact.drafts import write_whole
from worldgen.exact.places import Remote, files_in, sha256_of
from worldgen.exact.variables import Variable
from worldgen.renderers.plans import Plan
from worldgen.spec import read_transfer
from worldgen.worlds.factor_parts import Field
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

SEED, ROWS, SIZES = 11, 300, (1, 5)
DAY = (Field(Variable("day", Phrases(("Monday", "Friday")))),)  # a spec gives texts no weights


def written_alike(world: FactorWorld | TransferWorld) -> FactorWorld | TransferWorld:
    """A world that a spec can hold: harbour weighs the days, which none can say."""
    if isinstance(world, FactorWorld) and world.name == "harbour":
        return replace(world, model=replace(world.model, irrelevant=DAY))
    return world


WORLDS = {name: written_alike(world) for name, world in {**viewed(), "minute": minute()}.items()}
SMALL = WORLDS["covert-transfer.medium"]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference draw of the tests below. Nothing may be written there."""
    folder = tmp_path_factory.mktemp("references") / "reference"
    write_reference(SMALL, ROWS, SEED, folder, view="medium", snapshots=SIZES)
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    found = tmp_path / "reference"
    shutil.copytree(written, found)
    return found


def files(folder: Path) -> list[Path]:
    return sorted((folder / "inputs").iterdir())


def rows(folder: Path) -> list[dict[str, Any]]:
    return [row for file in files(folder) for row in pq.read_table(file).to_pylist()]


@pytest.mark.parametrize("name", WORLDS)
def test_a_row_says_what_was_drawn_and_its_exact_probability(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]
    write_reference(world, 60, SEED, tmp_path / "r", view=world.seen, snapshots=SIZES)
    drawn = inputs_at(world, SEED, np.arange(60))
    slow, counts = masses_of(world.slow_posterior(drawn.values)), drawn.snapshots(SIZES).tolist()
    binary = len(world.atoms) == 2
    positive = world.events["A"].indices[0]
    for i, row in enumerate(rows(tmp_path / "r")):
        texts = [v.domain.text(drawn.values[v.name].tolist()[i]) for v in world.view.variables]
        assert (row["position"], row["visible"]) == (i, texts)
        masses = slow[i]
        assert masses is not None
        assert row["p"] == (str(masses[positive]) if binary else list(map(str, masses)))
        doubles = [mass.numerator / mass.denominator for mass in masses]
        assert row["p_float"] == (doubles[positive] if binary else doubles)
        for place, size in enumerate(SIZES):
            found = row[f"positives_{size}" if binary else f"labels_{size}"]
            assert found == (counts[i][place][positive] if binary else counts[i][place])
    manifest = json.loads((tmp_path / "r" / "manifest.json").read_text())
    assert manifest["visible"] == list(world.view.names)
    assert manifest["classes"] == list(world.atoms.names)
    assert verify_reference(tmp_path / "r").findings == []
    with pytest.raises(CohortError, match="verify_reference derives them again"):
        verify(tmp_path / "r")


def test_batches_and_files_change_no_row(
    written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FILE_ROWS == 16 * BATCH == 2**20
    monkeypatch.setattr(references, "BATCH", 32)
    monkeypatch.setattr(references, "FILE_ROWS", 64)
    write_reference(SMALL, ROWS, SEED, tmp_path / "r", view="medium", snapshots=SIZES)
    assert [pq.read_metadata(file).num_rows for file in files(tmp_path / "r")] == [64, 64, 64, 64, 44]
    assert rows(tmp_path / "r") == rows(written)
    monkeypatch.setattr(references, "BATCH", 50)
    done = verify_reference(tmp_path / "r")
    assert done.ok and done.rows == {"inputs": ROWS} and done.files == 6
    assert done.derivable == {"the literal sum": ROWS, "not": 0}


def test_the_same_draw_is_the_same_bytes_and_fewer_inputs_are_its_beginning(
    written: Path, tmp_path: Path
) -> None:
    read = read_transfer("covert-transfer")
    for name, inputs in (("again", ROWS), ("fewer", 40)):
        write_reference(read, inputs, SEED, tmp_path / name, view="medium", snapshots=SIZES)
    for path in (path for path in written.rglob("*") if path.is_file()):
        assert (tmp_path / "again" / path.relative_to(written)).read_bytes() == path.read_bytes()
    assert rows(tmp_path / "fewer") == rows(written)[:40]


def test_an_input_is_written_out_as_the_pool_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(references, "CASE_BYTES", 16 * 2000)
    folder = tmp_path / "r"
    draft = write_reference(SMALL, 90, SEED, folder, view="medium", snapshots=SIZES, encoding="memo")
    assert 16 <= draft.batch < 90
    memo = SMALL.encodings["memo"].layouts[0].leaf(SMALL.template_names(metadata=False))
    plan = Plan(memo, SMALL.view.shown)
    found = rows(folder)
    assert found[0]["case"].startswith("Audit memo")
    read = plan.decode([json.dumps(row["case"], ensure_ascii=False) for row in found])
    assert not read.faults
    for variable in SMALL.view.variables:
        place = SMALL.view.names.index(variable.name)
        texts = [variable.domain.text(code) for code in read.values[variable.name].tolist()]
        assert texts == [row["visible"][place] for row in found]
    assert verify_reference(folder).ok
    forge(folder, lambda rows: rows[3].update(case=rows[3]["case"] + " "))
    assert [(one.row, one.column) for one in checked(folder, "draws")] == [(3, "case")]
    with pytest.raises(DrawError, match="has no encoding 'mmo'"):
        write_reference(SMALL, 9, SEED, tmp_path / "other", encoding="mmo")


def test_nothing_is_left_of_a_run_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".r.tmp").mkdir()
    (tmp_path / ".r.tmp" / "old").write_text("of a run that was killed")
    whole = Reference.table
    monkeypatch.setattr(references, "BATCH", 32)
    stops = iter([False, True])

    def table(self: Reference, drawn: Any) -> arrow.Table:
        if next(stops):
            raise KeyboardInterrupt
        return whole(self, drawn)

    monkeypatch.setattr(Reference, "table", table)
    with pytest.raises(KeyboardInterrupt):
        write_reference(SMALL, 90, SEED, tmp_path / "r")
    assert list(tmp_path.iterdir()) == []


def test_inputs_that_lie_elsewhere_are_verified_there_and_are_not_written_there(folder: Path) -> None:
    elsewhere = Remote("memory://references/inputs")
    with pytest.raises(DrawError, match="is a URI"):
        write_reference(SMALL, 10, SEED, elsewhere.uri)
    for name in files_in(folder):
        write_whole(elsewhere / name, (folder / name).read_bytes())
    assert holds_reference(elsewhere) and verify_reference(elsewhere).ok
    (elsewhere / "manifest.json").write_bytes(b"{}")
    with pytest.raises(DrawError, match="memory://references/inputs does not hold reference inputs"):
        verify_reference(elsewhere)


def test_what_is_there_already_is_left_alone(folder: Path) -> None:
    with pytest.raises(DrawError, match="is there already"):
        write_reference(SMALL, 10, SEED, folder)
    assert verify_reference(folder).ok


def forge(folder: Path, change: Callable[[list[dict[str, Any]]], object], **footer: str) -> None:
    """Change rows and cover it up: footer, hashes and manifest say that all is well."""
    (file,) = files(folder)
    schema = pq.read_schema(file).remove_metadata()
    forged = pq.read_table(file).to_pylist()
    change(forged)
    table = pa.Table.from_pylist(forged, schema=schema)
    said = arrow.read_footer(file) | {"worldgen.content": content_digest(table)} | footer
    with pq.ParquetWriter(file, schema, use_compliant_nested_type=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata(said)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][f"inputs/{file.name}"] |= {"sha256": sha256_of(file), "bytes": file.stat().st_size}
    (folder / "manifest.json").write_bytes(pretty(manifest))


def checked(folder: Path, check: str) -> list[Finding]:
    return [finding for finding in verify_reference(folder).findings if finding.check == check]


FORGERIES: list[tuple[str, Callable[[Any], object]]] = [
    ("p", lambda text: str(1 - Fraction(text))),
    ("p", lambda text: f"{text}0"),
    ("p_float", lambda value: abs(value - 1e-15)),
    ("visible", lambda texts: [texts[0] + " ", *texts[1:]]),
    ("visible", lambda texts: texts[:-1]),
    ("positives_5", lambda number: (number + 1) % 6),
    ("position", lambda number: number + 1),
]


@pytest.mark.parametrize(("column", "change"), FORGERIES)
def test_a_forged_value_is_found_at_its_row_and_column(
    column: str, change: Callable[[Any], object], folder: Path
) -> None:
    forge(folder, lambda rows: rows[7].update({column: change(rows[7][column])}))
    (found,) = checked(folder, "draws")
    assert (found.row, found.column) == (7, column)
    summed = checked(folder, "probabilities")
    assert [(one.row, one.column) for one in summed] == ([(7, "p")] if column == "p" else [])


def test_probabilities_are_held_against_the_sum_even_where_the_draw_agrees(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fast path that went wrong would write and redraw the same fault; the slow path sees it."""
    whole = Reference.table

    def wrong(self: Reference, drawn: Any) -> arrow.Table:
        return arrow.table(
            self.schema,
            {name: whole(self, drawn).column(name) for name in self.schema.names}
            | {"p": ["1/7"] * len(drawn)},
        )

    forge(folder, lambda rows: [row.update({"p": "1/7"}) for row in rows])
    monkeypatch.setattr(Reference, "table", wrong)
    done = verify_reference(folder)
    assert {finding.check for finding in done.findings if finding.column} == {"probabilities"}
    assert [finding.row for finding in checked(folder, "probabilities")] == [*range(10), None]
    assert checked(folder, "probabilities")[-1].message == f"{ROWS - 10} more rows differ"


def test_rows_missing_and_rows_too_many_are_found(folder: Path) -> None:
    taken: list[dict[str, Any]] = []
    forge(folder, lambda rows: taken.append(rows.pop()))
    assert [one.message for one in checked(folder, "draws")] == ["1 rows are missing"]
    forge(folder, lambda rows: rows.extend([*taken, taken[0], taken[0]]))
    (found,) = checked(folder, "draws")
    assert (found.message, found.row) == ("2 rows too many", ROWS)


def test_a_footer_that_says_something_else_is_found(folder: Path) -> None:
    forge(folder, lambda rows: None, **{"worldgen.view": "low"})
    assert [one.message for one in checked(folder, "tables")] == ["its footer says worldgen.view = low"]


def test_files_missing_and_too_many_are_found(folder: Path) -> None:
    files(folder)[0].rename(folder / "inputs" / "other.parquet")
    found = {one.file: one.message for one in checked(folder, "files")}
    assert found["inputs/other.parquet"] == "the manifest does not list this file"
    assert found["inputs/00000-of-00001.parquet"] == "the file is missing"
    assert "cannot be derived again" in found["manifest.json"]
    assert "cannot be read" in checked(folder, "tables")[0].message


def test_a_manifest_that_says_something_else_is_found(folder: Path) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    changes: list[dict[str, object]] = [
        {"seed": "12"},
        {"seed": "-1"},
        {"view": "high"},
        {"view": "none"},
        {"inputs": ROWS - 1},
        {"inputs": 10**30},
        {"inputs": "many"},
        {"snapshots": [1]},
        {"encoding": "memo"},
        {"encoding": "none"},
        {"snapshots": [1, 1]},
        {"prior": "1/2"},
        {"positive": ["nothing"]},
    ]
    for change in changes:
        path.write_bytes(pretty(manifest | change))
        assert not verify_reference(folder).ok, change
    others: list[dict[str, object]] = [{"kind": "cohort"}, {"format": FORMAT + 1}, {"files": []}]
    for change in others:
        path.write_bytes(pretty(manifest | change))
        with pytest.raises(DrawError):
            verify_reference(folder)


def test_a_spec_of_something_else_is_found(folder: Path) -> None:
    (folder / "spec.json").write_text("{}")
    assert [one.check for one in verify_reference(folder).findings] == ["files", "spec"]


def test_one_flipped_byte_in_any_file_is_found(folder: Path) -> None:
    chance = random.Random(5)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        place = chance.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert path.name == "manifest.json" or not verify_reference(folder).ok, (path, place)
        path.write_bytes(whole)
    assert verify_reference(folder).ok


MEASURED = """
import resource, sys
from worldgen import read_spec, write_reference
write_reference(read_spec("credit-risk"), int(sys.argv[1]), 7, sys.argv[2], view="medium", snapshots=(1,))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
def test_a_million_inputs_take_the_memory_of_a_hundred_thousand(tmp_path: Path) -> None:
    """In a process each. The rows of a million would be some 400 MB more if they were held."""
    peaks = []
    for inputs in (100_000, 1_000_000):
        words = [sys.executable, "-c", MEASURED, str(inputs), str(tmp_path / str(inputs))]
        done = subprocess.run(
            words, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout))
    assert peaks[1] < peaks[0] * Fraction(5, 4)
