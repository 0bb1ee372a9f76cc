"""How fast cohorts are emitted, verified and read, as ratios that one run measures.

    python benchmarks/emit.py [--roots N] [--shared N] [--large N] [--rounds R] [SPEC]

The floor is pyarrow alone, on one thread: it writes the finished tables of the same cohort, with the same
settings, to the same row groups. Every figure is of a process of its own, which has imported everything
before the clock starts, and is the median of the rounds. Work of one process is measured in seconds of
processor time, which other work on the machine lengthens little; two workers against one in wall-clock time,
start of the workers included, so few roots and a busy machine hide what the second one gains. Admission is
the confirmation of every posterior by 70-digit decimals; the floor has nothing like it, so emission is shown
without it, and with.
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
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.cohort.asking import fixed_asking, state_of
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import side_of, table_files
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import TABLES
from worldgen.cohort.variants import BY_NAME
from worldgen.emission.emit import emit
from worldgen.emission.parquet import Writer
from worldgen.emission.verify import verify
from worldgen.spec import cohort_of, read_spec
from worldgen.worlds.base import Streams
from worldgen.worlds.cells import CellWorld

SEED = 7
MEBIBYTE = 2**20
DECODED = 16_384  # payloads that are decoded at once

Clock = Callable[[], float]


def timed(clock: Clock, action: Callable[..., object], *args: object, **options: object) -> float:
    """Seconds that a call takes by a clock."""
    start = clock()
    action(*args, **options)
    return clock() - start


def peak() -> float:
    """The largest memory of this process and of any that it started, in MiB."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) * 1024 / MEBIBYTE


def cohort_at(spec: str) -> Cohort:
    """The cohort of a spec."""
    found = read_spec(spec)
    return found if isinstance(found, Cohort) else cohort_of(found)


def write_finished(tables: dict[str, list[list[pa.Table]]], folder: Path) -> None:
    """Write finished tables, row group by row group, and nothing else."""
    for name, shards in tables.items():
        for number, groups in enumerate(shards):
            writer = Writer(folder / side_of(name) / name / f"{number}.parquet", TABLES[name])
            for group in groups:
                writer.write(group)
            writer.close({})


def row_groups(file: Path) -> list[pa.Table]:
    """The row groups of a shard, each one table in one piece."""
    opened = pq.ParquetFile(file)
    return [opened.read_row_group(i).combine_chunks() for i in range(opened.num_row_groups)]


def emission(spec: str, roots: int, admission: bool) -> tuple[float, ...]:
    """Processor seconds of emission, of the floor and of verification by one process, and its peak."""
    pa.set_cpu_count(1)
    cohort = cohort_at(spec)
    pa.array([])  # Arrow looks for pandas when it makes its first array
    with tempfile.TemporaryDirectory() as scratch:
        whole, bare = Path(scratch) / "whole", Path(scratch) / "bare"
        clock = time.process_time
        if not admission:
            with patch.object(CellWorld, "disagreements", lambda *_: []):
                emitting = timed(clock, emit, cohort, roots, SEED, whole)
        else:
            emitting = timed(clock, emit, cohort, roots, SEED, whole)
        highest = peak()
        tables = {name: list(map(row_groups, table_files(whole, name))) for name in TABLES}
        writing = timed(clock, write_finished, tables, bare)
        del tables
        verifying = timed(clock, verify, whole) if admission else 0.0
    return emitting, writing, verifying, highest


def emission_by(spec: str, roots: int, workers: int) -> tuple[float, ...]:
    """Wall-clock seconds of an emission by some workers, and the peak of the largest process."""
    with tempfile.TemporaryDirectory() as scratch:
        emitting = timed(time.perf_counter, emit, cohort_at(spec), roots, SEED, scratch, workers=workers)
    return emitting, peak()


def decoding(spec: str) -> tuple[float, ...]:
    """Payloads decoded a second, every byte compared, and the bytes of one."""
    cohort = cohort_at(spec)
    stratum, variant = cohort.strata[0], BY_NAME[cohort.variants[0]]
    asking = fixed_asking(cohort, stratum, variant, state_of(stratum, variant))
    roots = draw_roots(stratum, SEED, np.arange(DECODED))
    streams = Streams(SEED, stratum.world.name, stratum.name)
    values = {**roots.values, **asking.present(streams, roots.indices).values}
    payloads = asking.plan.render(values, DECODED)
    asking.plan.decode(payloads)
    seconds = timed(time.process_time, asking.plan.decode, payloads)
    return DECODED / seconds, sum(len(text.encode()) for text in payloads.to_pylist()) / DECODED


def medians(rounds: int, action: Callable[..., tuple[float, ...]], *args: object) -> list[float]:
    """The medians of some rounds, each in a process of its own: a peak is not that of an earlier round."""
    found = []
    for _ in range(rounds):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(action, *args).result())
    return [statistics.median(column) for column in zip(*found, strict=True)]


def told(what: str, figure: str, aim: str, more: str = "") -> None:
    """Print one line."""
    print(f"{what:<52}{figure:>12}{aim:>16}   {more}".rstrip())
    sys.stdout.flush()


def main() -> None:
    """Print every aim and what was measured."""
    parser = argparse.ArgumentParser(description="What emission costs, as ratios to pyarrow writing alone.")
    parser.add_argument("spec", nargs="?", default="contracts")
    parser.add_argument("--roots", type=int, default=100_000)
    parser.add_argument("--shared", type=int, default=400_000, help="roots for one worker against two")
    parser.add_argument("--large", type=int, default=1_000_000, help="roots for the second peak; 0: none")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    spec, roots, rounds = chosen.spec, chosen.roots, chosen.rounds
    rows = roots * len(cohort_at(spec).variants)
    told(f"{spec}, {roots:,} roots, {rows:,} requests", "measured", "aim")
    bare, floor, _, _ = medians(rounds, emission, spec, roots, False)
    each = f"{1e6 * floor / rows:.2f} us a request, {rows / floor:,.0f} requests/s"
    told("floor: pyarrow writes the finished tables", f"{floor:.2f} s", "", each)
    told("emission without admission / floor", f"{bare / floor:.2f}", "at most 2.2", f"{bare:.2f} s")
    full, written, verified, single = medians(rounds, emission, spec, roots, True)
    told("emission / floor", f"{full / written:.2f}", "", f"{full:.2f} s, {rows / full:,.0f} requests/s")
    told(
        "admission / floor",
        f"{(full - bare) / floor:.2f}",
        "",
        f"{1e6 * (full - bare) / roots:.1f} us a root",
    )
    told("verification / emission", f"{verified / full:.2f}", "at most 3", f"{verified:.2f} s")
    one, _ = medians(rounds, emission_by, spec, chosen.shared, 1)
    two, _ = medians(rounds, emission_by, spec, chosen.shared, 2)
    what = f"one worker / two, {chosen.shared:,} roots, wall clock"
    told(what, f"{one / two:.2f}", "at least 1.8", f"{one:.2f} s, {two:.2f} s")
    speed, size = medians(rounds, decoding, spec)
    told(
        "payloads decoded and compared a second",
        f"{speed / 1e6:.2f} M",
        "at least 0.7 M",
        f"{size:,.0f} B each",
    )
    told("peak memory of one worker", f"{single:.0f} MiB", "under 400 MiB")
    if chosen.large:
        _, large = medians(1, emission_by, spec, chosen.large, 1)
        told(f"  the same for {chosen.large:,} roots", f"{large:.0f} MiB", "the same")


if __name__ == "__main__":
    main()
