"""The bootstrap: exactly uniform draws, exact sums, and the same bits however it is run."""

import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.scoring.built import axis_of, digest, random_columns
from worldgen.exact.streams import Stream
from worldgen.scoring.figures.bootstrap import Bootstrap, Replicates, _indices, percentiles, resample, scaled
from worldgen.scoring.figures.columns import Axis, Column

INF = float("inf")
VALUES = st.none() | st.fractions(-3, 3, max_denominator=12) | st.sampled_from([INF, -INF])
COLUMNS = st.lists(st.lists(VALUES, min_size=6, max_size=6), min_size=1, max_size=4)
SIZES = (3, 1, 2)


def column_of(values: Sequence[Fraction | float | None]) -> Column:
    """A column of fractions, infinities and gaps."""
    infinite = np.array([0 if v not in (INF, -INF) else int(v > 0) * 2 - 1 for v in values], dtype=np.int8)
    found = [None if v is None or i else Fraction(v) for v, i in zip(values, infinite, strict=True)]
    finite = Column.of(found)
    valid = np.array([v is not None for v in values])
    return Column.ratio(finite.numerators, finite.denominators, valid, infinite)


class Words:
    """A stream that hands out given 16-bit numbers at first, and then the last one, which no size rejects."""

    def __init__(self, numbers: NDArray[np.uint16]) -> None:
        self.numbers = numbers.view("<u8")

    def first(self, count: int, attempt: int = 0, extension: int = 0) -> NDArray[np.uint64]:
        return self.numbers[:count] if not extension else np.full(count, 2**64 - 1, np.uint64)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 125, 1000, 2048, 4095])
def test_every_index_keeps_the_same_number_of_words(size: int) -> None:
    """Of all 2**16 values of a random half-word each index is had from equally many; the 2**16 mod size left
    over are drawn again, where the last value gives the last index.
    """
    stream: Any = Words(np.random.default_rng(0).permutation(2**16).astype("<u2"))
    drawn = np.bincount(_indices(stream, 0, 2**16, size), minlength=size)
    drawn[-1] -= 2**16 % size
    assert drawn.tolist() == [2**16 // size] * size


def lemire(stream: Stream, block: int, count: int, size: int, extension: int = 0) -> list[int]:
    """The same draws, one word after the other in Python integers."""
    bits = 16 if size < 2**12 else 32
    words = stream.words(np.arange(-(-count * bits // 64)), block, extension).tolist()
    parts = [word >> shift & 2**bits - 1 for word in words for shift in range(0, 64, bits)][:count]
    rejected = [part * size % 2**bits < 2**bits % size for part in parts]
    again = iter(lemire(stream, block, sum(rejected), size, extension + 1) if any(rejected) else [])
    return [next(again) if no else part * size >> bits for part, no in zip(parts, rejected, strict=True)]


@pytest.mark.parametrize("size", [1, 3, 1000, 4095, 4096, 5000, 70_000])
def test_indices_are_those_of_plain_integers(size: int) -> None:
    stream = Stream.named(5, "bootstrap", "a")
    assert _indices(stream, 3, 2_500, size).tolist() == lemire(stream, 3, 2_500, size)


@pytest.mark.parametrize("size", [0, 1, 2, 125, 5000])
def test_a_replicate_draws_as_many_roots_as_there_are(size: int) -> None:
    bootstrap = Bootstrap(axis_of(size), 50, seed=1)
    for block, rows in bootstrap.blocks(size):
        weights = bootstrap.weights("a", block, rows, size)
        assert weights.shape == (rows, size)
        assert (weights.sum(axis=1) == size).all() and (weights == np.rint(weights)).all()


def test_strata_seeds_and_blocks_draw_differently() -> None:
    bootstrap, other = Bootstrap(axis_of(9), 300), Bootstrap(axis_of(9), 300, seed=1)
    found = [bootstrap.weights("a", 0, 20, 9), bootstrap.weights("b", 0, 20, 9)]
    found += [bootstrap.weights("a", 1, 20, 9), other.weights("a", 0, 20, 9)]
    assert len({weights.tobytes() for weights in found}) == 4


@pytest.mark.parametrize("rows", [1, 7, 256, 5000])
def test_joint_weights_are_those_of_the_strata(rows: int) -> None:
    bootstrap = Bootstrap(axis_of(3, 700), 400)
    whole = [
        np.concatenate([bootstrap.weights(name, block, n, size) for block, n in bootstrap.blocks(size)])
        for name, size in zip("ab", (3, 700), strict=True)
    ]
    assert (np.concatenate(list(bootstrap.joint(rows=rows))) == np.concatenate(whole, axis=1)).all()


def test_joint_weights_of_a_support_stay_inside_it() -> None:
    support = np.array([True, False, True, False, True, True])
    weights = np.concatenate(list(Bootstrap(axis_of(4, 2), 100).joint(support)))
    assert not weights[:, ~support].any()
    assert (weights[:, :4].sum(axis=1) == 2).all() and (weights[:, 4:].sum(axis=1) == 2).all()


def looped(bootstrap: Bootstrap, columns: Sequence[Column], *, support: bool) -> Replicates:
    """The replicates root by root in Python integers, from the same draws and grids."""
    axis = bootstrap.axis
    grid = scaled(columns, axis)
    strata: list[NDArray[np.float64]] = []
    for name, part in zip(axis.strata, axis.slices, strict=True):
        size = part.stop - part.start
        found = np.full((bootstrap.replicates, len(columns)), np.nan)
        for c, column in enumerate(columns):
            rows = [i for i in range(part.start, part.stop) if column.valid[i] or not support]
            start = 0
            for block, count in bootstrap.blocks(size):
                for weights in bootstrap.weights(name, block, count, len(rows)).tolist():
                    drawn = [(i, int(w)) for i, w in zip(rows, weights, strict=True) if column.valid[i]]
                    found[start, c] = mean_of(column, grid.values[c], int(grid.units[c]), drawn)
                    start += 1
        strata.append(found)
    return Replicates(tuple(strata), np.empty(0), np.empty(0, dtype=np.int64))


def mean_of(column: Column, values: NDArray[np.float64], unit: int, drawn: list[tuple[int, int]]) -> float:
    """One mean: a sum of integers, divided once."""
    number = sum(weight for _, weight in drawn)
    ends = {int(column.infinite[i]) for i, weight in drawn if weight} - {0}
    if ends or not number:
        return INF * ends.pop() if len(ends) == 1 else float("nan")
    return float(Fraction(sum(weight * int(values[i]) for i, weight in drawn), number * unit))


@pytest.mark.parametrize("support", [False, True])
@given(columns=COLUMNS)
def test_replicates_are_those_of_plain_loops(
    support: bool, columns: list[list[Fraction | float | None]]
) -> None:
    bootstrap, built = Bootstrap(axis_of(*SIZES), 9), list(map(column_of, columns))
    found, slow = (draw(bootstrap, built, support=support) for draw in (resample, looped))
    for fast, expected in zip(found.strata, slow.strata, strict=True):
        np.testing.assert_array_equal(fast, expected)
    for c in range(len(built)):
        for r in range(9):
            means = [float(each[r, c]) for each in slow.strata]
            assert_macro(built[c], bootstrap.axis, means, float(found.macro[r, c]))


def assert_macro(column: Column, axis: Axis, means: list[float], macro: float) -> None:
    """The mean over strata that drew a value; undefined with infinities of both signs."""
    signs = [set(column.infinite[part].tolist()) for part in axis.slices]
    left = [mean for mean, ends in zip(means, signs, strict=True) if not isnan(mean) or ends >= {1, -1}]
    if not left or any(map(isnan, left)) or {INF, -INF} <= set(left):
        assert isnan(macro)
    elif INF in left or -INF in left:
        assert macro == (INF if INF in left else -INF)
    else:
        exact = sum(map(Fraction, left), Fraction(0)) / len(left)
        assert abs(Fraction(macro) - exact) <= Fraction(1, 2**48)


def test_the_order_and_the_company_of_columns_change_no_bit() -> None:
    axis = axis_of(300, 90)
    columns, bootstrap = random_columns(axis, 12), Bootstrap(axis, 500)
    for support in (False, True):
        whole = resample(bootstrap, columns, support=support)
        order = np.random.default_rng(1).permutation(12).tolist()
        mixed = resample(bootstrap, [columns[c] for c in order], support=support)
        assert digest(whole, range(12)) == digest(mixed, order)
        for c, column in enumerate(columns):
            alone = resample(bootstrap, [column], support=support)
            np.testing.assert_array_equal(alone.macro[:, 0], whole.macro[:, c])


@pytest.mark.parametrize("support", [False, True])
def test_without_strata_the_means_over_them_are_the_same(
    support: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However few columns with gaps are held together."""
    axis = axis_of(60, 30)
    columns, bootstrap = random_columns(axis, 12), Bootstrap(axis, 300)
    whole = resample(bootstrap, columns, support=support)
    monkeypatch.setattr("worldgen.scoring.figures.bootstrap._HELD", 1)
    some = resample(bootstrap, columns * 3, support=support, by_stratum=False)
    assert some.strata == () and len(whole.strata) == 2
    np.testing.assert_array_equal(some.macro, np.concatenate([whole.macro] * 3, axis=1))
    np.testing.assert_array_equal(some.emptied, np.concatenate([whole.emptied] * 3))


def test_weights_that_are_kept_are_those_that_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap = Bootstrap(axis_of(9), 50)
    first, again = (bootstrap.weights("a", 0, 50, 9) for _ in range(2))
    monkeypatch.setattr("worldgen.scoring.figures.bootstrap._KEPT", 0)
    assert (first == again).all() and (first == Bootstrap(axis_of(9), 50).weights("a", 0, 50, 9)).all()
    assert bootstrap == Bootstrap(axis_of(9), 50)


SCRIPT = """
from tests.scoring.built import axis_of, digest, random_columns
from worldgen.scoring.figures.bootstrap import Bootstrap, resample
axis = axis_of(600, 500)
print(digest(resample(Bootstrap(axis, 400), random_columns(axis, 48)), range(48)))
"""


def test_threads_and_kernels_change_no_bit() -> None:
    """The bits of a product of any doubles depend on the number of threads and on the kernels of a processor;
    those of a sum of whole ones do not.
    """
    settings: list[dict[str, str]] = [
        {"OPENBLAS_NUM_THREADS": "1"},
        {"OPENBLAS_NUM_THREADS": "4"},
        {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Nehalem"},
    ]
    root = Path(__file__).parents[2]
    found = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONPATH": str(root), **setting},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for setting in settings
    }
    assert len(found) == 1


def test_where_every_root_has_a_value_slots_and_support_are_one() -> None:
    axis = axis_of(40, 3)
    columns = [column for column in random_columns(axis, 9) if column.valid.all()]
    whole, some = (resample(Bootstrap(axis, 200), columns, support=kind) for kind in (False, True))
    assert digest(whole, range(len(columns))) == digest(some, range(len(columns)))


@given(st.fractions(0, 10_000, max_denominator=5000))
def test_a_constant_column_has_no_width(value: Fraction) -> None:
    axis = axis_of(35, 4, 1)
    found = resample(Bootstrap(axis, 60), [Column.of([value] * 40)])
    low, high = percentiles(found.macro)
    assert (low[0], high[0]) == (float(value), float(value))


def test_a_stratum_without_values_is_left_out() -> None:
    axis = axis_of(3, 2)
    gap = Column.of([Fraction(1, 3)] * 3 + [None] * 2)
    found = resample(Bootstrap(axis, 40), [gap])
    assert np.isnan(found.strata[1]).all() and (found.macro == 1 / 3).all() and found.emptied.tolist() == [0]


def test_replicates_that_draw_no_value_are_counted_and_left_out() -> None:
    """One root of two has a value: it is missed by a quarter of the replicates, and never by the support."""
    axis = axis_of(2, 2)
    column = Column.of([Fraction(1), None, Fraction(0), Fraction(0)])
    slots, support = (resample(Bootstrap(axis, 4000), [column], support=kind) for kind in (False, True))
    missed = np.isnan(slots.strata[0][:, 0])
    assert slots.emptied.tolist() == [missed.sum()] and 900 < missed.sum() < 1100
    assert (slots.macro[missed] == 0).all() and (slots.macro[~missed] == 0.5).all()
    assert support.emptied.tolist() == [0] and (support.macro == 0.5).all()


def test_a_column_without_any_value_is_undefined() -> None:
    found = resample(Bootstrap(axis_of(3), 10), [Column.of([None] * 3)])
    low, high = percentiles(found.macro)
    assert np.isnan([low[0], high[0]]).all() and found.emptied.tolist() == [0]


def test_no_columns_are_no_replicates() -> None:
    found = resample(Bootstrap(axis_of(3, 1), 10), [])
    assert found.macro.shape == (10, 0) and [each.shape for each in found.strata] == [(10, 0)] * 2


@pytest.mark.parametrize("support", [False, True])
def test_infinities_of_both_signs_leave_a_replicate_undefined(support: bool) -> None:
    column = column_of([INF, -INF, Fraction(1)])
    macro = resample(Bootstrap(axis_of(3, 0), 2000), [column], support=support).macro[:, 0]
    # Of the 27 draws, 1 holds neither, 7 the first alone, 7 the second alone and 12 both.
    shares = [(macro == 1).mean(), (macro == INF).mean(), (macro == -INF).mean(), np.isnan(macro).mean()]
    np.testing.assert_allclose(shares, [1 / 27, 7 / 27, 7 / 27, 12 / 27], atol=0.04)


@given(st.lists(st.integers(0, 5) | st.none(), min_size=1, max_size=90))
def test_percentiles_are_order_statistics_of_what_is_defined(values: list[int | None]) -> None:
    replicates = np.array([[np.nan if value is None else value] for value in values], dtype=np.float64)
    ordered = sorted(value for value in values if value is not None)
    low, high = (float(end[0]) for end in percentiles(replicates))
    if not ordered:
        assert isnan(low) and isnan(high)
        return
    tail = max(1, len(ordered) * 25 // 1000)
    assert (low, high) == (ordered[tail - 1], ordered[-tail])


@pytest.mark.parametrize(
    ("replicates", "seed", "error"),
    [
        *((0, 1, ValueError), (-3, 1, ValueError), (100_001, 1, ValueError), (100, -1, ValueError)),
        *((2.5, 1, TypeError), ("x", 1, TypeError), (True, 1, TypeError), (100, "text", TypeError)),
    ],
)
def test_replicates_and_seeds_that_are_none(replicates: Any, seed: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"replicates|seed"):
        Bootstrap(Axis(("r",), ("a",), (1,)), replicates, seed)
