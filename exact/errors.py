"""The root of every error that this library raises on purpose."""

from typing import Any


class WorldgenError(Exception):
    """What went wrong and what to do about it.

    Every subclass keeps its facts in fields; `str()` is one sentence for a person, with the remedy
    on a second line when there is one.

    >>> print(WorldgenError("the sky is green", remedy="look again"))
    the sky is green
      try: look again

    Every subclass can be pickled, whatever its constructor takes: a worker process raises it in its parent.
    """

    def __init__(self, message: str, *, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message}\n  try: {self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is built again from its message alone, which is not what a constructor
        # with other arguments takes. The fields say everything, so it is put together from them.
        return _bare, (type(self), self.args), self.__dict__


def _bare(kind: type[WorldgenError], args: tuple[object, ...]) -> WorldgenError:
    """An error without its fields, which unpickling sets next."""
    return kind.__new__(kind, *args)


class DomainError(WorldgenError):
    """A value outside the domain of a variable, or a domain that cannot exist."""


class NumberError(WorldgenError):
    """A text that is not an exact number as this library writes numbers."""


class EventError(WorldgenError):
    """Events of different worlds mixed, or an atom that the world does not have."""


class PartitionError(WorldgenError):
    """Options that overlap, or that miss a part of the positive support."""


class ZeroMassError(WorldgenError):
    """Conditioning on an event of probability zero, or a table whose every weight is zero.

    `event` is the name of the event.
    """

    def __init__(self, event: str, *, remedy: str = "") -> None:
        super().__init__(f"cannot condition on '{event}': its probability is zero", remedy=remedy)
        self.event = event
