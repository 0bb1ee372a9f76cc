"""The content digest of a table: what it says, whatever wrote it and however it was cut.

1. Each column is three byte streams. Validity: one byte a value, 1 or 0. Lengths: for texts and lists,
   one little-endian int64 a value, 0 for null. Values: UTF-8 bytes of the texts; 0 or 1 for booleans;
   little-endian int32 or IEEE binary64 for numbers, null ones as zero bytes. The items of a list column
   are a column of their own, its streams following those of the list.
2. The digest is BLAKE3 over the canonical JSON of the schema, then the BLAKE3 of every stream in order,
   each of 256 bits.

Hashing each stream on its own lets a table be digested batch by batch; nothing else depends on it.
"""

from typing import Any, cast

import numpy as np
import pyarrow as pa
import rfc8785
from blake3 import blake3
from numpy.typing import NDArray

from worldgen.exact.arrow import Schema, Table, kinds
from worldgen.exact.pools import present

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
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        variable = pa.types.is_list(kind) or pa.types.is_string(kind)
        names = [
            "validity",
            *(["lengths"] if variable else []),
            *([] if pa.types.is_list(kind) else ["values"]),
        ]
        self._streams |= {(path, name): blake3() for name in names}
        if pa.types.is_list(kind):
            self._open(f"{path}.item", kind.value_type)

    def update(self, table: Table) -> None:
        """Take in the rows of a table."""
        for name in self._schema.names:
            for chunk in cast(Any, table.column(name)).chunks:
                self._column(name, chunk)

    def _column(self, path: str, array: Any) -> None:
        if pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        valid = present(array) if array.null_count else None
        mark = np.ones(len(array), dtype=np.uint8) if valid is None else valid.view(np.uint8)
        self._feed(path, "validity", mark)
        if pa.types.is_list(array.type) or pa.types.is_string(array.type):
            ends = _ends(array)
            lengths = np.subtract(ends[1:], ends[:-1], dtype="<i8")
            self._feed(path, "lengths", lengths if valid is None else np.where(valid, lengths, 0))
            if pa.types.is_list(array.type):
                self._column(f"{path}.item", array.flatten())  # without what a null covers
            elif valid is None or not lengths[~valid].any():
                self._feed(path, "values", _text(array, ends))
            else:
                there = array.drop_null()
                self._feed(path, "values", _text(there, _ends(there)))
        else:
            kind = {"bool": np.uint8, "int32": "<i4", "double": "<f8"}[str(array.type)]
            filled = array if valid is None else array.fill_null(pa.scalar(0).cast(array.type))
            self._feed(path, "values", filled.to_numpy(zero_copy_only=False).astype(kind, copy=False))

    def _feed(self, path: str, stream: str, data: NDArray[Any]) -> None:
        self._streams[path, stream].update(data.view(np.uint8))

    def hexdigest(self) -> str:
        """The digest of everything taken in so far."""
        whole = blake3(rfc8785.dumps(described(self._schema)))
        for stream in self._streams.values():
            whole.update(stream.digest())
        return whole.hexdigest()


def _ends(array: Any) -> NDArray[np.int32]:
    """Arrow's own offsets of texts or lists, one more than there are."""
    if not len(array):
        return np.zeros(1, dtype=np.int32)
    bounds = np.frombuffer(array.buffers()[1], dtype=np.int32, count=array.offset + len(array) + 1)
    return bounds[array.offset :]


def _text(array: Any, ends: NDArray[np.int32]) -> NDArray[np.uint8]:
    """The bytes of all texts, where they lie."""
    data = array.buffers()[2]
    return np.frombuffer(data if data is not None else b"", dtype=np.uint8)[ends[0] : ends[-1]]


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
