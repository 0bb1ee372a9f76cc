"""A system in a few figures: how much it answered, and where it is worst."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from worldgen.scoring.accounting import Account
from worldgen.scoring.decisions import PRIMARY_COST
from worldgen.scoring.summary import SystemSummary


@dataclass(frozen=True)
class Worst:
    """The worst of `among` figures, and the names of all that have it, in table order."""

    value: Fraction
    names: tuple[str, ...]
    among: int

    def __str__(self) -> str:
        """The figure with six places, and where it stands.

        >>> print(Worst(Fraction(1, 4), ("event",), 12))
        0.250000 in event
        """
        everywhere = len(self.names) == self.among > 1
        return f"{float(self.value):.6f} in {f'all {self.among}' if everywhere else ', '.join(self.names)}"


@dataclass(frozen=True)
class Headline:
    """What to know of a system first; each part is None where no valid report gives it a figure.

    `distance` is the variant of greatest total variation, `pass_rate` the primary relation of least pass
    rate, `regret` the variant in which deciding at the primary cost of deferring loses most beyond the
    oracle. Worst cases stand for the system, as a mean over variants would hide what one of them shows.
    """

    account: Account
    distance: Worst | None
    pass_rate: Worst | None
    regret: Worst | None


def headline(system: SystemSummary) -> Headline:
    """The headline of a system."""
    distances = {name: found.total_variation.value for name, found in system.accuracy.items()}
    passes = {name: r.pass_rate.value for name, r in system.relations.items() if r.relation.primary}
    regrets = {
        name: loss.loss.value - loss.oracle.value
        for name, losses in system.losses.items()
        for loss in losses
        if loss.cost == PRIMARY_COST and loss.loss.value is not None and loss.oracle.value is not None
    }
    return Headline(system.account, _most(distances, 1), _most(passes, -1), _most(regrets, 1))


def _most(figures: Mapping[str, Fraction | None], sign: int) -> Worst | None:
    """The greatest of the figures that there are, or the least for the sign -1."""
    known = {name: value for name, value in figures.items() if value is not None}
    if not known:
        return None
    value = max(known.values(), key=lambda each: sign * each)
    return Worst(value, tuple(name for name, each in known.items() if each == value), len(known))
