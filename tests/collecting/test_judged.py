"""From a run to a figure: scripted answerers drive controllers, and scoring says what became of it."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from tests.collecting.items import Answerer, arithmetic, ending_at, in_codes, lexical, perfect, wrong_at
from tests.collecting.test_runs import fitted
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.records import Record
from worldgen.collecting.controllers.running import drive, start
from worldgen.collecting.controllers.symbols import END
from worldgen.collecting.controllers.tasks import SPARE, Task
from worldgen.scoring.retention.fidelity import Copy, Copying
from worldgen.scoring.retention.joint import Joint, composed
from worldgen.scoring.retention.outcomes import Expected, output_class, stopping_outcome

TASKS = list(arithmetic(4))


def records(arm: Arm, tasks: Iterable[Task], script: Callable[[Task], Answerer]) -> list[Record]:
    return [drive(start(arm, task), script(task)) for task in tasks]


def right(found: Iterable[Record]) -> list[bool]:
    return [record.output == record.task.gold for record in found]


def test_what_a_serial_run_loses_shows_in_the_joint_table() -> None:
    """Every second item loses its first digit; every third choice is wrong."""
    chosen = [drive(start(Arm("native"), task), perfect(task)) for task in TASKS]
    native = [done and place % 3 > 0 for place, done in enumerate(right(chosen))]
    built = [
        drive(start(Arm("serial"), task), wrong_at(task, 0) if place % 2 else perfect(task))
        for place, task in enumerate(TASKS)
    ]
    joint = Joint.of(native, right(built))
    assert (joint.both, joint.native_only, joint.serial_only, joint.neither) == (8, 8, 4, 4)
    assert joint.scr == joint.serial
    positions = [[a == b for a, b in zip(record.symbols, record.task.gold, strict=True)] for record in built]
    assert composed([row[:3] for row in positions]) == joint.serial


def test_restricting_support_keeps_an_error_among_the_candidates() -> None:
    task = next(lexical(1))
    for arm, inside in (
        (Arm("serial"), False),
        (Arm("serial", "union"), False),
        (Arm("serial", "trie"), True),
    ):
        record = drive(start(arm, task), wrong_at(task, 1))
        assert (record.output in task.candidates) == inside
        assert record.output != task.gold


def test_a_code_in_place_of_a_character_is_told_from_other_failures() -> None:
    arm = Arm("copy", feedback="none", binding="opaque", contract="character")
    found: Counter[str] = Counter()
    for task in TASKS:
        fit = replace(fitted(arm, task), positions=(1,))
        options = fit.options(arm)
        code = next(option.code for option in options if option.symbol == task.gold[1])
        legal, codes = (
            frozenset(texts) for texts in zip(*((o.symbol, o.code) for o in options), strict=True)
        )
        expected = Expected(legal, task.gold[1], codes, code)
        for script in (perfect, in_codes, lambda task: wrong_at(task, 1)):
            (answer,) = drive(start(arm, fit), script(fit)).answers
            assert isinstance(answer, str)
            found[output_class(answer, expected)] += 1
    assert found == {
        name: len(TASKS) for name in ("strict correct", "correct bound code", "format-valid wrong")
    }


def test_a_wrong_plan_that_comes_back_is_faithful_and_wrong() -> None:
    arm, copies = Arm("copy", evidence="indexed"), []
    for place, task in enumerate(TASKS):
        plan = task.candidates[place % 8]
        fit = fitted(arm, task, plan)
        copies.append(Copy(drive(start(arm, fit), perfect(fit)).output, plan, task.gold))
    found = Copying.of(copies)
    assert found.fidelity == 1 and found.of_wrong > 0 and found.right == found.of_right


def test_where_a_run_stops_decides_its_outcome() -> None:
    arm = Arm("stopping")
    found = {}
    for at in (-1, 0, 1, 3, 4):
        task = fitted(arm, next(arithmetic(1)))
        record = drive(start(arm, task), ending_at(task, at))
        found[at] = stopping_outcome(record.symbols, task.gold, END, task.length + SPARE).outcome
    assert found == {
        -1: "correct content without END",
        0: "premature END",
        1: "premature END",
        3: "exact completion",
        4: "wrong content",
    }
