"""Counts and joint tables of "Correct Choices, Failed Sequences" (arXiv 2610.16191) by the whole road:
cohorts are emitted, arms are driven over them by scripted systems, and what they keep is read off records.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from worldgen.catalog import worlds
from worldgen.cohort.fields import Evidence, Feedback
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import DialogueArm
from worldgen.collecting.doors import AnyArm, construct, retention
from worldgen.collecting.filed import Filed
from worldgen.collecting.scripts import Script
from worldgen.collecting.sheets import Extras
from worldgen.emission.emit import emit
from worldgen.emission.folder import CohortFolder, open_cohort
from worldgen.scoring.retention.assembled import Retention
from worldgen.spec import Source, cohort_of, read_candidates, read_cohort

SEED = 1


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("constructed")


@cache
def emitted(folder: Path, world: str, roots: int, view: str = "problem") -> CohortFolder:
    """A cohort of a shipped world. Nothing may be written there."""
    place = folder / f"{world}-{view}-{roots}"
    emit(cohort_of(read_candidates(world).through(view), ["canonical", "at-1"]), roots, SEED, place)
    return open_cohort(place)


def driven(
    cohort: CohortFolder, arm: AnyArm, script: Script | None = None, extras: Extras | None = None
) -> Sequence[Filed]:
    construction, _ = construct(cohort, arm, script=script or Script(), system="m", extras=extras)
    assert construction.over
    return construction.records


def totals(found: Sequence[Filed]) -> tuple[int, int]:
    calls = sum(each.record.calls for each in found)
    return calls, sum(getattr(each.record, "fills", 0) for each in found)


@pytest.fixture(scope="module")
def pairs(folder: Path) -> CohortFolder:
    """Twenty sums of three digits and their partners among words. Nothing may be written there."""
    place = folder / "pairs"
    strata = "[{world: arithmetic, encoding: sheet}, {world: lexical, encoding: sheet}]"
    spec = f"kind: cohort\nname: pairs\nstrata: {strata}\nvariants: [canonical]\nrelations: []\nroots: 40\n"
    emit(read_cohort(Source(spec)), 40, SEED, place)
    return open_cohort(place)


def test_unions_of_words_leave_nothing_to_fill(pairs: CohortFolder) -> None:
    """Three requests for a word, two for a sum, as in Table D6; `test_lexical_calls` has all 384 words."""
    assert totals(driven(pairs, Arm("serial", "union", "fill"))) == (20 * 3 + 20 * 2, 20)


@pytest.mark.slow
def test_tries_of_words_are_filled_from_the_letter_that_settles_them(folder: Path) -> None:
    """768 calls and 1,344 fills over the 384 words, as over the sums (Table D6)."""
    cohort = emitted(folder, "lexical", 384)
    assert totals(driven(cohort, Arm("serial", "trie", "fill"))) == (768, 1344)


def test_partners_of_two_domains_are_drawn_together(pairs: CohortFolder) -> None:
    """Sums and words share slots, and so units; of twenty pairs both are kept, or neither."""
    strata_of = {row["root_id"]: row["stratum"] for row in pairs.table("roots").to_pylist()}
    parts = [
        [root for root, name in strata_of.items() if name == one] for one in dict.fromkeys(strata_of.values())
    ]
    wrong = frozenset(root for part in parts for root in part[:6])
    native = driven(pairs, Arm("native"))
    found = kept(pairs, native, driven(pairs, Arm("serial", "trie", "fill"), Script("wrong-at-1", wrong)))
    first, second, less = found.tables["domains"]
    assert (first["scr"], second["scr"], less["scr"]) == (0.7, 0.7, 0.0)
    assert (less["scr_low"], less["scr_high"]) == (0.0, 0.0)
    assert first["scr_low"] != first["scr_high"]


@pytest.mark.parametrize(
    ("arm", "script", "calls", "fills"),
    [
        (Arm("native"), "wrong-at-1", 384, 0),
        (Arm("serial"), "perfect", 2112, 0),
        (Arm("serial", filling="full-fill"), "wrong-at-1", 768, 1344),
    ],
    ids=lambda value: value.interface if isinstance(value, Arm) else None,
)
def test_arithmetic_takes_as_many_calls_whatever_is_answered(
    folder: Path, arm: Arm, script: str, calls: int, fills: int
) -> None:
    """Table D6; unions and tries are filled in Table 1, below."""
    cohort = emitted(folder, "arithmetic", 384)
    found = driven(cohort, arm, Script(script))
    assert totals(found) == (calls, fills)
    gold = {row["root_id"]: row["gold"] for row in cohort.table("geometry").to_pylist()}
    right = sum(each.record.output == gold[each.root_id] for each in found if hasattr(each.record, "output"))
    assert right == (384 if script == "perfect" else 0)


def test_the_twelve_character_panel(folder: Path) -> None:
    """64 (1 + 2 + 2 + 6 + 6) = 1,088 calls over the items of the world reversal: one native choice, and two
    or six positions asked for among ten symbols or 26 (D.7).
    """
    text = (worlds()["reversal"].parent / "world.yaml").read_text(encoding="utf-8")
    wide = text.replace(
        "scripts: {abcdefghij: []}", "scripts: {abcdefghij: []}\n    options: abcdefghijklmnopqrstuvwxyz"
    )
    calls = 0
    for width, said in ((10, text), (26, wide)):
        place = folder / f"reversal-{width}"
        emit(cohort_of(read_candidates(Source(said)), ["canonical"]), 64, SEED, place)
        cohort = open_cohort(place)
        calls += totals(driven(cohort, Arm("native")))[0] if width == 10 else 0
        gold = {row["root_id"]: row["gold"] for row in cohort.table("geometry").to_pylist()}
        for more in ((), (0, 3, 7, 11)):
            found = driven(cohort, Arm("serial", filling="listed"), extras=Extras(listed=more))
            assert {each.record.calls for each in found} == {2 + len(more)}
            assert {each.root_id: each.record.output for each in found} == gold  # type: ignore[union-attr]  # no dialogue
            rows = kept(cohort, found).tables["runs"]
            assert [row["arm"] for row in rows] == [
                f"serial listed, {2 + len(more)} of {width} symbols",
            ]
            calls += totals(found)[0]
    assert calls == 1088


def test_fresh_plans(folder: Path) -> None:
    """Sixty items of three to eight characters, ten of each length: one native choice each, and four arms
    that copy it: 60 + 4 x 330 = 1,380 requests, wrong plans as well as right ones (Appendix A.5).
    """
    cohort = emitted(folder, "arithmetic", 384)
    native = driven(cohort, Arm("native"), Script("wrong-at-1", _some(cohort, 100)))
    by_length: dict[int, list[Filed]] = {}
    for each in native:
        by_length.setdefault(each.record.task.length, []).append(each)  # type: ignore[union-attr]  # no dialogue
    sixty = [each for length in range(3, 9) for each in by_length[length][:10]]
    plans = {each.root_id: str(each.record.output) for each in sixty}  # type: ignore[union-attr]  # no dialogue
    evidences: tuple[Evidence, ...] = ("raw", "indexed")
    feedbacks: tuple[Feedback, ...] = ("none", "own")
    calls = len(sixty)
    for evidence, feedback in product(evidences, feedbacks):
        arm = Arm("self-plan-spell", evidence=evidence, feedback=feedback)
        found = driven(cohort, arm, extras=Extras(plans=plans))
        assert {each.root_id: each.record.output for each in found} == plans  # type: ignore[union-attr]  # no dialogue
        calls += totals(found)[0]
    assert calls == 1380


def test_the_stopping_track(folder: Path) -> None:
    """72 parents, 51 options, at most L + 3 steps (Appendix A.4); a dozen of them where it goes wrong."""
    for script, roots, more, ending in (
        ("perfect", 72, 1, "ended"),
        ("never-stops", 12, 3, "cap"),
        ("stops-early", 12, 0, "ended"),
    ):
        cohort = emitted(folder, "arithmetic", roots)
        calls = sum(row["length"] + more for row in cohort.table("geometry").to_pylist())
        found = driven(cohort, Arm("stopping"), Script(script))
        assert totals(found) == (calls, 0)
        assert {each.record.ending for each in found} == {ending}  # type: ignore[union-attr]  # no dialogue
        outcomes = {row["outcome"]: row["runs"] for row in kept(cohort, found).tables["stopping"]}
        assert outcomes["correct content without END" if ending == "cap" else _ended(script)] == roots
    asked = construct(cohort, Arm("stopping"))[0].pending[0]
    assert len(asked.asked.worded.answer_ids) == 51


def _ended(script: str) -> str:
    return "exact completion" if script == "perfect" else "premature END"


@pytest.mark.parametrize(
    ("arm", "calls"),
    [
        ("joint", 576),
        ("independent", 1716),
        ("serial", 1716),
        ("rollout", 576),
        ("oracle", 576),
    ],
)
def test_dialogues(folder: Path, arm: DialogueArm, calls: int) -> None:
    """96 dialogues, 576 turns, 1,716 field calls (Appendix C)."""
    cohort = emitted(folder, "dialogue", 576)
    found = driven(cohort, arm)
    assert totals(found) == (calls, 0)
    (row,) = kept(cohort, found).tables["dialogues"]
    assert (row["dialogues"], row["turns"], row["trajectory"], row["failed"]) == (96, 576, 1.0, 0)


def kept(cohort: CohortFolder, *found: Sequence[Filed]) -> Retention:
    return retention(cohort, *(each for part in found for each in part), replicates=100)


def _some(cohort: CohortFolder, count: int, skipped: int = 0) -> frozenset[str]:
    """So many roots of a cohort, spread over its lengths."""
    roots = sorted(cohort.table("roots").column("root_id").to_pylist(), key=lambda root: root[::-1])
    return frozenset(roots[skipped : skipped + count])


@pytest.mark.parametrize(
    ("world", "arm", "counts", "shown"),
    [
        ("arithmetic", Arm("serial", "union", "fill"), (123, 250, 0, 11), (97.1, 32.0, 33.0)),  # Table 1
        # The counts of the words, on sums: test_tries_of_words has the requests that words take.
        ("arithmetic", Arm("serial", "trie", "fill"), (8, 374, 0, 2), (99.5, 2.1, 2.1)),
        ("facts", Arm("serial"), (6, 22, 31, 69), (21.9, 28.9, 21.4)),  # Table 2
        ("facts", Arm("independent"), (111, 4, 5, 8), (89.8, 90.6, 96.5)),
    ],
)
def test_published_joint_tables(
    folder: Path, world: str, arm: Arm, counts: tuple[int, int, int, int], shown: tuple[float, ...]
) -> None:
    """A system that is wrong on set roots: nowhere in the first, then only when it builds, then only when it
    chooses, and always in the last. Two requests an item of 384 are 768, and 1,344 positions are filled,
    whatever is answered (Table D6).
    """
    both, native_only, serial_only, _ = counts
    cohort = emitted(folder, world, sum(counts))
    everything = _some(cohort, sum(counts))
    chosen = driven(
        cohort, Arm("native"), Script("wrong-at-1", everything - _some(cohort, both + native_only))
    )
    built_right = _some(cohort, both) | _some(cohort, serial_only, both + native_only)
    built = driven(cohort, arm, Script("wrong-at-1", everything - built_right))
    if sum(counts) == 384:
        assert totals(built) == (768, 1344)
    found = kept(cohort, chosen, built)
    (row,) = found.tables["joint"]
    assert [row[name] for name in ("both", "native_only", "built_only", "neither")] == list(counts)
    assert percents(row) == shown
    assert sum(int(one["items"] or 0) for one in found.tables["strata"]) == sum(counts)


def percents(row: Mapping[str, object]) -> tuple[float, ...]:
    return tuple(round(100 * float(str(row[name])), 1) for name in ("native", "built", "scr"))
