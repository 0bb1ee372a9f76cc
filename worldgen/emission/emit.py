"""Emitting a cohort: shards by any executor, resumed where they stand, manifests last."""

import platform
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Literal

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.contents import Entry
from worldgen.cohort.manifests import MANIFEST, CohortError, FormatError, pretty, read_manifest
from worldgen.cohort.schemas import CANDIDATES, EVALUATOR, POOLED, PUBLIC
from worldgen.cohort.shards import shards
from worldgen.emission.claims import is_claim
from worldgen.emission.executors import Crew
from worldgen.emission.finishing import SIDES, finish, manifest
from worldgen.emission.gauges import Gauge, Progress
from worldgen.emission.locks import alone
from worldgen.emission.repeats import openings_of
from worldgen.emission.shards import Job, Receipt, Told, kept, write_shard
from worldgen.exact import arrow
from worldgen.exact.drafts import lasting, refused, settle
from worldgen.exact.places import (
    Place,
    Remote,
    check_shared,
    files_in,
    place,
    remove,
    remove_folder,
    sha256_of,
    size_of,
)
from worldgen.interrupts import heed, heeded
from worldgen.spec.cohorts import as_cohort
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.base import World

Resume = Literal["never", "always", "if-possible"]

FOLDERS = {"public": {*PUBLIC, *POOLED}, "evaluator": {*EVALUATOR, *CANDIDATES, "spec"}}
PAGES = {MANIFEST, "README.md", "croissant.json"}
FOOTERS = 16  # how many are read at once
HASHED = 128  # shards that one process has hashed before another one has started


@dataclass(frozen=True)
class Emission:
    """What an emission did: how many shards it wrote, how many it found finished."""

    folder: Place
    written: int
    found: int


def emit(  # noqa: PLR0913  (every option is a keyword with a default)
    spec: World | Cohort,
    roots: int,
    seed: int,
    out: str | Place,
    *,
    workers: int = 1,
    resume: Resume = "if-possible",
    force: bool = False,
    executor: Executor | None = None,
    progress: Progress = lambda done, total: None,
) -> Emission:
    """Write a cohort of `roots` roots to the folder `out`, a path or a URI; `cohort_of` makes one of a bare
    world.

    The bytes depend on the cohort, the seed and `roots` only. What stands in `out` is kept where it is
    part of this very cohort and `resume` allows; `force` clears an earlier cohort away first. Files that
    are not of a cohort are never touched. Killed or interrupted at any moment it leaves a folder that is no
    cohort yet, and that the same call finishes.

    `executor` replaces the pool of `workers` processes: any `concurrent.futures.Executor` will do, on any
    machines that write to this file system: every shard is looked for here before the manifests are written.
    A process of the pool that is killed is replaced, once for any shard. `progress` is told, in this thread,
    how many roots are written and of how many.

    Raises CohortError where `out` is taken, a shard did not come, or workers were killed, PlaceError where
    its file system refuses something or is the memory of one process and others are to write there, and
    whatever the draws raise.
    """
    folder, cohort, seed = place(out), as_cohort(spec), index(seed)  # 7.0 would name other streams than 7
    _check(folder, seed, workers, executor)
    digest = spec_digest(cohort_data(cohort))
    # A worker elsewhere may stand in another folder, so that a relative path would name another place.
    target = folder.absolute() if isinstance(folder, Path) and executor is not None else folder
    jobs = [Job(cohort, digest, seed, roots, shard, target) for shard in shards(roots)]
    if resume == "always" and not _holds_files(folder):
        raise CohortError(f"{folder} holds nothing to resume", remedy="emit without --resume always")
    with heeded(), alone(folder) as hold:
        if force:
            clear(folder)
        standing = jobs if _stands(folder, jobs, resume) else []
        hashes = _listed(folder) if standing else {}
        listed = [job for job in standing if _names(job) <= hashes.keys()]
        with Crew(executor, min(workers, len(listed) // HASHED), hold.lock) as crew:
            receipts = _as_listed(crew.run(hashed, listed, _unheard), hashes)
        if standing and len(receipts) == len(jobs) and _sealed(jobs, receipts):
            return Emission(folder, 0, len(jobs))
        _unfinish(folder)
        with _swept(folder), Crew(executor, min(workers, len(jobs)), hold.lock) as crew:
            unlisted = [job for job in standing if not _names(job) <= hashes.keys()]
            receipts |= _as_listed(crew.run(kept, unlisted, _unheard), hashes)
            todo = [job for job in jobs if job.shard.number not in receipts]
            gauge = Gauge(progress, roots, roots - sum(map(_size, todo)))
            for job, receipt in crew.run(write_shard, todo, gauge.batch):
                receipt.check(job)
                receipts[job.shard.number] = receipt
                gauge.shard(_size(job))
        hold.check()
        finish(jobs, [receipts[job.shard.number] for job in jobs])
    return Emission(folder, len(todo), len(jobs) - len(todo))


def _check(folder: Place, seed: int, workers: int, executor: Executor | None) -> None:
    """Raise CohortError or PlaceError for what can be refused before anything is looked for or started."""
    if seed < 0:
        raise CohortError(f"{seed} is no seed", remedy="take any whole number from 0")
    if workers < 1:
        raise CohortError(f"{workers} workers write nothing", remedy="ask for at least 1 worker")
    if workers > 1 if executor is None else not isinstance(executor, ThreadPoolExecutor):
        check_shared(folder)
    with refused(folder):  # whoever may not look into a folder above it is told so
        taken = folder.exists() and not folder.is_dir()
    if taken:
        raise CohortError(f"{folder} is a file", remedy="name a folder, which need not be there yet")


def _listed(folder: Place) -> dict[str, object]:
    """The SHA-256 of every file that the manifests of a damaged cohort list, as far as they can be read."""
    found = {}
    for side in SIDES:
        with suppress(CohortError):
            for name, entry in read_manifest(folder / side)["files"].items():
                if isinstance(entry, dict):
                    found[f"{side}/{name}"] = entry.get("sha256")
    return found


def _names(job: Job) -> set[str]:
    """The files of a shard, as the manifests of both sides together list them."""
    return set(map(job.name, job.tables))


def _as_listed(
    found: Iterable[tuple[Job, Receipt | None]], hashes: Mapping[str, object]
) -> dict[int, Receipt]:
    """The receipts of shards that stand, by number, but of those of which a manifest says that they had other
    bytes: not every byte of a file is content. Raises CohortError where they stand on another disk.
    """
    receipts = {}
    for job, receipt in found:
        if receipt is None:
            continue
        if isinstance(job.folder, Path):  # in a store every worker sees what this process sees
            receipt.check(job)
        entries = {job.name(table): entry["sha256"] for table, entry in receipt.entries.items()}
        if all(hashes.get(name, sha256) == sha256 for name, sha256 in entries.items()):
            receipts[job.shard.number] = receipt
    return receipts


def _size(job: Job) -> int:
    return job.shard.stop - job.shard.start


def _unheard(roots: int) -> None:
    """Progress that nobody is told of."""


def _stands(folder: Place, jobs: list[Job], resume: Resume) -> bool:
    """Whether some of this cohort stands in the folder. Raises CohortError where something else does."""
    _no_strangers(folder, "choose an empty folder")
    if not _holds_files(folder):
        return False
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
    return True


def _sealed(jobs: list[Job], receipts: Mapping[int, Receipt]) -> bool:
    """Whether every page is there as the manifests list it, and the manifests say what the shards say."""
    folder, ordered = jobs[0].folder, [receipts[job.shard.number] for job in jobs]
    try:
        for side in SIDES:
            listed = read_manifest(folder / side)["files"]
            derived = manifest(jobs, ordered, side, {})
            if side == "evaluator":
                derived["public_manifest"] = sha256_of(folder / "public" / MANIFEST)
            pages = sorted(listed.keys() - derived["files"].keys())
            derived["files"] = dict(sorted((derived["files"] | _entries(folder / side, pages)).items()))
            if pretty(derived) != (folder / side / MANIFEST).read_bytes():
                return False
    except (CohortError, OSError):
        return False
    return True


def hashed(job: Job, told: Told) -> Receipt | None:
    """The receipt of a shard by the bytes of its files and what these say of themselves, for which no row is
    read but of one column; None where a file is missing or cannot be read.
    """
    entries: dict[str, Entry] = {}
    try:
        for table in job.tables:
            file = job.path(table)
            footer = arrow.read_footer(file)
            rows, content = arrow.count_rows(file), footer["worldgen.content"]
            entries[table] = {
                **_entries(file.parent, [file.name])[file.name],
                "rows": rows,
                "content": content,
            }
        shown = arrow.read_table([job.path("roots")], job.tables["roots"], ["semantic_digest"])
        openings = openings_of(arrow.whole(shown, "semantic_digest"))
        return Receipt(platform.node(), entries, int(footer["worldgen.attempts"]), openings)
    except (OSError, KeyError, ValueError):
        return None


def _entries(folder: Place, names: Iterable[str]) -> dict[str, Entry]:
    """What a manifest lists of any file, by name."""
    entries: dict[str, Entry] = {}
    for name in names:
        heed()
        size = size_of(folder / name)
        if size is None:
            raise FileNotFoundError(name)
        entries[name] = {"bytes": size, "sha256": sha256_of(folder / name)}
    return entries


def _holds_files(folder: Place) -> bool:
    return any(not is_claim(name) for name in files_in(folder))


def _others(folder: Place, jobs: list[Job]) -> Iterator[str]:
    """In what way the files of the folder are of another spec, seed or root count."""
    job = jobs[0]
    try:
        told, _ = (read_manifest(folder / side) for side in reversed(SIDES))
        wanted = {"spec_digest": job.spec_digest, "seed": str(job.seed), "roots": job.roots}
        for key, value in wanted.items():
            if told.get(key) != value:
                yield f"its {key}, {told.get(key)}, is not {value}"
    except FormatError:
        raise
    except CohortError:
        pass  # without manifests that can be read, the footers tell
    expected = {job.path(table): (job, table) for job in jobs for table in job.tables}
    shards = [name for name in files_in(folder) if _is_shard(name)]
    with ThreadPoolExecutor(FOOTERS) as pool:  # far away, a footer is little more than the way to it and back
        footers = pool.map(_footer, (folder / name for name in shards))
        for name, footer in zip(shards, footers, strict=True):
            owner, table = expected.get(folder / name, (None, ""))
            if owner is None:
                yield f"{name} is of another root count"
                continue
            for key, value in owner.identity(table).items() if footer else ():
                if footer.get(key) != value:
                    yield f"{name} was made for {key} {footer.get(key)}"


def _is_shard(name: str) -> bool:
    return name.count("/") == 2 and name.endswith(".parquet")


def _footer(file: Place) -> dict[str, str]:
    """The footer of a file; nothing of one that cannot be read, which is no cohort's any more."""
    try:
        return arrow.read_footer(file)
    except (OSError, ValueError):
        return {}


def foreign(folder: Place) -> Iterator[Path]:
    """The files of a folder that no cohort has, relative to it, found one by one: it may be a whole disk."""
    for path in map(Path, files_in(folder)):
        parts = (*path.parts[:-1], lasting(path.name))
        table_file = len(parts) == 3 and parts[1] in FOLDERS.get(parts[0], ())
        page = len(parts) == 2 and parts[0] in SIDES and parts[1] in PAGES
        spec = parts[:2] == ("evaluator", "spec")
        shard = table_file and parts[2].endswith(".parquet")
        claim = isinstance(folder, Remote) and is_claim(str(path))
        if not (page or spec or shard or claim):
            yield path


def _no_strangers(folder: Place, remedy: str) -> None:
    if stranger := next(foreign(folder), None):
        message = f"{folder} holds files that are not of a cohort, '{stranger}' among them"
        raise CohortError(message, remedy=remedy)


def clear(folder: Place) -> None:
    """Remove the cohort in a folder. Raises CohortError if anything else lies there."""
    _no_strangers(folder, "remove them yourself, or choose another folder")
    _unfinish(folder)
    for side in SIDES:
        remove_folder(folder / side)


def _unfinish(folder: Place) -> None:
    """Take the manifests away before anything else, so that no half of a work is taken for a cohort."""
    for side in SIDES:
        with refused(folder / side / MANIFEST):
            remove(folder / side / MANIFEST)
        settle(folder / side)
    _sweep(folder)


@contextmanager
def _swept(folder: Place) -> Iterator[None]:
    """Leave nothing half written behind: neither where all went well, though a worker may have been killed,
    nor where something failed, a full disk say. An interrupt does not wait for this; the next run does it.
    """
    try:
        yield
    except Exception:
        _sweep(folder)
        raise
    _sweep(folder)


def _sweep(folder: Place) -> None:
    """Remove what was not whole when its writer ended. Nobody else writes here. Elsewhere than on this
    machine nothing is half written under a name of its own.
    """
    if isinstance(folder, Path):
        for side in SIDES:
            for path in (folder / side).rglob(".*.tmp"):
                if lasting(path.name) != path.name:
                    with refused(path):
                        path.unlink(missing_ok=True)
