"""The picture of a root against the rows that are emitted."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.preview import PreviewError, preview
from worldgen.emission.preview_root import preview_root, to_json
from worldgen.spec import read_cohort, read_world

SEED = 5
COHORTS = {
    "contracts": read_cohort("contracts"),
    "headroom": read_cohort("headroom"),
    "recoding": read_cohort("recoding"),
    "contracts on chat": read_cohort("contracts").only(wire="chat"),
}


@pytest.mark.parametrize("name", COHORTS)
def test_a_root_is_the_rows_that_are_emitted(tmp_path: Path, name: str) -> None:
    cohort = COHORTS[name]
    emit(cohort, 9, SEED, tmp_path)
    opened = open_cohort(tmp_path)
    tables = {
        table: opened.table(table).to_pylist()
        for table in ("roots", "truth", "requests", "targets", "relations")
    }
    for row, truth in zip(tables["roots"], tables["truth"], strict=True):
        index = int(row["root_id"].split("-")[2])
        root = preview_root(cohort, SEED, index=index, stratum=row["stratum"])
        assert (root.root_id, root.semantic_digest) == (row["root_id"], row["semantic_digest"])
        assert [str(cell.posterior) for cell in root.cells] == truth["posterior"]
        assert root.outcome == truth["outcome"]
        assert list(root.hidden.values()) == truth["hidden"]
        numbers = [cell.count for cell in root.cells] + [cell.likelihood for cell in root.cells]
        assert numbers + list(root.metadata.values()) == row["visible"]
        requests = [each for each in tables["requests"] if each["root_id"] == root.root_id]
        assert [each.payload for each in root.requests] == [each["payload"] for each in requests]
        targets = [each for each in tables["targets"] if each["request_id"].startswith(f"{root.root_id}-")]
        golds = [[option.q for option in each.options] for each in root.requests]
        assert golds == [
            [Fraction(q) for q in each["q"]] if each["q"] else [None] * len(each["event_map"])
            for each in targets
        ]
        relations = [each for each in tables["relations"] if each["root_id"] == root.root_id]
        for shown, stored in zip(root.relations, relations, strict=True):
            keys = ("relation", "eligible", "reason", "tolerance", "primary", "identity_control")
            assert [getattr(shown, key) for key in keys] == [stored[key] for key in keys]
            assert [f"{root.root_id}-{claim}" for claim in shown.claims] == stored["request_ids"]


def test_its_requests_are_those_of_single_previews() -> None:
    cohort = COHORTS["contracts"]
    root = preview_root(cohort, SEED, index=3, stratum="missing-rule.nested-records")
    single = [
        preview(cohort, SEED, index=3, stratum="missing-rule.nested-records", variant=variant)
        for variant in cohort.variants
    ]
    assert list(root.requests) == single


def test_what_is_asked_is_said_in_names_and_in_words() -> None:
    root = preview_root(COHORTS["contracts"], SEED, stratum="noisy-sensor.joined-tables")
    assert root.events == {"A": "category is one of type_0, type_1", "B": "b is True"}
    assert [cell.events for cell in root.cells] == [("A",), ("A", "B"), (), ("B",)]
    requests = {request.variant: request for request in root.requests}
    assert (requests["conditional"].asks, requests["conditional"].given) == ("A given B", "b is True")
    assert (requests["canonical"].asks, requests["canonical"].given) == ("category", None)
    assert {name: request.manner for name, request in requests.items() if request.manner} == {
        "permutation": ("order permuted",),
        "rendering": ("layout pipes",),
        "opaque-keys": ("keys opaque",),
        "metadata": ("with metadata",),
        "exact-repeat": ("repeats event",),
    }


def test_a_root_of_a_quota_is_the_one_that_the_quota_admits() -> None:
    root = preview_root(COHORTS["headroom"], SEED, index=49)
    event = next(request for request in root.requests if request.variant == "event")
    assert Fraction(19, 20) <= max(option.q or 0 for option in event.options) < 1
    assert root.demand == "max(q(A), 1 - q(A)) in [19/20, 1)"
    assert root.attempts > 1
    assert preview(COHORTS["headroom"], SEED, index=49, variant="event") == event


def test_its_json_is_plain_and_exact() -> None:
    root = preview_root(read_world("noisy-sensor"), SEED)
    plain = json.loads(json.dumps(to_json(root)))
    assert [Fraction(cell["posterior"]) for cell in plain["cells"]] == [cell.posterior for cell in root.cells]
    assert plain["requests"][0]["options"][0]["q"] == str(root.requests[0].options[0].q)


@pytest.mark.parametrize("wrong", [{"stratum": "urn"}, {"index": -1}])
def test_a_root_that_is_not_there_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PreviewError):
        preview_root(read_world("noisy-sensor"), SEED, **wrong)  # type: ignore[arg-type]  # one of two keywords
