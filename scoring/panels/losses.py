"""What the actions of a policy cost under the exact answers, as columns along the roots.

Losses of a root are averaged over its slots by their weights. Every root with a request is decided: a
report that failed, and a request that could not be asked, defer.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.figures.columns import Column, Mask, bounded, largest
from worldgen.scoring.panels.controllers import DEFER, Actions, Policy, Reported, stances
from worldgen.scoring.panels.panel import Panel, Places, Truth

Rows = list[dict[str, str | int | float | bool | None]]
"""Rows of a table."""


def mean_over_slots(numerators: Integers, unit: Integers, weights: Places) -> Column:
    """The mean of numerators (n, R) / unit (n,) over the slots of each root by their weights (n, R), none
    where a root has no weight.

    A root's weights sum to W at most, and its sum to W times the largest numerator.

    >>> column = mean_over_slots(np.array([[1, 3], [1, 1]]), np.array([4, 4]), np.array([[1, 1], [0, 0]]))
    >>> column.values
    (Fraction(1, 2), None)
    """
    weight = weights.sum(axis=1)
    bound = (largest(weight) + 1) * max(largest(numerators), largest(unit)) + 1
    top, bottom = bounded(bound, numerators, unit)
    return Column.ratio(np.asarray((top * weights).sum(axis=1)), bottom * weight, weight > 0)


def oracle(truth: Truth) -> Policy:
    """The controller told q: no report leads to less loss."""
    told = Reported(truth.q[:, None, :], truth.total, truth.eligible[:, None])
    return Policy("oracle", None, stances(told), truth.intended[:, None].astype(np.int64))


def from_reports(panel: Panel) -> Policy:
    """The controller on one variant's reports, a slot at a time."""
    return Policy(panel.truth.variant, 1, stances(panel.reported), panel.asked.astype(np.int64))


@dataclass(frozen=True, eq=False)
class Decided:
    """What a policy does at one cost a / b and what that loses: `losses` (n, R) and `least` (n,), the
    least loss of any action, over b total, with total (n,) of the truth; `actions` (n, R).

    A loss is at most 1, so that none exceeds b total.
    """

    policy: Policy
    truth: Truth
    cost: Fraction
    actions: Actions
    losses: Integers
    least: Integers

    @classmethod
    def at(cls, policy: Policy, truth: Truth, cost: Fraction) -> "Decided":
        """The decisions of a policy at a cost from 0 to 1 (else ValueError)."""
        if not 0 <= cost <= 1:
            raise ValueError(f"deferring costs {cost}, which is not between 0 and 1")
        actions = policy.stances.actions(cost)
        a, b = cost.numerator, cost.denominator
        bound = b * largest(truth.total) + 1
        q, total, best = bounded(bound, truth.q, truth.total, truth.best)
        right = integers(np.take_along_axis(q, np.maximum(actions, 0), axis=1), bound)
        deferred = (a * total)[:, None]
        losses = np.where(actions == DEFER, deferred, (total[:, None] - right) * b)
        return cls(policy, truth, cost, actions, losses, np.minimum(a * total, (total - best) * b))

    @property
    def loss(self) -> Column:
        """Expected loss: 1 - q of the class taken, the cost where deferred."""
        return self._mean(self.losses, self._unit)

    @property
    def regret(self) -> Column:
        """Expected loss less the least loss under q."""
        return self._mean(self.losses - self.least[:, None], self._unit)

    @property
    def coverage(self) -> Column:
        """The share of decisions that take a class."""
        return self._mean((self.actions != DEFER).astype(np.int64), self._one)

    @property
    def optimal(self) -> Mask:
        """(n, R) where the action is among those of least loss under q."""
        return np.asarray(self.losses == self.least[:, None], dtype=np.bool_)

    @property
    def bayes_optimal(self) -> Column:
        """The share of decisions whose action is among those of least loss under q."""
        return self._mean(self.optimal.astype(np.int64), self._one)

    @property
    def tied(self) -> Mask:
        """(n,) where several actions have the least loss under q."""
        a, b = self.cost.numerator, self.cost.denominator
        bound = b * largest(self.truth.total) + 1
        q, total = bounded(bound, self.truth.q, self.truth.total)
        # Filled options lose 1, more than the likeliest does.
        classes = ((total[:, None] - q) * b == self.least[:, None]).sum(axis=1)
        return np.asarray(self.truth.eligible & (classes + (a * total == self.least) > 1), dtype=np.bool_)

    @property
    def realised(self) -> Column:
        """The loss under the outcome, on the roots whose outcome is known."""
        a, b = self.cost.numerator, self.cost.denominator
        missed = integers(self.actions != self.truth.outcomes[:, None], b + 1) * b
        losses = np.where(self.actions == DEFER, a, missed)
        return self._mean(losses, integers(self._one, b + 1) * b).where(self.truth.outcomes >= 0)

    @property
    def _one(self) -> Integers:
        return np.ones(len(self.losses), dtype=np.int64)

    @property
    def _unit(self) -> Integers:
        bound = largest(self.truth.total) * self.cost.denominator + 1
        return integers(self.truth.total, bound) * self.cost.denominator

    def _mean(self, numerators: Integers, unit: Integers) -> Column:
        return mean_over_slots(numerators, unit, self.policy.weights)


def headroom(truth: Truth, cost: Fraction) -> Column:
    """max(0, max q - (1 - c)) on every root with a request, 0 where it could not be asked."""
    a, b = cost.numerator, cost.denominator
    bound = b * largest(truth.total) + 1
    total, best = bounded(bound, truth.total, truth.best)
    worth = np.where(truth.eligible, np.maximum(0, best * b - (b - a) * total), 0)
    return Column.ratio(worth, total * b, truth.intended)
