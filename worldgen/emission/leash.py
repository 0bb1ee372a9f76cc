"""What a worker process gets when it starts: a leash, a pipe to tell of its progress, a share of the lock.

This module imports nothing that is slow to import, so that a worker is on its leash before all else.
"""

import os
import threading
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from typing import Any

from worldgen.frameless import frameless


class Lock:
    """The right to write to a folder. It ends with the last process that holds it, however that ends.

    The kernel ties a lock by `flock` to the open file, not to the process. A worker that starts with a Lock
    among its arguments shares the open file: when the process that locked is killed, the folder is free as
    soon as its workers are gone, too, and not while one of them may still rename a file.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, (DupFd(self._handle),)  # works while a process is being started, and only then


def _shared(handle: Any) -> Lock:
    return Lock(handle.detach())


_tied: list[tuple[Connection, Lock | None]] = []  # what a worker holds as long as it lives


def tie(leash: Connection, teller: Connection, lock: Lock | None) -> None:
    """Tie this process to the one that holds the other end of the leash: it ends when that end is let go."""
    frameless()
    _tied.append((teller, lock))
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()


def tell(roots: int) -> None:
    """Tell the process that this one works for that so many roots more are written.

    A number of eight bytes is one write to the pipe, which the kernel never mixes with that of another.
    """
    _tied[0][0].send_bytes(roots.to_bytes(8, "big"))


def _end_with(leash: Connection) -> None:
    try:
        leash.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
