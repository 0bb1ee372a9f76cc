"""The columns that tables of results are written with."""

from pathlib import Path

import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from tests.scoring.slow_results import answers, cohort, key_of
from worldgen.scoring.layout import KINDS, TABLES
from worldgen.scoring.reports.oracle import oracle_reports
from worldgen.scoring.reports.report import Report
from worldgen.scoring.results import Results, score
from worldgen.scoring.saved import save_tables
from worldgen.scoring.shown import tables


@pytest.fixture(scope="module")
def failing() -> Results:
    """Full results of two systems, with failures."""
    made = cohort(6, 1)
    truth = oracle_reports(made["requests"], made["targets"])
    return score(key_of(made), [*answers(made, 1, 2), *truth], replicates=100, full=True)


def test_tables_have_the_columns_and_kinds_that_are_declared(failing: Results) -> None:
    found = tables(failing)
    assert found.keys() == TABLES.keys()
    for name, rows in found.items():
        for row in rows:
            assert tuple(row) == TABLES[name]
            for column, value in row.items():
                assert value is None or type(value) is KINDS[column]
    assert sorted(name for columns in TABLES.values() for name in set(columns) - KINDS.keys()) == []
    assert KINDS.keys() == {name for columns in TABLES.values() for name in columns}


def test_numbers_of_any_length_are_written(tmp_path: Path) -> None:
    """The least log-probabilities are masses of over 4,300 digits, more than Python writes by itself."""
    made = cohort(3, 4)
    reports = []
    for row in made["requests"]:
        first, second, *others = row["answer_ids"]
        logs = ((first, "-9999.5"), (second, "0"), *((name, "-inf") for name in others))
        if row["eligible"]:
            reports.append(Report("m", row["request_id"], logprobs=logs))
    found = tables(score(key_of(made), reports, replicates=100, full=True))
    assert any(len(str(row["exact_certificate"])) > 4300 for row in found["roots"])
    assert any(len(str(row["exact_at"])) > 4300 for row in found["loss_breakpoints"])
    save_tables(found, tmp_path / "long")


def test_a_table_has_its_columns_whatever_it_holds(failing: Results, tmp_path: Path) -> None:
    made = cohort(2, 3)
    perfect = oracle_reports(made["requests"], made["targets"])
    spotless = tables(score(key_of(made), perfect, replicates=100, full=True))
    assert not spotless["rejections"]
    assert not spotless["refused"]
    save_tables(tables(failing), tmp_path / "failing")
    save_tables(spotless, tmp_path / "spotless")
    for name, columns in TABLES.items():
        here, there = (pq.read_table(tmp_path / each / f"{name}.parquet") for each in ("failing", "spotless"))
        assert here.schema == there.schema
        assert tuple(here.column_names) == columns
        assert tuple(pc.read_csv(tmp_path / "spotless" / f"{name}.csv").column_names) == columns
        assert there.num_rows == len(spotless[name])
