"""Dialogues: what each of six arms is shown, and what becomes of a wrong state."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.collecting.controllers.dialogues import (
    DONTCARE,
    NONE,
    UNSET,
    WAYS,
    Dialogue,
    DialogueArm,
    DialogueRequest,
    DialogueRun,
    Field,
    replay_dialogue,
)
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.controllers.records import Answer

INTENT = Field("intent", (NONE, "book", "cancel"), NONE)
SIZE = Field("size", (UNSET, DONTCARE, "small", "large"))
TALK = Dialogue((INTENT, SIZE), (("book", UNSET), ("book", "small"), ("cancel", DONTCARE)))

ARMS = st.sampled_from(list(WAYS))


def right(dialogue: Dialogue, request: DialogueRequest) -> Answer:
    gold = dict(zip((field.name for field in dialogue.fields), dialogue.known[request.turn], strict=True))
    values = tuple(gold[field.name] for field in request.fields)
    return values[0] if WAYS[request.arm].by_field else values


def drawn(data: st.DataObject, request: DialogueRequest) -> Answer:
    values = st.sampled_from([*(v for field in request.fields for v in field.values), "huge", ""])
    several = st.lists(values, max_size=3).map(tuple)
    return data.draw(st.one_of(values, several, st.none()))


@given(ARMS, st.data())
def test_a_record_is_asked_again_alike(arm: DialogueArm, data: st.DataObject) -> None:
    record = drive(DialogueRun(arm, TALK), lambda request: drawn(data, request))
    assert replay_dialogue(record) == record
    assert record.calls == len(TALK.known) * (len(TALK.fields) if WAYS[arm].by_field else 1)
    for state in record.states:
        assert all(v is None or v in field.values for field, v in zip(TALK.fields, state, strict=True))
    with pytest.raises(ControllerError, match="not over"):
        replay_dialogue(replace(record, answers=record.answers[:-1]))
    with pytest.raises(ControllerError, match="is over"):
        replay_dialogue(replace(record, answers=(*record.answers, None)))


@given(ARMS, st.data())
def test_each_arm_is_shown_what_its_way_says(arm: DialogueArm, data: st.DataObject) -> None:
    asked: list[DialogueRequest] = []

    def answer(request: DialogueRequest) -> Answer:
        asked.append(request)
        return drawn(data, request)

    record, way = drive(DialogueRun(arm, TALK), answer), WAYS[arm]
    before = [TALK.initial, *TALK.known]
    for request in asked:
        turn = request.turn
        assert request.history == ("latest" if arm in {"rollout", "oracle"} else "all")
        assert request.fields == (TALK.fields if not way.by_field else request.fields[:1])
        given_before = record.states[turn - 1] if turn else TALK.initial
        assert request.prior == {"oracle": before[turn], "rollout": given_before}.get(arm)
        if arm != "serial":
            assert request.partial is None
            continue
        done = TALK.fields.index(request.fields[0])
        names = [field.name for field in TALK.fields[:done]]
        assert request.partial == tuple(zip(names, record.states[turn], strict=False))


@given(ARMS)
def test_a_perfect_answerer_is_right_at_every_turn(arm: DialogueArm) -> None:
    record = drive(DialogueRun(arm, TALK), lambda request: right(TALK, request))
    assert record.right == (True, True, True) and record.states == TALK.known


def test_a_wrong_state_is_carried_on_by_rollout_alone() -> None:
    seen: dict[str, list[object]] = {"rollout": [], "oracle": []}

    def answer(request: DialogueRequest) -> Answer:
        seen[request.arm].append(request.prior)
        return ("cancel", "huge") if request.turn == 0 else right(TALK, request)

    for arm in ("rollout", "oracle"):
        assert drive(DialogueRun(arm, TALK), answer).right == (False, True, True)
    assert seen["rollout"][1] == ("cancel", None) and seen["oracle"][1] == TALK.known[0]


def test_an_answer_for_other_fields_is_no_answer() -> None:
    joint = DialogueRun("joint", TALK)
    for ragged in ("book", ("book",), ("book", UNSET, UNSET), None):
        assert joint.give(ragged).states == ((None, None),)
    single = DialogueRun("serial", TALK)
    assert single.give(("book",)).given == (None,) and single.give("book").given == ("book",)


@pytest.mark.parametrize(
    ("fields", "gold", "fault"),
    [
        ((), ((),), "needs fields"),
        ((SIZE,), (), "and a turn"),
        ((SIZE, SIZE), ((UNSET, UNSET),), "distinct names"),
        ((SIZE,), ((UNSET, UNSET),), "2 values for 1 fields"),
        ((SIZE,), (("huge",),), "has no value huge"),
    ],
)
def test_dialogues_that_do_not_fit_are_refused(
    fields: tuple[Field, ...], gold: tuple[tuple[str, ...], ...], fault: str
) -> None:
    with pytest.raises(ControllerError, match=fault):
        Dialogue(fields, gold)


def test_a_field_needs_its_initial_value() -> None:
    with pytest.raises(ControllerError, match="with UNSET among them"):
        Field("size", ("small",))


@given(ARMS, st.data())
def test_a_dialogue_asks_the_same_of_whoever_does_not_know_its_states(
    arm: DialogueArm, data: st.DataObject
) -> None:
    blind = replace(TALK, gold=None, count=3)
    if arm == "oracle":
        with pytest.raises(ControllerError, match="not known"):
            DialogueRun(arm, blind)
        return
    record = drive(DialogueRun(arm, TALK), lambda request: drawn(data, request))
    assert replay_dialogue(replace(record, dialogue=blind)) == replace(record, dialogue=blind)
    with pytest.raises(ControllerError, match="not known"):
        replace(record, dialogue=blind).right  # noqa: B018  (it raises)


def test_values_are_given_by_their_codes() -> None:
    size = replace(SIZE, codes=("A", "B", "C", "D"))
    talk = Dialogue((INTENT, size), TALK.gold)
    assert DialogueRun("joint", talk).give(("book", "C")).states == (("book", "small"),)
    assert DialogueRun("joint", talk).give(("book", "small")).states == (("book", None),)
    with pytest.raises(ControllerError, match="a code of its own"):
        replace(SIZE, codes=("A",))
    with pytest.raises(ControllerError, match="has no 2 turns"):
        Dialogue((INTENT, SIZE), TALK.gold, 2)
