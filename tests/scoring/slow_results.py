"""Random cohorts with random failures, and a slow reading of what the results are."""

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS, Relation, eligibility
from worldgen.scoring.reports.reader import Valid, read_report
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import AnswerKey

Tables = dict[str, list[dict[str, Any]]]
ATOMS = frozenset(range(4))
CHOICES = ("canonical", "permutation", "rendering", "opaque-keys", "metadata")


def cohort(roots: int, seed: int, wire: str = "chat", strata: int = 3) -> Tables:
    """The tables of random four-cell worlds, all twelve variants and ten relations."""
    dice = random.Random(seed)
    made: Tables = {"roots": [], "requests": [], "targets": [], "relations": [], "truth": []}
    a, everything = {0, 1}, set(ATOMS)
    for i in range(roots):
        root = f"root-{i}"
        weights = [dice.randint(0, 99) * dice.randint(0, 10) for _ in ATOMS]
        weights[dice.choice([0, 2])] += 1
        if dice.random() < 0.2:
            weights[1] = weights[3] = 0
        b = {1, 3}
        made["roots"].append(
            {
                "root_id": root,
                "world": "w",
                "stratum": f"s{i % strata}",
                "view": "v",
                "visible": [],
                "semantic_digest": "",
            }
        )
        made["truth"].append(
            {
                "root_id": root,
                "view": "v",
                "posterior": [str(Fraction(weight, sum(weights))) for weight in weights],
                "hidden": [],
                "outcome": 0,
            }
        )
        events: dict[str, tuple[set[int], set[int]]] = {
            "event": (a, everything),
            "complement": (everything - a, everything),
            "query-b": (b, everything),
            "intersection": (a & b, everything),
            "conditional": (a, b),
            "exact-repeat": (a, everything),
        }
        asked: dict[str, tuple[str, list[set[int]], set[int]]] = {
            name: ("event", [event, everything - event], given) for name, (event, given) in events.items()
        }
        for name in CHOICES:
            cells = [{cell} for cell in ATOMS]
            dice.shuffle(cells)
            asked[name] = ("choice", cells, everything)
        asked["binary-choice"] = ("choice", [everything - a, a], everything)
        eligible = {}
        for position, (variant, (form, options, given_atoms)) in enumerate(asked.items()):
            mass = sum(weights[k] for k in given_atoms)
            eligible[variant] = mass > 0
            q = (
                [str(Fraction(sum(weights[k] for k in o & given_atoms), mass)) for o in options]
                if mass
                else None
            )
            names = [f"k{k}" for k in range(len(options))]
            if len(options) == 2:
                names = ["true", "false"] if form == "event" else ["no", "yes"]
            made["requests"].append(
                {
                    "request_id": f"{root}/{variant}",
                    "root_id": root,
                    "variant": variant,
                    "position": position,
                    "form": form,
                    "wire": wire,
                    "payload": "{}" if mass else None,
                    "options": names,
                    "answer_ids": names,
                    "eligible": mass > 0,
                    "portable": True,
                }
            )
            made["targets"].append(
                {
                    "request_id": f"{root}/{variant}",
                    "event_map": [sorted(option) for option in options],
                    "given": sorted(given_atoms),
                    "q": q,
                    "q_float": None if q is None else [float(Fraction(text)) for text in q],
                    "outcome": None,
                    "ineligible_reason": None if mass else "no mass",
                }
            )
        for relation in RELATIONS:
            judged, reason = eligibility(relation, eligible)
            made["relations"].append(
                {
                    "root_id": root,
                    "relation": relation.name,
                    "request_ids": [f"{root}/{claim}" for claim in relation.claims],
                    "eligible": judged,
                    "reason": reason,
                    "tolerance": str(relation.tolerance),
                    "primary": relation.primary,
                    "identity_control": False,
                }
            )
    return made


def key_of(made: Tables) -> AnswerKey:
    return AnswerKey.of(*(made[name] for name in ("roots", "requests", "targets", "relations", "truth")))


def answers(made: Tables, seed: int, repeats: int = 1, failures: float = 0.2) -> list[Report]:
    """Two-decimal reports near nothing in particular, some broken, some unavailable, some missing."""
    dice = random.Random(seed)
    found = []
    for row, repeat in product(made["requests"], range(repeats)):
        if not row["eligible"] or dice.random() < failures / 4:
            continue
        report = {"system": "m", "request_id": row["request_id"], "repeat": repeat}
        if dice.random() < failures / 4:
            found.append(Report(**report, status="unavailable"))
            continue
        cuts = sorted(dice.choice([0, 2, 5, 10, 50, 90, 95, 100]) for _ in row["options"][1:])
        parts = [high - low for low, high in zip([0, *cuts], [*cuts, 100], strict=True)]
        values = [f"{part / 100:.2f}" for part in parts]
        if row["wire"] == "systemone" and row["form"] == "event":
            answer = f'{{"type": "noul", "noul": {values[0]}}}'
        else:
            inside = ", ".join(
                f'"{name}": {value}' for name, value in zip(row["answer_ids"], values, strict=True)
            )
            answer = "{" + inside + "}"
            if row["wire"] == "systemone":
                answer = f'{{"type": "{row["form"]}", "probabilities": {answer}}}'
        body = f'{{"model": "m", "answers": {{"q": {answer}}}}}' if row["wire"] == "systemone" else answer
        if dice.random() < failures / 2:
            body = dice.choice(["", body + "!", "{}", body.replace("0.", "1."), body.replace("0.5", '"x"')])
        found.append(Report(**report, response=body))
    return found


def average(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def macro(by_stratum: Mapping[str, list[Fraction]]) -> Fraction | None:
    means = [average(values) for values in by_stratum.values() if values]
    return average(means) if means else None


class Slow:
    """Every figure straight from its definition, one request at a time."""

    def __init__(self, made: Tables, reports: Sequence[Report]) -> None:
        self.made = made
        self.key = key_of(made)
        self.strata = {row["root_id"]: row["stratum"] for row in made["roots"]}
        self.masses: dict[tuple[str, int], tuple[Fraction, ...]] = {}
        self.repeats: dict[str, list[int]] = {row["request_id"]: [] for row in made["requests"]}
        for report in reports:
            self.repeats[report.request_id].append(report.repeat)
            if report.status == "answered":
                verdict = read_report(report, self.key.requests[report.request_id])
                if isinstance(verdict, Valid):
                    self.masses[report.request_id, report.repeat] = verdict.masses

    def spread(self, root: str, found: dict[str, list[Fraction]], values: list[Fraction]) -> None:
        bucket = found.setdefault(self.strata[root], [])
        if values:
            bucket.append(average(values))

    def error(self, variant: str, brier: bool) -> Fraction | None:
        found: dict[str, list[Fraction]] = {}
        for request in self.key.requests.values():
            if request.variant != variant:
                continue
            values = []
            for repeat in self.repeats[request.request_id]:
                p, q = self.masses.get((request.request_id, repeat)), request.q
                if p is None or q is None:
                    continue
                size = range(len(q))
                if brier:
                    values.append(
                        sum((q[y] * sum((p[k] - (k == y)) ** 2 for k in size) for y in size), Fraction(0))
                    )
                else:
                    values.append(sum((max(p[k] - q[k], Fraction(0)) for k in size), Fraction(0)))
            self.spread(request.root_id, found, values)
        return macro(found)

    def relation(self, relation: Relation) -> tuple[int, int, Fraction | None, Fraction | None]:
        residuals: dict[str, list[Fraction]] = {}
        passes: dict[str, list[Fraction]] = {}
        eligible = valid = 0
        for row in self.made["relations"]:
            if row["relation"] != relation.name:
                continue
            eligible += row["eligible"]
            values = []
            for repeat in range(9):
                claims = []
                for name in row["request_ids"]:
                    if (name, repeat) in self.masses:
                        request = self.key.requests[name]
                        claims.append(Aligned(request.events, request.given, self.masses[name, repeat]))
                if len(claims) == len(row["request_ids"]):
                    values.append(relation.residual(claims))
            valid += bool(values)
            self.spread(row["root_id"], residuals, values)
            self.spread(row["root_id"], passes, [Fraction(relation.passes(value)) for value in values])
        return eligible, valid, macro(residuals), macro(passes)

    def loss(self, variant: str, cost: Fraction) -> tuple[Fraction | None, Fraction | None]:
        found: dict[str, list[Fraction]] = {}
        oracle: dict[str, list[Fraction]] = {}
        for request in self.key.requests.values():
            if request.variant != variant:
                continue
            losses = []
            for repeat in self.repeats[request.request_id] or [0]:
                p = self.masses.get((request.request_id, repeat))
                loss = cost
                for yes, no in (("true", "false"), ("yes", "no")):
                    if p is not None and set(request.options) == {yes, no}:
                        p_yes = p[request.options.index(yes)]
                        p = tuple(p_yes if name == yes else 1 - p_yes for name in request.options)
                if p is not None and request.q is not None:
                    order = sorted(range(len(p)), key=lambda k, e=request.events: min(e[k]))  # type: ignore[misc] # a default binds
                    expected = [(sum(p) - p[k], 0, at, k) for at, k in enumerate(order)]
                    best = min([*expected, (cost, 1, 0, -1)])
                    loss = cost if best[3] < 0 else 1 - request.q[best[3]]
                losses.append(loss)
            self.spread(request.root_id, found, losses)
            least = cost if request.q is None else min([cost, *(1 - mass for mass in request.q)])
            self.spread(request.root_id, oracle, [least])
        return macro(found), macro(oracle)
