"""The bytes of a cohort: the same for any number of workers, after a kill, and never mixed up."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cohorts import sensor
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.shards import shards
from worldgen.emission import emit as emission
from worldgen.emission.emit import Emission, emit, foreign
from worldgen.emission.executors import Crew
from worldgen.emission.folder import open_cohort
from worldgen.emission.shards import Job, kept, write_shard
from worldgen.emission.verify import verify
from worldgen.spec.write import cohort_data, spec_digest

ROOTS, SEED = 600, 11  # three shards


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reference") / "cohort"
    emit(sensor(), ROOTS, SEED, folder)
    return folder


@pytest.fixture
def copied(reference: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "cohort"
    shutil.copytree(reference, folder)
    return folder


def job_of(folder: Path, number: int) -> Job:
    cohort = sensor()
    return Job(cohort, spec_digest(cohort_data(cohort)), SEED, ROOTS, shards(ROOTS)[number], folder)


def write_and_look(job: Job, told: Callable[[int], None]) -> bool:
    """Whether pandas is there once a shard is written."""
    write_shard(job, told)
    return "pandas" in sys.modules


@pytest.mark.slow
def test_a_worker_does_not_wait_for_pandas(tmp_path: Path) -> None:
    with Crew(None, 2, None) as crew:
        jobs = [job_of(tmp_path, number) for number in range(2)]
        assert not any(imported for _, imported in crew.run(write_and_look, jobs, lambda roots: None))


@pytest.mark.slow
def test_two_workers_write_the_same_bytes_as_one(reference: Path, tmp_path: Path) -> None:
    emit(sensor(), ROOTS, SEED, tmp_path / "two", workers=2)
    assert contents(tmp_path / "two") == contents(reference)


def test_any_executor_writes_the_same_bytes(reference: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        emit(sensor(), ROOTS, SEED, tmp_path / "threads", executor=pool)
    assert contents(tmp_path / "threads") == contents(reference)


class Elsewhere(ThreadPoolExecutor):
    """Workers on a disk of their own: what they write is not where the cohort is."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> "Future[Any]":
        work, job = args
        away = job.folder.with_name("away")
        return super().submit(fn, work, replace(job, folder=away), **options)


def test_a_shard_that_was_written_elsewhere_is_missed_with_its_machine(tmp_path: Path) -> None:
    with Elsewhere(2) as pool, pytest.raises(CohortError, match=f"written on '{platform.node()}'") as caught:
        emit(sensor(), ROOTS, SEED, tmp_path / "here", executor=pool)
    assert "the file system that this process reads" in str(caught.value)
    assert not list((tmp_path / "here").rglob("manifest.json"))
    shutil.copytree(tmp_path / "away", tmp_path / "here", dirs_exist_ok=True)
    assert emit(sensor(), ROOTS, SEED, tmp_path / "here").written < len(shards(ROOTS))


def test_a_shard_that_stands_on_another_disk_is_no_shard_of_this_cohort(copied: Path) -> None:
    shutil.copytree(copied, copied.with_name("away"))
    (copied / "public/roots/00001-of-00003.parquet").unlink()
    with (
        Elsewhere(2) as pool,
        pytest.raises(CohortError, match=r"roots/00001-of-00003.parquet .* is not here"),
    ):
        emit(sensor(), ROOTS, SEED, copied, executor=pool)


class Watched(ThreadPoolExecutor):
    """Workers whose work is taken down."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **options: Any) -> "Future[Any]":
        work, job = args
        self.done = [*getattr(self, "done", []), (work.__name__, job.shard.number)]
        return super().submit(fn, *args, **options)


def test_workers_hash_what_stands_and_read_only_what_no_manifest_lists(reference: Path, copied: Path) -> None:
    hashes = [("hashed", 0), ("hashed", 1), ("hashed", 2)]
    with Watched(2) as pool:
        assert emit(sensor(), ROOTS, SEED, copied, executor=pool) == Emission(copied, 0, 3)
    assert pool.done == hashes
    damaged = copied / "evaluator/truth/00001-of-00003.parquet"
    damaged.write_bytes(b"p" + damaged.read_bytes()[1:])
    with Watched(2) as pool:
        assert emit(sensor(), ROOTS, SEED, copied, executor=pool) == Emission(copied, 1, 2)
    assert pool.done == [*hashes, ("write_shard", 1)]
    for side in ("public", "evaluator"):
        (copied / side / "manifest.json").unlink()
    with Watched(2) as pool:
        assert emit(sensor(), ROOTS, SEED, copied, executor=pool) == Emission(copied, 0, 3)
    assert pool.done == [("kept", 0), ("kept", 1), ("kept", 2)]
    assert contents(copied) == contents(reference)


@pytest.mark.slow
def test_processes_hash_what_stands(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emission, "HASHED", 1)
    assert emit(sensor(), ROOTS, SEED, copied, workers=2) == Emission(copied, 0, 3)


KILLED = """
import os, signal, sys
from worldgen.emission.emit import emit
from worldgen.spec import cohort_of, read_world

written, replace = [], os.replace
def replace_then_die(*args):
    replace(*args)
    written.append(args)
    if len(written) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace_then_die
emit(cohort_of(read_world("noisy-sensor")), 600, 11, sys.argv[1])
"""


@pytest.mark.parametrize("renames", [1, 7])
def test_a_killed_emission_is_no_cohort_and_is_finished_to_the_same_bytes(
    renames: int, reference: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "killed"
    died = subprocess.run([sys.executable, "-c", KILLED, str(folder), str(renames)], check=False)
    assert died.returncode == -signal.SIGKILL
    with pytest.raises(CohortError, match="not a finished cohort"):
        open_cohort(folder)
    with pytest.raises(CohortError, match="not a finished cohort"):
        verify(folder)
    done = emit(sensor(), ROOTS, SEED, folder, resume="always")
    assert done.found == renames // 5
    assert contents(folder) == contents(reference)


def test_a_damaged_shard_is_not_taken_for_a_finished_one(reference: Path, copied: Path) -> None:
    (copied / "evaluator" / "manifest.json").unlink()
    shard = job_of(copied, 1).path("targets")
    shard.write_bytes(job_of(copied, 0).path("targets").read_bytes())
    with pytest.raises(CohortError, match="range"):
        emit(sensor(), ROOTS, SEED, copied)
    shard.write_bytes(shard.read_bytes()[:-20])
    assert emit(sensor(), ROOTS, SEED, copied).written == 1
    assert contents(copied) == contents(reference)


def test_a_whole_cohort_is_left_as_it_is(copied: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in copied.rglob("*")}
    assert emit(sensor(), ROOTS, SEED, copied) == Emission(copied, 0, 3)
    assert {path: path.stat().st_mtime_ns for path in copied.rglob("*")} == before


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("public/manifest.json", 0),
        ("public/README.md", 0),
        ("evaluator/spec/cohort.json", 0),
        ("evaluator/truth/00002-of-00003.parquet", 1),
    ],
)
@pytest.mark.parametrize("damage", ["missing", "cut short"])
def test_a_finished_cohort_that_lost_something_is_finished_again(
    name: str, written: int, damage: str, reference: Path, copied: Path
) -> None:
    if damage == "missing":
        (copied / name).unlink()
    else:
        (copied / name).write_bytes((copied / name).read_bytes()[:-9])
    assert emit(sensor(), ROOTS, SEED, copied) == Emission(copied, written, 3 - written)
    assert contents(copied) == contents(reference)


@pytest.mark.parametrize(
    ("seed", "workers", "said"), [(-1, 1, "is no seed"), (1, 0, "at least 1 worker")], ids=["seed", "workers"]
)
def test_what_the_command_refuses_is_refused_in_python(
    seed: int, workers: int, said: str, tmp_path: Path
) -> None:
    with pytest.raises(CohortError, match=said):
        emit(sensor(), 2, seed, tmp_path / "new", workers=workers)
    assert not (tmp_path / "new").exists()


def test_a_file_is_no_folder_to_write_to(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(CohortError, match="taken is a file"):
        emit(sensor(), 2, SEED, tmp_path / "taken", force=True)


def test_what_is_not_here_is_told_apart(copied: Path) -> None:
    with pytest.raises(CohortError, match=r"roots has no column 'visble'\s+try: did you mean 'visible'"):
        open_cohort(copied).table("roots", ["visble"])
    with pytest.raises(CohortError, match="name the folder above"):
        open_cohort(copied / "public")
    shutil.rmtree(copied / "evaluator")
    with pytest.raises(CohortError, match=r"this one has public/ alone"):
        verify(copied)
    assert open_cohort(copied).table("roots").num_rows == ROOTS


def test_strangers_are_found_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "mine").write_text("mine")
    found = foreign(tmp_path)
    assert next(found) == Path("a/mine")
    with pytest.raises(CohortError, match="'a/mine' among them"):
        emit(sensor(), 2, SEED, tmp_path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seed": SEED + 1}, "seed"),
        ({"roots": ROOTS - 1}, "roots"),
        ({"title": "another"}, "spec_digest"),
        ({"resume": "never"}, "not empty"),
    ],
)
def test_another_cohort_is_never_overwritten(change: dict[str, object], said: str, copied: Path) -> None:
    before = contents(copied)
    cohort = sensor()
    if "title" in change:
        cohort = replace(cohort, title=str(change.pop("title")))
    wanted = {"roots": ROOTS, "seed": SEED} | change
    with pytest.raises(CohortError, match=said):
        emit(cohort, out=copied, **wanted)  # type: ignore[arg-type]  # one table of keyword arguments
    assert contents(copied) == before
    wanted.pop("resume", None)
    emit(cohort, out=copied, force=True, **wanted)  # type: ignore[arg-type]  # as above
    assert verify(copied).ok


@pytest.mark.parametrize("name", ["notes.txt", "public/notes.txt", "public/requests/more.csv"])
def test_files_of_other_people_are_never_touched(name: str, copied: Path) -> None:
    (copied / name).write_text("mine")
    for force in (False, True):
        with pytest.raises(CohortError, match="not of a cohort"):
            emit(sensor(), ROOTS, SEED, copied, force=force)
    assert (copied / name).read_text() == "mine"
    assert [path.as_posix() for path in foreign(copied)] == [name]


def test_there_is_nothing_to_resume_in_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(CohortError, match="nothing to resume"):
        emit(sensor(), ROOTS, SEED, tmp_path / "new", resume="always")


@pytest.mark.parametrize("roots", [0, 10**9 + 1, 10**30])
def test_a_cohort_without_roots_or_with_too_many_is_refused(roots: int, tmp_path: Path) -> None:
    with pytest.raises(CohortError, match="no cohort of"):
        emit(sensor(), roots, SEED, tmp_path / "new")


def test_a_shard_writes_the_same_bytes_twice(copied: Path) -> None:
    job = job_of(copied, 2)
    before = contents(copied)
    write_shard(job)
    assert contents(copied) == before


def test_a_shard_that_stands_has_the_receipt_of_one_that_was_written(copied: Path) -> None:
    job = job_of(copied, 2)
    found, written = kept(job), write_shard(job)
    assert found is not None and found.openings.tolist() == written.openings.tolist()
    assert all(getattr(found, name) == getattr(written, name) for name in ("host", "entries", "attempts"))
    listed = open_cohort(copied).evaluator
    assert listed["files"][f"truth/{job.shard.file}"] == written.entries["truth"]


def test_who_finishes_a_cohort_reads_no_shard(
    reference: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ParquetFile", "read_table", "read_metadata"):
        monkeypatch.delattr(pq, name)
    emit(sensor(), ROOTS, SEED, tmp_path / "unread")
    assert contents(tmp_path / "unread") == contents(reference)


def test_a_larger_cohort_holds_every_root_of_a_smaller_one(reference: Path, tmp_path: Path) -> None:
    emit(sensor(), 100, SEED, tmp_path / "small")
    small = open_cohort(tmp_path / "small").table("requests").to_pylist()
    large = {row["request_id"]: row for row in open_cohort(reference).table("requests").to_pylist()}
    assert all(large[row["request_id"]] == row for row in small)


def test_other_seeds_share_no_identifier_and_no_root(reference: Path, tmp_path: Path) -> None:
    emit(sensor(), 100, SEED + 1, tmp_path / "other")
    mine, other = open_cohort(reference).table("roots"), open_cohort(tmp_path / "other").table("roots")
    for column in ("root_id", "semantic_digest"):
        shared = set(mine.column(column).to_pylist()) & set(other.column(column).to_pylist())
        assert shared == set()


def test_two_emissions_never_share_a_folder(tmp_path: Path) -> None:
    cohort = sensor()
    tried: list[str] = []

    def intrude(done: int, total: int) -> None:
        with pytest.raises(CohortError, match="another emission"):
            emit(cohort, 20, SEED, tmp_path)
        tried.append(f"{done} of {total}")

    emit(cohort, 20, SEED, tmp_path, progress=intrude)
    assert tried == ["0 of 20", "10 of 20", "20 of 20"]
    assert emit(cohort, 20, SEED, tmp_path).found == 1


def test_shards_and_shares_cover_every_root_once() -> None:
    cohort = sensor()
    for roots in (1, 2, 255, 256, 257, 5000, 200_001):
        cut = shards(roots)
        assert [shard.start for shard in cut] == [0, *(shard.stop for shard in cut[:-1])]
        assert cut[-1].stop == roots == sum(cohort.sizes(roots))


def test_an_interrupted_emission_stops_soon(tmp_path: Path) -> None:
    """Python may lose an interrupt that arrives inside a callback; as a person would, press again."""
    code = (
        "import sys\nfrom worldgen.emission.emit import emit\nfrom worldgen.spec import read_world\n"
        "if __name__ == '__main__': emit(read_world('noisy-sensor'), 2_000_000, 1, sys.argv[1])"
    )
    folder = tmp_path / "long"
    with (tmp_path / "log").open("w+") as log:
        running = subprocess.Popen([sys.executable, "-c", code, str(folder)], stderr=log)
        deadline = time.monotonic() + 20
        while not folder.exists():
            assert running.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        while running.poll() is None and time.monotonic() < deadline:
            os.kill(running.pid, signal.SIGINT)
            time.sleep(0.5)
        assert running.wait(timeout=1) != 0
    assert "KeyboardInterrupt" in (tmp_path / "log").read_text()
    with pytest.raises(CohortError, match="not a finished cohort"):
        open_cohort(folder)


def test_what_cannot_be_verified_is_not_emitted(tmp_path: Path) -> None:
    with pytest.raises(CohortError, match="-1 is no seed"):
        emit(sensor(), ROOTS, -1, tmp_path / "cohort")
    with pytest.raises(TypeError):
        emit(sensor(), ROOTS, 7.0, tmp_path / "cohort")  # type: ignore[arg-type]  # as a notebook may
    assert not (tmp_path / "cohort").exists()


def test_cohorts_of_up_to_67_million_roots_are_cut_as_ever_and_larger_ones_into_8192() -> None:
    for roots in (1, 4_096, 131_072, 10**6, 8192 * 8192):
        size = min(max(-(-roots // 16), 256), 8192)
        assert [shard.stop for shard in shards(roots)][:1] == [min(size, roots)]
        assert len(shards(roots)) == -(-roots // size)
    for roots in (8192 * 8192 + 1, 10**8 + 1, 10**9):
        cut = shards(roots)
        assert len(cut) <= 8192 and cut[-1].stop == roots
        assert all(shard.start < shard.stop <= shard.start + cut[0].stop for shard in cut)


def test_no_column_of_texts_has_statistics_and_every_other_has(tmp_path: Path) -> None:
    emit(sensor(), 300, SEED, tmp_path / "cohort")
    for file in (tmp_path / "cohort").rglob("*.parquet"):
        group = pq.read_metadata(file).row_group(0)
        for column in map(group.column, range(group.num_columns)):
            assert column.is_stats_set == (column.physical_type != "BYTE_ARRAY"), (
                file,
                column.path_in_schema,
            )
