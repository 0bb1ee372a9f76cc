"""When two representations of a question must lead to the same action, and when they do.

Let d = max(sum of (p - p')+, sum of (p' - p)+), which is the total variation of two reports whose
masses have equal sums. A sum over any set of options changes by at most d from p to p'. So what
the best class costs under the report, the least sum over all options but one, changes by at most d: if it
differs from the cost of deferring by more than d, both reports act or both defer. For masses that sum
to 1 that is |p_(1) - (1 - c)| > TV(p, p'). And if p_(1) - p_(2) > 2 d, no other option can overtake the
first, so both have the same best class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from worldgen.exact.numbers import Integers
from worldgen.scoring.figures.columns import Mask, bounded, common_unit, largest
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.alike import paired
from worldgen.scoring.panels.controllers import DEFER, Reported, Stances, stances
from worldgen.scoring.panels.losses import Rows
from worldgen.scoring.panels.panel import Panel


@dataclass(frozen=True, eq=False)
class Margins:
    """Two reports each, and how far the first is from acting otherwise: what its best class costs it
    (`price`), how far that class is ahead of the next (`lead`), and d (`distance`), all (n, R) over
    `unit` (n, 1).
    """

    first: Stances
    second: Stances
    price: Integers
    lead: Integers
    distance: Integers
    unit: Integers

    @classmethod
    def of(cls, one: Reported, two: Reported) -> "Margins":
        """The margins of reports on options in the same order.

        Sums of K masses, and of K differences, stay within 2 K times the largest; leads and d are compared
        at twice their size at most.
        """
        unit, (more, other) = common_unit(one.unit, two.unit)
        peak = max(largest(one.masses) * largest(more), largest(two.masses) * largest(other), largest(unit))
        bound = 4 * (one.masses.shape[2] + 1) * peak + 1
        p, q, more, other, unit = bounded(bound, one.masses, two.masses, more, other, unit)
        p, q = p * more[:, None, None], q * other[:, None, None]
        change = p - q
        distance = np.maximum(np.maximum(change, 0).sum(axis=2), np.maximum(-change, 0).sum(axis=2))
        ordered = np.sort(p, axis=2)
        price = np.asarray(ordered[:, :, :-1].sum(axis=2))
        # Of one option alone there is no other that could overtake it: its lead is above 2 d by itself.
        next_best = ordered[:, :, -2] if ordered.shape[2] > 1 else -2 * distance - 1
        lead = np.asarray(ordered[:, :, -1] - next_best)
        return cls(stances(one), stances(two), price, lead, distance, unit[:, None])

    def acts_alike(self, cost: Fraction) -> Mask:
        """(n, R) where the margin guarantees that both act or both defer at a cost."""
        a, b = cost.numerator, cost.denominator
        bound = b * (largest(self.price) + largest(self.distance)) + a * largest(self.unit) + 1
        price, distance, unit = bounded(bound, self.price, self.distance, self.unit)
        return np.asarray(abs(price * b - a * unit) > distance * b, dtype=np.bool_)

    @property
    def chooses_alike(self) -> Mask:
        """(n, R) where the margin guarantees that both have the same best class."""
        return np.asarray(self.lead > 2 * self.distance, dtype=np.bool_)


def margin_rows(relation: str, left: Panel, right: Panel, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
    """Per cost, of the `pairs` of valid reports (a repeat of a root each): how many have a margin that
    guarantees that both act or both defer (`act_guaranteed`) and how many do so (`act_same`); the same for
    the best class (`class_guaranteed`, `class_same`), which no cost changes; and `action_same`.

    Margins are those of the first report of a pair.
    """
    one, two, both = paired(left, right)
    margins = Margins.of(one, two)
    rows: Rows = []
    for cost in costs:
        actions, changed = margins.first.actions(cost), margins.second.actions(cost)
        counted = {
            "act_guaranteed": margins.acts_alike(cost),
            "act_same": (actions == DEFER) == (changed == DEFER),
            "class_guaranteed": margins.chooses_alike,
            "class_same": margins.first.places == margins.second.places,
            "action_same": actions == changed,
        }
        rows.append(
            {
                "system": left.system,
                "relation": relation,
                "cost": float(cost),
                "pairs": int(both.sum()),
                **{name: int((both & held).sum()) for name, held in counted.items()},
            }
        )
    return rows
