"""Cases to learn from: the beginning of the stream, shown as nested prefixes, and held against the pool."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.emission.test_verify import findings, forge
from tests.unshipped import harbour, noted, viewed
from worldgen.cohort.case_asking import LABELS
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import CohortError
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.schemas import SCHEMAS
from worldgen.cohort.shards import pooled, shards
from worldgen.cohort.variants import BY_NAME, cases_named
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.faults import SpecError
from worldgen.renderers.cases import ANSWER_KEY
from worldgen.scoring.doors import oracle_reports, score, write_reports
from worldgen.scoring.reports.reader import POSITIVE, Rejected, Valid, read_response
from worldgen.spec import Source, cohort_of, read_cohort, read_world, write_spec
from worldgen.worlds.base import Streams
from worldgen.worlds.factors import FactorWorld

POOL, ROOTS, SEED = 7, 12, 5
DEMOS = (0, 2, 5)


def asked(view: str = "credit-risk.medium", wire: str = "systemone") -> Cohort:
    variants = [cases_named(count) for count in DEMOS]
    return replace(cohort_of(viewed()[view], variants, wire=wire), pool=POOL)


@pytest.fixture(scope="module", params=["systemone", "chat"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("pool") / "cohort"
    emit(asked(wire=request.param), ROOTS, SEED, found)
    return found


def state(row: dict[str, Any]) -> dict[str, Any]:
    body = json.loads(row["payload"])
    found: dict[str, Any] = (
        body["state"] if row["wire"] == "systemone" else json.loads(body["messages"][1]["content"])
    )
    return found if row["wire"] == "systemone" else found["state"]


def test_the_pool_is_the_beginning_of_the_stream(folder: Path) -> None:
    rows = open_cohort(folder).table("pool").to_pylist()
    world = viewed()["credit-risk.medium"]
    draw = world.draw(Streams(SEED, world.name, world.name), np.arange(POOL), 0)
    assert [row["position"] for row in rows] == list(range(POOL))
    assert [row["outcome"] for row in rows] == [world.atoms.names[k] for k in draw.outcomes]
    for place, variable in enumerate(world.view.variables):
        texts = [variable.domain.text(code) for code in draw.values[variable.name].tolist()]
        assert [row["visible"][place] for row in rows] == texts
    assert all("cash_buffer" not in row["case"] and row["case"].startswith("Credit memo") for row in rows)


def test_demonstrations_are_nested_prefixes_of_the_pool(folder: Path) -> None:
    opened = open_cohort(folder)
    pool = [{"case": row["case"], "outcome": row["outcome"]} for row in opened.table("pool").to_pylist()]
    requests = opened.table("requests").to_pylist()
    for row in requests:
        shown = state(row)
        assert shown["demonstrations"] == pool[: BY_NAME[row["variant"]].demonstrations]
    by_root = [requests[i : i + len(DEMOS)] for i in range(0, len(requests), len(DEMOS))]
    for rows in by_root:
        assert len({state(row)["case"] for row in rows}) == 1
    roots = opened.table("roots").to_pylist()
    assert [int(row["root_id"].split("-")[2]) for row in roots] == list(range(POOL, POOL + ROOTS))


def test_the_truth_of_a_case_is_that_of_its_memo_whatever_is_demonstrated(
    folder: Path, tmp_path: Path
) -> None:
    opened = open_cohort(folder)
    targets = opened.table("targets").to_pylist()
    for i in range(0, len(targets), len(DEMOS)):
        rows = targets[i : i + len(DEMOS)]
        assert len({tuple(row["q"]) for row in rows}) == 1 and len({row["outcome"] for row in rows}) == 1
    write_reports(oracle_reports(opened), tmp_path / "oracle.jsonl")
    summary = score(opened, tmp_path / "oracle.jsonl")
    assert len(summary.systems) == 1
    assert verify(folder).ok


def test_the_chat_asks_for_one_number_and_names_both_classes(tmp_path: Path) -> None:
    emit(asked("peer-review.high", "chat"), 2, SEED, tmp_path / "c")
    for row in open_cohort(tmp_path / "c").table("requests").to_pylist():
        system, user = json.loads(row["payload"])["messages"]
        assert (system["role"], user["role"]) == ("system", "user")
        for said in ('"accept"', '"reject"', '{"probability_positive": p}', "[0, 1]"):
            assert said in system["content"]
        assert row["answer_ids"] == ["probability_positive", "otherwise"]


def test_the_one_number_of_a_chat_is_read_strictly() -> None:
    assert POSITIVE == ANSWER_KEY

    def read(body: str) -> object:
        return read_response(body, "event", "chat", LABELS["chat"])

    assert read('{"probability_positive": 0.25}') == Valid((Fraction(1, 4), Fraction(3, 4)))
    turned = read_response('{"probability_positive": 0.25}', "event", "chat", LABELS["chat"][::-1])
    assert turned == Valid((Fraction(3, 4), Fraction(1, 4)))
    for body, reason in {
        '{"probability_positive": 1.5}': "out of range",
        '{"probability_positive": "high"}': "non-numeric",
        '{"probability_positive": 0.25, "why": 1}': "wrong key support",
        '{"probability_positive": 0.25, "otherwise": 0.75}': "wrong key support",
        "0.25": "wrong key support",
    }.items():
        assert read(body) == Rejected(reason)  # type: ignore[arg-type]  # one of the reasons


FORGED = ("outcome", "case", "visible")


@pytest.mark.parametrize("column", FORGED)
def test_a_forged_pool_is_found(column: str, tmp_path: Path) -> None:
    emit(asked(), ROOTS, SEED, tmp_path / "cohort")
    (file,) = sorted((tmp_path / "cohort" / "public" / "pool").glob("*.parquet"))
    row = open_cohort(tmp_path / "cohort").table("pool").to_pylist()[3]
    forge(tmp_path / "cohort", "pool", 3, column, row["visible"][::-1] if column == "visible" else "x")
    (found,) = findings(tmp_path / "cohort", "draws")
    assert (found.file, found.row, found.column) == (f"public/pool/{file.name}", 3, column)


def test_forged_demonstrations_are_found_in_the_payload(tmp_path: Path) -> None:
    emit(asked(), ROOTS, SEED, tmp_path / "cohort")
    rows = open_cohort(tmp_path / "cohort").table("requests").to_pylist()
    body = json.loads(rows[1]["payload"])
    shown = body["state"]["demonstrations"]
    shown[0]["outcome"] = {"default": "no-default", "no-default": "default"}[shown[0]["outcome"]]
    rows[1]["payload"] = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    forge(tmp_path / "cohort", "requests", 1, "payload", rows[1]["payload"])
    (found,) = findings(tmp_path / "cohort", "payloads")
    assert (found.row, found.column) == (1, "payload")
    assert found.message == "it demonstrates other cases than the pool begins with"


@pytest.mark.slow
def test_a_pool_is_spread_over_all_shards_and_the_same_for_any_workers(tmp_path: Path) -> None:
    cohort = replace(asked("covert-transfer.high"), variants=("case-1",), pool=5)
    emit(cohort, 600, SEED, tmp_path / "one")
    emit(cohort, 600, SEED, tmp_path / "two", workers=2)
    rows = open_cohort(tmp_path / "one").table("pool").to_pylist()
    assert [row["position"] for row in rows] == [0, 1, 2, 3, 4]
    assert [len(pooled(5, shard)) for shard in shards(600)] == [1, 2, 2]
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.*"))
    assert len([path for path in files if path.parts[1] == "pool"]) == 3
    for path in files:
        if (tmp_path / "one" / path).is_file():
            assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
    assert verify(tmp_path / "two").ok


def test_every_stratum_has_its_pool_and_views_share_their_cases(tmp_path: Path) -> None:
    views = [viewed()[f"peer-review.{view}"] for view in ("low", "high")]
    strata = tuple(stratum for world in views for stratum in cohort_of(world, ["case"]).strata)
    cohort = Cohort("both", strata, ("case-3",), (), pool=4)
    emit(cohort, 6, SEED, tmp_path / "cohort")
    opened = open_cohort(tmp_path / "cohort")
    rows = opened.table("pool").to_pylist()
    assert [row["stratum"] for row in rows] == [strata[0].name] * 4 + [strata[1].name] * 4
    assert [row["outcome"] for row in rows[:4]] == [row["outcome"] for row in rows[4:]]
    for side in (opened.manifest, opened.evaluator):
        for stratum, world in zip(side["strata"], views, strict=True):
            assert stratum["view"] == world.view.name and stratum["visible"] == list(world.view.names)
            assert stratum["hidden"] == [variable.name for variable in world.hidden]
    roots = opened.table("roots").to_pylist()
    assert [len(row["visible"]) for row in roots] == [len(views[0].view.names)] * 3 + [
        len(views[1].view.names)
    ] * 3
    truth = opened.table("truth").to_pylist()
    assert [row["outcome"] for row in truth[:3]] == [row["outcome"] for row in truth[3:]]
    assert verify(tmp_path / "cohort").ok
    assert read_cohort(Source(write_spec(cohort))) == cohort


def test_cells_of_two_categories_are_cases_too(tmp_path: Path) -> None:
    cohort = cohort_of(noted(), ["case", "case-2"])
    assert cohort.pool == 1000
    emit(replace(cohort, pool=3), 4, SEED, tmp_path / "cohort")
    assert verify(tmp_path / "cohort").ok
    rows = open_cohort(tmp_path / "cohort").table("pool").to_pylist()
    assert {row["outcome"] for row in rows} <= {"red", "blue"} and len(rows) == 3 * len(cohort.strata)


def test_a_cohort_without_a_pool_says_so(tmp_path: Path) -> None:
    emit(cohort_of(read_world("noisy-sensor")), 3, SEED, tmp_path / "cohort")
    assert not (tmp_path / "cohort" / "public" / "pool").exists()
    with pytest.raises(CohortError, match="this cohort has no pool"):
        open_cohort(tmp_path / "cohort").table("pool")
    assert "pool" in SCHEMAS


REFUSED = {
    "case-8": "'case-8' shows 8 cases of a pool, and the pool has 7; write pool: 1000 in a cohort",
    "case-2000": "'case-2000' shows 2000 cases of a pool, and the pool has 7; write pool: 2000 in a cohort",
    "case-0": "there is no variant 'case-0'; did you mean 'case'?",
    "case-x": "there is no variant 'case-x'; did you mean 'case'?",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_pool_can_show_is_refused(name: str) -> None:
    with pytest.raises(SpecError) as caught:
        replace(asked(), variants=(name,))
    assert [f"{fault.message}; {fault.remedy}" for fault in caught.value.faults] == [REFUSED[name]]


def test_three_classes_are_no_case() -> None:
    world = FactorWorld(harbour())
    assert "case" not in cohort_of(world).variants
    with pytest.raises(SpecError, match="is not a world of two classes"):
        cohort_of(world, ["case"])


def test_roots_do_not_change_with_what_is_demonstrated() -> None:
    stratum = asked().strata[0]
    plain = draw_roots(stratum, SEED, np.arange(POOL, POOL + 3))
    more = draw_roots(stratum, SEED, np.arange(0, POOL + 3))
    assert plain.digests.to_pylist() == more.digests.to_pylist()[POOL:]
