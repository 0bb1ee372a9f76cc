"""The right to write to a folder: one emission has it, and its workers with it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import Any

from worldgen.cohort.manifests import CohortError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # the one use asks first


class Lock:
    """The right to write to a folder. It ends with the last process that holds it, however that ends.

    The kernel ties a lock by `flock` to the open file, not to the process. A worker that starts with a Lock
    among its arguments shares the open file: when this process is killed, the folder is free as soon as its
    workers are gone, too, and not while one of them may still rename a file. No lock outlives them.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (DupFd(self._handle),)  # works while a process is being started, and only then


def _shared(handle: Any) -> Lock:
    return Lock(handle.detach())


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
