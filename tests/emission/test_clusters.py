"""Cohorts written by a real Dask scheduler and real workers, on loopback, some of which are killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import distributed
import pytest

from tests.cohorts import sensor
from tests.emission.test_emit import contents
from worldgen.cohort.manifests import CohortError
from worldgen.emission import clusters
from worldgen.emission.clusters import dask
from worldgen.emission.emit import emit

ROOT = Path(__file__).parents[2]
ROOTS, SEED = 4000, 3  # sixteen shards

SCHEDULER = """
import asyncio, sys
from distributed import Scheduler
async def main():
    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""

WORKER = """
import asyncio, sys
from distributed import Worker
async def main():
    async with Worker(sys.argv[1], nthreads=1, local_directory=sys.argv[2], dashboard=False) as worker:
        print(worker.address, flush=True)
        await worker.finished()
asyncio.run(main())
"""


def started(stack: ExitStack, code: str, *words: object) -> tuple["subprocess.Popen[str]", str]:
    """A process, killed in the end, and the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    stack.callback(process.wait)
    stack.callback(process.kill)
    assert process.stdout is not None
    stack.callback(process.stdout.close)
    return process, process.stdout.readline().strip()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as entered:
        yield entered


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("reference") / "cohort"
    emit(sensor(), ROOTS, SEED, folder)
    return contents(folder)


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_nothing(
    stack: ExitStack, reference: dict[str, bytes], tmp_path: Path
) -> None:
    _, address = started(stack, SCHEDULER)
    with pytest.raises(CohortError, match="has no workers"), dask(address):
        pass
    workers = [started(stack, WORKER, address, tmp_path)[0] for _ in range(2)]
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if not killed and 0 < done < total:
            workers[0].send_signal(signal.SIGKILL)
            killed.append(done)

    with dask(address) as executor:
        emit(sensor(), ROOTS, SEED, tmp_path / "cohort", executor=executor, progress=kill_one)
    assert killed and workers[0].wait() == -signal.SIGKILL
    assert contents(tmp_path / "cohort") == reference


@pytest.mark.slow
def test_a_scheduler_that_goes_away_leaves_a_folder_that_resumes(
    stack: ExitStack, reference: dict[str, bytes], tmp_path: Path
) -> None:
    scheduler, address = started(stack, SCHEDULER)
    started(stack, WORKER, address, tmp_path)

    def kill_it(done: int, total: int) -> None:
        if done:
            scheduler.kill()

    said = rf"the scheduler at {address} went away\s+try: start it"
    with pytest.raises(CohortError, match=said), dask(address) as executor:
        emit(sensor(), ROOTS, SEED, tmp_path / "cohort", executor=executor, progress=kill_it)
    emit(sensor(), ROOTS, SEED, tmp_path / "cohort", resume="always")
    assert contents(tmp_path / "cohort") == reference


@pytest.mark.slow
def test_a_cluster_of_this_machine_writes_the_same_bytes(reference: dict[str, bytes], tmp_path: Path) -> None:
    with dask("local", workers=2) as executor:
        emit(sensor(), ROOTS, SEED, tmp_path / "cohort", executor=executor)
    assert contents(tmp_path / "cohort") == reference


def test_a_cluster_of_this_machine_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__NANNY__PRELOAD", '["nowhere_at_all"]')
    said = r"no cluster could be started on this machine: .*nowhere_at_all.*\s+try: use --workers"
    with pytest.raises(CohortError, match=said), dask("local"):
        pass


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9"),
        ("tcp://nowhere.invalid:8786", "no scheduler answers at tcp://nowhere.invalid:8786"),
        ("127.0.0.1", "'127.0.0.1' is no address of a scheduler"),
        ("pigeon://127.0.0.1:8786", "'pigeon://127.0.0.1:8786' is no address of a scheduler"),
    ],
)
def test_an_address_without_a_scheduler_is_told_in_seconds(address: str, said: str) -> None:
    start = time.monotonic()
    with pytest.raises(CohortError, match=said), dask(address):
        pass
    assert time.monotonic() - start < clusters.PATIENCE + 2


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "distributed", None)
    said = r"Dask is not installed\s+try: pip install 'worldgen\[dask\]'"
    with pytest.raises(CohortError, match=said), dask("local"):
        pass


def test_a_shard_that_kills_every_worker_is_told(stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Raised by hand: to bring it about, four workers must die."""
    monkeypatch.setattr(clusters, "_same_versions", lambda client, address: None)
    last = SimpleNamespace(address="tcp://w:1")
    error = distributed.KilledWorker("a shard", last, 3)
    _, address = started(stack, SCHEDULER)
    with pytest.raises(CohortError, match=r"one shard killed tcp://w:1"), dask(address):
        raise error
