"""Verifying a cohort: nothing that it says is believed, everything is derived again.

1. Files: every hash, size and page, no file missing or over, both manifests byte for byte.
2. Draws: every row of every table, redrawn from the spec and the seed.
3. Payloads: what a model sees is read back, and q is computed from that alone, by two paths
   (`rederive`).
"""

import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from worldgen.cohort.manifests import MANIFEST, CohortError, read_manifest
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.shards import Piece, shards
from worldgen.emission.claims import is_claim
from worldgen.emission.finishing import SIDES, beside, spec_bytes
from worldgen.emission.folder import read_spec_of
from worldgen.emission.readings import Reading
from worldgen.emission.rederive import rederive
from worldgen.emission.shards import Job, Receipt, differences, receipt_of
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.exact.places import Place, PlaceError, Remote, files_in, place, sha256_of
from worldgen.spec.write import cohort_data, spec_digest

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


def verify(folder: str | Place) -> Verification:
    """Verify the cohort in a folder, a path or a URI, both sides of it.

    Faults of the cohort are findings. Raises CohortError only where there is no finished cohort at all, and
    PlaceError where its file system refuses something.
    """
    root, done = place(folder), Verification()
    manifests = {side: read_manifest(root / side) for side in SIDES}
    listed = {f"{side}/{name}": entry for side in SIDES for name, entry in manifests[side]["files"].items()}
    present = {name for name in files_in(root) if not (isinstance(root, Remote) and is_claim(name))}
    done.files = len(listed)
    strangers = sorted({name.split("/")[0] for name in present} - set(SIDES))
    done.findings += [
        Finding("files", name, "a cohort holds public/ and evaluator/ only") for name in strangers
    ]
    try:
        jobs = _jobs(root, manifests["evaluator"])
    except PlaceError:
        raise
    except WorldgenError as error:
        done.findings.append(Finding("spec", "evaluator/spec", error.message))
        jobs = []
    shards = {job.name(table) for job in jobs for table in job.tables}
    done.findings += _files(root, listed, present, shards)
    receipts = [_shard(job, listed, present, done) for job in jobs]
    done.findings += _derived_files(jobs, receipts, present) if jobs else []
    return done


def _files(root: Place, listed: Mapping[str, Any], present: Set[str], shards: Set[str]) -> Iterator[Finding]:
    """What is missing, what is there beside, and which file but the shards has another hash."""
    manifests = {f"{side}/{MANIFEST}" for side in SIDES}
    for name in sorted(present - set(listed) - manifests):
        if name.startswith(tuple(f"{side}/" for side in SIDES)):
            yield Finding("files", name, "the manifest does not list this file")
    for name, entry in sorted(listed.items()):
        if name not in present:
            yield Finding("files", name, "the file is missing")
        elif name not in shards:
            yield from _hashed(name, entry, sha256_of(root / name))


def _hashed(name: str, entry: object, sha256: str) -> Iterator[Finding]:
    if not isinstance(entry, dict) or sha256 != entry.get("sha256"):
        yield Finding("files", name, "its SHA-256 is not the one in the manifest")


def _jobs(root: Place, listed: dict[str, Any]) -> list[Job]:
    cohort = read_spec_of(root)
    try:
        seed, roots = int(listed["seed"]), int(listed["roots"])
    except (KeyError, TypeError, ValueError):
        raise CohortError("the evaluator's manifest states no seed and number of roots") from None
    if seed < 0:
        raise CohortError(f"the evaluator's manifest states the seed {seed}")
    digest = spec_digest(cohort_data(cohort))
    return [Job(cohort, digest, seed, roots, shard, root) for shard in shards(roots)]


def _derived_files(
    jobs: Sequence[Job], receipts: Sequence[Receipt | None], present: Set[str]
) -> Iterator[Finding]:
    """The files that follow from the spec and the shards: spec, pages and manifests, byte for byte. A shard
    that could not be read is a finding already, and what pages and manifests say of it is not known.
    """
    root, known = jobs[0].folder, [receipt for receipt in receipts if receipt is not None]
    if len(known) == len(jobs):
        expected = beside(jobs, known)
    else:
        expected = {f"evaluator/{name}": data for name, data in spec_bytes(jobs[0].cohort).items()}
    for name, data in expected.items():
        if name in present and (root / name).read_bytes() != data:
            yield Finding("files", name, "it is not what the spec and the shards say")


def _shard(job: Job, listed: Mapping[str, Any], present: Set[str], done: Verification) -> Receipt | None:
    """Verify a shard. What comes back is what it says of itself, unless it cannot be read."""
    with ExitStack() as held:
        readings = {
            table: held.enter_context(Reading(job.path(table), schema))
            for table, schema in job.tables.items()
        }
        for table, reading in readings.items():
            name = job.name(table)
            if name in present and name in listed:
                done.findings += _hashed(name, listed[name], reading.sha256)
        attempts = _rows(job, readings, done)
        for table, reading in readings.items():
            _ending(job, table, reading, attempts, done)
    if any(reading.fault for reading in readings.values()):
        return None
    entries = {table: reading.entry for table, reading in readings.items()}
    said = {readings["truth"].footer.get("worldgen.attempts", "")}
    return receipt_of(entries, said, readings["roots"].openings)


def _rows(job: Job, readings: Mapping[str, Reading], done: Verification) -> int | None:
    """Compare all rows of a shard with what they should be. What comes back are the attempts that the roots
    took; None where the rows could not be made again.
    """
    attempts, first = 0, dict.fromkeys(readings, 0)
    for piece in job.pieces():
        took = _piece(job, piece, readings, first, done)
        if took is None:
            return None
        attempts += took
        arrow.release_unused()
    for pool in job.pool():
        _compared(job, {"pool": pool}, readings, first, done)
        first["pool"] += pool.num_rows
    return attempts


def _piece(
    job: Job, piece: Piece, readings: Mapping[str, Reading], first: dict[str, int], done: Verification
) -> int | None:
    """The same for one piece, of whose tables `first` rows were before it. Nothing that is large outlives the
    call, so that verification needs no more memory than one piece.
    """
    batcher = job.batcher(piece.number)
    indices = np.arange(piece.start, piece.stop)
    try:
        roots = draw_roots(piece.stratum, job.seed, indices, job.cohort.admission)
        expected = batcher.tables(roots)
    except WorldgenError as error:
        message = f"the rows cannot be made again from spec and seed: {error.message}"
        done.findings.append(Finding("draws", job.name("roots"), message))
        return None
    found = _compared(job, expected, readings, first, done)
    rows = {table: each.num_rows for table, each in expected.items()}
    del expected
    if {"requests", "targets"} <= found.keys():
        for row, column, message in rederive(batcher, found["requests"], found["targets"], done.derivable):
            at = first["targets"] + row
            done.findings.append(Finding("payloads", job.name("targets"), message, at, column))
    for table, number in rows.items():
        first[table] += number
    return int(roots.attempts.sum())


def _compared(
    job: Job,
    expected: Mapping[str, arrow.Table],
    readings: Mapping[str, Reading],
    first: Mapping[str, int],
    done: Verification,
) -> dict[str, arrow.Table]:
    """The next rows of the tables that can be read, once they were compared with those expected."""
    found = {}
    for table, rows in expected.items():
        here = readings[table].take(rows.num_rows)
        if not readings[table].fault:
            done.findings += compare(job.name(table), first[table], rows, here)
            found[table] = here
    return found


def _ending(job: Job, table: str, reading: Reading, attempts: int | None, done: Verification) -> None:
    """What is left of a file once its rows were compared, and whether its footer says what it holds."""
    name, left = job.name(table), reading.rest()
    if reading.fault:
        done.findings.append(Finding("tables", name, f"it cannot be read: {reading.fault}"))
        return
    done.rows[table] = done.rows.get(table, 0) + reading.rows
    identity = job.identity(table) | {"worldgen.content": reading.content}
    for key in differences(reading.footer, identity):
        done.findings.append(Finding("tables", name, f"its footer says {key} = {reading.footer.get(key)}"))
    if attempts is None:
        return
    said = reading.footer.get("worldgen.attempts")
    if said != str(attempts):
        message = f"its footer says {said} attempts, redrawn it took {attempts}"
        done.findings.append(Finding("draws", name, message))
    if left:
        done.findings.append(Finding("draws", name, f"{left} rows too many", reading.rows - left))


def compare(file: str, start: int, expected: arrow.Table, found: arrow.Table) -> Iterator[Finding]:
    """Where two tables of one schema differ, at most 10 rows a column and then their number."""
    if expected.num_rows != found.num_rows:
        yield Finding(
            "draws", file, f"{expected.num_rows - found.num_rows} rows are missing", start + found.num_rows
        )
        return
    expected = arrow.plain(expected, found.schema)
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
