"""When two representations of a question must lead to the same action, and when they do.

Let d = max(sum of (p - p')+, sum of (p' - p)+), which is the total variation of two reports whose
masses have equal sums. A sum over any set of options changes by at most d from p to p'. So what
the best class costs under the report, the least sum over all options but one, changes by at most d: if it
differs from the cost of deferring by more than d, both reports act or both defer. For masses that sum
to 1 that is |p_(1) - (1 - c)| > TV(p, p'). And if p_(1) - p_(2) > 2 d, no other option can overtake the
first, so both have the same best class.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from worldgen.exact.numbers import Integers
from worldgen.scoring.alike import paired
from worldgen.scoring.columns import bounded, common_unit, largest
from worldgen.scoring.controllers import DEFER, stances
from worldgen.scoring.decisions import ALL_COSTS
from worldgen.scoring.losses import Rows
from worldgen.scoring.panels import Panel


def margin_rows(relation: str, left: Panel, right: Panel, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
    """Per cost, of the `pairs` of valid reports (a repeat of a root each): how many have a margin that
    guarantees that both act or both defer (`act_guaranteed`) and how many do so (`act_same`); the same for
    the best class (`class_guaranteed`, `class_same`), which no cost changes; and `action_same`.

    Margins are those of the first report of a pair.
    """
    one, two, both = paired(left, right)
    unit, (more, other) = common_unit(one.unit, two.unit)
    peak = max(largest(one.masses) * largest(more), largest(two.masses) * largest(other), largest(unit))
    bound = 4 * (one.masses.shape[2] + 1) * peak * max(cost.denominator for cost in costs) + 1
    first_masses, second_masses, more, other, unit = bounded(bound, one.masses, two.masses, more, other, unit)
    masses = first_masses * more[:, None, None], second_masses * other[:, None, None]
    unit = unit[:, None]
    change = masses[0] - masses[1]
    distance = np.maximum(np.maximum(change, 0).sum(axis=2), np.maximum(-change, 0).sum(axis=2))
    leading = np.sort(masses[0], axis=2)
    others = masses[0].sum(axis=2) - leading[:, :, -1]
    ahead = _ahead(leading) > 2 * distance
    first, second = stances(one), stances(two)
    alike = first.places == second.places
    rows: Rows = []
    for cost in costs:
        a, b = cost.numerator, cost.denominator
        actions, changed = first.actions(cost), second.actions(cost)
        counted = {
            "act_guaranteed": abs(others * b - a * unit) > distance * b,
            "act_same": (actions == DEFER) == (changed == DEFER),
            "class_guaranteed": ahead,
            "class_same": alike,
            "action_same": actions == changed,
        }
        rows.append(
            {
                "system": left.system,
                "relation": relation,
                "cost": str(cost),
                "pairs": int(both.sum()),
                **{name: int((both & held.astype(np.bool_)).sum()) for name, held in counted.items()},
            }
        )
    return rows


def _ahead(leading: Integers) -> Integers:
    """(n, R) the largest mass less the second largest; of one option alone, its mass."""
    second = leading[:, :, -2] if leading.shape[2] > 1 else 0
    return np.asarray(leading[:, :, -1] - second)
