"""What every shipped layout says, and that the lists of what is shipped match the files."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import pytest

from worldgen.cohort.fields import WORDINGS
from worldgen.exact.domains import Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import (
    CLASSES,
    OFFERED,
    PROMPTS,
    SHIPPED,
    Layout,
    candidate_prompts,
    prompts,
    shipped,
)
from worldgen.renderers.lines import Column, Literal
from worldgen.renderers.unrolling import Constant

LAYOUTS = [layout for encoding in shipped().values() for layout in encoding.layouts]
RULE = "A ball is drawn from the urn, each as likely as any other."


def names(metadata: list[Any]) -> dict[str, Any]:
    cells = [
        {"id": f"c{i}", "values": [f"u{i}", f"v{i}"], "category": f"kind {i}"}
        | {"count": str(30 + i), "likelihood": f"{i}/7"}
        for i in range(3)
    ]
    return {"rule": RULE, "attributes": ["colour", "size"], "cells": cells, "metadata": metadata}


def state(layout: Layout, metadata: list[Any]) -> str:
    items = layout.leaf(names(metadata)).items
    assert all(isinstance(item, Literal) for item in items)
    return "".join(item.text for item in items if isinstance(item, Literal))


every_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.template for layout in LAYOUTS])


@every_layout
def test_a_state_says_what_it_must(layout: Layout) -> None:
    text = state(layout, [])
    assert text.startswith(RULE + "\n")
    assert text == text.strip()
    assert "\n\n\n" not in text
    for said in ("likelihood", "chance", "not listed", "count", "mass", "colour", "size", "category"):
        assert said in text.replace("beyond what is listed", "that is not listed")
    for i in range(3):
        for shown in (f"c{i}", f"u{i}", f"v{i}", f"kind {i}", str(30 + i), f"{i}/7"):
            assert shown in text


@every_layout
def test_metadata_stand_at_the_end_or_nowhere(layout: Layout) -> None:
    plain = state(layout, [])
    full = state(layout, [{"name": "clerk", "value": "north"}, {"name": "shelf", "value": "12"}])
    assert full.startswith(plain)
    added = full[len(plain) :]
    assert added == added.rstrip()
    assert [word for word in ("clerk", "north", "shelf", "12") if word not in added] == []


def test_an_encoding_has_at_least_two_layouts_that_differ() -> None:
    for encoding in shipped().values():
        assert len({state(layout, []) for layout in encoding.layouts}) == len(encoding.layouts) >= 2
        assert encoding.layout(encoding.layouts[1].name) is encoding.layouts[1]


def test_joined_tables_show_each_kind_of_fact_once() -> None:
    text = state(shipped()["joined-tables"].layout("commas"), [])
    assert "cell,colour,size,category\nc0,u0,v0,kind 0\nc1," in text
    assert "cell,count\nc0,30\nc1,31\nc2,32\n\n" in text
    assert "cell,likelihood\nc0,0/7\nc1,1/7\nc2,2/7\n\n" in text


def test_nested_records_keep_a_cell_together() -> None:
    lines = state(shipped()["nested-records"].layout("lines"), []).splitlines()
    assert "cell=c1 colour=u1 size=v1 category=kind 1 count=31 likelihood=1/7" in lines
    blocks = state(shipped()["nested-records"].layout("blocks"), [])
    assert "c1:\n  colour: u1\n  size: v1\n  category: kind 1\n  prior count: 31\n" in blocks


def paths(folder: Traversable, above: str = "") -> list[str]:
    if folder.is_file():
        return [above]
    return [path for entry in folder.iterdir() for path in paths(entry, f"{above}/{entry.name}".lstrip("/"))]


def test_the_lists_hold_exactly_the_files() -> None:
    listed = (
        [f"prompts/{name}.j2" for name in PROMPTS]
        + [f"offered/{name}.j2" for name in OFFERED]
        + [f"classes/{name}.j2" for name in CLASSES]
    )
    listed += [
        f"{family}/{encoding}/{layout}.j2"
        for family, encodings in SHIPPED.items()
        for encoding, layouts in encodings.items()
        for layout in layouts
    ]
    assert sorted(listed) == sorted(paths(files("worldgen.renderers").joinpath("templates")))


def test_prompts_word_the_event_and_the_condition() -> None:
    event, condition = (
        Variable(name, Phrases((f"{name} one", f"{name} two"))) for name in ("event", "given")
    )
    for name, prompt in prompts().items():
        items = prompt.leaf({"event": event, "given": condition}).items
        named = name.startswith(("event", "yes-no"))
        wanted = [v for v, asked in ((condition, "given" in name), (event, named)) if asked]
        assert [item.variables[0] for item in items if isinstance(item, Column)] == wanted
        assert not items[0].variables
        assert not items[-1].variables


@pytest.mark.parametrize("drafted", ["", "plain", "marked", "listed"])
@pytest.mark.parametrize("asks", ["word", "character", "characters", "field", "claim"])
def test_wordings_about_candidates_word_the_target_the_positions_and_the_draft(
    drafted: str, asks: str
) -> None:
    digits = Phrases(("1", "2"))
    positions, draft = [Variable("first", digits), Variable("second", digits)], Variable("draft", digits)
    claimed, field = Variable("claimed", digits), Variable("field", digits)
    known: dict[str, Constant] = {
        "asks": asks,
        "target": "the right answer",
        "drafted": drafted,
        "ending": "",
        "positions": positions,
        "draft": draft,
        "claimed": claimed,
        "field": field,
    }
    shown = {
        "word": [],
        "character": positions[:1],
        "characters": positions,
        "field": [field],
        "claim": [positions[0], claimed],
    }
    texts = set()
    for name, prompt in candidate_prompts().items():
        if name == "beside":
            continue
        items = prompt.leaf(known).items
        found = {item.variables[0] for item in items if isinstance(item, Column)}
        assert found == {*shown[asks], *([draft] if drafted else [])}
        said = "".join(item.text if isinstance(item, Literal) else "#" for item in items)
        assert "the right answer" in said
        assert said == said.strip() and "  " not in said and said[-1] in ".?" and "\n" not in said
        texts.add(said)
    assert len(texts) == WORDINGS


def test_a_word_is_shown_with_its_evidence_and_nothing_stands_beside_a_view_that_shows_none() -> None:
    names = ("supplied", "table", "filler", "symbol", "place")
    known = {name: Variable(name, Phrases(("1", "2"))) for name in names}
    beside = candidate_prompts()["beside"]
    for given, evidence, shown in (
        ("", "raw", []),
        ("yes", "raw", ["supplied"]),
        ("", "padded", ["filler"]),
        ("yes", "indexed", ["supplied", "table"]),
        ("", "direct", ["table", "place", "symbol"]),
    ):
        items = beside.leaf(
            {**known, "given": given, "evidence": evidence, "positions": (known["place"],)}
        ).items
        assert [item.variables[0].name for item in items if isinstance(item, Column)] == shown
        texts = [item.text for item in items if isinstance(item, Literal)]
        assert not texts or len(texts[0]) - len(texts[0].lstrip("\n")) == 2
