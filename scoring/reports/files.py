"""Files of reports: Parquet, JSONL and CSV, all with the columns of `scoring.reports.report.Report`.

What a file is, its first bytes decide, and its name only where they leave it open. A file is read whole
or not at all: whatever is wrong with any row of it is listed, and nothing is repaired.
"""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path

from worldgen.scoring.reports.parquet import read_parquet, write_parquet
from worldgen.scoring.reports.report import COLUMNS, Fault, Report, ReportsError
from worldgen.scoring.reports.texts import header_of, read_csv, read_jsonl, write_csv, write_jsonl

Read = Callable[[bytes, str], tuple[list[Report], list[Fault]]]

WRITERS: dict[str, Callable[[Sequence[Report], Path], None]] = {
    ".jsonl": write_jsonl,
    ".parquet": write_parquet,
    ".csv": write_csv,
}
"""The endings under which reports are written, with what writes them."""

_SPACE = b" \t\r\n"
_KNOWN = frozenset(COLUMNS)


def read_reports(files: Iterable[str | PathLike[str]]) -> list[Report]:
    """The reports of all files, in order.

    Raises ReportsError listing every fault of every file: not readable, none of the formats, wrong or
    unknown columns, malformed rows, reports that are wrong by themselves (`reports.form_faults`).
    """
    reports: list[Report] = []
    faults: list[Fault] = []
    for file in files:
        found, wrong = _read(Path(file))
        reports += found
        faults += wrong
    if faults:
        raise ReportsError(faults)
    return reports


def write_reports(reports: Iterable[Report], file: Path) -> None:
    """Write reports to a .jsonl, .parquet or .csv file. Raises ReportsError for another ending, and for
    what the format cannot hold.
    """
    write = WRITERS.get(file.suffix)
    if write is None:
        remedy = "give the file one of these endings"
        raise ReportsError([Fault(str(file), f"reports are written as {', '.join(WRITERS)}", remedy)])
    write(list(reports), file)


def _read(file: Path) -> tuple[list[Report], list[Fault]]:
    source = str(file)
    try:
        raw = file.read_bytes()
    except OSError as error:
        return [], [Fault(source, f"cannot be read: {error.strerror}")]
    if not raw.strip(_SPACE):
        return [], [_empty(source)]
    read = _format(raw, file.suffix)
    if read is None:
        what = "is neither Parquet, JSONL nor CSV"
        remedy = "JSONL has one JSON object a line; the first line of CSV names its columns; both in UTF-8"
        if raw.startswith(b"\xef\xbb\xbf"):
            what, remedy = "begins with a byte order mark", "save it as UTF-8 without one"
        return [], [Fault(source, what, remedy)]
    reports, faults = read(raw, source)
    return reports, faults or ([] if reports else [_empty(source)])


def _empty(source: str) -> Fault:
    return Fault(source, "holds no reports", "write one row for every report")


def _format(raw: bytes, ending: str) -> Read | None:
    """What reads a file: by its magic number, by the brace that opens JSONL, by a known name among the
    columns in its first line, or by being called .csv; None for anything else.
    """
    if raw.startswith(b"PAR1"):
        return read_parquet
    if raw.lstrip(_SPACE).startswith(b"{"):
        return read_jsonl
    if raw.startswith(b"\xef\xbb\xbf"):
        return None
    return read_csv if ending.lower() == ".csv" or not _KNOWN.isdisjoint(header_of(raw)) else None
