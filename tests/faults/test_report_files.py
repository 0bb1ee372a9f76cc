"""Files of reports: every fault of a file is listed, with its row, and nothing is repaired."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.reader import Rejected, read_report
from worldgen.scoring.report_files import read_reports, write_jsonl, write_parquet
from worldgen.scoring.reports import Report, ReportsError
from worldgen.scoring.tables import Request

IDS = ("A", "B")


def request(name: str, eligible: bool = True) -> Request:
    events = (frozenset({0}), frozenset({1}))
    q = (Fraction(1, 2), Fraction(1, 2)) if eligible else None
    options = ("x", "y")
    return Request(
        name,
        "0",
        "s",
        "canonical",
        "choice",
        "chat",
        options,
        IDS,
        eligible,
        events,
        events[0] | events[1],
        q,
    )


REQUESTS = {name: request(name, eligible=name != "undefined") for name in ("r0", "r1", "r2", "undefined")}
GOOD = '{"system": "m", "request_id": "r0", "status": "answered", "response": "{}"}'


def faults(tmp_path: Path, text: str | bytes, name: str = "reports.jsonl") -> list[str]:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReportsError) as caught:
        read_reports([file], REQUESTS)
    return [str(fault).replace(f"{file}", "FILE") for fault in caught.value.faults]


def test_all_faults_of_a_file_are_listed_together(tmp_path: Path) -> None:
    lines = [
        GOOD,
        GOOD,
        "not JSON",
        "[1]",
        GOOD + " trailing",
        "",
        '{"system": "m", "request_id": "r9", "status": "answered", "response": ""}',
        '{"system": "m", "request_id": "undefined", "status": "answered", "response": ""}',
        '{"system": "m", "request_id": "r1", "status": "answered", "respons": ""}',
        '{"system": "m", "request_id": "r1"}',
        '{"system": "m", "request_id": "r1", "status": "lost"}',
        '{"system": "m", "request_id": "r2", "status": "answered"}',
        '{"system": "m", "request_id": "r2", "repeat": 1.5, "status": "unavailable"}',
        '{"system": "m", "request_id": "r2", "repeat": 1, "status": "answered", "response": {"A": 1}}',
        '{"system": "m", "request_id": "r2", "repeat": 2, "status": "answered", "probabilities": [0.5]}',
        '{"system": "m", "request_id": "r2", "repeat": 3, "status": "unavailable", "probabilities": {}}',
        '{"system": "m", "request_id": "r2", "repeat": 4, "status": "answered", "response": "", '
        '"probabilities": {}}',
        '{"system": "m", "system": "n", "request_id": "r2", "status": "unavailable"}',
        '{"system": "\\ud800", "request_id": "r2", "status": "unavailable"}',
    ]
    found = faults(tmp_path, "\n".join(lines))
    rows = sorted(int(fault.split(":")[1]) for fault in found)
    assert rows == list(range(2, len(lines) + 1))
    assert any("did you mean 'response'?" in fault for fault in found)
    assert any("stands already at" in fault and fault.startswith("FILE:2") for fault in found)
    assert all(f"FILE:{row}: " in "\n".join(found) for row in rows)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no reports"),
        (b" \n\n", "holds no reports"),
        (b"system,request_id\nm,r0\n", "is neither JSONL nor Parquet"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "is neither JSONL nor Parquet"),
        (b"\x89PNG\r\n", "is neither JSONL nor Parquet"),
        (b"PAR1 and nothing more", "is not a whole Parquet file"),
        (b"PAR1" + b"\0" * 100 + b"PAR1", "is not a whole Parquet file"),
        (GOOD.encode() + b"\n{\xff}\n", "FILE:2: is not a line of JSON"),
        (b'{"a":' + b"[" * 10_000, "nests deeper"),
    ],
)
def test_files_that_hold_no_reports(tmp_path: Path, content: bytes, message: str) -> None:
    assert message in faults(tmp_path, content)[0]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReportsError, match="cannot be read"):
        read_reports([tmp_path / "nowhere", tmp_path], REQUESTS)


def parquet(tmp_path: Path, **columns: object) -> bytes:
    base: dict[str, object] = {"system": ["m"], "request_id": ["r0"], "status": ["answered"]}
    pq.write_table(pa.table(base | columns), tmp_path / "made")
    return (tmp_path / "made").read_bytes()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"probabilities": [[{"id": "A", "value": 0.5}]]}, "binary floats"),
        ({"probabilities": [{"A": 0.5, "B": 0.5}]}, "binary floats"),
        ({"probabilities": [[0.5, 0.5]]}, "binary floats"),
        ({"repeat": [0.0]}, "binary floats"),
        ({"probabilities": [{"A": "0.5"}]}, "list<struct<id: string, value: string>>"),
        ({"repeat": ["0"]}, "whole numbers"),
        ({"response": [1]}, "make it text"),
        ({"probabilites": [None]}, "did you mean 'probabilities'?"),
        ({"status": [None]}, "FILE:1: no status"),
        ({"repeat": [-1], "response": [""]}, "number the repeats 0, 1, 2"),
        ({"repeat": [10**9], "response": [""]}, "number the repeats 0, 1, 2"),
        ({"probabilities": [[{"id": None, "value": "1"}]]}, "no answer id"),
    ],
)
def test_parquet_columns_that_are_refused(tmp_path: Path, columns: dict[str, object], message: str) -> None:
    found = faults(tmp_path, parquet(tmp_path, **columns))
    assert message in found[0]


def test_parquet_without_a_required_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"system": ["m"]}), tmp_path / "made")
    found = faults(tmp_path, (tmp_path / "made").read_bytes())
    assert [fault.split(": ")[1] for fault in found] == [
        "there is no column 'request_id'",
        "there is no column 'status'",
    ]


def test_keys_repeat_across_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).write_text(GOOD)
    with pytest.raises(ReportsError, match=r"stands already at .*a:1"):
        read_reports([tmp_path / "a", tmp_path / "b"], REQUESTS)


def test_numbers_of_jsonl_keep_their_digits(tmp_path: Path) -> None:
    file = tmp_path / "reports"
    row = '{"system": "m", "request_id": "r0", "status": "answered", "probabilities": %s}'
    file.write_text(
        row % '{"A": 0.10, "B": "220/317", "C": 1e-999999999, "D": null, "E": NaN, "A": true}' + "\n"
    )
    (report,) = read_reports([file], REQUESTS)
    texts = [
        ("A", "0.10"),
        ("B", "220/317"),
        ("C", "1e-999999999"),
        ("D", "null"),
        ("E", "NaN"),
        ("A", "true"),
    ]
    assert report.probabilities == tuple(texts)
    assert read_report(report, REQUESTS["r0"]) == Rejected("wrong key support")


ids = st.sampled_from(["A", "B", "\u2028", "é", ""])
contents = st.one_of(
    st.tuples(st.just("answered"), st.text(), st.none()),
    st.tuples(
        st.just("answered"), st.none(), st.dictionaries(ids, st.text()).map(lambda d: tuple(d.items()))
    ),
    st.tuples(st.just("unavailable"), st.none() | st.text(), st.none()),
)
rows = st.tuples(
    st.text(min_size=1), st.sampled_from(["r0", "r1", "r2"]), st.integers(0, 10**9 - 1), contents
)
report_lists = st.lists(rows, min_size=1, max_size=6, unique_by=lambda row: row[:3]).map(
    lambda rows: [Report(system, name, repeat, *content) for system, name, repeat, content in rows]
)


@pytest.mark.parametrize("write", [write_jsonl, write_parquet])
@given(reports=report_lists)
def test_files_give_back_what_was_written(
    write: Callable[[list[Report], Path], None],
    reports: list[Report],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    file = tmp_path_factory.getbasetemp() / "round-trip"
    write(reports, file)
    assert read_reports([file], REQUESTS) == reports


def test_jsonl_cannot_hold_an_answer_id_twice(tmp_path: Path) -> None:
    twice = Report("m", "r0", probabilities=(("A", "1"), ("A", "0")))
    with pytest.raises(ReportsError, match="stands twice"):
        write_jsonl([twice], tmp_path / "reports")
    write_parquet([twice], tmp_path / "reports")
    assert read_reports([tmp_path / "reports"], REQUESTS) == [twice]


def test_text_columns_of_other_writers_are_read(tmp_path: Path) -> None:
    table = pa.table(
        {
            "system": pa.array(["m", "m"]).dictionary_encode(),
            "request_id": pa.array(["r0", "r1"], pa.large_string()),
            "repeat": pa.array([0, 3], pa.uint8()),
            "status": pa.array(["answered", "unavailable"], pa.string_view()),
            "response": pa.array(["{}", None]),
            "probabilities": pa.nulls(2),
        }
    )
    pq.write_table(table, tmp_path / "made")
    expected = [Report("m", "r0", response="{}"), Report("m", "r1", 3, "unavailable")]
    assert read_reports([tmp_path / "made"], REQUESTS) == expected


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"system": "", "request_id": "r0", "status": "unavailable"}', "must not be empty"),
        (
            '{"system": "m", "request_id": "r0", "status": "answered", "probabilities": {"A": []}}',
            "is an array",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "answered", "probabilities": {"\\ud800": 1}}',
            "surrogate",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "unavailable", "repeat": true}',
            "not a whole number",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "unavailable", "repeat": null}',
            "not a whole number",
        ),
        ('{"system": 1, "request_id": "r0", "status": "unavailable"}', "system is not a text"),
    ],
)
def test_rows_that_are_refused(tmp_path: Path, row: str, message: str) -> None:
    (found,) = faults(tmp_path, row)
    assert found.startswith("FILE:1: ")
    assert message in found


def test_a_probability_without_a_value_is_an_answer_that_is_rejected(tmp_path: Path) -> None:
    raw = parquet(tmp_path, probabilities=[[{"id": "A", "value": None}, {"id": "B", "value": "1"}]])
    (tmp_path / "reports").write_bytes(raw)
    (report,) = read_reports([tmp_path / "reports"], REQUESTS)
    assert read_report(report, REQUESTS["r0"]) == Rejected("non-numeric")


def test_a_long_list_of_faults_is_cut_in_the_message_and_kept_in_the_field(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("{\n" * 60)
    with pytest.raises(ReportsError, match="and 10 more") as caught:
        read_reports([tmp_path / "reports"], REQUESTS)
    assert len(caught.value.faults) == 60
