"""The summary against a slow reading of its definitions, on random cohorts with random failures."""

import json
import random
import time
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort import schemas
from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS, Relation, eligibility
from worldgen.scoring.accounting import account, judge
from worldgen.scoring.decisions import COSTS
from worldgen.scoring.means import MacroMean, exact_text, mean, total
from worldgen.scoring.oracle import oracle_reports
from worldgen.scoring.reader import Valid, read_report
from worldgen.scoring.reports import Report, ReportsError
from worldgen.scoring.shown import tables, to_json
from worldgen.scoring.summary import Summary, score
from worldgen.scoring.tables import AnswerKey, TablesError

Tables = dict[str, list[dict[str, Any]]]
ATOMS = frozenset(range(4))
CHOICES = ("canonical", "permutation", "rendering", "opaque-keys", "metadata")


def cohort(roots: int, seed: int, wire: str = "chat", strata: int = 3) -> Tables:
    """The tables of random four-cell worlds, all twelve variants and ten relations."""
    dice = random.Random(seed)
    made: Tables = {"roots": [], "requests": [], "targets": [], "relations": []}
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
            names = ["true", "false"] if form == "event" else [f"k{k}" for k in range(len(options))]
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
    return AnswerKey.of(made["roots"], made["requests"], made["targets"], made["relations"])


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


@pytest.mark.parametrize("wire", ["chat", "systemone"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_every_figure_agrees_with_its_definition(wire: str, repeats: int) -> None:
    for seed in range(3):
        made = cohort(9, seed, wire)
        reports = answers(made, seed, repeats)
        slow, (system,) = Slow(made, reports), score(key_of(made), reports).systems
        for variant, accuracy in system.accuracy.items():
            assert accuracy.expected_brier.value == slow.error(variant, True)
            # The twin sums positive parts, which is the same because these reports sum to 1 exactly.
            assert accuracy.total_variation.value == slow.error(variant, False)
            for loss in system.losses[variant]:
                assert (loss.loss.value, loss.oracle.value) == slow.loss(variant, loss.cost)
        for relation in RELATIONS:
            found = system.relations[relation.name]
            assert (
                found.eligible,
                found.valid,
                found.residual.value,
                found.pass_rate.value,
            ) == slow.relation(relation)


@pytest.mark.parametrize("wire", ["chat", "systemone"])
def test_the_oracle_scores_exactly_zero(wire: str) -> None:
    made = cohort(12, 5, wire)
    key = key_of(made)
    (oracle,) = score(key, oracle_reports(made["requests"], made["targets"])).systems
    assert oracle.account.valid == oracle.account.eligible < oracle.account.intended == 144
    for variant, accuracy in oracle.accuracy.items():
        assert accuracy.total_variation.value == 0
        for loss in oracle.losses[variant]:
            assert loss.loss == loss.oracle
    for found in oracle.relations.values():
        assert (found.residual.value, found.pass_rate.value) == (Fraction(0), Fraction(1))
        assert found.valid == found.eligible > 0


def test_a_system_without_answers_loses_the_cost_of_deferring() -> None:
    made = cohort(4, 1)
    silent = [Report("m", "root-0/event", status="unavailable")]
    (system,) = score(key_of(made), silent).systems
    assert (system.account.unavailable, system.account.missing) == (1, system.account.eligible - 1)
    assert system.account.native_validity == 0
    for variant, losses in system.losses.items():
        assert [loss.loss.value for loss in losses] == list(COSTS)
        assert {loss.deferred.value for loss in losses} == {Fraction(1)}
        assert system.accuracy[variant].total_variation.value is None
        assert set(system.accuracy[variant].total_variation.empty) == {"s0", "s1", "s2"}


@given(st.integers(0, 10**6), st.integers(1, 3))
def test_every_slot_is_counted_once(seed: int, repeats: int) -> None:
    made = cohort(3, seed)
    key = key_of(made)
    reports = answers(made, seed, repeats, failures=0.8)
    verdicts = judge(reports, key.requests).get("m", {})
    found = account(key.requests.values(), verdicts)
    assert found.valid + found.rejections + found.unavailable == len(reports)
    assert found.valid + found.rejections + found.unavailable + found.missing == found.eligible
    assert found.intended - found.eligible == sum(not row["eligible"] for row in made["requests"])
    parts = [account([request], verdicts) for request in key.requests.values()]
    assert sum(part.valid for part in parts) == found.valid
    assert sum(part.intended for part in parts) == found.intended


def test_repeats_of_one_request_weigh_as_one() -> None:
    made = cohort(2, 3, strata=1)
    key = key_of(made)
    often = [Report("m", "root-0/event", k, probabilities=(("true", "1"), ("false", "0"))) for k in range(5)]
    once = Report("m", "root-1/event", probabilities=(("true", "0"), ("false", "1")))
    (system,) = score(key, [*often, once]).systems
    first, second = (key.requests[f"root-{i}/event"].q for i in range(2))
    assert first is not None
    assert second is not None
    found = system.accuracy["event"].total_variation
    assert (found.value, found.count) == (((1 - first[0]) + second[0]) / 2, 2)
    assert system.accounts["event"].eligible == 6


def test_arrow_tables_and_plain_rows_score_alike() -> None:
    made = cohort(6, 8)
    reports = answers(made, 8)
    arrow = {name: pa.Table.from_pylist(rows, schema=schemas.TABLES[name]) for name, rows in made.items()}
    key = AnswerKey.of(arrow["roots"], arrow["requests"], arrow["targets"], arrow["relations"])
    assert key == key_of(made)
    assert score(key, reports) == score(key_of(made), reports)
    assert oracle_reports(arrow["requests"], arrow["targets"]) == oracle_reports(
        made["requests"], made["targets"]
    )


def test_false_may_stand_first_among_the_options_of_an_event() -> None:
    made = cohort(5, 11)
    turned = cohort(5, 11)
    for row, target in zip(turned["requests"], turned["targets"], strict=True):
        if row["form"] == "event":
            for columns, name in (
                (row, "options"),
                (row, "answer_ids"),
                (target, "event_map"),
                (target, "q"),
            ):
                columns[name] = columns[name] and columns[name][::-1]
    reports = answers(made, 11)
    assert score(key_of(turned), reports) == score(key_of(made), reports)


def test_a_relation_of_ones_own() -> None:
    made = cohort(3, 2)
    for row in made["relations"]:
        if row["relation"] == "complement":
            row["relation"] = "mine"
    reports = oracle_reports(made["requests"], made["targets"])
    with pytest.raises(TablesError, match="nothing measures mine"):
        score(key_of(made), reports)
    mine = Relation("mine", ("event", "complement"), lambda claims: Fraction(1, 7), Fraction(1, 9), False, "")
    (system,) = score(key_of(made), reports, relations=[*RELATIONS, mine]).systems
    found = system.relations["mine"]
    assert (found.residual.value, found.pass_rate.value) == (Fraction(1, 7), Fraction(0))


def test_reports_made_in_memory_are_checked_too() -> None:
    made = cohort(1, 0)
    with pytest.raises(ReportsError, match="2 faults"):
        score(key_of(made), [Report("m", "nowhere", response=""), Report("m", "root-0/event")])


def broken(name: str, row: int, **changes: object) -> Tables:
    made = cohort(2, 0)
    made[name][row].update(changes)
    return made


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (broken("roots", 0, root_id="root-1"), "stands twice"),
        (broken("requests", 0, root_id="elsewhere"), "no table knows"),
        (broken("targets", 0, request_id="elsewhere"), "no row among the targets"),
        (broken("targets", 0, q=["1/2", "1/3"]), "sums to 1"),
        (broken("targets", 0, q=None), "sums to 1"),
        (broken("targets", 0, event_map=[[0]]), "not aligned"),
        (broken("requests", 0, answer_ids=["true", "true"]), "not aligned"),
        (broken("requests", 0, options=["yes", "no"]), "true and false"),
        (broken("requests", 0, wire="systemone", answer_ids=["A", "B"]), "true and false"),
        (broken("requests", 0, form="essay"), "form 'essay'"),
        (broken("relations", 0, request_ids=["root-1/event"]), "no request of that root"),
        (
            broken("targets", 5, q=None) | {"requests": broken("requests", 5, eligible=False)["requests"]},
            "while one",
        ),
    ],
)
def test_tables_that_do_not_fit(made: Tables, message: str) -> None:
    with pytest.raises(TablesError, match=message):
        key_of(made)


def test_claims_that_do_not_align_name_their_root() -> None:
    made = broken("relations", 0, request_ids=["root-0/event", "root-0/conditional"])
    reports = oracle_reports(made["requests"], made["targets"])
    with pytest.raises(TablesError, match="'complement' of root 'root-0'"):
        score(key_of(made), reports)


def test_targets_without_a_request() -> None:
    made = cohort(1, 0)
    made["requests"].pop()
    with pytest.raises(TablesError, match="no request of the requests table"):
        AnswerKey.of(made["roots"], made["requests"], made["targets"], [])
    with pytest.raises(TablesError, match="no column stratum"):
        AnswerKey.of([{"root_id": "a"}], [], [], [])
    with pytest.raises(TablesError, match="no column stratum"):
        AnswerKey.of(pa.table({"root_id": ["a"]}), [], [], [])


@given(st.lists(st.fractions(max_denominator=60), min_size=1, max_size=40))
def test_total_and_mean_agree_with_plain_sums(values: list[Fraction]) -> None:
    assert total(values) == sum(values)
    assert mean(values) == sum(values) / len(values)


@given(st.fractions())
def test_exact_text_is_what_str_writes(value: Fraction) -> None:
    assert exact_text(value) == str(value)


def test_strata_weigh_equally_and_empty_ones_are_named() -> None:
    found = MacroMean.of({"a": [Fraction(0)] * 9, "b": [Fraction(1)], "c": []})
    assert (found.value, found.count, found.empty) == (Fraction(1, 2), 10, ("c",))
    assert MacroMean.of({"c": []}).value is None


def every_figure(tree: object) -> list[dict[str, Any]]:
    if isinstance(tree, dict):
        if tree.keys() == {"exact", "float"}:
            return [tree]
        return [figure for branch in tree.values() for figure in every_figure(branch)]
    return [figure for branch in tree for figure in every_figure(branch)] if isinstance(tree, list) else []


def test_json_gives_each_figure_exactly_and_as_the_nearest_double() -> None:
    made = cohort(9, 4)
    tree = json.loads(json.dumps(to_json(score(key_of(made), answers(made, 4))), allow_nan=False))
    figures = every_figure(tree)
    assert len(figures) > 100
    for figure in figures:
        assert float(Fraction(figure["exact"])) == figure["float"]
    system = tree["systems"][0]
    assert system["relations"]["exact-repeat"]["tolerance"] == {"exact": "1/50", "float": 0.02}
    assert system["accounts"]["canonical"]["intended"] == 9


def test_tables_are_rows_of_plain_cells_with_the_same_columns() -> None:
    made = cohort(9, 4)
    shown = tables(score(key_of(made), answers(made, 4)))
    assert list(shown) == ["accounting", "rejections", "accuracy", "strata", "relations", "losses"]
    sizes = {name: len(rows) for name, rows in shown.items() if name != "rejections"}
    assert sizes == {"accounting": 13, "accuracy": 12, "strata": 36, "relations": 10, "losses": 60}
    for rows in shown.values():
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
        assert all(
            cell is None or isinstance(cell, str | int | float) for row in rows for cell in row.values()
        )
    assert sum(int(row["reports"] or 0) for row in shown["rejections"]) == shown["accounting"][0]["rejected"]
    assert tables(Summary(())) == {name: [] for name in shown}


@pytest.mark.slow
def test_twelve_thousand_reports_take_seconds() -> None:
    made = cohort(1000, 7, "systemone", strata=8)
    reports = answers(made, 7)
    key = key_of(made)
    start = time.process_time()
    summary = score(key, reports)
    to_json(summary)
    assert summary.systems[0].account.intended == 12_000
    assert time.process_time() - start < 6  # twice what it should take, for a busy machine


def test_ties_are_broken_by_what_options_mean_not_by_where_they_stand() -> None:
    made = cohort(1, 6)
    key = key_of(made)
    asked = key.requests["root-0/binary-choice"]
    assert asked.q is not None
    assert 0 in asked.events[1]
    undecided = Report("m", asked.request_id, probabilities=tuple((name, "0.5") for name in asked.answer_ids))
    (system,) = score(key, [undecided], costs=[Fraction(1, 2)]).systems
    (loss,) = system.losses["binary-choice"]
    assert loss.deferred.value == 0
    assert loss.loss.value == 1 - asked.q[1]
