"""Coherence: the residuals of every relation as columns, and what goes with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.declared import Relation
from worldgen.scoring.figures.columns import Axis, Column, Mask
from worldgen.scoring.figures.means import mean
from worldgen.scoring.figures.measures import Label, Mean
from worldgen.scoring.reports.accounting import Verdict, Verdicts
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import AnswerKey, Claims, Request, TablesError

Masses = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Residuals:
    """One relation with one system, along the roots.

    `residual` holds the mean over the repeats in which every claim of a root has a valid report, `passed`
    the share of these with residual <= tolerance, the bound included. The relation was declared on the
    `intended` roots; on the `eligible` ones every claim could be asked; on `controls` all claims are
    byte-identical requests. `total` holds p(A) + p'(not A), signed as it is, for the complement
    relation, None for others.
    """

    relation: Relation
    intended: Mask
    eligible: Mask
    controls: Mask
    residual: Column
    passed: Column
    total: Column | None


def residuals_of(
    relation: Relation, rows: Sequence[Claims], key: AnswerKey, axis: Axis, verdicts: Verdicts
) -> Residuals:
    """The residuals of a relation. Raises TablesError where its claims do not align."""
    positions = axis.positions
    intended, eligible, controls = (np.zeros(len(axis), dtype=np.bool_) for _ in range(3))
    residual: list[Fraction | None] = [None] * len(axis)
    passed: list[Fraction | None] = [None] * len(axis)
    totals: list[Fraction | None] = [None] * len(axis)
    for row in rows:
        place = positions[row.root_id]
        intended[place], eligible[place], controls[place] = True, row.eligible, row.identity_control
        claims = list(_claims(row, key, verdicts)) if row.eligible else []
        if not claims:
            continue
        try:
            found = [relation.residual(each) for each in claims]
            if relation.name == "complement":
                totals[place] = mean([_total(each) for each in claims])
        except AlignmentError as error:
            where = f"relations: {row.relation!r} of root {row.root_id!r}"
            raise TablesError(f"{where}: {error.message}") from error
        residual[place] = mean(found)
        passed[place] = mean([Fraction(each <= row.tolerance) for each in found])
    total = Column.of(totals) if relation.name == "complement" else None
    return Residuals(relation, intended, eligible, controls, Column.of(residual), Column.of(passed), total)


def valid_masses(answers: Mapping[int, Verdict] | None) -> dict[int, Masses]:
    """The masses of the valid repeats of a request, by repeat."""
    found = (answers or {}).items()
    return {repeat: verdict.masses for repeat, verdict in found if isinstance(verdict, Valid)}


def aligned(request: Request, masses: Masses) -> Aligned:
    """A valid report on its events; of an event request, "it holds" comes first."""
    events = request.events
    if request.form == "event" and request.options[0] != "true":
        events, masses = events[::-1], masses[::-1]
    return Aligned(events, request.given, masses)


def _claims(row: Claims, key: AnswerKey, verdicts: Verdicts) -> Iterator[list[Aligned]]:
    """The aligned claims of each repeat in which every one has a valid report."""
    requests = [key.requests[name] for name in row.request_ids]
    valid = [valid_masses(verdicts.get(name)) for name in row.request_ids]
    for repeat in valid[0]:
        if all(repeat in other for other in valid):
            yield [aligned(one, masses[repeat]) for one, masses in zip(requests, valid, strict=True)]


def _total(claims: Sequence[Aligned]) -> Fraction:
    event, other = claims
    asked = event.events[0]
    return event.mass(asked) + other.mass(other.given - asked)


def coherence_measures(found: Residuals, system: str) -> Iterator[Mean]:
    """The mean residual and the pass rate of a relation; of the complement also the mean of p(A) + p'(not A)
    and the share of roots on which it exceeds 1.
    """
    columns = {"residual": found.residual, "pass_rate": found.passed}
    if found.total is not None:
        above = found.total.numerators > found.total.denominators
        ones = np.ones(len(above), dtype=np.int64)
        columns["complement_mass"] = found.total
        columns["excess_mass"] = Column.ratio(above.astype(np.int64), ones, found.total.valid)
    for metric, column in columns.items():
        label = Label("coherence", metric, found.relation.name, system, "paired valid")
        yield Mean(label, column, found.eligible)
