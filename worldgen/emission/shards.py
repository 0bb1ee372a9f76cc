"""Shards: one range of roots, written to one Parquet file per table, each by rename."""

import os
import pickle
import platform
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.contents import Entry
from worldgen.cohort.manifests import FORMAT, CohortError, sha256_of, side_of
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import tables_of
from worldgen.cohort.shards import Piece, Shard, pieces, pooled
from worldgen.emission.batches import Batcher, cohort_tag, seed_digest
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import Writer, read_batches
from worldgen.emission.repeats import Openings, openings_of
from worldgen.exact import arrow

BATCH_ROWS = 16_384
BATCH_BYTES = 2**30

_cohorts: dict[bytes, Cohort] = {}  # of the emission at hand only, as it was received
_batchers: dict[tuple[str, int], dict[int, Batcher]] = {}  # of the emission at hand only


@dataclass(frozen=True)
class Job:
    """Everything that a worker needs to write one shard, and nothing that differs between runs."""

    cohort: Cohort
    spec_digest: str
    seed: int
    roots: int
    shard: Shard
    folder: Path

    def __reduce__(self) -> tuple[Callable[..., "Job"], tuple[bytes, dict[str, Any]]]:
        """A job travels with its cohort packed, so that a worker unpacks it for its first job only, and keeps
        what it worked out about the worlds.
        """
        given = {part.name: getattr(self, part.name) for part in fields(self) if part.name != "cohort"}
        return _received, (pickle.dumps(self.cohort), given)

    @property
    def tag(self) -> str:
        """The opening of every identifier."""
        return cohort_tag(self.spec_digest, seed_digest(self.seed))

    def path(self, table: str) -> Path:
        """The file of a table."""
        return self.folder / side_of(table) / table / self.shard.file

    def identity(self, table: str) -> dict[str, str]:
        """What the footer of a table's file says before its rows are known."""
        return {
            "worldgen.format": str(FORMAT),
            "worldgen.table": table,
            "worldgen.spec": self.spec_digest,
            "worldgen.seed": seed_digest(self.seed),
            "worldgen.range": f"{self.shard.start}:{self.shard.stop} of {self.roots}",
        }

    @property
    def tables(self) -> dict[str, arrow.Schema]:
        """The tables that have a file for this shard."""
        return tables_of(self.cohort.pool, self.cohort.candidates)

    def pool(self) -> Iterator[arrow.Table]:
        """The rows of the pool that stand in this shard, stratum by stratum."""
        places = pooled(self.cohort.pool, self.shard)
        for number in range(len(self.cohort.strata)) if places else ():
            yield self.batcher(number).pool(places)

    def pieces(self) -> list[Piece]:
        """The batches of the shard, in order."""
        return list(pieces(self.cohort, self.roots, self.shard, self._most))

    def _most(self, number: int) -> int:
        """How many roots of a stratum one batch may hold: its payloads lie in one Arrow array, whose offsets
        are int32.
        """
        bounds = [asking.plan.longest or 0 for asking in self.batcher(number).askings]
        return max(1, min(BATCH_ROWS // len(bounds), BATCH_BYTES // max(1, sum(bounds))))

    def batcher(self, number: int) -> Batcher:
        """The compiled stratum at a position, compiled once for all shards that a process writes."""
        if self.identity_of_all not in _batchers:
            _batchers.clear()
        known = _batchers.setdefault(self.identity_of_all, {})
        if number not in known:
            known[number] = Batcher(self.cohort, number, self.seed, self.tag)
        return known[number]

    @property
    def identity_of_all(self) -> tuple[str, int]:
        """What all jobs of one emission share."""
        return self.spec_digest, self.seed


def _received(packed: bytes, given: dict[str, Any]) -> Job:
    cohort = _cohorts.get(packed)
    if cohort is None:
        cohort = pickle.loads(packed)
        _cohorts.clear()
        _cohorts[packed] = cohort
    return Job(cohort, **given)


@dataclass(frozen=True)
class Receipt:
    """What whoever wrote or read a shard says of it: the machine, the manifests' entry for the file of each
    table, the draws that its roots took, and the openings of their semantic digests.
    """

    host: str
    entries: Mapping[str, Entry]
    attempts: int
    openings: Openings

    def check(self, job: Job) -> None:
        """Raise CohortError unless the files are where the cohort is, as long as they were written."""
        for table, entry in self.entries.items():
            path = job.path(table)
            if not path.is_file() or path.stat().st_size != entry["bytes"]:
                raise CohortError(
                    f"{path} was written on '{self.host}', {entry['bytes']:,} bytes of it, and is not here",
                    remedy="let every worker write to the file system that this process reads",
                )


def write_shard(job: Job) -> Receipt:
    """Write all tables of a shard, on whatever machine this runs.

    A file stands under its name only when it is whole. Doing it twice writes the same bytes.
    """
    writers = {table: Writer(temporary(job.path(table)), schema) for table, schema in job.tables.items()}
    digests = {table: ContentDigest(schema) for table, schema in job.tables.items()}
    attempts, openings = 0, []
    try:
        for piece in job.pieces():
            indices = np.arange(piece.start, piece.stop)
            roots = draw_roots(piece.stratum, job.seed, indices, job.cohort.admission)
            attempts += int(roots.attempts.sum())
            tables = job.batcher(piece.number).tables(roots)
            openings.append(openings_of(arrow.whole(tables["roots"], "semantic_digest")))
            for table, rows in tables.items():
                writers[table].write(rows)
                digests[table].update(rows)
        for rows in job.pool():
            writers["pool"].write(rows)
            digests["pool"].update(rows)
    except BaseException:
        for writer in writers.values():
            writer.abandon()
        raise
    entries = {}
    for table, writer in writers.items():
        content = digests[table].hexdigest()
        said = {"worldgen.content": content, "worldgen.attempts": str(attempts)}
        entries[table] = {**writer.close(job.identity(table) | said), "content": content}
        os.replace(temporary(job.path(table)), job.path(table))
    return Receipt(platform.node(), entries, attempts, np.concatenate(openings))


def temporary(path: Path) -> Path:
    """Where a file is written before it is whole. Every run uses the same name, so none is left behind."""
    return path.with_name(f".{path.name}.tmp")


def kept(job: Job) -> Receipt | None:
    """The receipt of a shard that stands whole and as this job would write it, footers and contents agreeing;
    None for any other.
    """
    entries: dict[str, Entry] = {}
    attempts, openings = set(), []
    for table, schema in job.tables.items():
        path, digest, rows = job.path(table), ContentDigest(schema), 0
        try:
            footer = arrow.read_footer(path)
            for batch in read_batches(path, schema, BATCH_ROWS):
                digest.update(batch)
                rows += batch.num_rows
                if table == "roots":
                    openings.append(openings_of(arrow.whole(batch, "semantic_digest")))
            attempts.add(int(footer["worldgen.attempts"]))
        except (OSError, ValueError, KeyError):
            return None
        content = digest.hexdigest()
        if differences(footer, job.identity(table) | {"worldgen.content": content}):
            return None
        entries[table] = {
            "bytes": path.stat().st_size,
            "sha256": sha256_of(path),
            "rows": rows,
            "content": content,
        }
    if len(attempts) != 1:
        return None
    return Receipt(platform.node(), entries, attempts.pop(), np.concatenate(openings))


def differences(footer: Mapping[str, str], identity: Mapping[str, str]) -> list[str]:
    """The keys under which a footer does not say what it should."""
    return [key for key, value in identity.items() if footer.get(key) != value]
