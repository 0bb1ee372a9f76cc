"""Ctrl-C that cannot be lost.

Python answers a signal by an exception in the main thread, at whatever call is under way. Where that call
was made by C code which throws exceptions away, a finaliser for one, the exception is gone and the work
goes on. Here the handler also leaves a note, and long work reads it at every step. Where it does not, what
came comes again.
"""

import signal
import sys
import threading
import time
from _thread import start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, ClassVar

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AGAIN = 1  # seconds
Handler = Callable[[int, FrameType | None], Any]


class _Noting:
    """A handler that leaves a note of what came, sees to it that it comes again, and then does what another
    does.
    """

    notes: ClassVar[list[tuple[Handler, int]]] = []
    entered: ClassVar[object] = None  # what stands for the `heeded` that this process is within, if any

    def __init__(self, handler: Handler) -> None:
        self.handler = handler

    def __call__(self, number: int, frame: FrameType | None) -> Any:
        self.notes.append((self.handler, number))
        if len(self.notes) == 1 and hasattr(signal, "pthread_kill"):
            # Nothing that takes a lock, which whatever was interrupted may hold.
            start_new_thread(_repeat, (number, threading.get_ident(), self.entered))
        answer = self.handler(number, frame)
        self.notes.clear()  # it raised nothing that could be lost
        return answer


@contextmanager
def heeded() -> Iterator[None]:
    """Within it no SIGINT and no SIGTERM is lost: work that calls `heed` answers it at the next step, and to
    all other work it comes again every second.

    A signal is answered by the handler that was there; a signal that no function answers is left alone. Off
    the main thread, where Python allows no handlers, nothing changes. Within another `heeded` it answers what
    came since that one was entered: a command enters it before it imports, and imports throw exceptions away.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if _Noting.entered is not None:
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
        _Noting.entered = object()
        sys.unraisablehook = hook
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, _Noting(handler))
        yield
    finally:
        _Noting.entered = None  # before any call, since an interrupt arrives at calls
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
        _Noting.notes.clear()


def _repeat(number: int, main: int, within: object) -> None:
    """Send a signal to the main thread again and again, until that answers without an exception or has left
    the `heeded` that it was within.
    """
    while True:
        time.sleep(AGAIN)
        if _Noting.entered is not within or not _Noting.notes:
            return
        signal.pthread_kill(main, number)


def _plain(handler: Any) -> Any:
    """A handler without the notes: an interrupt in the very last step may have left them in place."""
    return handler.handler if isinstance(handler, _Noting) else handler
