"""Requests and records: what is asked, and what became of it."""

from dataclasses import dataclass
from typing import Literal

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.controllers.symbols import END
from worldgen.collecting.controllers.tasks import Task

Answer = str | tuple[str, ...] | None
"""What came back: one text; for a request of all positions one text each; None where nothing came."""

Prefix = tuple[str | None, ...]
"""Symbols given so far, None for a mark where an answer was invalid."""

How = Literal["call", "fill", "abort", "return"]
Ending = Literal["complete", "ended", "cap", "aborted"]


@dataclass(frozen=True)
class Shown:
    """What is shown of a supplied string: itself, the symbol at each position in `table`, the symbol that is
    asked for, the one that is claimed for it, and whether it is `padded` to the length of a table.
    """

    string: str
    table: tuple[tuple[int, str], ...] = ()
    symbol: str | None = None
    claimed: str | None = None
    padded: bool = False


@dataclass(frozen=True)
class Request:
    """One request of an arm, without its wording.

    `positions` are what is asked for: one, all that a batch has, or none for a whole answer. `options` are
    displayed in this order. `prefix` is None where none is shown; `problem` says whether the problem is,
    `candidates` and `shown` are empty and None where they are not. `length` is that of the whole answer.
    """

    arm: Arm
    positions: tuple[int, ...]
    options: tuple[Option, ...]
    prefix: Prefix | None
    problem: bool
    candidates: tuple[str, ...]
    shown: Shown | None
    length: int


@dataclass(frozen=True)
class Step:
    """One position of a record, -1 for a whole answer: how its symbol was come by, the symbols that were
    possible, the answer to the letter where there was a call, and the symbol, None for the mark of an
    invalid one.
    """

    position: int
    how: How
    possible: tuple[str, ...]
    answer: str | None
    symbol: str | None


@dataclass(frozen=True)
class Record:
    """A run that is over: what was asked about, every answer as it came, and what was made of them.

    `ending` says why it is over: every position has a step; END was given; the cap of steps was reached; or
    no candidate continued the prefix, and the positions after it were given up.
    """

    arm: Arm
    task: Task
    answers: tuple[Answer, ...]
    steps: tuple[Step, ...]
    ending: Ending

    @property
    def calls(self) -> int:
        """The number of requests."""
        return len(self.answers)

    @property
    def fills(self) -> int:
        """The number of positions whose symbol was put in without a request."""
        return sum(step.how == "fill" for step in self.steps)

    @property
    def decisions(self) -> int:
        """The number of steps with more than one possible symbol."""
        return sum(len(step.possible) > 1 for step in self.steps)

    @property
    def symbols(self) -> Prefix:
        """The symbol of every step."""
        return tuple(step.symbol for step in self.steps)

    @property
    def valid(self) -> bool:
        """Whether every step has a symbol."""
        return None not in self.symbols

    @property
    def output(self) -> str | None:
        """What was constructed, without END; None if a step is invalid."""
        return "".join(symbol for symbol in self.symbols if symbol and symbol != END) if self.valid else None
