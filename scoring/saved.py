"""Results written into a folder: every table as Parquet and as CSV."""

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from worldgen.exact.arrow import COMPRESSION, COMPRESSION_LEVEL
from worldgen.exact.errors import WorldgenError
from worldgen.scoring.layout import KINDS, TABLES, Kind
from worldgen.scoring.shown import Row

WRITABLE = "name a folder that can be written"


class FolderError(WorldgenError):
    """A folder that results cannot be written into."""


def check_folder(folder: str | PathLike[str]) -> Path:
    """The path of a folder that can take results, or could once it is made; nothing is made here, so that a
    place which cannot is known before there are results.

    Raises FolderError where it, or what it would stand in, is no folder that can be written, or where it
    holds anything already: results of two runs must not mix.
    """
    path = Path(folder)
    nearest = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise FolderError(f"{path}: {nearest} is no folder that can be written", remedy=WRITABLE)
    if nearest == path and any(path.iterdir()):
        raise FolderError(f"{path} is not empty", remedy="name a new folder, or empty this one")
    return path


def save_tables(
    tables: Mapping[str, Sequence[Row]],
    folder: str | PathLike[str],
    columns: Mapping[str, Sequence[str]] = TABLES,
    kinds: Mapping[str, Kind] = KINDS,
) -> list[Path]:
    """Write tables as NAME.parquet and NAME.csv, with the columns and kinds of a layout, by default that of
    `scoring.layout`, and return the files.

    The folder is made. Raises FolderError as `check_folder` does, and where a file cannot be written.
    """
    path = check_folder(folder)
    files: list[Path] = []
    try:
        path.mkdir(parents=True, exist_ok=True)
        for name, rows in tables.items():
            table = pa.Table.from_pylist([dict(row) for row in rows], schema=_schema(columns[name], kinds))
            files += [path / f"{name}.parquet", path / f"{name}.csv"]
            pq.write_table(table, files[-2], compression=COMPRESSION, compression_level=COMPRESSION_LEVEL)
            pc.write_csv(table, files[-1])
    except OSError as error:
        raise FolderError(f"{path}: {error.strerror or error}", remedy=WRITABLE) from error
    return files


def _schema(columns: Sequence[str], kinds: Mapping[str, Kind]) -> "pa.Schema":
    types = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), float: pa.float64()}
    return pa.schema([(name, types[kinds[name]]) for name in columns])
