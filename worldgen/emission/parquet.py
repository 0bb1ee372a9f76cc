"""Parquet files with fixed settings, so that equal tables become equal bytes."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL, ROW_GROUP_BYTES, Schema, Table, byte_lengths

_DISTINCT = {"payload", "request_id", "root_id", "semantic_digest", "request_ids.list.item"}


class _Hashed:
    """A file that is written from its beginning to its end and hashed on the way, so that nobody has to read
    it again.
    """

    closed = False

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        self._file.write(data)
        self._hash.update(data)
        self.size += len(data)
        return len(data)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        """Leave it to `close`."""

    def close(self) -> None:
        self._file.close()
        self.closed = True

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


class Writer:
    """A Parquet file being written. Row groups hold at most 16 MiB of payload."""

    def __init__(self, path: Path, schema: Schema) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = _Hashed(path)
        self._rows = 0
        dictionary = [name for name in _leaf_columns(schema) if name not in _DISTINCT]
        self._writer = pq.ParquetWriter(
            pa.PythonFile(self._file, mode="w"),
            schema,
            compression=COMPRESSION,
            compression_level=COMPRESSION_LEVEL,
            use_dictionary=dictionary,
            write_statistics=[name for name in _leaf_columns(schema) if name != "payload"],
            use_compliant_nested_type=False,
        )

    def write(self, table: Table) -> None:
        """Append rows, cut into row groups."""
        self._writer.write_table(table, row_group_size=rows_per_group(table))
        self._rows += table.num_rows

    def close(self, footer: dict[str, str]) -> dict[str, int | str]:
        """Finish the file with key-value metadata. What comes back is its size, hash and number of rows, as
        manifests list them.
        """
        self._writer.add_key_value_metadata(footer)
        self._writer.close()
        self._file.close()
        return {"bytes": self._file.size, "sha256": self._file.hexdigest(), "rows": self._rows}

    def abandon(self) -> None:
        """Drop the file."""
        with suppress(OSError):  # a disk that was full still is
            self._writer.close()
        with suppress(OSError):
            self._file.close()
        self._path.unlink(missing_ok=True)


def read_batches(path: Path, schema: Schema, rows: int) -> Iterator[Table]:
    """The rows of a file in tables of at most `rows`, so that memory stays the same for any file (ValueError
    if its schema differs).
    """
    with pq.ParquetFile(path) as file:
        if not file.schema_arrow.equals(schema):
            raise ValueError(f"{path}: its columns are not those of this table")
        for batch in file.iter_batches(batch_size=rows):
            found = pa.Table.from_batches([batch])
            found.validate(full=True)  # a damaged page may read as text that is no UTF-8
            yield cast(Table, found)


def rows_per_group(table: Table) -> int:
    """How many rows of a table surely hold at most 16 MiB of payload: by the longest of them."""
    if "payload" not in table.column_names or not table.num_rows:
        return max(1, table.num_rows)
    longest = int(byte_lengths(table.column("payload")).max())
    return max(1, min(table.num_rows, ROW_GROUP_BYTES // max(1, longest)))


def _leaf_columns(schema: Schema) -> list[str]:
    def leaves(name: str, kind: Any) -> list[str]:
        return leaves(f"{name}.list.item", kind.value_type) if pa.types.is_list(kind) else [name]

    return [leaf for field in cast(Any, schema) for leaf in leaves(field.name, field.type)]
