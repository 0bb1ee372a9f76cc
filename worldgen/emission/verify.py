"""Verifying a cohort: nothing that it says is believed, everything is derived again.

1. Files: every hash, size and page, no file missing or over, both manifests byte for byte.
2. Draws: every row of every table, redrawn from the spec and the seed.
3. Payloads: what a model sees is read back, and q is computed from that alone, by two paths
   (`rederive`).
"""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from worldgen.cohort.contents import Entry
from worldgen.cohort.manifests import MANIFEST, CohortError, pretty, read_manifest, sha256_of
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.shards import shards
from worldgen.emission.digests import content_digest
from worldgen.emission.finishing import SIDES, Hash, manifest, page_bytes, shard_entries
from worldgen.emission.rederive import rederive
from worldgen.emission.repeats import openings_of
from worldgen.emission.shards import Job, Receipt, differences
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.spec.reading import read_cohort
from worldgen.spec.write import cohort_data, spec_digest, write_spec_folder

SHOWN = 10


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be. `row` counts from 0 within the file; None: the file itself."""

    check: str
    file: str
    message: str
    row: int | None = None
    column: str = ""

    def __str__(self) -> str:
        row = "" if self.row is None else f", row {self.row}"
        return f"{self.file}{row}{f', {self.column}' if self.column else ''}: {self.message}"


@dataclass
class Verification:
    """What was looked at, and every finding.

    `derivable` counts the requests whose q follows from the payload alone, from payload and spec
    together, or not at all (an ineligible request has no payload and no q).
    """

    findings: list[Finding] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0
    derivable: dict[str, int] = field(default_factory=lambda: {"payload": 0, "payload and spec": 0, "not": 0})

    @property
    def ok(self) -> bool:
        """Whether there is no finding."""
        return not self.findings


def verify(folder: str | Path) -> Verification:
    """Verify the cohort in a folder, both sides of it.

    Faults of the cohort are findings. Raises CohortError only where there is no finished cohort at all.
    """
    root = Path(folder)
    done, hashed = Verification(), cache(sha256_of)
    manifests = {side: read_manifest(root / side) for side in SIDES}
    beside = [path.name for path in sorted(root.iterdir()) if path.name not in SIDES]
    done.findings += [Finding("files", name, "a cohort holds public/ and evaluator/ only") for name in beside]
    for side, listed in manifests.items():
        done.findings += _files(root, side, listed, done, hashed)
    try:
        jobs = _jobs(root, manifests["evaluator"])
    except WorldgenError as error:
        done.findings.append(Finding("spec", "evaluator/spec", error.message))
        return done
    receipts = [_shard(job, done, hashed) for job in jobs]
    done.findings += _derived_files(root, jobs, receipts, hashed)
    return done


def _files(
    root: Path, side: str, listed: dict[str, Any], done: Verification, hashed: Hash
) -> Iterator[Finding]:
    present = {
        path.relative_to(root / side).as_posix() for path in (root / side).rglob("*") if path.is_file()
    }
    for name in sorted(present - set(listed["files"]) - {MANIFEST}):
        yield Finding("files", f"{side}/{name}", "the manifest does not list this file")
    for name, entry in sorted(listed["files"].items()):
        done.files += 1
        if name not in present:
            yield Finding("files", f"{side}/{name}", "the file is missing")
        elif not isinstance(entry, dict) or hashed(root / side / name) != entry.get("sha256"):
            yield Finding("files", f"{side}/{name}", "its SHA-256 is not the one in the manifest")


def _jobs(root: Path, listed: dict[str, Any]) -> list[Job]:
    cohort = read_cohort(root / "evaluator" / "spec" / "cohort.json")
    try:
        seed, roots = int(listed["seed"]), int(listed["roots"])
    except (KeyError, TypeError, ValueError):
        raise CohortError("the evaluator's manifest states no seed and number of roots") from None
    if seed < 0:
        raise CohortError(f"the evaluator's manifest states the seed {seed}")
    digest = spec_digest(cohort_data(cohort))
    return [Job(cohort, digest, seed, roots, shard, root) for shard in shards(roots)]


def _derived_files(
    root: Path, jobs: Sequence[Job], receipts: Sequence[Receipt | None], hashed: Hash
) -> Iterator[Finding]:
    """The files that follow from the spec and the shards: spec, pages and manifests, byte for byte. A shard
    that could not be read is a finding already, and what manifests say of it is not known.
    """
    expected = {
        f"evaluator/spec/{name}": text.encode() for name, text in write_spec_folder(jobs[0].cohort).items()
    }
    known = [receipt for receipt in receipts if receipt is not None]
    for side in SIDES if len(known) == len(jobs) else ():
        pages = page_bytes(jobs, side, shard_entries(jobs, known, side))
        pages[MANIFEST] = pretty(manifest(jobs, known, side, hashed))
        expected |= {f"{side}/{name}": data for name, data in pages.items()}
    for name, data in expected.items():
        path = root / name
        if path.is_file() and path.read_bytes() != data:
            yield Finding("files", name, "it is not what the spec and the shards say")


def _shard(job: Job, done: Verification, hashed: Hash) -> Receipt | None:
    """Verify a shard. What comes back is what it says of itself, unless it cannot be read."""
    found, footers = _read(job, done)
    _rows(job, found, footers, done)
    return _receipt(job, found, footers, hashed)


def _receipt(
    job: Job, found: Mapping[str, arrow.Table], footers: Mapping[str, Mapping[str, str]], hashed: Hash
) -> Receipt | None:
    if found.keys() != job.tables.keys():
        return None
    entries: dict[str, Entry] = {}
    for table, rows in found.items():
        path = job.path(table)
        entries[table] = {
            "bytes": path.stat().st_size,
            "sha256": hashed(path),
            "rows": rows.num_rows,
            "content": footers[table].get("worldgen.content", ""),
        }
    said = footers["truth"].get("worldgen.attempts", "")
    try:
        openings = openings_of(arrow.whole(found["roots"], "semantic_digest"))
    except ValueError:  # no digest; that it should be another is told as a finding of its row
        return None
    return Receipt(platform.node(), entries, int(said) if said.isdecimal() else 0, openings)


def _rows(
    job: Job,
    found: Mapping[str, arrow.Table],
    footers: Mapping[str, Mapping[str, str]],
    done: Verification,
) -> None:
    first, attempts = dict.fromkeys(job.tables, 0), 0
    for piece in job.pieces():
        indices = np.arange(piece.start, piece.stop)
        try:
            roots = draw_roots(piece.stratum, job.seed, indices, job.cohort.admission)
            expected = job.batcher(piece.number).tables(roots)
            attempts += int(roots.attempts.sum())
        except WorldgenError as error:
            message = f"the rows cannot be made again from spec and seed: {error.message}"
            done.findings.append(Finding("draws", _name(job, "roots"), message))
            return
        here = {
            table: found[table].slice(first[table], expected[table].num_rows)
            for table in found
            if table in expected
        }
        for table, rows in here.items():
            done.findings += compare(_name(job, table), first[table], expected[table], rows)
        if {"requests", "targets"} <= here.keys():
            told = rederive(job.batcher(piece.number), here["requests"], here["targets"], done.derivable)
            for row, column, message in told:
                place = first["targets"] + row
                done.findings.append(Finding("payloads", _name(job, "targets"), message, place, column))
        first |= {table: first[table] + rows.num_rows for table, rows in expected.items()}
    for pool in job.pool() if "pool" in found else ():
        rows = found["pool"].slice(first["pool"], pool.num_rows)
        done.findings += compare(_name(job, "pool"), first["pool"], pool, rows)
        first["pool"] += pool.num_rows
    for table, rows in found.items():
        said = footers[table].get("worldgen.attempts")
        if said != str(attempts):
            message = f"its footer says {said} attempts, redrawn it took {attempts}"
            done.findings.append(Finding("draws", _name(job, table), message))
        if rows.num_rows > first[table]:
            message = f"{rows.num_rows - first[table]} rows too many"
            done.findings.append(Finding("draws", _name(job, table), message, first[table]))


def _name(job: Job, table: str) -> str:
    return job.path(table).relative_to(job.folder).as_posix()


def _read(job: Job, done: Verification) -> tuple[dict[str, arrow.Table], dict[str, dict[str, str]]]:
    """The tables of a shard that can be read, and their footers, held against their contents."""
    found: dict[str, arrow.Table] = {}
    footers: dict[str, dict[str, str]] = {}
    for table, schema in job.tables.items():
        path, name = job.path(table), _name(job, table)
        try:
            footer = footers[table] = arrow.read_footer(path)
            found[table] = arrow.read_table([path], schema)
        except (OSError, ValueError) as error:
            done.findings.append(Finding("tables", name, f"it cannot be read: {error}"))
            continue
        done.rows[table] = done.rows.get(table, 0) + found[table].num_rows
        identity = job.identity(table) | {"worldgen.content": content_digest(found[table])}
        for key in differences(footer, identity):
            done.findings.append(Finding("tables", name, f"its footer says {key} = {footer.get(key)}"))
    return found, footers


def compare(file: str, start: int, expected: arrow.Table, found: arrow.Table) -> Iterator[Finding]:
    """Where two tables of one schema differ, at most 10 rows a column and then their number."""
    if expected.num_rows != found.num_rows:
        yield Finding(
            "draws", file, f"{expected.num_rows - found.num_rows} rows are missing", start + found.num_rows
        )
        return
    if expected == found:
        return
    for column in expected.column_names:
        if expected.column(column).equals(found.column(column)):
            continue
        pairs = zip(expected.column(column).to_pylist(), found.column(column).to_pylist(), strict=True)
        wrong = [(row, right, here) for row, (right, here) in enumerate(pairs) if right != here]
        for row, right, here in wrong[:SHOWN]:
            message = f"it says {short(here)}, redrawn it is {short(right)}"
            yield Finding("draws", file, message, start + row, column)
        if len(wrong) > SHOWN:
            yield Finding("draws", file, f"{len(wrong) - SHOWN} more rows differ", column=column)


def short(value: object, most: int = 60) -> str:
    """A value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 2 :]}"
