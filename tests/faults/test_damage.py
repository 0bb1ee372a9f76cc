"""Cohorts that were damaged: every command says which file, changes nothing, and the same emit repairs it."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import worldgen
from benchmarks.soak import contents
from tests.cohorts import SEED, sensor
from worldgen.cli.main import main
from worldgen.cohort.manifests import FORMAT, CohortError
from worldgen.emission.emit import emit

ROOTS = 40
SHARD = "00000-of-00001.parquet"
TABLES = ["public/requests", "public/roots", "evaluator/targets", "evaluator/truth", "evaluator/relations"]
PAGES = [f"{side}/{name}" for side in ("public", "evaluator") for name in ("README.md", "croissant.json")]
MANIFESTS = ["public/manifest.json", "evaluator/manifest.json"]
SPEC = ["evaluator/spec/cohort.json", "evaluator/spec/worlds/noisy-sensor.json"]
SCORED = [*(f"{table}/{SHARD}" for table in TABLES if table != "public/roots"), "evaluator/spec/cohort.json"]


@pytest.fixture
def folder(small_cohort: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "cohort"
    shutil.copytree(small_cohort, copy)
    return copy


@pytest.fixture(scope="module")
def reports(small_cohort: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("reports") / "oracle.jsonl"
    worldgen.write_reports(worldgen.oracle_reports(worldgen.open(small_cohort)), file)
    return file


def run(*words: object) -> Result:
    done = CliRunner().invoke(main, list(map(str, words)))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


def flipped(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place % len(data)] ^= 1
    file.write_bytes(data)


def reading(folder: Path, reports: Path) -> Iterator[list[object]]:
    """The commands that read a cohort."""
    new = folder.with_name("new")
    yield ["verify", folder]
    yield ["oracle", folder, "--out", new.with_suffix(".jsonl")]
    yield ["score", folder, reports, "--replicates", 100]
    yield ["show", folder]
    yield ["emit", "noisy-sensor", "--roots", 2, "--seed", 1, "--out", new, "--exclude", folder]


def test_the_files_are_those_of_a_cohort(folder: Path) -> None:
    assert {*PAGES, *MANIFESTS, *SPEC, *(f"{table}/{SHARD}" for table in TABLES)} == set(contents(folder))


@pytest.mark.parametrize("place", [0.0, 0.3, 0.8])
@pytest.mark.parametrize("name", [*PAGES, *SPEC, *MANIFESTS, *(f"{table}/{SHARD}" for table in TABLES)])
def test_a_flipped_byte_is_found_and_mended(
    name: str, place: float, folder: Path, small_cohort: Path
) -> None:
    file = folder / name
    flipped(file, int(place * (file.stat().st_size - 1)))
    before = contents(folder)
    done = run("verify", folder)
    assert done.exit_code == 1 and name.split("/", 1)[1] in done.output
    with pytest.raises(CohortError, match="is not empty"):
        emit(sensor(), ROOTS, SEED, folder, resume="never")
    assert contents(folder) == before
    said = ""
    try:
        emit(sensor(), ROOTS, SEED, folder)
    except CohortError as error:
        said = error.message
    # A manifest or a footer may now say that it is of another cohort or format; nothing else is refused.
    refused = "holds another cohort" in said or "is of format" in said
    assert not said or (refused and name.endswith((SHARD, "manifest.json")))
    assert contents(folder) == (before if said else contents(small_cohort))


@pytest.mark.parametrize("place", [7, -7])
@pytest.mark.parametrize("name", SCORED)
def test_what_was_changed_is_not_scored(name: str, place: int, folder: Path, reports: Path) -> None:
    flipped(folder / name, place)
    before = contents(folder)
    done = run("score", folder, reports, "--replicates", 100)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"{folder / name} was changed" in done.stderr and "\n  try: " in done.stderr
    assert contents(folder) == before


Damage = Callable[[Path], object]


def edited(**fields: object) -> Damage:
    def edit(file: Path) -> None:
        file.write_text(json.dumps(json.loads(file.read_text()) | fields))

    return edit


NEWER = FORMAT + 1

DAMAGE: dict[str, tuple[str, Damage, str]] = {
    "cut short": (f"evaluator/targets/{SHARD}", lambda f: f.write_bytes(f.read_bytes()[:-20]), ""),
    "empty": (f"evaluator/targets/{SHARD}", lambda f: f.write_bytes(b""), ""),
    "missing": (f"evaluator/targets/{SHARD}", Path.unlink, ""),
    "of another table": (
        f"evaluator/targets/{SHARD}",
        lambda f: shutil.copy(f.parents[1] / "truth" / SHARD, f),
        "was made for worldgen.table truth",
    ),
    "public manifest missing": ("public/manifest.json", Path.unlink, ""),
    "evaluator's manifest missing": ("evaluator/manifest.json", Path.unlink, ""),
    "no JSON": ("evaluator/manifest.json", lambda f: f.write_text('{"format": '), ""),
    "no text": ("evaluator/manifest.json", lambda f: f.write_bytes(b"\xff\xfe\x00"), ""),
    "no mapping": ("public/manifest.json", lambda f: f.write_text("[]"), ""),
    "a newer format": (
        "public/manifest.json",
        edited(format=NEWER),
        f"is of format {NEWER}, and this version reads",
    ),
    "a newer format there": (
        "evaluator/manifest.json",
        edited(format=NEWER),
        f"is of format {NEWER}",
    ),
    "another spec": ("evaluator/manifest.json", edited(spec_digest="0" * 64), "its spec_digest is 000"),
    "another seed": ("evaluator/manifest.json", edited(seed="1"), "its seed is 1"),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_command_tells_what_is_wrong_and_touches_nothing(
    kind: str, folder: Path, reports: Path, small_cohort: Path
) -> None:
    name, damage, refusal = DAMAGE[kind]
    damage(folder / name)
    before = contents(folder)
    told = 0
    for words in reading(folder, reports):
        done = run(*words)
        reads = words[0] == "verify" or (kind != "another seed" and words[0] in {"score", "oracle"})
        assert done.exit_code == 1 or not reads, (words, done.output)
        assert done.exit_code in {0, 1} and "Traceback" not in done.output
        if done.exit_code:
            told += 1
            assert Path(name).name in done.output, (words, done.output)
            assert words[0] == "verify" or "\n  try: " in done.stderr, (words, done.stderr)
        assert contents(folder) == before
    assert told >= 1
    with pytest.raises(CohortError, match="is not empty"):
        emit(sensor(), ROOTS, SEED, folder, resume="never")
    if refusal:
        with pytest.raises(CohortError, match=refusal):
            emit(sensor(), ROOTS, SEED, folder)
        assert contents(folder) == before
    else:
        emit(sensor(), ROOTS, SEED, folder)
        assert contents(folder) == contents(small_cohort)
