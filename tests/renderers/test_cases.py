"""Cases of two classes: what a request demonstrates and asks about is read back, on both wires."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.memos import MEMOS, Memo
from worldgen.exact.domains import Codes, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.renderers.cases import ANSWER_KEY, Cases, Classes
from worldgen.renderers.errors import WireError
from worldgen.renderers.lines import Column, Leaf, Literal, Slot, Tree
from worldgen.renderers.plans import Plan
from worldgen.renderers.systemone import portable

WIRES = ("systemone", "chat")
MOODS = ("glad", 'so "sad"', "a\\b")
MOOD = Variable("mood", Phrases(MOODS))
NOTE = Variable("note", Texts())
CLASSES = Classes("stay", "the guest stays", "go", "the guest goes")
PLAIN = Leaf((Literal("Guest:\n"), Column((MOOD,), MOODS), Literal(".")))

every_memo = pytest.mark.parametrize("memo", MEMOS, ids=str)
every_wire = pytest.mark.parametrize("wire", WIRES)


def tree(cases: Cases, wire: str) -> Tree:
    return cases.systemone("judge") if wire == "systemone" else cases.chat("judge")


def state_of(payload: str, wire: str) -> Any:
    body = json.loads(payload)
    return body["state"] if wire == "systemone" else json.loads(body["messages"][1]["content"])["state"]


def drawn(memo: Memo, n: int, seed: int) -> dict[str, Codes]:
    generator = np.random.Generator(np.random.Philox(seed))
    return {variable.name: generator.integers(0, variable.domain.size or 0, n) for variable in memo.shown}


def pool(memo: Memo, n: int, seed: int) -> dict[str, Codes]:
    generator = np.random.Generator(np.random.Philox(seed + 1))
    return {**drawn(memo, n, seed), "outcome": generator.integers(0, 2, n)}


@every_wire
@every_memo
@settings(max_examples=5, deadline=None)
@given(count=st.sampled_from([0, 1, 3]), seed=st.integers(0, 2**32))
def test_what_is_joined_rendered_and_decoded_is_parted(memo: Memo, wire: str, count: int, seed: int) -> None:
    cases = memo.cases(count)
    plan = Plan(tree(cases, wire), cases.shown)
    asked, shown = drawn(memo, 4, seed), pool(memo, 5, seed)
    payloads = plan.render(cases.joined(asked, shown, 4), 4).to_pylist()
    decoded = plan.decode(payloads)
    assert not decoded.faults
    assert plan.render(decoded.values, 4).to_pylist() == payloads
    case, demonstrated = cases.parted(decoded.values)
    assert {name: codes.tolist() for name, codes in case.items()} == {
        name: codes.tolist() for name, codes in asked.items()
    }
    assert {name: codes.tolist() for name, codes in demonstrated.items()} == (
        {name: [codes[:count].tolist()] * 4 for name, codes in shown.items()} if count else {}
    )


@every_wire
@every_memo
def test_the_state_holds_each_memo_and_each_label_whole(memo: Memo, wire: str) -> None:
    cases = memo.cases(2)
    asked, shown = drawn(memo, 1, 1), pool(memo, 2, 2)
    payload = Plan(tree(cases, wire), cases.shown).render(cases.joined(asked, shown, 1), 1).to_pylist()[0]
    texts = [json.loads(text) for text in memo.plan.render(shown, 2).to_pylist()]
    names = (cases.classes.negative, cases.classes.positive)
    assert state_of(payload, wire) == {
        "demonstrations": [
            {"case": text, "outcome": names[code]}
            for text, code in zip(texts, shown["outcome"].tolist(), strict=True)
        ],
        "case": json.loads(memo.plan.render(asked, 1).to_pylist()[0]),
    }


@every_wire
def test_fewer_demonstrations_are_a_prefix_of_more(wire: str) -> None:
    memo = MEMOS[1]
    asked, shown = drawn(memo, 2, 1), pool(memo, 50, 2)
    states = []
    for count in (0, 10, 25, 50):
        cases = memo.cases(count)
        plan = Plan(tree(cases, wire), cases.shown)
        payloads = plan.render(cases.joined(asked, shown, 2), 2).to_pylist()
        assert not plan.decode(payloads).faults
        states.append([state_of(payload, wire) for payload in payloads])
    most = states[-1]
    for count, found in zip((0, 10, 25, 50), states, strict=True):
        for state, full in zip(found, most, strict=True):
            assert state["demonstrations"] == full["demonstrations"][:count]
            assert state["case"] == full["case"]


@every_memo
def test_both_wires_ask_the_same_about_the_same(memo: Memo) -> None:
    cases = memo.cases(1)
    values = cases.joined(drawn(memo, 1, 3), pool(memo, 1, 4), 1)
    bodies = {
        wire: json.loads(Plan(tree(cases, wire), cases.shown).render(values, 1).to_pylist()[0])
        for wire in WIRES
    }
    native, (system, user) = bodies["systemone"], bodies["chat"]["messages"]
    assert json.loads(user["content"]) == {"state": native["state"], "question": native["questions"]["q"]}
    assert native["questions"]["q"]["type"] == "noul"
    assert native["questions"]["q"]["criteria"] == {
        "true": cases.classes.event,
        "false": cases.classes.other,
    }
    assert [system["role"], user["role"]] == ["system", "user"]
    assert not portable(cases.question)


@every_memo
def test_the_system_message_names_both_classes_and_the_one_key(memo: Memo) -> None:
    cases = memo.cases(0)
    values = cases.joined(drawn(memo, 1, 3), {}, 1)
    body = json.loads(Plan(cases.chat("judge"), cases.shown).render(values, 1).to_pylist()[0])
    text = body["messages"][0]["content"]
    for said in (cases.classes.positive, cases.classes.negative, ANSWER_KEY):
        assert f'"{said}"' in text
    for said in (cases.classes.event, cases.classes.other, "number in [0, 1]", "Reply with one JSON object"):
        assert said in text


def test_demonstrations_are_spoken_of_only_where_there_are_some() -> None:
    def instructions(count: int) -> str:
        asked = Cases(PLAIN, (MOOD,), CLASSES, count).question.instructions
        assert isinstance(asked, Leaf)
        return "".join(item.text for item in asked.items if isinstance(item, Literal))

    assert "demonstrations" not in instructions(0)
    assert instructions(3).startswith('Every entry of "demonstrations"')
    assert instructions(3).endswith(instructions(0))


@pytest.mark.parametrize("wire", WIRES)
def test_a_payload_that_differs_by_a_byte_is_a_fault(wire: str) -> None:
    cases = Cases(PLAIN, (MOOD,), CLASSES, 1)
    plan = Plan(tree(cases, wire), cases.shown)
    values = cases.joined({"mood": np.array([1])}, {"mood": np.array([2]), "outcome": np.array([0])}, 1)
    (payload,) = plan.render(values, 1).to_pylist()
    assert not plan.decode([payload]).faults
    changed = [payload[:i] + payload[i + 1 :] for i in range(len(payload))]
    changed += [payload[:i] + "~" + payload[i + 1 :] for i in range(len(payload))]
    assert len(plan.decode(changed).faults) == len(changed)


def test_the_mention_of_any_text_is_shown_on_systemone_and_refused_on_chat() -> None:
    cases = Cases(Leaf((Literal("Note: "), Slot(NOTE))), (NOTE,), CLASSES, 1)
    plan = Plan(cases.systemone("judge"), cases.shown)
    notes = {"note": np.array(['say "no"\n'], dtype=np.object_)}
    values = cases.joined(notes, {**notes, "outcome": np.array([1])}, 1)
    decoded = plan.decode(plan.render(values, 1).to_pylist())
    assert cases.parted(decoded.values)[0]["note"].tolist() == ['say "no"\n']
    with pytest.raises(WireError, match=r"\{note\} may be any text"):
        cases.chat("judge")


@pytest.mark.parametrize(
    ("names", "count"), [(("outcome",), 0), (("mood", "mood(1)"), 1), (("mood", "mood"), 0), (("mood",), -1)]
)
def test_names_that_run_together_are_refused(names: tuple[str, ...], count: int) -> None:
    variables = tuple(Variable(name, MOOD.domain) for name in names)
    leaf = Leaf(tuple(Column((variable,), MOODS) for variable in variables))
    with pytest.raises(DomainError, match="cannot be told from the case"):
        Cases(leaf, variables, CLASSES, count)


def test_two_classes_of_one_name_are_refused() -> None:
    with pytest.raises(WireError, match="both classes are named 'stay'"):
        Classes("stay", "it stays", "stay", "it goes")
