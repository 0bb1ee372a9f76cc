"""How fast cohorts are emitted, next to pyarrow writing the same finished tables.

    python benchmarks/emit.py [--roots N] [--rounds R] [--workers W ...] [SPEC ...]

Per spec and number of workers: request rows a second, wall-clock of emit over wall-clock of the bare
writes (one thread, the same Parquet settings, both in this run, the median of the rounds), and the peak
memory of the largest process. Every emission runs in a process of its own, which has imported
everything before the clock starts; workers start inside the measured time.
"""

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import side_of, table_files
from worldgen.cohort.schemas import TABLES
from worldgen.emission.emit import emit
from worldgen.emission.parquet import Writer
from worldgen.exact import arrow
from worldgen.spec import cohort_of, read_spec


def timed(action: Callable[..., object], *args: object, **options: object) -> float:
    """Seconds that a call takes."""
    start = time.perf_counter()
    action(*args, **options)
    return time.perf_counter() - start


def write_finished(tables: dict[str, list[arrow.Table]], folder: Path) -> None:
    """Write finished tables on one thread, shard by shard, and nothing else."""
    pa.set_cpu_count(1)
    for name, shards in tables.items():
        for number, table in enumerate(shards):
            writer = Writer(folder / side_of(name) / name / f"{number}.parquet", TABLES[name])
            writer.write(table)
            writer.close({})


def read_shards(folder: Path, name: str) -> list[arrow.Table]:
    """The finished shards of a table."""
    return [arrow.read_table([file], TABLES[name]) for file in table_files(folder, name)]


def one_round(cohort: Cohort, roots: int, workers: int) -> tuple[float, float, float]:
    """Seconds of one emission and of the bare writes of what it emitted; its peak memory in MiB."""
    with tempfile.TemporaryDirectory() as scratch:
        whole, bare = Path(scratch) / "whole", Path(scratch) / "bare"
        emitting = timed(emit, cohort, roots, 7, whole, workers=workers)
        kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        peak = max(resource.getrusage(kind).ru_maxrss for kind in kinds) / 1024
        tables = {name: read_shards(whole, name) for name in TABLES}
        return emitting, timed(write_finished, tables, bare), peak


def measure(cohort: Cohort, roots: int, workers: int, rounds: int) -> tuple[float, float, float]:
    """The medians of some rounds, each in a process of its own: a peak is not that of an earlier round."""
    found = []
    for _ in range(rounds):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(one_round, cohort, roots, workers).result())
    emitting, writing, peak = (statistics.median(column) for column in zip(*found, strict=True))
    return emitting, writing, peak


def main() -> None:
    """Print one line a spec and number of workers."""
    parser = argparse.ArgumentParser(description="Rows a second of emit, and its ratio to bare writing.")
    parser.add_argument("specs", nargs="*", default=["contracts"])
    parser.add_argument("--roots", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    chosen = parser.parse_args()
    heads = "".join(f"{head:>9}" for head in ("rows/s", "emit s", "write s", "ratio", "MiB"))
    print(f"{'spec':<20}{'workers':>8}{'rows':>10}{heads}")
    for name in chosen.specs:
        spec = read_spec(name)
        cohort = spec if isinstance(spec, Cohort) else cohort_of(spec)
        for workers in chosen.workers:
            emitting, writing, peak = measure(cohort, chosen.roots, workers, chosen.rounds)
            rows = chosen.roots * len(cohort.variants)
            figures = f"{rows / emitting:>9,.0f}{emitting:>9.2f}{writing:>9.2f}{emitting / writing:>9.1f}"
            print(f"{name:<20}{workers:>8}{rows:>10,}{figures}{peak:>9.0f}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
