"""What became of the requests: eligible, valid, rejected, unavailable, missing, and the rows beside them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from worldgen.scoring.reports.attempts import ABOUT_REQUESTS, RefusalReason, Reports
from worldgen.scoring.reports.reader import REASONS, Reason, Rejected, Valid, read_report
from worldgen.scoring.reports.tables import Request


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A request that was sent and brought no answer."""


@dataclass(frozen=True, slots=True)
class Missing:
    """An asking that rows speak of, while no final attempt of it stands: only earlier or refused ones."""


Verdict = Valid | Rejected | Unavailable | Missing
Verdicts = Mapping[str, Mapping[int, Verdict]]
"""The verdicts of one system: by request id, then by repeat."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the reports of one system came to: the verdict on every asking that they speak of, the number
    of earlier attempts by request id, and the number of refused rows by reason, for those that occurred.
    """

    verdicts: dict[str, dict[int, Verdict]] = field(default_factory=dict)
    earlier: Counter[str] = field(default_factory=Counter)
    refused: Counter[RefusalReason] = field(default_factory=Counter)


@dataclass(frozen=True)
class Account:
    """What became of the slots of some requests with one system.

    A slot is one asking of one request. Every request is one slot, and each further repeat that was
    reported is one more. Of the `intended` slots the `eligible` ones were to be sent; each of these is
    `valid`, rejected for one reason, `unavailable`, or `missing`: without a final attempt that stands. Of
    the missing, `unfinished` have earlier attempts or refused rows, and nothing speaks of the others.

    `earlier` counts the attempts before the final ones, which are no slots. Of the valid, `selected` named
    an answer id as their pick, and `misnamed` named something else.
    """

    intended: int
    eligible: int
    valid: int
    rejected: Mapping[Reason, int]
    unavailable: int
    missing: int
    unfinished: int = 0
    earlier: int = 0
    selected: int = 0
    misnamed: int = 0

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


def judge(reports: Reports, requests: Mapping[str, Request]) -> dict[str, Judged]:
    """What the reports of every system came to, systems in order of appearance.

    The reports were settled against the same requests. A system whose every row was refused is judged, too.
    """
    found = {system: Judged() for system in reports.systems}
    for report in reports.scored:
        verdict: Verdict = Unavailable()
        if report.status == "answered":
            verdict = read_report(report, requests[report.request_id])
        found[report.system].verdicts.setdefault(report.request_id, {})[report.repeat] = verdict
    unfinished = list(reports.earlier)
    for refusal in reports.refused:
        found[refusal.report.system].refused[refusal.reason] += 1
        if refusal.reason not in ABOUT_REQUESTS:
            unfinished.append(refusal.report)
    for report in unfinished:
        found[report.system].verdicts.setdefault(report.request_id, {}).setdefault(report.repeat, Missing())
    for report in reports.earlier:
        found[report.system].earlier[report.request_id] += 1
    return found


def account(requests: Iterable[Request], judged: Judged) -> Account:
    """The account of some requests with one system."""
    intended = eligible = earlier = 0
    silent = selected = misnamed = 0
    kinds: Counter[type[Verdict]] = Counter()
    rejected: Counter[Reason] = Counter()
    for request in requests:
        answers = judged.verdicts.get(request.request_id, {})
        slots = max(1, len(answers))
        intended += slots
        if not request.eligible:
            continue
        eligible += slots
        silent += not answers
        earlier += judged.earlier[request.request_id]
        for verdict in answers.values():
            kinds[type(verdict)] += 1
            if isinstance(verdict, Valid):
                selected += verdict.selected is not None
                misnamed += verdict.misnamed
            elif isinstance(verdict, Rejected):
                rejected[verdict.reason] += 1
    return Account(
        intended,
        eligible,
        kinds[Valid],
        {reason: rejected[reason] for reason in REASONS},
        kinds[Unavailable],
        silent + kinds[Missing],
        kinds[Missing],
        earlier,
        selected,
        misnamed,
    )


@dataclass(frozen=True, slots=True)
class ModelCount:
    """How many scored reports of a system asked for one model name and were answered under another.

    A name is None where nothing was said; the name that a response gives counts where it was valid.
    """

    system: str
    requested: str | None
    reported: str | None
    reports: int


def model_counts(reports: Reports, judged: Mapping[str, Judged]) -> Iterator[ModelCount]:
    """The pairs of model names, requested and reported, of the scored reports, in order of appearance."""
    counts: Counter[tuple[str, str | None, str | None]] = Counter()
    for report in reports.scored:
        verdict = judged[report.system].verdicts[report.request_id][report.repeat]
        reported = verdict.model if isinstance(verdict, Valid) else report.model_reported
        counts[report.system, report.model_requested, reported] += 1
    return (ModelCount(*names, reports=number) for names, number in counts.items())
