"""Fidelity apart from correctness: whether a string that was supplied came back, and whether it was right."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Copy:
    """One copy: what came out, None if it is invalid, what was supplied, and the right answer of the task."""

    output: str | None
    supplied: str
    gold: str


@dataclass(frozen=True)
class Copying:
    """How many copies there are of right and of wrong strings, and how many of each came back. `right` counts
    the outputs that answer the task, whether they are faithful or not.

    >>> copies = [Copy("585", "585", "589"), Copy("589", "585", "589"), Copy("589", "589", "589")]
    >>> copying = Copying.of(copies)
    >>> copying.fidelity, copying.accuracy, copying.on_wrong
    (Fraction(2, 3), Fraction(2, 3), Fraction(1, 2))
    """

    of_right: int
    of_wrong: int
    faithful_right: int
    faithful_wrong: int
    right: int

    @classmethod
    def of(cls, copies: Iterable[Copy]) -> "Copying":
        """The counts over copies."""
        found = list(copies)
        wrong = [copy for copy in found if copy.supplied != copy.gold]
        faithful = [copy for copy in found if copy.output == copy.supplied]
        faithful_wrong = sum(copy.supplied != copy.gold for copy in faithful)
        return cls(
            len(found) - len(wrong),
            len(wrong),
            len(faithful) - faithful_wrong,
            faithful_wrong,
            sum(copy.output == copy.gold for copy in found),
        )

    @property
    def items(self) -> int:
        """The number of copies."""
        return self.of_right + self.of_wrong

    @property
    def fidelity(self) -> Fraction | None:
        """The share of strings that came back; None without any."""
        return Fraction(self.faithful_right + self.faithful_wrong, self.items) if self.items else None

    @property
    def accuracy(self) -> Fraction | None:
        """The share of outputs that answer the task; None without any."""
        return Fraction(self.right, self.items) if self.items else None

    @property
    def on_wrong(self) -> Fraction | None:
        """The fidelity to strings that are wrong answers; None without any."""
        return Fraction(self.faithful_wrong, self.of_wrong) if self.of_wrong else None

    @property
    def on_right(self) -> Fraction | None:
        """The fidelity to strings that are right answers; None without any."""
        return Fraction(self.faithful_right, self.of_right) if self.of_right else None
