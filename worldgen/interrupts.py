"""Ctrl-C that cannot be lost.

Python answers a signal by an exception in the main thread, at whatever call is under way. Where that call
was made by C code which throws exceptions away, a finaliser for one, the exception is gone and the work
goes on. Here the handler also leaves a note, and long work reads it at every step.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGINT, signal.SIGTERM)

_noted: list[Callable[[], Any]] = []


@contextmanager
def heeded() -> Iterator[None]:
    """Within it no SIGINT and no SIGTERM is lost to work that calls `heed`.

    A signal is answered by the handler that was there; a signal that no function answers is left alone. Off
    the main thread, where Python allows no handlers, nothing changes.
    """
    main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in SIGNALS} if main else {}
    before = {number: handler for number, handler in handlers.items() if callable(handler)}
    for number, handler in before.items():
        signal.signal(number, _noting(handler))
    try:
        yield
    finally:
        if main:
            _noted.clear()
        for number, handler in before.items():
            signal.signal(number, handler)


def heed() -> None:
    """Answer a signal that came since `heeded` was entered, if the work still goes on.

    Raises what the handler raises: KeyboardInterrupt for SIGINT, unless it was replaced.
    """
    if _noted and threading.current_thread() is threading.main_thread():
        _noted[0]()


def _noting(handler: Callable[[int, FrameType | None], Any]) -> Callable[[int, FrameType | None], Any]:
    def noting(number: int, frame: FrameType | None) -> Any:
        _noted.append(lambda: handler(number, None))
        return handler(number, frame)

    return noting
