"""The content digest of a table: what it says, whatever wrote it and however it was cut.

1. Each column is three byte streams. Validity: one byte a value, 1 or 0. Lengths: for texts and lists,
   one little-endian int64 a value, 0 for null. Values: UTF-8 bytes of the texts; 0 or 1 for booleans;
   little-endian int32 or IEEE binary64 for numbers, null ones as zero bytes. The items of a list column
   are a column of their own, its streams following those of the list.
2. The digest is SHA-256 over the canonical JSON of the schema, then the SHA-256 of every stream in order.

Hashing each stream on its own lets a table be digested batch by batch; nothing else depends on it.
"""

import hashlib
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import rfc8785

from worldgen.exact.arrow import Schema, Table, kinds
from worldgen.exact.pools import Mask, present, text_bytes

_ITEMS = {"string": "text", "bool": "boolean", "int32": "int32", "double": "binary64"}


class ContentDigest:
    """The digest of the tables that it is fed, taken as one. All must have the schema it was made for."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._streams: dict[tuple[str, str], Any] = {}
        for field in cast(Any, schema):
            self._open(field.name, field.type)

    def _open(self, path: str, kind: Any) -> None:
        """Start the streams of a column, so that one without bytes counts too."""
        variable = pa.types.is_list(kind) or pa.types.is_string(kind)
        names = [
            "validity",
            *(["lengths"] if variable else []),
            *([] if pa.types.is_list(kind) else ["values"]),
        ]
        self._streams |= {(path, name): hashlib.sha256() for name in names}
        if pa.types.is_list(kind):
            self._open(f"{path}.item", kind.value_type)

    def update(self, table: Table) -> None:
        """Take in the rows of a table."""
        for name in self._schema.names:
            for chunk in cast(Any, table.column(name)).chunks:
                self._column(name, chunk)

    def _column(self, path: str, array: Any) -> None:
        valid = present(array) if array.null_count else np.ones(len(array), dtype=np.bool_)
        self._feed(path, "validity", valid.view(np.uint8))
        if pa.types.is_list(array.type):
            self._feed(path, "lengths", _lengths(array, valid))
            self._column(f"{path}.item", array.flatten())
        elif pa.types.is_string(array.type):
            lengths = _lengths(array, valid)
            self._feed(path, "lengths", lengths)
            text, offsets = text_bytes(array)
            if int(lengths.sum()) != int(offsets[-1]):  # some null covers bytes of its own
                text = text_bytes(array.drop_null())[0]
            self._feed(path, "values", text)
        else:
            kind = {"bool": np.uint8, "int32": "<i4", "double": "<f8"}[str(array.type)]
            zero = pa.scalar(0, pa.float64()).cast(array.type)
            filled = pc.fill_null(array, zero) if array.null_count else array
            self._feed(path, "values", filled.to_numpy(zero_copy_only=False).astype(kind, copy=False))

    def _feed(self, path: str, stream: str, data: Any) -> None:
        self._streams[path, stream].update(data)

    def hexdigest(self) -> str:
        """The digest of everything taken in so far."""
        whole = hashlib.sha256(rfc8785.dumps(described(self._schema)))
        for stream in self._streams.values():
            whole.update(stream.digest())
        return whole.hexdigest()


def _lengths(array: Any, valid: Mask) -> Any:
    """The lengths of texts or lists, 0 for a null, from the differences of Arrow's own offsets."""
    if not len(array):
        return np.zeros(0, dtype="<i8")
    offsets = np.frombuffer(array.buffers()[1], dtype=np.int32, count=array.offset + len(array) + 1)
    return np.where(valid, np.diff(offsets[array.offset :]), 0).astype("<i8")


def described(schema: Schema) -> list[list[str]]:
    """A schema in words of our own, which no version of Arrow changes.

    >>> number = pa.field("n", pa.int32(), nullable=False)
    >>> described(pa.schema([pa.field("q", pa.list_(pa.string())), number]))
    [['q', 'list of text', 'or null'], ['n', 'int32', 'never null']]
    """
    return [
        [name, "list of " * kind.depth + _ITEMS[kind.item], "or null" if kind.nullable else "never null"]
        for name, kind in kinds(schema).items()
    ]


def content_digest(table: Table) -> str:
    """The content digest of one table."""
    digest = ContentDigest(table.schema)
    digest.update(table)
    return digest.hexdigest()
