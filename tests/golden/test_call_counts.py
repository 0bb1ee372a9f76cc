"""Requests and fills that "Correct Choices, Failed Sequences" (arXiv 2610.16191) counts, by driving
controllers with scripted answerers over item sets of the same shape.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

import pytest

from tests.collecting.items import Answerer, arithmetic, ending_at, in_codes, lexical, perfect, wrong_at
from worldgen.cohort.fields import CONTRACTS, ORDERS, WORDINGS, Evidence, Feedback
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import (
    NONE,
    UNSET,
    Dialogue,
    DialogueArm,
    DialogueRequest,
    DialogueRun,
    Field,
)
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.options import Naming, derangement, permutation
from worldgen.collecting.controllers.records import Answer, Record, Request
from worldgen.collecting.controllers.running import start
from worldgen.collecting.controllers.symbols import LETTERS, STOPPING
from worldgen.collecting.controllers.tasks import Task
from worldgen.exact.geometry import Candidates

EVIDENCES: tuple[Evidence, ...] = ("raw", "indexed", "direct")
FEEDBACKS: tuple[Feedback, ...] = ("none", "own")
Script = Callable[[Task], Answerer]

ARITHMETIC = list(arithmetic(64))
LEXICAL = list(lexical(64))


def wrong_first(task: Task) -> Answerer:
    return wrong_at(task, 0)


def silent(_: Task) -> Answerer:
    return lambda request: None


def records(arm: Arm, tasks: Iterable[Task], answerer: Script = perfect) -> list[Record]:
    return [drive(start(arm, task), answerer(task)) for task in tasks]


def totals(found: Iterable[Record]) -> tuple[int, int]:
    counts = [(record.calls, record.fills) for record in found]
    return sum(calls for calls, _ in counts), sum(fills for _, fills in counts)


@pytest.mark.parametrize("tasks", [ARITHMETIC, LEXICAL], ids=["arithmetic", "lexical"])
@pytest.mark.parametrize("answerer", [perfect, wrong_first, silent])
def test_full_serial_asks_for_every_position(tasks: list[Task], answerer: Script) -> None:
    """2,112 in each domain (Table D6), whatever is answered; native asks once an item."""
    assert len(tasks) == 384
    assert totals(records(Arm("serial"), tasks, answerer)) == (2112, 0)
    assert totals(records(Arm("native"), tasks)) == (384, 0)


@pytest.mark.parametrize("arm", [Arm("serial", "union", "fill"), Arm("serial", filling="full-fill")])
@pytest.mark.parametrize("answerer", [perfect, wrong_first, silent])
def test_filling_leaves_two_calls_an_arithmetic_item(arm: Arm, answerer: Script) -> None:
    """768 calls and 1,344 fills (Table D6): unions do not depend on what is answered."""
    found = records(arm, ARITHMETIC, answerer)
    assert totals(found) == (768, 1344) and {record.calls for record in found} == {2}


def test_filling_a_trie_leaves_two_calls_on_every_valid_run() -> None:
    arm = Arm("serial", "trie", "fill")
    for answerer in (perfect, wrong_first):
        found = records(arm, ARITHMETIC, answerer)
        assert totals(found) == (768, 1344)
        assert all(record.output in record.task.candidates for record in found)
    lost = records(arm, ARITHMETIC, silent)
    assert {(record.calls, record.fills, record.ending) for record in lost} == {(1, 0, "aborted")}


def test_lexical_unions_have_nothing_to_fill() -> None:
    assert totals(records(Arm("serial", "union", "fill"), LEXICAL)) == (2112, 0)


def test_decisions_are_counted_apart_from_calls() -> None:
    called = records(Arm("serial", "union"), ARITHMETIC)
    assert totals(called) == (2112, 0) and sum(record.decisions for record in called) == 768


def test_the_twelve_character_panel() -> None:
    """Reversals over a-j: 32 sources, branches at the second and third or the tenth and eleventh character,
    ten or 26 symbols, two or six queries, one shared native call: 64 (1 + 2 + 2 + 6 + 6) = 1,088 (D.7).
    """
    calls = 0
    ten = LETTERS[:10]
    for source, first in product(range(32), (1, 9)):
        word = "".join(ten[permutation(10, source, str(place))[0]] for place in range(12))
        others = {
            place: word[place] + "".join(s for s in ten if s != word[place])[: width - 1]
            for place, width in ((first, 4), (first + 1, 2))
        }
        words = Candidates.crossed(word, others, "".join(ten)).words
        task = Task(word, words, ten)
        calls += drive(start(Arm("native"), task), perfect(task)).calls
        for symbols, more in product((ten, LETTERS), ((), (0, 3, 7, 11))):
            listed = tuple(sorted({first, first + 1, *more}))
            panel = replace(task, symbols=symbols, listed=listed)
            record = drive(start(Arm("serial", filling="listed"), panel), perfect(panel))
            assert (record.output, record.calls, record.fills) == (word, len(listed), 12 - len(listed))
            assert all(len(step.possible) == len(symbols) for step in record.steps if step.how == "call")
            calls += record.calls
    assert calls == 1088


@pytest.mark.parametrize("answerer", [perfect, silent])
def test_fresh_plans(answerer: Script) -> None:
    """Sixty items, one native call each and four arms that copy what it chose: 1,380 (Appendix A.5). A plan
    that was never given is copied by none.
    """
    tasks = [*arithmetic(5), *lexical(5)]
    assert len(tasks) == 60
    calls = copied = 0
    for task, native in zip(tasks, records(Arm("native"), tasks, answerer), strict=True):
        calls += native.calls
        for evidence, feedback in product(EVIDENCES[:2], FEEDBACKS):
            if native.output is None:
                continue
            plan = replace(task, supplied=native.output)
            arm = Arm("self-plan-spell", evidence=evidence, feedback=feedback)
            record = drive(start(arm, plan), perfect(plan))
            assert record.output == native.output
            calls, copied = calls + record.calls, copied + 1
    assert (calls, copied) == ((1380, 240) if answerer is perfect else (60, 0))


def readout(task: Task, seed: int) -> Task:
    """One position of the right string, copied from it, with opaque codes and three displayed orders."""
    size = len(task.symbols)
    codes = tuple(f"o{number}" for number in permutation(size, seed, "codes"))
    return replace(
        task,
        supplied=task.known,
        positions=(seed % task.length,),
        naming=Naming(codes, task.symbols, derangement(size, seed)),
        orders=tuple(permutation(size, seed, "order", str(order)) for order in range(len(ORDERS))),
    )


def test_the_readout_panel_and_the_grid_of_wordings_and_orders() -> None:
    """144 records x three evidences x two contracts = 864 (A.5); 96 x 2 x 2 x 3 x 3 = 3,456 (D.13)."""
    parents = [*arithmetic(10), *lexical(10)]
    symbolic = [*arithmetic(2), *lexical(2)]  # twelve bases in two encodings
    panel = [readout(task, seed) for seed, task in enumerate([*parents, *symbolic])]
    assert len(panel) == 144
    calls = 0
    for evidence, contract in product(EVIDENCES, CONTRACTS):
        arm = Arm("copy", feedback="none", evidence=evidence, binding="opaque", contract=contract)
        found = records(arm, panel)
        assert all(record.output == record.task.known[record.task.asked[0]] for record in found)
        calls += totals(found)[0]
    assert calls == 864

    grid, compliant = 0, []
    for evidence, contract in product(EVIDENCES[1:], CONTRACTS):
        for wording, order in product(range(WORDINGS), range(len(ORDERS))):
            arm = Arm("copy", None, "call", "none", evidence, "opaque", contract, wording, order)
            found = records(arm, panel[:96], in_codes)
            grid += totals(found)[0]
            compliant += [record.valid == (contract == "code") for record in found]
    assert grid == 3456 and all(compliant)


@pytest.mark.parametrize(
    ("answer", "calls", "ending"),
    [("right", 72 * 13 // 2, "ended"), ("never", 72 * 17 // 2, "cap"), ("at once", 72, "ended")],
)
def test_the_stopping_track(answer: str, calls: int, ending: str) -> None:
    """72 parents, 51 options, at most L + 3 steps (Appendix A.4)."""
    tasks = [replace(task, symbols=STOPPING) for task in (*arithmetic(6), *lexical(6))]
    assert len(tasks) == 72

    def scripted(task: Task) -> Answerer:
        at = {"right": task.length, "never": -1, "at once": 0}[answer]

        def give(request: Request) -> Answer:
            assert len(request.options) == 51
            return ending_at(task, at)(request)

        return give

    found = records(Arm("stopping"), tasks, scripted)
    assert totals(found) == (calls, 0) and {record.ending for record in found} == {ending}


def talks() -> list[Dialogue]:
    """Dialogues of 4, 6 and 8 turns, 32 each, with one to three slots beside the intent: 1,716 fields."""
    found = []
    for turns, number in product((4, 6, 8), range(32)):
        slots = {(6, 0): 1, (6, 1): 1, (4, 0): 1, (4, 1): 3}.get((turns, number), 2)
        fields = (
            Field("intent", (NONE, "book"), NONE),
            *(Field(f"s{n}", (UNSET, "x")) for n in range(slots)),
        )
        state = ("book", *(["x"] * slots))
        found.append(Dialogue(fields, (state,) * turns))
    return found


@pytest.mark.parametrize(
    ("arm", "calls"),
    [
        ("joint", 576),
        ("independent", 1716),
        ("serial", 1716),
        ("history-recompute", 576),
        ("rollout", 576),
        ("oracle", 576),
    ],
)
def test_dialogues(arm: DialogueArm, calls: int) -> None:
    """96 dialogues, 576 turns, 1,716 field calls (Appendix C)."""
    dialogues = talks()
    assert len(dialogues) == 96 and {len(talk.fields) for talk in dialogues} == {2, 3, 4}

    def answer(request: DialogueRequest) -> Answer:
        values = tuple(field.values[1] for field in request.fields)
        return values[0] if arm in {"independent", "serial"} else values

    found = [drive(DialogueRun(arm, talk), answer) for talk in dialogues]
    assert sum(record.calls for record in found) == calls
    assert all(all(record.right) for record in found)
