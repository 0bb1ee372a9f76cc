"""What the actions of a policy cost under the exact answers, as columns along the roots.

Losses of a root are averaged over its slots by their weights. Every root with a request is decided: a
report that failed, and a request that could not be asked, defer.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.columns import Axis, Column, Mask, largest
from worldgen.scoring.controllers import DEFER, Actions, Policy, Reported, stances
from worldgen.scoring.panels import Panel, Truth
from worldgen.scoring.piecewise import Lines, Piecewise

Rows = list[dict[str, str | int | float | bool | None]]
"""Rows of a table."""


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

    A loss is at most 1, so that weighted sums of losses over b total stay within b total times the sum of the
    weights.
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
        bound = b * largest(truth.total) * (largest(policy.weights.sum(axis=1)) + 1) + 1
        q, total, best = (integers(array, bound) for array in (truth.q, truth.total, truth.best))
        right = integers(np.take_along_axis(q, np.maximum(actions, 0), axis=1), bound)
        deferred = (a * total)[:, None]
        losses = np.where(actions == DEFER, deferred, (total[:, None] - right) * b)
        return cls(policy, truth, cost, actions, losses, np.minimum(a * total, (total - best) * b))

    @cached_property
    def weight(self) -> Actions:
        """(n,) the weight of all slots of a root."""
        return np.asarray(self.policy.weights.sum(axis=1), dtype=np.int64)

    @property
    def decided(self) -> Mask:
        """Where a root has a slot."""
        return np.asarray(self.weight > 0, dtype=np.bool_)

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
        q, total = (integers(array, bound) for array in (self.truth.q, self.truth.total))
        real = np.arange(q.shape[1]) < self.truth.widths[:, None]
        classes = (real & ((total[:, None] - q) * b == self.least[:, None])).sum(axis=1)
        return np.asarray(self.truth.eligible & (classes + (a * total == self.least) > 1), dtype=np.bool_)

    @property
    def realised(self) -> Column:
        """The loss under the outcome, on the roots whose outcome is known."""
        a, b = self.cost.numerator, self.cost.denominator
        missed = self.actions != self.truth.outcomes[:, None]
        bound = b * (largest(self.weight) + 1) + 1
        losses = integers(np.where(self.actions == DEFER, a, np.where(missed, b, 0)), bound)
        return self._mean(losses, integers(self._one, bound) * b).where(self.truth.outcomes >= 0)

    @property
    def _one(self) -> Integers:
        return np.ones(len(self.weight), dtype=np.int64)

    @property
    def _unit(self) -> Integers:
        bound = largest(self.truth.total) * self.cost.denominator * (largest(self.weight) + 1) + 1
        return integers(self.truth.total, bound) * self.cost.denominator

    def _mean(self, numerators: Integers, unit: Integers) -> Column:
        top = (numerators * self.policy.weights).sum(axis=1)
        return Column.ratio(np.asarray(top), unit * self.weight, self.decided)


def headroom(truth: Truth, cost: Fraction) -> Column:
    """max(0, max q - (1 - c)) on every root with a request, 0 where it could not be asked."""
    a, b = cost.numerator, cost.denominator
    bound = b * largest(truth.total) + 1
    total, best = (integers(array, bound) for array in (truth.total, truth.best))
    worth = np.where(truth.eligible, np.maximum(0, best * b - (b - a) * total), 0)
    return Column.ratio(worth, total * b, truth.intended)
