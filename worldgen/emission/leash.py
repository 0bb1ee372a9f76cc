"""What a worker process gets when it starts: a leash, a pipe to tell of its progress, a share of the lock.

This module imports nothing that is slow to import, so that a worker is on its leash before all else.
"""

import os
import sys
import threading
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection
from multiprocessing.reduction import DupFd
from typing import Any


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
    sys.meta_path.insert(0, _Frameless())
    _tied.append((teller, lock))
    threading.Thread(target=_end_with, args=(leash,), daemon=True).start()


def tell(roots: int) -> None:
    """Tell the process that this one works for that so many roots more are written.

    A number of eight bytes is one write to the pipe, which the kernel never mixes with that of another.
    """
    _tied[0][0].send_bytes(roots.to_bytes(8, "big"))


class _Frameless(MetaPathFinder):
    """What finds no pandas. Arrow imports it for its first array, which takes longer than many shards; a
    worker makes no frames.
    """

    def find_spec(self, name: str, *_: object) -> None:
        """Leave every other module to those that come next."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _end_with(leash: Connection) -> None:
    try:
        leash.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)
