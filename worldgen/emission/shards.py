"""Shards: one range of roots, written to one Parquet file per table, each by rename."""

import pickle
import platform
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.contents import Entry
from worldgen.cohort.manifests import FORMAT, CohortError, side_of
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import tables_of
from worldgen.cohort.shards import Piece, Shard, pieces, pooled
from worldgen.emission.batches import Batcher, cohort_tag, seed_digest
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import Writer
from worldgen.emission.readings import Reading
from worldgen.emission.repeats import Openings, openings_of
from worldgen.exact import arrow
from worldgen.exact.drafts import together
from worldgen.exact.places import Place, size_of
from worldgen.interrupts import heed

BATCH_ROWS = 16_384
BATCH_BYTES = 2**30

Told = Callable[[int], None]

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
    folder: Place

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

    def name(self, table: str) -> str:
        """The file of a table, relative to the folder of the cohort."""
        return f"{side_of(table)}/{table}/{self.shard.file}"

    def path(self, table: str) -> Place:
        """The file of a table."""
        return self.folder / self.name(table)

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
        """The batches of the shard, in order, each of 16,384 requests at most if a root has no more."""
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
            if size_of(path) != entry["bytes"]:
                raise CohortError(
                    f"{path} was written on '{self.host}', {entry['bytes']:,} bytes of it, and is not here",
                    remedy="let every worker write to the file system that this process reads",
                )


def write_shard(job: Job, told: Told = lambda roots: None) -> Receipt:
    """Write all tables of a shard, on whatever machine this runs; `told` hears how many roots a batch had.

    A file stands under its name only when it is whole. Doing it twice writes the same bytes.
    """
    writers: dict[str, Writer] = {}
    digests = {table: ContentDigest(schema) for table, schema in job.tables.items()}
    attempts, openings = 0, []
    entries: dict[str, Entry] = {}
    try:
        for table, schema in job.tables.items():
            writers[table] = Writer(job.path(table), schema)
        for piece in job.pieces():
            heed()
            indices = np.arange(piece.start, piece.stop)
            roots = draw_roots(piece.stratum, job.seed, indices, job.cohort.admission)
            attempts += int(roots.attempts.sum())
            tables = job.batcher(piece.number).tables(roots)
            openings.append(openings_of(arrow.whole(tables["roots"], "semantic_digest")))
            for table, rows in tables.items():
                writers[table].write(rows)
                digests[table].update(rows)
            told(len(roots))
        for rows in job.pool():
            writers["pool"].write(rows)
            digests["pool"].update(rows)
        for table, writer in writers.items():
            content = digests[table].hexdigest()
            said = {"worldgen.content": content, "worldgen.attempts": str(attempts)}
            entries[table] = {**writer.seal(job.identity(table) | said), "content": content}
        together(Writer.finish, writers.values())
    except BaseException:
        for writer in writers.values():
            writer.abandon()
        raise
    return Receipt(platform.node(), entries, attempts, np.concatenate(openings))


def kept(job: Job, told: Told = lambda roots: None) -> Receipt | None:
    """The receipt of a shard that stands whole and as this job would write it, footers and contents agreeing;
    None for any other. `told` hears how many roots it has.
    """
    entries: dict[str, Entry] = {}
    attempts: set[str] = set()
    openings: list[Openings] = []
    for table, schema in job.tables.items():
        heed()
        with Reading(job.path(table), schema) as reading:
            reading.rest()
        wanted = job.identity(table) | {"worldgen.content": reading.content}
        if reading.fault or differences(reading.footer, wanted):
            return None
        entries[table] = reading.entry
        attempts.add(reading.footer.get("worldgen.attempts", ""))
        openings += reading.openings if table == "roots" else []
    told(job.shard.stop - job.shard.start)
    return receipt_of(entries, attempts, openings)


def receipt_of(
    entries: Mapping[str, Entry], attempts: Collection[str], openings: Sequence[Openings]
) -> Receipt | None:
    """The receipt of a shard that was read, where its footers agree on a number of attempts and every root
    has a digest.
    """
    said = min(attempts, default="")
    if len(attempts) != 1 or not said.isdecimal() or sum(map(len, openings)) != entries["roots"]["rows"]:
        return None
    return Receipt(platform.node(), entries, int(said), np.concatenate(openings))


def differences(footer: Mapping[str, str], identity: Mapping[str, str]) -> list[str]:
    """The keys under which a footer does not say what it should."""
    return [key for key, value in identity.items() if footer.get(key) != value]
