"""One at a time in a folder: emissions, or whatever else rewrites one."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from worldgen.cohort.manifests import CohortError
from worldgen.emission.claims import claimed
from worldgen.emission.leash import Lock
from worldgen.exact.drafts import refused
from worldgen.exact.places import Place, Remote

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # the one use asks first


@dataclass(frozen=True)
class Hold:
    """The hold of this emission on its folder: the lock, where there is one, for its workers to share; and
    what raises CohortError if another emission came in between, where there is none.
    """

    lock: Lock | None
    check: Callable[[], None]


@contextmanager
def alone(folder: Place, work: str = "emission") -> Iterator[Hold]:
    """Keep other work of the same kind out of a folder; a folder of this machine is made if it is not there.

    Raises CohortError while another is at work there.
    """
    if isinstance(folder, Remote):
        with claimed(folder) as claim:
            yield Hold(None, claim.check)
        return
    with refused(folder):
        folder.mkdir(parents=True, exist_ok=True)
    if fcntl is None:
        yield Hold(None, lambda: None)
        return
    with refused(folder):
        handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CohortError(
                f"another {work} is writing to {folder}", remedy="wait for it, or choose another folder"
            ) from None
        yield Hold(Lock(handle), lambda: None)
    finally:
        os.close(handle)
