"""Parquet files with fixed settings, so that equal tables become equal bytes."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.cohort.schemas import FEW
from worldgen.exact import arrow
from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL, ROW_GROUP_BYTES, Schema, Table, byte_lengths
from worldgen.exact.drafts import Counted, Draft
from worldgen.exact.places import Place, PlaceError

_BUFFER = 2**20  # bytes
_DISTINCT = {"payload", "request_id", "root_id", "semantic_digest", "request_ids.list.item"}


class Writer:
    """A Parquet file being written, which stands under its name when it is closed. Row groups hold at most
    16 MiB of payload.
    """

    def __init__(self, file: Place, schema: Schema) -> None:
        self._draft = Draft(file)
        self._rows = 0
        try:
            # Arrow writes page by page, and many pages are small.
            self._sink = pa.BufferedOutputStream(pa.PythonFile(self._draft, mode="w"), _BUFFER)
            self._writer = _writer(self._sink, schema)
        except BaseException:
            self._draft.abandon()
            raise

    def write(self, table: Table) -> None:
        """Append rows, cut into row groups."""
        self._writer.write_table(table, row_group_size=rows_per_group(table))
        self._rows += table.num_rows

    def close(self, footer: dict[str, str]) -> dict[str, int | str]:
        """Finish the file with key-value metadata. What comes back is its size, hash and number of rows, as
        manifests list them.
        """
        said = self.seal(footer)
        self.finish()
        return said

    def seal(self, footer: dict[str, str]) -> dict[str, int | str]:
        """The first half of closing it: write all that is left to write."""
        self._writer.add_key_value_metadata(footer)
        self._writer.close()
        self._sink.flush()
        return {"bytes": self._draft.size, "sha256": self._draft.hexdigest(), "rows": self._rows}

    def finish(self) -> None:
        """The second half: put it under its name. Any thread may, since this waits for a disk or a store."""
        self._draft.finish()

    def abandon(self) -> None:
        """Drop the file."""
        with suppress(OSError, PlaceError):  # a disk that was full still is
            self._writer.close()
        self._draft.abandon()


def bytes_of(tables: Iterable[Table], schema: Schema) -> int:
    """How long a file of these tables would be, without metadata of its own. It is hashed as any other, and
    nothing of it is kept.
    """
    counted = Counted()
    with _writer(pa.PythonFile(counted, mode="w"), schema) as writer:
        for table in tables:
            writer.write_table(table, row_group_size=rows_per_group(table))
    return counted.size


def _writer(sink: Any, schema: Schema) -> Any:
    leaves = _leaf_columns(schema)
    return pq.ParquetWriter(
        sink,
        arrow.coded(schema, FEW),
        compression=COMPRESSION,
        compression_level=COMPRESSION_LEVEL,
        use_dictionary=[name for name in leaves if name not in _DISTINCT],
        # Least and greatest of a column of texts help no reader, and make footers long.
        write_statistics=[name for name, kind in leaves.items() if not pa.types.is_string(kind)],
        use_compliant_nested_type=False,
        store_schema=False,  # readers would take codes for categories of a fixed set
    )


def read_batches(path: Path, schema: Schema, rows: int) -> Iterator[Table]:
    """The rows of a file in tables of at most `rows`, so that memory stays the same for any file (ValueError
    if its schema differs).
    """
    # Arrow keeps what a thread gave back for that thread alone, so one reads, and nothing ahead.
    with pq.ParquetFile(path, pre_buffer=False) as file:
        if not file.schema_arrow.equals(schema):
            raise ValueError(f"{path}: its columns are not those of this table")
        for batch in file.iter_batches(batch_size=rows, use_threads=False):
            found = pa.Table.from_batches([batch])
            found.validate(full=True)  # a damaged page may read as text that is no UTF-8
            yield cast(Table, found)


def rows_per_group(table: Table) -> int:
    """How many rows of a table surely hold at most 16 MiB of payload: by the longest of them."""
    if "payload" not in table.column_names or not table.num_rows:
        return max(1, table.num_rows)
    longest = int(byte_lengths(table.column("payload")).max())
    return max(1, min(table.num_rows, ROW_GROUP_BYTES // max(1, longest)))


def _leaf_columns(schema: Schema) -> dict[str, Any]:
    """The columns that a file has, by their paths, each with the type of its values."""
    found = {}
    for field in cast(Any, schema):
        path, kind = field.name, field.type
        while pa.types.is_list(kind):
            path, kind = f"{path}.list.item", kind.value_type
        found[path] = kind.value_type if pa.types.is_dictionary(kind) else kind
    return found
