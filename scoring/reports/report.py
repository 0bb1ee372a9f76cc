"""Reports: what systems answered, one row per attempt, and what can be wrong with a row by itself.

Which attempt counts, and which rows are refused beside others, is `scoring.reports.attempts`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from worldgen.exact.errors import WorldgenError

Status = Literal["answered", "unavailable"]
Written = tuple[tuple[str, str], ...]
"""Pairs (answer id, number as it was written)."""

STATUSES: tuple[Status, ...] = ("answered", "unavailable")
REQUIRED = ("system", "request_id", "status")
SOURCES = ("response", "probabilities", "logprobs")
COLUMNS = (
    *("system", "request_id", "repeat", "status"),
    *SOURCES,
    *("selected", "model_requested", "model_reported"),
    *("attempt", "final", "time"),
)
COUNT_BOUND = 10**9


@dataclass(frozen=True, slots=True)
class Report:
    """One attempt of one system to answer one request.

    `repeat` counts from 0 when a request was asked more than once, and every repeat is scored. `attempt`
    counts from 0 the tries that one such asking took; the one marked `final` is scored, earlier ones are
    kept and counted.

    An *answered* report has exactly one source of its answer, because of two, one could repair the
    other: `response`, the body as it was received; or, read out of a model without a body,
    `probabilities` or natural `logprobs`, as pairs (answer id, number as text). An *unavailable* report
    names no answer; its response, if any, is kept and never read.

    `selected` is the answer id that the system itself named as its pick, `model_requested` and
    `model_reported` are the names of the model that was asked for and of the one that answered, `time`
    is when, by convention ISO 8601: texts as they were received, None where nothing was said. No figure
    depends on the time or a model's name. `source` and `row` say where the report stands in a file, for
    messages only.
    """

    system: str
    request_id: str
    repeat: int = 0
    status: Status = "answered"
    response: str | None = None
    probabilities: Written | None = None
    logprobs: Written | None = None
    selected: str | None = None
    model_requested: str | None = None
    model_reported: str | None = None
    attempt: int = 0
    final: bool = True
    time: str | None = None
    source: str = field(default="", compare=False)
    row: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """(system, request_id, repeat): one asking. At most one of its attempts is scored."""
        return self.system, self.request_id, self.repeat

    @property
    def place(self) -> str:
        """Where it stands, for a person."""
        return f"{self.source or 'reports'}:{self.row}" if self.row else self.source or "reports"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a file of reports: where, what, and what to do."""

    place: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" + (f" (try: {self.remedy})" if self.remedy else "")


class ReportsError(WorldgenError):
    """Reports that cannot be read as they stand; `faults` lists everything found, in file order.

    >>> print(ReportsError([Fault("a.jsonl:3", "status is 'lost'", "write answered or unavailable")]))
    1 fault in the reports
      a.jsonl:3: status is 'lost' (try: write answered or unavailable)
    """

    SHOWN = 50

    def __init__(self, faults: Sequence[Fault]) -> None:
        lines = [str(fault) for fault in faults[: self.SHOWN]]
        if len(faults) > self.SHOWN:
            lines.append(f"and {len(faults) - self.SHOWN} more")
        counted = f"{len(faults)} fault{'s' if len(faults) != 1 else ''} in the reports"
        super().__init__("\n  ".join([counted, *lines]))
        self.faults = tuple(faults)


def form_faults(report: Report) -> Iterator[Fault]:
    """What is wrong with one report by itself: an empty key, a count or status that is none, an answered
    report without exactly one source, an unavailable one that names an answer, numbers that are no text.
    """
    if not report.system or not report.request_id:
        yield Fault(report.place, "system and request_id must not be empty")
    for name, count in (("repeat", report.repeat), ("attempt", report.attempt)):
        if not 0 <= count < COUNT_BOUND:
            remedy = f"number the {name}s 0, 1, 2, ... below {COUNT_BOUND}"
            yield Fault(report.place, f"{name} is {count}", remedy)
    if report.status not in STATUSES:
        yield Fault(report.place, f"status is {report.status!r}", f"write {' or '.join(STATUSES)}")
    else:
        yield from _source_faults(report)
    for name, pairs in (("probabilities", report.probabilities), ("logprobs", report.logprobs)):
        if pairs is not None and not all(type(part) is str for pair in pairs for part in pair):
            remedy = '(("A", "0.84"), ...), numbers as text: a binary float is not what was reported'
            yield Fault(report.place, f"{name} are not pairs of texts", remedy)


def _source_faults(report: Report) -> Iterator[Fault]:
    numbers = (report.probabilities, report.logprobs)
    if report.status == "unavailable":
        if numbers != (None, None) or report.selected is not None:
            remedy = "leave probabilities, logprobs and selected null"
            yield Fault(report.place, "an unavailable report names an answer", remedy)
        return
    missing = (report.response, *numbers).count(None)
    if missing == len(SOURCES):
        remedy = "give the response as received, or numbers read out without one, or status unavailable"
        if report.source.lower().endswith(".csv"):
            remedy += "; an empty body cannot stand in CSV, where an empty cell is null: write JSONL"
        yield Fault(report.place, f"an answered report has none of {', '.join(SOURCES)}", remedy)
    elif missing < len(SOURCES) - 1:
        found = " and ".join(name for name in SOURCES if getattr(report, name) is not None)
        remedy = "keep the response as received; the other columns are for answers that had no body"
        yield Fault(report.place, f"an answered report has {found}: one could repair the other", remedy)
