"""Files that are written from beginning to end, and stand under their name only when they are whole."""

import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import IO, TypeVar
from uuid import uuid4

from worldgen.exact.places import Place, PlaceError, Remote

AGAIN = "the same command keeps what is finished and goes on from there"
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_UNHEARD_OF = {errno.EINVAL, errno.ENOTSUP}  # by file systems that cannot do it for a folder
_TOGETHER = 16  # files
_TEMPORARY = re.compile(r"[.](.+?)([.][0-9a-f]{32})?[.]tmp")


T = TypeVar("T")


class Counted:
    """A file to write to of which nothing is left but its size and its SHA-256.

    >>> counted = Counted()
    >>> counted.write(b"all"), counted.tell(), counted.hexdigest()[:8]
    (3, 3, '5ef5ef03')
    """

    closed = False

    def __init__(self) -> None:
        self.size = 0
        self._hash = hashlib.sha256()

    def write(self, data: bytes) -> int:
        """Append bytes."""
        self._hash.update(data)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        """How many bytes there are."""
        return self.size

    def flush(self) -> None:
        """There is nothing that could wait."""

    def close(self) -> None:
        """Change nothing: who has written all of it need not know whether that was all."""

    def hexdigest(self) -> str:
        """The SHA-256 of what was written, in hexadecimal."""
        return self._hash.hexdigest()


class Draft(Counted):
    """A file that is being written, and hashed on the way so that nobody has to read it again.

    On this machine it is written beside its place and renamed. For elsewhere it is written to the temporary
    folder of this machine and copied whole. Raises PlaceError for what the file system refuses.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draft = Draft(Path(folder, "a", "b.txt"))
    ...     _ = draft.write(b"all")
    ...     before = Path(folder, "a", "b.txt").exists()
    ...     draft.finish()
    ...     before, Path(folder, "a", "b.txt").read_text(), draft.size
    (False, 'all', 3)
    """

    def __init__(self, file: Place) -> None:
        super().__init__()
        self.file = file
        self._abandoned = False
        self._stream: IO[bytes]
        with refused(file):
            if isinstance(file, Remote):
                self._stream = tempfile.TemporaryFile()  # noqa: SIM115  (closed by whoever ends the draft)
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                self._beside = temporary(file)
                self._stream = self._beside.open("wb")

    def write(self, data: bytes) -> int:
        """Append bytes. What was abandoned takes them and keeps nothing: a buffer is written when it goes."""
        if not self._abandoned:
            with refused(self.file):
                self._stream.write(data)
        return super().write(data)

    def finish(self) -> None:
        """Put the file under its name. On this machine its bytes are on the disk before; its name is when its
        folder settles.
        """
        with refused(self.file):
            if isinstance(self.file, Remote):
                self._stream.flush()
                self.file.put(self._stream)
                self._stream.close()
            else:
                self._stream.flush()
                os.fsync(self._stream.fileno())
                self._stream.close()
                os.replace(self._beside, self.file)

    def abandon(self) -> None:
        """Drop the file: what stood under its name still does."""
        self._abandoned = True
        with suppress(OSError):  # a disk that was full still is
            self._stream.close()
        if not isinstance(self.file, Remote):
            self._beside.unlink(missing_ok=True)


def settle(folder: Place, *, below: bool = False) -> None:
    """Let names last in a folder, and in all `below` it: after a power cut, too, what was put there is there
    and what was removed is not. A store of objects sees to that itself; no folder has nothing to settle.
    """
    if isinstance(folder, Remote) or not hasattr(os, "O_DIRECTORY"):  # Windows opens no folders
        return
    found = (Path(path) for path, _, _ in os.walk(folder))  # the folder first
    together(_settle, found if below else islice(found, 1))


def _settle(folder: Path) -> None:
    with refused(folder):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in _UNHEARD_OF:
                raise
        finally:
            os.close(handle)


def together(wait: Callable[[T], object], things: Iterable[T]) -> None:
    """Do something that waits for a disk or a store to each of several things, at the same time: a disk makes
    what several wait for last in one go, which takes it little longer than for one.
    """
    with ThreadPoolExecutor(_TOGETHER) as pool:
        list(pool.map(wait, things))


def temporary(file: Path) -> Path:
    """Where a file of this machine is written before it is whole: a new name each time.

    A worker that was given up may be at work still while another does the same; each renames a file of its
    own, and the two files are equal.
    """
    return file.with_name(f".{file.name}.{uuid4().hex}.tmp")


def lasting(name: str) -> str:
    """The name that a file will have when it is whole; that of any other file as it is.

    >>> lasting(temporary(Path("README.md")).name), lasting(".README.md.tmp"), lasting("notes.tmp")
    ('README.md', 'README.md', 'notes.tmp')
    """
    found = _TEMPORARY.fullmatch(name)
    return found[1] if found else name


@contextmanager
def refused(file: Place) -> Iterator[None]:
    """Let what the system of this machine refuses be a PlaceError that names the file and a way on.

    >>> with refused(Path("cohort/public/README.md")):
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    worldgen.exact.places.PlaceError: cohort/public/README.md cannot be written: No space left on device
      try: make room; the same command keeps what is finished and goes on from there
    """
    try:
        yield
    except OSError as error:
        said = f"{file} cannot be written: {error.strerror or error}"
        raise PlaceError(said, remedy=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    if error.errno in _FULL:
        return f"make room; {AGAIN}"
    if error.errno in _FORBIDDEN:
        return "choose a folder that you may write to"
    return f"see to it that it can be written; {AGAIN}"


def write_whole(file: Place, data: bytes) -> None:
    """Write a file so that its name never stands for a part of it."""
    draft = Draft(file)
    try:
        draft.write(data)
        draft.finish()
    except BaseException:
        draft.abandon()
        raise
