"""About how many bytes an emission writes and how long that takes, from a few roots made in memory.

Of every stratum some roots are drawn, asked and encoded as an emission would, into files that are hashed,
counted and dropped: a few to compile, then twice as many each time until that takes a moment, or until they
are all or fill a shard. The last two rounds tell what a file costs and what a root costs in it.
"""

import time
from dataclasses import dataclass

import numpy as np

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import tables_of
from worldgen.cohort.shards import shards
from worldgen.emission.batches import Batcher
from worldgen.emission.digests import ContentDigest
from worldgen.emission.parquet import bytes_of
from worldgen.exact import arrow

MOMENT = 1_500_000_000  # nanoseconds for all strata together, beyond what compiling takes
FIRST = 16  # roots that are drawn first
METADATA = 600  # bytes, about, of what the footer of a file says of it
BATCH = 512  # at most so many at once: memory stays small however long a payload is


@dataclass(frozen=True)
class About:
    """An estimate for one worker on this machine, from `sampled` roots: bytes of all tables, rounded up to
    two digits, and seconds of work, rounded up. What a disk takes is not in it.
    """

    bytes: int
    seconds: int
    sampled: int


@dataclass(frozen=True)
class _Sample:
    """So many roots, the bytes that they fill in one file of every table, and the nanoseconds it took."""

    roots: int
    size: int
    time: int


def about(cohort: Cohort, roots: int, seed: int) -> About:
    """About what an emission of `roots` roots costs. Nothing is written, and no folder is looked at.

    Raises what the draws raise: a quota that nothing meets may be found here.
    """
    cut = shards(roots)
    largest = max(shard.stop - shard.start for shard in cut)
    wanted = {number: size for number, size in enumerate(cohort.sizes(roots)) if size}
    size = METADATA * len(cut) * len(tables_of(cohort.pool, cohort.candidates))
    duration = sampled = 0
    for number, many in wanted.items():
        batcher = Batcher(cohort, number, seed, "0" * 8)
        compiled, before, last = _sampled(batcher, min(many, largest), MOMENT // len(wanted))
        one = (last.size - before.size) // max(1, last.roots - before.roots)
        a_file = max(0, last.size - one * last.roots)
        size += one * many + a_file * -(-many // largest) + _pool_size(batcher)
        duration += compiled.time + last.time * many // last.roots
        sampled += last.roots
    return About(_rounded_up(size), -(-duration // 10**9), sampled)


def _sampled(batcher: Batcher, most: int, moment: int) -> tuple[_Sample, _Sample, _Sample]:
    """The first sample of a stratum, which compiles it, and the last two, of half as many roots and all."""
    first = before = _sample(batcher, min(FIRST, most))
    last = _sample(batcher, min(2 * FIRST, most))
    spent = last.time
    while last.roots < most and spent < moment:
        before, last = last, _sample(batcher, min(2 * last.roots, most))
        spent += last.time
    return first, before, last


def _sample(batcher: Batcher, roots: int) -> _Sample:
    start = time.monotonic_ns()
    made: dict[str, list[arrow.Table]] = {}
    for first in range(0, roots, BATCH):
        indices = batcher.cohort.pool + np.arange(first, min(first + BATCH, roots))
        drawn = draw_roots(batcher.stratum, batcher.seed, indices, batcher.cohort.admission)
        for table, rows in batcher.tables(drawn).items():
            ContentDigest(rows.schema).update(rows)
            made.setdefault(table, []).append(rows)
    size: int = sum(bytes_of(tables, tables[0].schema) for tables in made.values())
    return _Sample(roots, size, time.monotonic_ns() - start)


def _pool_size(batcher: Batcher) -> int:
    pool = batcher.cohort.pool
    if not pool:
        return 0
    rows = batcher.pool(range(min(pool, BATCH)))
    return bytes_of([rows], rows.schema) * pool // min(pool, BATCH)


def _rounded_up(number: int) -> int:
    """A number with two digits and zeros, no smaller.

    >>> _rounded_up(1_234_567), _rounded_up(99)
    (1300000, 99)
    """
    unit = 10 ** max(0, len(str(number)) - 2)
    rounded: int = -(-number // unit) * unit
    return rounded
