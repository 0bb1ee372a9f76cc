"""Reports as text: JSONL and CSV, read strictly and written.

JSONL holds one object a line. CSV holds the columns named in its first line, as RFC 4180 writes them:
commas, quotes doubled inside quotes; an empty cell is null, and numbers by answer id are the text of a
JSON object. In both, a number by answer id is kept as it is written, or is a text such as "220/317".
"""

import csv
import io
import json
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from worldgen.scoring.reports.jsontext import Digits, Repeating, decode
from worldgen.scoring.reports.report import COLUMNS, Fault, Report, ReportsError, Written
from worldgen.scoring.reports.rows import COUNTS, FLAGS, NUMBERS, RowError, collect, header_faults

_TRUTH = {"true": True, "false": False, "True": True, "False": False}  # the latter as Python writes them
_UNSAID = {"repeat": 0, "attempt": 0, "final": True}  # what a column means where it says nothing


def read_jsonl(raw: bytes, source: str) -> tuple[list[Report], list[Fault]]:
    """The reports of a JSONL file, and what is wrong with its lines."""
    return collect(enumerate(raw.splitlines(), 1), _object, source)


def _object(line: bytes) -> dict[str, object]:
    try:
        value, rest = decode(line.decode())
    except ValueError as error:
        raise RowError(f"is not a line of JSON ({error})") from error
    if isinstance(value, Repeating) and not rest:
        raise RowError("a column stands twice")
    if rest or not isinstance(value, dict):
        raise RowError("is not one JSON object", "write one report a line")
    return value


def write_jsonl(reports: Iterable[Report], file: Path) -> None:
    """Reports as JSONL, numbers as texts, so that ratios stand beside decimals; what says nothing is left
    out. `read_reports` returns equal reports. Raises ReportsError, and writes nothing, where answer ids
    repeat in one report.
    """
    lines = []
    for report in reports:
        row = {name: getattr(report, name) for name in COLUMNS}
        row |= {name: _by_id(report, row[name]) for name in NUMBERS if row[name] is not None}
        said = {name: value for name, value in row.items() if value != _UNSAID.get(name)}
        lines.append(json.dumps(said) + "\n")
    file.write_text("".join(lines), encoding="utf-8", newline="\n")


def _by_id(report: Report, written: Written) -> dict[str, str]:
    found = dict(written)
    if len(found) != len(written):
        raise ReportsError([Fault(report.place, "an answer id stands twice", "write Parquet")])
    return found


def header_of(raw: bytes) -> list[str]:
    r"""The cells of the first line of a file, were it CSV; none where it is not.

    >>> header_of(b"system,request_id\r\nm,r0\r\n")
    ['system', 'request_id']
    """
    try:
        return next(csv.reader([raw.partition(b"\n")[0].decode()], strict=True), [])
    except (UnicodeDecodeError, csv.Error):
        return []


def read_csv(raw: bytes, source: str) -> tuple[list[Report], list[Fault]]:
    """The reports of a CSV file, and what is wrong with it. A row has the number of the line in which it
    begins.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return [], [Fault(f"{source}:{line}", f"is not UTF-8 ({error.reason})", "save the file as UTF-8")]
    rows, broken = _rows(text, source)
    if not rows:
        return [], broken
    names = rows.pop(0)[1]
    faults = header_faults(names, source)
    if len(names) == 1 and faults:
        faults = [Fault(source, f"its one column is {names[0]!r}", "separate the columns by commas")]
    if faults:
        return [], faults
    reports, faults = collect(rows, partial(_named, names), source)
    return reports, faults + broken


def _rows(text: str, source: str) -> tuple[list[tuple[int, list[str]]], list[Fault]]:
    """The rows of a text with the lines in which they begin, and the fault that ended the reading."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    found: list[tuple[int, list[str]]] = []
    start = 1
    limit = csv.field_size_limit(len(text))  # a response may be long; the limit is one for all readers
    try:
        for cells in reader:
            found.append((start, cells))
            start = reader.line_num + 1
    except csv.Error as error:
        remedy = 'put a cell that holds quotes, commas or line ends in quotes, and double its quotes: ""'
        return found, [Fault(f"{source}:{start}", f"is not CSV ({error})", remedy)]
    finally:
        csv.field_size_limit(limit)
    return found, []


def _named(names: list[str], cells: list[str]) -> dict[str, object]:
    if len(cells) != len(names):
        message = f"has {len(cells)} cells where the first line names {len(names)} columns"
        raise RowError(message, "write one row a report, and an empty cell for null")
    return {name: _value(name, cell) for name, cell in zip(names, cells, strict=True) if cell}


def _value(name: str, cell: str) -> object:
    if name in COUNTS:
        return Digits(cell)
    if name in FLAGS:
        return _TRUTH.get(cell, cell)
    if name in NUMBERS:
        try:
            value, rest = decode(cell)
        except ValueError as error:
            raise RowError(f"{name} is not JSON ({error})", 'write {"answer id": number, ...}') from error
        if rest:
            raise RowError(f"{name} goes on after its JSON object", 'write {"answer id": number, ...}')
        return value
    return cell


def write_csv(reports: Iterable[Report], file: Path) -> None:
    """Reports as CSV, every column. `read_reports` returns equal reports. Raises ReportsError, and writes
    nothing, where answer ids repeat in one report, or a text is empty, which CSV cannot tell from null.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for report in reports:
        row = {name: getattr(report, name) for name in COLUMNS}
        if "" in row.values():
            fault = Fault(report.place, "an empty text cannot stand in CSV", "write JSONL or Parquet")
            raise ReportsError([fault])
        row |= {name: json.dumps(_by_id(report, row[name])) for name in NUMBERS if row[name] is not None}
        row["final"] = json.dumps(row["final"])
        writer.writerow(row.values())
    file.write_text(out.getvalue(), encoding="utf-8", newline="")
