"""Where the command begins: an interrupt has an answer before anything slow is imported, and ends it in time.

Importing this module imports what every Python has imported already, or next to nothing. What is left without
an answer are the milliseconds in which Python starts itself.
"""

import os
import signal
import sys
import time
from _thread import start_new_thread
from contextlib import suppress
from types import FrameType
from typing import NoReturn

PATIENCE = 1.5  # seconds
_SAID = {signal.SIGINT: b"interrupted\n", signal.SIGTERM: b"terminated\n"}
_ended: list[str] = []  # what was said of the end already


def say(ending: str) -> None:
    """Say on stderr how the command ends. Where it then takes too long to end, that is not said again."""
    _ended.append(ending)
    print(ending, file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line of this process, and exit: this never returns.

    While there is nothing yet to put in order, and when all is in order again, SIGINT and SIGTERM end the
    process at once, with exit codes 130 and 143; in between the front of all commands answers them, and has
    less than two seconds for it. A signal that this process was started to ignore stays ignored.
    """
    for number in _SAID:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    heard, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    start_new_thread(_wait, (heard,))
    # An exception would be lost where an import throws it away, and is a traceback anywhere else.
    from worldgen.cli.main import main as front
    from worldgen.frameless import frameless

    frameless()
    front()


def _wait(heard: int) -> None:
    """Give the command its time after a signal, and then end it: Python answers one only between two steps of
    its own, and a library that waits for a store, say, may not come back for long. What is written here can
    be killed at any moment, and workers end with whoever started them.
    """
    while True:
        (number,) = os.read(heard, 1)
        if number in _SAID:
            time.sleep(PATIENCE)
            _leave(number, None)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    if not _ended:
        with suppress(OSError):
            os.write(2, _SAID[signal.Signals(number)])
    os._exit(128 + number)
