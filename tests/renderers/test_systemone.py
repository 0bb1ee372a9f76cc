"""The systemone wire: key order, limits, and what is portable."""

import json
from typing import Any

import pytest

from worldgen.exact.domains import Identifiers, Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers.errors import WireError
from worldgen.renderers.lines import Column, Leaf, Literal, Slot, straight
from worldgen.renderers.systemone import Asked, Choice, Noul, Score, payload, portable


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        (Noul("Is it red?"), {"type": "noul", "instructions": "Is it red?"}),
        (
            Noul("Is it red?", "red", "of another colour"),
            {
                "type": "noul",
                "instructions": "Is it red?",
                "criteria": {"true": "red", "false": "of another colour"},
            },
        ),
        (
            Choice("Which?", (("zeta", None), ("alpha", "first letter"))),
            {"type": "choice", "instructions": "Which?", "criteria": {"zeta": None, "alpha": "first letter"}},
        ),
        (
            Score("How much?", ("none", "some", "all")),
            {"type": "score", "instructions": "How much?", "criteria": ["none", "some", "all"]},
        ),
    ],
)
def test_the_body_has_its_keys_in_order_and_no_others(asked: Asked, question: Any) -> None:
    body = straight(payload("a box of balls", "world", asked)).write({})
    expected = {"state": "a box of balls", "model": "world", "questions": {"q": question}}
    assert body == json.dumps(expected, separators=(",", ":"))


def many(count: int) -> tuple[tuple[str, str], ...]:
    return tuple((f"o{i}", f"option number {i}") for i in range(count))


def test_a_choice_has_at_most_255_options() -> None:
    assert len(Choice("Which?", many(255)).options) == 255
    for options in (many(256), ()):
        with pytest.raises(WireError, match="a choice has 1 to 255 options") as caught:
            Choice("Which?", options)
        assert caught.value.remedy


def test_options_need_different_names() -> None:
    with pytest.raises(WireError, match="two options of a choice have one name"):
        Choice("Which?", (("a", "one"), ("a", "other")))
    key = Leaf((Slot(Variable("key", Identifiers("ab", 1, 1))),))
    with pytest.raises(WireError, match="two options of a choice have one name"):
        Choice("Which?", ((key, "one"), (key, "other")))


@pytest.mark.parametrize("count", [0, 1, 11])
def test_a_score_has_two_to_ten_levels(count: int) -> None:
    with pytest.raises(WireError, match="a score has 2 to 10 levels"):
        Score("How much?", ("level",) * count)


def key(alphabet: str) -> Leaf:
    return Leaf((Literal("k"), Slot(Variable("key", Identifiers(alphabet, 1, 2)))))


def worded(*texts: str) -> Leaf:
    variable = Variable("word", Phrases(tuple(f"w{i}" for i in range(len(texts)))))
    return Leaf((Column((variable,), texts),))


@pytest.mark.parametrize(
    ("asked", "faults"),
    [
        (Noul("Is it red?"), []),
        (Noul("Is it red?", "yes", "no"), []),
        (Noul("Is it red?", true="yes"), ["only one of true and false is described"]),
        (Noul(""), ["there are no instructions"]),
        (Choice("Which?", many(26)), []),
        (Choice("Which?", many(27)), ["27 options, where some servers take 26"]),
        (Choice("Which?", (("a", None),)), ["the option 'a' is not described"]),
        (Choice("Which?", (("a/b", "x"),)), ["the option name 'a/b' can hold '/'"]),
        (Choice("Which?", ((key("xyz"), "x"),)), []),
        (Choice("Which?", ((key("x/"), "x"),)), ["the option name 'k{key}' can hold '/'"]),
        (Choice("Which?", ((worded("a", "b/c"), "x"),)), ["the option name '{word}' can hold '/'"]),
        (Score("How much?", ("none", "all")), []),
        (Score("How much?", ("none", "2")), ["the level '2' is a bare number, which misleads models"]),
    ],
)
def test_what_every_server_takes_is_portable(asked: Asked, faults: list[str]) -> None:
    assert list(portable(asked)) == faults
