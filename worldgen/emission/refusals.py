"""What the file system refuses, told with the file and a way on."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worldgen.cohort.manifests import CohortError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
AGAIN = "the same command keeps what is finished and goes on from there"


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise CohortError for what the system refuses while a file is written, whoever noticed it.

    >>> with writing(Path("cohort/public/README.md")):
    ...     raise OSError(errno.ENOSPC, "No space left on device")
    Traceback (most recent call last):
    worldgen.cohort.manifests.CohortError: cohort/public/README.md cannot be written: No space left on device
      try: make room; the same command keeps what is finished and goes on from there
    """
    try:
        yield
    except OSError as error:
        said = os.strerror(error.errno) if error.errno else str(error)
        raise CohortError(f"{_named(path)} cannot be written: {said}", remedy=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    if error.errno in FULL:
        return f"make room; {AGAIN}"
    if error.errno in FORBIDDEN:
        return "choose a folder that you may write to"
    return f"see to it that it can be written; {AGAIN}"


def _named(path: Path) -> Path:
    """The file that a temporary one was to become."""
    if path.suffix != ".tmp":
        return path
    return path.with_name(path.name.removeprefix(".").rsplit(".", 2)[0])
