"""Repeated roots are counted as a set of digests counts them, however their openings fall."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.emission import repeats
from worldgen.emission.repeats import openings_of, repeated_roots
from worldgen.exact import arrow

# Few words, so that digests meet that begin alike and differ in the second 64 bits, or not at all.
WORDS = st.sampled_from("0189abf").map(lambda mark: mark * 16)
FORGED = st.builds(lambda word, more: word * 2 + "f" * more, WORDS, st.integers(0, 90))
DIGESTS = st.builds(lambda first, second: first + second + "0" * 32, WORDS, WORDS) | FORGED


@given(st.lists(st.lists(DIGESTS, max_size=6), min_size=1, max_size=6), st.integers(1, 9))
def test_repeats_are_those_that_a_set_of_digests_shows(shards: Sequence[Sequence[str]], at_once: int) -> None:
    arrays = [arrow.strings(digests) for digests in shards]
    openings = [digest[:32] for digests in shards for digest in digests]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeats, "_SORTED", at_once)
        found = repeated_roots([openings_of(array) for array in arrays])
    assert found == len(openings) - len(set(openings))


def test_no_roots_are_repeated_where_there_are_none() -> None:
    assert repeated_roots([]) == repeated_roots([openings_of(arrow.strings([]))]) == 0


@given(st.lists(st.integers(0, 2**128 - 1), min_size=1))
def test_an_opening_is_128_bits_in_two_words(values: list[int]) -> None:
    openings = openings_of(arrow.strings([f"{value:032x}" + "0" * 32 for value in values]))
    assert [(first << 64) + second for first, second in openings.tolist()] == values


@pytest.mark.parametrize("text", ["", "0" * 31])
def test_what_is_no_digest_has_no_opening(text: str) -> None:
    with pytest.raises(ValueError, match="fewer than 32 digits"):
        openings_of(arrow.strings(["0" * 64, text]))
