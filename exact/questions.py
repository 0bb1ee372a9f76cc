"""Questions: options, each an event, and a condition under which they are asked."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.distributions import Distribution, Posteriors
from worldgen.exact.errors import PartitionError
from worldgen.exact.events import Event
from worldgen.exact.numbers import Integers

Form = Literal["event", "choice", "score"]


@dataclass(frozen=True)
class Option:
    """One answer that a question allows, and the event that it stands for."""

    name: str
    event: Event


@dataclass(frozen=True)
class Question:
    """Options that partition `given`.

    On the positive support of the distribution that answers it, the options must be disjoint and
    cover `given`; `answer` and `answers` raise PartitionError otherwise.

    >>> from worldgen.exact.events import Atoms
    >>> urn = Distribution(Atoms(("red", "blue")), (2, 1))
    >>> red = urn.atoms.membership(["red"], "red")
    >>> Question.about(red).answer(urn)
    (Fraction(2, 3), Fraction(1, 3))
    """

    form: Form
    options: tuple[Option, ...]
    given: Event

    def __post_init__(self) -> None:
        names = [option.name for option in self.options]
        if not names or len(set(names)) != len(names):
            raise PartitionError(f"options need distinct names, got {names}")

    @classmethod
    def about(cls, event: Event, given: Event | None = None) -> "Question":
        """Whether `event` holds: the options true and false."""
        options = (Option("true", event), Option("false", ~event))
        return cls("event", options, given or event.atoms.everything)

    @property
    def events(self) -> tuple[Event, ...]:
        """The event of each option, within `given`."""
        return tuple(option.event & self.given for option in self.options)

    def check(self, support: Event) -> None:
        """Raise PartitionError unless the options are disjoint and exhaustive on `support & given`."""
        asked = support & self.given
        parts = [option.event & asked for option in self.options]
        for (i, left), (j, right) in combinations(enumerate(parts), 2):
            if left.mask & right.mask:
                both = f"options '{self.options[i].name}' and '{self.options[j].name}'"
                raise PartitionError(f"{both} overlap on possible atoms {left & right}")
        missed = asked.mask & ~sum(part.mask for part in parts)
        if missed:
            atoms = asked.atoms.event(i for i in asked.indices if missed >> i & 1)
            raise PartitionError(f"no option covers the possible atoms {atoms}")

    def answer(self, distribution: Distribution) -> tuple[Fraction, ...]:
        """The exact probability of each option. Raises PartitionError, and ZeroMassError if `given`
        has no mass.
        """
        self.check(distribution.support)
        return tuple(distribution.probability(option.event.given(self.given)) for option in self.options)

    def answers(self, posteriors: Posteriors) -> tuple[Integers, Integers, NDArray[np.bool_]]:
        """The batch twin of `answer`: numerators (n, options), denominators (n,), defined (n,).

        Where `given` has no mass the row is not defined and reads 0/1.
        """
        self.check(posteriors.support)
        mass = posteriors.weight(self.given)
        defined: NDArray[np.bool_] = np.asarray(mass > 0, dtype=np.bool_)
        tops = np.stack([posteriors.weight(event) for event in self.events], axis=1)
        return np.where(defined[:, None], tops, 0), np.where(defined, mass, 1), defined
