"""The four accounting views as a table of counts: what each figure rests on, and out of how many.

- `eligible`: requests of a variant that have an answer, of all that were intended.
- `natively valid`: requests of a variant with a valid report in some repeat, of the eligible ones.
- `paired valid`: for a relation, roots where every claim has a valid report in one and the same repeat, of
  the roots where the relation could be asked; for two systems and a variant, requests for which both have a
  valid report, of the eligible ones.
- `intended pipeline`: all requests of a variant, of all: without a valid report, or an answer, one defers.

Requests are counted here and not their repeats, because a figure averages over the repeats of a request
before anything else; `accounting.Account` counts repeats.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from worldgen.scoring.figures.measures import View
from worldgen.scoring.reports.accounting import Judged
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import AnswerKey, Request

Kind = Literal["variant", "relation"]


@dataclass(frozen=True, slots=True)
class Support:
    """One count: with `system` (and `other`, where two are compared), `count` of `of` units of a `subject`,
    a variant's requests or a relation's roots, are in a view.
    """

    system: str
    other: str | None
    kind: Kind
    subject: str
    view: View
    count: int
    of: int


def supports(key: AnswerKey, judged: Mapping[str, Judged]) -> Iterator[Support]:
    """The counts of all views: system by system, its variants and then its relations in table order, and
    at last every pair of systems.
    """
    variants: dict[str, list[Request]] = {}
    for request in key.requests.values():
        variants.setdefault(request.variant, []).append(request)
    repeats = {system: _valid_repeats(found) for system, found in judged.items()}
    for system, valid in repeats.items():
        for variant, requests in variants.items():
            eligible = [request.request_id for request in requests if request.eligible]
            answered = sum(name in valid for name in eligible)
            yield Support(system, None, "variant", variant, "eligible", len(eligible), len(requests))
            yield Support(system, None, "variant", variant, "natively valid", answered, len(eligible))
            yield Support(system, None, "variant", variant, "intended pipeline", len(requests), len(requests))
        roots: dict[str, list[int]] = {}
        for row in key.relations:
            counts = roots.setdefault(row.relation, [0, 0])
            if row.eligible:
                shared = set.intersection(*(valid.get(name, set()) for name in row.request_ids))
                counts[0] += bool(shared)
                counts[1] += 1
        for relation, (count, of) in roots.items():
            yield Support(system, None, "relation", relation, "paired valid", count, of)
    for one, other in combinations(repeats, 2):
        for variant, requests in variants.items():
            eligible = [request.request_id for request in requests if request.eligible]
            both = sum(name in repeats[one] and name in repeats[other] for name in eligible)
            yield Support(one, other, "variant", variant, "paired valid", both, len(eligible))


def _valid_repeats(judged: Judged) -> dict[str, set[int]]:
    """The repeats in which a request has a valid report, for requests that have one."""
    found = {
        name: {repeat for repeat, verdict in answers.items() if isinstance(verdict, Valid)}
        for name, answers in judged.verdicts.items()
    }
    return {name: repeats for name, repeats in found.items() if repeats}
