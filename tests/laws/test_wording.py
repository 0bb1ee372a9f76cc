"""Every request of a cohort about candidates has a twin: the same question, worded alone, has its bytes."""

import json
from functools import cache
from typing import Any

import numpy as np
import pytest

from tests.composed import COMPOSED
from tests.unshipped import offered
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.variants import BY_NAME, VARIANTS, WIRES, refusal
from worldgen.cohort.wording import word
from worldgen.emission.batches import Batcher
from worldgen.exact.geometry import Candidates, Geometry
from worldgen.spec import cohort_of
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.items import NamedTask

Row = dict[str, Any]
Subject = tuple[Cohort, list[dict[str, list[Row]]]]

ROOTS = 3
SUBJECTS = [
    (name, wire)
    for name, world in offered().items()
    for wire in WIRES
    if world.name == "small-products" or world.seen in {"problem", "miscopy"}
]


@cache
def tables(name: str, wire: str) -> Subject:
    world = offered()[name]
    names = [*(variant.name for variant in VARIANTS), *COMPOSED]
    names = [one for one in names if not refusal(BY_NAME[one], wire, world, "sheet")]
    strata = cohort_of(world, ["canonical"]).strata
    cohort = Cohort("law", strata, tuple(names), (), wire)
    batchers = [Batcher(cohort, number, 3, "law") for number in range(len(strata))]
    roots = [draw_roots(stratum, 3, np.arange(ROOTS)) for stratum in strata]
    made = [batcher.tables(some) for batcher, some in zip(batchers, roots, strict=True)]
    return cohort, [{key: table.to_pylist() for key, table in each.items()} for each in made]


@pytest.fixture(params=SUBJECTS, ids="-".join)
def subject(request: pytest.FixtureRequest) -> Subject:
    return tables(*request.param)


def test_a_question_worded_alone_has_the_payload_of_the_cohort(subject: Subject) -> None:
    cohort, made = subject
    for stratum, found in zip(cohort.strata, made, strict=True):
        world = stratum.world
        assert isinstance(world, CandidateWorld)
        roots = {row["root_id"]: row for row in found["roots"]}
        hidden = {row["root_id"]: row["hidden"] for row in found["truth"]}
        for row in found["requests"]:
            if not row["eligible"]:
                continue
            root, variant = row["root_id"], BY_NAME[row["variant"]]
            told = dict(zip((v.name for v in world.hidden), hidden[root], strict=True))
            shown = dict(zip((v.name for v in world.view.shown), roots[root]["visible"], strict=True))
            target, symbols = shown.get("supplied", told["gold"]), told["inventory"]
            at = variant.at
            if variant.branch:
                words = Candidates(tuple(shown[one.name] for one in world.candidates), symbols)
                at = Geometry(words, target).branches[variant.branch - 1] + 1
            draft = list(target[: variant.draft or (at or 1) - 1]) if variant.draft is not None else []
            if variant.slip:
                there = symbols.index(draft[variant.slip - 1]) + 1
                draft[variant.slip - 1] = symbols[there % len(symbols)]
            says = word(
                cohort,
                stratum,
                roots[root]["visible"],
                list(zip(labels(row), characters(world, shown, row["options"], at or 0), strict=True)),
                [at - 1] if at else [],
                draft=draft,
                evidence=variant.evidence,
                contract=variant.contract,
                wording=variant.wording,
                layout=variant.layout,
                named=variant.named,
            )
            assert says.payload == row["payload"]
            assert list(says.answer_ids) == row["answer_ids"] and says.portable == row["portable"]


def characters(world: CandidateWorld, shown: dict[str, str], said: list[str], at: int) -> list[str]:
    """What options say as characters, where they say it by name."""
    if not isinstance(world.model.task, NamedTask) or set(said) <= {*world.model.task.alphabet} or not at:
        return said
    (fields,) = world.model.task.called({name: [text] for name, text in shown.items()})
    back = {text: symbol for symbol, text in fields[at - 1][1].items()}
    return [back[text] for text in said]


def labels(row: Row) -> list[str]:
    """What options are called, as the payload displays it."""
    body = json.loads(row["payload"])
    if row["wire"] == "systemone":
        return list(body["questions"]["q"]["criteria"])
    lines = body["messages"][1]["content"].split("\n")[-len(row["options"]) :]
    return [line.split(": ")[0] for line in lines]
