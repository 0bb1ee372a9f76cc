"""Files of records: JSON lines, one finished run a line."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from worldgen.collecting.filed import Filed, tree_of
from worldgen.collecting.unfiled import TreeError, filed_of, tree_in
from worldgen.exact.errors import WorldgenError
from worldgen.scoring.reports.report import Fault


class RecordsError(WorldgenError):
    """Files of records that cannot be used; `faults` lists what is wrong, in file order."""

    SHOWN = 50

    def __init__(self, message: str, faults: Iterable[Fault] = (), *, remedy: str = "") -> None:
        self.faults = tuple(faults)
        lines = [str(fault) for fault in self.faults[: self.SHOWN]]
        if len(self.faults) > self.SHOWN:
            lines.append(f"and {len(self.faults) - self.SHOWN} more")
        super().__init__("\n  ".join([message, *lines]), remedy=remedy)


@dataclass(frozen=True)
class Records:
    """What files of records hold: the runs that stand, and what is wrong with each line that does not.

    Nothing is repaired. A line that is refused is counted by whoever uses the others.
    """

    runs: tuple[Filed, ...]
    faults: tuple[Fault, ...]


def read_records(files: Iterable[str | PathLike[str]]) -> Records:
    """The records of all files, in order. A line that is no record is a fault with its place and remedy.

    Raises RecordsError for a file that cannot be read, and where no line of any of them is a record.
    """
    runs: list[Filed] = []
    faults: list[Fault] = []
    paths = [Path(file) for file in files]
    for path in paths:
        try:
            raw = path.read_bytes()
        except OSError as error:
            raise RecordsError(f"{path}: cannot be read: {error.strerror}") from error
        for number, line in enumerate(raw.splitlines(), 1):
            try:
                runs.append(filed_of(tree_in(line)))
            except TreeError as error:
                faults.append(Fault(f"{path}:{number}", error.message, error.remedy))
    if not runs:
        names = ", ".join(map(str, paths)) or "no file"
        raise RecordsError(f"{names}: there is no record", faults, remedy="write one finished run a line")
    return Records(tuple(runs), tuple(faults))


def line_of(filed: Filed) -> str:
    """A filed run as one line of a file, in ASCII and with the end of the line."""
    return json.dumps(tree_of(filed)) + "\n"


def write_records(runs: Iterable[Filed], file: str | PathLike[str]) -> None:
    """Write records to a file, one a line; `read_records` returns equal ones.

    Raises RecordsError where the file cannot be written.
    """
    try:
        Path(file).write_text("".join(map(line_of, runs)), encoding="utf-8", newline="\n")
    except OSError as error:
        raise RecordsError(f"{file}: cannot be written: {error.strerror}") from error
