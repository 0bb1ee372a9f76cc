"""What is kept for the next batch: each value is made once, and memory is bounded."""

import sys
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from worldgen.worlds import known
from worldgen.worlds.known import Known, Numbers

BATCHES = st.lists(st.lists(st.integers(0, 19)))


@given(BATCHES, st.integers(1, 25))
def test_rows_are_those_made_and_no_more_are_kept_than_allowed(batches: list[list[int]], most: int) -> None:
    asked: list[int] = []

    def make(numbers: Numbers) -> Numbers:
        asked.extend(numbers.tolist())
        assert numbers.tolist() == sorted({*numbers.tolist()})
        return np.stack([numbers, numbers**2], axis=1)

    with patch.object(known, "MOST", most):
        squares = Known(20)
    for numbers in batches:
        before = len(asked)
        rows = squares.of(np.array(numbers, dtype=np.int64), make)
        assert rows.tolist() == [[number, number**2] for number in numbers]
        assert {*asked[before:]} <= {*numbers}
        kept = squares._rows
        assert kept is not None and len(kept) == min(most, 20)
    if most >= 20:
        assert sorted(asked) == sorted({number for numbers in batches for number in numbers})


def test_a_row_that_was_pushed_out_is_made_again() -> None:
    made: list[list[int]] = []

    def make(numbers: Numbers) -> Numbers:
        made.append(numbers.tolist())
        return -numbers

    with patch.object(known, "MOST", 4):
        negatives = Known(100)
    assert negatives.of(np.array([1, 5, 2, 1]), make).tolist() == [-1, -5, -2, -1]
    assert negatives.of(np.array([5, 2, 1]), make).tolist() == [-5, -2, -1]
    assert negatives.of(np.array([2, 2]), make).tolist() == [-2, -2]
    assert negatives.of(np.array([1]), make).tolist() == [-1]
    assert made == [[1, 2, 5], [5], [1]]


def test_threads_that_share_places_read_their_own_rows() -> None:
    with patch.object(known, "MOST", 3):
        shared = Known(1000)
    batches = [np.random.default_rng(seed).integers(0, 1000, (8000, 5)) for seed in range(4)]

    def wrong(rows: NDArray[np.int64]) -> int:
        return sum((shared.of(numbers, np.negative) != -numbers).any() for numbers in rows)

    interval = sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(wrong, batches)) == [0] * 4
    finally:
        sys.setswitchinterval(interval)
