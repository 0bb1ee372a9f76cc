"""Certified roots against their definition, on random cohorts with random failures."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.scoring.built import mean_of
from tests.scoring.slow_results import Tables, answers, average, cohort, key_of, macro
from worldgen.relations.aligned import Aligned
from worldgen.relations.certificate import certificate, mean_error
from worldgen.scoring.accuracy.certified import CertifiedRoot, certificate_measures, certified
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.measures import Mean
from worldgen.scoring.reports.accounting import Unavailable, Verdicts, judge
from worldgen.scoring.reports.attempts import settle
from worldgen.scoring.reports.oracle import oracle_reports
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import AnswerKey, Request, TablesError
from worldgen.scoring.results import score

ZERO, HALF = Fraction(0), Fraction(1, 2)


def verdicts_of(key: AnswerKey, reports: list[Report]) -> Verdicts:
    (judged,) = judge(settle(reports, key.requests), key.requests).values()
    return judged.verdicts


def all_of(made: Tables, reports: list[Report]) -> list[CertifiedRoot]:
    key = key_of(made)
    return list(certified(key, verdicts_of(key, reports)))


def means_of(made: Tables, roots: list[CertifiedRoot]) -> dict[str, Fraction | None]:
    """The macro mean of every measure, and the certified share."""
    axis, found = Axis.of(key_of(made).strata), {}
    for measure in certificate_measures(roots, axis, "m"):
        if isinstance(measure, Mean):
            found[measure.label.metric] = mean_of(measure.column, axis)
        else:
            top, bottom = mean_of(measure.top, axis), mean_of(measure.bottom, axis)
            found[measure.label.metric] = top / bottom if top is not None and bottom else None
    return found


@pytest.mark.parametrize("wire", ["chat", "systemone"])
@pytest.mark.parametrize("repeats", [1, 3])
def test_every_root_agrees_with_its_definition(wire: str, repeats: int) -> None:
    made = cohort(6, 3, wire)
    key, reports = key_of(made), answers(made, 3, repeats)
    verdicts, truth = verdicts_of(key, reports), key.posteriors
    found = list(certified(key, verdicts))
    assert [(root.root_id, root.stratum) for root in found] == list(key.strata.items())
    for root in found:
        proved, actual, count = [], [], 0
        for repeat in range(repeats):
            claims = [
                Aligned(request.events, request.given, verdict.masses)
                for request in key.requests.values()
                if request.root_id == root.root_id
                and isinstance(verdict := verdicts.get(request.request_id, {}).get(repeat), Valid)
            ]
            proved.append(certificate(claims, 4).value)
            actual.append(mean_error(claims, truth[root.root_id]))
            count += len(claims)
        assert (root.certificate, root.error, root.reports) == (average(proved), average(actual), count)
        assert root.hidden == average(actual) - average(proved) >= 0


def test_every_repeat_carries_its_witness() -> None:
    for root in all_of(made := cohort(6, 3), answers(made, 3, 2)):
        for repeat in root.repeats.values():
            assert repeat.certificate.holds(repeat.claims)
            assert len(repeat.requests) == len(repeat.claims) == repeat.certificate.reports


def test_the_truth_neither_contradicts_itself_nor_errs() -> None:
    made = cohort(9, 5)
    found = all_of(made, oracle_reports(made["requests"], made["targets"]))
    assert {root.reports for root in found} == {11, 12}  # the conditional request is not always eligible
    assert {(root.certificate, root.error, root.hidden) for root in found} == {(ZERO, ZERO, ZERO)}
    means = means_of(made, found)
    assert means == {"certificate": 0, "mean_error": 0, "hidden_error": 0, "certified_share": None}


def written(made: Tables, masses: Callable[[Request], list[str]]) -> list[Report]:
    """The reports of a system that answers every eligible request by a rule."""
    asked = [request for request in key_of(made).requests.values() if request.eligible]
    return [
        Report("m", r.request_id, probabilities=tuple(zip(r.answer_ids, masses(r), strict=True)))
        for r in asked
    ]


def test_coherent_and_wrong_hides_all_of_its_error() -> None:
    """The answers of one wrong posterior, uniform over the atoms, to everything."""

    def uniform(request: Request) -> list[str]:
        return [str(Fraction(len(e & request.given), len(request.given))) for e in request.events]

    made = cohort(9, 5)
    means = means_of(made, all_of(made, written(made, uniform)))
    assert means["mean_error"] and means["hidden_error"] == means["mean_error"]
    assert means["certificate"] == means["certified_share"] == 0


def test_certain_of_an_event_and_of_its_complement_hides_nothing() -> None:

    def yes(request: Request) -> list[str]:
        return ["1" if k == 0 else "0" for k in range(len(request.options))]

    made = cohort(9, 5)
    made["requests"] = [r for r in made["requests"] if r["variant"] in {"event", "complement"}]
    kept = {r["request_id"] for r in made["requests"]}
    made["targets"] = [r for r in made["targets"] if r["request_id"] in kept]
    made["relations"] = []
    found = all_of(made, written(made, yes))
    assert {(root.certificate, root.error, root.hidden) for root in found} == {(HALF, HALF, ZERO)}
    assert means_of(made, found)["certified_share"] == 1


def test_without_conditions_the_error_is_the_mean_total_variation() -> None:
    made = cohort(8, 11)
    reports = [r for r in answers(made, 11, failures=0) if not r.request_id.endswith("/conditional")]
    found = all_of(made, reports)
    results = score(key_of(made), reports, replicates=100)
    asked = [name for name in results.systems[0].accounts if name != "conditional"]
    variations = [results.figure("total_variation", name).exact for name in asked]
    assert means_of(made, found)["mean_error"] == average([each for each in variations if each is not None])
    assert results.figure("mean_error", "all reports").exact == means_of(made, found)["mean_error"]


def test_means_weigh_strata_equally_and_leave_out_roots_without_a_valid_report() -> None:
    made = cohort(8, 2)
    reports = [r for r in answers(made, 2) if not r.request_id.startswith(("root-0/", "root-3/", "root-6/"))]
    found = all_of(made, reports)
    assert [(r.certificate, r.error, r.hidden, r.reports) for r in found[::3]] == [(None, None, None, 0)] * 3
    means = means_of(made, found)
    by_stratum: dict[str, list[Fraction]] = {}
    for root in found:
        by_stratum.setdefault(root.stratum, []).extend([] if root.certificate is None else [root.certificate])
    assert means["certificate"] == macro(by_stratum)
    assert means["certified_share"] is not None and 0 < means["certified_share"] < 1


def test_each_root_is_solved_when_it_is_taken() -> None:
    made = cohort(8, 2)
    key = key_of(made)
    known = {root: masses for root, masses in key.posteriors.items() if root != "root-1"}
    roots = certified(replace(key, posteriors=known), verdicts_of(key, answers(made, 2)))
    assert next(roots).root_id == "root-0"
    with pytest.raises(TablesError, match="truth: there is no posterior of root 'root-1'"):
        next(roots)


def test_repeats_are_numbered_and_what_was_never_to_be_sent_does_not_count() -> None:
    key = key_of(cohort(20, 5))
    sure = Valid((Fraction(1), ZERO))
    verdicts: Verdicts = {
        "root-0/event": {3: sure},
        "root-0/complement": {3: sure, 1: sure, 0: Unavailable()},
        **{r.request_id: {0: sure} for r in key.requests.values() if not r.eligible},
    }
    first, *others = certified(key, verdicts)
    assert [(repeat, found.requests) for repeat, found in first.repeats.items()] == [
        (1, ("root-0/complement",)),
        (3, ("root-0/event", "root-0/complement")),
    ]
    assert first.certificate == average([ZERO, HALF]) and first.reports == 3
    assert any(not r.eligible for r in key.requests.values()) and {r.reports for r in others} == {0}


def test_a_truth_of_other_atoms_is_refused() -> None:
    made = cohort(3, 2)
    for row in made["truth"]:
        row["posterior"] = ["1/2", "1/2"]
    with pytest.raises(TablesError, match="truth: root 'root-0': report 0 speaks of atom 3; there are 2"):
        all_of(made, answers(made, 2))
