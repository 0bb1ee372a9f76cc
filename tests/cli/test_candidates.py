"""Commands on worlds of candidates: what they show, draw, emit and verify, and what is wrong use."""

from pathlib import Path

import pytest

from tests.cli.test_commands import parsed, run
from worldgen.emission.folder import open_cohort
from worldgen.worlds.candidate_models import VIEWS

ITEMS = {"arithmetic": 384, "dialogue": 684, "facts": 256, "lexical": 384, "reversal": 64, "symbols": 504}


@pytest.mark.parametrize("world", ITEMS)
def test_show_tells_items_candidates_and_views(world: str) -> None:
    text, found = run("show", world).stdout, parsed("show", world)
    assert (found["kind"], found["items"], found["candidates"]) == ("candidates", ITEMS[world], 8)
    assert found["views"] == dict(VIEWS)
    squeezed = "".join(text.split())
    for said in (found["task"], f"{ITEMS[world]} for each seed", found["spec_digest"], *found["variants"]):
        assert "".join(said.split()) in squeezed


@pytest.mark.parametrize(
    "world", [pytest.param(w, marks=[pytest.mark.slow] * (w == "lexical")) for w in ITEMS]
)
def test_every_view_is_emitted_and_verified(world: str, tmp_path: Path) -> None:
    for view in VIEWS:
        folder = tmp_path / view
        run("emit", world, "--view", view, "--roots", 20, "--seed", 3, "--out", folder, "-q")
        assert "no finding" in run("verify", folder).stdout
        assert {row["view"] for row in open_cohort(folder).table("roots").to_pylist()} == {view}


def test_the_cards_of_a_lexicon_print_the_notices_that_it_asks_for(tmp_path: Path) -> None:
    for world, printed in (("lexical", True), ("facts", False)):
        run("emit", world, "--roots", 4, "--seed", 3, "--out", tmp_path / world, "-q")
        for side in ("public", "evaluator"):
            card = (tmp_path / world / side / "README.md").read_text(encoding="utf-8")
            for words in ("## Sources", "Copyright 2006 by Princeton University", "CC BY-SA 4.0"):
                assert (words in card) == printed


def test_preview_shows_a_root_and_a_character() -> None:
    root = parsed("preview", "facts", "--seed", 3, "--root")
    assert [cell["posterior"] for cell in root["cells"]].count("1") == 1
    assert root["cells"][root["outcome"]]["category"] == root["hidden"]["gold"]
    third = parsed("preview", "facts", "--seed", 3, "--variant", "at-3")
    assert third["asks"] == "the character at 3" and third["outcome"] == root["hidden"]["gold"][2]


REFUSED = {
    "reversal --roots 65": "reversal has 64 items",
    "facts --roots 1 --variants at-4": "at most 3 characters",
    "facts --roots 1 --variants event": "no named events",
    "noisy-sensor --roots 1 --variants full-1": "no candidates",
    "lexical --roots 1 --view candidates --variants union-2": "where candidates branch would tell",
    "facts --roots 1 --view candidates --variants trie-2": "a draft would tell what the view keeps back",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_asked_is_said(words: str, tmp_path: Path) -> None:
    failed = run("emit", *words.split(), "--seed", 1, "--out", tmp_path / "x", code=1)
    assert REFUSED[words] in " ".join(failed.stderr.split())


def test_variants_with_parts_are_emitted_verified_and_scored_exactly(tmp_path: Path) -> None:
    variants = "at-2,at-3+draft+slip-1+padded+opaque,at-2+direct+conflicting+character+wording-2+reversed"
    options = ("--view", "miscopy", "--wire", "chat", "--seed", 3)
    run("emit", "facts", *options, "--variants", variants, "--roots", 20, "--out", tmp_path / "c", "-q")
    assert "no finding" in run("verify", tmp_path / "c").stdout
    run("oracle", tmp_path / "c", "--out", tmp_path / "oracle.jsonl")
    scored = run("score", tmp_path / "c", tmp_path / "oracle.jsonl").stdout
    assert "60 intended, 60 eligible, 60 answered validly" in scored
    assert "total variation  at most 0.0000 [0.0000, 0.0000] in all 3" in scored.replace("    ", "  ")


def test_preview_shows_what_parts_change() -> None:
    options = ("--seed", 1, "--wire", "chat", "--variant", "at-2+named+conflicting+character+wording-1")
    text = run("preview", "facts", *options).stdout
    assert "keys conflicting" in text and "wording 1" in text and "by the name of the field" in text
    assert "above its limit" in text and "Look at what the right answer says of temperature." in text
    shown = parsed("show", "facts")["parts"]
    assert "named" in shown["character"] and "draft-N" in shown["whole"]
    assert "named" not in parsed("show", "symbols")["parts"]["character"]
    assert "at-3+indexed+opaque" in " ".join(run("emit", "--help").stdout.split())


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("at-3+indexd", "did you mean 'at-3+indexed'?"),
        ("at-3+opaque+indexed", "did you mean 'at-3+indexed+opaque'?"),
        ("at-3+character", "use the wire chat, or the binding aligned"),
        ("at-3+direct+aligned+character", "write 'at-3+direct+aligned', where it is what they say"),
        ("at-3+named", "shows no named fields"),
        ("at-3+", "'' is no part that at-3 can have"),
    ],
)
def test_parts_that_cannot_be_are_told_what_can(variant: str, said: str) -> None:
    refused = run("preview", "arithmetic", "--view", "copy", "--seed", 1, "--variant", variant, code=1)
    assert said in " ".join(refused.stderr.split())
    options = ("--view", "copy", "--seed", 1, "--variants", variant, "--out", "nowhere")
    refused = run("emit", "arithmetic", *options, code=1)
    assert said in " ".join(refused.stderr.split())
