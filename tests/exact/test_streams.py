"""Streams: the words are Philox, and what is drawn from them is uniform exactly."""

import hashlib
import json
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.exact import philox as by_counter
from worldgen.exact import streams
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import integers
from worldgen.exact.philox import Words
from worldgen.exact.streams import Attempts, Indices, Stream

SIZES = (1, 2, 3, 99, 2**32 - 1, 2**32, 2**40, 2**53, 2**62, 2**63 - 1, 2**63, 2**64, 10**40)
URN = Stream.named(7, "urn", "all", "ball")

indices = st.lists(st.integers(0, 2**40), max_size=12).map(lambda values: np.array(values, dtype=np.int64))
levels = st.integers(0, 3)


def philox(counter: tuple[int, ...], key: tuple[int, int]) -> list[int]:
    """Philox4x64-10 as its authors define it (Salmon et al. 2011, "Parallel random numbers: as
    easy as 1, 2, 3", doi 10.1145/2063384.2063405).
    """
    c, k, low = list(counter), list(key), 2**64 - 1
    for _ in range(10):
        first, second = 0xD2E7470EE14C6C93 * c[0], 0xCA5A826395121157 * c[2]
        c = [second >> 64 ^ c[1] ^ k[0], second & low, first >> 64 ^ c[3] ^ k[1], first & low]
        k = [(k[0] + 0x9E3779B97F4A7C15) & low, (k[1] + 0xBB67AE8584CAA73B) & low]
    return c


def word_of(stream: Stream, index: int, attempt: int, extension: int) -> int:
    """The word of one root, by its definition."""
    key = (stream.key % 2**64, stream.key >> 64)
    return philox((index // 4, attempt, extension, 0), key)[index % 4]


def below_of(stream: Stream, index: int, attempt: int, size: int) -> int:
    """floor(U * size), where the words are the digits of U in base 2**64, most significant first."""
    known, weight, extension = Fraction(0), Fraction(1), 0
    while True:
        weight /= 2**64
        known += word_of(stream, index, attempt, extension) * weight
        least, most = floor(known * size), ceil((known + weight) * size) - 1
        if least == most:
            return least
        extension += 1


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        (
            (0, 0, 0, 0),
            (0, 0),
            [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B],
        ),
        (
            (2**64 - 1,) * 4,
            (2**64 - 1,) * 2,
            [0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0],
        ),
        (
            (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
            (0x452821E638D01377, 0xBE5466CF34E90C6C),
            [0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6],
        ),
    ],
)
def test_the_twin_gives_the_known_answers_of_random123(
    counter: tuple[int, ...], key: tuple[int, int], words: list[int]
) -> None:
    assert philox(counter, key) == words


def test_words_are_pinned() -> None:
    """What a seed means must never change: not with numpy, not with the machine."""
    assert URN.key == 0x5C0F65EB8BF62E9D5E186B3ADFC77683
    assert URN.words(np.arange(5)).tolist() == [
        13824523217700391542,
        13359641009359388013,
        207100100253826536,
        11511422547916231612,
        9204158518818686129,
    ]
    assert URN.words(np.array([2**40]), attempt=3, extension=1).tolist() == [18314038715168765715]
    assert [word_of(URN, 2**40, 3, 1)] == [18314038715168765715]


@given(st.integers(), st.lists(st.text(max_size=5), max_size=3))
def test_a_key_is_the_start_of_a_hash_of_the_names(seed: int, names: list[str]) -> None:
    path = json.dumps([str(seed), *names], ensure_ascii=False, separators=(",", ":")).encode()
    assert Stream.named(seed, *names).key == int.from_bytes(hashlib.sha256(path).digest()[:16], "little")


def test_names_do_not_run_together() -> None:
    paths: list[tuple[str, ...]] = [("a", "b"), ("ab",), ("a,b",), ("a", "", "b"), ("b", "a"), ('a","b',)]
    assert len({Stream.named(7, *path).key for path in paths}) == len(paths)


@given(st.integers(0, 2**128 - 1), indices, levels, levels)
@example(2**127 + 1, np.array([0]), 0, 0)  # key words on both sides of 2**63
@example(1, np.array([0]), 1, 0)  # numpy is handed the counter below, whose first word is 2**64 - 1
def test_words_are_those_of_the_definition(key: int, roots: Indices, attempt: int, extension: int) -> None:
    stream = Stream(key)
    words = stream.words(roots, attempt, extension)
    assert words.dtype == np.uint64
    assert words.tolist() == [word_of(stream, int(root), attempt, extension) for root in roots]


@given(st.integers(0, 2**40), st.integers(1, 40), levels)
def test_bulk_and_single_blocks_give_the_same_words(first: int, count: int, attempt: int) -> None:
    dense = np.arange(first, first + count)
    far = np.array([0, 2**50])
    together = URN.words(np.concatenate([far, dense]), attempt)
    assert together.tolist() == URN.words(far, attempt).tolist() + URN.words(dense, attempt).tolist()


@given(
    st.integers(0, 2**128 - 1),
    st.lists(st.tuples(st.integers(0, 2**40), st.integers(0, 2**33)), max_size=6),
    levels,
)
def test_every_root_may_have_an_attempt_of_its_own(
    key: int, drawn: list[tuple[int, int]], extension: int
) -> None:
    roots, attempts = (np.array([pair[i] for pair in drawn], dtype=np.int64) for i in (0, 1))
    words = Stream(key).words(roots, attempts, extension)
    assert words.tolist() == [word_of(Stream(key), *pair, extension) for pair in drawn]
    sizes = 10**15 + 1
    assert Stream(key).below(roots, attempts, sizes).tolist() == [
        below_of(Stream(key), *pair, sizes) for pair in drawn
    ]


@given(
    st.integers(0, 2**60),
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(0, 2) | st.integers(0, 2**33)), min_size=1, max_size=12
    ),
    levels,
)
def test_words_in_runs_of_one_attempt_and_words_alone_are_the_same(
    base: int, drawn: list[tuple[int, int]], extension: int
) -> None:
    roots = np.array([base + shift for shift, _ in drawn], dtype=np.int64)
    attempts = np.array([attempt for _, attempt in drawn], dtype=np.int64)
    expected = [
        word_of(URN, int(root), attempt, extension) for root, (_, attempt) in zip(roots, drawn, strict=True)
    ]
    for call, place, made in ((10**9, Stream, "_runs"), (-(10**9), by_counter, "words")):
        maker = patch.object(place, made, autospec=True, side_effect=getattr(place, made))
        with patch.object(streams, "_CALL", call), maker as calls:
            assert URN.words(roots, attempts, extension).tolist() == expected
        assert calls.call_count == 1


def test_the_order_of_roots_does_not_matter() -> None:
    roots = np.array([8, 7, 3, 8, 1000, 2**33])
    assert URN.words(roots).tolist() == [URN.words(roots[i : i + 1])[0] for i in range(len(roots))]


@given(indices, levels, st.sampled_from(SIZES))
def test_draws_are_those_of_the_definition(roots: Indices, attempt: int, size: int) -> None:
    drawn = URN.below(roots, attempt, size)
    assert drawn.tolist() == [below_of(URN, int(root), attempt, size) for root in roots]


@given(st.lists(st.tuples(st.integers(0, 2**33), st.sampled_from(SIZES) | st.integers(1, 2**70)), min_size=1))
def test_a_root_drawn_alone_equals_the_root_in_its_batch(pairs: list[tuple[int, int]]) -> None:
    roots, sizes = np.array([root for root, _ in pairs]), [size for _, size in pairs]
    batch = URN.below(roots, 1, integers(sizes, max(sizes) + 1))
    alone = [URN.below(np.array([root]), 1, size)[0] for root, size in pairs]
    assert batch.tolist() == alone == [below_of(URN, root, 1, size) for root, size in pairs]
    assert all(0 <= value < size for value, size in zip(alone, sizes, strict=True))


@dataclass(frozen=True)
class Scripted(Stream):
    """A stream whose word at each extension is given; asking for more is an IndexError."""

    script: tuple[int, ...] = ()

    def words(self, indices: Indices, attempt: Attempts = 0, extension: int = 0) -> Words:
        return np.full(len(indices), self.script[extension], dtype=np.uint64)


@pytest.mark.parametrize("ties", [0, 1, 2, 3])
@pytest.mark.parametrize("size", [3, 99, 2**32 - 1, 2**32 + 1, 10**40 + 1])
@pytest.mark.parametrize("numerator", [1, 2])
def test_a_word_that_straddles_a_cut_is_extended_until_it_does_not(
    ties: int, size: int, numerator: int
) -> None:
    """The cut numerator / size has the base 2**64 digits `cut`; a draw follows them for `ties` words,
    then leaves to either side, and exactly there its value is settled.
    """
    enough = ties + size.bit_length() // 64  # a word settles nothing while size exceeds 2**bits
    scale = 2 ** (64 * (enough + 1))
    below, above = numerator * scale // size - 1, numerator * scale // size + 1
    assert below >> 64 == above >> 64 == numerator * scale // size >> 64, "the tie is as long as it claims"
    for number, value in ((below, numerator - 1), (above, numerator)):
        script = tuple(number >> 64 * k & (2**64 - 1) for k in range(enough, -1, -1))
        settled = (*script, 0) if size > 2**62 else script  # beside a cut this fine, one word may not do
        assert Scripted(0, settled).below(np.array([0]), 0, size).tolist() == [value]
        if ties:
            with pytest.raises(IndexError):
                Scripted(0, script[:-1]).below(np.array([0]), 0, size)


@dataclass(frozen=True)
class Enumerated(Stream):
    """Root i of 2**16 has the 8-bit words i // 256 and i % 256, then `tail` for ever."""

    tail: int = 0

    def words(self, indices: Indices, attempt: Attempts = 0, extension: int = 0) -> Words:
        digits = {0: indices // 256, 1: indices % 256}
        return digits.get(extension, np.full(len(indices), self.tail)).astype(np.uint64)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 99, 255, 256, 257, 1000])
def test_every_value_has_the_same_probability_exactly(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of 8-bit words, each followed by the least and by the greatest possible rest.

    The draw is floor(U * size) in both cases, at the lower and at the upper end of what the two words
    leave possible. It is monotone in U, so the draws with value v are those with U between v / size and
    (v + 1) / size, an interval of length 1 / size; no word is thrown away and none counts twice.
    """
    monkeypatch.setattr(streams, "_BITS", 8)
    roots = np.arange(2**16)
    sizes = np.full(len(roots), size, dtype=np.object_)
    low = Enumerated(0, tail=0).below(roots, 0, sizes).tolist()
    high = Enumerated(0, tail=255).below(roots, 0, sizes).tolist()
    assert low == [i * size // 2**16 for i in range(2**16)]
    assert high == [-(-(i + 1) * size // 2**16) - 1 for i in range(2**16)]
    assert sum(a != b for a, b in zip(low, high, strict=True)) < size, "only a word on a cut is open"


whole_sizes = st.integers(1, 2**63 - 1) | st.integers(0, 62).map(lambda power: 2**power)
small_sizes = st.integers(1, 2**32 - 1) | st.integers(2**32 - 3, 2**32 - 1)


def near_cuts(sizes: st.SearchStrategy[int]) -> st.SearchStrategy[list[tuple[int, int, int]]]:
    return st.lists(st.tuples(sizes, st.integers(0, 2**63), st.integers(-3, 3)), min_size=1)


@given(near_cuts(whole_sizes) | near_cuts(small_sizes))
@example([(2**32 - 1, 2**32 - 1, -1)])  # the largest word by the largest size of half its length
def test_the_fast_product_equals_python_next_to_every_kind_of_cut(cases: list[tuple[int, int, int]]) -> None:
    """Words are put where they are hardest: within three of a cut k * 2**64 / size."""
    sizes = [size for size, _, _ in cases]
    words = [(k % size * 2**64 // size + shift) % 2**64 for size, k, shift in cases]
    drawn, undecided = streams._multiply_high(
        np.array(words, dtype=np.uint64), np.array(sizes, dtype=np.uint64), max(sizes)
    )
    products = [word * size for word, size in zip(words, sizes, strict=True)]
    assert drawn.tolist() == [product >> 64 for product in products]
    both = zip(products, sizes, strict=True)
    assert undecided.tolist() == [product >> 64 != product + size - 1 >> 64 for product, size in both]


@pytest.mark.parametrize("sizes", [0, -1, np.array([2, 0]), np.array([10**40, -(10**40)], dtype=np.object_)])
def test_nothing_is_drawn_from_nothing(sizes: int) -> None:
    with pytest.raises(DomainError, match="nothing can be drawn from"):
        URN.below(np.arange(2), 0, sizes)


def test_no_roots_have_no_draws() -> None:
    nobody = np.zeros(0, dtype=np.int64)
    assert len(URN.words(nobody)) == len(URN.below(nobody, 0, 5)) == len(URN.below(nobody, 0, 10**40)) == 0


@st.composite
def weight_tables(draw: st.DrawFn) -> list[list[int]]:
    """Rows of one width with a positive sum, zeros and very large weights among them."""
    weight = st.one_of(st.integers(0, 3), st.integers(0, draw(st.sampled_from([9, 2**40, 10**30]))))
    width = draw(st.integers(1, 6))
    return draw(
        st.lists(st.lists(weight, min_size=width, max_size=width).filter(any), min_size=1, max_size=6)
    )


def first_beyond(mark: int, weights: list[int]) -> int:
    """The option on whose stretch of the line a mark lies."""
    for option, weight in enumerate(weights):
        if mark < weight:
            return option
        mark -= weight
    raise AssertionError("the mark lies beyond all weights")


@given(weight_tables(), levels)
def test_a_choice_is_where_the_mark_falls_among_the_weights(table: list[list[int]], attempt: int) -> None:
    bound = max(map(sum, table)) + 1
    totals = integers([sum(row) for row in table], bound)
    roots = np.arange(5, 5 + len(table))
    chosen = URN.choose(roots, attempt, integers(table, bound), totals)
    marks = URN.below(roots, attempt, totals).tolist()
    assert chosen.tolist() == [first_beyond(mark, row) for mark, row in zip(marks, table, strict=True)]


@dataclass(frozen=True)
class Counting(Stream):
    """A stream that draws the root's own index."""

    def below(self, indices: Indices, attempt: Attempts, sizes: object) -> Indices:
        return indices


@given(st.lists(st.integers(0, 30), min_size=1, max_size=6).filter(any))
def test_over_all_marks_each_option_is_chosen_as_often_as_it_weighs(weights: list[int]) -> None:
    total = sum(weights)
    table = np.tile(np.array(weights), (total, 1))
    chosen = Counting(0).choose(np.arange(total), 0, table, np.full(total, total))
    assert np.bincount(chosen.astype(np.int64), minlength=len(weights)).tolist() == weights
