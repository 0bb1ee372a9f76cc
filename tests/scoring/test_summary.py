"""The summary against a slow reading of its definitions, on random cohorts with random failures."""

import json
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.slow_summary import Slow, Tables, answers, cohort, key_of
from worldgen.cohort import schemas
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.accounting import Judged, account, judge
from worldgen.scoring.attempts import settle
from worldgen.scoring.collector import collector_at_rest
from worldgen.scoring.decisions import COSTS
from worldgen.scoring.means import MacroMean, exact_text, mean, total
from worldgen.scoring.oracle import oracle_reports
from worldgen.scoring.report_files import read_reports, write_reports
from worldgen.scoring.reports import Report, ReportsError
from worldgen.scoring.shown import tables, to_json
from worldgen.scoring.summary import Summary, score
from worldgen.scoring.tables import AnswerKey, TablesError


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
    judged = judge(settle(reports, key.requests), key.requests).get("m", Judged())
    found = account(key.requests.values(), judged)
    assert found.valid + found.rejections + found.unavailable == len(reports)
    assert found.valid + found.rejections + found.unavailable + found.missing == found.eligible
    assert found.intended - found.eligible == sum(not row["eligible"] for row in made["requests"])
    parts = [account([request], judged) for request in key.requests.values()]
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
    mine = Relation(
        "mine", ("event", "complement"), lambda claims: Fraction(1, 7), Fraction(1, 9), False, "", ""
    )
    (system,) = score(key_of(made), reports, relations=[*RELATIONS, mine]).systems
    found = system.relations["mine"]
    assert (found.residual.value, found.pass_rate.value) == (Fraction(1, 7), Fraction(0))


def test_reports_made_in_memory_are_checked_too() -> None:
    made = cohort(1, 0)
    with pytest.raises(ReportsError, match="2 faults"):
        score(key_of(made), [Report("m", "nowhere", attempt=-1, response=""), Report("m", "root-0/event")])


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


def test_an_asking_without_a_final_attempt_defers_like_one_that_brought_nothing() -> None:
    made = cohort(4, 1)
    half = (("true", "1"), ("false", "0"))
    unfinished = Report("m", "root-0/event", probabilities=half, final=False)
    (system,) = score(key_of(made), [unfinished]).systems
    (silent,) = score(key_of(made), [Report("m", "root-0/event", status="unavailable")]).systems
    assert (system.losses, system.accuracy) == (silent.losses, silent.accuracy)
    assert (system.account.missing, system.account.unfinished) == (system.account.eligible, 1)


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


@pytest.mark.slow
def test_a_hundred_thousand_reports_are_read_and_judged_in_seconds(tmp_path: Path) -> None:
    made = cohort(1000, 7, "systemone", strata=8)
    key = key_of(made)
    once = [report for report in answers(made, 7) if report.response != ""]
    write_reports([replace(report, repeat=k) for report in once for k in range(10)], tmp_path / "many.jsonl")
    with collector_at_rest():
        start = time.process_time()
        reports = read_reports([tmp_path / "many.jsonl"])
        judged = judge(settle(reports, key.requests), key.requests)
        spent = time.process_time() - start
    assert len(reports) > 100_000
    assert account(key.requests.values(), judged["m"]).valid > 80_000
    assert spent < 6  # some three times what it should take, for a busy machine


@pytest.mark.parametrize(
    ("variant", "masses", "deferred"),
    [
        ("canonical", ("0.899999", "0.1", "0", "0"), 0),
        ("binary-choice", ("0.899999", "0.1"), 1),
        ("binary-choice", ("0.1", "0.899999"), 0),
    ],
)
def test_yes_and_no_are_decided_by_the_probability_of_yes_alone(
    variant: str, masses: tuple[str, ...], deferred: int
) -> None:
    """A report of yes at 0.899999 costs 0.100001 to act on, whatever it says of no."""
    made = cohort(1, 0, wire="chat")
    key = key_of(made)
    (asked,) = (request for request in key.requests.values() if request.variant == variant)
    shown = dict(zip(("yes", "no") if len(masses) == 2 else asked.options, masses, strict=True))
    pairs = tuple((label, shown[name]) for label, name in zip(asked.answer_ids, asked.options, strict=True))
    (system,) = score(key, [Report("m", asked.request_id, probabilities=pairs)]).systems
    at_tenth = next(loss for loss in system.losses[variant] if loss.cost == Fraction(1, 10))
    assert at_tenth.deferred.value == deferred


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
