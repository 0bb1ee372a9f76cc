"""Reports: what systems answered, one row per (system, request, repeat), and what is wrong with them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from worldgen.exact.errors import WorldgenError
from worldgen.scoring.tables import Request

Status = Literal["answered", "unavailable"]
Written = tuple[tuple[str, str], ...]

STATUSES: tuple[Status, ...] = ("answered", "unavailable")
COLUMNS = ("system", "request_id", "repeat", "status", "response", "probabilities")
REPEATS = 10**9
REQUIRED = ("system", "request_id", "status")


@dataclass(frozen=True, slots=True)
class Report:
    """One answer of one system to one request.

    `repeat` counts from 0 when the same request was asked more than once. An *answered* report carries
    either `response`, the body as it was received, or `probabilities`, pairs (answer id, number as
    text) that were read out of a model without a body; never both, because then one could repair the
    other. An *unavailable* one carries no probabilities; its response is kept and never read. `source`
    and `row` say where the report stands in a file, for messages only.
    """

    system: str
    request_id: str
    repeat: int = 0
    status: Status = "answered"
    response: str | None = None
    probabilities: Written | None = None
    source: str = field(default="", compare=False)
    row: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """(system, request_id, repeat), unique among the reports that are scored together."""
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
    """Reports that cannot be scored as they stand; `faults` lists everything found, in file order.

    >>> print(ReportsError([Fault("a.jsonl:3", "unknown request 'r9'", "ask the requests of this cohort")]))
    1 fault in the reports
      a.jsonl:3: unknown request 'r9' (try: ask the requests of this cohort)
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
    """What is wrong with one report by itself."""
    if not report.system or not report.request_id:
        yield Fault(report.place, "system and request_id must not be empty")
    if not 0 <= report.repeat < REPEATS:
        yield Fault(report.place, f"repeat is {report.repeat}", "number the repeats 0, 1, 2, ...")
    if report.status not in STATUSES:
        yield Fault(report.place, f"status is {report.status!r}", f"write {' or '.join(STATUSES)}")
    elif report.status == "unavailable" and report.probabilities is not None:
        yield Fault(report.place, "an unavailable report gives probabilities", "leave probabilities null")
    elif report.status == "answered" and report.response is None and report.probabilities is None:
        remedy = "give the response as received, or the probabilities read out, or status unavailable"
        yield Fault(report.place, "an answered report gives neither response nor probabilities", remedy)
    elif report.response is not None and report.probabilities is not None:
        remedy = "keep the response as received; probabilities are for answers that had no body"
        yield Fault(report.place, "a report gives both response and probabilities", remedy)


def content_faults(reports: Iterable[Report], requests: Mapping[str, Request]) -> Iterator[Fault]:
    """What is wrong with reports together: repeated keys, unknown requests, answers to requests that
    were never to be sent, and each report's own faults.
    """
    seen: dict[tuple[str, str, int], str] = {}
    for report in reports:
        yield from form_faults(report)
        request = requests.get(report.request_id)
        if request is None:
            yield Fault(
                report.place, f"unknown request {report.request_id!r}", "score against its own cohort"
            )
        elif not request.eligible:
            message = f"request {report.request_id!r} is not eligible and is not to be sent"
            yield Fault(report.place, message, "drop this report")
        if report.key in seen:
            message = (
                f"system {report.system!r}, request {report.request_id!r}, repeat {report.repeat} "
                f"stands already at {seen[report.key]}"
            )
            yield Fault(report.place, message, "number the repeats 0, 1, 2, ...")
        else:
            seen[report.key] = report.place


def check_reports(reports: Sequence[Report], requests: Mapping[str, Request]) -> None:
    """Raise ReportsError, listing every fault, unless the reports can be scored against the requests."""
    faults = list(content_faults(reports, requests))
    if faults:
        raise ReportsError(faults)
