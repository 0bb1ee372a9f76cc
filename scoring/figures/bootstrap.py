"""The paired, stratified bootstrap over roots: one set of weights for every figure.

A replicate draws, in each stratum, as many roots as there are, with replacement; a root counts as
often as it was drawn, with all its requests and all systems together. The weights come from the
counter streams of `exact.streams` keyed by (seed, stratum) with the block of replicates as counter, and
uniform indices are had from 16 or 32 random bits by Lemire's multiplication with rejection, so they are
exactly uniform. Values are scaled to integers below a proved bound, so that the matrix product of
weights and values is a sum of integers that doubles hold: it is the same in whatever order, by whatever
number of threads and in whatever library it is taken. One division follows, and is rounded once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import lcm

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.streams import Stream
from worldgen.scoring.figures.columns import Axis, Column, Mask, largest

Doubles = NDArray[np.float64]

REPLICATES = 5000
MOST_REPLICATES = 100_000
"""More would not fit into memory, and would move an end of an interval in its third digit at most."""

SEED = 20261130
LEVEL = 0.95
_CELLS = 2**17  # weights of a block: they and what they are multiplied with stay in the cache
_EXACT = 2**53  # doubles hold every integer up to here
_KEPT = 2**25  # weights that are kept
_FINEST = 44
_HELD = 1024  # means of strata that are held together while columns lack values: (5000, 1024) are 41 MB
_TILE = 128  # columns whose sums over a block stay in the cache


@dataclass(frozen=True)
class Bootstrap:
    """`replicates` paired resamples of the roots of an axis, the same for all that is asked of them.

    The first weights that are drawn are kept, a byte each, until they are 32 MB: counts are small, and to
    read them takes a twentieth of the time of drawing them again. TypeError unless `replicates` and `seed`
    are Python integers, ValueError unless they are from 1 to MOST_REPLICATES, and from 0.
    """

    axis: Axis
    replicates: int = REPLICATES
    seed: int = SEED
    _kept: dict[tuple[str, int, int, int], NDArray[np.uint8]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        for name, number in (("replicates", self.replicates), ("seed", self.seed)):
            if type(number) is not int:
                raise TypeError(f"{name} is {number!r}, which is no whole number")
        if not 1 <= self.replicates <= MOST_REPLICATES:
            raise ValueError(f"{self.replicates} replicates are not between 1 and {MOST_REPLICATES}")
        if self.seed < 0:
            raise ValueError(f"the seed {self.seed} is negative")

    def blocks(self, size: int) -> Iterator[tuple[int, int]]:
        """(number, replicates) of each block of a stratum of `size` roots."""
        rows = max(32, min(1024, _CELLS // max(size, 1)))
        for number, start in enumerate(range(0, self.replicates, rows)):
            yield number, min(rows, self.replicates - start)

    def weights(self, stratum: str, block: int, rows: int, size: int) -> Doubles:
        """How often each of `size` roots is drawn in each of the `rows` replicates of a block: (rows, size),
        whole numbers, every row summing to `size`.

        >>> bootstrap = Bootstrap(Axis(("r1", "r2"), ("a",), (2,)), seed=7)
        >>> bootstrap.weights("a", 0, 3, 2).tolist()
        [[2.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
        """
        key = stratum, block, rows, size
        if key not in self._kept:
            drawn = _indices(Stream.named(self.seed, "bootstrap", stratum), block, rows * size, size)
            drawn.reshape(rows, size)[:] += (np.arange(rows) * size)[:, None]
            counts = np.bincount(drawn, minlength=rows * size).reshape(rows, size)
            if counts.max(initial=0) > 255 or sum(map(np.size, self._kept.values())) + counts.size > _KEPT:
                return counts.astype(np.float64)
            self._kept[key] = counts.astype(np.uint8)
        return self._kept[key].astype(np.float64)

    def joint(self, support: Mask | None = None, rows: int = 0) -> Iterator[Doubles]:
        """The weights of all roots together, (rows, n) for so many replicates at a time (0: so many that they
        are two million weights). With `support` (n,) only the roots that it marks are drawn from, as many as
        it marks in each stratum.

        >>> [len(part) for part in Bootstrap(Axis(("r1", "r2"), ("a",), (2,))).joint(rows=2000)]
        [2000, 2000, 1000]
        """
        rows = rows or max(64, min(1024, 2**21 // max(len(self.axis), 1)))
        everywhere = np.ones(len(self.axis), dtype=np.bool_) if support is None else support
        parts = zip(self.axis.strata, self.axis.slices, strict=True)
        streams = [_in_rows(self._all(name, everywhere[part]), rows) for name, part in parts]
        for drawn in zip(*streams, strict=True):
            yield np.concatenate(drawn, axis=1)

    def _all(self, stratum: str, support: Mask) -> Iterator[Doubles]:
        for block, rows in self.blocks(len(support)):
            weights = np.zeros((rows, len(support)))
            weights[:, support] = self.weights(stratum, block, rows, int(support.sum()))
            yield weights


def _in_rows(blocks: Iterable[Doubles], rows: int) -> Iterator[Doubles]:
    """The rows of all blocks, so many at a time."""
    waiting: list[Doubles] = []
    for block in blocks:
        waiting.append(block)
        while sum(map(len, waiting)) >= rows:
            together = np.concatenate(waiting)
            yield together[:rows]
            waiting = [together[rows:]]
    if sum(map(len, waiting)):
        yield np.concatenate(waiting)


def _indices(stream: Stream, block: int, count: int, size: int, extension: int = 0) -> NDArray[np.int64]:
    """`count` uniform indices below `size`: Lemire's method on the halves or quarters of 64-bit words.

    With b bits, u * size >> b is uniform once the u whose product has a low part below 2**b mod size are
    left out, as each index then keeps floor(2**b / size) values of u. The places of those left out are
    filled with draws from the next extension of the stream. Products stay below 2**(2b).
    """
    bits, part, wide = (16, "<u2", "<u4") if size < 2**12 else (32, "<u4", "<u8")
    words = stream.first(-(-count * bits // 64), block, extension).astype("<u8", copy=False)
    products = words.view(part)[:count].astype(wide)
    products *= np.array(size, dtype=wide)
    found: NDArray[np.int64] = (products >> np.array(bits, dtype=wide)).astype(np.int64)
    left = 2**bits % max(size, 1)
    missing = np.flatnonzero(products.astype(part) < left) if left else ()  # a cast keeps the low part
    if len(missing):
        found[missing] = _indices(stream, block, len(missing), size, extension + 1)
    return found


@dataclass(frozen=True)
class Scaled:
    """Columns as integers over one unit each: value = values / unit.

    `values` (C, n) are whole doubles, 0 where a column has no finite value; `units` (C,) are whole doubles
    or powers of two.
    """

    values: Doubles
    units: Doubles


def scaled(columns: Sequence[Column], axis: Axis) -> Scaled:
    """Columns on grids so fine that the sums of every replicate are exact in doubles.

    A replicate adds at most n = max stratum size values. Over the least common denominator D a column is
    exact, and is taken so where n D max(1, greatest numerator) is at most 2**53. Otherwise, with values
    below 2**m in absolute value, the sum on the grid 2**-k stays below n 2**(m + k) <= 2**53, and a value
    moves by at most 2**-(k + 1).
    """
    roots = max(axis.sizes, default=1)
    values, units = np.zeros((len(columns), len(axis))), np.ones(len(columns))
    for place, column in enumerate(columns):
        common = _common(column, _EXACT // max(roots, 1))
        if common:
            values[place], units[place] = column.numerators * (common // column.denominators), common
            continue
        doubles = column.doubles()
        peak = max(np.abs(doubles).max(initial=0.0), 2.0**-_FINEST)
        bits = min(_FINEST, 52 - int(roots).bit_length() - int(np.frexp(peak)[1]))  # peak < 2**exponent
        values[place], units[place] = np.rint(np.ldexp(doubles, bits)), 2.0**bits
    return Scaled(values, units)


def _common(column: Column, bound: int) -> int:
    """The least common denominator of a column, 0 where it, or it times a numerator, exceeds the bound.

    As the bound is at most 2**53, no product of numerators and common // denominators leaves int64.
    """
    common = 1
    for denominator in set(column.denominators.tolist()):
        common = lcm(common, denominator)
        if common > bound:
            return 0
    return common if largest(column.numerators) * common <= bound else 0


@dataclass(frozen=True)
class Replicates:
    """What the replicates of C columns came to: `strata[i]` (R, C) their means in stratum i, NaN where a
    replicate drew no root with a value; `macro` (R, C) the means over strata with a value; `emptied` (C,)
    the number of replicates in which a stratum that has values drew none of them.

    The replicates of a column lie side by side in memory.
    """

    strata: tuple[Doubles, ...]
    macro: Doubles
    emptied: NDArray[np.int64]


def resample(
    bootstrap: Bootstrap, columns: Sequence[Column], *, support: bool = False, by_stratum: bool = True
) -> Replicates:
    """The replicates of the means of columns; without `by_stratum` those over strata alone, and no `strata`.

    By default all roots of a stratum are drawn from, and each mean divides by the weight of the roots
    that have a value. With `support` only the roots that have a value in a column are drawn from.
    The two agree in law, and to the bit where every root has a value.
    """
    axis, grid = bootstrap.axis, scaled(columns, bootstrap.axis)
    reach = np.abs(grid.values).max(axis=1, initial=0.0) / grid.units * len(axis.strata)
    complete = np.array([column.complete for column in columns], dtype=np.bool_) & np.isfinite(reach)
    order = np.argsort(~complete, kind="stable")  # complete columns first, a row each
    first = slice(int(complete.sum()))
    macro, emptied = np.zeros((len(columns), bootstrap.replicates)), np.zeros(len(columns), dtype=np.int64)
    strata = [np.full(macro.shape, np.nan) for _ in axis.strata] if by_stratum else []
    whole = Scaled(grid.values[order[first]], grid.units[order[first]])
    _draw_complete(bootstrap, whole, macro[first], [means[first] for means in strata])
    width = max(16, _HELD // max(len(axis.strata), 1))
    for start in range(first.stop, len(columns), width):
        rows = slice(start, min(start + width, len(columns)))
        some = order[rows]
        part = Scaled(grid.values[some], grid.units[some])
        found = _of_partial(bootstrap, [columns[place] for place in some], part, support)
        macro[rows], emptied[rows] = found.macro.T, found.emptied
        for means, drawn in zip(strata, found.strata, strict=False):
            means[rows] = drawn.T
    if (np.diff(order) < 0).any():
        back = np.argsort(order)
        macro, emptied, strata = macro[back], emptied[back], [means[back] for means in strata]
    return Replicates(tuple(means.T for means in strata), macro.T, emptied)


def _draw_complete(bootstrap: Bootstrap, grid: Scaled, macro: Doubles, strata: Sequence[Doubles]) -> None:
    """Fill in the replicates (C, R) of columns in which every root has a finite value, so that every
    replicate draws as much weight as the stratum has roots: over strata into `macro`, which is 0, and those
    of the strata where they are wanted.

    The running mean takes one stratum after the other, as that of `_over_strata` does where all are drawn and
    sums stay finite.
    """
    axis, met = bootstrap.axis, 0
    for number, (name, part, size) in enumerate(zip(axis.strata, axis.slices, axis.sizes, strict=True)):
        met += size > 0
        start = 0
        for block, rows in bootstrap.blocks(size) if size else ():
            weights, here = bootstrap.weights(name, block, rows, size), slice(start, start + rows)
            for first in range(0, len(macro), _TILE):
                some = slice(first, first + _TILE)
                means = grid.values[some, part] @ weights.T
                means /= (size * grid.units[some])[:, None]
                if strata:
                    strata[number][some, here] = means
                means -= macro[some, here]
                means /= met
                macro[some, here] += means
            start += rows
    if not met:
        macro[:] = np.nan


def _of_partial(bootstrap: Bootstrap, columns: Sequence[Column], grid: Scaled, support: bool) -> Replicates:
    """The replicates of columns in which roots may lack a value, or have an infinite one."""
    axis = bootstrap.axis
    valid = np.stack([column.valid for column in columns])
    signs = np.stack([column.infinite for column in columns])
    draw = _by_support if support else _by_slots
    strata, supported, mixed = [], [], []
    for name, part in zip(axis.strata, axis.slices, strict=True):
        here = _Part(grid.values[:, part], grid.units, valid[:, part], signs[:, part])
        strata.append(draw(bootstrap, name, here))
        supported.append(np.asarray(here.valid.any(axis=1)))
        mixed.append(np.asarray((here.signs > 0).any(axis=1) & (here.signs < 0).any(axis=1)))
    return _over_strata(strata, supported, mixed)


@dataclass(frozen=True)
class _Part:
    """The columns of one stratum, a row each: scaled values, units, where values stand, signs of the infinite
    ones.
    """

    values: Doubles
    units: Doubles
    valid: Mask
    signs: NDArray[np.int8]


def _by_slots(bootstrap: Bootstrap, stratum: str, part: _Part) -> Doubles:
    """(C, R) means over all roots of the stratum, divided by the weight of those with a value. Sums,
    counts and infinities are rows of one product.
    """
    width, size = part.values.shape
    numbers: dict[bytes, int] = {}
    group = [numbers.setdefault(mask.tobytes(), len(numbers)) for mask in part.valid]
    masks = part.valid[[group.index(number) for number in range(len(numbers))]]
    above, below = part.signs > 0, part.signs < 0
    lost = np.flatnonzero(above.any(axis=1) | below.any(axis=1))
    stacked = np.vstack([part.values, masks, above[lost], below[lost]])
    found = np.empty((width, bootstrap.replicates))
    start = 0
    for block, rows in bootstrap.blocks(size):
        sums = stacked @ bootstrap.weights(stratum, block, rows, size).T
        counts, infinite = np.split(sums[width:], [len(masks)])
        with np.errstate(invalid="ignore"):
            means = sums[:width] / (counts[group] * part.units[:, None])
        found[:, start : start + rows] = _with_infinities(means, lost, infinite)
        start += rows
    return found


def _by_support(bootstrap: Bootstrap, stratum: str, part: _Part) -> Doubles:
    """(C, R) means over draws from the roots that have a value alone, by columns that have as many: their
    roots are drawn alike, the i-th of each as often.
    """
    size, counts = part.values.shape[1], part.valid.sum(axis=1)
    found = np.full((len(counts), bootstrap.replicates), np.nan)
    for count in set(counts.tolist()) - {0}:
        columns = np.flatnonzero(counts == count)
        mask = part.valid[columns]
        values = part.values[columns][mask].reshape(-1, count)
        signs = part.signs[columns][mask].reshape(-1, count)
        lost = np.flatnonzero(signs.any(axis=1))
        stacked = np.vstack([values, signs[lost] > 0, signs[lost] < 0])
        start = 0
        for block, rows in bootstrap.blocks(size):
            sums = stacked @ bootstrap.weights(stratum, block, rows, count).T
            means = sums[: len(columns)] / (count * part.units[columns])[:, None]
            found[columns, start : start + rows] = _with_infinities(means, lost, sums[len(columns) :])
            start += rows
    return found


def _with_infinities(means: Doubles, lost: NDArray[np.int64], drawn: Doubles) -> Doubles:
    """The means, infinite where an infinite value was drawn (`drawn` holds the weight of those above, then of
    those below), NaN where both were.
    """
    above, below = np.split(drawn > 0, 2)
    means[lost] = np.where(above, np.inf, means[lost])
    means[lost] = np.where(below, np.where(above, np.nan, -np.inf), means[lost])
    return means


def _over_strata(strata: Sequence[Doubles], supported: Sequence[Mask], mixed: Sequence[Mask]) -> Replicates:
    """The macro means, and how many replicates left out a stratum that has values.

    A stratum with infinite values of both signs (`mixed`) is never left out: where both were drawn the macro
    mean is undefined, too.
    """
    macro, emptied = np.empty(strata[0].shape), np.zeros(len(strata[0]), dtype=np.int64)
    for start in range(0, len(macro), 32):  # so many columns stay in the cache
        some = slice(start, start + 32)
        parts = [means[some] for means in strata]
        drawn = [~np.isnan(part) | both[some, None] for part, both in zip(parts, mixed, strict=True)]
        left = [has[some, None] & ~here for has, here in zip(supported, drawn, strict=True)]
        emptied[some] = np.logical_or.reduce(left).sum(axis=1)
        macro[some] = _running_mean(parts, drawn)
    return Replicates(tuple(means.T for means in strata), macro.T, emptied)


def _running_mean(parts: Sequence[Doubles], drawn: Sequence[Mask]) -> Doubles:
    """The mean over those strata that were drawn, NaN without any. They enter in their order, one after the
    other: no rounding is left open, and where they agree the mean is what they agree on.
    """
    with np.errstate(invalid="ignore"):  # a stratum may be infinite upwards, another downwards
        total = np.sum([np.where(here, part, 0.0) for part, here in zip(parts, drawn, strict=True)], axis=0)
        finite = np.isfinite(total)
        mean, count = np.zeros_like(total), np.zeros_like(total)
        for part, here in zip(parts, drawn, strict=True):
            count += here
            mean += np.where(here & finite, (part - mean) / np.maximum(count, 1), 0.0)
    return np.where(count == 0, np.nan, np.where(finite, mean, total))


def percentiles(replicates: Doubles, level: float = LEVEL) -> tuple[Doubles, Doubles]:
    """The lower and upper ends of the percentile interval of each column of (R, C) replicates.

    With R defined replicates and k = floor(R (1 - level) / 2), at least 1, they are the k-th smallest and
    the k-th largest: order statistics, so that nothing is interpolated. NaN where no replicate is defined.

    >>> low, high = percentiles(np.arange(1000.0)[:, None])
    >>> low.tolist(), high.tolist()
    ([24.0], [975.0])
    """
    ordered = np.sort(replicates, axis=0)  # NaN last
    defined = (~np.isnan(ordered)).sum(axis=0)
    tail = np.maximum(1, np.floor(defined * round((1 - level) / 2, 12)).astype(np.int64))
    places = np.arange(ordered.shape[1])
    low = np.where(defined > 0, ordered[np.minimum(tail - 1, len(ordered) - 1), places], np.nan)
    high = np.where(defined > 0, ordered[np.maximum(defined - tail, 0), places], np.nan)
    return low, high
