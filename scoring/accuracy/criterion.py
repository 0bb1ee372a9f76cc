"""The operational criterion: is a system valid and coherent enough to be relied on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.relations.declared import Relation
from worldgen.scoring.figures.estimates import Figure
from worldgen.scoring.reports.accounting import Account

VALIDITY = Fraction(995, 1000)
PASS_RATE = Fraction(95, 100)


@dataclass(frozen=True)
class Condition:
    """One condition: `value`, the native validity or the lower bound of a relation's pass rate, must be at
    least `bound`. Where there is no value, None, it is not met.
    """

    name: str
    value: Fraction | float | None
    bound: Fraction

    @property
    def met(self) -> bool:
        """Whether it holds, the bound included."""
        return self.value is not None and self.value >= self.bound


def criterion(
    account: Account, figures: Sequence[Figure], relations: Sequence[Relation], system: str
) -> tuple[Condition, ...]:
    """The conditions that a system has to meet, all of them: native validity of at least 0.995, and for every
    primary relation the lower end of the 95 % interval of its pass rate (over root slots) at least 0.95.

    `figures` hold the pass rates of the system.
    """
    rates = {
        figure.label.subject: figure.slots.low if figure.slots else None
        for figure in figures
        if (figure.label.metric, figure.label.system, figure.label.against, figure.stratum)
        == ("pass_rate", system, "", "")
    }
    primary = (relation.name for relation in relations if relation.primary)
    return (
        Condition("native validity", account.native_validity, VALIDITY),
        *(Condition(name, rates.get(name), PASS_RATE) for name in primary),
    )
