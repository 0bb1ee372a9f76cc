"""The results: every system's accounts and figures, and what is concluded from them.

Rules that hold for every mean. Repeats of a request are reports of their own: what they yield is averaged
over the repeats of that request first, so that asking often does not weigh more. Then means are taken
within strata and over strata, each stratum weighing the same. A mean over valid reports leaves out
roots without one, and says so; the intended pipeline leaves out nothing, because there a failure defers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import combinations

from worldgen.exact.errors import WorldgenError
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.accuracy.coherence import Residuals
from worldgen.scoring.accuracy.contrasts import between_interfaces, between_systems
from worldgen.scoring.accuracy.criterion import Condition, criterion
from worldgen.scoring.accuracy.leakage import leakage
from worldgen.scoring.accuracy.selection import selection_contrasts
from worldgen.scoring.decisions.deciding import reference_measures
from worldgen.scoring.figures.bootstrap import REPLICATES, SEED, Bootstrap
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.estimates import Figure, figures
from worldgen.scoring.figures.measures import Combined, Measure, Weighted
from worldgen.scoring.panels.losses import Rows
from worldgen.scoring.panels.panel import Truth
from worldgen.scoring.reports.accounting import Account, account, judge, model_counts
from worldgen.scoring.reports.attempts import REFUSALS, RefusalReason, settle
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import AnswerKey, Claims, Request, TablesError
from worldgen.scoring.scored import Asked, Scored
from worldgen.scoring.views import supports

STRATIFIED = ("accuracy", "coherence", "certificate", "pairs")
"""The families whose figures are always given stratum by stratum, too."""


class FigureError(WorldgenError, LookupError):
    """A figure that the results do not have."""


@dataclass(frozen=True)
class System:
    """One system: its account over all requests and by variant, the counts of every relation as
    (intended, eligible, identity controls), the rows that were refused, by reason, and the conditions of
    the operational criterion.
    """

    name: str
    account: Account
    accounts: Mapping[str, Account]
    relations: Mapping[str, tuple[int, int, int]]
    refused: Mapping[RefusalReason, int]
    criterion: tuple[Condition, ...]

    @property
    def operational(self) -> bool:
        """Whether every condition of the operational criterion is met."""
        return all(condition.met for condition in self.criterion)


@dataclass(frozen=True)
class Results:
    """What scoring found: `systems` in their order of appearance, `figures` family by family, how the
    intervals were drawn, and by name the tables of rows that are no figures (`scoring.shown` lists them).
    """

    systems: tuple[System, ...]
    figures: tuple[Figure, ...]
    relations: tuple[Relation, ...]
    bootstrap: Bootstrap
    rows: Mapping[str, Rows]

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


def score(  # noqa: PLR0913  # the last four have defaults, and names
    key: AnswerKey,
    reports: Sequence[Report],
    *,
    relations: Sequence[Relation] = RELATIONS,
    replicates: int = REPLICATES,
    seed: int = SEED,
    full: bool = False,
) -> Results:
    """The results of all systems among the reports against the answer key.

    `relations` gives a residual to every relation that the key names. Figures of STRATIFIED families come
    with their strata. With `full` those of decisions do, too, the figures hold the contrasts at every cost
    k/200 and threshold, and the rows hold the curves, their breakpoints and the roots on which policies
    differ. Raises ReportsError for reports that are wrong by themselves, TablesError for a relation that
    has no residual or whose claims do not align.
    """
    settled = settle(reports, key.requests)
    judged = judge(settled, key.requests)
    axis = Axis.of(key.strata)
    truths = {name: Truth.of(name, requests, axis) for name, requests in _variants(key).items()}
    asked = Asked(key, axis, truths, _declared(key, relations))
    systems = [Scored(name, asked, found) for name, found in judged.items()]
    bootstrap = Bootstrap(axis, replicates, seed)
    measures = _measures(asked, systems)
    found = figures([each for each in measures if _family(each) in STRATIFIED], bootstrap)
    others = [each for each in measures if _family(each) not in STRATIFIED]
    found += figures(others, bootstrap, by_stratum=full)
    rows: dict[str, Rows] = {
        "views": [asdict(support) for support in supports(key, judged)],
        "models": [asdict(count) for count in model_counts(settled, judged)],
        "leakage": leakage(panel for system in systems for panel in system.panels.values()),
    }
    for system in systems:
        for name, more in system.tables(full=full).items():
            rows.setdefault(name, []).extend(more)
    if full:
        along = [measure for system in systems for measure in system.curve_measures()]
        along += between_systems(along, [system.system for system in systems])
        found += figures(along, bootstrap, by_stratum=False)
    return Results(
        tuple(_system(system, found) for system in systems),
        tuple(found),
        tuple(relation for relation, _ in asked.relations.values()),
        replace(bootstrap),  # without the weights that it keeps
        rows,
    )


def _family(measure: Measure) -> str:
    return measure.labels[0].family if isinstance(measure, Weighted | Combined) else measure.label.family


def _measures(asked: Asked, systems: Sequence[Scored]) -> list[Measure]:
    measures: list[Measure] = []
    for system in systems:
        measures += system.measures()
    measures += between_interfaces(measures, [(first, second) for _, first, second in asked.same])
    measures += between_systems(measures, [system.system for system in systems])
    selected = [system.candidates for system in systems if system.candidates is not None]
    for first, second in combinations(selected, 2):
        measures += selection_contrasts(first, second)
    for truth in asked.truths.values():
        measures += reference_measures(truth)
    return measures


def _system(system: Scored, found: Sequence[Figure]) -> System:
    asked = system.asked
    whole = account(asked.key.requests.values(), system.judged)
    declared = [relation for relation, _ in asked.relations.values()]
    return System(
        system.system,
        whole,
        {name: account(_asked(truth), system.judged) for name, truth in asked.truths.items()},
        {name: _counts(each) for name, each in system.residuals.items()},
        {reason: system.judged.refused[reason] for reason in REFUSALS},
        criterion(whole, found, declared, system.system),
    )


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
