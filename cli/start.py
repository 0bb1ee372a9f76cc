"""Where the command begins: an interrupt has an answer before anything slow is imported.

Importing this module imports what every Python has imported already, or next to nothing. What is left without
an answer are the milliseconds in which Python starts itself.
"""

import os
import signal
from contextlib import suppress
from types import FrameType
from typing import NoReturn

_SAID = {signal.SIGINT: b"interrupted\n", signal.SIGTERM: b"terminated\n"}


def main() -> None:
    """Run the command line of this process, and exit: this never returns.

    While there is nothing yet to put in order, and when all is in order again, SIGINT and SIGTERM end the
    process at once, with exit codes 130 and 143; in between the front of all commands answers them. A signal
    that this process was started to ignore stays ignored.
    """
    for number in _SAID:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _leave)
    # An exception would be lost where an import throws it away, and is a traceback anywhere else.
    from worldgen.cli.main import main as front

    front()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    with suppress(OSError):
        os.write(2, _SAID[signal.Signals(number)])
    os._exit(128 + number)
