"""The contents of shipped cohorts, row for row, as they were before worlds had several views."""

import hashlib
from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.exact import arrow
from worldgen.spec import read_cohort

CONTENTS = {
    "contracts": "5828d166a2c9ab51679a55f6a3cc30177f696ae4c6ecd76a5c64997027b2d21a",
    "headroom": "ae88d937299b766492d52fc9297a3b14a484c82b9feda5f08d29c7db388cbd27",
    "recoding": "c96d43e4269a6edc86ff9e29f7514a0b6dc0a0c14ea366a9db0fb4c4d36e46e1",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_48_roots_of_seed_7_hold_what_they_held(name: str, tmp_path: Path) -> None:
    emit(read_cohort(name), 48, 7, tmp_path / "cohort")
    digest = hashlib.sha256()
    for file in sorted((tmp_path / "cohort").rglob("*.parquet")):
        content = arrow.read_footer(file)["worldgen.content"]
        digest.update(f"{file.relative_to(tmp_path / 'cohort').as_posix()} {content}\n".encode())
    assert digest.hexdigest() == CONTENTS[name]
