"""Reports as Parquet, read strictly and written.

Numbers by answer id are list<struct<id: string, value: string>>: Parquet's own numbers are binary floats,
0.1 is none of them, and so a column of floats is refused.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL
from worldgen.scoring.reports.report import COLUMNS, Fault, Report
from worldgen.scoring.reports.rows import COUNTS, FLAGS, NUMBERS, collect, header_faults

Pairs = tuple[tuple[object, object], ...]

_WRITTEN = pa.list_(pa.struct([("id", pa.string()), ("value", pa.string())]))
_NEVER_NULL = ("system", "request_id", "repeat", "status", "attempt", "final")


def _stored(name: str) -> Any:
    """The type in which a column is written."""
    if name in COUNTS:
        return pa.int32()
    if name in FLAGS:
        return pa.bool_()
    return _WRITTEN if name in NUMBERS else pa.string()


SCHEMA = pa.schema([pa.field(name, _stored(name), nullable=name not in _NEVER_NULL) for name in COLUMNS])


def read_parquet(raw: bytes, source: str) -> tuple[list[Report], list[Fault]]:
    """The reports of a Parquet file, and what is wrong with its columns and rows. Rows count from 1."""
    try:
        names, columns, faults = _columns(raw, source)
    except (pa.ArrowException, OSError, ValueError) as error:
        first = str(error).partition("\n")[0]
        return [], [Fault(source, f"is not a whole Parquet file ({first})", "write it again")]
    if faults:
        return [], faults
    rows = enumerate(zip(*columns, strict=True), 1)
    return collect(rows, lambda cells: dict(zip(names, cells, strict=True)), source)


def _columns(raw: bytes, source: str) -> tuple[list[str], list[Sequence[object]], list[Fault]]:
    """The names of the columns, and either their values or what is wrong with them. A damaged file raises
    one of several errors, also where its text or the name of a field turns out to be no UTF-8.
    """
    table = pq.read_table(pa.BufferReader(raw))
    table.validate(full=True)
    names = table.column_names
    faults = header_faults(names, source)
    faults += [fault for field in table.schema for fault in _column_faults(field, source)]
    if faults:
        return names, [], faults
    columns = [table.column(name) for name in names]
    values = [
        _pairs(column) if name in NUMBERS else column.to_pylist()
        for name, column in zip(names, columns, strict=True)
    ]
    return names, values, []


def write_parquet(reports: Sequence[Report], file: Path) -> None:
    """Reports as one Parquet file. `read_reports` returns equal reports."""
    columns: dict[str, list[object]] = {name: [getattr(r, name) for r in reports] for name in COLUMNS}
    for name in NUMBERS:
        columns[name] = [
            None if pairs is None else [{"id": answer, "value": text} for answer, text in cast(Pairs, pairs)]
            for pairs in columns[name]
        ]
    table = pa.table(columns, schema=SCHEMA)
    pq.write_table(table, file, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL)


def _column_faults(field: Any, source: str) -> Iterator[Fault]:
    """At most one fault: that the type of a column is not the one it needs, with what to do."""
    if field.name not in COLUMNS:
        return
    fits, remedy = _needed(field.name)
    if not (pa.types.is_null(field.type) or fits(field.type)):
        what = f"binary floats ({field.type})" if _holds_floats(field.type) else str(field.type)
        yield Fault(source, f"column {field.name!r} holds {what}", remedy)


def _needed(name: str) -> tuple[Callable[[Any], bool], str]:
    """Whether a type fits a column, and what to do where it does not."""
    if name in COUNTS:
        remedy = "make it whole numbers; some writers turn these into floats where one is missing"
        return pa.types.is_integer, remedy
    if name in FLAGS:
        return pa.types.is_boolean, "make it booleans"
    if name in NUMBERS:
        return _is_written, (
            'make it list<struct<id: string, value: string>>, numbers as text ("0.84" or "220/317"): '
            "a binary float is not the number that was reported"
        )
    return _is_text, "make it text"


def _is_text(kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    views = pa.types.is_string_view(kind)
    return bool(views or pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind))


def _is_written(kind: Any) -> bool:
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return False
    inside = kind.value_type
    if not pa.types.is_struct(inside):
        return False
    return sorted(field.name for field in inside) == ["id", "value"] and all(
        _is_text(field.type) for field in inside
    )


def _holds_floats(kind: Any) -> bool:
    inside = any(_holds_floats(kind.field(i).type) for i in range(kind.num_fields))
    return inside or bool(pa.types.is_floating(kind))


def _pairs(column: Any) -> list[Pairs | None]:
    """A column of numbers by answer id as pairs, row by row: two flat lists are cut, which is some five
    times faster than making a dictionary of every pair.
    """
    if pa.types.is_null(column.type):
        return [None] * len(column)
    found: list[Pairs | None] = []
    for chunk in column.chunks:
        items = chunk.flatten()
        flat = dict(zip((field.name for field in items.type), items.flatten(), strict=True))
        pairs = list(zip(flat["id"].to_pylist(), flat["value"].to_pylist(), strict=True))
        start = 0
        for length in chunk.value_lengths().to_pylist():
            found.append(None if length is None else tuple(pairs[start : start + length]))
            start += length or 0
    return found
