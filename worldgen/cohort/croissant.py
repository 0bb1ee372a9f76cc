"""The Croissant file of one side of a cohort: its shards, their hashes, and what the columns mean."""

from collections.abc import Iterator, Mapping
from typing import Any

from worldgen.cohort.columns import DESCRIPTIONS, KEYS, ROWS
from worldgen.cohort.contents import Contents, Entry
from worldgen.exact.arrow import Kind, Schema, kinds

# Version 1.0 cannot say that a column holds lists of lists.
CONFORMS_TO = "http://mlcommons.org/croissant/1.1"
PARQUET = "application/x-parquet"

_ITEMS = {"string": "sc:Text", "bool": "sc:Boolean", "int32": "cr:Int32", "double": "cr:Float64"}
_TERMS = (
    *(
        "arrayShape",
        "citeAs",
        "column",
        "containedIn",
        "equivalentProperty",
        "extract",
        "field",
        "fileObject",
    ),
    *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
    *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
    *("separator", "source", "subField", "transform"),
)
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    **{term: f"cr:{term}" for term in _TERMS},
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
}


def croissant(contents: Contents) -> dict[str, Any]:
    """Croissant 1.1 metadata of a side, as JSON-LD.

    Each shard is a FileObject with its hash, each table a FileSet and a RecordSet with one field a
    column. Paths are relative to the folder of the file, and there is no date in it.
    """
    tables = contents.tables
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": f"{contents.cohort.name}-{contents.side}",
        "description": contents.cohort.title or contents.cohort.name,
        "version": contents.version,
        "distribution": [
            *(_file(path, entry) for path, entry in sorted(contents.shards.items())),
            *(_file_set(table) for table in tables),
        ],
        "recordSet": [_record_set(table, schema, tables) for table, schema in tables.items()],
    }


def _file(path: str, entry: Entry) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "contentSize": f"{entry['bytes']} B",
        "encodingFormat": PARQUET,
        "sha256": entry["sha256"],
    }


def _file_set(table: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileSet",
        "@id": f"{table}-files",
        "name": f"{table}-files",
        "description": f"The shards of the table {table}.",
        "encodingFormat": PARQUET,
        "includes": f"{table}/*.parquet",
    }


def _record_set(table: str, schema: Schema, tables: Mapping[str, Schema]) -> dict[str, Any]:
    keys = [{"@id": f"{table}/{column}"} for column in KEYS[table]]
    return {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": f"Each record: {ROWS[table]}.",
        "key": keys[0] if len(keys) == 1 else keys,
        "field": [dict(_field(table, column, kind, tables)) for column, kind in kinds(schema).items()],
    }


def _field(table: str, column: str, kind: Kind, tables: Mapping[str, Schema]) -> Iterator[tuple[str, Any]]:
    yield "@type", "cr:Field"
    yield "@id", f"{table}/{column}"
    yield "name", column
    yield "description", DESCRIPTIONS[table][column]
    yield "dataType", _ITEMS[kind.item]
    if kind.depth:
        yield "isArray", True
        yield "arrayShape", ",".join(["-1"] * kind.depth)
    yield "source", {"fileSet": {"@id": f"{table}-files"}, "extract": {"column": column}}
    yield from (
        ("references", {"field": {"@id": f"{other}/{column}"}})
        for other in tables
        if other != table and KEYS[other] == (column,)
    )
