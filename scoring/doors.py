"""The doors of this room: a cohort in, scores or reports out."""

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Protocol

from worldgen.exact.arrow import Table
from worldgen.relations.declared import Relation
from worldgen.scoring.figures.bootstrap import REPLICATES, SEED
from worldgen.scoring.reports import files as report_files
from worldgen.scoring.reports import oracle
from worldgen.scoring.reports.collector import collector_at_rest
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import AnswerKey
from worldgen.scoring.results import Results
from worldgen.scoring.results import score as score_reports

TABLES = ("roots", "requests", "targets", "relations", "truth")


class Asked(Protocol):
    """What is scored against: a cohort that gives its tables by name, as `worldgen.open` returns it."""

    @property
    def relations(self) -> Sequence[Relation]:
        """The relations that it declares."""
        ...

    def table(self, name: str) -> Table:
        """All rows of a table."""
        ...


@collector_at_rest()
def score(
    cohort: Asked,
    *reports: Report | str | PathLike[str],
    replicates: int = REPLICATES,
    seed: int = SEED,
    full: bool = False,
) -> Results:
    """The results of all systems that the reports speak of.

    A report is a `Report`, or the path of a file of them. Rows that do not fit the cohort or each other are
    refused and counted (`attempts`). Intervals are drawn from so many `replicates` keyed by `seed`; `full`
    adds the curves, and decisions stratum by stratum. Raises ReportsError listing everything that is wrong
    with the files or with a report by itself, TypeError for no reports at all.
    """
    if not hasattr(cohort, "table"):
        raise TypeError(f"score takes an opened cohort, not {cohort!r}: write worldgen.open(...)")
    key = AnswerKey.of(*(cohort.table(name) for name in TABLES))
    if not reports:
        raise TypeError("score takes reports, or files of them, after the cohort")
    given = [report for report in reports if isinstance(report, Report)]
    files = [Path(report) for report in reports if not isinstance(report, Report)]
    return score_reports(
        key,
        [*given, *report_files.read_reports(files)],
        relations=cohort.relations,
        replicates=replicates,
        seed=seed,
        full=full,
    )


def oracle_reports(cohort: Asked, system: str = "oracle") -> list[Report]:
    """The reports of a system that knows the truth, one for every eligible request of the cohort."""
    return oracle.oracle_reports(cohort.table("requests"), cohort.table("targets"), system)


def write_reports(reports: Iterable[Report], file: str | PathLike[str]) -> None:
    """Write reports to a .jsonl, .parquet or .csv file. Raises ReportsError for another ending, and for
    what the format cannot hold.
    """
    report_files.write_reports(reports, Path(file))
