"""Decisions from each variant's reports: measures per system, variant and cost."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from worldgen.scoring.figures.measures import Label, Mean
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.losses import Decided, from_reports, headroom, oracle
from worldgen.scoring.panels.panel import Panel, Truth


def decision_measures(panel: Panel, costs: Sequence[Fraction] = ALL_COSTS) -> Iterator[Mean]:
    """What deciding from one variant's reports comes to, on every root with a request: `expected_loss`,
    `regret`, `coverage` (the share that is not deferred), `bayes_optimal` (the share of actions that no other
    beats under q), and `realised_loss` where outcomes are known.
    """
    truth, policy = panel.truth, from_reports(panel)
    known = truth.outcomes >= 0
    for cost in costs:
        decided = Decided.at(policy, truth, cost)
        columns = (
            ("expected_loss", decided.loss),
            ("regret", decided.regret),
            ("coverage", decided.coverage),
            ("bayes_optimal", decided.bayes_optimal),
        )
        for metric, column in columns:
            yield Mean(_label(metric, truth, panel.system, cost), column, truth.intended)
        if known.any():
            label = _label("realised_loss", truth, panel.system, cost)
            yield Mean(label, decided.realised, known)


def reference_measures(truth: Truth, costs: Sequence[Fraction] = ALL_COSTS) -> Iterator[Mean]:
    """What no system changes: `oracle_loss`, the least loss that knowing q allows, and `headroom`, how far
    that lies below always deferring. The system of their labels is "".
    """
    told = oracle(truth)
    for cost in costs:
        yield Mean(_label("oracle_loss", truth, "", cost), Decided.at(told, truth, cost).loss, truth.intended)
        yield Mean(_label("headroom", truth, "", cost), headroom(truth, cost), truth.intended)


def _label(metric: str, truth: Truth, system: str, cost: Fraction) -> Label:
    return Label("decisions", metric, truth.variant, system, "intended pipeline", cost)
