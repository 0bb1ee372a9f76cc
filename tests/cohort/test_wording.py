"""Requests that no cohort holds, worded: drafts with marks, several positions at once, claims, plans, END."""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unshipped import offered
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.shapes import END
from worldgen.cohort.wording import Worded, drafted, labels_of, word
from worldgen.collecting.controllers.symbols import STOPPING, name_of
from worldgen.emission.batches import Batcher
from worldgen.exact.errors import DomainError
from worldgen.renderers.errors import WireError
from worldgen.spec import cohort_of, read_world

WORLDS = offered()
DIGITS = "0123456789"
WIRES = ("systemone", "chat")


@cache
def root(view: str, wire: str) -> tuple[Cohort, tuple[str, ...]]:
    """A cohort of arithmetic, and what its first root shows."""
    cohort = cohort_of(WORLDS[f"arithmetic.{view}"], ["canonical"], wire=wire)
    tables = Batcher(cohort, 0, 5, "tag").tables(draw_roots(cohort.strata[0], 5, np.arange(1)))
    return cohort, tuple(tables["roots"].to_pylist()[0]["visible"])


def told(view: str, wire: str, symbols: Sequence[str] = DIGITS, **more: Any) -> Worded:
    cohort, visible = root(view, wire)
    options = list(zip(more.pop("labels", labels_of(wire, len(symbols))), symbols, strict=True))
    return word(cohort, cohort.strata[0], visible, options, **more)


def said(worded: Worded, wire: str) -> str:
    """The instructions, or the message of the user."""
    body = json.loads(worded.payload)
    if wire == "chat":
        return str(body["messages"][1]["content"])
    return "\n".join([body["state"], *(one["instructions"] for one in body["questions"].values())])


@given(
    st.sampled_from(["problem", "copy"]),
    st.sampled_from(WIRES),
    st.lists(st.sampled_from([*DIGITS, None]), min_size=1, max_size=7),
    st.integers(0, 2),
)
def test_drafts_show_what_was_given_and_a_mark_for_nothing(
    view: str, wire: str, draft: list[str | None], wording: int
) -> None:
    shown = said(told(view, wire, positions=[len(draft)], draft=draft, wording=wording), wire)
    start = (" reads ", " down, with ", " says ")[wording]
    text = "".join(symbol or "?" for symbol in draft)
    assert shown.split(start)[1].startswith(text + (", and", ";", ". It")[wording]) and text == drafted(draft)
    assert (shown.count("?") > shown.replace(text, "").count("?")) == (None in draft)


def test_an_empty_draft_is_no_draft() -> None:
    assert told("problem", "chat", positions=[0], draft=[]) == told("problem", "chat", positions=[0])


@pytest.mark.parametrize("contract", ["code", "character"])
def test_several_positions_are_one_request_on_chat(contract: Any) -> None:
    found = told("problem", "chat", positions=[0, 2], contract=contract)
    assert found.questions == ("1", "3") and found.portable
    assert found.answer_ids == (tuple(DIGITS) if contract == "character" else tuple("ABCDEFGHIJ"))
    system, user = (one["content"] for one in json.loads(found.payload)["messages"])
    assert "Which characters stand at the positions 1, 3 of the right answer?" in user
    assert "its keys are the positions" in system and ("not the labels" in system) == (
        contract == "character"
    )


def test_several_positions_are_several_questions_on_systemone() -> None:
    found = told("copy", "systemone", positions=[0, 1, 2], evidence="indexed")
    assert found.questions == ("q1", "q2", "q3") and found.answer_ids == labels_of("systemone", 10)
    body = json.loads(found.payload)
    alone = [
        json.loads(told("copy", "systemone", positions=[at], evidence="indexed").payload) for at in range(3)
    ]
    assert list(body["questions"].values()) == [one["questions"]["q"] for one in alone]
    assert all(one["state"] == body["state"] for one in alone)


@pytest.mark.parametrize("wire", WIRES)
def test_a_plan_is_copied_beside_the_problem(wire: str) -> None:
    found = said(told("problem", wire, positions=[1], supplied="987", evidence="direct"), wire)
    assert (
        "The right answer is one of these" in found
        and "as it stands, whether or not it answers anything: 987" in found
    )
    assert "position: 1:9 2:8 3:7\n\nThe character at position 2 of the word to be copied is 8." in found
    assert "position 2 of the word to be copied?" in found


@pytest.mark.parametrize("wire", WIRES)
def test_a_plan_takes_the_place_of_the_word_to_be_copied(wire: str) -> None:
    _, visible = root("copy", wire)
    other = next(one for one in visible[1:] if one != visible[0])
    found = said(told("copy", wire, positions=[0], supplied=other), wire)
    assert found == said(told("copy", wire, positions=[0]), wire).replace(
        f": {visible[0]}\n", f": {other}\n", 1
    )
    with pytest.raises(DomainError, match="not among the candidates"):
        told("copy", wire, positions=[0], supplied="000")


@pytest.mark.parametrize("wire", WIRES)
def test_where_answers_end_by_themselves_symbols_are_told_by_name(wire: str) -> None:
    names = {symbol: name_of(symbol) for symbol in STOPPING}
    assert STOPPING[-1] == END
    draft = ["4", " ", None, '"', "\n"]
    found = told("problem", wire, STOPPING, positions=[5], draft=draft, names=names)
    text = said(found, wire)
    assert " reads 4 / space / no character / quotation mark / newline, and may be wrong." in text
    assert "END is right where the right answer has ended before." in text
    assert len(found.answer_ids) == 51 and not found.portable
    if wire == "chat":
        by_name = told("problem", wire, STOPPING, positions=[5], names=names, contract="character")
        assert by_name.answer_ids == tuple(names.values()) and "full stop" in by_name.answer_ids
    longest = WORLDS["arithmetic.problem"].model.lengths[1]
    assert told("problem", wire, STOPPING, positions=[longest + 2], names=names).payload


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("wording", range(3))
def test_a_claim_is_true_or_false(wire: str, wording: int) -> None:
    found = told("copy", wire, ("true", "false"), positions=[1], claimed="7", wording=wording)
    text = said(found, wire)
    assert "7" in text.split("position")[0][-60:] or "7" in text.split("position")[-1]
    assert len(found.answer_ids) == 2


@given(st.permutations(DIGITS), st.permutations(DIGITS), st.sampled_from(WIRES))
def test_options_stand_under_their_labels_in_the_order_given(
    symbols: list[str], labels: list[str], wire: str
) -> None:
    found = told("problem", wire, symbols, labels=labels, positions=[1])
    assert found.answer_ids == tuple(labels)
    if wire == "systemone":
        shown = json.loads(found.payload)["questions"]["q"]["criteria"]
        assert list(shown.items()) == list(zip(labels, symbols, strict=True))
    else:
        lines = said(found, wire).split("\n")[-10:]
        assert lines == [f"{label}: {symbol}" for label, symbol in zip(labels, symbols, strict=True)]


def test_what_cannot_be_worded_is_refused() -> None:
    with pytest.raises(WireError, match="names options by what they are called"):
        told("problem", "systemone", positions=[0], contract="character")
    assert told(
        "problem", "systemone", labels=DIGITS, positions=[0], contract="character"
    ).answer_ids == tuple(DIGITS)
    with pytest.raises(DomainError, match="'x' is no value of draft"):
        told("problem", "chat", positions=[1], draft=["x"])
    with pytest.raises(DomainError, match="'9' is no value of position"):
        told("problem", "chat", positions=[8])
    with pytest.raises(ValueError, match="the candidates, in the order"):
        told("problem", "chat")
    with pytest.raises(ValueError, match="stands at one position"):
        told("copy", "chat", evidence="direct", positions=[0, 1])
    with pytest.raises(ValueError, match="supplies no word"):
        told("problem", "chat", evidence="indexed", positions=[0])
    cells = cohort_of(read_world("noisy-sensor"))
    with pytest.raises(ValueError, match="has no candidates"):
        word(cells, cells.strata[0], [], [])
