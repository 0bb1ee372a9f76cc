"""A slow reading of what decisions are: plain fractions, one root and one slot at a time, by event."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from tests.scoring.slow_results import Tables, answers, average, cohort, key_of
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.accounting import Unavailable, Verdict
from worldgen.scoring.reports.reader import Valid, read_report
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import AnswerKey, Request

Event = frozenset[int]
Vector = dict[Event, Fraction]
Action = Event | None
Value = Fraction | None


def finer(reports: Sequence[Report], seed: int) -> list[Report]:
    """The same reports with some two-option answers of two places written with 25."""
    dice = random.Random(seed)
    found = []
    for report in reports:
        text = report.response or ""
        values = [part.split("}")[0] for part in text.split(": ")[1:]]
        firsts = [value.split(",")[0] for value in values]
        if len(firsts) == 2 and set(firsts) == {"0.50"} and dice.random() < 0.8:
            digits = "".join(dice.choice("0123456789") for _ in range(23))
            low = Fraction(f"0.48{digits}")
            high = 10**25 - int(low * 10**25)
            text = text.replace("0.50", f"0.48{digits}", 1).replace("0.50", f"0.{high}", 1)
        found.append(replace(report, response=text) if report.response is not None else report)
    return found


def example(roots: int, seed: int, repeats: int = 1, *, fine: bool = False) -> tuple[Tables, list[Report]]:
    """A random cohort with outcomes, and reports of which some repeats fail or are missing."""
    made = cohort(roots, seed)
    dice = random.Random(seed)
    for row in made["targets"]:
        if row["q"] is not None and dice.random() < 0.9:
            row["outcome"] = dice.randrange(len(row["q"]))
    reports = answers(made, seed, repeats)
    return made, finer(reports, seed) if fine else reports


def axis_of(made: Tables) -> Axis:
    return Axis.of({row["root_id"]: row["stratum"] for row in made["roots"]})


def panels_of(made: Tables, reports: Sequence[Report]) -> dict[str, Panel]:
    key, axis = key_of(made), axis_of(made)
    variants: dict[str, list[Request]] = {}
    for request in key.requests.values():
        variants.setdefault(request.variant, []).append(request)
    verdicts: dict[str, dict[int, Verdict]] = {}
    for report in reports:
        answered = report.status == "answered"
        verdict = read_report(report, key.requests[report.request_id]) if answered else Unavailable()
        verdicts.setdefault(report.request_id, {})[report.repeat] = verdict
    return {
        name: Panel.of("m", Truth.of(name, requests, axis), verdicts) for name, requests in variants.items()
    }


def price(vector: Vector, action: Event) -> Fraction:
    return sum((mass for event, mass in vector.items() if event != action), Fraction(0))


def act(vector: Vector | None, cost: Fraction) -> Action:
    """The first of the classes, by lowest atom, and then deferring, that costs least."""
    if vector is None:
        return None
    order: list[Action] = [*sorted(vector, key=min), None]
    prices = [cost if action is None else price(vector, action) for action in order]
    return order[prices.index(min(prices))]


def midpoint(one: Vector | None, two: Vector | None) -> Vector | None:
    if one is None or two is None:
        return None
    return {event: (mass + two[event]) / 2 for event, mass in one.items()}


class SlowDecisions:
    """Every policy straight from its definition. Roots are named as in the cohort."""

    def __init__(self, made: Tables, reports: Sequence[Report]) -> None:
        self.key: AnswerKey = key_of(made)
        self.roots = [row["root_id"] for row in made["roots"]]
        self.axis = axis_of(made)
        self.read: dict[tuple[str, int], Vector] = {}
        self.seen: dict[str, set[int]] = {}
        for report in reports:
            request = self.key.requests[report.request_id]
            self.seen.setdefault(report.request_id, set()).add(report.repeat)
            verdict = read_report(report, request) if report.status == "answered" else None
            if isinstance(verdict, Valid):
                masses = dict(zip(request.options, verdict.masses, strict=True))
                for yes, no in (("true", "false"), ("yes", "no")):
                    if set(masses) == {yes, no}:
                        masses[no] = 1 - masses[yes]
                self.read[report.request_id, report.repeat] = {
                    event: masses[option]
                    for event, option in zip(request.events, request.options, strict=True)
                }
        self.first = min(number for numbers in self.seen.values() for number in numbers)

    def slots(self, *names: str) -> list[int]:
        return sorted(set().union(*(self.seen.get(name, {self.first}) for name in names)))

    def loss(self, name: str, action: Action, cost: Fraction) -> Fraction:
        request = self.key.requests[name]
        if action is None or request.q is None:
            return cost
        return 1 - request.q[request.events.index(action)]

    def least(self, name: str, cost: Fraction) -> Fraction:
        request = self.key.requests[name]
        return min([self.loss(name, event, cost) for event in request.events] + [cost])

    def actions(self, policy: str, root: str, cost: Fraction) -> list[tuple[Action, Fraction]]:
        """What a policy does on a root, with the probability of each action."""
        names = {
            "event": f"{root}/event",
            "choice": f"{root}/binary-choice",
            "repeat": f"{root}/exact-repeat",
        }

        def over(wanted: Sequence[str], rule: Callable[[list[Vector | None]], Action]) -> list[Action]:
            return [
                rule([self.read.get((names[name], slot)) for name in wanted])
                for slot in self.slots(*(names[name] for name in wanted))
            ]

        def alone(vectors: list[Vector | None]) -> Action:
            return act(vectors[0], cost)

        def mean(vectors: list[Vector | None]) -> Action:
            return act(midpoint(*vectors), cost)

        def common(vectors: list[Vector | None]) -> Action:
            one, two = (act(vector, cost) for vector in vectors)
            return one if one == two else None

        request = self.key.requests[names["event"]]
        if policy == "random-interface":
            halves = [self.actions(name, root, cost) for name in ("event", "choice")]
            return [(action, share / 2) for half in halves for action, share in half]
        taken: list[Action]
        if policy == "always-defer":
            taken = [None]
        elif policy == "oracle":
            taken = [
                act(None if request.q is None else dict(zip(request.events, request.q, strict=True)), cost)
            ]
        elif policy in ("event", "choice"):
            taken = over([policy], alone)
        else:
            second = "repeat" if policy.startswith("repeat") else "choice"
            taken = over(["event", second], mean if policy.endswith("mean") else common)
        return [(action, Fraction(1, len(taken))) for action in taken]

    def policy_loss(self, policy: str, root: str, cost: Fraction) -> Fraction:
        found = self.actions(policy, root, cost)
        return sum((share * self.loss(f"{root}/event", action, cost) for action, share in found), Fraction(0))

    def macro(self, by_root: Callable[[str], Value]) -> Value:
        strata: dict[str, list[Fraction]] = {}
        for root in self.roots:
            value = by_root(root)
            if value is not None:
                strata.setdefault(self.key.strata[root], []).append(value)
        return average([average(values) for values in strata.values()]) if strata else None

    def along(self, by_root: Callable[[str], Value]) -> tuple[Value, ...]:
        """One value per root, in the order of the axis."""
        return tuple(by_root(root) for root in self.axis.roots)
