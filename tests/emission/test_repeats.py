"""Repeated roots are counted as a set of whole digests counts them, however the openings fall."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.emission import repeats
from worldgen.emission.repeats import openings_of, repeated_roots
from worldgen.exact import arrow

# Few openings, so that digests meet that begin alike and differ further on.
DIGESTS = st.builds(
    lambda opening, rest: opening * 16 + rest * 48, st.sampled_from("0189abf"), st.sampled_from("0f")
)


@given(st.lists(st.lists(DIGESTS, max_size=6), min_size=1, max_size=6), st.integers(1, 9))
def test_repeats_are_those_that_whole_digests_show(shards: Sequence[Sequence[str]], at_once: int) -> None:
    arrays = [arrow.strings(digests) for digests in shards]
    whole = [digest for digests in shards for digest in digests]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(repeats, "_SORTED", at_once)
        found = repeated_roots([openings_of(array) for array in arrays], arrays.__getitem__)
    assert found == len(whole) - len(set(whole))


def test_only_shards_with_a_doubtful_root_are_read() -> None:
    arrays = [arrow.strings([mark * 64 for mark in marks]) for marks in ("ab", "de", "ca")]
    asked: list[int] = []

    def digests(shard: int) -> arrow.Array:
        asked.append(shard)
        return arrays[shard]

    assert repeated_roots([openings_of(array) for array in arrays], digests) == 1
    assert asked == [0, 2]


@pytest.mark.parametrize("text", ["", "0" * 15])
def test_what_is_no_digest_has_no_opening(text: str) -> None:
    with pytest.raises(ValueError, match="fewer than 16 digits"):
        openings_of(arrow.strings(["0" * 64, text]))
