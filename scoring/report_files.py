"""Files of reports: JSONL and Parquet, read strictly and written.

Both hold the columns of `scoring.reports.Report`: system, request_id and status always; repeat,
response and probabilities where there is something to say. In JSONL, one object a line, probabilities
are an object {answer id: number}, the number kept as it is written, or a text such as "220/317". In
Parquet they are list<struct<id: string, value: string>>: Parquet's own numbers are binary floats, 0.1 is
none of them, and so a float column is refused.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL
from worldgen.scoring.jsontext import Digits, Object, decode
from worldgen.scoring.reports import (
    COLUMNS,
    REQUIRED,
    Fault,
    Report,
    ReportsError,
    Status,
    Written,
    content_faults,
)
from worldgen.scoring.tables import Request

SCHEMA = pa.schema(
    [
        pa.field("system", pa.string(), nullable=False),
        pa.field("request_id", pa.string(), nullable=False),
        pa.field("repeat", pa.int32(), nullable=False),
        pa.field("status", pa.string(), nullable=False),
        pa.field("response", pa.string()),
        pa.field("probabilities", pa.list_(pa.struct([("id", pa.string()), ("value", pa.string())]))),
    ]
)

_MAGIC = b"PAR1"
_COUNT = re.compile(r"\d{1,9}", re.ASCII)
_AS_TEXT = 'write numbers as text, "0.84" or "220/317": a binary float is not the number that was reported'


class _RowError(Exception):
    """A row that is no report: message and remedy."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy


def read_reports(files: Iterable[Path], requests: Mapping[str, Request]) -> list[Report]:
    """The reports of all files, in order, fit to be scored against `requests`.

    What a file is, its first bytes decide. Raises ReportsError listing every fault of every file: not
    readable, neither format, wrong or unknown columns, bad rows, keys that repeat (across files too),
    unknown requests, answers to requests that are not eligible.
    """
    reports: list[Report] = []
    faults: list[Fault] = []
    for file in files:
        try:
            raw = file.read_bytes()
        except OSError as error:
            faults.append(Fault(str(file), f"cannot be read: {error.strerror}"))
            continue
        reader = _read_parquet if raw.startswith(_MAGIC) else _read_jsonl
        found, wrong = reader(raw, str(file))
        reports += found
        faults += wrong
    faults += content_faults(reports, requests)
    if faults:
        raise ReportsError(faults)
    return reports


def _read_jsonl(raw: bytes, source: str) -> tuple[list[Report], list[Fault]]:
    if not raw.lstrip(b" \t\r\n").startswith(b"{"):
        remedy = "one JSON object a line in UTF-8 without a byte order mark, or a Parquet file"
        what = "holds no reports" if not raw.strip() else "is neither JSONL nor Parquet"
        return [], [Fault(source, what, remedy)]
    reports, faults = [], []
    for number, line in enumerate(raw.splitlines(), 1):
        try:
            reports.append(_report(_row(line), source, number))
        except _RowError as bad:
            faults.append(Fault(f"{source}:{number}", bad.message, bad.remedy))
    return reports, faults


def _row(line: bytes) -> dict[str, object]:
    try:
        value, rest = decode(line.decode())
    except ValueError as error:
        raise _RowError(f"is not a line of JSON ({error})") from error
    if rest or not isinstance(value, Object):
        raise _RowError("is not one JSON object", "write one report a line")
    row = value.as_dict()
    if row is None:
        raise _RowError("a column stands twice")
    if isinstance(row.get("probabilities"), Object):
        pairs = cast(Object, row["probabilities"]).pairs
        row["probabilities"] = [{"id": answer, "value": _number_text(answer, v)} for answer, v in pairs]
    elif row.get("probabilities") is not None:
        raise _RowError("probabilities is not an object", 'write {"answer id": number, ...} or null')
    return row


def _number_text(answer: str, value: object) -> str:
    """The text of a reported value. What is no number keeps a text that the strict reader rejects: a
    system may report null or NaN, and that is its answer, not a fault of the file.
    """
    if isinstance(value, Digits):
        return value.text
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    raise _RowError(f"the probability of {answer!r} is an array or an object", "write a number")


def _read_parquet(raw: bytes, source: str) -> tuple[list[Report], list[Fault]]:
    try:
        table = pq.read_table(pa.BufferReader(raw))
    except (pa.ArrowException, OSError) as error:
        first = str(error).partition("\n")[0]
        return [], [Fault(source, f"is not a whole Parquet file ({first})", "write it again")]
    faults = [fault for field in table.schema for fault in _column_faults(field, source)]
    faults += [
        Fault(source, f"there is no column {name!r}") for name in REQUIRED if name not in table.column_names
    ]
    if faults:
        return [], faults
    reports = []
    for number, row in enumerate(table.to_pylist(), 1):
        try:
            reports.append(_report(row, source, number))
        except _RowError as bad:
            faults.append(Fault(f"{source}:{number}", bad.message, bad.remedy))
    return reports, faults


def _column_faults(field: Any, source: str) -> Iterable[Fault]:
    if field.name not in COLUMNS:
        yield Fault(source, *_unknown(field.name))
    elif _holds_floats(field.type):
        yield Fault(source, f"column {field.name!r} holds binary floats ({field.type})", _AS_TEXT)
    elif field.name == "repeat":
        if not pa.types.is_integer(field.type):
            yield Fault(source, f"column 'repeat' holds {field.type}", "make it whole numbers")
    elif field.name == "probabilities":
        if not _is_written(field.type):
            remedy = "make it list<struct<id: string, value: string>>"
            yield Fault(source, f"column 'probabilities' holds {field.type}", remedy)
    elif not _is_text(field.type):
        yield Fault(source, f"column {field.name!r} holds {field.type}", "make it text")


def _unknown(name: str) -> tuple[str, str]:
    near = get_close_matches(name, COLUMNS, 1)
    return (
        f"unknown column {name!r}",
        f"did you mean {near[0]!r}?" if near else f"known: {', '.join(COLUMNS)}",
    )


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    views = pa.types.is_string_view(kind)
    return bool(views or pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind))


def _is_written(kind: Any) -> bool:
    if pa.types.is_null(kind):
        return True
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)) or not pa.types.is_struct(
        kind.value_type
    ):
        return False
    fields = {field.name: field.type for field in kind.value_type}
    return fields.keys() == {"id", "value"} and all(map(_is_text, fields.values()))


def _holds_floats(kind: Any) -> bool:
    inside = any(_holds_floats(kind.field(i).type) for i in range(kind.num_fields))
    return inside or bool(pa.types.is_floating(kind))


def _report(row: Mapping[str, object], source: str, number: int) -> Report:
    """A report from its columns; raises _RowError."""
    for name in row:
        if name not in COLUMNS:
            raise _RowError(*_unknown(name))
    missing = [name for name in REQUIRED if row.get(name) is None]
    if missing:
        raise _RowError(f"no {', '.join(missing)}")
    return Report(
        cast(str, _text(row, "system")),
        cast(str, _text(row, "request_id")),
        _repeat(row.get("repeat", 0)),
        cast(Status, _text(row, "status")),
        _text(row, "response"),
        _written(cast(Sequence[Mapping[str, object]] | None, row.get("probabilities"))),
        source,
        number,
    )


def _text(row: Mapping[str, object], name: str) -> str | None:
    value = row.get(name)
    if value is None:
        return None
    if not isinstance(value, str):
        raise _RowError(f"{name} is not a text", "quote it; a response stays the text that was received")
    if not _encodable(value):
        raise _RowError(f"{name} holds half of a surrogate pair", "write whole characters")
    return value


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _repeat(value: object) -> int:
    if isinstance(value, Digits) and _COUNT.fullmatch(value.text):
        return int(value.text)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise _RowError("repeat is not a whole number from 0 to 999999999", "number the repeats 0, 1, 2, ...")


def _written(items: Sequence[Mapping[str, object]] | None) -> Written | None:
    if items is None:
        return None
    pairs = []
    for item in items:
        answer, value = (item or {}).get("id"), (item or {}).get("value")
        if not isinstance(answer, str):
            raise _RowError("a probability has no answer id")
        text = value if isinstance(value, str) else "null"
        if not _encodable(answer + text):
            raise _RowError("probabilities hold half of a surrogate pair", "write whole characters")
        pairs.append((answer, text))
    return tuple(pairs)


def write_jsonl(reports: Iterable[Report], file: Path) -> None:
    """Reports as JSONL, numbers as texts, so that ratios stand beside decimals. `read_reports` returns
    equal reports. Raises ReportsError where answer ids repeat in one report: JSON objects have no such.
    """
    with file.open("w", encoding="utf-8", newline="\n") as out:
        for report in reports:
            row = {name: getattr(report, name) for name in COLUMNS}
            if report.probabilities is not None:
                row["probabilities"] = dict(report.probabilities)
                if len(row["probabilities"]) != len(report.probabilities):
                    raise ReportsError([Fault(report.place, "an answer id stands twice", "write Parquet")])
            out.write(json.dumps(row) + "\n")


def write_parquet(reports: Sequence[Report], file: Path) -> None:
    """Reports as one Parquet file. `read_reports` returns equal reports."""
    columns: dict[str, list[object]] = {name: [getattr(r, name) for r in reports] for name in COLUMNS[:-1]}
    columns["probabilities"] = [
        None if r.probabilities is None else [{"id": i, "value": v} for i, v in r.probabilities]
        for r in reports
    ]
    table = pa.table(columns, schema=SCHEMA)
    pq.write_table(table, file, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL)
