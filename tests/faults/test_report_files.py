"""Files of reports: every fault of a file is listed, with its row, and nothing is repaired."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.reports.files import WRITERS, read_reports, write_reports
from worldgen.scoring.reports.reader import Rejected, read_probabilities
from worldgen.scoring.reports.report import COLUMNS, Report, ReportsError

IDS = ("A", "B")
GOOD = '{"system": "m", "request_id": "r0", "status": "answered", "response": "{}"}'
HEADER = b"system,request_id,status,response\n"


def faults(tmp_path: Path, text: str | bytes, name: str = "reports.jsonl") -> list[str]:
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ReportsError) as caught:
        read_reports([file])
    return [str(fault).replace(f"{file}", "FILE") for fault in caught.value.faults]


def test_all_faults_of_a_file_are_listed_together_in_order(tmp_path: Path) -> None:
    lines = [
        GOOD,
        "not JSON",
        "[1]",
        GOOD + " trailing",
        "",
        '{"system": "m", "request_id": "r1", "status": "answered", "respons": ""}',
        '{"system": "m", "request_id": "r1"}',
        '{"system": "m", "request_id": "r1", "status": "lost"}',
        '{"system": "m", "request_id": "r2", "status": "answered"}',
        '{"system": "m", "request_id": "r2", "repeat": 1.5, "status": "unavailable"}',
        '{"system": "m", "request_id": "r2", "repeat": 1, "status": "answered", "response": {"A": 1}}',
        '{"system": "m", "request_id": "r2", "repeat": 2, "status": "answered", "probabilities": [0.5]}',
        '{"system": "m", "request_id": "r2", "repeat": 3, "status": "unavailable", "probabilities": {}}',
        '{"system": "m", "request_id": "r2", "status": "answered", "response": "", "probabilities": {}}',
        '{"system": "m", "system": "n", "request_id": "r2", "status": "unavailable"}',
        '{"system": "\\ud800", "request_id": "r2", "status": "unavailable"}',
    ]
    found = faults(tmp_path, "\n".join(lines))
    assert [int(fault.split(":")[1]) for fault in found] == list(range(2, len(lines) + 1))
    assert any("did you mean 'response'?" in fault for fault in found)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"", "holds no reports"),
        ("a.csv", b" \n\n", "holds no reports"),
        ("a.csv", HEADER, "holds no reports"),
        ("a", b"name,answer\nm,r0\n", "is neither Parquet, JSONL nor CSV"),
        ("a", b"\x89PNG\r\n", "is neither Parquet, JSONL nor CSV"),
        ("a", b"\xff\xfes\0y\0s\0", "is neither Parquet, JSONL nor CSV"),
        ("a.csv", b'"system', "is not CSV (unexpected end of data)"),
        ("a.jsonl", b"\xef\xbb\xbf" + GOOD.encode(), "begins with a byte order mark"),
        ("a.csv", b"\xef\xbb\xbf" + HEADER, "begins with a byte order mark"),
        ("a.parquet", b"PAR1 and nothing more", "is not a whole Parquet file"),
        ("a.parquet", b"PAR1" + b"\0" * 100 + b"PAR1", "is not a whole Parquet file"),
        ("a", GOOD.encode() + b"\n{\xff}\n", "FILE:2: is not a line of JSON"),
        ("a", b'{"a":' + b"[" * 10_000, "nests deeper"),
        ("a.csv", b"name,answer\nm,r0\n", "unknown column 'name'"),
        ("a", HEADER.replace(b"status", b"system"), "column 'system' stands twice"),
        ("a", b"system,request_id\n", "there is no column 'status'"),
        ("a.csv", b"system;request_id;status\n", "separate the columns by commas"),
        ("a.csv", HEADER + b"m,r0,answered,\xff\n", "FILE:2: is not UTF-8"),
    ],
)
def test_files_that_hold_no_reports(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    assert message in faults(tmp_path, content, name)[0]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ReportsError, match="2 faults") as caught:
        read_reports([tmp_path / "nowhere", tmp_path])
    assert all("cannot be read" in fault.message for fault in caught.value.faults)


def parquet(tmp_path: Path, **columns: object) -> bytes:
    base: dict[str, object] = {"system": ["m"], "request_id": ["r0"], "status": ["answered"]}
    pq.write_table(pa.table(base | columns), tmp_path / "made")
    return (tmp_path / "made").read_bytes()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"probabilities": [[{"id": "A", "value": 0.5}]]}, "binary floats"),
        ({"probabilities": [[{"id": "A", "value": 0.5}]]}, "numbers as text"),
        ({"logprobs": [[{"id": "A", "value": -0.5}]]}, "numbers as text"),
        ({"probabilities": [{"A": 0.5, "B": 0.5}]}, "binary floats"),
        ({"probabilities": [[0.5, 0.5]]}, "binary floats"),
        ({"repeat": [0.0]}, "'repeat' holds binary floats (double) (try: make it whole numbers"),
        ({"attempt": [0.0]}, "'attempt' holds binary floats (double) (try: make it whole numbers"),
        ({"final": [1.0]}, "'final' holds binary floats (double) (try: make it booleans)"),
        ({"time": [1.5]}, "'time' holds binary floats (double) (try: make it text)"),
        ({"selected": [0.5]}, "'selected' holds binary floats (double) (try: make it text)"),
        ({"final": [1]}, "'final' holds int64 (try: make it booleans)"),
        ({"time": pa.array([0], pa.timestamp("ms"))}, "'time' holds timestamp[ms] (try: make it text)"),
        ({"probabilities": [{"A": "0.5"}]}, "list<struct<id: string, value: string>>"),
        ({"probabilities": [[{"id": "A", "value": "1", "more": "?"}]]}, "list<struct<id: string, value:"),
        ({"repeat": ["0"]}, "whole numbers"),
        ({"response": [1]}, "make it text"),
        ({"probabilites": [None]}, "did you mean 'probabilities'?"),
        ({"status": [None]}, "FILE:1: no status"),
        ({"repeat": [-1], "response": [""]}, "number the repeats 0, 1, 2"),
        ({"repeat": [10**9], "response": [""]}, "number the repeats 0, 1, 2"),
        ({"attempt": [-1], "response": [""]}, "number the attempts 0, 1, 2"),
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


def test_numbers_of_jsonl_keep_their_digits(tmp_path: Path) -> None:
    file = tmp_path / "reports"
    row = '{"system": "m", "request_id": "r0", "status": "answered", "probabilities": %s}'
    file.write_text(
        row % '{"A": 0.10, "B": "220/317", "C": 1e-999999999, "D": null, "E": NaN, "A": true}' + "\n"
    )
    (report,) = read_reports([file])
    texts = (
        ("A", "0.10"),
        ("B", "220/317"),
        ("C", "1e-999999999"),
        ("D", "null"),
        ("E", "NaN"),
        ("A", "true"),
    )
    assert report.probabilities == texts
    assert read_probabilities(texts, IDS) == Rejected("wrong key support")


def test_csv_keeps_digits_and_reads_what_python_and_others_write(tmp_path: Path) -> None:
    file = tmp_path / "reports"
    file.write_text(
        "request_id,system,status,probabilities,logprobs,final,attempt,repeat,response\n"
        'r0,m,answered,"{""A"": 0.10, ""B"": 1e-7}",,True,2,1,\n'
        'r0,m,answered,null,"{""A"": -Infinity, ""B"": ""-inf""}",false,,,\r\n'
        'r1,m,answered,,,,,,"two\nlines, ""quoted"""\n'
        "r2,m,unavailable,,,,,,\n"
    )
    first, second, third, fourth = read_reports([file])
    assert first == Report("m", "r0", 1, probabilities=(("A", "0.10"), ("B", "1e-7")), attempt=2)
    assert second == Report("m", "r0", logprobs=(("A", "-Infinity"), ("B", "-inf")), final=False)
    assert third == Report("m", "r1", response='two\nlines, "quoted"')
    assert (fourth.status, fourth.response, fourth.row) == ("unavailable", None, 6)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (b"m,r0,answered", "FILE:2: has 3 cells where the first line names 4 columns"),
        (b"m,r0,answered,{},x", "FILE:2: has 5 cells"),
        (b"", "FILE:2: has 0 cells"),
        (b"m,r0,answered,", "none of response, probabilities, logprobs"),
        (b",r0,answered,{}", "FILE:2: no system"),
        (b'm,r0,answered,"{}" x', "FILE:2: is not CSV"),
        (b'm,r0,answered,{}\nm,r0,answered,"{', "FILE:3: is not CSV (unexpected end of data)"),
    ],
)
def test_rows_of_csv_that_are_refused(tmp_path: Path, row: bytes, message: str) -> None:
    assert message in faults(tmp_path, HEADER + row + b"\n", "reports.csv")[-1]


@pytest.mark.parametrize(
    ("column", "cell", "message"),
    [
        ("repeat", "1.0", "repeat is not a whole number"),
        ("repeat", "-1", "repeat is not a whole number"),
        ("attempt", "9" * 5000, "attempt is not a whole number"),
        ("repeat", "\u0663", "repeat is not a whole number"),
        ("final", "yes", "final is neither true nor false"),
        ("final", "1", "final is neither true nor false"),
        ("probabilities", "{'A': 0.5}", "probabilities is not JSON"),
        ("probabilities", "[0.5, 0.5]", "probabilities is not an object"),
        ("probabilities", "0.5", "probabilities is not an object"),
        ("logprobs", '{"A": -1} ?', "goes on after its JSON object"),
        ("logprobs", '{"A": [-1]}', "is an array"),
    ],
)
def test_cells_of_csv_that_are_refused(tmp_path: Path, column: str, cell: str, message: str) -> None:
    with (tmp_path / "made").open("w", newline="") as out:
        csv.writer(out).writerows(
            [["system", "request_id", "status", column], ["m", "r0", "unavailable", cell]]
        )
    (found,) = faults(tmp_path, (tmp_path / "made").read_bytes(), "reports.csv")
    assert message in found


def test_a_cell_of_csv_may_be_long_and_the_limit_of_others_stays(tmp_path: Path) -> None:
    limit = csv.field_size_limit()
    report = Report("m", "r0", response="x" * (limit + 1))
    write_reports([report], tmp_path / "long.csv")
    assert read_reports([tmp_path / "long.csv"]) == [report]
    assert csv.field_size_limit() == limit


texts = st.none() | st.text(min_size=1)
ids = st.sampled_from(["A", "B", "\u2028", "é", ""])
numbers = st.dictionaries(ids, st.text()).map(lambda found: tuple(found.items()))
contents = st.one_of(
    st.fixed_dictionaries({"response": st.text(min_size=1), "selected": texts}),
    st.fixed_dictionaries({"probabilities": numbers, "selected": texts}),
    st.fixed_dictionaries({"logprobs": numbers, "selected": texts}),
    st.fixed_dictionaries({"status": st.just("unavailable"), "response": texts}),
)
counts = st.integers(0, 10**9 - 1)
report_lists = st.lists(
    st.builds(
        lambda content, **rest: Report(**rest, **content),
        contents,
        system=st.text(min_size=1),
        request_id=st.text(min_size=1),
        repeat=counts,
        attempt=counts,
        final=st.booleans(),
        model_requested=texts,
        model_reported=texts,
        time=texts,
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.parametrize("ending", WRITERS)
@given(reports=report_lists)
def test_files_give_back_what_was_written(
    ending: str, reports: list[Report], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.getbasetemp()
    write_reports(reports, base / f"round-trip{ending}")
    (base / f"round-trip{ending}").replace(base / "unnamed")
    assert read_reports([base / "unnamed"]) == reports


def test_what_a_format_cannot_hold_is_not_written(tmp_path: Path) -> None:
    twice = Report("m", "r0", probabilities=(("A", "1"), ("A", "0")))
    for ending in (".jsonl", ".csv"):
        with pytest.raises(ReportsError, match="stands twice"):
            write_reports([twice], tmp_path / f"reports{ending}")
        assert not list(tmp_path.iterdir())
    silent = Report("m", "r0", response="")
    with pytest.raises(ReportsError, match="an empty text cannot stand in CSV"):
        write_reports([silent], tmp_path / "reports.csv")
    for report, ending in ((twice, ".parquet"), (silent, ".parquet"), (silent, ".jsonl")):
        write_reports([report], tmp_path / f"held{ending}")
        assert read_reports([tmp_path / f"held{ending}"]) == [report]


def holds_reports(file: Path, content: bytes) -> bool:
    """Whether bytes hold reports; any error but the one that lists faults is let through."""
    file.write_bytes(content)
    try:
        return bool(read_reports([file]))
    except ReportsError as error:
        return not error.faults


@given(content=st.binary(max_size=60), start=st.sampled_from([b"", b"{", HEADER, b"PAR1"]))
def test_any_bytes_are_reports_or_faults(
    content: bytes, start: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert not holds_reports(tmp_path_factory.getbasetemp() / "any.csv", start + content)


def test_a_damaged_parquet_file_is_reports_or_faults(tmp_path: Path) -> None:
    """One byte after the other turned over: some damage is to the answers alone, and cannot be seen."""
    write_reports([Report("system", "r0", probabilities=(("A", "0.5"),))], tmp_path / "whole.parquet")
    raw = (tmp_path / "whole.parquet").read_bytes()
    read = [
        holds_reports(tmp_path / "file", raw[:i] + bytes([raw[i] ^ 0xFF]) + raw[i + 1 :])
        for i in range(0, len(raw), 3)
    ]
    assert {True, False} == set(read)


def test_text_that_is_no_utf8_in_parquet_is_a_fault(tmp_path: Path) -> None:
    column = pa.array([b"\xff"]).view(pa.string())
    assert "is not a whole Parquet file" in faults(tmp_path, parquet(tmp_path, response=column))[0]


def test_a_null_says_nothing_and_neither_does_an_absent_column(tmp_path: Path) -> None:
    row = dict.fromkeys(COLUMNS) | {"system": "m", "request_id": "r0", "status": "unavailable"}
    (tmp_path / "reports").write_text(json.dumps(row))
    expected = [Report("m", "r0", status="unavailable")]
    assert read_reports([tmp_path / "reports"]) == expected
    nulls = {name: [value] for name, value in row.items()}
    pq.write_table(pa.table(nulls), tmp_path / "made")
    assert read_reports([tmp_path / "made"]) == expected


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
    assert read_reports([tmp_path / "made"]) == expected


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
            '{"system": "m", "request_id": "r0", "status": "unavailable", "final": "true"}',
            "final is neither true nor false",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "unavailable", "selected": "A"}',
            "an unavailable report names an answer",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "unavailable", "logprobs": {"A": 0}}',
            "an unavailable report names an answer",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "answered", "probabilities": {}, "logprobs": {}}',
            "has probabilities and logprobs: one could repair the other",
        ),
        (
            '{"system": "m", "request_id": "r0", "status": "unavailable", "attempt": -1}',
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
    (report,) = read_reports([tmp_path / "reports"])
    assert read_probabilities(report.probabilities or (), IDS) == Rejected("non-numeric")


def test_a_long_list_of_faults_is_cut_in_the_message_and_kept_in_the_field(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("{\n" * 60)
    with pytest.raises(ReportsError, match="and 10 more") as caught:
        read_reports([tmp_path / "reports"])
    assert len(caught.value.faults) == 60
