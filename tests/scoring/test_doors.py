"""The doors: what a file of reports says and what reports in memory say is scored alike."""

import gc
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from worldgen.exact.arrow import Table
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.doors import oracle_reports, score, write_reports
from worldgen.scoring.reports.report import Report, ReportsError
from worldgen.scoring.shown import to_json

ROWS: dict[str, list[dict[str, Any]]] = {
    "roots": [{"root_id": "0", "stratum": "s"}],
    "requests": [
        {
            "request_id": f"0-{name}",
            "root_id": "0",
            "variant": name,
            "form": "event",
            "wire": "systemone",
            "options": ["true", "false"],
            "answer_ids": ["true", "false"],
            "eligible": True,
        }
        for name in ("event", "complement")
    ],
    "targets": [
        {
            "request_id": "0-event",
            "event_map": [[0], [1]],
            "given": [0, 1],
            "q": ["1/3", "2/3"],
            "outcome": 0,
        },
        {
            "request_id": "0-complement",
            "event_map": [[1], [0]],
            "given": [0, 1],
            "q": ["2/3", "1/3"],
            "outcome": 1,
        },
    ],
    "truth": [{"root_id": "0", "posterior": ["1/3", "2/3"]}],
    "relations": [
        {
            "root_id": "0",
            "relation": "complement",
            "request_ids": ["0-event", "0-complement"],
            "eligible": True,
            "tolerance": "0.05",
            "primary": True,
            "identity_control": False,
        }
    ],
}


class Asked:
    """A cohort of one root, in plain rows."""

    @property
    def relations(self) -> Sequence[Relation]:
        return RELATIONS

    def table(self, name: str) -> Table:
        return ROWS[name]  # type: ignore[return-value]  # plain rows pass wherever tables do


@pytest.mark.parametrize("ending", [".jsonl", ".parquet", ".csv"])
def test_files_and_reports_are_scored_alike(tmp_path: Path, ending: str) -> None:
    reports = oracle_reports(Asked())
    file = tmp_path / f"oracle{ending}"
    write_reports(reports, file)
    summary = to_json(score(Asked(), file))
    assert summary == to_json(score(Asked(), *reports)) == to_json(score(Asked(), str(file)))


def test_reports_in_memory_and_in_files_are_scored_together(tmp_path: Path) -> None:
    first, second = oracle_reports(Asked())
    write_reports([first], tmp_path / "one.jsonl")
    (system,) = score(Asked(), second, tmp_path / "one.jsonl").systems
    assert system.account.valid == 2
    other = Report("other", "0-event", probabilities=(("true", "1/2"), ("false", "1/2")))
    assert [each.name for each in score(Asked(), first, second, other).systems] == ["oracle", "other"]


def test_another_ending_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReportsError, match=r"written as \.jsonl, \.parquet, \.csv"):
        write_reports([], tmp_path / "oracle.xlsx")
    assert not list(tmp_path.iterdir())


def test_refused_rows_are_counted_beside_what_is_scored(tmp_path: Path) -> None:
    """In memory and from files, a request of another cohort and a key with two final attempts."""
    event, complement = oracle_reports(Asked())
    rows = [event, event, complement, Report("oracle", "elsewhere", response="{}")]
    write_reports(rows, tmp_path / "rows.csv")
    results = score(Asked(), tmp_path / "rows.csv")
    assert to_json(results) == to_json(score(Asked(), *rows))
    (system,) = results.systems
    refused = {reason: count for reason, count in system.refused.items() if count}
    assert refused == {"unknown request": 1, "two final attempts": 2}
    assert (system.account.valid, system.account.missing, system.account.unfinished) == (1, 1, 1)


def test_the_collector_works_on_after_scoring_and_after_a_refusal() -> None:
    score(Asked(), *oracle_reports(Asked()))
    with pytest.raises(ReportsError):
        score(Asked(), Report("m", "0-event"))
    assert gc.isenabled()


def test_without_reports_there_is_nothing_to_score() -> None:
    with pytest.raises(TypeError, match="score takes reports"):
        score(Asked())
    with pytest.raises(TypeError, match="takes an opened cohort"):
        score("cohort", Report("m", "0-event"))  # type: ignore[arg-type]  # what is tested
