"""Retention: of the items that one arm gets right, how many does another arm get right as well?

The first arm is called native (a whole answer is chosen) and the second serial (the answer is constructed
step by step), on the same items, in runs that know nothing of each other. All figures are exact; one that
divides by nothing is None.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.scoring.figures.means import mean


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest value that something may have."""

    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Joint:
    """How many items both arms got right, only native, only serial, and neither. ValueError for a negative
    number.

    >>> joint = Joint(both=123, native_only=250, serial_only=0, neither=11)
    >>> joint.items, joint.native, joint.scr, joint.gain_rate
    (384, Fraction(373, 384), Fraction(123, 373), Fraction(0, 1))
    """

    both: int
    native_only: int
    serial_only: int
    neither: int

    def __post_init__(self) -> None:
        if min(self.both, self.native_only, self.serial_only, self.neither) < 0:
            raise ValueError(f"a number of items is negative: {self}")

    @classmethod
    def of(cls, native: Sequence[bool], serial: Sequence[bool]) -> "Joint":
        """The counts over items; ValueError where the arms have different numbers of them.

        >>> Joint.of([True, True, False], [True, False, False])
        Joint(both=1, native_only=1, serial_only=0, neither=1)
        """
        pairs = [(bool(first), bool(second)) for first, second in zip(native, serial, strict=True)]
        kinds = ((True, True), (True, False), (False, True), (False, False))
        return cls(*(pairs.count(kind) for kind in kinds))

    def __add__(self, other: "Joint") -> "Joint":
        """The counts over the items of both."""
        return Joint(
            self.both + other.both,
            self.native_only + other.native_only,
            self.serial_only + other.serial_only,
            self.neither + other.neither,
        )

    @property
    def items(self) -> int:
        """The number of items."""
        return self.both + self.native_only + self.serial_only + self.neither

    @property
    def native_right(self) -> int:
        """The number of items that native got right."""
        return self.both + self.native_only

    @property
    def native(self) -> Fraction | None:
        """The share of items that native got right."""
        return _share(self.native_right, self.items)

    @property
    def serial(self) -> Fraction | None:
        """The share of items that serial got right."""
        return _share(self.both + self.serial_only, self.items)

    @property
    def scr(self) -> Fraction | None:
        """The sequence composition rate: both right / native right. None where native got none right.

        With a and b the shares that native and serial got right, it stays within `scr_bounds(a, b)` and
        |SCR - b| <= 1 - a. The first is what the size of an overlap must be. For the second let J be the
        share that both got right: SCR - b = J (1 - a) / a - (b - J), where J / a and (b - J) / (1 - a) both
        lie in [0, 1], so that the difference is (1 - a) times a difference of two numbers in [0, 1].
        """
        return _share(self.both, self.native_right)

    @property
    def gain_rate(self) -> Fraction | None:
        """The share that serial got right of the items that native got wrong."""
        return _share(self.serial_only, self.serial_only + self.neither)

    @property
    def loss(self) -> Fraction | None:
        """The share of items that native alone got right."""
        return _share(self.native_only, self.items)

    @property
    def gain(self) -> Fraction | None:
        """The share of items that serial alone got right; native - serial = loss - gain."""
        return _share(self.serial_only, self.items)

    @property
    def beyond_independence(self) -> Fraction | None:
        """SCR less the share of items that serial got right, which is what it would be if the arms were right
        independently of each other.
        """
        return None if self.scr is None or self.serial is None else self.scr - self.serial


def _share(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None


def scr_bounds(native: Fraction, serial: Fraction) -> Bounds | None:
    """What the two shares of right items alone leave possible for SCR: max(0, (a + b - 1) / a) to
    min(1, b / a), for the shares a of native and b of serial. None for a = 0.

    ValueError for a share outside [0, 1].

    >>> scr_bounds(Fraction(9, 10), Fraction(1, 2))
    Bounds(low=Fraction(4, 9), high=Fraction(5, 9))
    """
    if not (0 <= native <= 1 and 0 <= serial <= 1):
        raise ValueError(f"shares lie between 0 and 1, not at {native} and {serial}")
    if native == 0:
        return None
    return Bounds(max(Fraction(0), (native + serial - 1) / native), min(Fraction(1), serial / native))


def on_common(native: Mapping[str, Sequence[bool]], serial: Mapping[str, Sequence[bool]]) -> dict[str, Joint]:
    """The joint table of each system on the items that the native arms of all of them got right.

    ValueError where the mappings name different systems, or items differ in number.

    >>> found = on_common({"x": [True, True], "y": [True, False]}, {"x": [True, True], "y": [False, True]})
    >>> found["x"].scr, found["y"].scr
    (Fraction(1, 1), Fraction(0, 1))
    """
    if native.keys() != serial.keys():
        raise ValueError(f"native has {sorted(native)}, serial has {sorted(serial)}")
    shared = [all(row) for row in zip(*native.values(), strict=True)]
    found = {}
    for system, right in serial.items():
        kept = [done for done, here in zip(right, shared, strict=True) if here]
        found[system] = Joint.of([True] * len(kept), kept)
    return found


@dataclass(frozen=True)
class Across:
    """A figure over several settings: their mean, the least of them, and the settings that have it."""

    mean: Fraction
    worst: Fraction
    at: tuple[str, ...]


def across(settings: Mapping[str, Fraction | None]) -> Across | None:
    """The mean and the worst over settings such as templates; None where one is undefined, or there is none.

    >>> across({"t0": Fraction(1, 2), "t1": Fraction(1, 4)})
    Across(mean=Fraction(3, 8), worst=Fraction(1, 4), at=('t1',))
    """
    known = {name: value for name, value in settings.items() if value is not None}
    if not known or len(known) < len(settings):
        return None
    worst = min(known.values())
    return Across(mean(list(known.values())), worst, tuple(n for n, value in known.items() if value == worst))


def extra_conflict_loss(
    aligned: Fraction, conflicting: Fraction, opaque: Fraction, remapped: Fraction
) -> Fraction:
    """(aligned - conflicting) - (opaque - remapped), of the accuracies under four ways to name the options:
    what names that contradict their options cost beyond what binding opaque names anew does.

    >>> extra_conflict_loss(*(Fraction(n, 10) for n in (9, 4, 8, 7)))
    Fraction(2, 5)
    """
    return (aligned - conflicting) - (opaque - remapped)


def composed(positions: Iterable[Sequence[bool]]) -> Fraction | None:
    """The share of whole strings that would be right if positions were right independently of each other:
    the product over positions of the share of items that are right there.

    `positions` has a row for each item, all of one length L. None without items; ValueError where they differ
    in length. What strings reach beyond it shows errors that depend on each other, or items that differ.

    >>> composed([[True, True], [True, False]])
    Fraction(1, 2)
    """
    rows = list(positions)
    if not rows:
        return None
    reached = Fraction(1)
    for column in zip(*rows, strict=True):
        reached *= Fraction(sum(map(bool, column)), len(rows))
    return reached
