"""Emitting a cohort: shards by any executor, resumed where they stand, manifests last."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from operator import index
from pathlib import Path
from typing import Literal

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import MANIFEST, CohortError, read_manifest, sha256_of
from worldgen.cohort.schemas import CANDIDATES, EVALUATOR, POOLED, PUBLIC
from worldgen.cohort.shards import shards
from worldgen.emission.finishing import SIDES, finish
from worldgen.emission.shards import Job, Receipt, kept, write_shard
from worldgen.exact import arrow
from worldgen.spec.cohorts import as_cohort
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.base import World

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # the one use asks first

Resume = Literal["never", "always", "if-possible"]
Progress = Callable[[int, int], None]

FOLDERS = {"public": {*PUBLIC, *POOLED}, "evaluator": {*EVALUATOR, *CANDIDATES, "spec"}}
PAGES = {MANIFEST, "README.md", "croissant.json"}


@dataclass(frozen=True)
class Emission:
    """What an emission did: how many shards it wrote, how many it found finished."""

    folder: Path
    written: int
    found: int


def emit(  # noqa: PLR0913  (every option is a keyword with a default)
    spec: World | Cohort,
    roots: int,
    seed: int,
    out: str | Path,
    *,
    workers: int = 1,
    resume: Resume = "if-possible",
    force: bool = False,
    executor: Executor | None = None,
    progress: Progress = lambda done, total: None,
) -> Emission:
    """Write a cohort of `roots` roots to the folder `out`; `cohort_of` makes one of a bare world.

    The bytes depend on the cohort, the seed and `roots` only. What stands in `out` is kept where it is
    part of this very cohort and `resume` allows; `force` clears an earlier cohort away first. Files that
    are not of a cohort are never touched. `executor` replaces the pool of `workers` processes: any
    `concurrent.futures.Executor` will do, on any machines that write to this file system: every shard is
    looked for here before the manifests are written. Raises CohortError where `out` is taken or a shard
    did not come, and whatever the draws raise.
    """
    folder, cohort, seed = Path(out), as_cohort(spec), index(seed)  # 7.0 would name other streams than 7
    if seed < 0:
        raise CohortError(f"{seed} is no seed", remedy="take any whole number from 0")
    if workers < 1:
        raise CohortError(f"{workers} workers write nothing", remedy="ask for at least 1 worker")
    if folder.exists() and not folder.is_dir():
        raise CohortError(f"{folder} is a file", remedy="name a folder, which need not be there yet")
    digest = spec_digest(cohort_data(cohort))
    jobs = [Job(cohort, digest, seed, roots, shard, folder) for shard in shards(roots)]
    if resume == "always" and not _holds_files(folder):
        raise CohortError(f"{folder} holds nothing to resume", remedy="emit without --resume always")
    with _alone(folder):
        if force:
            clear(folder)
        standing = _standing(folder, jobs, resume)
        if standing == "whole":
            return Emission(folder, 0, len(jobs))
        _unfinish(folder)
        receipts = _found(jobs) if standing == "part" else {}
        todo = [job for job in jobs if job.shard.number not in receipts]
        progress(len(receipts), len(jobs))
        with _pool(executor, min(workers, len(todo))) as pool:
            for job, receipt in _run(todo, pool):
                receipt.check(job)
                receipts[job.shard.number] = receipt
                progress(len(receipts), len(jobs))
        finish(jobs, [receipts[job.shard.number] for job in jobs])
    return Emission(folder, len(todo), len(jobs) - len(todo))


def _found(jobs: list[Job]) -> dict[int, Receipt]:
    """The receipts of the shards that stand, by number."""
    found = ((job.shard.number, kept(job)) for job in jobs)
    return {number: receipt for number, receipt in found if receipt is not None}


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep other emissions out of the folder. The lock goes with the process, however it ends."""
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise CohortError(
            f"another emission is writing to {folder}", remedy="wait for it, or choose another folder"
        ) from None
    try:
        yield
    finally:
        os.close(handle)


def _run(jobs: list[Job], pool: Executor | None) -> Iterator[tuple[Job, Receipt]]:
    if pool is None:
        for job in jobs:
            yield job, write_shard(job)
        return
    with _interrupts_blocked():
        futures = {pool.submit(write_shard, job): job for job in jobs}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Processes that start meanwhile never see Ctrl-C: this process alone decides what is stopped."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _pool(executor: Executor | None, workers: int) -> Iterator[Executor | None]:
    if executor is not None or workers <= 1:
        yield executor
        return
    # Arrow and numpy keep threads that a forked child would inherit locked, so children are spawned.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield pool


def _standing(folder: Path, jobs: list[Job], resume: Resume) -> Literal["none", "part", "whole"]:
    """What of this cohort stands in the folder. Raises CohortError where something else does."""
    _no_strangers(folder, "choose an empty folder")
    if not _holds_files(folder):
        return "none"
    if resume == "never":
        raise CohortError(
            f"{folder} is not empty", remedy="use --force to overwrite it, or --resume if-possible to go on"
        )
    other = next(_others(folder, jobs), None)
    if other:
        raise CohortError(
            f"{folder} holds another cohort: {other}",
            remedy="choose another folder, or --force to overwrite it",
        )
    return "whole" if _sealed(folder) else "part"


def _sealed(folder: Path) -> bool:
    """Whether every file is there as the manifests say, and the public one as the evaluator's says."""
    try:
        sealed = read_manifest(folder / "evaluator")["public_manifest"]
        listed = ((folder / side, read_manifest(folder / side)["files"].items()) for side in SIDES)
        return sealed == sha256_of(folder / "public" / MANIFEST) and all(
            entry["sha256"] == sha256_of(side / name) for side, files in listed for name, entry in files
        )
    except (CohortError, OSError, TypeError, KeyError):
        return False


def _holds_files(folder: Path) -> bool:
    return folder.exists() and any(path.is_file() for path in folder.rglob("*"))


def _others(folder: Path, jobs: list[Job]) -> Iterator[str]:
    """In what way the files of the folder are of another spec, seed or root count."""
    job = jobs[0]
    with suppress(CohortError):  # without a manifest that can be read, the footers tell
        manifest = read_manifest(folder / "evaluator")
        wanted = {"spec_digest": job.spec_digest, "seed": str(job.seed), "roots": job.roots}
        yield from (f"its {key} is {manifest.get(key)}" for key in wanted if manifest.get(key) != wanted[key])
    expected = {job.path(table): (job, table) for job in jobs for table in job.tables}
    for path in sorted(folder.glob("*/*/*.parquet")):
        if path not in expected:
            yield f"{path.relative_to(folder)} is of another root count"
            continue
        try:
            footer = arrow.read_footer(path)
        except (OSError, ValueError):
            continue
        owner, table = expected[path]
        for key, value in owner.identity(table).items():
            if footer.get(key) != value:
                yield f"{path.relative_to(folder)} was made for {key} {footer.get(key)}"


def foreign(folder: Path) -> Iterator[Path]:
    """The files of a folder that no cohort has, relative to it, found one by one: it may be a whole disk."""
    for place, folders, files in os.walk(folder):
        folders.sort()
        for path in (Path(place, name) for name in sorted(files)):
            parts = path.relative_to(folder).parts
            table_file = len(parts) == 3 and parts[1] in FOLDERS.get(parts[0], ())
            page = len(parts) == 2 and parts[0] in SIDES and parts[1] in PAGES
            spec = parts[:2] == ("evaluator", "spec")
            if path.is_file() and not (page or spec or (table_file and path.suffix in {".parquet", ".tmp"})):
                yield Path(*parts)


def _no_strangers(folder: Path, remedy: str) -> None:
    if stranger := next(foreign(folder), None):
        message = f"{folder} holds files that are not of a cohort, '{stranger}' among them"
        raise CohortError(message, remedy=remedy)


def clear(folder: Path) -> None:
    """Remove the cohort in a folder. Raises CohortError if anything else lies there."""
    _no_strangers(folder, "remove them yourself, or choose another folder")
    _unfinish(folder)
    for side in SIDES:
        shutil.rmtree(folder / side, ignore_errors=True)


def _unfinish(folder: Path) -> None:
    """Take the manifests away before anything else, so that no half of a work is taken for a cohort."""
    for side in SIDES:
        (folder / side / MANIFEST).unlink(missing_ok=True)
