"""What is kept for the next batch: each value is made once, and memory is bounded."""

from collections.abc import Sequence
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from worldgen.worlds import known
from worldgen.worlds.known import Known


@given(st.lists(st.lists(st.integers(0, 9), unique=True)), st.integers(1, 12))
def test_values_are_those_made_and_no_more_are_kept_than_allowed(batches: list[list[int]], most: int) -> None:
    squares, made = Known[int](), 0

    def make(numbers: Sequence[int]) -> list[int]:
        nonlocal made
        made += len(numbers)
        return [number * number for number in numbers]

    with patch.object(known, "MOST", most):
        for numbers in batches:
            assert squares.of(numbers, make) == [number * number for number in numbers]
            assert len(squares._kept) <= max(most, len(numbers))
    if most >= 10:
        assert made == len({number for numbers in batches for number in numbers})
