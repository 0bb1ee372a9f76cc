"""What became of the requests: eligible, valid, rejected, unavailable, missing."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from worldgen.scoring.reader import REASONS, Reason, Rejected, Valid, read_report
from worldgen.scoring.reports import Report
from worldgen.scoring.tables import Request


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A request that was sent and brought no answer."""


Verdict = Valid | Rejected | Unavailable
Verdicts = Mapping[str, Mapping[int, Verdict]]
"""The verdicts of one system: by request id, then by repeat."""


@dataclass(frozen=True)
class Account:
    """What became of the slots of some requests with one system.

    A slot is one asking of one request. Every request is one slot, and each further repeat that was
    reported is one more. Of the `intended` slots the `eligible` ones were to be sent; each of these is
    `valid`, rejected for one reason, `unavailable`, or `missing` (no report at all).
    """

    intended: int
    eligible: int
    valid: int
    rejected: Mapping[Reason, int]
    unavailable: int
    missing: int

    @property
    def rejections(self) -> int:
        """The rejected slots, whatever the reason."""
        return sum(self.rejected.values())

    @property
    def native_validity(self) -> Fraction | None:
        """The share valid / eligible; None where nothing is eligible."""
        return Fraction(self.valid, self.eligible) if self.eligible else None

    @property
    def service_availability(self) -> Fraction | None:
        """The share (valid + rejected) / eligible: a rejected answer was served, too. None where nothing
        is eligible.
        """
        return Fraction(self.valid + self.rejections, self.eligible) if self.eligible else None


def judge(
    reports: Iterable[Report], requests: Mapping[str, Request]
) -> dict[str, dict[str, dict[int, Verdict]]]:
    """The verdict on every report: by system, request id and repeat, systems in order of appearance.

    The reports have passed `check_reports`.
    """
    found: dict[str, dict[str, dict[int, Verdict]]] = {}
    for report in reports:
        verdict: Verdict = Unavailable()
        if report.status == "answered":
            verdict = read_report(report, requests[report.request_id])
        found.setdefault(report.system, {}).setdefault(report.request_id, {})[report.repeat] = verdict
    return found


def account(requests: Iterable[Request], verdicts: Verdicts) -> Account:
    """The account of some requests with one system."""
    intended = eligible = valid = unavailable = missing = 0
    rejected: Counter[Reason] = Counter()
    for request in requests:
        answers = verdicts.get(request.request_id, {})
        slots = max(1, len(answers))
        intended += slots
        if not request.eligible:
            continue
        eligible += slots
        missing += not answers
        for verdict in answers.values():
            valid += isinstance(verdict, Valid)
            unavailable += isinstance(verdict, Unavailable)
            if isinstance(verdict, Rejected):
                rejected[verdict.reason] += 1
    by_reason = {reason: rejected[reason] for reason in REASONS}
    return Account(intended, eligible, valid, by_reason, unavailable, missing)
