"""Leaving out the roots of earlier cohorts: no shared digest, all other roots as they were."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.quotas import Admission
from worldgen.cohort.roots import UnreachableError, draw_roots
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.faults import SpecError
from worldgen.spec import Source, cohort_of, read_cohort, read_world, write_spec, write_spec_folder

SEED = 5
# Counts of 1 or 2 and likelihoods of 0 or 1 make 255 tables: draws of two seeds meet often.
NARROW = read_world(
    Source(write_spec(read_world("noisy-sensor")).replace("1..99", "1..2").replace("0..1 by 1/10", "0..1"))
)
COHORT = cohort_of(NARROW)
SPEC = """\
kind: cohort
name: later
strata:
  - {world: world.json, encoding: joined-tables}
  - {world: world.json, encoding: nested-records}
variants: [canonical]
relations: []
exclude: EXCLUDE
"""


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("earlier")
    emit(COHORT, 60, 4, folder / "cohort")
    (folder / "world.json").write_text(write_spec(NARROW))
    digests = digests_of(folder / "cohort")
    (folder / "list.txt").write_text("\n".join(sorted(set(digests))) + "\n\n")
    (folder / "bom.txt").write_text(f"\ufeff{digests[0]}\r\n  {digests[1]}\n", encoding="utf-8")
    return folder


def digests_of(folder: Path) -> list[str]:
    found: list[str] = open_cohort(folder).table("roots").column("semantic_digest").to_pylist()
    return found


def later(folder: Path, exclude: str) -> Cohort:
    (folder / "later.yaml").write_text(SPEC.replace("EXCLUDE", exclude))
    return read_cohort(folder / "later.yaml")


def test_folders_files_and_digests_say_the_same(earlier: Path) -> None:
    digests = digests_of(earlier / "cohort")
    assert len(set(digests)) < len(digests)
    by_folder = later(earlier, "[cohort]")
    assert by_folder.admission == Admission(excluded=frozenset(digests))
    assert later(earlier, "[list.txt]") == by_folder
    assert later(earlier, str(sorted(set(digests))).replace("'", "")) == by_folder
    assert later(earlier, "[list.txt, cohort, list.txt]") == by_folder
    assert later(earlier, "[bom.txt]").admission.excluded == set(digests[:2])
    assert later(earlier, "[]").admission == Admission()
    assert later(earlier, f"[{earlier / 'cohort'}]") == by_folder


def test_no_root_is_shared_and_the_others_are_those_of_before(earlier: Path, tmp_path: Path) -> None:
    excluded = set(digests_of(earlier / "cohort"))
    free, held = later(earlier, "[]"), later(earlier, "[cohort]")
    changed = 0
    for stratum in free.strata:
        before = draw_roots(stratum, SEED, np.arange(200), free.admission)
        after = draw_roots(stratum, SEED, np.arange(200), held.admission)
        digests, others = before.digests.to_pylist(), after.digests.to_pylist()
        assert not excluded & set(others)
        for row in range(200):
            own = [digests[row], int(before.outcomes[row]), int(before.attempts[row])]
            same = own == [others[row], int(after.outcomes[row]), int(after.attempts[row])]
            assert same == (digests[row] not in excluded)
            assert after.attempts[row] >= before.attempts[row]
            changed += not same
    assert changed > 20


def test_the_written_spec_draws_the_cohort_again_far_from_the_earlier_one(
    earlier: Path, tmp_path: Path
) -> None:
    held = later(earlier, "[cohort]")
    emit(held, 40, SEED, tmp_path / "later")
    listed = (tmp_path / "later" / "evaluator" / "spec" / "excluded.txt").read_text().split()
    assert listed == sorted(set(digests_of(earlier / "cohort")))
    shutil.move(tmp_path / "later", tmp_path / "elsewhere")
    assert verify(tmp_path / "elsewhere").findings == []
    assert read_cohort(tmp_path / "elsewhere" / "evaluator" / "spec" / "cohort.json") == held
    manifest = json.loads((tmp_path / "elsewhere" / "evaluator" / "manifest.json").read_text())
    assert manifest["attempts"] > 40
    path = tmp_path / "elsewhere" / "evaluator" / "spec" / "excluded.txt"
    path.write_text("\n".join(listed[1:]) + "\n")
    assert verify(tmp_path / "elsewhere").findings


def test_more_digests_than_a_spec_may_be_long_are_written_and_read(tmp_path: Path) -> None:
    many = frozenset(f"{number:064x}" for number in range(80_000))
    cohort = replace(COHORT, admission=Admission(excluded=many))
    for path, text in write_spec_folder(cohort).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    assert read_cohort(tmp_path / "cohort.json") == cohort


def test_to_exclude_everything_is_refused_with_the_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worldgen.cohort.roots.MOST_ATTEMPTS", 200)
    text = write_spec(NARROW).replace("1..2", "1").replace("0..1", "1")
    single = cohort_of(read_world(Source(text))).strata[0]
    (digest,) = set(draw_roots(single, SEED, np.arange(9)).digests.to_pylist())
    with pytest.raises(UnreachableError, match="a digest that is not excluded") as caught:
        draw_roots(single, SEED, np.arange(9), Admission(excluded=frozenset({digest})))
    assert caught.value.rate == (0, 9 * 32 + 200)


WRONG = {
    "nowhere": "cannot be read as a list of digests: No such file",
    "later.yaml": "line 1 of ",
    "bad.txt": "line 2 of ",
    "upper.txt": "line 1 of ",
    "binary.bin": "it is not text in UTF-8",
    ".": "is not a finished cohort",
    '"a\\0b"': "cannot be read",
    "ABCDEF" + "0" * 58: "No such file",
    "[x]": "this should be a text and is a list",
    "''": "is not a finished cohort",
}


@pytest.mark.parametrize("entry", WRONG)
def test_a_bad_entry_is_a_fault_at_its_place(earlier: Path, entry: str) -> None:
    (earlier / "bad.txt").write_text("0" * 64 + "\n" + "0" * 63 + "\n")
    (earlier / "upper.txt").write_text("A" * 64)
    (earlier / "binary.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SpecError) as caught:
        later(earlier, f"[cohort, {entry}]")
    (fault,) = caught.value.faults
    assert (fault.line, fault.column, fault.dotted) == (8, 19, "exclude[1]")
    assert WRONG[entry] in fault.message
    assert fault.remedy


def test_an_entry_that_is_no_list_and_files_of_a_text_are_faults(earlier: Path) -> None:
    with pytest.raises(SpecError, match="exclude: this should be a list and is a text"):
        later(earlier, "cohort")
    text = SPEC.replace("world.json", "noisy-sensor")
    with pytest.raises(SpecError, match=r"exclude\[0\]: this spec is not in a file"):
        read_cohort(Source(text.replace("EXCLUDE", "[cohort]")))
    digest = "0" * 64
    assert read_cohort(Source(text.replace("EXCLUDE", f"[{digest}]"))).admission.excluded == {digest}


def test_a_digest_built_wrong_in_python_is_the_same_error() -> None:
    with pytest.raises(SpecError, match="exclude: 'x' is no digest"):
        replace(COHORT, admission=Admission(excluded=frozenset({"x"})))
