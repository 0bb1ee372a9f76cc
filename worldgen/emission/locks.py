"""The right to write to a folder: one emission has it, and its workers with it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from worldgen.cohort.manifests import CohortError
from worldgen.emission.leash import Lock

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # the one use asks first


@contextmanager
def alone(folder: Path) -> Iterator[Lock | None]:
    """Keep other emissions out of a folder, which is made if it is not there.

    None where the system has no such locks. Raises CohortError while another emission is at work there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield None
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CohortError(
                f"another emission is writing to {folder}", remedy="wait for it, or choose another folder"
            ) from None
        yield Lock(handle)
    finally:
        os.close(handle)
