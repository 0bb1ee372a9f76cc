"""From filed runs of cohorts to the tables of retention: classes, fidelity, endings, what is refused."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from worldgen.cohort.fields import Interface
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.records import Record
from worldgen.collecting.doors import construct, retention
from worldgen.collecting.filed import Filed
from worldgen.collecting.judged import items_of, judged
from worldgen.collecting.record_files import RecordsError
from worldgen.collecting.scripts import Script
from worldgen.collecting.sheets import Extras
from worldgen.emission.emit import emit
from worldgen.emission.folder import CohortFolder, open_cohort
from worldgen.scoring.doors import oracle_reports, write_reports
from worldgen.scoring.retention.assembled import Retention
from worldgen.spec import cohort_of, read_candidates


def emitted(folder: Path, view: str, wire: str, world: str = "arithmetic", roots: int = 8) -> CohortFolder:
    place = folder / f"{world}-{view}-{wire}"
    if not place.exists():
        emit(
            cohort_of(read_candidates(world).through(view), ["canonical", "at-1"], wire=wire), roots, 5, place
        )
    return open_cohort(place)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept")


def driven(
    cohort: CohortFolder, arm: Arm, script: str = "perfect", extras: Extras | None = None
) -> list[Filed]:
    return list(construct(cohort, arm, script=Script(script), system="m", extras=extras)[0].records)


def kept(cohort: CohortFolder, *runs: Filed) -> Retention:
    return retention(cohort, *runs, replicates=100)


def only(found: Retention, table: str) -> dict[str, object]:
    (row,) = found.tables[table]
    return dict(row)


def test_codes_where_characters_are_asked_for_are_a_class_of_their_own(folder: Path) -> None:
    """On chat, where the answer is listed by what options say, a bare code is no answer."""
    cohort = emitted(folder, "copy", "chat")
    arm = Arm("copy", feedback="none", binding="opaque", contract="character")
    coded = driven(cohort, arm, "codes")
    assert {row["class"] for row in kept(cohort, *coded).tables["classes"]} == {"correct bound code"}
    assert all(isinstance(run.record, Record) and not run.record.valid for run in coded)
    assert only(kept(cohort, *coded), "fidelity")["fidelity"] == 0.0
    plain = driven(cohort, replace(arm, contract="code"), "codes")
    assert {row["class"] for row in kept(cohort, *plain).tables["classes"]} == {"strict correct"}


@pytest.mark.parametrize(("view", "accuracy"), [("copy", 1.0), ("miscopy", 0.0)])
def test_fidelity_stands_apart_from_correctness(folder: Path, view: str, accuracy: float) -> None:
    cohort = emitted(folder, view, "systemone")
    found = kept(cohort, *driven(cohort, Arm("copy", evidence="indexed")))
    row = only(found, "fidelity")
    assert (row["fidelity"], row["accuracy"]) == (1.0, accuracy)
    assert (row["on_wrong"], row["on_right"]) == ((None, 1.0) if view == "copy" else (1.0, None))
    assert not found.tables["joint"]


@pytest.mark.parametrize(("view", "accuracy"), [("copy", 1.0), ("miscopy", None)])
def test_single_characters_are_copied_or_not(folder: Path, view: str, accuracy: float | None) -> None:
    """Faithful are the characters at the positions that are asked for; a check of one copies nothing."""
    cohort = emitted(folder, view, "systemone")
    found = kept(cohort, *driven(cohort, Arm("copy", feedback="draft")))
    row = only(found, "fidelity")
    assert (row["items"], row["fidelity"], row["accuracy"]) == (8, 1.0, row["accuracy"])
    assert row["accuracy"] == 1 - int(str(row["of_wrong"])) / 8
    assert accuracy is None or row["accuracy"] == accuracy
    checked = kept(cohort, *driven(cohort, Arm("identity-check")))
    assert not checked.tables["fidelity"] and only(checked, "runs")["right"] == 8


def test_a_trie_without_answers_is_given_up(folder: Path) -> None:
    cohort = emitted(folder, "problem", "systemone")
    lost = kept(cohort, *driven(cohort, Arm("serial", "trie"), "silent"))
    row = only(lost, "runs")
    assert (row["aborted"], row["calls"], row["valid"], row["right"]) == (8, 8, 0, 0)
    assert only(lost, "classes")["class"] == "empty"
    assert not lost.tables["confidence"]


def test_wrong_branches_of_a_trie_leave_nothing_right_to_choose(folder: Path) -> None:
    """After a wrong first character the right one may be no option; the answer is legal and wrong."""
    cohort = emitted(folder, "problem", "systemone")
    found = kept(cohort, *driven(cohort, Arm("serial", "trie"), "wrong-at-1"))
    counts = {row["class"]: row["answers"] for row in found.tables["classes"]}
    assert (
        counts.keys() == {"strict correct", "format-valid wrong"}
        and int(counts["format-valid wrong"] or 0) >= 8
    )


@pytest.mark.parametrize(
    ("interface", "slip"),
    [
        ("prefix-probe", False),
        ("prefix-probe", True),
        ("identity-check", False),
        ("identity-check", True),
        ("candidates-only", False),
        ("teacher-forced", False),
    ],
)
def test_every_arm_is_right_where_its_answers_are(folder: Path, interface: Interface, slip: bool) -> None:
    cohort = emitted(folder, "problem", "systemone")
    found = kept(cohort, *driven(cohort, Arm(interface), extras=Extras(slip=slip)))
    row = only(found, "runs")
    assert (row["right"], row["runs"]) == (8, 8)
    wrong = {"prefix-probe": "prefix-probe, wrong draft", "identity-check": "identity-check, wrong claim"}
    assert row["arm"] == (wrong.get(interface, interface) if slip else interface)


def test_masses_of_a_native_choice_are_projected(folder: Path) -> None:
    """All mass on one candidate, and at each position on one character of it: no gap at all."""
    cohort = emitted(folder, "problem", "systemone")
    runs = driven(cohort, Arm("native")) + driven(cohort, Arm("independent"))
    row = only(kept(cohort, *runs), "projection")
    assert (row["items"], row["positions"], row["whole"], row["local"]) == (8, 24, 1.0, 1.0)
    assert (row["total_variation"], row["jensen_shannon"], row["unsupported"]) == (0.0, 0.0, 0.0)


def test_reports_are_native_in_the_wording_of_their_variant(folder: Path) -> None:
    place = folder / "worded"
    emit(cohort_of(read_candidates("arithmetic"), ["canonical", "canonical+wording-1"]), 4, 5, place)
    cohort, file = open_cohort(place), folder / "reports.jsonl"
    write_reports(oracle_reports(cohort, "m"), file)
    runs = driven(cohort, Arm("serial", "trie"), "wrong-at-1") + driven(
        cohort, Arm("serial", "trie", wording=1)
    )
    found = retention(cohort, file, *runs, variant="canonical+wording-1", replicates=100)
    assert [row["against"] for row in found.tables["joint"]] == ["native, wording 1"] * 2
    assert [row["scr"] for row in found.tables["joint"]] == [0.0, 1.0]
    (row,) = found.tables["templates"]
    assert (row["mean"], row["worst"], row["worst_at"]) == (0.5, 0.0, "serial trie")


@pytest.mark.parametrize("view", ["copy", "miscopy", "prefix"])
def test_reports_in_a_view_that_tells_the_answer_choose_nothing(folder: Path, view: str) -> None:
    cohort, file = emitted(folder, view, "systemone"), folder / f"{view}.jsonl"
    write_reports(oracle_reports(cohort, "m"), file)
    with pytest.raises(RecordsError, match=f"in the view {view} no answer is chosen from a problem"):
        retention(cohort, file, replicates=100)


def test_reports_on_the_candidates_alone_are_not_native(folder: Path) -> None:
    cohort, file = emitted(folder, "candidates", "chat"), folder / "alone.jsonl"
    write_reports(oracle_reports(cohort, "m"), file)
    found = retention(cohort, file, replicates=100)
    assert only(found, "runs")["arm"] == "candidates-only" and not found.tables["joint"]


def test_symbols_of_one_source_are_one_unit(folder: Path) -> None:
    cohort = emitted(folder, "problem", "systemone", "symbols", 12)
    items = items_of(cohort)
    units = [item.unit for item in items.values()]
    assert len(items) == 12 and len(set(units)) == 6  # copied and reversed
    assert {item.stratum for item in items.values()} <= {f"length {n}" for n in range(3, 9)}


def test_runs_that_do_not_fit_are_refused_and_counted(folder: Path) -> None:
    cohort = emitted(folder, "problem", "systemone")
    first, second, *rest = driven(cohort, Arm("native"))
    assert isinstance(second.record, Record)
    strange = replace(first, roots=("nobody",))
    task = replace(second.record.task, candidates=("123", *second.record.task.candidates[1:]))
    others = replace(second, record=replace(second.record, task=task))
    found = judged([strange, others, first, first, *rest], items_of(cohort))
    assert found.refused == {"unknown root": 1, "other candidates": 1, "several runs of one root": 2}
    assert sum(map(len, found.runs.values())) == 6
    with pytest.raises(RecordsError, match="no run is about this cohort"):
        kept(cohort, strange)
    with pytest.raises(TypeError, match="takes runs"):
        retention(cohort)


def test_confidence_is_of_what_was_reported(folder: Path) -> None:
    cohort = emitted(folder, "problem", "systemone")
    (run, *_) = driven(cohort, Arm("native"))
    halves = ((Fraction(1, 2), Fraction(1, 2), *[Fraction(0)] * 6),)
    assert isinstance(run.record, Record)
    chosen = run.record.task.candidates.index(str(run.record.output))
    mass = halves[0][chosen]
    rows = {
        row["score"]: row["value"]
        for row in kept(cohort, replace(run, masses=(halves,))).tables["confidence"]
        if row["value"] is not None
    }
    assert rows == {"product": float(mass), "geometric mean": float(mass), "minimum top": 0.5}
    assert not kept(cohort, replace(run, masses=((None,),))).tables["confidence"]


def test_constructed_words_are_looked_up(folder: Path) -> None:
    cohort = emitted(folder, "problem", "systemone", "lexical")
    gold = {row["root_id"]: row["gold"] for row in cohort.table("geometry").to_pylist()}
    right = driven(cohort, Arm("serial", "trie"))
    assert {row["class"]: row["runs"] for row in kept(cohort, *right).tables["words"]} == {"gold": len(gold)}
    mate = driven(cohort, Arm("serial", "trie"), "wrong-at-1")
    found = {row["class"]: row["runs"] for row in kept(cohort, *mate).tables["words"]}
    assert found == {"other candidate": len(gold)}
    lost = driven(cohort, Arm("serial"), "silent")
    assert {row["class"] for row in kept(cohort, *lost).tables["words"]} == {"malformed"}
    sums = emitted(folder, "problem", "systemone")
    assert not kept(sums, *driven(sums, Arm("native"))).tables["words"]
