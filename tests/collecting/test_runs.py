"""Runs of every arm: what they ask, what they make of answers, and that a record is asked again alike."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.collecting.items import arithmetic, ending_at, in_codes, lexical, perfect, wrong_at
from worldgen.cohort.fields import INTERFACES, ORDERS
from worldgen.collecting.controllers.arms import Arm, columns, every_arm
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.options import ControllerError, Naming
from worldgen.collecting.controllers.records import Answer, Record, Request
from worldgen.collecting.controllers.running import replay, start
from worldgen.collecting.controllers.symbols import END, STOPPING
from worldgen.collecting.controllers.tasks import Task
from worldgen.exact.geometry import Candidates

ARMS = list(every_arm())
TASKS = [*arithmetic(1), *lexical(1)]


def fitted(arm: Arm, task: Task, supplied: str | None = None) -> Task:
    """The task with what an arm needs."""
    symbols = STOPPING if arm.interface == "stopping" else task.symbols
    size = len(symbols)
    turned = tuple((place + 1) % size for place in range(size))
    naming = Naming(tuple(f"k{n}" for n in range(size)), tuple(f"<{s}>" for s in symbols), turned)
    one = arm.feedback == "draft" or arm.interface == "identity-check"
    place = task.length // 2
    return replace(
        task,
        symbols=symbols,
        supplied=(supplied or task.known) if arm.shows.supplied else None,
        positions=(place,) if one else None,
        listed=task.geometry.open_positions if arm.filling == "listed" else (),
        draft=task.known[:place] if arm.feedback == "draft" else None,
        claimed=task.known[place] if arm.interface == "identity-check" else None,
        naming=naming,
        orders=tuple(tuple((place + n) % size for place in range(size)) for n in range(len(ORDERS))),
    )


PAIRS = (
    st.sampled_from(list(INTERFACES))
    .flatmap(lambda name: st.sampled_from([arm for arm in ARMS if arm.interface == name]))
    .flatmap(lambda arm: st.sampled_from([(arm, fitted(arm, task)) for task in TASKS]))
)


def answers(data: st.DataObject, request: Request) -> Answer:
    """A right, wrong, foreign, ragged or missing answer."""
    texts = [text for option in request.options for text in (option.code, option.symbol)]
    one = st.sampled_from([*texts, *texts, "", " ", "7 ", "A"])
    some = st.lists(one, max_size=len(request.positions) + 1).map(tuple)
    return data.draw(
        st.one_of(some, one) if request.arm.feedback == "batch" else st.one_of(one, one, st.none())
    )


@given(PAIRS, st.data())
def test_a_record_is_asked_again_alike(pair: tuple[Arm, Task], data: st.DataObject) -> None:
    record = drive(start(*pair), lambda request: answers(data, request))
    assert replay(record) == record
    assert record.calls == len(record.answers) and record.arm == pair[0] and record.task == pair[1]
    forged = replace(record, steps=(*record.steps[:-1], replace(record.steps[-1], symbol="?")))
    assert replay(forged) == record != forged
    if record.answers:
        with pytest.raises(ControllerError, match="is not over"):
            replay(replace(record, answers=record.answers[:-1]))
    with pytest.raises(ControllerError, match="the run is over"):
        replay(replace(record, answers=(*record.answers, "x")))


@given(PAIRS, st.data())
def test_answers_are_kept_to_the_letter_and_never_repaired(
    pair: tuple[Arm, Task], data: st.DataObject
) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        asked.append(request)
        return answers(data, request)

    record = drive(start(*pair), answer)
    called = [step for step in record.steps if step.how == "call"]
    texts: list[str | None] = []
    for request, given_answer in zip(asked, record.answers, strict=True):
        if request.arm.feedback != "batch":
            texts.append(given_answer if isinstance(given_answer, str) else None)
        elif isinstance(given_answer, tuple) and len(given_answer) == len(request.positions):
            texts.extend(given_answer)
        else:
            texts.extend([None] * len(request.positions))
    assert [step.answer for step in called] == texts
    options = [request for request in asked for _ in (request.positions or (0,))]
    for step, request in zip(called, options, strict=True):
        legal = {
            option.code if pair[0].contract == "code" else option.symbol: option.symbol
            for option in request.options
        }
        assert step.symbol == legal.get(step.answer or "")
        assert step.possible == tuple(option.symbol for option in request.options)
    assert record.valid == (None not in record.symbols) == (record.output is not None)


@given(PAIRS, st.data())
def test_giving_an_answer_changes_no_state(pair: tuple[Arm, Task], data: st.DataObject) -> None:
    run = start(*pair)
    states = [run]
    while run.record is None:
        asked = run.request
        assert run.request == asked
        run = run.give(answers(data, asked))
        states.append(run)
    again = start(*pair)
    for state in states:
        assert state == again
        if len(again.answers) < len(run.answers):
            again = again.give(run.answers[len(again.answers)])


@given(PAIRS)
def test_a_perfect_answerer_gives_what_was_asked_for(pair: tuple[Arm, Task]) -> None:
    arm, task = pair

    record = drive(start(arm, task), perfect(task))
    wanted = task.known if arm.whole or task.positions is None else task.known[task.positions[0]]
    assert record.output == ("true" if arm.interface == "identity-check" else wanted)
    assert record.ending == ("ended" if arm.interface == "stopping" else "complete")
    asked = {"batch": 1}.get(str(arm.feedback), len(record.steps) - record.fills)
    assert record.calls == (0 if arm.interface == "program-return" else asked)


@given(PAIRS)
def test_the_prefix_shown_is_the_one_of_the_feedback(pair: tuple[Arm, Task]) -> None:
    arm, task = pair
    asked: list[Request] = []

    def answer(request: Request) -> Answer:
        asked.append(request)
        return wrong_at(task, 0)(request)

    record = drive(start(arm, task), answer)
    for request in asked:
        match arm.feedback:
            case "own":
                assert request.prefix == record.symbols[: request.positions[0]]
            case "gold":
                assert request.prefix == tuple(task.known[: request.positions[0]])
            case "draft":
                assert request.prefix == tuple(task.draft or "")
            case _:
                assert request.prefix is None
        assert request.problem == (arm.interface not in {"candidates-only", "copy", "identity-check"})
        assert (request.shown is None) == (task.supplied is None)
        assert request.candidates == task.candidates


@pytest.mark.parametrize(
    "arm", [arm for arm in ARMS if (arm.interface, arm.support, arm.binding) == ("serial", "trie", "literal")]
)
@given(st.sampled_from(TASKS), st.data())
def test_whatever_a_trie_completes_is_a_candidate(arm: Arm, task: Task, data: st.DataObject) -> None:
    record = drive(start(arm, task), lambda request: answers(data, request))
    if record.valid:
        assert record.output in task.candidates and record.ending == "complete"
        assert arm.filling == "fill" or record.calls == task.length
        return
    marked = record.symbols.index(None)
    assert record.ending == ("aborted" if marked < task.length - 1 else "complete")
    assert [step.how for step in record.steps[marked + 1 :]] == ["abort"] * (task.length - marked - 1)
    assert (
        record.calls == sum(step.how == "call" for step in record.steps) and len(record.steps) == task.length
    )


@pytest.mark.parametrize("filling", ["call", "fill"])
@given(st.sampled_from(TASKS), st.data())
def test_a_union_admits_exactly_the_cartesian_support(filling: str, task: Task, data: st.DataObject) -> None:
    arm = Arm("serial", "union", "fill" if filling == "fill" else "call", contract="character")
    word = "".join(data.draw(st.sampled_from(union)) for union in task.geometry.unions)
    record = drive(start(arm, task), lambda request: word[request.positions[0]])
    assert record.output == word and task.geometry.admits(word)
    foreign = data.draw(st.sampled_from(task.symbols))
    other = drive(start(arm, task), lambda request: foreign)
    if other.output is not None:
        assert task.geometry.admits(other.output)


@given(st.sampled_from(TASKS), st.data())
def test_what_a_filling_fills_is_never_asked_for(task: Task, data: st.DataObject) -> None:
    open_positions = task.geometry.open_positions
    extra = data.draw(st.sets(st.integers(0, task.length - 1)))
    listed = replace(task, listed=tuple({*open_positions, *extra}))
    branches = [k for k in range(task.length) if len(task.geometry.following(task.known[:k])) > 1]
    for arm, fit, asked in (
        (Arm("serial", "union", "fill"), task, open_positions),
        (Arm("serial", filling="full-fill"), task, open_positions),
        (Arm("serial", filling="listed"), listed, listed.listed),
        (Arm("serial", "trie", "fill"), task, branches),
    ):
        record = drive(start(arm, fit), perfect(fit))
        called = [step for step in record.steps if step.how == "call"]
        assert [step.position for step in called] == sorted(asked) and record.output == task.known
        assert record.fills == task.length - len(called)
        if arm.support == "full":
            assert {step.possible for step in called} <= {task.symbols}


def test_a_whole_answer_stands_at_no_position() -> None:
    record = drive(start(Arm("native"), TASKS[0]), perfect(TASKS[0]))
    assert [(step.position, step.possible) for step in record.steps] == [(-1, TASKS[0].candidates)]


def test_filtering_keeps_codes_and_their_order() -> None:
    task = next(arithmetic(1))
    arm = Arm("serial", "union", binding="remapped", order=2)
    fit = fitted(arm, task)
    run = start(arm, fit)
    asked = run.request
    assert isinstance(asked, Request)
    shown = fit.options(arm)
    places = [shown.index(option) for option in asked.options]
    assert places == sorted(places) and len(places) == 4
    assert all(before < after for before, after in pairwise(places))


def test_codes_where_characters_were_asked_are_marked_and_go_into_the_prefix_as_marks() -> None:
    task = fitted(Arm("copy", binding="opaque", contract="character"), next(arithmetic(1)))
    record = drive(start(Arm("copy", binding="opaque", contract="character"), task), in_codes(task))
    assert record.symbols == (None,) * task.length and record.output is None and record.ending == "complete"
    assert all(isinstance(answer, str) and answer.startswith("k") for answer in record.answers)
    done = drive(start(Arm("copy", binding="opaque"), task), in_codes(task))
    assert done.output == task.known


def test_a_run_that_stops_early_keeps_what_it_has() -> None:
    task = fitted(Arm("stopping"), next(arithmetic(1)))
    early = drive(start(Arm("stopping"), task), ending_at(task, 1))
    assert (early.output, early.ending, early.calls) == (task.known[0], "ended", 2)
    late = drive(start(Arm("stopping"), task), ending_at(task, task.length + 1))
    assert (late.output, late.ending) == (task.known + task.known[-1], "ended")
    never = drive(start(Arm("stopping"), task), ending_at(task, -1))
    assert (never.ending, never.calls) == ("cap", task.length + 3)
    lost = drive(start(Arm("stopping"), task), lambda request: None)
    assert lost.symbols == (None,) * (task.length + 3) and lost.answers == (None,) * (task.length + 3)


def test_wrong_plans_are_copied_as_they_are() -> None:
    task = next(arithmetic(1))
    wrong = next(word for word in task.candidates if word != task.known)
    for evidence in ("raw", "indexed", "direct", "padded"):
        arm = Arm("copy", evidence=evidence)
        fit = fitted(arm, task, wrong)
        asked = start(arm, fit).request
        assert isinstance(asked, Request) and asked.shown is not None
        assert asked.shown.string == wrong and asked.shown.padded == (evidence == "padded")
        assert asked.shown.table == (tuple(enumerate(wrong)) if evidence in {"indexed", "direct"} else ())
        assert asked.shown.symbol == (wrong[0] if evidence == "direct" else None)
        assert drive(start(arm, fit), perfect(task)).output == wrong


def test_an_identity_check_stands_apart() -> None:
    task = replace(next(arithmetic(1)), supplied="789", positions=(1,))
    for claimed, said in (("8", "true"), ("7", "false")):
        fit = replace(task, claimed=claimed)
        asked = start(Arm("identity-check", evidence="indexed"), fit).request
        assert isinstance(asked, Request) and asked.shown is not None
        assert asked.shown.claimed == claimed and [option.code for option in asked.options] == [
            "true",
            "false",
        ]
        assert drive(start(Arm("identity-check"), fit), perfect(fit)).output == said


def test_program_return_asks_nothing() -> None:
    task = replace(next(arithmetic(1)), supplied="999")
    record = start(Arm("program-return"), task).record
    assert isinstance(record, Record)
    assert (record.output, record.calls, record.fills) == ("999", 0, 0)


def test_arms_are_values_with_the_usual_fields_filled_in() -> None:
    assert Arm("copy") == Arm("copy", "full", "call", "own", "raw")
    assert len({tuple(columns(arm).values()) for arm in ARMS}) == len(ARMS)
    assert {arm.interface for arm in ARMS if arm.whole} == {
        "native",
        "candidates-only",
        "copy",
        "prefix-probe",
    }


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"interface": "sideways"}, "no interface is called sideways"),
        ({"interface": "native", "support": "trie"}, "native has no support trie"),
        ({"interface": "serial", "feedback": "gold"}, "serial has no feedback gold"),
        ({"interface": "serial", "evidence": "raw"}, "serial has no evidence raw"),
        ({"interface": "serial", "filling": "fill"}, "support full has no filling fill"),
        ({"interface": "teacher-forced", "filling": "full-fill"}, "asks for every position"),
        ({"interface": "copy", "feedback": "batch", "evidence": "direct"}, "no one symbol"),
        ({"interface": "native", "binding": "opaque"}, "only single symbols"),
        ({"interface": "serial", "binding": "other"}, "has no binding other"),
        ({"interface": "serial", "contract": "other"}, "has no contract other"),
        ({"interface": "serial", "wording": 3}, "has no wording 3"),
        ({"interface": "serial", "order": -1}, "has no order -1"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(fields: dict[str, str], fault: str) -> None:
    with pytest.raises(ControllerError, match=fault):
        Arm(**fields)  # type: ignore[arg-type]  # what a spec might say


TASK = Task("ab", ("ab", "ba"), ("a", "b"))


@pytest.mark.parametrize(
    ("arm", "task", "fault"),
    [
        (Arm("serial"), Task("", (), ("a",)), "no string of the symbols"),
        (Arm("serial"), Task("ax", (), ("a",)), "no string of the symbols"),
        (Arm("serial"), Task("a", (), ("a", "a")), "distinct characters"),
        (Arm("serial"), Task("a", (), ("a", "yes")), "distinct characters"),
        (Arm("serial"), Task("aa", ("ab", "ba"), ("a", "b")), "not among the candidates"),
        (Arm("native"), Task("ab", (), ("a", "b")), "need candidates"),
        (Arm("serial", filling="full-fill"), Task("ab", (), ("a", "b")), "need candidates"),
        (Arm("independent"), replace(TASK, positions=(2,)), "run from 0 to 1"),
        (Arm("independent"), replace(TASK, positions=(1, 1)), "stands twice"),
        (Arm("serial"), replace(TASK, symbols=("a", "b", END)), "of no other"),
        (Arm("stopping"), TASK, "of no other"),
        (Arm("serial", order=1), replace(TASK, orders=((0, 1),)), "has 1 orders"),
        (
            Arm("serial"),
            replace(TASK, orders=((0, 0),)),
            "no permutation of the symbols\n  try: permute 0 to 1$",
        ),
        (Arm("copy"), TASK, "needs a supplied string"),
        (Arm("serial"), replace(TASK, supplied="ab"), "shows no supplied string"),
        (Arm("copy"), replace(TASK, supplied="abb"), "has 3 characters"),
        (Arm("copy"), replace(TASK, supplied="ax"), "supplied string 'ax' is no string"),
        (Arm("identity-check"), replace(TASK, supplied="ab"), "needs one position"),
        (Arm("identity-check"), replace(TASK, supplied="ab", positions=(1,)), "needs one position"),
        (Arm("identity-check"), replace(TASK, supplied="ab", claimed="a"), "needs one position"),
        (Arm("prefix-probe"), replace(TASK, positions=(1,), draft="ab"), "a draft must reach"),
        (Arm("serial"), replace(TASK, positions=(1,)), "goes through all positions"),
        (Arm("serial", filling="listed"), replace(TASK, listed=(0,)), "several symbols"),
        (Arm("serial", binding="opaque"), TASK, "needs codes for 2 symbols"),
    ],
)
def test_a_task_that_does_not_fit_its_arm_is_refused(arm: Arm, task: Task, fault: str) -> None:
    with pytest.raises(ControllerError, match=fault):
        start(arm, task)


def test_whoever_may_use_all_symbols_needs_no_candidates() -> None:
    task = Task("ab", (), ("a", "b"))
    for arm in (Arm("serial"), Arm("independent"), Arm("teacher-forced")):
        record = drive(start(arm, task), perfect(task))
        assert record.output == "ab" and record.calls == 2


def test_a_wrong_plan_may_leave_the_candidates_but_not_its_length() -> None:
    task = replace(TASK, supplied="bb")
    assert drive(start(Arm("self-plan-spell"), task), perfect(task)).output == "bb"
    assert "bb" not in Candidates(TASK.candidates, "ab").words


LABELS = tuple(f"c{n}" for n in range(1, 27))


@given(PAIRS, st.data())
def test_a_run_asks_the_same_of_whoever_does_not_know_the_answer(
    pair: tuple[Arm, Task], data: st.DataObject
) -> None:
    arm, task = pair
    blind = replace(task, gold=None)
    if arm.feedback == "gold" and task.supplied is None:
        with pytest.raises(ControllerError, match="which is not known"):
            start(arm, blind)
        return
    run, hidden = start(arm, task), start(arm, blind)
    while run.record is None:
        assert hidden.request == run.request
        answer = answers(data, run.request)
        run, hidden = run.give(answer), hidden.give(answer)
    assert hidden.record == replace(run.record, task=blind)
    with pytest.raises(ControllerError, match="not known"):
        blind.known  # noqa: B018  (it raises)


def test_labels_call_options_by_their_places_whatever_is_filtered() -> None:
    task = replace(next(arithmetic(1)), labels=LABELS)
    for support in ("full", "union", "trie"):
        arm = Arm("serial", support)
        asked = start(arm, task).request
        bare = start(arm, replace(task, labels=())).request
        assert [option.symbol for option in asked.options] == [option.symbol for option in bare.options]
        assert [option.code for option in asked.options] == list(LABELS[: len(asked.options)])
        assert drive(start(arm, task), perfect(task)).output == task.gold
    record = drive(start(Arm("serial"), task), lambda request: task.known[request.positions[0]])
    assert record.symbols == (None,) * task.length  # a character is no label
    with pytest.raises(ControllerError, match="10 options need a label each"):
        start(Arm("serial"), replace(task, labels=("a", "b")))
