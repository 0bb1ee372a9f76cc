"""One system beside the truth: its panels, and every measure and table that is made of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from worldgen.relations.declared import Relation
from worldgen.scoring.accuracy.certified import CertifiedRoot, certificate_measures, certified
from worldgen.scoring.accuracy.coherence import Residuals, coherence_measures, residuals_of
from worldgen.scoring.accuracy.kernels import accuracy_measures
from worldgen.scoring.accuracy.selection import Candidates, selection_measures
from worldgen.scoring.decisions.averaging import penalty_rows
from worldgen.scoring.decisions.curves import LossCurves
from worldgen.scoring.decisions.deciding import decision_measures
from worldgen.scoring.decisions.elementary import MurphyCurves
from worldgen.scoring.decisions.margins import margin_rows
from worldgen.scoring.decisions.pairs import pair_measures
from worldgen.scoring.decisions.policies import Policies
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.means import exact_text
from worldgen.scoring.figures.measures import Measure
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.alike import action_changes, alike
from worldgen.scoring.panels.losses import Rows
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.accounting import Judged
from worldgen.scoring.reports.tables import AnswerKey, Claims

INTERFACES = "event-choice"
REPEATS = "exact-repeat"
"""The relations whose claims give policies a second report of one event."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What every system was asked: the truth of each variant along the roots, and the relations that the
    cohort declares, each with its rows.
    """

    key: AnswerKey
    axis: Axis
    truths: Mapping[str, Truth]
    relations: Mapping[str, tuple[Relation, Sequence[Claims]]]

    @cached_property
    def same(self) -> tuple[tuple[str, str, str], ...]:
        """The relations that compare two requests of one question, with the two variants: on every root
        that has both, their options are the same events.
        """
        found = []
        for name, (relation, _) in self.relations.items():
            if len(relation.claims) == 2 and all(claim in self.truths for claim in relation.claims):
                first, second = relation.claims
                both = self.truths[first].intended & self.truths[second].intended
                if both.any() and alike(self.truths[first], self.truths[second])[both].all():
                    found.append((name, first, second))
        return tuple(found)

    def second(self, relation: str) -> str | None:
        """The variant that a relation compares with the event, None where it does not."""
        return next((second for name, _, second in self.same if name == relation), None)


@dataclass(frozen=True, eq=False)
class Scored:
    """What one system answered."""

    system: str
    asked: Asked
    judged: Judged

    @cached_property
    def panels(self) -> Mapping[str, Panel]:
        """Its reports by variant."""
        return {
            name: Panel.of(self.system, truth, self.judged.verdicts)
            for name, truth in self.asked.truths.items()
        }

    @cached_property
    def residuals(self) -> Mapping[str, Residuals]:
        """Its residuals by relation."""
        asked = self.asked
        return {
            name: residuals_of(relation, rows, asked.key, asked.axis, self.judged.verdicts)
            for name, (relation, rows) in asked.relations.items()
        }

    @cached_property
    def certified(self) -> Sequence[CertifiedRoot]:
        """The certificate of every root; none where the posteriors are not known."""
        return list(certified(self.asked.key, self.judged.verdicts)) if self.asked.key.posteriors else []

    @cached_property
    def policies(self) -> Policies | None:
        """The policies on a binary question; None where none is asked."""
        event = self._event
        if event is None:
            return None
        return Policies.of(event, *(self._panel(name) for name in (INTERFACES, REPEATS)))

    @cached_property
    def candidates(self) -> Candidates | None:
        """The candidates of selection; None where no event is asked in two ways."""
        event, choice = self._event, self._panel(INTERFACES)
        return None if event is None or choice is None else Candidates.of(event, choice, self.asked.axis)

    @property
    def _event(self) -> Panel | None:
        first = next((one for name, one, _ in self.asked.same if name in (INTERFACES, REPEATS)), "event")
        panel = self.panels.get(first)
        return panel if panel is not None and (panel.truth.yes >= 0).any() else None

    def _panel(self, relation: str) -> Panel | None:
        second = self.asked.second(relation)
        return None if second is None else self.panels[second]

    @property
    def _pairs(self) -> Iterator[tuple[str, Panel, Panel]]:
        for name, first, second in self.asked.same:
            yield name, self.panels[first], self.panels[second]

    def measures(self) -> Iterator[Measure]:
        """Every measure of the system that is not a curve."""
        for panel in self.panels.values():
            yield from accuracy_measures(panel)
        for found in self.residuals.values():
            yield from coherence_measures(found, self.system)
        if self.certified:
            yield from certificate_measures(self.certified, self.asked.axis, self.system)
        for panel in self.panels.values():
            yield from decision_measures(panel)
        for name, first, second in self._pairs:
            yield from action_changes(name, first, second, ALL_COSTS)
            yield from pair_measures(name, first, second)
        if self.policies is not None:
            yield from self.policies.measures()
        if self.candidates is not None:
            yield from selection_measures(self.candidates)

    def curve_measures(self) -> Iterator[Measure]:
        """The contrasts along the curves: the mean report less a random interface."""
        if self._losses is not None:
            yield from self._losses.contrasts()
        if self._murphy is not None:
            for inclusive in (True, False):
                yield from self._murphy.contrasts(inclusive=inclusive)

    @cached_property
    def _losses(self) -> LossCurves | None:
        return None if self.policies is None else LossCurves(self.policies, self.asked.axis)

    @cached_property
    def _murphy(self) -> MurphyCurves | None:
        event = self._event
        if event is None:
            return None
        others = (self._panel(name) for name in (INTERFACES, REPEATS))
        return MurphyCurves.of(self.asked.axis, event, *others)

    def tables(self, *, full: bool) -> dict[str, Rows]:
        """Its tables that are no figures, by name; with `full` also those of curves and of single roots."""
        policies = self.policies
        found = {
            "roots": [_root(self.system, root) for root in self.certified],
            "policies": policies.inventory() if policies else [],
            "optimality": policies.optimality() if policies else [],
            "helps_and_harms": policies.helps_and_harms() if policies else [],
            "penalties": [row for pair in self._pairs for row in penalty_rows(*pair)],
            "margins": [row for pair in self._pairs for row in margin_rows(*pair)],
        }
        if not full:
            return found
        losses, murphy = self._losses, self._murphy
        return found | {
            "differing_roots": policies.differing_roots(self.asked.axis) if policies else [],
            "loss_curves": losses.grid() if losses else [],
            "loss_breakpoints": losses.breakpoints() if losses else [],
            "loss_signs": losses.signs() if losses else [],
            "murphy_curves": murphy.grid() if murphy else [],
            "murphy_breakpoints": murphy.breakpoints() if murphy else [],
        }


def _root(system: str, root: CertifiedRoot) -> dict[str, str | int | float | bool | None]:
    values = {"certificate": root.certificate, "mean_error": root.error, "hidden_error": root.hidden}
    return {
        "system": system,
        "root_id": root.root_id,
        "stratum": root.stratum,
        "reports": root.reports,
        **{name: None if value is None else float(value) for name, value in values.items()},
        **{f"exact_{name}": None if value is None else exact_text(value) for name, value in values.items()},
    }
