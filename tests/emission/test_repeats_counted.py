"""Repeated roots are counted as a set of digests counts them, whatever their digests share."""

from hypothesis import given
from hypothesis import strategies as st

from worldgen.emission.repeats import openings_of, repeated_roots
from worldgen.exact.arrow import strings

marks = st.sampled_from("0af")
openings = marks.map(lambda mark: mark * 16)
digests = st.builds(lambda opening, mark: opening + mark * 48, openings, marks)
forged = st.builds(lambda opening, mark, more: opening + mark * more, openings, marks, st.integers(0, 60))


@given(st.lists(st.lists(digests | forged, max_size=6), max_size=4))
def test_every_root_but_the_first_of_its_digest_is_repeated(shards: list[list[str]]) -> None:
    columns = [strings(shard) for shard in shards]
    every = [digest for shard in shards for digest in shard]
    found = repeated_roots([openings_of(column) for column in columns], columns.__getitem__)
    assert found == len(every) - len(set(every))
