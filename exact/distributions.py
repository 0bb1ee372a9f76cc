"""Distributions over atoms: one of them, and a batch of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import cast

import numpy as np

from worldgen.exact.errors import EventError, ZeroMassError
from worldgen.exact.events import Atoms, Conditional, Event
from worldgen.exact.numbers import Integers, common_denominator, integers, magnitude


@dataclass(frozen=True)
class Distribution:
    """Integer weights over atoms, divided by their greatest common divisor when built, so that equal
    distributions are equal objects. The mass of atom i is weights[i] / total.

    Raises EventError for a negative weight or a wrong number of them, ZeroMassError when all are zero.

    >>> coin = Distribution(Atoms(("heads", "tails")), (6, 2))
    >>> coin.weights, coin.probability(coin.atoms.membership(["heads"]))
    ((3, 1), Fraction(3, 4))
    """

    atoms: Atoms
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.weights) != len(self.atoms):
            raise EventError(f"{len(self.weights)} weights do not fit {len(self.atoms)} atoms")
        if any(weight < 0 for weight in self.weights):
            raise EventError("a weight is negative")
        divisor = gcd(*self.weights)
        if divisor == 0:
            raise ZeroMassError("everything", remedy="give some atom a positive weight")
        object.__setattr__(self, "weights", tuple(int(weight) // divisor for weight in self.weights))

    @classmethod
    def of(cls, atoms: Atoms, masses: Sequence[Fraction]) -> "Distribution":
        """The distribution proportional to `masses`."""
        denominator = common_denominator(tuple(masses))
        return cls(atoms, tuple(int(mass * denominator) for mass in masses))

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    @property
    def masses(self) -> tuple[Fraction, ...]:
        """The probability of each atom."""
        return tuple(Fraction(weight, self.total) for weight in self.weights)

    @property
    def support(self) -> Event:
        """The atoms of positive probability."""
        return self.atoms.event((i for i, weight in enumerate(self.weights) if weight), "the support")

    def _weight(self, event: Event) -> int:
        if event.atoms != self.atoms:
            raise EventError(f"'{event}' is an event of another world")
        return sum(self.weights[i] for i in event.indices)

    def probability(self, event: Event | Conditional) -> Fraction:
        """P(event), or P(event | condition). Raises ZeroMassError where the condition has none."""
        if isinstance(event, Event):
            return Fraction(self._weight(event), self.total)
        mass = self._weight(event.condition)
        if mass == 0:
            raise ZeroMassError(str(event.condition))
        return Fraction(self._weight(event.event), mass)

    def given(self, condition: Event) -> "Distribution":
        """The distribution conditioned on an event. Raises ZeroMassError, naming it, if it has no mass."""
        if self._weight(condition) == 0:
            raise ZeroMassError(str(condition))
        kept = set(condition.indices)
        return Distribution(self.atoms, tuple(w if i in kept else 0 for i, w in enumerate(self.weights)))


@dataclass(frozen=True)
class Posteriors:
    """n distributions at once: `numerators` (n, K) over `denominators` (n,), every denominator positive.

    The batch twin of Distribution; `row` is the door between the two.

    >>> two = Posteriors(Atoms(("a", "b")), np.array([[1, 3], [2, 2]]), np.array([4, 4]))
    >>> two.row(0).masses
    (Fraction(1, 4), Fraction(3, 4))
    """

    atoms: Atoms
    numerators: Integers
    denominators: Integers

    def __len__(self) -> int:
        return len(self.denominators)

    def row(self, i: int) -> Distribution:
        """The i-th distribution."""
        return Distribution(self.atoms, tuple(int(w) for w in self.numerators[i]))

    @property
    def support(self) -> Event:
        """The atoms that have positive probability in some row."""
        possible = np.flatnonzero((self.numerators > 0).any(axis=0))
        return self.atoms.event(possible.tolist(), "the support")

    def unlike(self, weights: Integers) -> list[int]:
        """The rows whose masses are not as the weights of the same row of (n, K), over its own sum; where
        these are all zero, or a denominator is not positive, too.

        Two quotients are equal where the products crosswise are, and no product is above that of the
        largest sum of weights and the largest part of a mass, magnitudes of both: int64 where that is below
        2**63. Masses that wrapped when they were made are not as promised, and must not wrap into place here.

        >>> two = Posteriors(Atoms(("a", "b")), np.array([[2, 6], [2, 2]]), np.array([8, 4]))
        >>> two.unlike(np.array([[1, 3], [1, 3]])), two.unlike(np.array([[0, 0], [5, 5]]))
        ([1], [0])
        """
        largest = max(magnitude(self.numerators), magnitude(self.denominators))
        bound = max(1, largest) * len(self.atoms) * max(1, magnitude(weights)) + 1
        tops, bottoms = integers(self.numerators, bound), integers(self.denominators, bound)
        others = integers(weights, bound)
        wholes = others.sum(axis=1)
        equal = np.asarray((wholes > 0) & (bottoms > 0), dtype=np.bool_)
        for top, other in zip(tops.T, others.T, strict=True):
            equal &= np.asarray(top * wholes == other * bottoms, dtype=np.bool_)
        return np.flatnonzero(~equal).tolist()

    def weight(self, event: Event) -> Integers:
        """The numerators of P(event), (n,), over `denominators`.

        They cannot wrap: numerators are non-negative and sum to the denominator, which is an int64.
        """
        if event.atoms != self.atoms:
            raise EventError(f"'{event}' is an event of another world")
        weight = cast(Integers, np.zeros(len(self), dtype=self.numerators.dtype))
        for atom in event.indices:
            weight += self.numerators[:, atom]
        return weight
