"""Which attempt counts: the rules against a slow reading of them, one row at a time."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.slow_results import cohort, key_of
from worldgen.scoring.reports.accounting import Missing, Unavailable, account, judge, model_counts
from worldgen.scoring.reports.attempts import REFUSALS, RefusalReason, settle
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.report import Report, ReportsError

KEY = key_of(cohort(6, 1))
NEVER_SENT = next(name for name, request in KEY.requests.items() if not request.eligible)
HALF = (("true", "1/2"), ("false", "1/2"))


def row(attempt: int, final: bool = False, **changes: object) -> Report:
    """An attempt of one and the same asking."""
    made = Report("m", "root-0/event", probabilities=HALF, attempt=attempt, final=final)
    return replace(made, **changes)  # type: ignore[arg-type]  # fields of a report, by name


def slow_reason(report: Report, rows: Sequence[Report]) -> RefusalReason | None:
    """The first rule that holds, read off the list in `scoring.reports.attempts`."""
    request = KEY.requests.get(report.request_id)
    others = [other for other in rows if other is not report and other.key == report.key]
    rules: dict[RefusalReason, bool] = {
        "unknown request": request is None,
        "ineligible request": request is not None and not request.eligible,
        "two final attempts": report.final and any(other.final for other in others),
        "repeated attempt": any(other.attempt == report.attempt for other in others),
        "attempt after the final": (
            (report.final and any(other.attempt > report.attempt for other in others))
            or any(other.final and other.attempt < report.attempt for other in others)
        ),
    }
    assert tuple(rules) == REFUSALS
    return next((reason for reason, holds in rules.items() if holds), None)


rows = st.lists(
    st.builds(
        row,
        st.integers(0, 3),
        st.booleans(),
        request_id=st.sampled_from(["root-0/event", "root-0/event", "root-0/query-b", NEVER_SENT, "none"]),
        system=st.sampled_from(["m", "n"]),
        repeat=st.integers(0, 1),
        status=st.just("unavailable"),
        probabilities=st.none(),
    ),
    max_size=12,
)


@given(rows)
def test_every_row_has_one_place_and_the_first_reason(given_rows: list[Report]) -> None:
    settled = settle(given_rows, KEY.requests)
    slow = [(report, slow_reason(report, given_rows)) for report in given_rows]
    assert [(refusal.report, refusal.reason) for refusal in settled.refused] == [
        (report, reason) for report, reason in slow if reason
    ]
    assert list(settled.scored) == [report for report, reason in slow if not reason and report.final]
    assert list(settled.earlier) == [report for report, reason in slow if not reason and not report.final]
    assert len({report.key for report in settled.scored}) == len(settled.scored)
    assert list(settled.systems) == list(dict.fromkeys(report.system for report in given_rows))


@given(rows)
def test_refusals_and_slots_are_counted_by_system(given_rows: list[Report]) -> None:
    settled = settle(given_rows, KEY.requests)
    judged = judge(settled, KEY.requests)
    assert list(judged) == list(settled.systems)
    for system, found in judged.items():
        whole = account(KEY.requests.values(), found)
        mine = [report for report in given_rows if report.system == system]
        assert sum(found.refused.values()) + whole.earlier + whole.unavailable == len(mine)
        asked = {report.key for report in mine if report.request_id in {"root-0/event", "root-0/query-b"}}
        standing = {report.key for report in settled.scored if report.system == system}
        assert (whole.unfinished, whole.unavailable) == (len(asked - standing), len(standing))
        silent = sum(request.eligible for request in KEY.requests.values()) - len({key[1] for key in asked})
        assert whole.missing == whole.unfinished + silent


@pytest.mark.parametrize(
    ("attempts", "refused"),
    [
        ([row(0, True)], []),
        ([row(0), row(1), row(7, True)], []),
        ([row(3, True), row(1)], []),
        ([row(0), row(1)], []),
        ([row(0, True), row(1, True)], ["two final attempts"] * 2),
        ([row(0, True), row(0, True)], ["two final attempts"] * 2),
        ([row(0), row(1, True), row(2, True)], ["two final attempts"] * 2),
        ([row(0), row(0), row(1, True)], ["repeated attempt"] * 2),
        ([row(0), row(0, True)], ["repeated attempt"] * 2),
        ([row(0), row(1, True), row(2)], ["attempt after the final"] * 2),
        ([row(0, True), row(1), row(1)], ["attempt after the final", *["repeated attempt"] * 2]),
        ([row(0, True), row(1, True), row(2)], [*["two final attempts"] * 2, "attempt after the final"]),
        ([row(0, True), row(1), row(2, True)], [*["two final attempts"] * 2, "attempt after the final"]),
        ([row(0, True), row(0, True, repeat=1)], []),
        ([row(0, True), row(0, True, system="n")], []),
        ([row(0, True, request_id="none")] * 2, ["unknown request"] * 2),
        ([row(0, True, request_id=NEVER_SENT)] * 2, ["ineligible request"] * 2),
    ],
)
def test_each_rule(attempts: list[Report], refused: list[str]) -> None:
    for order in permutations(attempts):
        found = [refusal.reason for refusal in settle(order, KEY.requests).refused]
        assert sorted(found) == sorted(refused)
        assert set(found) <= set(REFUSALS)


def test_the_final_attempt_is_scored_and_the_earlier_ones_are_counted() -> None:
    others = (row(0, probabilities=None, response="oops"), row(1, status="unavailable", probabilities=None))
    (judged,) = judge(settle([*others, row(2, True)], KEY.requests), KEY.requests).values()
    assert judged.verdicts == {"root-0/event": {0: Valid((Fraction(1, 2), Fraction(1, 2)))}}
    found = account([KEY.requests["root-0/event"]], judged)
    assert (found.intended, found.valid, found.earlier, found.missing) == (1, 1, 2, 0)


def test_an_asking_without_a_final_attempt_is_missing_and_unfinished() -> None:
    given_rows = [row(0, True), row(0, repeat=1), row(0, True, repeat=2), row(1, True, repeat=2)]
    (judged,) = judge(settle(given_rows, KEY.requests), KEY.requests).values()
    kinds = {repeat: type(verdict) for repeat, verdict in judged.verdicts["root-0/event"].items()}
    assert kinds == {0: Valid, 1: Missing, 2: Missing}
    found = account([KEY.requests["root-0/event"]], judged)
    assert (found.eligible, found.valid, found.missing, found.unfinished, found.earlier) == (3, 1, 2, 2, 1)
    whole = account(KEY.requests.values(), judged)
    assert whole.missing == whole.eligible - 1 > whole.unfinished == 2


def test_a_system_whose_every_row_is_refused_is_judged_too() -> None:
    (judged,) = judge(settle([row(0, True, request_id="none")], KEY.requests), KEY.requests).values()
    assert (judged.refused, judged.verdicts) == ({"unknown request": 1}, {})


def test_many_rows_of_one_key_are_settled_in_one_pass() -> None:
    many = [row(0, True) for _ in range(20_000)]
    assert len(settle(many, KEY.requests).refused) == 20_000


def test_faults_of_a_report_by_itself_are_errors_for_reports_in_memory_too() -> None:
    floats = row(0, True, probabilities=(("true", 0.5), ("false", 0.5)))
    with pytest.raises(ReportsError, match="2 faults") as caught:
        settle([row(0, True), row(-1), floats], KEY.requests)
    assert [fault.message for fault in caught.value.faults] == [
        "attempt is -1",
        "probabilities are not pairs of texts",
    ]


def test_model_names_are_counted_as_asked_for_and_as_reported() -> None:
    body = '{"model": "m-2", "answers": {"q": {"type": "noul", "noul": 0.5}}}'
    key = key_of(cohort(6, 1, "systemone"))
    told = Report("m", "root-0/event", response=body, model_requested="m-latest")
    silent = Report("m", "root-1/event", status="unavailable", model_requested="m-latest")
    settled = settle(
        [told, silent, replace(told, repeat=1), replace(told, repeat=2, final=False)], key.requests
    )
    judged = judge(settled, key.requests)
    assert judged["m"].verdicts["root-1/event"][0] == Unavailable()
    found = [(each.requested, each.reported, each.reports) for each in model_counts(settled, judged)]
    assert found == [("m-latest", "m-2", 2), ("m-latest", None, 1)]
