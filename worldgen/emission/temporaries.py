"""Files that appear under their names when they are whole, and what the file system refuses to write."""

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from worldgen.cohort.manifests import CohortError

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}
_TEMPORARY = re.compile(r"[.](.+)[.][0-9a-f]{32}[.]tmp")
AGAIN = "the same command keeps what is finished and goes on from there"


def temporary(path: Path) -> Path:
    """Where a file is written before it is whole: a new name each time.

    A worker that was given up may be at work still while another does the same; each renames a file of its
    own, and the two files are equal.
    """
    return path.with_name(f".{path.name}.{uuid4().hex}.tmp")


def lasting(path: Path) -> Path:
    """The path under which a file stands when it is whole; any other path as it is.

    >>> lasting(temporary(Path("cohort/public/README.md"))).as_posix()
    'cohort/public/README.md'
    """
    found = _TEMPORARY.fullmatch(path.name)
    return path.with_name(found[1]) if found else path


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
        raise CohortError(f"{lasting(path)} cannot be written: {said}", remedy=_remedy(error)) from error


def _remedy(error: OSError) -> str:
    if error.errno in FULL:
        return f"make room; {AGAIN}"
    if error.errno in FORBIDDEN:
        return "choose a folder that you may write to"
    return f"see to it that it can be written; {AGAIN}"
