"""Which roots a cohort has, and how they are cut into shards: arithmetic, no draws."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from worldgen.cohort.checks import MOST_ROOTS
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.manifests import CohortError

SMALLEST_SHARD, LARGEST_SHARD = 256, 8192  # roots
WANTED_SHARDS, MOST_SHARDS = 16, 8192


@dataclass(frozen=True)
class Piece:
    """The roots with indices start .. stop - 1 of the stratum at position `number` in its cohort."""

    number: int
    stratum: Stratum
    start: int
    stop: int


@dataclass(frozen=True)
class Shard:
    """Roots start .. stop - 1 of the cohort, where strata follow each other."""

    number: int
    of: int
    start: int
    stop: int

    @property
    def file(self) -> str:
        """The file name of the shard in every table."""
        return f"{self.number:05d}-of-{self.of:05d}.parquet"


def shards(roots: int) -> list[Shard]:
    """The shards of a cohort of `roots` roots: about 16 of them, of 256 to 8,192 roots each, unless that were
    more than 8,192. Of more than 8,192 * 8,192 roots there are 8,192 larger ones: manifests list every file,
    and a folder of more of them is slow to list.

    Raises CohortError for fewer roots than 1 and more than 10**9.

    >>> [(shard.start, shard.stop) for shard in shards(600)]
    [(0, 256), (256, 512), (512, 600)]
    >>> [(len(shards(roots)), shards(roots)[0].stop) for roots in (10**6, 10**9)]
    [(123, 8192), (8192, 122071)]
    """
    if not 1 <= roots <= MOST_ROOTS:
        remedy = f"ask for a number from 1 to {MOST_ROOTS:,}"
        raise CohortError(f"there is no cohort of {roots:,} roots", remedy=remedy)
    size = min(max(-(-roots // WANTED_SHARDS), SMALLEST_SHARD), LARGEST_SHARD)
    size = max(size, -(-roots // MOST_SHARDS))
    count = -(-roots // size)
    return [Shard(k, count, k * size, min((k + 1) * size, roots)) for k in range(count)]


def pooled(pool: int, shard: Shard) -> range:
    """The places in the pool of each stratum whose rows stand in a shard: equal parts, in order.

    >>> [list(pooled(5, shard)) for shard in shards(600)]
    [[0], [1, 2], [3, 4]]
    """
    return range(pool * shard.number // shard.of, pool * (shard.number + 1) // shard.of)


def pieces(cohort: Cohort, roots: int, shard: Shard, most: Callable[[int], int]) -> Iterator[Piece]:
    """The strata's parts of a shard, in order, none of more than `most(number)` roots of a stratum."""
    first = 0
    for number, (stratum, size) in enumerate(zip(cohort.strata, cohort.sizes(roots), strict=True)):
        start, stop = max(shard.start, first) - first, min(shard.stop, first + size) - first
        for begin in range(start, stop, most(number)) if start < stop else ():
            end = min(begin + most(number), stop)
            yield Piece(number, stratum, cohort.pool + begin, cohort.pool + end)
        first += size
