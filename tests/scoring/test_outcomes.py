"""Classes of outputs, words and endings: the first that fits, in their order."""

from itertools import product

import pytest

from worldgen.scoring.retention.outcomes import (
    Expected,
    Lexicon,
    Stopped,
    output_class,
    stopping_outcome,
    word_class,
)

CHARACTER = Expected(frozenset("0123456789"), "7", frozenset("ABCDEFGHIJ"), "H")
CODE = Expected(frozenset("ABCDEFGHIJ"), "H", frozenset("ABCDEFGHIJ"), "H")
LONG = Expected(frozenset({"585", "589"}), "589", frozenset({"o_1", "o_2"}), "o_2")


@pytest.mark.parametrize(
    ("text", "expected", "found"),
    [
        ("7", CHARACTER, "strict correct"),
        ("", CHARACTER, "empty"),
        (" \n", CHARACTER, "empty"),
        ("0", CHARACTER, "format-valid wrong"),
        ("H", CHARACTER, "correct bound code"),
        ("A", CHARACTER, "another listed code"),
        ("7\n", CHARACTER, "extra text"),
        ('"7"', CHARACTER, "extra text"),
        ("The answer is 4.", CHARACTER, "extra text"),
        ("H: 7", CHARACTER, "extra text"),
        ("77", CHARACTER, "other invalid"),
        ("h", CHARACTER, "other invalid"),
        ("K", CHARACTER, "other invalid"),
        ("H", CODE, "strict correct"),
        ("A", CODE, "format-valid wrong"),
        ("7", CODE, "other invalid"),
        ("589", LONG, "strict correct"),
        ("5891", LONG, "other invalid"),
        ("o_2", LONG, "correct bound code"),
        ("use o_1", LONG, "extra text"),
        ("o_12", LONG, "other invalid"),
    ],
)
def test_outputs(text: str, expected: Expected, found: str) -> None:
    assert output_class(text, expected) == found


def test_a_truncated_output_is_truncated_whatever_it_says() -> None:
    for text in ("7", "", "H", "0", "It is"):
        assert output_class(text, CHARACTER, truncated=True) == "truncated"
    with pytest.raises(ValueError, match="not among"):
        Expected(frozenset("ab"), "c", frozenset("AB"), "A")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cat", "gold"),
        ("cow", "other candidate"),
        ("cats", "malformed"),
        ("ca7", "malformed"),
        ("Cat", "malformed"),
        ("kit", "gold-synset lemma"),
        ("car", "other noun"),
        ("run", "other word"),
        ("zzz", "unindexed"),
    ],
)
def test_words(text: str, found: str) -> None:
    lexicon = Lexicon(frozenset({"cat", "cow", "kit", "car"}), frozenset({"cat", "cow", "kit", "car", "run"}))
    assert word_class(text, "cat", ["cat", "cow"], ["cat", "kit"], lexicon) == found


@pytest.mark.parametrize(
    ("symbols", "found"),
    [
        ("42E", Stopped("exact completion", True, True, False)),
        ("4E", Stopped("premature END", False, False, False)),
        ("E", Stopped("premature END", False, False, False)),
        ("42000", Stopped("correct content without END", False, True, True)),
        ("42", Stopped("correct content without END", True, True, False)),
        ("43000", Stopped("cap exhaustion", False, False, True)),
        ("420E", Stopped("wrong content", False, True, False)),
        ("43E", Stopped("wrong content", False, False, False)),
        ("4200E", Stopped("wrong content", False, True, False)),
        ("4?E", Stopped("wrong content", False, False, False)),
        ("4?000", Stopped("cap exhaustion", False, False, True)),
    ],
)
def test_endings(symbols: str, found: Stopped) -> None:
    given_symbols = [None if symbol == "?" else symbol for symbol in symbols]
    assert stopping_outcome(given_symbols, "42", "E", 5) == found


def test_every_run_has_one_ending_and_the_facts_beside_it_agree() -> None:
    for length in range(6):
        for symbols in product("42E", repeat=length):
            if "E" in symbols[:-1]:
                with pytest.raises(ValueError, match="it is over"):
                    stopping_outcome(symbols, "42", "E", 5)
                continue
            found = stopping_outcome(symbols, "42", "E", 5)
            ended = symbols[-1:] == ("E",)
            assert found.exhausted == (length == 5 and not ended)
            assert (found.outcome == "exact completion") == (symbols == ("4", "2", "E"))
            assert found.content <= found.beginning
    with pytest.raises(ValueError, match="6 symbols"):
        stopping_outcome("424242", "42", "E", 5)
