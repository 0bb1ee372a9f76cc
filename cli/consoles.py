"""Consoles of rich: no markup, no emoji, no guesses about what is a number."""

import errno
import os
from typing import NoReturn

from rich.console import Console

UNBOUNDED = 10_000


class PlainConsole(Console):
    """A console that prints texts as they are. In a pipe nothing is wrapped.

    When the reader goes away it raises BrokenPipeError, as a plain print does.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False, markup=False, highlight=False)
        if not self.is_terminal:
            self.width = UNBOUNDED

    def on_broken_pipe(self) -> NoReturn:
        """Leave it to the front of all commands, which ends the process."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
