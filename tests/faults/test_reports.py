"""Whatever a system answers or a file holds: a reason or a list of faults, never a crash, never a repair."""

import json
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.reader import (
    REASONS,
    Rejected,
    Valid,
    read_probabilities,
    read_report,
    read_response,
)
from worldgen.scoring.report_files import read_reports, write_jsonl, write_parquet
from worldgen.scoring.reports import Report, ReportsError
from worldgen.scoring.tables import Request

IDS = ("A", "B")


def chat(body: str) -> Valid | Rejected:
    return read_response(body, "choice", "chat", IDS)


def systemone(answer: str, form: str = "choice") -> Valid | Rejected:
    ids = ("true", "false") if form == "event" else IDS
    return read_response('{"model": "m", "answers": {"q": ' + answer + "}}", form, "systemone", ids)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("", "invalid JSON"),
        ("  \n", "invalid JSON"),
        ("\ufeff" + '{"A": 1, "B": 0}', "invalid JSON"),
        ("The answer is A.", "invalid JSON"),
        ('```json\n{"A": 1, "B": 0}\n```', "invalid JSON"),
        ("{'A': 1, 'B': 0}", "invalid JSON"),
        ('{"A": 1, "B": 0', "invalid JSON"),
        ('{"A": .5, "B": .5}', "invalid JSON"),
        ('{"A": 01, "B": 0}', "invalid JSON"),
        ('{"A": +1, "B": 0}', "invalid JSON"),
        ('{"A": 1, "B": 0,}', "invalid JSON"),
        ('{"A\n": 1, "B": 0}', "invalid JSON"),
        ('{"A": 0x1, "B": 0}', "invalid JSON"),
        ("[" * 100_000, "invalid JSON"),
        ('{"A":' * 65 + "0" + "}" * 65, "invalid JSON"),
        ('{"A": 1, "B": 0} I am sure.', "trailing content"),
        ('{"A": 1, "B": 0}{"A": 1, "B": 0}', "trailing content"),
        ('{"A": 1, "B": 0}\u00a0', "trailing content"),
        ('{"A": 1, "B": 0}\x00', "trailing content"),
        ("0.5 0.5", "trailing content"),
        ("null", "wrong key support"),
        ("0.84", "wrong key support"),
        ("[0.5, 0.5]", "wrong key support"),
        ('"A"', "wrong key support"),
        ("{}", "wrong key support"),
        ('{"A": 1}', "wrong key support"),
        ('{"A": 1, "B": 0, "C": 0}', "wrong key support"),
        ('{"a": 1, "b": 0}', "wrong key support"),
        ('{"A": 0.5, "B": 0.5, "A": 0.5}', "wrong key support"),
        ('{"A": 0.5, "\\u0041": 0.5}', "wrong key support"),
        ('{"A": NaN, "B": 1}', "non-numeric"),
        ('{"A": Infinity, "B": 0}', "non-numeric"),
        ('{"A": -Infinity, "B": 1}', "non-numeric"),
        ('{"A": true, "B": 0}', "non-numeric"),
        ('{"A": null, "B": 1}', "non-numeric"),
        ('{"A": "0.5", "B": 0.5}', "non-numeric"),
        ('{"A": "1/2", "B": 0.5}', "non-numeric"),
        ('{"A": [1], "B": 0}', "non-numeric"),
        ('{"A": {"p": 1}, "B": 0}', "non-numeric"),
        ('{"A": -0.1, "B": 1.1}', "out of range"),
        ('{"A": 50, "B": 50}', "out of range"),
        ('{"A": 1e400, "B": 0}', "out of range"),
        ('{"A": 1e999999999, "B": 0}', "out of range"),
        ('{"A": 1e-999999999, "B": 1}', "out of range"),
        ('{"A": -1e-300, "B": 1}', "out of range"),
        ('{"A": 0.' + "3" * 5000 + ', "B": 1}', "out of range"),
        ('{"A": ' + "9" * 1_000_000 + ', "B": 1}', "out of range"),
        ('{"A": 0, "B": 0}', "simplex sum"),
        ('{"A": 0.5, "B": 0.500001000001}', "simplex sum"),
        ('{"A": 0.5, "B": 0.4}', "simplex sum"),
    ],
)
def test_each_reason(body: str, reason: str) -> None:
    assert chat(body) == Rejected(reason)  # type: ignore[arg-type] # the cases are plain texts
    assert reason in REASONS


def test_the_first_failing_check_is_the_reason() -> None:
    bodies = ['{"A": "x", "C": 9} .', '{"A": "x", "C": 9}', '{"A": "x", "B": 9}', '{"A": 0.1, "B": 9}']
    reasons = ["trailing content", "wrong key support", "non-numeric", "out of range"]
    assert list(map(chat, bodies)) == list(map(Rejected, reasons))  # type: ignore[arg-type] # as above


@pytest.mark.parametrize(
    ("body", "p"),
    [
        ('{"A": 0.84, "B": 0.16}', "0.84"),
        (' \r\n\t{"B":0.16,"A":8.4E-1} \n', "0.84"),
        ('{"A": -0.0, "B": 1}', "0"),
        ('{"A": 1e-300, "B": 1}', "1e-300"),
        ('{"A": 0.' + "3" * 4000 + ', "B": 0.666667}', "0." + "3" * 4000),
        ('{"\\u0041": 1, "B": 0e5}', "1"),
    ],
)
def test_numbers_are_taken_as_written(body: str, p: str) -> None:
    read = chat(body)
    assert isinstance(read, Valid)
    assert read.masses[0] == Fraction(p)


def test_the_sum_bound_is_inclusive_on_both_sides() -> None:
    for b in ("0.499999", "0.500001"):
        assert chat('{"A": 0.5, "B": ' + b + "}") == Valid((Fraction(1, 2), Fraction(b)))
    for b in ("0.49999899999", "0.50000100001"):
        assert chat('{"A": 0.5, "B": ' + b + "}") == Rejected("simplex sum")


@pytest.mark.parametrize(
    ("answer", "form", "reason"),
    [
        ('{"type": "noul", "noul": 0.84}', "choice", "wrong key support"),
        ('{"type": "boolean", "noul": 0.84}', "event", "wrong key support"),
        ('{"noul": 0.84}', "event", "wrong key support"),
        ('{"type": "noul"}', "event", "wrong key support"),
        ('{"type": "noul", "noul": 0.1, "noul": 0.2}', "event", "wrong key support"),
        ('{"type": "noul", "noul": "0.84"}', "event", "non-numeric"),
        ('{"type": "noul", "noul": NaN}', "event", "non-numeric"),
        ('{"type": "noul", "noul": null}', "event", "non-numeric"),
        ('{"type": "noul", "noul": 1.7}', "event", "out of range"),
        ('{"type": "choice", "choice": "A"}', "choice", "wrong key support"),
        ('{"type": "choice", "probabilities": [0.5, 0.5]}', "choice", "wrong key support"),
        ('{"type": "score", "probabilities": {"A": 1, "B": 0}}', "choice", "wrong key support"),
        ('{"type": "choice", "probabilities": {"A": 0.9, "B": 0.9}}', "choice", "simplex sum"),
        ('{"type": "choice", "probabilities": {"A": 1, "B": 0}}, "r": {}', "choice", "wrong key support"),
    ],
)
def test_reasons_on_the_systemone_wire(answer: str, form: str, reason: str) -> None:
    assert systemone(answer, form) == Rejected(reason)  # type: ignore[arg-type] # as above


@pytest.mark.parametrize("body", ["[]", "{}", '{"answers": []}', '{"answers": {}}', '{"answers": {"q": 1}}'])
def test_a_systemone_envelope_without_the_answer(body: str) -> None:
    assert read_response(body, "event", "systemone", ("true", "false")) == Rejected("wrong key support")


def test_fields_beside_the_answer_are_ignored() -> None:
    answer = (
        '{"type": "choice", "choice": "zzz", "confidence": NaN, "legend": {"a": 1, "a": 2}, '
        '"probabilities": {"B": 0.25, "A": 0.75}}'
    )
    assert systemone(answer) == Valid((Fraction(3, 4), Fraction(1, 4)))


@pytest.mark.parametrize(
    ("form", "ids", "answer", "masses"),
    [
        ("event", ("true", "false"), '{"type": "noul", "noul": 0.84}', ("0.84", "0.16")),
        ("event", ("false", "true"), '{"type": "noul", "noul": 0.84}', ("0.16", "0.84")),
        (
            "score",
            ("0", "1"),
            '{"type": "score", "score": 0.3, "probabilities": {"0": 0.7, "1": 0.3}}',
            ("0.7", "0.3"),
        ),
    ],
)
def test_answers_of_the_systemone_wire(
    form: str, ids: tuple[str, ...], answer: str, masses: tuple[str, ...]
) -> None:
    body = '{"answers": {"q": ' + answer + "}}"
    assert read_response(body, form, "systemone", ids) == Valid(tuple(map(Fraction, masses)))


@pytest.mark.parametrize(
    ("written", "verdict"),
    [
        ((("B", "97/317"), ("A", "220/317")), Valid((Fraction(220, 317), Fraction(97, 317)))),
        ((("A", "1"),), Rejected("wrong key support")),
        ((("A", "1"), ("B", "0"), ("B", "0")), Rejected("wrong key support")),
        ((("A", "1/0"), ("B", "0")), Rejected("non-numeric")),
        ((("A", "NaN"), ("B", "0")), Rejected("non-numeric")),
        ((("A", ""), ("B", "0")), Rejected("non-numeric")),
        ((("A", "4/3"), ("B", "0")), Rejected("out of range")),
        ((("A", "1e-99999"), ("B", "1")), Rejected("out of range")),
        ((("A", "1/3"), ("B", "1/3")), Rejected("simplex sum")),
    ],
)
def test_probabilities_obey_the_same_rules(
    written: tuple[tuple[str, str], ...], verdict: Valid | Rejected
) -> None:
    assert read_probabilities(written, IDS) == verdict


@pytest.mark.parametrize(
    "body",
    [
        '{"A": 1e-999999999, "B": 1e999999999}',
        "[" * 1_000_000,
        '{"x": "' + '\\"' * 500_000,
        '{"x": [' + "[], " * 70 + '"' + '\\"' * 500_000,
        '{"A": ' + "[" * 60 + "]" * 60 + ', "x": "' + "[" * 1_000_000 + '"}',
        '{"A": 0.' + "1" * 2_000_000 + "}",
        "{" + ", ".join(f'"k{i}": 1e-999' for i in range(20_000)) + "}",
    ],
)
def test_no_answer_hangs_the_reader(body: str) -> None:
    start = time.process_time()
    assert isinstance(chat(body), Rejected)
    assert time.process_time() - start < 2


@given(st.text())
def test_any_text_gets_a_verdict(body: str) -> None:
    assert isinstance(chat(body), Valid | Rejected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["A", "B", "noul", "0.5"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["A", "B", "answers", "q", "type", "noul", "probabilities"]), inner)
    ),
    max_leaves=8,
)


@given(json_values, st.sampled_from(["event", "choice", "score"]), st.sampled_from(["chat", "systemone"]))
def test_any_json_gets_a_verdict(value: object, form: str, wire: str) -> None:
    ids = ("true", "false") if form == "event" else IDS
    assert isinstance(read_response(json.dumps(value), form, wire, ids), Valid | Rejected)


@given(st.integers(1, 10**6 - 1), st.integers(-1, 1))
def test_valid_masses_are_the_written_decimals(first: int, excess: int) -> None:
    millionths = (first, 10**6 - first + excess)
    a, b = (f"{m // 10**6}.{m % 10**6:06d}" for m in millionths)
    assert chat(f'{{"A": {a}, "B": {b}}}') == Valid(tuple(Fraction(m, 10**6) for m in millionths))


# Files.


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
