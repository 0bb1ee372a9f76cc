"""Cohorts that several tests read: small ones that stay as they are, whatever ships."""

from pathlib import Path

import pytest

from worldgen.cohort.cohorts import Cohort
from worldgen.emission.emit import emit
from worldgen.spec import cohort_of, read_world

SEED = 918_273_645


def sensor() -> Cohort:
    """The shipped sensor in both encodings, asked in three variants that two relations compare."""
    return cohort_of(read_world("noisy-sensor"), ("canonical", "event", "complement"))


@pytest.fixture(scope="session")
def small_cohort(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """40 roots of it on disk. Nothing may be written there."""
    folder = tmp_path_factory.mktemp("small") / "cohort"
    emit(sensor(), 40, SEED, folder)
    return folder
