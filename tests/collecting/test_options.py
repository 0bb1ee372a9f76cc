"""Options: bindings that keep what codes stand for apart from how they look, and uniform permutations."""

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.fields import BINDINGS
from worldgen.collecting.controllers.options import (
    ControllerError,
    Naming,
    bound,
    derangement,
    permutation,
    resolve,
)
from worldgen.collecting.controllers.symbols import DIGITS, END, LETTERS, PUNCTUATION, STOPPING, name_of


@given(st.integers(2, 12), st.integers(0, 9))
def test_bindings_differ_only_in_what_codes_stand_for(size: int, seed: int) -> None:
    symbols = LETTERS[:size]
    naming = Naming(tuple(f"k{n}" for n in range(size)), symbols, derangement(size, seed, "item"))
    codes = {kind: [option.code for option in bound(symbols, kind, naming)] for kind in BINDINGS}
    assert codes["literal"] == codes["aligned"] == list(symbols)
    for plain, deranged in ((codes["opaque"], codes["remapped"]), (codes["aligned"], codes["conflicting"])):
        assert all(a != b for a, b in zip(plain, deranged, strict=True)) and sorted(plain) == sorted(deranged)
    for kind in BINDINGS:
        for option in bound(symbols, kind, naming):
            assert resolve(bound(symbols, kind, naming), "code", option.code) == option.symbol
            assert resolve(bound(symbols, kind, naming), "character", option.symbol) == option.symbol


def test_under_a_conflict_code_and_character_are_told_apart() -> None:
    options = bound("ab", "conflicting", Naming(("x", "y"), ("a", "b"), (1, 0)))
    assert (resolve(options, "code", "a"), resolve(options, "character", "a")) == ("b", "a")


@pytest.mark.parametrize("answer", ["A", " a", "a\n", "", "aa", None])
def test_nothing_is_stripped_and_no_case_is_changed(answer: str | None) -> None:
    for contract in ("code", "character"):
        assert resolve(bound("ab", "literal"), contract, answer) is None


def test_permutations_and_derangements_come_equally_often() -> None:
    """Of 3,000 draws each of 24 permutations is expected 125 times, each of 9 derangements 333 times; five
    standard deviations are 55 and 87.
    """
    drawn = Counter(permutation(4, seed, "law") for seed in range(3000))
    assert set(drawn) == set(permutations(range(4)))
    assert all(abs(count - 125) < 55 for count in drawn.values())
    moved = Counter(derangement(4, seed, "law") for seed in range(3000))
    assert set(moved) == {p for p in permutations(range(4)) if all(i != j for i, j in enumerate(p))}
    assert all(abs(count - 333) < 87 for count in moved.values())


def test_names_key_permutations() -> None:
    assert permutation(20, 1, "a") == permutation(20, 1, "a")
    assert len({permutation(20, 1, "a"), permutation(20, 1, "b"), permutation(20, 2, "a")}) == 3


def test_the_stopping_track_has_51_symbols_with_distinct_names() -> None:
    assert len(STOPPING) == len(set(STOPPING)) == len(set(map(name_of, STOPPING))) == 51
    assert (len(LETTERS), len(DIGITS), len(PUNCTUATION)) == (26, 10, 11)
    assert "".join(PUNCTUATION) == ".,!?;:'\"-()"
    assert STOPPING[-1] == END and [len(symbol) for symbol in STOPPING].count(1) == 50
    assert [name_of(symbol) for symbol in STOPPING[-4:]] == ["space", "newline", "tab", END]


@pytest.mark.parametrize(
    ("opaque", "readable", "moves", "fault"),
    [
        (("x", "x"), ("a", "b"), (1, 0), "distinct codes"),
        (("x", "y"), ("a",), (1, 0), "distinct codes"),
        (("x", "y"), ("a", "b"), (1, 1), "no permutation"),
        (("x", "y", "z"), ("a", "b", "c"), (1, 0, 2), "its own code"),
    ],
)
def test_codes_that_do_not_tell_symbols_apart_are_refused(
    opaque: tuple[str, ...], readable: tuple[str, ...], moves: tuple[int, ...], fault: str
) -> None:
    with pytest.raises(ControllerError, match=fault):
        Naming(opaque, readable, moves)


def test_what_cannot_be_deranged_or_bound_is_refused() -> None:
    with pytest.raises(ControllerError, match="cannot all change places"):
        derangement(1, 0)
    with pytest.raises(ControllerError, match="needs codes for 2 symbols"):
        bound("ab", "aligned")
