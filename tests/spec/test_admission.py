"""Quotas and exclusions in specs: what is read, and what is refused where."""

from fractions import Fraction
from pathlib import Path

import pytest

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.exclusion import digests_in
from worldgen.emission.emit import emit
from worldgen.faults import SpecError
from worldgen.spec import cohort_of, read_cohort, read_world

SPEC = """\
kind: cohort
name: mine
strata: [{world: noisy-sensor, encoding: joined-tables}]
variants: [event]
relations: []
"""
ONE, TWO = "1" * 64, "2" * 64
QUOTA = "quota: {of: 'q(A)', bins: [{from: 1/4, below: 0.5, roots: 3}]}\n"


def read(folder: Path, more: str) -> Cohort:
    """The cohort of a spec file with further lines."""
    file = folder / "mine.yaml"
    file.write_text(SPEC + more)
    return read_cohort(file)


def test_a_quota_is_read_exactly(tmp_path: Path) -> None:
    quota = read(tmp_path, QUOTA).admission.quota
    assert quota is not None and quota.quantity.text == "q(A)"
    assert [(each.low, each.high, each.roots) for each in quota.bins] == [(Fraction(1, 4), Fraction(1, 2), 3)]


def test_cohorts_files_and_digests_are_excluded_together(tmp_path: Path) -> None:
    """Paths start from the folder of the spec."""
    emit(cohort_of(read_world("noisy-sensor")), 3, 1, tmp_path / "earlier")
    (tmp_path / "digests.txt").write_text(f"{ONE}\n")
    cohort = read(tmp_path, f"exclude: [earlier, digests.txt, '{TWO}']\n")
    assert cohort.admission.excluded == digests_in(tmp_path / "earlier") | {ONE, TWO}


@pytest.mark.parametrize(
    ("more", "line", "said"),
    [
        ("exclude: [nothing.txt]\n", 6, "cannot be read as a list of digests"),
        ("exclude: [mine.yaml]\n", 6, "which is no digest"),
        ("exclude: [.]\n", 6, "is not a finished cohort"),
        (QUOTA.replace("q(A)", "q(C)"), 6, "no event 'C'"),
        (QUOTA.replace("q(A)", "q()"), 6, "write q(EVENT) or q(EVENT, given=EVENT)"),
        (QUOTA.replace("q(A)", "count_9"), 6, "shows no number 'count_9'"),
        (QUOTA.replace("0.5", "1/4"), 6, "holds nothing"),
        (QUOTA.replace("roots: 3", "roots: 0"), 6, "1 or more"),
    ],
)
def test_what_cannot_be_is_refused_at_its_line(tmp_path: Path, more: str, line: int, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        read(tmp_path, more)
    (fault,) = caught.value.faults
    assert fault.line == line
    assert said in str(fault)
