"""Ctrl-C that cannot be lost.

Python answers a signal by an exception in the main thread, at whatever call is under way. Where that call
was made by C code which throws exceptions away, a finaliser for one, the exception is gone and the work
goes on. Here the handler also leaves a note, and long work reads it at every step.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
Handler = Callable[[int, FrameType | None], Any]


class _Noting:
    """A handler that leaves a note of what came, and then does what another does."""

    notes: ClassVar[list[tuple[Handler, int]]] = []
    entered: ClassVar[bool] = False  # whether this process is within `heeded`

    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> Any:
        self.notes.append((self.handler, number))
        return self.handler(number, frame)


@contextmanager
def heeded() -> Iterator[None]:
    """Within it no SIGINT and no SIGTERM is lost to work that calls `heed`.

    A signal is answered by the handler that was there; a signal that no function answers is left alone. Off
    the main thread, where Python allows no handlers, nothing changes. Within another `heeded` it answers what
    came since that one was entered: a command enters it before it imports, and imports throw exceptions away.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _Noting.entered:
        heed()
        yield
        return
    before = {number: _plain(signal.getsignal(number)) for number in SIGNALS}
    complain = sys.unraisablehook
    _Noting.notes.clear()

    def hook(lost: "sys.UnraisableHookArgs") -> None:
        # What a finaliser dropped is raised again by `heed`: nobody need be told in a traceback.
        if not (_Noting.notes and issubclass(lost.exc_type, KeyboardInterrupt | SystemExit)):
            complain(lost)

    try:
        _Noting.entered = True
        sys.unraisablehook = hook
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, _Noting(handler))
        yield
    finally:
        _Noting.entered = False  # before any call, since an interrupt arrives at calls
        sys.unraisablehook = complain
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)
        _Noting.notes.clear()


def heed() -> None:
    """Answer a signal that came since `heeded` was entered, if the work still goes on.

    Raises what the handler raises: KeyboardInterrupt for SIGINT, unless it was replaced.
    """
    if _Noting.notes and threading.current_thread() is threading.main_thread():
        handler, number = _Noting.notes[0]
        handler(number, None)


def _plain(handler: Any) -> Any:
    """A handler without the notes: an interrupt in the very last step may have left them in place."""
    return handler.handler if isinstance(handler, _Noting) else handler
