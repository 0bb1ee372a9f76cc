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
