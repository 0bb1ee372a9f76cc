"""A user's own world, template and relation: the example runs, and what it says is so."""

import json
import re
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import worldgen

EXAMPLE = Path(__file__).parents[2] / "examples" / "triage"
KIND = re.compile(
    r"were (\d+) alarms raised by an? \w+ in the (\w+) that .* of (\w+) urgency; the share .* is (\S+)\."
)
LEVELS = ("low", "medium", "high")


@pytest.fixture(scope="module")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("triage") / "cohort"
    runpy.run_path(str(EXAMPLE / "run.py"))["run"](folder)
    return folder


def rows(cohort: Path) -> list[dict[str, Any]]:
    opened = worldgen.open(cohort)
    requests, targets = (opened.table(name).to_pylist() for name in ("requests", "targets"))
    return [{**target, **request} for request, target in zip(requests, targets, strict=True)]


def recomputed(state: str, variant: str) -> list[Fraction] | None:
    """The answer that the prose gives, in fractions, by a way that shares nothing with the library."""
    kinds = [(zone, level, int(n) * Fraction(share)) for n, zone, level, share in KIND.findall(state)]
    assert len(kinds) == 7

    def mass(zone: str = "", *levels: str) -> Fraction:
        return sum((w for z, u, w in kinds if zone in ("", z) and u in (levels or LEVELS)), Fraction(0))

    whole = mass("furnace") if variant == "conditional" else mass()
    event = {
        "event": mass("", "high"),
        "complement": mass("", "low", "medium"),
        "query-b": mass("furnace"),
        "intersection": mass("furnace", "high"),
        "conditional": mass("furnace", "high"),
    }.get(variant)
    parts = [mass("", level) for level in LEVELS] if event is None else [event, whole - event]
    return [part / whole for part in parts] if whole else None


def test_the_cohort_is_clean_and_its_answers_are_those_of_the_prose(cohort: Path) -> None:
    done = worldgen.verify(cohort)
    assert done.ok
    assert done.derivable["payload"] == 0 < done.derivable["payload and spec"]
    checked = 0
    for row in rows(cohort):
        if row["payload"] is None or row["variant"] == "rendering":
            continue
        found = recomputed(json.loads(row["payload"])["state"], row["variant"])
        assert found is not None and row["q"] == list(map(str, found)), row["request_id"]
        checked += 1
    assert checked > 400


def test_a_condition_that_the_prose_rules_out_is_not_asked(cohort: Path) -> None:
    by_id = {row["request_id"]: row for row in rows(cohort)}
    unasked = [name for name, row in by_id.items() if not row["eligible"]]
    assert unasked
    for name in unasked:
        event = by_id[name.replace("conditional", "event")]
        assert recomputed(json.loads(event["payload"])["state"], "conditional") is None


def test_a_score_has_the_gold_of_its_levels_from_lowest_to_highest(cohort: Path) -> None:
    by_id = {row["request_id"]: row for row in rows(cohort)}
    scores = [row for row in by_id.values() if row["variant"] == "score"]
    assert len(scores) == 60
    for row in scores:
        asked = json.loads(row["payload"])["questions"]["q"]
        assert asked["type"] == "score" and "lowest first" in asked["instructions"]
        assert asked["criteria"] == [f"category is {level}" for level in LEVELS]
        assert (row["options"], row["answer_ids"]) == (list(LEVELS), ["0", "1", "2"])
        canonical, event = (row["request_id"].replace("score", name) for name in ("canonical", "event"))
        assert row["q"] == by_id[canonical]["q"]
        assert row["q"][2] == by_id[event]["q"][0]


def test_the_truth_meets_every_demand_and_certainty_does_not(cohort: Path) -> None:
    opened = worldgen.open(cohort)
    truth = worldgen.oracle_reports(opened)
    certain = runpy.run_path(str(EXAMPLE / "run.py"))["certain"]
    results = worldgen.score(opened, *truth, *map(certain, truth), replicates=100)
    oracle, wrong = (
        {
            metric: {
                each.label.subject: each.exact
                for each in results.figures
                if (each.label.system, each.label.metric, each.stratum, each.label.against)
                == (system.name, metric, "", "")
                and " - " not in each.label.subject
            }
            for metric in ("total_variation", "residual")
        }
        for system in results.systems
    )
    assert set(oracle["total_variation"].values()) == set(oracle["residual"].values()) == {0}
    assert all(wrong["total_variation"].values())
    broken = {name for name, residual in wrong["residual"].items() if residual}
    assert {"coarsening", "product", "remainder"} <= broken
    assert "rendering" not in broken, "it answers what is shown, and both layouts show the same"


def test_the_page_prints_what_a_reader_looks_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE / "run.py"))["run"](tmp_path / "cohort")
    said = capsys.readouterr().out
    for expected in (
        "9 payloads proved",
        "lowest first",
        "oracle   total_variation",
        "certain  residual",
        "remainder ",
    ):
        assert expected in said
    assert len((EXAMPLE / "run.py").read_text().splitlines()) <= 40
