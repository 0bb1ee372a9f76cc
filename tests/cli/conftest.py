"""One small cohort and the reports of its oracle, for all tests of commands."""

from pathlib import Path

import pytest

import worldgen

ASKED = Path(__file__).parent / "asked.yaml"
ROOTS, VARIANTS, SEED = 24, 3, 7

SPEC = """\
kind: cells
name: urn
title: Two colours in an urn
rule: One ball is drawn; every ball has the same chance.
attributes: {size: [small, large]}
categories: [red, blue]
cells:
  - {size: small, category: red, count: 1..9, likelihood: 1}
  - {size: large, category: red, count: [2, 4], likelihood: 1/2}
  - {size: large, category: blue, count: {0: 1, 5: 3}, likelihood: 0.25}
events:
  A: {category: red}
  B: {size: large}
encodings: [joined-tables]
"""


@pytest.fixture(scope="session")
def cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished cohort."""
    folder = tmp_path_factory.mktemp("cli") / "cohort"
    worldgen.emit(worldgen.read_spec(ASKED), ROOTS, SEED, folder)
    return folder


@pytest.fixture(scope="session")
def reports(cohort: Path) -> Path:
    """The reports that equal its truth."""
    file = cohort.parent / "oracle.jsonl"
    worldgen.write_reports(worldgen.oracle_reports(worldgen.open(cohort)), file)
    return file


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    """A spec of a user."""
    file = tmp_path / "urn.yaml"
    file.write_text(SPEC)
    return file
