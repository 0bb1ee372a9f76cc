"""The results against a slow reading of its definitions, on random cohorts with random failures."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.built import macro_mean
from tests.scoring.slow_results import Slow, Tables, answers, cohort, key_of
from worldgen.cohort import schemas
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.scoring.accuracy.scores import total_variation
from worldgen.scoring.figures.bootstrap import SEED
from worldgen.scoring.figures.means import exact_text, mean, total
from worldgen.scoring.panels.actions import COSTS
from worldgen.scoring.reports.accounting import Judged, account, judge
from worldgen.scoring.reports.attempts import settle
from worldgen.scoring.reports.collector import collector_at_rest
from worldgen.scoring.reports.files import read_reports, write_reports
from worldgen.scoring.reports.oracle import oracle_reports
from worldgen.scoring.reports.report import Report, ReportsError
from worldgen.scoring.reports.tables import AnswerKey, TablesError
from worldgen.scoring.results import FigureError, Results
from worldgen.scoring.results import score as score_all
from worldgen.scoring.shown import tables, to_json


def score(key: AnswerKey, reports: Sequence[Report], relations: Sequence[Relation] = RELATIONS) -> Results:
    """A hundred replicates: what is asked here is what the figures are, not how certain."""
    return score_all(key, reports, relations=relations, replicates=100)


@pytest.mark.parametrize("wire", ["chat", "systemone"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_every_figure_agrees_with_its_definition(wire: str, repeats: int) -> None:
    for seed in range(3):
        made = cohort(9, seed, wire)
        reports = answers(made, seed, repeats)
        slow, results = Slow(made, reports), score(key_of(made), reports)
        for variant in results.systems[0].accounts:
            assert results.figure("expected_brier", variant).exact == slow.error(variant, True)
            # The twin sums positive parts, which is the same because these reports sum to 1 exactly.
            assert results.figure("total_variation", variant).exact == slow.error(variant, False)
            for cost in COSTS:
                found = [
                    results.figure(name, variant, at=cost).exact for name in ("expected_loss", "oracle_loss")
                ]
                assert tuple(found) == slow.loss(variant, cost)
        for relation in RELATIONS:
            residual = results.figure("residual", relation.name)
            rate = results.figure("pass_rate", relation.name)
            assert (residual.eligible, residual.valid, residual.exact, rate.exact) == slow.relation(relation)


@pytest.mark.parametrize("wire", ["chat", "systemone"])
def test_the_oracle_scores_exactly_zero(wire: str) -> None:
    made = cohort(12, 5, wire)
    results = score(key_of(made), oracle_reports(made["requests"], made["targets"]))
    (oracle,) = results.systems
    assert oracle.account.valid == oracle.account.eligible < oracle.account.intended == 144
    for variant in oracle.accounts:
        assert results.figure("total_variation", variant).exact == 0
        assert {results.figure("regret", variant, at=cost).exact for cost in COSTS} == {0}
    for relation in RELATIONS:
        residual = results.figure("residual", relation.name)
        assert (residual.exact, results.figure("pass_rate", relation.name).exact) == (
            Fraction(0),
            Fraction(1),
        )
        assert residual.valid == residual.eligible > 0


def test_a_system_without_answers_loses_the_cost_of_deferring() -> None:
    made = cohort(4, 1)
    results = score(key_of(made), [Report("m", "root-0/event", status="unavailable")])
    (system,) = results.systems
    assert (system.account.unavailable, system.account.missing) == (1, system.account.eligible - 1)
    assert system.account.native_validity == 0
    for variant in system.accounts:
        assert [results.figure("expected_loss", variant, at=cost).exact for cost in COSTS] == list(COSTS)
        assert {results.figure("coverage", variant, at=cost).exact for cost in COSTS} == {Fraction(0)}
        distance = results.figure("total_variation", variant)
        assert (distance.value, distance.exact, distance.slots, distance.support) == (None,) * 4
        assert set(distance.empty) == {"s0", "s1", "s2"}


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
    results = score(key, [*often, once])
    first, second = (key.requests[f"root-{i}/event"].q for i in range(2))
    assert first is not None
    assert second is not None
    found = results.figure("total_variation", "event")
    assert (found.exact, found.valid) == (((1 - first[0]) + second[0]) / 2, 2)
    assert results.systems[0].accounts["event"].eligible == 6


def test_arrow_tables_and_plain_rows_score_alike() -> None:
    made = cohort(6, 8)
    reports = answers(made, 8)
    arrow = {name: pa.Table.from_pylist(rows, schema=schemas.TABLES[name]) for name, rows in made.items()}
    key = AnswerKey.of(*(arrow[name] for name in made))
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
    results = score(key_of(made), reports, [*RELATIONS, mine])
    found = [results.figure(metric, "mine").exact for metric in ("residual", "pass_rate")]
    assert found == [Fraction(1, 7), Fraction(0)]


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


def test_a_truth_of_other_roots_is_refused() -> None:
    made = cohort(2, 0)
    made["truth"].pop()
    with pytest.raises(TablesError, match="truth: its roots are not those"):
        key_of(made)


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
    unfinished = score(key_of(made), [Report("m", "root-0/event", probabilities=half, final=False)])
    silent = score(key_of(made), [Report("m", "root-0/event", status="unavailable")])
    assert unfinished.figures == silent.figures
    (system,) = unfinished.systems
    assert (system.account.missing, system.account.unfinished) == (system.account.eligible, 1)


def test_json_holds_the_nearest_double_of_every_exact_figure() -> None:
    made = cohort(9, 4)
    tree = json.loads(json.dumps(to_json(score(key_of(made), answers(made, 4))), allow_nan=False))
    exact = [row for row in tree["figures"] if row["exact"] is not None]
    assert len(exact) > 100
    for row in exact:
        assert float(Fraction(row["exact"])) == row["value"]
    assert {row["value"] for row in tree["figures"] if row["infinite"]} <= {"inf", "-inf", None}
    assert tree["bootstrap"] == {"replicates": 100, "seed": SEED, "level": 0.95}


def test_tables_are_rows_of_plain_cells_with_the_same_columns() -> None:
    made = cohort(9, 4)
    shown = tables(score(key_of(made), answers(made, 4)))
    assert len(shown["accounting"]) == 13
    assert len(shown["criterion"]) == 10
    for rows in filter(None, shown.values()):
        assert {tuple(row) for row in rows} == {tuple(rows[0])}
        assert all(
            cell is None or isinstance(cell, str | int | float) for row in rows for cell in row.values()
        )
    assert sum(int(row["reports"] or 0) for row in shown["rejections"]) == shown["accounting"][0]["rejected"]


def test_strata_of_a_figure_average_to_it() -> None:
    made = cohort(9, 4)
    results = score(key_of(made), answers(made, 4))
    strata = [results.figure("total_variation", "event", stratum=f"s{i}") for i in range(3)]
    parts = [each.exact for each in strata if each.exact is not None]
    assert results.figure("total_variation", "event").exact == mean(parts)
    assert sum(each.valid for each in strata) == results.figure("total_variation", "event").valid


def test_contrasts_are_differences_on_the_roots_that_both_sides_have() -> None:
    made = cohort(12, 4)
    reports = answers(made, 4)
    other = [replace(report, system="n") for report in answers(made, 5)]
    key = key_of(made)
    results = score(key, [*reports, *other])
    masses = [Slow(made, each).masses for each in (reports, other)]
    for variant in ("event", "canonical"):
        found: dict[str, list[Fraction]] = {}
        for request in key.requests.values():
            both = [each.get((request.request_id, 0)) for each in masses]
            if (
                request.variant == variant
                and request.q is not None
                and all(each is not None for each in both)
            ):
                distance = [total_variation(each or (), request.q) for each in both]
                found.setdefault(key.strata[request.root_id], []).append(distance[0] - distance[1])
        contrast = results.figure("total_variation", variant, system="m", against="n")
        assert contrast.exact == macro_mean(found)
        assert contrast.valid == sum(map(len, found.values()))
        assert contrast.label.view == "paired valid"
    pairs = {each.label.subject for each in results.figures if " - " in each.label.subject}
    assert "complement - event" in pairs
    assert "canonical - event" not in pairs


def test_a_figure_that_is_not_there_is_named_beside_those_that_are() -> None:
    made = cohort(3, 4)
    results = score(key_of(made), [*answers(made, 4), *(replace(r, system="n") for r in answers(made, 4))])
    with pytest.raises(FigureError, match="no figure is called distance"):
        results.figure("distance", "event")
    with pytest.raises(FigureError, match="there is no residual of event"):
        results.figure("residual", "event")
    with pytest.raises(FigureError, match="is there 2 times"):
        results.figure("residual", "complement")


@pytest.mark.slow
def test_twelve_thousand_reports_take_seconds() -> None:
    made = cohort(1000, 7, "systemone", strata=8)
    reports = answers(made, 7)
    key = key_of(made)
    start = time.process_time()
    results = score_all(key, reports)
    to_json(results)
    assert results.systems[0].account.intended == 12_000
    assert time.process_time() - start < 25  # several times what it should take, for a busy machine


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
    results = score(key, [Report("m", asked.request_id, probabilities=pairs)])
    assert results.figure("coverage", variant, at=Fraction(1, 10)).exact == 1 - deferred


def test_every_metric_of_a_system_is_contrasted_between_systems() -> None:
    made = cohort(6, 1)
    truth = oracle_reports(made["requests"], made["targets"])
    results = score_all(key_of(made), [*answers(made, 1), *truth], replicates=100, full=True)
    labels = [figure.label for figure in results.figures if figure.label.system]
    own = {replace(each, view="eligible", system="") for each in labels if not each.against}
    contrasted = {replace(each, view="eligible", system="", against="") for each in labels if each.against}
    assert own - contrasted == set()
    assert contrasted - own == set()
