"""Columns from pools and positions, each against a list that a reader believes at sight."""

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.arrow import Array, strings
from worldgen.exact.numbers import integers
from worldgen.exact.pools import (
    alike,
    coded,
    equal,
    lists,
    numbers,
    numerals,
    present,
    ragged,
    rationals,
    same,
    spelled,
    take,
    text_bytes,
    texts_of,
    together,
)

words = st.text(max_size=3)
maybe = st.none() | words


def places(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


@given(st.lists(st.lists(words, max_size=4), max_size=4), st.data())
def test_pools_together_hold_every_entry_where_they_say(pools: list[list[str]], data: st.DataObject) -> None:
    whole, starts = together([strings(pool) for pool in pools])
    assert whole.to_pylist() == [entry for pool in pools for entry in pool]
    assert len(starts) == len(pools)
    for pool, start in zip(pools, starts.tolist(), strict=True):
        assert take(whole, start + np.arange(len(pool))).to_pylist() == pool


@given(st.lists(st.none() | st.lists(maybe, max_size=3), max_size=6))
def test_lists_are_cut_where_their_lengths_say(rows: list[list[str | None] | None]) -> None:
    items = strings([item for row in rows for item in row or []])
    valid = np.array([row is not None for row in rows], dtype=np.bool_)
    made = lists(items, places([len(row or []) for row in rows]), valid)
    assert made.to_pylist() == rows
    assert present(made).tolist() == valid.tolist()


@given(st.lists(st.lists(st.lists(st.integers(-9, 9), max_size=3), max_size=3), max_size=4))
def test_lists_of_lists(rows: list[list[list[int]]]) -> None:
    inner = [entry for row in rows for entry in row]
    flat = numbers(np.array([number for entry in inner for number in entry], dtype=np.int32))
    made = lists(lists(flat, places(list(map(len, inner)))), places(list(map(len, rows))))
    assert made.to_pylist() == rows


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 4)), max_size=8))
def test_ragged_positions_are_ranges_end_to_end(rows: list[tuple[int, int]]) -> None:
    found = ragged(places([start for start, _ in rows]), places([length for _, length in rows]))
    assert found.tolist() == [at for start, length in rows for at in range(start, start + length)]


@given(st.lists(st.tuples(words, words, words), max_size=6))
def test_texts_are_spelled_by_their_parts(rows: list[tuple[str, str, str]]) -> None:
    parts = [(strings([row[i] for row in rows]), np.arange(len(rows))) for i in range(3)]
    assert spelled(parts).to_pylist() == ["".join(row) for row in rows]


@given(st.lists(st.tuples(st.integers(0, 10**6), st.integers(1, 10**6)), max_size=6), st.integers(0, 2))
def test_rationals_are_written_as_fractions_are(pairs: list[tuple[int, int]], power: int) -> None:
    scale = 10 ** (15 * power)  # beyond int64 for the largest
    pairs = [(top * scale + 1, bottom * scale + 1) for top, bottom in pairs]
    bound = (10**6 + 1) * scale + 2
    tops, bottoms = (integers([pair[i] for pair in pairs], bound) for i in (0, 1))
    assert rationals(tops, bottoms).to_pylist() == [str(Fraction(*pair)) for pair in pairs]


@given(st.lists(maybe, max_size=6), st.data())
def test_the_same_text_stands_at_all_places(texts: list[str | None], data: st.DataObject) -> None:
    place = st.integers(0, max(0, len(texts) - 1))
    rows = data.draw(st.lists(st.tuples(place, place, place), max_size=5 if texts else 0))
    table = np.array(rows, dtype=np.int64).reshape(len(rows), 3)
    (found,) = same(strings(texts), [table])
    assert found.tolist() == [texts[a] == texts[b] == texts[c] and texts[a] is not None for a, b, c in rows]


@given(st.lists(st.integers(0, 10**12)), st.integers(1, 8))
def test_numerals_are_those_of_python(values: list[int], width: int) -> None:
    written = numerals(np.array(values, dtype=np.int64), width).to_pylist()
    assert written == [f"{value:0{width}d}" for value in values]


@given(st.lists(st.tuples(maybe, maybe), max_size=6))
def test_texts_are_equal_and_numbered_as_in_python(rows: list[tuple[str | None, str | None]]) -> None:
    left, right = (strings([row[i] for row in rows]) for i in (0, 1))
    assert equal(left, right).tolist() == [one == other for one, other in rows]
    known = [one for one, _ in rows if one is not None]
    numbered = alike(strings(known)).tolist()
    pairs = list(zip(known, numbered, strict=True))
    assert all((a == b) == (i == j) for a, i in pairs for b, j in pairs)


@given(st.lists(words, max_size=6), st.integers(0, 3), st.integers(0, 3))
def test_bytes_of_texts_are_their_utf_8_however_the_array_was_cut(
    texts: list[str], start: int, end: int
) -> None:
    array: Array = pa.array(texts, type=pa.string()).slice(start, max(0, len(texts) - start - end))
    kept = texts[start : max(start, len(texts) - end)]
    data, offsets = text_bytes(array)
    assert bytes(data) == "".join(kept).encode()
    assert np.diff(offsets).tolist() == [len(text.encode()) for text in kept]
    assert texts_of(data, offsets[:-1], np.diff(offsets)).to_pylist() == kept


def test_half_a_character_is_no_text() -> None:
    with pytest.raises(ValueError, match="UTF8"):
        texts_of(np.frombuffer("é".encode(), dtype=np.uint8), places([0]), places([1]))


@given(st.lists(st.sampled_from("abc"), min_size=1), st.data())
def test_codes_stand_for_what_lies_at_the_places(pool: list[str], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(pool) - 1)))
    valid = np.array(data.draw(st.lists(st.booleans(), min_size=len(places), max_size=len(places))), bool)
    made: Any = coded(pool, np.array(places, dtype=np.int64), valid)
    assert made.to_pylist() == [pool[k] if ok else None for k, ok in zip(places, valid, strict=True)]
    assert sorted(made.dictionary.to_pylist()) == sorted(set(pool)), "no text may stand there twice"
