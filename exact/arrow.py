"""The one door to Arrow, which has no types of its own.

Everything else in this library names Arrow's objects by the protocols below, so that a checker sees
where tables are made and read.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from worldgen.exact.places import Place, Remote

ROW_GROUP_BYTES = 16 * 2**20
COMPRESSION = "zstd"
COMPRESSION_LEVEL = 1


class Schema(Protocol):
    """An Arrow schema."""

    names: list[str]


class Array(Protocol):
    """An Arrow array."""

    def __len__(self) -> int: ...

    def to_pylist(self) -> list[Any]:
        """The values, None for a null."""

    def equals(self, other: "Array") -> bool:
        """Whether the other has the same type and values."""


class Table(Protocol):
    """An Arrow table."""

    num_rows: int
    column_names: list[str]
    schema: Schema

    def column(self, name: str) -> Array:
        """One column."""

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows, None for a null."""

    def select(self, names: Sequence[str]) -> "Table":
        """The columns of these names, in this order."""

    def slice(self, offset: int, length: int) -> "Table":
        """`length` rows from `offset`, or as many as there are."""

    def to_pandas(self) -> Any:
        """The same rows as a pandas frame."""


@dataclass(frozen=True)
class Kind:
    """The type of a column: lists within lists, `depth` of them, of a scalar type that Arrow calls `item`."""

    item: str
    depth: int
    nullable: bool


def kinds(schema: Schema) -> dict[str, Kind]:
    """The type of every column of a schema, by name. Codes are what they stand for.

    >>> kinds(pa.schema([pa.field("grid", pa.list_(pa.list_(pa.int32())), nullable=False)]))
    {'grid': Kind(item='int32', depth=2, nullable=False)}
    """
    found = {}
    for field in cast(Any, schema):
        item, depth = field.type, 0
        while pa.types.is_list(item):
            item, depth = item.value_type, depth + 1
        item = item.value_type if pa.types.is_dictionary(item) else item
        found[field.name] = Kind(str(item), depth, field.nullable)
    return found


def strings(values: Sequence[str | None]) -> Array:
    """A string array.

    >>> strings(["a", None]).to_pylist()
    ['a', None]
    """
    return cast(Array, pa.array(values, type=pa.string()))


def join(pool: Array, index: NDArray[np.int64], ends: Sequence[int], valid: NDArray[np.bool_]) -> Array:
    """Texts joined from segments of a pool, without copying any text twice.

    `index` is (n, S): row by row, the pool positions of all segments. `ends` cuts each row into
    len(ends) texts: text j takes the segments from ends[j - 1] (or 0) to ends[j], and ends[-1] = S.
    `valid` is (n, len(ends)); a text that is not valid is null, and its segments must be empty.
    The n * len(ends) texts come row by row.

    >>> pool = strings(["", "red ", "blue ", "ball"])
    >>> index = np.array([[1, 3, 2], [2, 3, 0]])
    >>> join(pool, index, [2, 3], np.array([[True, True], [True, False]])).to_pylist()
    ['red ball', 'blue ', 'blue ball', None]
    """
    rows, width = index.shape
    laid = cast(Any, pool).take(pa.array(index.ravel()))
    if isinstance(laid, pa.ChunkedArray):
        laid = laid.combine_chunks()
    _, offsets, data = laid.buffers()
    starts = np.frombuffer(offsets, dtype=np.int32, count=rows * width + 1)
    cuts = (np.arange(rows)[:, None] * width + np.asarray(ends)).ravel()
    bounds = np.concatenate([starts[:1], starts[cuts]]).astype(np.int32)
    mask = None
    if not valid.all():
        packed = np.packbits(valid.ravel(), bitorder="little")
        mask = pa.py_buffer(packed.tobytes())
    made = pa.StringArray.from_buffers(rows * len(ends), pa.py_buffer(bounds), data, mask)
    return cast(Array, made)


def coded(schema: Schema, names: Collection[str]) -> Schema:
    """The schema in which the texts of some columns, or of the lists there, are codes with a pool of texts.
    A schema with codes is that of the same table.

    >>> coded(pa.schema([pa.field("view", pa.string(), nullable=False)]), {"view"}).field("view").type
    DictionaryType(dictionary<values=string, indices=int32, ordered=0>)
    """
    fields = [
        field.with_type(_coded(field.type)) if field.name in names else field for field in cast(Any, schema)
    ]
    return cast(Schema, pa.schema(fields))


def _coded(kind: Any) -> Any:
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(_coded(kind.value_type)))
    return kind if pa.types.is_dictionary(kind) else pa.dictionary(pa.int32(), kind)


def plain(table: Table, schema: Schema) -> Table:
    """The same rows with every text in its place: of the schema without codes."""
    return cast(Table, cast(Any, table).cast(schema))


def table(schema: Schema, columns: Mapping[str, object]) -> Table:
    """A table of one schema from its columns, each an array or a sequence of Python values."""
    arrays = [
        column if isinstance(column, pa.Array | pa.ChunkedArray) else pa.array(column, type=field.type)
        for field, column in ((field, columns[field.name]) for field in cast(Any, schema))
    ]
    return cast(Table, pa.Table.from_arrays(arrays, schema=schema))


def joined(tables: Sequence[Table]) -> Table:
    """The rows of tables of one schema, one after another. There is at least one table."""
    return cast(Table, pa.concat_tables(tables))


def whole(table: Table, name: str) -> Array:
    """A column of a table as one array, however the table was cut."""
    column = cast(Any, table.column(name)).combine_chunks()
    return cast(Array, pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column)


def release_unused() -> None:
    """Give memory back that Arrow keeps for later: after a large batch, most of what it had."""
    pa.default_memory_pool().release_unused()


def read_table(files: Sequence[Place], schema: Schema, columns: Sequence[str] | None = None) -> Table:
    """The rows of Parquet files, in order, checked against a schema (ValueError if it differs)."""
    wanted = schema if columns is None else pa.schema([cast(Any, schema).field(c) for c in columns])
    tables = []
    for file in files:
        with _source(file) as source:
            found = pq.read_table(source, columns=list(columns) if columns else None, partitioning=None)
        if not found.schema.equals(wanted):
            raise ValueError(f"{file}: its columns are not those of this table")
        found.validate(full=True)  # a damaged page may read as text that is no UTF-8
        tables.append(found)
    return cast(Table, pa.concat_tables(tables) if tables else cast(Any, wanted).empty_table())


def read_footer(file: Place) -> dict[str, str]:
    """The key-value metadata of a Parquet file, those of Arrow itself left out."""
    with _source(file) as source:
        metadata = pq.read_metadata(source).metadata or {}
    pairs = ((key.decode(), value.decode()) for key, value in metadata.items())
    return {key: value for key, value in pairs if not key.startswith("ARROW:")}


def count_rows(file: Place) -> int:
    """The number of rows of a Parquet file, from its footer."""
    with _source(file) as source:
        return int(pq.read_metadata(source).num_rows)


def _source(file: Place) -> AbstractContextManager[Any]:
    """What Arrow reads a file from: a path as it is, so that its errors name it."""
    return cast(Any, file.opened()) if isinstance(file, Remote) else nullcontext(file)


def byte_lengths(texts: Array) -> NDArray[np.int64]:
    """The length of each text in UTF-8, 0 for a null.

    >>> byte_lengths(strings(["a\u00e9", None])).tolist()
    [3, 0]
    """
    lengths = pc.fill_null(pc.binary_length(texts), 0)
    return np.asarray(lengths.to_numpy(zero_copy_only=False), dtype=np.int64)
