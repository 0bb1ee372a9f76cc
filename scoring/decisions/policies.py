"""Policies over the reports of one binary question: its event request, the same asked as a choice, and an
exact repeat.

A policy sees reports and a cost. Where a report that it needs is missing, it defers. Each decision
takes one or two queries, always deferring none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from worldgen.exact.pools import rationals
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.figures.measures import Label, Mean, Ratio, contrast
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.alike import aligned
from worldgen.scoring.panels.controllers import DEFER, Policy, Stances, agreed, averaged, either, stances
from worldgen.scoring.panels.losses import Decided, Rows, from_reports, oracle
from worldgen.scoring.panels.panel import Panel, Places, Truth

CONTRASTS: Final = (
    ("mean", "random-interface"),
    ("agreement", "mean"),
    ("mean", "event"),
    ("repeat-mean", "event"),
)
"""The pairs of policies whose losses are compared, the first less the second."""


@dataclass(frozen=True, eq=False)
class Policies:
    """The policies that the reports of one system allow on one binary question, by name:

    - `event`, `choice`: the controller on one report (one query);
    - `mean`, `repeat-mean`: on the mean of two (two queries);
    - `agreement`, `repeat-agreement`: the action that two reports share, else deferring (two queries);
    - `random-interface`: event or choice with equal probability, so its loss is the mean of theirs (one);
    - `always-defer` (none), and `oracle`, the controller told q, which no controller can follow.
    """

    system: str
    truth: Truth
    by_name: Mapping[str, Policy]

    @classmethod
    def of(cls, event: Panel, choice: Panel | None = None, repeat: Panel | None = None) -> "Policies":
        """The policies of the panels that there are, all of one system."""
        truth = event.truth
        alone = from_reports(event)
        found = [Policy("event", 1, alone.stances, alone.weights)]
        if choice is not None:
            reported, weights = aligned(choice, truth)
            found.append(Policy("choice", 1, stances(reported), weights))
            found += _of_two("mean", "agreement", event, choice)
            found.append(either("random-interface", found[0], found[1]))
        if repeat is not None:
            found += _of_two("repeat-mean", "repeat-agreement", event, repeat)
        told = oracle(truth)
        none = np.zeros_like(told.weights)
        nothing = Stances(none + DEFER, none, none + 1)
        found += [Policy("always-defer", 0, nothing, told.weights), told]
        return cls(event.system, truth, {policy.name: policy for policy in found})

    def decided(self, name: str, cost: Fraction) -> Decided:
        """The decisions of a policy at a cost."""
        return Decided.at(self.by_name[name], self.truth, cost)

    def contrasted(self, first: str, second: str, cost: Fraction) -> Mean:
        """The expected loss of one policy less that of another at a cost."""
        one, two = (
            self._mean("policy_loss", name, cost, self.decided(name, cost).loss) for name in (first, second)
        )
        return contrast(one, two, subject=f"{first} - {second}")

    @property
    def contrasts(self) -> tuple[tuple[str, str], ...]:
        """The contrasts whose policies are both there."""
        return tuple(pair for pair in CONTRASTS if self.by_name.keys() >= set(pair))

    def measures(self, costs: Sequence[Fraction] = ALL_COSTS) -> Iterator[Mean | Ratio]:
        """Per policy and cost `policy_loss` (expected), `policy_regret`, `policy_coverage` (the share that
        takes a class), `policy_bayes_optimal` (the share that no other action beats under q) and
        `headroom_captured`, and the contrasts of losses.

        Headroom captured is (c - L) / (c - L*), L the mean loss of the policy and L* that of the oracle: 1
        for the oracle, 0 for always deferring, negative for what loses more than that.
        """
        for cost in costs:
            always = self.decided("always-defer", cost).loss
            available = always - self.decided("oracle", cost).loss
            for name in self.by_name:
                decided = self.decided(name, cost)
                yield self._mean("policy_loss", name, cost, decided.loss)
                yield self._mean("policy_regret", name, cost, decided.regret)
                yield self._mean("policy_coverage", name, cost, decided.coverage)
                yield self._mean("policy_bayes_optimal", name, cost, decided.bayes_optimal)
                label = self._label("headroom_captured", name, cost)
                yield Ratio(label, always - decided.loss, available, self.truth.intended)
            for first, second in self.contrasts:
                yield self.contrasted(first, second, cost)

    def inventory(self) -> Rows:
        """One row per policy: `policy`, and `queries`, how many requests a decision takes (None: oracle)."""
        return [
            {"system": self.system, "policy": policy.name, "queries": policy.queries}
            for policy in self.by_name.values()
        ]

    def optimality(self, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
        """Per policy and cost, all minimisers under q kept: of `decisions` (slots of roots), `optimal` took
        an action of least loss, `suboptimal` one that loses strictly more; in `tied` several actions have
        the least loss.
        """
        rows: Rows = []
        for cost in costs:
            for name, policy in self.by_name.items():
                decided = self.decided(name, cost)
                slots = policy.weights > 0
                count, optimal = int(slots.sum()), int((slots & decided.optimal).sum())
                rows.append(
                    {
                        "system": self.system,
                        "policy": name,
                        "cost": float(cost),
                        "decisions": count,
                        "optimal": optimal,
                        "suboptimal": count - optimal,
                        "tied": int((slots & decided.tied[:, None]).sum()),
                    }
                )
        return rows

    def helps_and_harms(self, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
        """Per contrast and cost, the number of roots on which the first policy loses less (`helps`), the same
        (`equal`) and more (`harms`) than the second.
        """
        rows: Rows = []
        for first, second, cost, column in self._differences(costs):
            signs = np.sign(column.numerators)[column.valid]
            counts = {sign: int((signs == sign).sum()) for sign in (-1, 0, 1)}
            row = {"helps": counts[-1], "equal": counts[0], "harms": counts[1]}
            rows.append(
                {"system": self.system, "contrast": f"{first} - {second}", "cost": float(cost), **row}
            )
        return rows

    def differing_roots(self, axis: Axis, costs: Sequence[Fraction] = ALL_COSTS) -> Rows:
        """Per contrast, cost and root where the two policies lose differently: `sign` is -1 where the first
        loses less and 1 where it loses more, `amount` the difference as the nearest double and `exact` as a
        fraction.
        """
        rows: Rows = []
        for first, second, cost, column in self._differences(costs):
            places = np.flatnonzero(column.valid & (column.numerators != 0))
            exact = rationals(column.numerators[places], column.denominators[places]).to_pylist()
            amounts = column.doubles()[places].tolist()
            rows += [
                {
                    "system": self.system,
                    "contrast": f"{first} - {second}",
                    "cost": float(cost),
                    "root_id": axis.roots[place],
                    "sign": -1 if text.startswith("-") else 1,
                    "amount": amount,
                    "exact": text,
                }
                for place, amount, text in zip(places.tolist(), amounts, exact, strict=True)
            ]
        return rows

    def _differences(self, costs: Sequence[Fraction]) -> Iterator[tuple[str, str, Fraction, Column]]:
        for first, second in self.contrasts:
            for cost in costs:
                yield first, second, cost, self.contrasted(first, second, cost).column

    def _mean(self, metric: str, name: str, cost: Fraction, column: Column) -> Mean:
        return Mean(self._label(metric, name, cost), column, self.truth.intended)

    def _label(self, metric: str, name: str, cost: Fraction) -> Label:
        return Label("policies", metric, name, self.system, "intended pipeline", cost)


def _of_two(mean: str, agreement: str, event: Panel, other: Panel) -> tuple[Policy, Policy]:
    """The two policies that take both reports. A slot is a repeat in which either was asked."""
    reported, weights = aligned(other, event.truth)
    either_asked: Places = np.maximum(event.asked.astype(np.int64), weights)
    both = averaged(event.reported, reported)
    shared = agreed(stances(event.reported), stances(reported))
    return Policy(mean, 2, stances(both), either_asked), Policy(agreement, 2, shared, either_asked)
