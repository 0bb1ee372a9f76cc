"""The page that a stranger would write finds the content digests of every shard, and what is wrong in one."""

import runpy
from pathlib import Path

import blake3
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.digested import content_digest
from worldgen.emission.emit import emit
from worldgen.spec import read_cohort

PAGE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "check_content.py"))
EDGES = (0, 1, 63, 64, 65, 127, 1023, 1024, 1025, 2048, 2049, 3072, 5000, 7168, 8193)


def test_no_bytes_have_the_hash_of_the_paper() -> None:
    found = PAGE["blake3"](b"").hex()
    assert found == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"


@pytest.mark.parametrize("length", EDGES)
def test_the_hash_written_out_is_that_of_the_package(length: int) -> None:
    """The bytes are those of the test vectors of the paper: 0 to 250, over and over."""
    data = bytes(place % 251 for place in range(length))
    assert PAGE["blake3"](data) == blake3.blake3(data).digest()


@given(st.lists(st.binary(max_size=3000), max_size=4))
def test_a_stream_is_hashed_however_it_is_cut(parts: list[bytes]) -> None:
    fed = blake3.blake3()
    for part in parts:
        fed.update(part)
    assert PAGE["blake3"](b"".join(parts)) == fed.digest()


def test_every_table_of_a_cohort_says_what_its_footer_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emit(read_cohort("contracts"), 8, 7, tmp_path)
    assert PAGE["main"](str(tmp_path)) == 0
    (path,) = (tmp_path / "evaluator" / "truth").glob("*.parquet")
    table = pq.read_table(path)
    assert PAGE["content_digest"](table, PAGE["blake3"]) == content_digest(table)
    cut = table.slice(1).replace_schema_metadata(pq.read_metadata(path).metadata)
    pq.write_table(cut, path.with_name("cut.parquet"))
    assert PAGE["main"](str(tmp_path)) == 1
    assert capsys.readouterr().out.endswith("5 of 6 files say what their footers claim\n")


def test_a_shard_that_was_cut_is_named_among_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emit(read_cohort("contracts"), 8, 7, tmp_path)
    (path,) = (tmp_path / "evaluator" / "truth").glob("*.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    assert PAGE["main"](str(tmp_path)) == 1
    assert capsys.readouterr().out == (
        f"{path} does not say what its footer claims\n4 of 5 files say what their footers claim\n"
    )
