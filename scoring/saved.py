"""Results written into a folder: every table as Parquet and as CSV."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL
from worldgen.exact.errors import WorldgenError
from worldgen.scoring.shown import Row


class FolderError(WorldgenError):
    """A folder that results cannot be written into."""


def save_tables(tables: Mapping[str, Sequence[Row]], folder: str | PathLike[str]) -> list[Path]:
    """Write each table as NAME.parquet and NAME.csv, and return the files.

    The folder is made. Raises FolderError where it cannot be, or where it holds anything already: results
    of two runs must not mix.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise FolderError(f"{path} is not empty", remedy="name a new folder, or empty this one")
        files = []
        for name, rows in tables.items():
            table = pa.Table.from_pylist([dict(row) for row in rows], schema=_schema(rows))
            files += [path / f"{name}.parquet", path / f"{name}.csv"]
            pq.write_table(table, files[-2], compression=COMPRESSION, compression_level=COMPRESSION_LEVEL)
            pc.write_csv(table, files[-1])
    except OSError as error:
        raise FolderError(
            f"{path}: {error.strerror or error}", remedy="name a folder that can be written"
        ) from error
    return files


def _schema(rows: Sequence[Row]) -> "pa.Schema":
    """Text, whole numbers, doubles or truths, by the first value that each column has."""
    kinds = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    names = list(rows[0]) if rows else []
    found = {}
    for name in names:
        values = {type(row[name]) for row in rows if row[name] is not None}
        found[name] = kinds[float if values == {int, float} else next(iter(values), str)]
    return pa.schema(found.items())
