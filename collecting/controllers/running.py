"""The state machine of an arm on a task.

A state is a value: `give` returns the next one and changes nothing, so that a run can be kept, sent,
compared and gone on with from any of its states.
"""

from dataclasses import dataclass, replace
from functools import cached_property

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.driving import given
from worldgen.collecting.controllers.options import ControllerError, Option, resolve
from worldgen.collecting.controllers.records import Answer, Ending, How, Prefix, Record, Request, Shown, Step
from worldgen.collecting.controllers.symbols import END
from worldgen.collecting.controllers.tasks import SPARE, Task, check

WHOLE = -1


@dataclass(frozen=True)
class Run:
    """A run of an arm on a task, up to some answer. Begin with `start`.

    >>> run = start(Arm("serial", "trie", "fill"), Task("ba", ("ab", "ba"), ("a", "b")))
    >>> asked = run.request
    >>> asked.positions, [option.code for option in asked.options]
    ((0,), ['a', 'b'])
    >>> record = run.give("b").record
    >>> record.output, record.calls, record.fills, record.ending
    ('ba', 1, 1, 'complete')
    """

    arm: Arm
    task: Task
    answers: tuple[Answer, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def record(self) -> Record | None:
        """What became of a run that is over, None for one that is not."""
        ending = self._ending
        if ending is None:
            return None
        return Record(self.arm, self.task, self.answers, self.steps, ending)

    @property
    def request(self) -> Request:
        """What to ask next. Raises ControllerError where the run is over."""
        self._goes_on()
        arm, task = self.arm, self.task
        return Request(
            arm,
            self._positions,
            self._options,
            self._prefix,
            arm.shows.problem,
            task.candidates if arm.shows.candidates else (),
            self._shown,
            task.length,
        )

    def give(self, answer: Answer) -> "Run":
        """The run with one more answer, to the letter. An invalid one is marked, and the run goes on with the
        mark. Raises ControllerError if nothing is asked any more.
        """
        self._goes_on()
        options, contract = self._options, self.arm.contract
        possible = tuple(option.symbol for option in options)
        steps = [
            Step(position, "call", possible, text, resolve(options, contract, text))
            for position, text in zip(self._positions or (WHOLE,), self._texts(answer), strict=True)
        ]
        return replace(self, answers=(*self.answers, answer), steps=(*self.steps, *steps))._settled()

    def _goes_on(self) -> None:
        if self._ending is not None:
            raise ControllerError("the run is over", remedy="take its record")

    def _texts(self, answer: Answer) -> tuple[str | None, ...]:
        """The text for each position that was asked for; where they do not match one to one there is none."""
        if self.arm.feedback != "batch":
            return (answer if isinstance(answer, str) else None,)
        if isinstance(answer, tuple) and len(answer) == len(self._positions):
            return answer
        return (None,) * len(self._positions)

    @cached_property
    def _ending(self) -> Ending | None:
        if self.arm.interface == "stopping":
            if self.steps and self.steps[-1].symbol == END:
                return "ended"
            return "cap" if len(self.steps) == self.task.length + SPARE else None
        if self.steps and self.steps[-1].how == "abort":
            return "aborted"
        return "complete" if len(self.steps) == self._goal else None

    @property
    def _goal(self) -> int:
        """The number of steps of a run that reaches its end."""
        one = self.arm.whole or self.arm.interface in {"identity-check", "program-return"}
        return 1 if one else len(self.task.asked)

    @property
    def _positions(self) -> tuple[int, ...]:
        """The positions that the next request asks for, none of them for a whole answer."""
        if self.arm.whole:
            return ()
        if self.arm.interface == "stopping":
            return (len(self.steps),)
        return self.task.asked[len(self.steps) :][: None if self.arm.feedback == "batch" else 1]

    @cached_property
    def _options(self) -> tuple[Option, ...]:
        """The options of the next request: those of the arm that its support keeps."""
        options = self.task.options(self.arm)
        kept: str | None = None
        match self.arm.support:
            case "union":
                kept = self.task.geometry.unions[self._positions[0]]
            case "trie":
                kept = _continuations(self.task, self._prefix or ())
        if kept is not None:
            options = tuple(option for option in options if option.symbol in kept)
        return self.task.labelled(options) if self.arm.binding == "literal" else options

    @property
    def _given(self) -> Prefix:
        return tuple(step.symbol for step in self.steps)

    @property
    def _prefix(self) -> Prefix | None:
        match self.arm.feedback:
            case "own":
                return self._given
            case "gold":
                return tuple((self.task.supplied or self.task.gold or "")[: self._positions[0]])
            case "draft":
                return tuple(self.task.draft or "")
            case _:
                return None

    @property
    def _shown(self) -> Shown | None:
        string = self.task.supplied
        if string is None:
            return None
        evidence = self.arm.evidence
        table = tuple(enumerate(string)) if evidence in {"indexed", "direct"} else ()
        symbol = string[self._positions[0]] if evidence == "direct" else None
        return Shown(string, table, symbol, self.task.claimed, evidence == "padded")

    def _settled(self) -> "Run":
        """The run up to its next request: with what can be filled filled in, or given up."""
        run = self
        while run._ending is None and (step := run._without_a_call()) is not None:
            run = replace(run, steps=(*run.steps, *step))
        return run

    def _without_a_call(self) -> tuple[Step, ...] | None:
        """The next steps if they need no request."""
        task, how = self.task, self.arm.filling
        if self.arm.interface == "program-return":
            return (Step(WHOLE, "return", (), None, task.supplied),)
        if self.arm.support == "trie" and not self._options:
            return tuple(Step(there, "abort", (), None, None) for there in task.asked[len(self.steps) :])
        if how == "call" or (how == "listed" and self._positions[0] in task.listed):
            return None
        position = self._positions[0]
        if how == "fill":
            possible = tuple(option.symbol for option in self._options)
        else:
            possible = tuple(task.geometry.unions[position])
        return (_filled(position, possible),) if len(possible) == 1 else None


def _filled(position: int, possible: tuple[str, ...]) -> Step:
    how: How = "fill"
    return Step(position, how, possible, None, possible[0])


def _continuations(task: Task, given: Prefix) -> str:
    """The symbols by which a candidate continues a prefix, none for a prefix with a mark in it."""
    symbols = [symbol for symbol in given if symbol is not None]
    return task.geometry.following("".join(symbols)) if len(symbols) == len(given) else ""


def start(arm: Arm, task: Task) -> Run:
    """The run of an arm on a task before its first answer. Raises ControllerError if they do not fit."""
    check(arm, task)
    return Run(arm, task)._settled()


def replay(record: Record) -> Record:
    """The record of the same arm on the same task, given the same answers: equal to the record of a run, and
    to no other. Raises ControllerError where the run would be over before the last answer, or goes on.
    """
    return given(start(record.arm, record.task), record.answers)
