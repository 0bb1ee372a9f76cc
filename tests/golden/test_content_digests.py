"""The contents of shipped cohorts, row for row, as they were before worlds had several views."""

import hashlib
from pathlib import Path

import pytest

from worldgen.emission.emit import emit
from worldgen.exact import arrow
from worldgen.spec import read_cohort

CONTENTS = {
    "contracts": "4e67f88855882f9ea56775511012cea70224e6d50ab508dc34a54bc8889d84e4",
    "headroom": "fe1940e93a3d72cbbf33ce776c01ff1dd89eeddc2d75b5b3f83253052f71b8a8",
    "recoding": "f718aeee1479e55378ea50992bc1c8acc84b0db8e20d63145a1382704e961a1c",
}


@pytest.mark.parametrize("name", CONTENTS)
def test_48_roots_of_seed_7_hold_what_they_held(name: str, tmp_path: Path) -> None:
    emit(read_cohort(name), 48, 7, tmp_path / "cohort")
    digest = hashlib.sha256()
    for file in sorted((tmp_path / "cohort").rglob("*.parquet")):
        content = arrow.read_footer(file)["worldgen.content"]
        digest.update(f"{file.relative_to(tmp_path / 'cohort').as_posix()} {content}\n".encode())
    assert digest.hexdigest() == CONTENTS[name]
