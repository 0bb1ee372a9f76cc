"""Intervals: every number lies where a walk along the weights puts it."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.exact import partitions
from worldgen.exact.numbers import INT64_BOUND, integers
from worldgen.exact.partitions import Partition

WEIGHTS = st.lists(
    st.one_of(st.integers(0, 3), st.integers(0, 5000), st.integers(0, 2**62), st.integers(0, 2**70)),
    min_size=1,
    max_size=12,
).filter(any)


def walked(weights: list[int], mark: int) -> int:
    for number, weight in enumerate(weights):
        if mark < weight:
            return number
        mark -= weight
    raise AssertionError("the mark is not below the sum")


@given(WEIGHTS, st.data())
@example([2**63 - 1], None)
@example([1, 2**63 - 3, 1], None)
@example([2048, 0, 1], None)
def test_a_mark_lies_in_the_interval_that_a_walk_finds(
    weights: list[int], data: st.DataObject | None
) -> None:
    partition, total = Partition(weights), sum(weights)
    ends = np.cumsum(np.array(weights, dtype=np.object_)).tolist()
    near = {mark for end in [0, *ends] for mark in (end - 1, end, end + 1) if 0 <= mark < total}
    drawn = data.draw(st.lists(st.integers(0, total - 1))) if data else []
    marks = [*near, *drawn]
    with pytest.MonkeyPatch.context() as patch:
        for most in (1, 2**62):  # by cells, and without them
            patch.setattr(partitions, "_MANY", most)
            found = partition.find(integers(marks, total + 1)).tolist()
            assert found == [walked(weights, mark) for mark in marks]


def test_cells_serve_all_but_the_widest_sums() -> None:
    marks = np.arange(4096)
    assert (Partition([1, 4095]).find(marks) == np.minimum(marks, 1)).all()
    assert Partition([INT64_BOUND, 1]).find(integers([INT64_BOUND], 2 * INT64_BOUND)).tolist() == [1]
