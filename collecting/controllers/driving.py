"""Driving: from the start of any run to its record, and from a record to the same run again."""

from collections.abc import Callable, Iterable
from typing import Protocol, Self, TypeVar

from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.controllers.records import Answer

Q_co = TypeVar("Q_co", covariant=True)
R_co = TypeVar("R_co", covariant=True)


class Machine(Protocol[Q_co, R_co]):
    """A run as a value: it has a request, or is over and has a record; an answer gives the next run."""

    @property
    def request(self) -> Q_co:
        """What to ask next. Raises ControllerError where the run is over."""
        ...

    @property
    def record(self) -> R_co | None:
        """What became of a run that is over, None for one that is not."""
        ...

    def give(self, answer: Answer) -> Self:
        """The run with one more answer. Raises ControllerError where it is over."""
        ...


def drive(run: Machine[Q_co, R_co], answer: Callable[[Q_co], Answer]) -> R_co:
    """The record of a run whose every request is answered by a function.

    >>> from worldgen.collecting.controllers.arms import Arm
    >>> from worldgen.collecting.controllers.running import start
    >>> from worldgen.collecting.controllers.tasks import Task
    >>> drive(start(Arm("serial"), Task("ba", ("ab", "ba"), ("a", "b"))), lambda request: "b").output
    'bb'
    """
    while (record := run.record) is None:
        run = run.give(answer(run.request))
    return record


def given(run: Machine[Q_co, R_co], answers: Iterable[Answer]) -> R_co:
    """The record of a run after these answers.

    Raises ControllerError where the run is over before the last of them, or goes on after it.
    """
    count = 0
    for count, answer in enumerate(answers, 1):  # noqa: B007  (it is read after the loop)
        run = run.give(answer)
    record = run.record
    if record is None:
        raise ControllerError(f"after {count} answers the run is not over")
    return record
