"""Laws of worlds of candidates: what options stand for, against reading the words one by one."""

import json
import pickle
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np
import pytest

from tests.unshipped import offered
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.cohort.variants import BY_NAME, CHARACTER
from worldgen.emission.batches import Batcher
from worldgen.exact.arrow import Table
from worldgen.exact.geometry import Candidates
from worldgen.spec import (
    Source,
    cohort_of,
    read_candidates,
    read_cohort,
    spec_digest,
    world_data,
    write_spec,
)
from worldgen.worlds.candidates import CandidateWorld

ROOTS = 24
WORLDS = offered()


@cache
def made(name: str) -> tuple[Batcher, Roots, dict[str, Table]]:
    cohort = cohort_of(WORLDS[name])
    batcher = Batcher(cohort, 0, 3, "law")
    roots = draw_roots(cohort.strata[0], 3, np.arange(ROOTS))
    return batcher, roots, batcher.tables(roots)


@pytest.fixture(params=WORLDS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def branches(words: Sequence[str], target: str) -> list[int]:
    """The positions, from 0, at which the words differ that begin as one of them does."""
    beside = [{word[k] for word in words if word[:k] == target[:k]} for k in range(len(target))]
    return [k for k, letters in enumerate(beside) if len(letters) > 1]


def right(world: CandidateWorld, shown: dict[str, str], words: list[str]) -> list[str]:
    """The candidates that may be right, by what the view says, read from the texts alone."""
    if world.seen == "problem":
        answers = world.model.task.answers({key: [text] for key, text in shown.items()})
        return [word for word in words if word == answers[0]]
    if world.seen in {"copy", "miscopy"}:
        return [word for word in words if word == shown["supplied"]]
    return [word for word in words if word.startswith(shown.get("prefix", ""))]


def test_q_counts_the_candidates_that_may_be_right_and_have_the_option(name: str) -> None:
    _, _, tables = made(name)
    world = WORLDS[name]
    roots = {row["root_id"]: row for row in tables["roots"].to_pylist()}
    geometry = {row["root_id"]: row for row in tables["geometry"].to_pylist()}
    names = [variable.name for variable in world.view.variables]
    rows = zip(tables["requests"].to_pylist(), tables["targets"].to_pylist(), strict=True)
    for request, target in rows:
        shown = dict(zip(names, roots[request["root_id"]]["visible"], strict=True))
        words = [shown[name] for name in world.atoms.names]
        left, variant = right(world, shown, words), BY_NAME[request["variant"]]
        at = None
        if variant.asks == CHARACTER:
            known = geometry[request["root_id"]]
            at = branches(words, shown.get("supplied", known["gold"]))[(variant.branch or 0) - 1]
            if world.seen != "miscopy" or world.model.task.crossed:
                assert known["branches"][(variant.branch or 0) - 1] == at + 1
        said = [word if at is None else word[at] for word in words]
        kept = [word if at is None else word[at] for word in left]
        for option, atoms, q in zip(request["options"], target["event_map"], target["q"], strict=True):
            assert atoms == [place for place, each in enumerate(said) if each == option]
            assert Fraction(q) == Fraction(kept.count(option), len(left))
        assert sum(map(Fraction, target["q"])) == 1


def test_attempts_drawn_together_are_those_drawn_apart(name: str) -> None:
    stratum = cohort_of(WORLDS[name]).strata[0]
    streams, indices, attempts = stratum.streams(3), np.array([2, 2, 5, 5]), np.array([0, 3, 3, 1])
    together = stratum.world.draw(streams, indices, attempts)
    for row, (index, attempt) in enumerate(zip(indices.tolist(), attempts.tolist(), strict=True)):
        apart = stratum.world.draw(streams, np.array([index]), attempt)
        assert together.outcomes[row] == apart.outcomes[0]
        for variable, codes in {**together.values, **together.hidden}.items():
            assert codes.tolist()[row] == {**apart.values, **apart.hidden}[variable].tolist()[0]


def targets(world: CandidateWorld, roots: Roots) -> list[str]:
    """The word whose characters are asked for, root by root."""
    found = roots.values["supplied"] if world.seen in {"copy", "miscopy"} else roots.hidden["gold"]
    return [str(word) for word in found]


def test_options_are_those_of_the_support(name: str) -> None:
    batcher, roots, tables = made(name)
    world = WORLDS[name]
    ids = batcher.root_ids(roots).to_pylist()
    words = dict(zip(ids, world.words(roots.values), strict=True))
    aims = dict(zip(ids, targets(world, roots), strict=True))
    for request in tables["requests"].to_pylist():
        variant, offered_words = BY_NAME[request["variant"]], words[request["root_id"]]
        if variant.asks != CHARACTER:
            assert tuple(request["options"]) == offered_words
            continue
        inventory = roots.hidden["inventory"][list(words).index(request["root_id"])]
        candidates = Candidates(offered_words, inventory)
        aim = aims[request["root_id"]]
        place = branches(offered_words, aim)[(variant.branch or 0) - 1]
        said = "".join(request["options"])
        if variant.support == "full":
            assert said == inventory
        else:
            beside = [word for word in offered_words if word[:place] == aim[:place]]
            of = offered_words if variant.support == "union" else beside
            assert said == "".join(letter for letter in inventory if letter in {word[place] for word in of})
            # In crossed sets every beginning that occurs has the whole union after it.
            assert not world.model.task.crossed or said == candidates.unions[place]


def test_a_trie_draft_is_the_beginning_of_the_target_and_changes_no_answer(name: str) -> None:
    _, roots, tables = made(name)
    world = WORLDS[name]
    asked = [row for row in tables["requests"].to_pylist() if row["variant"] == "trie-2"]
    assert bool(asked) == (world.seen != "candidates")
    rows = zip(tables["requests"].to_pylist(), tables["targets"].to_pylist(), strict=True)
    gold = {
        request["request_id"]: {
            o: q for o, q in zip(request["options"], target["q"], strict=True) if q != "0"
        }
        for request, target in rows
    }
    for row, text in enumerate(json.loads(one["payload"])["questions"]["q"]["instructions"] for one in asked):
        draft = text.split(" reads ")[1].split(",")[0]
        assert targets(world, roots)[row].startswith(draft) and draft
        for support in ("union", "full"):
            assert gold[asked[row]["request_id"].replace("trie", support)] == gold[asked[row]["request_id"]]


def test_geometry_columns_equal_filtering(name: str) -> None:
    _, roots, tables = made(name)
    for words, row in zip(WORLDS[name].words(roots.values), tables["geometry"].to_pylist(), strict=True):
        gold, length = row["gold"], row["length"]
        counts = [sum(word[:k] == gold[:k] for word in words) for k in range(length + 1)]
        assert row["counts"] == counts and counts == sorted(counts, reverse=True) and counts[-1] == 1
        assert row["first_unique"] == next(k for k, count in enumerate(counts) if count == 1)
        assert row["unions"] == ["".join(sorted({word[k] for word in words})) for k in range(length)]
        assert Fraction(row["mean_union"]) == Fraction(sum(map(len, row["unions"])), length)
        assert row["cartesian"] == prod(map(len, row["unions"])) >= len(words) == len(set(words))
        assert not WORLDS[name].model.task.crossed or row["cartesian"] == len(words)
        assert [2 ** Fraction(text) if "log" not in text else None for text in row["entropies"]] == [
            count if count in {1, 2, 4, 8} else None for count in counts
        ]


def test_an_item_is_the_same_in_every_view() -> None:
    for world in WORLDS.values():
        first = world.through(world.views[0])
        mine, other = (draw_roots(cohort_of(each).strata[0], 5, np.arange(6)) for each in (world, first))
        assert world.words(mine.values) == first.words(other.values)
        assert all((mine.hidden[one.name] == other.hidden[one.name]).all() for one in world.hidden)
        assert (world.seen == "miscopy") == (mine.outcomes.tolist() != other.outcomes.tolist())


def test_a_world_that_is_written_reads_back() -> None:
    for world in {world.name: world for world in WORLDS.values()}.values():
        for text in (write_spec(world), write_spec(world, "yaml")):
            read = read_candidates(Source(text))
            assert read.model == world.model
            assert spec_digest(world_data(read)) == spec_digest(world_data(world))
        assert pickle.loads(pickle.dumps(world)) == world
        cohort: Cohort = cohort_of(world, ["canonical"])
        assert read_cohort(Source(write_spec(cohort))) == cohort


def test_a_forged_row_has_no_mass() -> None:
    """A candidate that stands twice, and an answer that is not among the candidates."""
    world = WORLDS["arithmetic.problem"]
    values = dict(draw_roots(cohort_of(world).strata[0], 3, np.arange(2)).values)
    values["candidate_1"] = values["candidate_2"]
    assert not world.posterior(values)[1].any()
    assert not world.slow_posterior(values).any()
    values = dict(draw_roots(cohort_of(world).strata[0], 3, np.arange(2)).values)
    values["left"] = values["left"] + 1
    assert not world.posterior(values)[1].any()
    assert not world.slow_posterior(values).any()


def test_a_slot_is_the_same_by_positions_and_by_counts() -> None:
    text = """
kind: candidates
name: sums
task: {product: {split: test}}
geometry: {widths: [4, 2], slots: {a: [3, 1, 2], b: [8, 2, 5]}}
views: [problem]
encodings: [sheet]
"""
    counted = text.replace("[3, 1, 2]", "{counts: [8, 2, 1, 1]}")
    counted = counted.replace("[8, 2, 5]", "{counts: [8, 8, 2, 2, 2, 1, 1, 1, 1]}")
    assert read_candidates(Source(counted)) == read_candidates(Source(text))


def test_no_rows_have_no_answers(name: str) -> None:
    batcher, roots, _ = made(name)
    none = {variable: codes[:0] for variable, codes in {**roots.values, **roots.hidden}.items()}
    count = len(batcher.stratum.world.atoms)
    assert batcher.stratum.world.posterior(none)[0].numerators.shape == (0, count)
    for asking in batcher.by_root:
        shown = asking.present(batcher.stratum.streams(3), roots.indices[:0], none)
        events, given = asking.events_of({**none, **shown.values})
        assert events.shape == (0, len(asking.options), count) and given.shape == (0, count)
