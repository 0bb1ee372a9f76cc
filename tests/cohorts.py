"""Cohorts on disk that several tests read. None of them may write there."""

from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.spec import read_cohort

SEED = 918_273_645


@pytest.fixture(scope="session")
def small_cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 roots of the shipped contracts."""
    folder = tmp_path_factory.mktemp("small") / "cohort"
    emit(read_cohort("contracts"), 40, SEED, folder)
    return folder
