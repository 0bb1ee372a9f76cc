"""Files of text as people hand them over: read whole, or refused with the reason."""

from dataclasses import dataclass
from pathlib import Path

from worldgen.faults import Fault, SpecError
from worldgen.spec.nodes import line_and_column

LARGEST = 4 * 2**20


@dataclass(frozen=True)
class Source:
    """The text of a spec, the name that faults call it by, and the folder its paths start from."""

    text: str
    file: str = "<text>"
    folder: Path | None = None


def read_source(path: Path) -> Source:
    """The text of a file. Raises SpecError for a file that is missing, a folder, too large or not text."""
    file = str(path)

    def refused(message: str, remedy: str, line: int = 1, column: int = 1) -> SpecError:
        return SpecError([Fault((), message, remedy, file, line, column)])

    try:
        if path.is_dir():
            raise refused("this is a folder", "name a file in it")
        if path.stat().st_size > LARGEST:
            raise refused(f"the file is larger than {LARGEST // 2**20} MiB", "generate less, or split it")
        data = path.read_bytes()
    except FileNotFoundError:
        raise refused("there is no such file", "check the path") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise refused(f"the file cannot be read: {reason}", "check the path and its permissions") from None
    if b"\0" in data:
        raise refused("this is a binary file", "name a text file in UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig")
        line, column = line_and_column(before, len(before))
        message = f"byte {data[error.start]:#04x} is not UTF-8"
        raise refused(message, "save the file as UTF-8", line, column) from None
    return Source(text, file, path.parent)
