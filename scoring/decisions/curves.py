"""Expected loss as a curve in the cost of deferring: exact everywhere, tabled at k/200, and contrasted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.decisions.piecewise import Change, Piecewise
from worldgen.scoring.decisions.policies import Policies
from worldgen.scoring.figures.columns import Axis, largest
from worldgen.scoring.figures.measures import Mean
from worldgen.scoring.panels.actions import FINE_COSTS
from worldgen.scoring.panels.controllers import Policy
from worldgen.scoring.panels.losses import Rows
from worldgen.scoring.panels.panel import Places, Truth

ENDS = (Fraction(0), Fraction(1, 2))
"""Between these costs lie the curves of a binary question: from 1/2 on, every report acts."""

PAIR = ("mean", "random-interface")
"""The policies that the curves compare, the first less the second."""


def macro_shares(weights: Places, axis: Axis) -> tuple[Integers, int]:
    """How much each slot counts in a macro mean over strata of means over roots of means over slots by
    their weights (n, R): integers (n, R) over one whole, which they add up to where there is any weight.

    >>> axis = Axis(("r", "s", "t"), ("a", "b"), (2, 1))
    >>> shares, whole = macro_shares(np.array([[1, 1], [1, 0], [1, 0]]), axis)
    >>> shares.tolist(), whole
    ([[1, 1], [2, 0], [4, 0]], 8)
    """
    weight = weights.sum(axis=1)
    found = [int((weight[part] > 0).sum()) for part in axis.slices]
    strata = sum(count > 0 for count in found)
    roots = np.repeat(np.array(found, dtype=np.int64), axis.sizes)
    bound = (largest(weight) + 1) * len(axis) * len(axis.strata) + 1
    units = integers(roots, bound) * weight * strata
    whole = lcm(*(unit for unit in set(units.tolist()) if unit))
    units, each = (integers(array, max(bound, whole + 1)) for array in (units, weights))
    return np.where(units > 0, whole // np.maximum(units, 1), 0)[:, None] * each, whole


def loss_curve(policy: Policy, truth: Truth, axis: Axis) -> Piecewise:
    """The macro mean loss of a policy over all decided roots, as a function of the cost in [0, 1].

    A slot loses the cost itself up to its turn, and 1 - q of its class from there on.
    """
    shares, whole = macro_shares(policy.weights, axis)
    counted = policy.weights > 0
    unit, factors = truth.common
    places, rows = policy.stances.places[counted], np.nonzero(counted)[0]
    lost = truth.total[rows] - truth.q[rows, np.maximum(places, 0)]
    none = np.zeros(len(rows), dtype=np.int64)
    return Piecewise.of(
        (policy.stances.turns[counted], policy.stances.unit[counted], places >= 0),
        Change(none, lost, factors[rows], unit),
        Change(none + 1, none, none + 1, 1),
        (shares[counted], whole),
    )


@dataclass(frozen=True, eq=False)
class LossCurves:
    """The loss curves of all policies of one system on one question.

    `curves[name](c)` is the exact macro mean loss at any cost c in [0, 1], `.left(c)` and `.right(c)` its
    limits, `.breaks(*ENDS)` its breakpoints with their three values, `.integral(*ENDS)` its integral.
    """

    policies: Policies
    axis: Axis

    @cached_property
    def curves(self) -> Mapping[str, Piecewise]:
        """The curve of each policy."""
        return {
            name: loss_curve(policy, self.policies.truth, self.axis)
            for name, policy in self.policies.by_name.items()
        }

    def grid(self) -> Rows:
        """The loss of every policy at k/200 for k = 1 ... 99, each as the double nearest to it."""
        tops = range(1, 100)
        return [
            {
                "system": self.policies.system,
                "policy": name,
                "cost": float(cost),
                "loss": top / (curve.unit * 200),
            }
            for name, curve in self.curves.items()
            for cost, top in zip(FINE_COSTS, curve.tops(tops, 200), strict=True)
        ]

    def breakpoints(self) -> Rows:
        """Every point strictly between the ends where a policy's curve jumps or bends, with the limit from
        the left, the value and the limit from the right; at the ends the limits from inside. Between
        two rows of a policy the curve is affine.
        """
        return [
            {"system": self.policies.system, "policy": name, **row}
            for name, curve in self.curves.items()
            for row in curve.rows(*ENDS)
        ]

    def contrasts(self, costs: Sequence[Fraction] = FINE_COSTS) -> Iterator[Mean]:
        """The loss of the mean report less that of a random interface at each cost."""
        for cost in costs if set(PAIR) <= self.curves.keys() else ():
            found = self.policies.contrasted(*PAIR, cost)
            yield replace(found, label=replace(found.label, family="curves", metric="loss_curve"))

    def signs(self) -> Rows:
        """At how many of the costs k/200 the mean report loses less than a random interface, the same, and
        more, and how many of the last have both below always deferring. One row, none without both policies.
        """
        if not set(PAIR) <= self.curves.keys():
            return []
        tops = range(1, 100)
        mean, other = (self.curves[name] for name in PAIR)
        counts = {"lower": 0, "equal": 0, "higher": 0, "both_below_defer": 0}
        for k, a, b in zip(tops, mean.tops(tops, 200), other.tops(tops, 200), strict=True):
            difference = a * other.unit - b * mean.unit
            counts["lower" if difference < 0 else "higher" if difference else "equal"] += 1
            # Of two losses of which the first is higher, both are below k/200 when the first is.
            counts["both_below_defer"] += difference > 0 and a < k * mean.unit
        return [{"system": self.policies.system, "contrast": " - ".join(PAIR), **counts}]
