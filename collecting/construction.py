"""Constructions: the runs of an arm over a cohort, asked round by round, by whatever sends the requests.

A construction is a value, and what it has been told decides all of it: the answers so far, in order, for each
run. The next round are the requests of all runs that are not over. Reports are given in any number of parts,
and one that was given before changes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol, get_args

from worldgen.cohort.fields import Contract
from worldgen.cohort.wording import Worded
from worldgen.collecting.answers import Asked, Taken
from worldgen.collecting.controllers.driving import Machine
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.filed import AnyRecord, Filed
from worldgen.scoring.reports.report import Report, ReportsError, form_faults

Refusal = Literal[
    "unknown request",
    "not asked yet",
    "another system",
    "two final attempts",
    "a repeat",
    "answered otherwise before",
]
REFUSALS: tuple[Refusal, ...] = get_args(Refusal)


@dataclass(frozen=True)
class Right:
    """What is right for one question of a request: at which position, from 0, None for a whole answer, which
    symbol; whether no later position has one; and the symbol before it.
    """

    place: int | None
    symbol: str
    last: bool = False
    before: str = ""


class AnySheet(Protocol):
    """What is asked: runs by the root that they are named after, and how their requests are worded."""

    @property
    def wire(self) -> str:
        """The wire of the cohort."""
        ...

    @property
    def contract(self) -> Contract:
        """Whether answers are codes or characters."""
        ...

    @property
    def names(self) -> Iterable[str]:
        """The roots that runs are named after, in the order of the cohort."""
        ...

    @property
    def without(self) -> int:
        """How many roots no run is about, for lack of a plan."""
        ...

    def start(self, name: str) -> Machine[Any, AnyRecord]:
        """A run before its first answer."""
        ...

    def about(self, name: str) -> tuple[str, ...]:
        """The roots that a run is about."""
        ...

    def options(self, request: Any) -> tuple[tuple[Option, ...], ...]:
        """The options of each question of a request."""
        ...

    def word(self, name: str, request: Any) -> Worded:
        """The payload of a request."""
        ...

    def right(self, name: str, request: Any) -> tuple[Right, ...]:
        """What is right for each question of a request, for whoever has the evaluator's side."""
        ...


@dataclass(frozen=True)
class Pending:
    """A request of the next round: its id, the root that its run is named after, and how it was worded."""

    request_id: str
    root_id: str
    request: Any
    asked: Asked


@dataclass(frozen=True)
class Told:
    """What became of reports: how many were taken, how many said again what was known, how many were attempts
    before a final one, and how many were refused, by reason.
    """

    taken: int
    known: int
    earlier: int
    refused: Mapping[Refusal, int]


@dataclass(frozen=True)
class Construction:
    """The runs of a sheet after some answers; `tag` tells its requests from those of other constructions, and
    `system` is who answers, "" before the first answer.
    """

    sheet: AnySheet
    tag: str
    system: str = ""
    answers: Mapping[str, tuple[Taken, ...]] = field(default_factory=dict)

    @cached_property
    def runs(self) -> Mapping[str, Machine[Any, AnyRecord]]:
        """Every run after the answers to it."""
        found = {}
        for name in self.sheet.names:
            run = self.sheet.start(name)
            for one in self.answers.get(name, ()):
                run = run.give(one.answer)
            found[name] = run
        return found

    @cached_property
    def records(self) -> tuple[Filed, ...]:
        """The records of all runs that are over, in the order of the cohort."""
        return tuple(
            Filed(self.system, self.sheet.about(name), record, tuple(t.masses for t in self._told(name)))
            for name, run in self.runs.items()
            if (record := run.record) is not None
        )

    @cached_property
    def pending(self) -> tuple[Pending, ...]:
        """The next round: one request for each run that is not over, in the order of the cohort."""
        return tuple(
            self._pending(name, run, len(self._told(name)))
            for name, run in self.runs.items()
            if run.record is None
        )

    @cached_property
    def _by_root(self) -> Mapping[str, Pending]:
        return {each.root_id: each for each in self.pending}

    @property
    def over(self) -> bool:
        """Whether every run is."""
        return len(self.records) == len(self.runs)

    def _told(self, name: str) -> tuple[Taken, ...]:
        return self.answers.get(name, ())

    def request_id(self, name: str, number: int) -> str:
        """The id of a request by its number in its run, from 0."""
        return f"{name}-{self.tag}-{number}"

    def _pending(self, name: str, run: Machine[Any, AnyRecord], number: int) -> Pending:
        if number == len(self._told(name)) and "pending" in vars(self):
            return self._by_root[name]  # worded already
        request, sheet = run.request, self.sheet
        asked = Asked(sheet.word(name, request), sheet.wire, sheet.options(request), sheet.contract)
        return Pending(self.request_id(name, number), name, request, asked)

    def tell(self, reports: Iterable[Report]) -> tuple["Construction", Told]:
        """The construction after reports, and what became of them.

        Each run takes the answer to its next request as long as there is one, so that reports may span
        rounds. Refused are reports about requests of another construction, or about ones that are not asked
        yet; of another system than the first; beside another final one; that are repeats; and such as answer
        a request otherwise than before. Raises ReportsError for reports that are wrong by themselves.
        """
        counts: Counter[str] = Counter()
        given = list(reports)
        faults = [fault for report in given for fault in form_faults(report)]
        if faults:
            raise ReportsError(faults)
        system = self.system or next((each.system for each in given if self._asks(each.request_id)), "")
        finals = _finals(given, system, counts)
        after = {name: self._after(name, finals, counts) for name in self.sheet.names}
        found = {name: told for name, (_, told) in after.items()}
        for request_id in finals:
            counts["not asked yet" if self._asks(request_id) else "unknown request"] += 1
        refused = {reason: counts[reason] for reason in REFUSALS if counts[reason]}
        told = Told(counts["taken"], counts["known"], counts["earlier"], refused)
        then = replace(self, system=system if any(found.values()) else "", answers=found)
        vars(then)["runs"] = {name: run for name, (run, _) in after.items()}  # gone through already
        return then, told

    def _asks(self, request_id: str) -> bool:
        """Whether an id is one that a request of these runs may have."""
        name, _, number = request_id.rpartition(f"-{self.tag}-")
        return name in self.runs and number.isascii() and number.isdecimal()

    def _after(
        self, name: str, finals: dict[str, Report], counts: Counter[str]
    ) -> tuple[Machine[Any, AnyRecord], tuple[Taken, ...]]:
        """A run and its answers after the reports about it, which are taken out of `finals`."""
        told = list(self._told(name))
        run, number = self.runs[name], len(told)
        if any(self.request_id(name, before) in finals for before in range(number)):
            run, number = self.sheet.start(name), 0
        while run.record is None:
            report = finals.pop(self.request_id(name, number), None)
            if report is not None:
                taken = self._pending(name, run, number).asked.taken(report)
                if number == len(told):
                    told.append(taken)
                    counts["taken"] += 1
                else:
                    counts["known" if taken == told[number] else "answered otherwise before"] += 1
            if number == len(told):
                break
            run, number = run.give(told[number].answer), number + 1
        return run, tuple(told)


def _finals(reports: Iterable[Report], system: str, counts: Counter[str]) -> dict[str, Report]:
    """The report of a system that counts for each request, by its id; of all where there is no system yet."""
    found: dict[str, list[Report]] = {}
    for report in reports:
        if system and report.system != system:
            counts["another system"] += 1
        elif report.repeat:
            counts["a repeat"] += 1
        elif not report.final:
            counts["earlier"] += 1
        else:
            found.setdefault(report.request_id, []).append(report)
    counts["two final attempts"] += sum(len(each) for each in found.values() if len(each) > 1)
    return {name: each[0] for name, each in found.items() if len(each) == 1}
