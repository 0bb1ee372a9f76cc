"""SIGKILL at every step of an emission: nothing is taken for a cohort, and the same bytes come of it."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.soak import contents, unfinished
from tests.cohorts import sensor
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.shards import shards
from worldgen.emission.emit import emit
from worldgen.emission.executors import Crew
from worldgen.emission.folder import open_cohort
from worldgen.emission.shards import Job, Told
from worldgen.spec.write import cohort_data, spec_digest

ROOT = Path(__file__).parents[2]
ROOTS, SEED = 300, 11  # two shards

# One process emits into the folders that it is told, each time in a child that is killed before its n-th
# step: whatever opens, renames or removes a file, or makes a folder. The children share the imports, and
# write one file at a time: of threads that race for a folder one may try to make it, or several.
KILLER = """
import os, signal, sys
from tests.cohorts import sensor
from worldgen.emission.emit import emit
from worldgen.exact import drafts

drafts._TOGETHER = 1

STEPS = {"open", "os.rename", "os.remove", "os.mkdir"}
folder, roots, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

def emit_until(last):
    steps = 0
    target = f"{folder}-{last}"
    def step(event, args):
        nonlocal steps
        settling = event == "open" and os.path.isdir(args[0])  # which changes nothing
        if event in STEPS and str(args[0]).startswith(target) and not settling:
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(step)
    emit(sensor(), roots, seed, target)
    return steps

for last in map(int, sys.argv[4:]):
    if child := os.fork():
        os.waitpid(child, 0)
    else:
        print(last, emit_until(last), flush=True)
        os._exit(0)
"""


def killed(folder: Path, steps: list[int]) -> str:
    """Emit into FOLDER-n for each n, killed before the n-th step; what those print that came to an end."""
    words = [sys.executable, "-c", KILLER, folder, ROOTS, SEED, *steps]
    done = subprocess.run(
        list(map(str, words)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("reference") / "cohort"
    emit(sensor(), ROOTS, SEED, folder)
    return contents(folder)


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> int:
    """How many steps an undisturbed emission takes."""
    last, found = killed(tmp_path_factory.mktemp("steps") / "cohort", [10_000]).split()
    assert last == "10000" and 50 < int(found) < 200
    return int(found)


def check(folder: Path, reference: dict[str, bytes], *, commands: bool) -> str:
    """What a killed emission left is no cohort, and is finished as every mode of resuming says."""
    left = contents(folder) if folder.exists() else {}
    assert left.keys() <= reference.keys() | {name for name in left if name.endswith(".tmp")}
    with pytest.raises(CohortError, match="is not a finished cohort"):
        open_cohort(folder)
    if folder.exists() and commands:
        unfinished(folder, folder.with_name("report.jsonl"))
    if left:
        with pytest.raises(CohortError, match="is not empty"):
            emit(sensor(), ROOTS, SEED, folder, resume="never")
        assert contents(folder) == left
    else:
        with pytest.raises(CohortError, match="holds nothing to resume"):
            emit(sensor(), ROOTS, SEED, folder, resume="always")
    emit(sensor(), ROOTS, SEED, folder, resume="always" if left else "if-possible")
    assert contents(folder) == reference
    shutil.rmtree(folder)
    return "nothing" if not left else "pages" if "public/README.md" in left else "shards"


@pytest.mark.slow
def test_a_kill_at_some_step_loses_nothing(steps: int, reference: dict[str, bytes], tmp_path: Path) -> None:
    """Before every sixth step, from the first; and before the last, which names the last manifest."""
    moments = [*range(1, steps, 6), steps]
    assert killed(tmp_path / "cohort", moments) == ""
    states = [check(tmp_path / f"cohort-{moment}", reference, commands=True) for moment in moments]
    assert set(states) == {"nothing", "shards", "pages"}
    assert states.count("shards") > len(states) / 3


@pytest.mark.slow
@pytest.mark.parametrize("first", [2, 3, 4, 6])
def test_a_kill_at_more_steps_loses_nothing(
    first: int, steps: int, reference: dict[str, bytes], tmp_path: Path
) -> None:
    """With those above five steps of six, and more than fifty; benchmarks/soak.py kills anywhere."""
    moments = list(range(first, steps, 6))
    assert 5 * len(moments) >= 50
    assert killed(tmp_path / "cohort", moments) == ""
    for moment in moments:
        check(tmp_path / f"cohort-{moment}", reference, commands=False)


def kill_once(job: Job, told: Told) -> int:
    """Work that kills its process, the first time that it is done on the first job."""
    mark = Path(str(job.folder)) / "killed"
    if job.shard.number == 0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return job.shard.number


def kill_always(job: Job, told: Told) -> int:
    """Work that kills its process whenever it is done on the last job."""
    if job.shard.number == job.shard.of - 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return job.shard.number


@pytest.fixture
def jobs(tmp_path: Path) -> list[Job]:
    cohort = sensor()
    digest = spec_digest(cohort_data(cohort))
    return [Job(cohort, digest, SEED, 2000, shard, tmp_path) for shard in shards(2000)]


@pytest.mark.slow
def test_what_a_killed_worker_took_with_it_is_done_once_more(jobs: list[Job], tmp_path: Path) -> None:
    with Crew(None, 2, None) as crew:
        done = [number for _, number in crew.run(kill_once, jobs, lambda roots: None)]
    assert sorted(done) == [job.shard.number for job in jobs] and (tmp_path / "killed").exists()


@pytest.mark.slow
def test_work_that_kills_its_worker_twice_is_told(jobs: list[Job]) -> None:
    with (
        pytest.raises(CohortError, match=r"a worker was killed \(out of memory\?\)\s+try: use fewer workers"),
        Crew(None, 2, None) as crew,
    ):
        list(crew.run(kill_always, jobs, lambda roots: None))
