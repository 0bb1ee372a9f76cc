"""Previews against the cohort that is emitted, on both wires."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.preview import PreviewError, preview, to_json
from worldgen.spec import as_cohort, cohort_of, read_world

WORLD = read_world("noisy-sensor")


@pytest.mark.parametrize("wire", ["systemone", "chat"])
def test_a_preview_is_the_row_that_is_emitted(tmp_path: Path, wire: str) -> None:
    cohort = replace(cohort_of(WORLD, ["opaque-keys", "event"]), wire=wire)
    emit(cohort, 4, 11, tmp_path)
    opened = open_cohort(tmp_path)
    rows = zip(opened.table("requests").to_pylist(), opened.table("targets").to_pylist(), strict=True)
    for request, target in rows:
        _, number, index = request["root_id"].split("-")
        stratum = cohort.strata[int(number)].name
        found = preview(cohort, 11, index=int(index), stratum=stratum, variant=request["variant"])
        assert (found.request_id, found.payload) == (request["request_id"], request["payload"])
        assert [option.answer_id for option in found.options] == request["answer_ids"]
        assert [str(option.q) for option in found.options] == target["q"]
        assert found.outcome == request["options"][target["outcome"]]
        assert to_json(found)["payload"] == request["payload"]


def test_the_parts_are_the_texts_of_the_payload() -> None:
    cohort = cohort_of(WORLD)
    found = preview(cohort, 3, variant="event")
    tree = json.loads(found.payload or "")
    assert found.parts == {"state": tree["state"], "question": tree["questions"]["q"]["instructions"]}
    chat = preview(replace(cohort, wire="chat"), 3, variant="event")
    assert list(chat.parts) == ["system", "user"]
    assert chat.options[1].name == "true"
    assert f"hold: {chat.options[1].means}?" in chat.parts["user"]


def test_a_world_is_previewed_in_every_variant_it_can_be_asked_in() -> None:
    roots = {preview(WORLD, 3, variant=name).parts["state"] for name in ("event", "query-b", "permutation")}
    assert len(roots) == 1
    assert preview(WORLD, 3) == preview(as_cohort(WORLD), 3)


@pytest.mark.parametrize(
    "wrong", [{"variant": "evnt"}, {"stratum": "urn"}, {"index": -1}, {"index": 2**62}, {"seed": -1}]
)
def test_what_is_not_there_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PreviewError):
        preview(WORLD, **({"seed": 3} | wrong))  # type: ignore[arg-type]  # one of several keywords at a time
