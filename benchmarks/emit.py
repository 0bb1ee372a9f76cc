"""How fast cohorts are emitted, verified and read, as ratios that one run measures.

    python benchmarks/emit.py [--roots N] [--shared N] [--large N] [--rounds R] [--only WORD]

The floor is pyarrow alone, on one thread: it writes the finished tables of the same cohort, every column as
the files say that theirs is written, to the same row groups. Emission and floor take turns in one process,
which has imported everything before the clock starts; each figure is the least of the rounds, because other
work on the machine only ever adds. Work of one process is measured in seconds of processor time; two
workers against one in wall-clock time, start of the workers included, so that few roots and a busy machine
hide what the second one gains: the processor time of both is told beside it. Admission is the confirmation
of every posterior by a second path. The floor has nothing like it, so emission is shown without it, and
with. Memos are one request a root, and so have four times the roots.
"""

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.cohort.asking import fixed_asking, state_of
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import table_files
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import SCHEMAS
from worldgen.cohort.variants import BY_NAME
from worldgen.emission.emit import emit
from worldgen.emission.verify import verify
from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL
from worldgen.exact.pools import text_bytes
from worldgen.spec import cohort_of, read_spec
from worldgen.worlds.base import Streams
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

SEED = 7
MEBIBYTE = 2**20
DECODED = 16_384  # payloads that are decoded at once
WARM = 64  # roots of the small cohort that is emitted before the clock starts
MORE = 4  # times the roots for memos

CELLS = ("contracts", "headroom")
MEMOS = ("peer-review", "credit-risk", "covert-transfer")
CANDIDATES, ITEMS = "arithmetic", 384  # a seed has no more of them

Clock = Callable[[], float]
Figures = dict[str, float]


def timed(clock: Clock, action: Callable[..., object], *args: object, **options: object) -> float:
    """Seconds that a call takes by a clock."""
    start = clock()
    action(*args, **options)
    return clock() - start


def peak() -> float:
    """The largest memory of this process and of any that it started, in MiB."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return max(resource.getrusage(kind).ru_maxrss for kind in kinds) * 1024 / MEBIBYTE


def spent() -> float:
    """Seconds of processor time of this process and of those that it started and saw end."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cohort_at(spec: str) -> Cohort:
    """The cohort of a spec."""
    found = read_spec(spec)
    return found if isinstance(found, Cohort) else cohort_of(found)


@contextmanager
def unconfirmed() -> Iterator[None]:
    """No posterior is confirmed by a second path meanwhile."""
    with ExitStack() as stack:
        for world in (CellWorld, FactorWorld, TransferWorld, CandidateWorld):
            stack.enter_context(patch.object(world, "disagreements", lambda *_: []))
        yield


def columns_of(file: Path) -> dict[str, Any]:
    """How the columns of a file were written, as pyarrow is told it."""
    group = pq.read_metadata(file).row_group(0)
    columns = [group.column(i) for i in range(group.num_columns)]
    return {
        "use_dictionary": [c.path_in_schema for c in columns if "RLE_DICTIONARY" in c.encodings],
        "write_statistics": [c.path_in_schema for c in columns if c.is_stats_set],
    }


def finished(folder: Path) -> list[tuple[dict[str, Any], list[pa.Table]]]:
    """Every file of a cohort: how its columns were written, and its row groups, each in one piece."""
    found = []
    for name in SCHEMAS:
        for file in table_files(folder, name):
            opened = pq.ParquetFile(file)
            groups = [opened.read_row_group(i).combine_chunks() for i in range(opened.num_row_groups)]
            found.append((columns_of(Path(str(file))), groups))
    return found


def write_finished(files: list[tuple[dict[str, Any], list[pa.Table]]], folder: Path) -> None:
    """Write finished tables, row group by row group, and nothing else."""
    folder.mkdir()
    for number, (columns, groups) in enumerate(files):
        with pq.ParquetWriter(
            folder / f"{number}.parquet",
            groups[0].schema,
            compression=COMPRESSION,
            compression_level=COMPRESSION_LEVEL,
            use_compliant_nested_type=False,
            **columns,
        ) as writer:
            for group in groups:
                writer.write_table(group)


def emission(spec: str, roots: int, rounds: int) -> Figures:
    """Processor seconds of emission without admission and with it, of the floor and of verification, by one
    process: the least of the rounds.
    """
    pa.set_cpu_count(1)
    clock, variants = time.process_time, len(cohort_at(spec).variants)
    taken: dict[str, list[float]] = {"bare": [], "full": [], "floor": [], "verify": []}
    with tempfile.TemporaryDirectory() as scratch:  # for all rounds: where many were deleted, files cost more
        emit(cohort_at(spec), WARM, SEED, Path(scratch) / "warm")
        for number in range(rounds):
            bare, full, floor = (Path(scratch) / f"{name}-{number}" for name in ("bare", "full", "floor"))
            # A cohort read anew has confirmed no pattern yet.
            with unconfirmed():
                taken["bare"].append(timed(clock, emit, cohort_at(spec), roots, SEED, bare))
            taken["full"].append(timed(clock, emit, cohort_at(spec), roots, SEED, full))
            files = finished(full)
            taken["floor"].append(timed(clock, write_finished, files, floor))
            del files
            taken["verify"].append(timed(clock, verify, full))
    return {name: min(times) for name, times in taken.items()} | {"rows": roots * variants}


def emission_by(spec: str, roots: int, workers: int) -> Figures:
    """Wall-clock and processor seconds of an emission by workers, and the peak of the largest process."""
    cohort, before = cohort_at(spec), spent()
    with tempfile.TemporaryDirectory() as scratch:
        wall = timed(time.perf_counter, emit, cohort, roots, SEED, scratch, workers=workers)
    return {"wall": wall, "processor": spent() - before, "peak": peak()}


def decoding(spec: str, rounds: int) -> Figures:
    """Payloads decoded a second, every byte compared, and the bytes of one."""
    cohort = cohort_at(spec)
    stratum, variant = cohort.strata[0], BY_NAME[cohort.variants[0]]
    asking = fixed_asking(cohort, stratum, variant, state_of(stratum, variant))
    roots = draw_roots(stratum, SEED, np.arange(DECODED))
    streams = Streams(SEED, stratum.world.name, stratum.name)
    values = {**roots.values, **asking.present(streams, roots.indices).values}
    payloads = asking.plan.render(values, DECODED)
    asking.plan.decode(payloads)
    seconds = min(timed(time.process_time, asking.plan.decode, payloads) for _ in range(rounds))
    return {"rate": DECODED / seconds, "bytes": len(text_bytes(payloads)[0]) / DECODED}


def shapes(spec: str, roots: int) -> Figures:
    """Row groups and footers of the requests of a cohort, and how many texts have statistics."""
    with tempfile.TemporaryDirectory() as scratch:
        with unconfirmed():
            emit(cohort_at(spec), roots, SEED, scratch)
        files = [Path(str(file)) for file in table_files(Path(scratch), "requests")]
        read = [pq.read_metadata(file) for file in files]
        groups = [each.row_group(i) for each in read for i in range(each.num_row_groups)]
        columns = [group.column(i) for group in groups for i in range(group.num_columns)]
        payloads = [column for column in columns if column.path_in_schema == "payload"]
        return {
            "rows": max(group.num_rows for group in groups),
            "payload": max(column.total_uncompressed_size for column in payloads),
            "groups": max(each.num_row_groups for each in read),
            "footer": max(each.serialized_size for each in read),
            "share": sum(each.serialized_size for each in read) / sum(file.stat().st_size for file in files),
            "statistics": sum(c.is_stats_set for c in columns if c.physical_type == "BYTE_ARRAY"),
        }


def apart(action: Callable[..., Figures], *args: object) -> Figures:
    """What an action finds in a process of its own: a peak is not that of an earlier one."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(action, *args).result()


def told(what: str, figure: str = "", aim: str = "", more: str = "") -> None:
    """Print one line."""
    print(f"{what:<50}{figure:>12}{aim:>16}   {more}".rstrip())
    sys.stdout.flush()


def tell_emission(spec: str, roots: int, rounds: int, aim: str) -> None:
    """Emission, admission and verification of one cohort against its floor."""
    found = apart(emission, spec, roots, rounds)
    rows, floor, bare, full = (found[name] for name in ("rows", "floor", "bare", "full"))
    told(f"{spec}, {roots:,} roots, {rows:,.0f} requests")
    each = f"{1e6 * floor / rows:.2f} us a request, {rows / floor:,.0f} requests/s"
    told("  floor: pyarrow writes the finished tables", f"{floor:.2f} s", "", each)
    more = f"{bare:.2f} s, {rows / bare:,.0f} requests/s"
    told("  emission without admission / floor", f"{bare / floor:.2f}", aim, more)
    more = f"{1e6 * (full - bare) / roots:.1f} us a root"
    told("  admission / floor", f"{(full - bare) / floor:.2f}", "", more)
    told("  emission / floor", f"{full / floor:.2f}", "", f"{full:.2f} s, {rows / full:,.0f} requests/s")
    more = f"{found['verify']:.2f} s"
    told("  verification / emission", f"{found['verify'] / full:.2f}", "at most 3", more)


def tell_workers(spec: str, roots: int, rounds: int) -> None:
    """Two workers against one, taking turns."""
    pairs = [[apart(emission_by, spec, roots, workers) for workers in (1, 2)] for _ in range(rounds)]
    walls, used = ([min(pair[i][name] for pair in pairs) for i in (0, 1)] for name in ("wall", "processor"))
    told(f"{spec}, {roots:,} roots, by one worker and by two")
    more = f"{walls[0]:.2f} s, {walls[1]:.2f} s"
    told("  one / two, wall clock", f"{walls[0] / walls[1]:.2f}", "at least 1.8", more)
    more = f"{used[0]:.2f} s, {used[1]:.2f} s: two have each imported and compiled"
    told("  one / two, processor time, times two", f"{2 * used[0] / used[1]:.2f}", "", more)
    told(
        "  largest memory of one of two workers",
        f"{max(pair[1]['peak'] for pair in pairs):.0f} MiB",
        "under 400 MiB",
    )


def tell_decoding(spec: str, rounds: int) -> None:
    """How fast payloads are read back."""
    found = apart(decoding, spec, rounds)
    size = f"{found['bytes']:,.0f} B each"
    told(f"{spec}, decoded and compared a second", f"{found['rate'] / 1e6:.2f} M", "at least 0.7 M", size)


def tell_memory(spec: str, sizes: list[int]) -> None:
    """The peak of one process, for fewer roots and for more."""
    for size in sizes:
        found = apart(emission_by, spec, size, 1)
        told(f"{spec}, {size:,} roots, peak of one worker", f"{found['peak']:.0f} MiB", "under 400 MiB")


def tell_shapes(spec: str, roots: int) -> None:
    """Row groups, footers and statistics."""
    found = apart(shapes, spec, roots)
    more = f"at most {found['payload'] / MEBIBYTE:.1f} MiB of payload, {found['groups']:.0f} in a file"
    told(f"{spec}, rows of the largest row group", f"{found['rows']:,.0f}", "", more)
    share = f"{100 * found['share']:.2f} % of the files"
    told("  largest footer of the requests", f"{found['footer'] / 1024:.1f} KiB", "", share)
    told("  columns of texts with statistics", f"{found['statistics']:.0f}", "none")


def main() -> None:
    """Print every aim and what was measured."""
    parser = argparse.ArgumentParser(description="What emission costs, as ratios to pyarrow writing alone.")
    parser.add_argument("--roots", type=int, default=100_000, help="roots of a cohort of cells")
    parser.add_argument("--shared", type=int, default=400_000, help="roots for one worker against two")
    parser.add_argument("--large", type=int, default=1_000_000, help="roots for the second peak; 0: none")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="parts named so: emission, workers, memory, ...")
    chosen = parser.parse_args()
    roots, rounds, items = chosen.roots, chosen.rounds, min(chosen.roots, ITEMS)
    sizes = [size for size in (roots, chosen.large) if size]
    aims = dict.fromkeys(MEMOS, "at most 1.6") | {CELLS[0]: "at most 2.2"}
    first = (CELLS[0], MEMOS[0])
    asked = dict.fromkeys(CELLS, roots) | dict.fromkeys(MEMOS, MORE * roots) | {CANDIDATES: items}
    emissions = [(spec, many, rounds, aims.get(spec, "")) for spec, many in asked.items()]
    parts: list[tuple[Callable[..., None], Sequence[tuple[Any, ...]]]] = [
        (tell_emission, emissions),
        (tell_workers, [(CELLS[0], chosen.shared, rounds), (MEMOS[0], MORE * chosen.shared, rounds)]),
        (tell_decoding, [(spec, rounds) for spec in (CELLS[0], *MEMOS)]),
        (tell_memory, [(spec, sizes) for spec in first]),
        (tell_shapes, [(spec, roots) for spec in first]),
    ]
    told("", "measured", "aim")
    for part, subjects in parts:
        for subject in subjects if chosen.only in part.__name__ else ():
            part(*subject)


if __name__ == "__main__":
    main()
