"""The summary: every system's accounts, errors, residuals and losses, as exact fractions.

Rules that hold for every mean here. Repeats of a request are reports of their own: what they yield is
averaged over the repeats of that request first, so that asking often does not weigh more. Then means
are taken within strata and over strata, each stratum weighing the same (`means.MacroMean`). A mean over
valid reports leaves out requests without one, and names the strata that are left empty; the intended
pipeline leaves out nothing, because there a failure defers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.accounting import Account, Unavailable, Verdict, Verdicts, account, judge
from worldgen.scoring.accuracy import expected_brier, total_variation
from worldgen.scoring.attempts import REFUSALS, RefusalReason, settle
from worldgen.scoring.decisions import COSTS, best_class, canonical_order, expected_loss, oracle_loss
from worldgen.scoring.means import MacroMean, mean
from worldgen.scoring.reader import Valid
from worldgen.scoring.reports import Report
from worldgen.scoring.tables import AnswerKey, Claims, Request, TablesError

Masses = tuple[Fraction, ...]


@dataclass(frozen=True)
class Accuracy:
    """Errors of one system on one variant, over requests with a valid report."""

    total_variation: MacroMean
    expected_brier: MacroMean


@dataclass(frozen=True)
class RelationScore:
    """One relation with one system.

    The relation was declared on `intended` roots; on `eligible` of them every claim could be asked, and
    on `valid` of those every claim has a valid report in one and the same repeat: only these are
    measured. `identity_controls` counts roots whose claims are byte-identical requests. `pass_rate`
    is the macro mean of [residual <= tolerance of the row].
    """

    relation: Relation
    intended: int
    eligible: int
    valid: int
    identity_controls: int
    residual: MacroMean
    pass_rate: MacroMean


@dataclass(frozen=True)
class Loss:
    """What deciding from one variant's reports costs on all intended requests at one cost of deferring.

    Requests without a valid report are deferred, and so are those that were not eligible. `oracle` is
    the least loss that knowing q allows, `deferred` the share that defers; always deferring loses
    `cost` itself.
    """

    cost: Fraction
    loss: MacroMean
    oracle: MacroMean
    deferred: MacroMean


@dataclass(frozen=True)
class SystemSummary:
    """Everything about one system, by variant and by relation name, in table order; `refused` counts the
    rows that were not scored, by reason.
    """

    system: str
    refused: Mapping[RefusalReason, int]
    account: Account
    accounts: Mapping[str, Account]
    accuracy: Mapping[str, Accuracy]
    relations: Mapping[str, RelationScore]
    losses: Mapping[str, tuple[Loss, ...]]


@dataclass(frozen=True)
class Summary:
    """The summaries of all systems, in their order of appearance; `scoring.shown` writes them out."""

    systems: tuple[SystemSummary, ...]


def score(
    key: AnswerKey,
    reports: Sequence[Report],
    *,
    relations: Sequence[Relation] = RELATIONS,
    costs: Sequence[Fraction] = COSTS,
) -> Summary:
    """The summary of all systems among the reports against the answer key.

    `relations` gives a residual to every relation that the key names. Raises ReportsError for reports
    that are wrong by themselves, TablesError for a relation that has no residual or whose claims do not
    align.
    """
    settled = settle(reports, key.requests)
    variants: defaultdict[str, list[Request]] = defaultdict(list)
    for request in key.requests.values():
        variants[request.variant].append(request)
    claims: dict[str, list[Claims]] = {}
    for row in key.relations:
        claims.setdefault(row.relation, []).append(row)
    declared = {relation.name: relation for relation in relations}
    unknown = [name for name in claims if name not in declared]
    if unknown:
        remedy = "pass the relation to score(..., relations=...)"
        raise TablesError(f"relations: nothing measures {', '.join(unknown)}", remedy=remedy)
    oracles = {name: _oracle(requests, costs) for name, requests in variants.items()}
    systems = []
    for system, judged in judge(settled, key.requests).items():
        verdicts = judged.verdicts
        systems.append(
            SystemSummary(
                system,
                {reason: judged.refused[reason] for reason in REFUSALS},
                account(key.requests.values(), judged),
                {name: account(requests, judged) for name, requests in variants.items()},
                {name: _accuracy(requests, verdicts) for name, requests in variants.items()},
                {name: _relation(declared[name], rows, key, verdicts) for name, rows in claims.items()},
                {
                    name: _losses(requests, verdicts, costs, oracles[name])
                    for name, requests in variants.items()
                },
            )
        )
    return Summary(tuple(systems))


def _by_stratum(pairs: Iterable[tuple[str, Sequence[Fraction]]]) -> MacroMean:
    """The macro mean of one value per (stratum, repeats): their mean; none for a stratum named without."""
    found: dict[str, list[Fraction]] = {}
    for stratum, repeats in pairs:
        values = found.setdefault(stratum, [])
        if repeats:
            values.append(repeats[0] if len(repeats) == 1 else mean(repeats))
    return MacroMean.of(found)


def _valid(answers: Mapping[int, Verdict] | None) -> dict[int, Masses]:
    """The valid masses among the repeats of a request."""
    found = (answers or {}).items()
    return {repeat: verdict.masses for repeat, verdict in found if isinstance(verdict, Valid)}


def _accuracy(requests: Sequence[Request], verdicts: Verdicts) -> Accuracy:
    def over(error: Callable[[Masses, Masses], Fraction]) -> MacroMean:
        return _by_stratum(
            (
                request.stratum,
                [
                    error(masses, request.q)
                    for masses in _valid(verdicts.get(request.request_id)).values()
                    if request.q is not None
                ],
            )
            for request in requests
        )

    return Accuracy(over(total_variation), over(expected_brier))


def _aligned(request: Request, masses: Masses) -> Aligned:
    """A valid report on its events; of an event request, "it holds" comes first."""
    events = request.events
    if request.form == "event" and request.options[0] != "true":
        events, masses = events[::-1], masses[::-1]
    return Aligned(events, request.given, masses)


def _relation(
    relation: Relation, rows: Sequence[Claims], key: AnswerKey, verdicts: Verdicts
) -> RelationScore:
    residuals: list[tuple[str, list[Fraction]]] = []
    passes: list[tuple[str, list[Fraction]]] = []
    for row in rows:
        found: list[Fraction] = []
        if row.eligible:
            requests = [key.requests[name] for name in row.request_ids]
            valid = [_valid(verdicts.get(name)) for name in row.request_ids]
            repeats = [repeat for repeat in valid[0] if all(repeat in other for other in valid)]
            try:
                found = [
                    relation.residual([_aligned(r, v[repeat]) for r, v in zip(requests, valid, strict=True)])
                    for repeat in repeats
                ]
            except AlignmentError as error:
                place = f"relations: {row.relation!r} of root {row.root_id!r}"
                raise TablesError(f"{place}: {error.message}") from error
        stratum = key.strata[row.root_id]
        residuals.append((stratum, found))
        passes.append((stratum, [Fraction(residual <= row.tolerance) for residual in found]))
    return RelationScore(
        relation,
        len(rows),
        sum(row.eligible for row in rows),
        sum(bool(found) for _, found in residuals),
        sum(row.identity_control for row in rows),
        _by_stratum(residuals),
        _by_stratum(passes),
    )


def _oracle(requests: Sequence[Request], costs: Sequence[Fraction]) -> list[MacroMean]:
    """Per cost, the oracle's loss on all intended requests; it defers where there is no q."""
    return [
        _by_stratum(
            (request.stratum, [cost if request.q is None else oracle_loss(request.q, cost)])
            for request in requests
        )
        for cost in costs
    ]


def _supplied(request: Request, masses: Masses) -> Masses:
    """What the controller acts on: the masses as reported, but for a question of yes and no the reported
    p(yes) and 1 - p(yes), since such a report is one number and its complement.
    """
    for yes, no in (("true", "false"), ("yes", "no")):
        if set(request.options) == {yes, no}:
            place = request.options.index(yes)
            return tuple(masses[place] if i == place else 1 - masses[place] for i in range(2))
    return masses


def _losses(
    requests: Sequence[Request],
    verdicts: Verdicts,
    costs: Sequence[Fraction],
    oracle: Sequence[MacroMean],
) -> tuple[Loss, ...]:
    """Per cost, the loss of the intended pipeline. The best class of a report is the same at every
    cost, so it is found once: the controller takes it where it costs at most `cost` under the report.
    """
    stances: list[tuple[Request, list[tuple[int, Fraction] | None]]] = []
    for request in requests:
        order = canonical_order(request.events)
        answers = verdicts.get(request.request_id) or {0: Unavailable()}
        stances.append(
            (
                request,
                [
                    best_class(_supplied(request, verdict.masses), order)
                    if isinstance(verdict, Valid)
                    else None
                    for verdict in answers.values()
                ],
            )
        )
    found = []
    for cost, least in zip(costs, oracle, strict=True):
        losses, deferred = [], []
        for request, repeats in stances:
            actions = [None if s is None or s[1] > cost else s[0] for s in repeats]
            losses.append((request.stratum, [expected_loss(a, request.q or (), cost) for a in actions]))
            deferred.append((request.stratum, [Fraction(action is None) for action in actions]))
        found.append(Loss(cost, _by_stratum(losses), least, _by_stratum(deferred)))
    return tuple(found)
