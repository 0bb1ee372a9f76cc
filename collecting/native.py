"""Whole answers that a system chose: from reports about a cohort's own requests, or from records."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from worldgen.cohort.fields import Interface
from worldgen.cohort.variants import BY_NAME, PARTITION
from worldgen.cohort.wording import Worded
from worldgen.collecting.answers import SYSTEMONE, Asked
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.driving import given
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.controllers.records import Record
from worldgen.collecting.controllers.running import start
from worldgen.collecting.controllers.tasks import Task
from worldgen.collecting.filed import Filed
from worldgen.collecting.record_files import Records, RecordsError, read_records
from worldgen.emission.folder import CohortFolder
from worldgen.scoring.reports.attempts import settle
from worldgen.scoring.reports.files import read_reports
from worldgen.scoring.reports.report import Fault, Report
from worldgen.scoring.reports.tables import Request

CANONICAL = "canonical"
_CHOOSING: Mapping[str, Interface] = {"problem": "native", "candidates": "candidates-only"}
"""The views that leave it to whoever answers which candidate is chosen, and the interface of each."""


@dataclass(frozen=True)
class Chosen:
    """Records of whole answers, what is wrong with lines that are none, and how many reports were refused, by
    reason.
    """

    runs: tuple[Filed, ...]
    faults: tuple[Fault, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)

    def plans(self) -> dict[str, str]:
        """What was chosen, by root; roots whose answer was invalid are left out.

        Raises RecordsError for lines that are no records, which may have been plans; where two systems chose,
        as nothing says whose plans are meant; and where one chose two answers to a root.
        """
        if self.faults:
            raise RecordsError(
                "some lines of the plans are no records", self.faults, remedy="write the file anew"
            )
        systems = {run.system for run in self.runs}
        if len(systems) > 1:
            raise RecordsError(
                f"there are plans of {', '.join(sorted(systems))}", remedy="name the files of one system"
            )
        plans: dict[str, str] = {}
        for run in self.runs:
            plan = run.record.output if isinstance(run.record, Record) else None
            if plan is not None and plans.setdefault(run.root_id, plan) != plan:
                raise RecordsError(
                    f"there are two plans for {run.root_id}, {plans[run.root_id]!r} and {plan!r}",
                    remedy="name the files of one run for each root",
                )
        return plans


def read_chosen(
    folder: CohortFolder, files: Sequence[str | PathLike[str]], variant: str = CANONICAL
) -> Chosen:
    """The whole answers of files, each of which holds reports about the cohort's requests, or records.

    A report is read against the request of `variant`, which asks for a whole answer, and becomes the record
    of an arm with its wording: native where the problem is shown, candidates-only in the view candidates.
    What else the reports are about is left out. Raises ReportsError and RecordsError, this also for reports
    in a view that tells what the answer is, or how it begins.
    """
    asked = BY_NAME.get(variant)
    if asked is None or asked.asks != PARTITION or asked.draft is not None:
        raise RecordsError(
            f"no request {variant} asks for a whole answer", remedy="name canonical, or a variant of it"
        )
    paths = [Path(file) for file in files]
    records = [path for path in paths if _of_records(path)]
    reports = [path for path in paths if path not in records]
    found = read_records(records) if records else Records((), ())
    chosen = chosen_of(folder, read_reports(reports), variant) if reports else Chosen(())
    return Chosen((*found.runs, *chosen.runs), found.faults, chosen.refused)


def _of_records(path: Path) -> bool:
    """Whether a file holds records: its first line is an object with a key that no report has."""
    try:
        with path.open("rb") as file:
            first = file.readline(2**22)
    except OSError as error:
        raise RecordsError(f"{path}: cannot be read: {error.strerror}") from error
    return first.lstrip().startswith(b"{") and b'"roots"' in first


def chosen_of(folder: CohortFolder, reports: Iterable[Report], variant: str = CANONICAL) -> Chosen:
    """The whole answers of reports. Rows about requests of other variants are left out, others that do not
    fit the cohort or each other are refused and counted, as scoring does it.
    """
    columns = ["request_id", "root_id", "variant", "form", "wire", "options", "answer_ids", "eligible"]
    views = {row["root_id"]: row["view"] for row in folder.table("roots", ["root_id", "view"]).to_pylist()}
    for view in sorted(set(views.values()) - _CHOOSING.keys()):
        raise RecordsError(
            f"in the view {view} no answer is chosen from a problem",
            remedy="give reports on a cohort of the view problem, or records of the arm that is meant",
        )
    requests, others = {}, set()
    for row in folder.table("requests", columns).to_pylist():
        if row["variant"] != variant:
            others.add(row["request_id"])
            continue
        requests[row["request_id"]] = Request(
            row["request_id"],
            row["root_id"],
            "",
            row["variant"],
            row["form"],
            row["wire"],
            tuple(row["options"]),
            tuple(row["answer_ids"]),
            row["eligible"],
            (),
            frozenset(),
            None,
        )
    if not requests:
        raise RecordsError(
            f"the cohort has no requests of the variant {variant}",
            remedy="emit it with one that asks for a whole answer, or give records of the arm native",
        )
    settled = settle([report for report in reports if report.request_id not in others], requests)
    refused = Counter(refusal.reason for refusal in settled.refused)
    arms = {view: Arm(name, "answers", wording=BY_NAME[variant].wording) for view, name in _CHOOSING.items()}
    runs = []
    for report in settled.scored:
        request = requests[report.request_id]
        if not report.repeat:
            runs.append(_run(arms[views[request.root_id]], report, request))
    counts: dict[str, int] = {str(reason): count for reason, count in refused.items()}
    if repeats := len(settled.scored) - len(runs):
        counts["a repeat"] = repeats
    return Chosen(tuple(runs), (), counts)


def _run(arm: Arm, report: Report, request: Request) -> Filed:
    """The record of an arm that got this report."""
    ids, words = request.answer_ids, request.options
    symbols = tuple(sorted(set("".join(words))))
    task = Task(None, words, symbols, labels=ids)
    questions = ("q",) if request.wire == SYSTEMONE else ()
    options = tuple(map(Option, ids, words))
    taken = Asked(Worded("", questions, ids, True), request.wire, (options,)).taken(report)
    record = given(start(arm, task), [taken.answer])
    return Filed(report.system, (request.root_id,), record, (taken.masses,))
