"""Events: sets of atoms, closed under `&`, `|` and `~`, equal when their extensions are."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from worldgen.exact.errors import EventError


@dataclass(frozen=True)
class Atoms:
    """The finest outcomes that a question may separate, by name, in one fixed order.

    Raises EventError for no atoms or a name that stands twice.

    >>> die = Atoms(("1", "2", "3", "4", "5", "6"))
    >>> even = die.event([1, 3, 5], "even")
    >>> ~even == die.event([0, 2, 4])
    True
    """

    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) != len(self.names):
            raise EventError("atoms need distinct names, at least one")

    def __len__(self) -> int:
        return len(self.names)

    def event(self, indices: Iterable[int], label: str = "") -> "Event":
        """The set of atoms at these positions; a repeated position counts once."""
        mask = 0
        for index in indices:
            if not 0 <= index < len(self.names):
                raise EventError(f"there is no atom {index}: positions run from 0 to {len(self) - 1}")
            mask |= 1 << index
        return Event(self, mask, label)

    def membership(self, names: Iterable[str], label: str = "") -> "Event":
        """The set of atoms with these names. Raises EventError for a name that no atom has."""
        positions = {name: index for index, name in enumerate(self.names)}
        wanted = list(names)
        missing = [name for name in wanted if name not in positions]
        if missing:
            raise EventError(f"no atom is named {', '.join(missing)}")
        return self.event((positions[name] for name in wanted), label)

    @property
    def everything(self) -> "Event":
        """The certain event."""
        return Event(self, (1 << len(self)) - 1, "everything")

    @property
    def nothing(self) -> "Event":
        """The impossible event."""
        return Event(self, 0, "nothing")


@dataclass(frozen=True)
class Event:
    """A set of atoms, as a bit mask. The label is for people and does not enter equality.

    Raises EventError for a mask with bits beyond the atoms.

    >>> coin = Atoms(("heads", "tails"))
    >>> coin.membership(["heads"]) | coin.membership(["tails"]) == coin.everything
    True
    """

    atoms: Atoms
    mask: int
    label: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.mask < 1 << len(self.atoms):
            raise EventError(f"mask {self.mask:#b} does not fit {len(self.atoms)} atoms")

    def _with(self, other: "Event", mask: int, label: str) -> "Event":
        if self.atoms != other.atoms:
            raise EventError(f"'{self}' and '{other}' are events of different worlds")
        return Event(self.atoms, mask, label)

    def __and__(self, other: "Event") -> "Event":
        return self._with(other, self.mask & other.mask, f"({self} and {other})")

    def __or__(self, other: "Event") -> "Event":
        return self._with(other, self.mask | other.mask, f"({self} or {other})")

    def __invert__(self) -> "Event":
        return Event(self.atoms, self.atoms.everything.mask ^ self.mask, f"not {self}")

    def __le__(self, other: "Event") -> bool:
        """Whether this event implies the other."""
        return self & other == self

    def __str__(self) -> str:
        return self.label or "{" + ", ".join(self.atoms.names[i] for i in self.indices) + "}"

    @property
    def indices(self) -> tuple[int, ...]:
        """The positions of its atoms, ascending."""
        return tuple(i for i in range(len(self.atoms)) if self.mask >> i & 1)

    def given(self, condition: "Event") -> "Conditional":
        """The event under a condition."""
        return Conditional(self, condition)

    def named(self, label: str) -> "Event":
        """The same event under another label."""
        return replace(self, label=label)


@dataclass(frozen=True)
class Conditional:
    """An event under a condition, in normal form: `event` is a subset of `condition`.

    >>> die = Atoms(("1", "2", "3", "4", "5", "6"))
    >>> low, even = die.event([0, 1, 2]), die.event([1, 3, 5])
    >>> low.given(even) == (low & even).given(even)
    True
    """

    event: Event
    condition: Event

    def __post_init__(self) -> None:
        object.__setattr__(self, "event", self.event & self.condition)
