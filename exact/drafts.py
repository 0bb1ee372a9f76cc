"""Files that are written from beginning to end, and stand under their name only when they are whole."""

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from worldgen.exact.places import Place, Remote


class Draft:
    """A file that is being written, and hashed on the way so that nobody has to read it again.

    On this machine it is written beside its place and renamed; every run uses the same name for that, so that
    none is left behind. For elsewhere it is written to the temporary folder of this machine and copied whole.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draft = Draft(Path(folder, "a", "b.txt"))
    ...     _ = draft.write(b"all")
    ...     before = Path(folder, "a", "b.txt").exists()
    ...     draft.finish()
    ...     before, Path(folder, "a", "b.txt").read_text(), draft.size
    (False, 'all', 3)
    """

    closed = False

    def __init__(self, file: Place) -> None:
        self.file = file
        self.size = 0
        self._hash = hashlib.sha256()
        self._stream: IO[bytes]
        if isinstance(file, Remote):
            self._stream = tempfile.TemporaryFile()  # noqa: SIM115  (it is closed by whoever ends the draft)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._stream = temporary(file).open("wb")

    def write(self, data: bytes) -> int:
        """Append bytes."""
        self._stream.write(data)
        self._hash.update(data)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes there are."""
        return self.size

    def flush(self) -> None:
        """Leave it to `finish`."""

    def close(self) -> None:
        """Leave it to `finish`: who has written all of it need not know whether that was all."""

    def finish(self) -> None:
        """Put the file under its name."""
        if isinstance(self.file, Remote):
            self._stream.flush()
            self.file.put(self._stream)
            self._stream.close()
        else:
            self._stream.close()
            os.replace(temporary(self.file), self.file)

    def abandon(self) -> None:
        """Drop the file: what stood under its name still does."""
        with suppress(OSError):  # a disk that was full still is
            self._stream.close()
        if not isinstance(self.file, Remote):
            temporary(self.file).unlink(missing_ok=True)

    def hexdigest(self) -> str:
        """The SHA-256 of what was written, in hexadecimal."""
        return self._hash.hexdigest()


def temporary(file: Path) -> Path:
    """Where a file of this machine is written before it is whole."""
    return file.with_name(f".{file.name}.tmp")


def write_whole(file: Place, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    draft = Draft(file)
    try:
        draft.write(data)
        draft.finish()
    except BaseException:
        draft.abandon()
        raise
