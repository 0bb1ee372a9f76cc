"""The results: every system's accounts and figures, and what is concluded from them.

Rules that hold for every mean. Repeats of a request are reports of their own: what they yield is averaged
over the repeats of that request first, so that asking often does not weigh more. Then means are taken
within strata and over strata, each stratum weighing the same. A mean over valid reports leaves out
roots without one, and says so; the intended pipeline leaves out nothing, because there a failure defers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.exact.errors import WorldgenError
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.accounting import Account, Verdicts, account, judge
from worldgen.scoring.bootstrap import REPLICATES, SEED, Bootstrap
from worldgen.scoring.certified import certificate_measures, certified
from worldgen.scoring.coherence import Residuals, coherence_measures, residuals_of
from worldgen.scoring.columns import Axis
from worldgen.scoring.contrasts import between_interfaces, between_systems, interfaces
from worldgen.scoring.criterion import Condition, criterion
from worldgen.scoring.estimates import Figure, figures
from worldgen.scoring.kernels import accuracy_measures
from worldgen.scoring.measures import Measure
from worldgen.scoring.panels import Panel, Truth
from worldgen.scoring.reports import Report, check_reports
from worldgen.scoring.tables import AnswerKey, Claims, Request, TablesError


class FigureError(WorldgenError, LookupError):
    """A figure that the results do not have."""


@dataclass(frozen=True)
class System:
    """One system: its account over all requests and by variant, the counts of every relation as
    (intended, eligible, identity controls), and the conditions of the operational criterion.
    """

    name: str
    account: Account
    accounts: Mapping[str, Account]
    relations: Mapping[str, tuple[int, int, int]]
    criterion: tuple[Condition, ...]

    @property
    def operational(self) -> bool:
        """Whether every condition of the operational criterion is met."""
        return all(condition.met for condition in self.criterion)


@dataclass(frozen=True)
class Results:
    """What scoring found: `systems` in their order of appearance, `figures` family by family, and how the
    intervals were drawn.
    """

    systems: tuple[System, ...]
    figures: tuple[Figure, ...]
    relations: tuple[Relation, ...]
    bootstrap: Bootstrap

    def figure(  # noqa: PLR0913  # each narrows the search, all by name
        self,
        metric: str,
        subject: str,
        *,
        system: str | None = None,
        at: Fraction | None = None,
        coverage: Fraction | None = None,
        stratum: str = "",
        against: str = "",
    ) -> Figure:
        """The one figure of a metric and a subject. `system` may be left out where there is only one.

        Raises FigureError, saying which there are, where none or several fit.
        """
        named = [
            each for each in self.figures if each.label.metric == metric and each.label.against == against
        ]
        found = [
            each
            for each in named
            if each.label.subject == subject
            and each.stratum == stratum
            and (each.label.at, each.label.coverage) == (at, coverage)
            and system in (None, each.label.system)
        ]
        if len(found) == 1:
            return found[0]
        if len(found) > 1:
            systems = sorted({each.label.system for each in found})
            raise FigureError(
                f"{metric} of {subject} is there {len(found)} times", remedy=f"say which system: {systems}"
            )
        if not named:
            metrics = sorted({each.label.metric for each in self.figures})
            raise FigureError(f"no figure is called {metric}", remedy=f"one of {', '.join(metrics)}")
        subjects = sorted({each.label.subject for each in named})
        costs = sorted({str(each.label.at) for each in named if each.label.at is not None})
        remedy = f"subjects: {', '.join(subjects)}" + (f"; at: {', '.join(costs)}" if costs else "")
        raise FigureError(f"there is no {metric} of {subject} there", remedy=remedy)


def score(
    key: AnswerKey,
    reports: Sequence[Report],
    *,
    relations: Sequence[Relation] = RELATIONS,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Results:
    """The results of all systems among the reports against the answer key.

    `relations` gives a residual to every relation that the key names. Raises ReportsError for reports
    that do not fit the key, TablesError for a relation that has no residual or whose claims do not align.
    """
    check_reports(reports, key.requests)
    axis = Axis.of(key.strata)
    truths = {name: Truth.of(name, requests, axis) for name, requests in _variants(key).items()}
    declared = _declared(key, relations)
    bootstrap = Bootstrap(axis, replicates, seed)
    measures: list[Measure] = []
    judged = judge(reports, key.requests)
    residuals: dict[str, dict[str, Residuals]] = {}
    for system, verdicts in judged.items():
        residuals[system] = {
            name: residuals_of(relation, rows, key, axis, verdicts)
            for name, (relation, rows) in declared.items()
        }
        measures += _of_system(system, truths, verdicts, residuals[system])
        if key.posteriors:
            measures += certificate_measures(certified(key, verdicts), axis, system)
    pairs = list(interfaces([relation for relation, _ in declared.values()], truths))
    measures += list(between_interfaces(measures, pairs))
    measures += list(between_systems(measures, list(judged)))
    found = figures(measures, bootstrap)
    return Results(
        tuple(
            System(
                system,
                account(key.requests.values(), verdicts),
                {name: account(_asked(truth), verdicts) for name, truth in truths.items()},
                {name: _counts(each) for name, each in residuals[system].items()},
                criterion(
                    account(key.requests.values(), verdicts),
                    found,
                    [relation for relation, _ in declared.values()],
                    system,
                ),
            )
            for system, verdicts in judged.items()
        ),
        tuple(found),
        tuple(relation for relation, _ in declared.values()),
        bootstrap,
    )


def _of_system(
    system: str, truths: Mapping[str, Truth], verdicts: Verdicts, residuals: Mapping[str, Residuals]
) -> Iterator[Measure]:
    panels = {name: Panel.of(system, truth, verdicts) for name, truth in truths.items()}
    for panel in panels.values():
        yield from accuracy_measures(panel)
    for found in residuals.values():
        yield from coherence_measures(found, system)


def _variants(key: AnswerKey) -> dict[str, list[Request]]:
    found: dict[str, list[Request]] = {}
    for request in key.requests.values():
        found.setdefault(request.variant, []).append(request)
    return found


def _asked(truth: Truth) -> Iterator[Request]:
    return (request for request in truth.requests if request is not None)


def _declared(key: AnswerKey, relations: Sequence[Relation]) -> dict[str, tuple[Relation, list[Claims]]]:
    """The relations that the key names, each with its rows."""
    known = {relation.name: relation for relation in relations}
    rows: dict[str, list[Claims]] = {}
    for row in key.relations:
        rows.setdefault(row.relation, []).append(row)
    unknown = [name for name in rows if name not in known]
    if unknown:
        remedy = "pass the relation to score(..., relations=...)"
        raise TablesError(f"relations: nothing measures {', '.join(unknown)}", remedy=remedy)
    return {name: (known[name], found) for name, found in rows.items()}


def _counts(found: Residuals) -> tuple[int, int, int]:
    return int(found.intended.sum()), int(found.eligible.sum()), int(found.controls.sum())
