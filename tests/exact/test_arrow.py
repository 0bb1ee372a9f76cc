"""The door to Arrow: joined texts equal Python's, tables come back as they were written."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact import arrow


@st.composite
def layouts(draw: st.DrawFn) -> tuple[list[str], list[list[int]], list[int], list[list[bool]]]:
    """A pool whose entry 0 is empty, rows of segments, their cuts, and which texts are valid."""
    pool = ["", *draw(st.lists(st.text(max_size=4), max_size=4))]
    ends = sorted(draw(st.sets(st.integers(1, 6), min_size=1)))
    rows, valid = [], []
    for _ in range(draw(st.integers(0, 4))):
        marks = [draw(st.booleans()) for _ in ends]
        row: list[int] = []
        for end, mark in zip(ends, marks, strict=True):
            span = end - len(row)
            row += [draw(st.integers(0, len(pool) - 1)) if mark else 0 for _ in range(span)]
        rows.append(row)
        valid.append(marks)
    return pool, rows, ends, valid


@given(layouts(), st.booleans())
def test_joined_texts_equal_pythons(
    layout: tuple[list[str], list[list[int]], list[int], list[list[bool]]], chunked: bool
) -> None:
    pool, rows, ends, valid = layout
    expected = []
    for row, marks in zip(rows, valid, strict=True):
        for start, end, mark in zip([0, *ends], ends, marks, strict=False):
            expected.append("".join(pool[i] for i in row[start:end]) if mark else None)
    index = np.array(rows, dtype=np.int64).reshape(len(rows), ends[-1])
    mask = np.array(valid, dtype=np.bool_).reshape(len(rows), len(ends))
    source = pa.chunked_array([pool[:1], pool[1:]], type=pa.string()) if chunked else arrow.strings(pool)
    joined = arrow.join(source, index, ends, mask)
    assert joined.to_pylist() == expected
    joined.validate(full=True)  # type: ignore[attr-defined]  # Arrow's own check of offsets and UTF-8


SCHEMA = pa.schema([pa.field("name", pa.string(), nullable=False), pa.field("count", pa.int32())])
ROWS = [{"name": "a", "count": 1}, {"name": "b", "count": None}]


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    table = arrow.table(SCHEMA, {"count": [1, None], "name": arrow.strings(["a", "b"])})
    for part in ("0.parquet", "1.parquet"):
        pq.write_table(table, tmp_path / part)
    files = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    assert arrow.read_table(files, SCHEMA).to_pylist() == ROWS + ROWS
    assert arrow.read_table(files[:1], SCHEMA, ["count"]).to_pylist() == [{"count": 1}, {"count": None}]
    assert arrow.read_table([], SCHEMA).num_rows == 0
    with pytest.raises(ValueError, match=r"0\.parquet: its columns are not those of this table"):
        arrow.read_table(files, pa.schema([pa.field("name", pa.string())]))


def test_a_footer_holds_our_keys_and_not_arrows_own(tmp_path: Path) -> None:
    table = arrow.table(SCHEMA, {"name": ["a", "b"], "count": [1, None]})
    pq.write_table(table, tmp_path / "plain.parquet")
    assert arrow.read_footer(tmp_path / "plain.parquet") == {}
    keyed = pa.table(table).replace_schema_metadata({"digest": "e\u0301"})
    pq.write_table(keyed, tmp_path / "keyed.parquet")
    assert arrow.read_footer(tmp_path / "keyed.parquet") == {"digest": "e\u0301"}
