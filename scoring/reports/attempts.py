"""Attempts: which report of each asking is scored, which ones went before it, which rows are refused.

A row that does not fit the cohort, or that contradicts the rows beside it, is refused and counted: it is
data about how the reports were made, and the other rows stand. For a row of a key (system, request_id,
repeat), the first of these that holds is the reason:

1. `unknown request`: the cohort has no such request.
2. `ineligible request`: it has, but the request has no answer and was not to be sent.
3. `two final attempts`: the row is final, and so is another row of its key. Both are refused, as nothing
   but the answers themselves could tell which one counts.
4. `repeated attempt`: another row of its key has the same attempt number.
5. `attempt after the final`: the row is final and its key has a later attempt, or it comes later than
   a final one. All are refused: whoever goes on after the final answer can pick the better one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from worldgen.scoring.reports.report import Report, ReportsError, form_faults
from worldgen.scoring.reports.tables import Request

RefusalReason = Literal[
    "unknown request",
    "ineligible request",
    "two final attempts",
    "repeated attempt",
    "attempt after the final",
]
REFUSALS: tuple[RefusalReason, ...] = get_args(RefusalReason)
ABOUT_REQUESTS: tuple[RefusalReason, ...] = ("unknown request", "ineligible request")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A report that is not scored, and why."""

    report: Report
    reason: RefusalReason


@dataclass(frozen=True, slots=True)
class Reports:
    """Reports sorted by what becomes of them, each group in the order of the rows.

    `scored` has at most one report per key, a final one; `earlier` are the attempts before; `refused`
    are neither. Every report is in one of them. `systems` are the names of all, in order of appearance.
    """

    scored: tuple[Report, ...]
    earlier: tuple[Report, ...]
    refused: tuple[Refusal, ...]
    systems: tuple[str, ...]


def settle(reports: Sequence[Report], requests: Mapping[str, Request]) -> Reports:
    """The reports sorted into scored, earlier and refused, against the requests of a cohort.

    Raises ReportsError, listing every fault, where a report is wrong by itself (`form_faults`).

    >>> first, second = (Report("m", "r9", attempt=k, final=k == 1, response="") for k in (0, 1))
    >>> [refusal.reason for refusal in settle([first, second], {}).refused]
    ['unknown request', 'unknown request']
    """
    faults = [fault for report in reports for fault in form_faults(report)]
    if faults:
        raise ReportsError(faults)
    by_key: dict[tuple[str, str, int], list[Report]] = {}
    for report in reports:
        by_key.setdefault(report.key, []).append(report)
    contradicted: dict[int, RefusalReason] = {}
    for rows in by_key.values():
        if len(rows) > 1:
            contradicted.update(_contradictions(rows))
    scored: list[Report] = []
    earlier: list[Report] = []
    refused: list[Refusal] = []
    for report in reports:
        request = requests.get(report.request_id)
        if request is None:
            refused.append(Refusal(report, "unknown request"))
        elif not request.eligible:
            refused.append(Refusal(report, "ineligible request"))
        elif id(report) in contradicted:
            refused.append(Refusal(report, contradicted[id(report)]))
        else:
            (scored if report.final else earlier).append(report)
    systems = dict.fromkeys(report.system for report in reports)
    return Reports(tuple(scored), tuple(earlier), tuple(refused), tuple(systems))


def _contradictions(rows: Sequence[Report]) -> dict[int, RefusalReason]:
    """The reasons 3 to 5 among the rows of one key, by the identity of the row."""
    finals = [row.attempt for row in rows if row.final]
    last = max(row.attempt for row in rows)
    numbered = Counter(row.attempt for row in rows)
    found: dict[int, RefusalReason] = {}
    for row in rows:
        if row.final and len(finals) > 1:
            found[id(row)] = "two final attempts"
        elif numbered[row.attempt] > 1:
            found[id(row)] = "repeated attempt"
        elif row.attempt < last if row.final else finals and row.attempt > min(finals):
            found[id(row)] = "attempt after the final"
    return found
