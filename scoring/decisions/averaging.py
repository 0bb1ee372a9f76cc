"""Averaging two reports against asking one of them at random: the penalty, by what the reports would do.

A binary report x of an event acts *no* where x <= c, *yes* where x >= 1 - c and *defers* between, for
0 < c < 1/2. The penalty is the loss of the midpoint's action less the mean loss of the two reports'
actions. It depends on the three actions, q and c only:

    the reports    the midpoint    penalty
    same           same            0
    no, defer      no              (q - c) / 2
    no, defer      defer           (c - q) / 2
    defer, yes     defer           (c + q - 1) / 2
    defer, yes     yes             (1 - q - c) / 2
    no, yes        no              q - 1/2
    no, yes        defer           c - 1/2
    no, yes        yes             1/2 - q

There are no more rows, because the reports that take an action are an interval.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from worldgen.exact.numbers import Integers
from worldgen.scoring.figures.columns import Mask
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.alike import paired
from worldgen.scoring.panels.controllers import DEFER, Actions, Policy, averaged, stances
from worldgen.scoring.panels.losses import Decided, Rows
from worldgen.scoring.panels.panel import Panel, Places

BinaryAction = Literal["no", "defer", "yes"]
Penalty = Callable[[Fraction, Fraction], Fraction]

ACTIONS: tuple[BinaryAction, ...] = ("no", "defer", "yes")
_HALF = Fraction(1, 2)

PENALTIES: Mapping[tuple[str, str], Penalty] = {
    ("same", "same"): lambda _q, _c: Fraction(0),
    ("no, defer", "no"): lambda q, c: (q - c) / 2,
    ("no, defer", "defer"): lambda q, c: (c - q) / 2,
    ("defer, yes", "defer"): lambda q, c: (c + q - 1) / 2,
    ("defer, yes", "yes"): lambda q, c: (1 - q - c) / 2,
    ("no, yes", "no"): lambda q, _c: q - _HALF,
    ("no, yes", "defer"): lambda _q, c: c - _HALF,
    ("no, yes", "yes"): lambda q, _c: _HALF - q,
}
"""The penalty as a function of (q, c), by the actions of the reports in either order and the midpoint's."""


def binary_action(x: Fraction, cost: Fraction) -> BinaryAction:
    """What a report x of an event does; ValueError unless 0 < cost < 1/2.

    >>> [binary_action(Fraction(k, 10), Fraction(1, 10)) for k in (1, 2, 9)]
    ['no', 'defer', 'yes']
    """
    if not 0 < cost < _HALF:
        raise ValueError(f"a cost of {cost} is not between 0 and 1/2")
    return "no" if x <= cost else "yes" if x >= 1 - cost else "defer"


def row_of(first: BinaryAction, second: BinaryAction, midpoint: BinaryAction) -> tuple[str, str]:
    """The row of the table that three actions fall in; ValueError for actions that no two reports and their
    midpoint take together.

    >>> row_of("yes", "no", "defer")
    ('no, yes', 'defer')
    """
    pair = sorted((first, second), key=ACTIONS.index)
    alike = first == second == midpoint
    row = ("same", "same") if alike else (", ".join(pair), midpoint)
    if row not in PENALTIES:
        raise ValueError(f"reports of {first} and {second} have no midpoint of {midpoint}")
    return row


def averaging_penalty(
    first: BinaryAction, second: BinaryAction, midpoint: BinaryAction, q: Fraction, cost: Fraction
) -> Fraction:
    """What the midpoint's action loses beyond the mean of the two reports' actions, under q.

    Raises ValueError where the three actions do not go together.

    >>> averaging_penalty("no", "yes", "defer", Fraction(1, 3), Fraction(1, 10))
    Fraction(-2, 5)
    """
    return PENALTIES[row_of(first, second, midpoint)](q, cost)


def penalty_rows(relation: str, left: Panel, right: Panel, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
    """Per cost the rows of the table, each with the `pairs` of valid reports (a repeat of a root each) that
    fall in it and their `mean_penalty` (None without any), as the nearest double.

    Costs lie between 0 and 1/2 (else ValueError). Nothing where `left` is no question of yes and no.
    """
    truth = left.truth
    one, two, both = paired(left, right)
    both = both & (truth.yes >= 0)[:, None]
    if not (truth.yes >= 0).any():
        return []
    stance = {"first": stances(one), "second": stances(two), "midpoint": stances(averaged(one, two))}
    rows: Rows = []
    for cost in costs:
        binary_action(_HALF, cost)  # refuses a cost outside
        decided = {
            name: Decided.at(Policy(name, None, each, both.astype(np.int64)), truth, cost)
            for name, each in stance.items()
        }
        codes = {name: _codes(each.actions, truth.yes) for name, each in decided.items()}
        excess = _excess(decided, both, truth.common[1])
        seen = np.stack([codes[name][both] for name in stance], axis=1)
        found: dict[tuple[str, str], list[int]] = {row: [] for row in PENALTIES}
        for (a, b, m), value in zip(seen.tolist(), excess, strict=True):
            found[row_of(ACTIONS[a], ACTIONS[b], ACTIONS[m])].append(value)
        whole = 2 * cost.denominator * truth.common[0]
        rows += [
            {
                "system": left.system,
                "relation": relation,
                "cost": float(cost),
                "actions": actions,
                "midpoint": midpoint,
                "pairs": len(values),
                "mean_penalty": sum(values) / (whole * len(values)) if values else None,
            }
            for (actions, midpoint), values in found.items()
        ]
    return rows


def _codes(actions: Actions, yes: Places) -> Actions:
    """The places of actions in ACTIONS."""
    return np.where(actions == DEFER, 1, np.where(actions == yes[:, None], 2, 0))


def _excess(decided: Mapping[str, Decided], both: Mask, factors: Integers) -> list[int]:
    """Twice the midpoint's loss less those of the reports, over b times the common unit of the truth."""
    first, second, midpoint = (decided[name].losses.astype(np.object_) for name in decided)
    found: list[int] = ((2 * midpoint - first - second) * factors[:, None])[both].tolist()
    return found
