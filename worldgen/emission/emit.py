"""Emitting a cohort: shards by any executor, resumed where they stand, manifests last."""

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Literal

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import MANIFEST, CohortError, FormatError, read_manifest, sha256_of
from worldgen.cohort.schemas import CANDIDATES, EVALUATOR, POOLED, PUBLIC
from worldgen.cohort.shards import shards
from worldgen.emission.executors import write_shards
from worldgen.emission.finishing import SIDES, finish
from worldgen.emission.gauges import Gauge, Progress
from worldgen.emission.locks import alone
from worldgen.emission.shards import Job, Receipt, kept
from worldgen.emission.temporaries import lasting
from worldgen.exact import arrow
from worldgen.interrupts import heed, heeded
from worldgen.spec.cohorts import as_cohort
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.base import World

Resume = Literal["never", "always", "if-possible"]

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
    are not of a cohort are never touched. Killed or interrupted at any moment it leaves a folder that is no
    cohort yet, and that the same call finishes.

    `executor` replaces the pool of `workers` processes: any `concurrent.futures.Executor` will do, on any
    machines that write to this file system: every shard is looked for here before the manifests are written.
    A worker of the pool that is killed is replaced, twice for no shard. `progress` is told how many roots are
    written, and of how many, in this thread.

    Raises CohortError where `out` is taken or cannot be written, where a shard did not come, or where workers
    were killed, and whatever the draws raise.
    """
    folder, cohort, seed = Path(out), as_cohort(spec), index(seed)  # 7.0 would name other streams than 7
    if seed < 0:
        raise CohortError(f"{seed} is no seed", remedy="take any whole number from 0")
    if workers < 1:
        raise CohortError(f"{workers} workers write nothing", remedy="ask for at least 1 worker")
    if folder.exists() and not folder.is_dir():
        raise CohortError(f"{folder} is a file", remedy="name a folder, which need not be there yet")
    digest = spec_digest(cohort_data(cohort))
    place = folder if executor is None else folder.absolute()  # a worker may stand in another folder
    jobs = [Job(cohort, digest, seed, roots, shard, place) for shard in shards(roots)]
    if resume == "always" and not _holds_files(folder):
        raise CohortError(f"{folder} holds nothing to resume", remedy="emit without --resume always")
    with heeded(), alone(folder) as lock:
        if force:
            clear(folder)
        standing = _standing(folder, jobs, resume)
        if standing == "whole":
            return Emission(folder, 0, len(jobs))
        _unfinish(folder)
        receipts = _found(jobs) if standing == "part" else {}
        todo = [job for job in jobs if job.shard.number not in receipts]
        missing = sum(job.shard.stop - job.shard.start for job in todo)
        gauge = Gauge(progress, roots, roots - missing)
        for job, receipt in write_shards(todo, executor, workers, lock, gauge.batch):
            receipt.check(job)
            receipts[job.shard.number] = receipt
            gauge.shard(job.shard.stop - job.shard.start)
        sweep(folder)
        finish(jobs, [receipts[job.shard.number] for job in jobs])
    return Emission(folder, len(todo), len(jobs) - len(todo))


def _found(jobs: list[Job]) -> dict[int, Receipt]:
    """The receipts of the shards that stand, by number."""
    receipts = {}
    for job in jobs:
        heed()
        if receipt := kept(job):
            receipts[job.shard.number] = receipt
    return receipts


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
    try:
        manifest, _ = (read_manifest(folder / side) for side in reversed(SIDES))
        wanted = {"spec_digest": job.spec_digest, "seed": str(job.seed), "roots": job.roots}
        yield from (f"its {key} is {manifest.get(key)}" for key in wanted if manifest.get(key) != wanted[key])
    except FormatError:
        raise
    except CohortError:
        pass  # without a manifest that can be read, the footers tell
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
            parts = lasting(path).relative_to(folder).parts
            table_file = len(parts) == 3 and parts[1] in FOLDERS.get(parts[0], ())
            page = len(parts) == 2 and parts[0] in SIDES and parts[1] in PAGES
            spec = parts[:2] == ("evaluator", "spec")
            if path.is_file() and not (page or spec or (table_file and parts[2].endswith(".parquet"))):
                yield path.relative_to(folder)


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
    sweep(folder)


def sweep(folder: Path) -> None:
    """Remove what was not whole when its writer was killed. Nobody else writes here: the folder is locked."""
    for side in SIDES:
        for path in (folder / side).rglob("*.tmp"):
            if lasting(path) != path:
                path.unlink(missing_ok=True)
