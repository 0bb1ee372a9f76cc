"""Filed runs: a record with whose it is and which roots it is about, as a tree of JSON values and back.

A tree says more than is needed: beside the arm, the task and the answers, from which a run follows, it has
every request, step and total that come of them, for whoever reads it without this library. Whoever reads it
with this library believes none of that: the run is gone through again, and a tree that it does not give is
refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from worldgen.collecting.controllers.arms import Arm, columns
from worldgen.collecting.controllers.dialogues import (
    Dialogue,
    DialogueRecord,
    DialogueRun,
)
from worldgen.collecting.controllers.driving import given
from worldgen.collecting.controllers.options import Naming, Option
from worldgen.collecting.controllers.records import Answer, Record
from worldgen.collecting.controllers.running import start
from worldgen.collecting.controllers.tasks import Task
from worldgen.scoring.figures.means import exact_text

FORMAT = 1
Tree = dict[str, Any]
Masses = tuple[Fraction, ...]
"""The masses that a report gave to the options of a request, in their order."""

AnyRecord = Record | DialogueRecord


@dataclass(frozen=True)
class Filed:
    """A record of `system` about roots of a cohort: one, or for a dialogue one for each turn.

    `masses` has a row for each request, with an entry for each position, or field, that it asked for: None
    where no masses were reported.
    """

    system: str
    roots: tuple[str, ...]
    record: AnyRecord
    masses: tuple[tuple[Masses | None, ...], ...]

    @property
    def root_id(self) -> str:
        """The root, of a dialogue that of its first turn."""
        return self.roots[0]


@dataclass(frozen=True)
class Call:
    """One request of a record: what it asked for, its options, and what it showed before the answer."""

    asked: tuple[str | int, ...]
    options: tuple[tuple[Option, ...], ...]
    shown: Tree
    answer: Answer


def calls(record: AnyRecord) -> list[Call]:
    """The requests of a record in order, with their answers, by going through the run again."""
    found = []
    if isinstance(record, DialogueRecord):
        talk = DialogueRun(record.arm, record.dialogue)
        for answer in record.answers:
            request = talk.request
            names = tuple(field.name for field in request.fields)
            options = tuple(field.options for field in request.fields)
            shown = {"turn": request.turn, "prior": request.prior, "partial": request.partial}
            found.append(Call(names, options, shown, answer))
            talk = talk.give(answer)
        return found
    run = start(record.arm, record.task)
    for answer in record.answers:
        asked = run.request
        width = max(len(asked.positions), 1)
        found.append(Call(asked.positions, (asked.options,) * width, {"prefix": asked.prefix}, answer))
        run = run.give(answer)
    return found


def tree_of(filed: Filed) -> Tree:
    """The tree of a filed run: dictionaries, lists, texts, whole numbers and None."""
    record = filed.record
    head: Tree = {"format": FORMAT, "system": filed.system, "roots": filed.roots}
    requests = [
        {
            ("fields" if isinstance(record, DialogueRecord) else "positions"): call.asked,
            **call.shown,
            "options": _options(call, record),
            "answer": call.answer,
            "probabilities": [None if row is None else list(map(exact_text, row)) for row in masses],
        }
        for call, masses in zip(calls(record), filed.masses, strict=True)
    ]
    if isinstance(record, DialogueRecord):
        body: Tree = {
            "arm": record.arm,
            "dialogue": {
                "fields": [_said(field) for field in record.dialogue.fields],
                "turns": record.dialogue.turns,
                "gold": record.dialogue.gold,
            },
            "requests": requests,
            "states": record.states,
        }
    else:
        body = {
            "arm": columns(record.arm),
            "task": _said(record.task),
            "requests": requests,
            "steps": [
                {"position": step.position, "how": step.how, "symbol": step.symbol} for step in record.steps
            ],
            "output": record.output,
            "ending": record.ending,
            "fills": record.fills,
        }
    found: Tree = _plain({**head, **body, "calls": record.calls})
    return found


def _options(call: Call, record: AnyRecord) -> Tree:
    """Code to symbol; of a dialogue by field, as each has its own."""
    rows = [{option.code: option.symbol for option in row} for row in call.options]
    if isinstance(record, DialogueRecord):
        return dict(zip(map(str, call.asked), rows, strict=True))
    return rows[0]


def _said(value: Task | Naming | Any) -> Tree:
    """The fields of a value that are not what they are by default."""
    return {
        field.name: _said(said) if isinstance(said, Naming) else said
        for field in fields(value)
        if (said := getattr(value, field.name)) != field.default
    }


def _plain(value: Any) -> Any:
    """A value with lists in place of tuples, as JSON has them."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def again(arm: Arm | str, about: Task | Dialogue, answers: Sequence[Answer]) -> AnyRecord:
    """The record of an arm on a task, or of a dialogue arm on a dialogue, after these answers.

    Raises ControllerError where they do not fit, or where the run is over before the last answer or goes on
    after it.
    """
    if isinstance(about, Dialogue):
        return given(DialogueRun(arm, about), answers)  # type: ignore[arg-type]  # its name was looked up
    assert isinstance(arm, Arm), "a task is asked about by an arm"
    return given(start(arm, about), answers)
