"""The four views as counts, against counting one request at a time, and against what figures rest on."""

import pytest

from tests.scoring.slow_results import answers, cohort, key_of
from worldgen.scoring.reports.accounting import judge
from worldgen.scoring.reports.attempts import settle
from worldgen.scoring.reports.reader import Valid, read_report
from worldgen.scoring.reports.report import Report
from worldgen.scoring.results import score
from worldgen.scoring.views import Support, supports


@pytest.mark.parametrize("repeats", [1, 3])
def test_every_count_is_what_counting_one_by_one_gives(repeats: int) -> None:
    made = cohort(9, 3)
    key = key_of(made)
    ours = answers(made, 1, repeats, failures=0.8)
    theirs = [
        Report("n", r.request_id, r.repeat, r.status, r.response)
        for r in answers(made, 2, repeats, failures=0.8)
    ]
    reports = ours + theirs
    valid: dict[str, set[tuple[str, int]]] = {"m": set(), "n": set()}
    for report in reports:
        if report.status == "answered" and isinstance(
            read_report(report, key.requests[report.request_id]), Valid
        ):
            valid[report.system].add((report.request_id, report.repeat))
    answered = {system: {name for name, _ in found} for system, found in valid.items()}
    expected = []
    variants = list(dict.fromkeys(row["variant"] for row in made["requests"]))
    asked = {v: [row for row in made["requests"] if row["variant"] == v] for v in variants}
    eligible = {v: [row["request_id"] for row in asked[v] if row["eligible"]] for v in variants}
    for system in ("m", "n"):
        for v in variants:
            supported = sum(name in answered[system] for name in eligible[v])
            whole = len(asked[v])
            expected += [
                Support(system, None, "variant", v, "eligible", len(eligible[v]), whole),
                Support(system, None, "variant", v, "natively valid", supported, len(eligible[v])),
                Support(system, None, "variant", v, "intended pipeline", whole, whole),
            ]
        for relation in dict.fromkeys(row["relation"] for row in made["relations"]):
            rows = [row for row in made["relations"] if row["relation"] == relation and row["eligible"]]
            paired = [
                row
                for row in rows
                if any(
                    all((name, repeat) in valid[system] for name in row["request_ids"])
                    for repeat in range(repeats)
                )
            ]
            expected.append(
                Support(system, None, "relation", relation, "paired valid", len(paired), len(rows))
            )
    for v in variants:
        both = sum(name in answered["m"] & answered["n"] for name in eligible[v])
        expected.append(Support("m", "n", "variant", v, "paired valid", both, len(eligible[v])))
    found = list(supports(key, judge(settle(reports, key.requests), key.requests)))
    assert found == expected
    assert all(0 <= each.count <= each.of for each in found)
    results = score(key, reports, replicates=100)
    for each in found:
        if each.view == "natively valid":
            assert results.figure("total_variation", each.subject, system=each.system).valid == each.count
        if each.kind == "relation":
            assert results.figure("residual", each.subject, system=each.system).valid == each.count


def test_a_system_without_reports_of_its_own_supports_nothing() -> None:
    key = key_of(cohort(2, 1))
    judged = judge(settle([Report("m", "none", status="unavailable")], key.requests), key.requests)
    counts = {each.view: each.count for each in supports(key, judged) if each.subject == "event"}
    assert counts == {"eligible": 2, "natively valid": 0, "intended pipeline": 2}
