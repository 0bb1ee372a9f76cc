"""The chat wire: a fixed system message, and a user message of the state, the question and its options."""

import json
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.domains import Identifiers, Phrases, Texts
from worldgen.exact.variables import Variable
from worldgen.renderers.chat import PORTABLE_OPTIONS, PREAMBLE, letters, payload
from worldgen.renderers.errors import PlanError
from worldgen.renderers.lines import Column, Leaf, Literal, Slot, straight
from worldgen.renderers.plans import Plan

texts = st.text(max_size=20)


def say(text: str) -> Leaf:
    return Leaf((Literal(text),))


@given(texts, texts, st.lists(st.tuples(texts, texts), max_size=4))
def test_the_body_is_the_json_of_two_messages(
    state: str, question: str, options: list[tuple[str, str]]
) -> None:
    tree = payload(say(state), "world", say(question), [(say(label), say(text)) for label, text in options])
    lines = [f"{label}: {text}" for label, text in options]
    user = "\n".join([state, "", question, "", *lines]) if lines else f"{state}\n\n{question}\n"
    expected = {
        "model": "world",
        "messages": [{"role": "system", "content": PREAMBLE}, {"role": "user", "content": user}],
    }
    assert straight(tree).write({}) == json.dumps(expected, ensure_ascii=False, separators=(",", ":"))


def test_letters_are_distinct_and_go_on_after_z() -> None:
    assert letters(PORTABLE_OPTIONS) == tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for count in (0, 1, 2, 27, 255):
        found = letters(count)
        assert len(found) == len(set(found)) == count
        assert found == letters(255)[:count]


COLOURS = Phrases(("red", "redder", "green"))
OPTIONS = [Variable(f"option_{place}", COLOURS) for place in range(3)]
IDS = [Variable(f"id_{place}", Phrases(letters(3))) for place in range(3)]
KEYS = [Variable(f"key_{place}", Identifiers("bcd", 2, 2)) for place in range(3)]


def described(place: int) -> Leaf:
    return Leaf((Column((OPTIONS[place],), COLOURS.values),))


def plan(labels: list[Leaf], shown: list[Variable]) -> Plan:
    options = [(label, described(place)) for place, label in enumerate(labels)]
    return Plan(payload(say("A ball."), "m", say("Which?"), options), (*OPTIONS, *shown))


def lines_of(body: str) -> list[list[str]]:
    content = json.loads(body)["messages"][1]["content"]
    return [line.split(": ") for line in content.split("\n")[4:]]


def test_every_order_with_every_assignment_of_letters_reads_back() -> None:
    drawn = plan([Leaf((Column((letter,), letters(3)),)) for letter in IDS], IDS)
    rows = [(order, ids) for order in permutations(range(3)) for ids in permutations(range(3))]
    values = {f"option_{place}": np.array([order[place] for order, _ in rows]) for place in range(3)}
    values |= {f"id_{place}": np.array([ids[place] for _, ids in rows]) for place in range(3)}
    bodies = drawn.render(values, len(rows)).to_pylist()
    assert len(set(bodies)) == 36
    for body, (order, ids) in zip(bodies, rows, strict=True):
        assert lines_of(body) == [["ABC"[i], COLOURS.values[o]] for o, i in zip(order, ids, strict=True)]
    decoded = drawn.decode(bodies)
    assert not decoded.faults
    assert all(decoded.values[name].tolist() == codes.tolist() for name, codes in values.items())


def test_a_letter_that_follows_its_option_reads_back() -> None:
    drawn = plan([Leaf((Column((option,), letters(3)),)) for option in OPTIONS], [])
    orders = list(permutations(range(3)))
    values = {f"option_{place}": np.array([order[place] for order in orders]) for place in range(3)}
    bodies = drawn.render(values, len(orders)).to_pylist()
    for body, order in zip(bodies, orders, strict=True):
        assert lines_of(body) == [["ABC"[option], COLOURS.values[option]] for option in order]
        swapped = body.replace("A: ", "B: ")
        assert drawn.decode([swapped]).faults
    assert not drawn.decode(bodies).faults


@given(st.lists(st.tuples(*[st.text("bcd", min_size=2, max_size=2)] * 3), min_size=1, max_size=5))
def test_opaque_labels_read_back(rows: list[tuple[str, str, str]]) -> None:
    drawn = plan([Leaf((Slot(key),)) for key in KEYS], KEYS)
    values = {f"option_{place}": np.full(len(rows), (place + 1) % 3) for place in range(3)}
    values |= {f"key_{place}": np.array([row[place] for row in rows], dtype=np.object_) for place in range(3)}
    bodies = drawn.render(values, len(rows)).to_pylist()
    assert [[label for label, _ in lines_of(body)] for body in bodies] == [list(row) for row in rows]
    decoded = drawn.decode(bodies)
    assert not decoded.faults
    assert [decoded.values[f"key_{place}"].tolist() for place in range(3)] == [
        list(c) for c in zip(*rows, strict=True)
    ]


def test_a_state_that_may_be_any_text_could_run_into_the_question_and_is_refused() -> None:
    remark = Variable("remark", Texts())
    with pytest.raises(PlanError) as caught:
        Plan(payload(Leaf((Slot(remark),)), "m", say("Which?"), []), (remark,))
    assert "remark" in caught.value.message
    assert caught.value.remedy
