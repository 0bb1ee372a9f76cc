"""The content digest: a function of what a table says, against a literal reading of its definition."""

import runpy
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from tests.digested import content_digest
from worldgen.emission.digests import ContentDigest

SCHEMA = pa.schema(
    [
        pa.field("text", pa.string(), nullable=True),
        pa.field("flag", pa.bool_(), nullable=False),
        pa.field("lists", pa.list_(pa.field("item", pa.string(), nullable=False)), nullable=True),
        pa.field(
            "nested",
            pa.list_(
                pa.field("item", pa.list_(pa.field("item", pa.int32(), nullable=False)), nullable=False)
            ),
            nullable=False,
        ),
        pa.field("floats", pa.list_(pa.field("item", pa.float64(), nullable=False)), nullable=True),
        pa.field("number", pa.int32(), nullable=True),
    ]
)

blake3 = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "check_content.py"))["blake3"]

texts = st.text(max_size=4)
int32 = st.integers(-(2**31), 2**31 - 1)
rows = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.none() | texts,
            "flag": st.booleans(),
            "lists": st.none() | st.lists(texts, max_size=3),
            "nested": st.lists(st.lists(int32, max_size=2), max_size=3),
            "floats": st.none() | st.lists(st.floats(allow_nan=False), max_size=2),
            "number": st.none() | int32,
        }
    ),
    max_size=6,
)


def streams(path: str, kind: Any, values: list[Any], found: dict[tuple[str, str], bytes]) -> None:
    """The byte streams of a column, value by value."""
    found[path, "validity"] = bytes(value is not None for value in values)
    if pa.types.is_list(kind) or pa.types.is_string(kind):
        found[path, "lengths"] = b"".join(
            struct.pack("<q", 0 if v is None else len(v.encode() if isinstance(v, str) else v))
            for v in values
        )
    if pa.types.is_list(kind):
        items = [item for value in values if value is not None for item in value]
        streams(f"{path}.item", kind.value_type, items, found)
    elif pa.types.is_string(kind):
        found[path, "values"] = "".join(value for value in values if value is not None).encode()
    elif pa.types.is_boolean(kind):
        found[path, "values"] = bytes(bool(value) for value in values)
    else:
        code = "<i" if pa.types.is_int32(kind) else "<d"
        found[path, "values"] = b"".join(struct.pack(code, 0 if value is None else value) for value in values)


def literal(table: Any) -> str:
    found: dict[tuple[str, str], bytes] = {}
    for field in table.schema:
        streams(field.name, field.type, table.column(field.name).to_pylist(), found)
    fields = [
        ["text", "text", "or null"],
        ["flag", "boolean", "never null"],
        ["lists", "list of text", "or null"],
        ["nested", "list of list of int32", "never null"],
        ["floats", "list of binary64", "or null"],
        ["number", "int32", "or null"],
    ]
    parts = [blake3(stream) for stream in found.values()]
    whole: bytes = blake3(rfc8785.dumps(fields) + b"".join(parts))
    return whole.hex()


@given(rows)
def test_it_is_what_its_definition_says(data: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(data, schema=SCHEMA)
    assert content_digest(table) == literal(table)


@given(rows, st.integers(0, 6))
def test_it_does_not_depend_on_how_the_rows_are_cut(data: list[dict[str, Any]], cut: int) -> None:
    table = pa.Table.from_pylist(data, schema=SCHEMA)
    digest = ContentDigest(SCHEMA)
    digest.update(table.slice(0, cut))
    digest.update(table.slice(cut, len(table)))
    again = pa.concat_tables([table.slice(0, cut), table.slice(cut)])
    assert digest.hexdigest() == content_digest(again) == content_digest(table)


@given(rows, rows)
def test_different_rows_have_different_digests(
    one: list[dict[str, Any]], other: list[dict[str, Any]]
) -> None:
    first, second = (pa.Table.from_pylist(data, schema=SCHEMA) for data in (one, other))
    assert (content_digest(first) == content_digest(second)) == first.equals(second)
