"""Reports put on their events, so that requests with different words can be compared."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from worldgen.exact.errors import WorldgenError

AtomSet = frozenset[int]


class AlignmentError(WorldgenError):
    """Claims that do not speak of the same events, so that no number compares them."""


@dataclass(frozen=True)
class Aligned:
    """The mass that a report gives to each of its options, and the event of each option.

    `events[i]` is the set of atoms of option i and `masses[i]` its reported mass; `given` is the set
    of atoms under which the question was asked. Events are cut down to `given` when built. As for a
    question, options partition `given` on the possible atoms: an atom of `given` that no option covers
    is impossible, and stands in no event of this report. Raises AlignmentError where `events` and
    `masses` differ in length.

    >>> report = Aligned(({0, 1}, {2}, {3}), {0, 1, 2, 3}, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))
    >>> report.mass({0, 1, 3})
    Fraction(3, 4)
    """

    events: tuple[AtomSet, ...]
    given: AtomSet
    masses: tuple[Fraction, ...]
    covered: AtomSet = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.events) != len(self.masses):
            raise AlignmentError(f"{len(self.masses)} masses do not fit {len(self.events)} options")
        given = frozenset(self.given)
        events = tuple(given.intersection(event) for event in self.events)
        object.__setattr__(self, "given", given)
        object.__setattr__(self, "events", events)
        object.__setattr__(self, "covered", frozenset().union(*events))

    def mass(self, event: Iterable[int]) -> Fraction:
        """The reported probability of `event`, given `given`: the sum over the options inside it.

        An option without atoms in `given` speaks of the impossible event only, so it counts where
        `event` has no atoms in `given`, and nowhere else. Raises AlignmentError if, on `given`, the
        event is not a union of options.
        """
        wanted = self.covered.intersection(event)
        inside = [option <= wanted and bool(option) == bool(wanted) for option in self.events]
        reached = frozenset[int]().union(
            *(o for o, within in zip(self.events, inside, strict=True) if within)
        )
        if reached != wanted:
            split = ", ".join(map(str, sorted(wanted - reached)))
            raise AlignmentError(f"the event cuts through an option at atoms {split}")
        return sum((m for m, within in zip(self.masses, inside, strict=True) if within), Fraction(0))

    def by_event(self) -> dict[AtomSet, Fraction]:
        """The mass of each distinct option event; options with the same event are added up."""
        found: dict[AtomSet, Fraction] = {}
        for event, mass in zip(self.events, self.masses, strict=True):
            found[event] = found[event] + mass if event in found else mass
        return found
