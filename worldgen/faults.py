"""Faults of a spec, whether it was read from a file or built in Python: all of them in one error."""

from collections.abc import Sequence
from dataclasses import dataclass

from worldgen.exact.errors import WorldgenError

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: at which path of the spec, what, and what to do about it.

    `file`, `line` and `column` (from 1) are filled in where the spec came from a file.

    >>> print(Fault(("cells", 2, "count"), "the count is negative", "write 0 or more", "urn.yaml", 7, 12))
    urn.yaml:7:12: cells[2].count: the count is negative; write 0 or more
    """

    path: Path
    message: str
    remedy: str = ""
    file: str = ""
    line: int = 0
    column: int = 0

    @property
    def dotted(self) -> str:
        """The path as people write it."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.path)
        return "".join(parts).removeprefix(".")

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        where = f"{self.dotted}: " if self.path else ""
        return f"{place}{where}{self.message}" + (f"; {self.remedy}" if self.remedy else "")


class SpecError(WorldgenError):
    """A spec that is refused. `faults` lists everything that is wrong with it, in the order of the file."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        count = f"{len(faults)} fault{'s' if len(faults) != 1 else ''}"
        super().__init__("\n".join([f"the spec is refused: {count}", *(f"  {fault}" for fault in faults)]))
        self.faults = tuple(faults)
