"""Derangements: against shuffling one list at a time, and how often each comes."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.errors import DomainError
from worldgen.exact.permutations import derangements
from worldgen.exact.streams import Stream


def stream(purpose: str) -> Stream:
    return Stream.named(11, purpose)


def shuffled(index: int, width: int) -> list[int]:
    """The same by a loop: shuffle from the last place down, until no place is kept."""
    attempt = 0
    while True:
        found = list(range(width))
        for place in range(width - 1, 0, -1):
            other = int(stream(f"deck {place}").below(np.array([index]), attempt, place + 1)[0])
            found[place], found[other] = found[other], found[place]
        if all(place != there for place, there in enumerate(found)):
            return found
        attempt += 1


@given(st.lists(st.integers(0, 10**9), max_size=6), st.integers(2, 26))
def test_many_are_those_made_one_by_one(indices: list[int], width: int) -> None:
    found = derangements(stream, "deck", np.array(indices, dtype=np.int64), width)
    assert found.shape == (len(indices), width)
    assert found.tolist() == [shuffled(index, width) for index in indices]


def test_each_comes_as_often() -> None:
    """Of 3,000 each of the nine is expected 333 times; five standard deviations are 86."""
    drawn = Counter(map(tuple, derangements(stream, "deck", np.arange(3000), 4).tolist()))
    assert set(drawn) == {one for one in permutations(range(4)) if all(i != j for i, j in enumerate(one))}
    assert all(abs(count - 333) < 87 for count in drawn.values())


def test_one_place_cannot_be_left() -> None:
    with pytest.raises(DomainError, match="cannot all be left"):
        derangements(stream, "deck", np.arange(2), 1)
