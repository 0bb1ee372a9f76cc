"""Where the files of a cohort lie, and its manifests."""

import json
from collections.abc import Sequence
from typing import Any, TypeVar, cast

from worldgen.cohort.schemas import CANDIDATES, EVALUATOR, POOLED, PUBLIC, SCHEMAS
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.exact.places import Place, Remote
from worldgen.names import nearest

MANIFEST = "manifest.json"
FORMAT = 1
P = TypeVar("P", bound=Place)
_AGAIN = "emit the cohort again, with --force"


class CohortError(WorldgenError):
    """A folder that is not a whole cohort, or not the one that was wanted."""


def read_rows(root: Place, table: str, columns: Sequence[str] | None = None) -> arrow.Table:
    """All rows of a table of the cohort in a folder: its shards as the manifest lists them, in order.

    Raises CohortError for an unfinished cohort, an unknown table or column, or a table whose files are
    missing or of another schema.
    """
    files = table_files(root, table)
    if table in POOLED and not files:
        raise CohortError("this cohort has no pool", remedy="give its spec one, like pool: 1000")
    if table in CANDIDATES and not files:
        raise CohortError("this cohort has no candidates", remedy="emit one of a world of candidates")
    known = SCHEMAS[table].names
    for column in columns or ():
        if column not in known:
            raise CohortError(f"{table} has no column '{column}'", remedy=nearest(column, known))
    try:
        return arrow.read_table(files, SCHEMAS[table], columns)
    except (OSError, ValueError) as error:
        raise CohortError(
            f"table '{table}' cannot be read: {error}", remedy="emit the cohort again"
        ) from error


def table_files(root: P, table: str) -> list[P]:
    """The shards of a table, in order, as the manifest lists them: paths in a path. Raises CohortError."""
    side = side_of(table)
    names = sorted(name for name in read_manifest(root / side)["files"] if name.startswith(f"{table}/"))
    return [cast(P, root / side / name) for name in names]


def side_of(table: str) -> str:
    """The folder that a table lies in: public or evaluator."""
    if table in PUBLIC or table in POOLED:
        return "public"
    if table in EVALUATOR or table in CANDIDATES:
        return "evaluator"
    raise CohortError(f"there is no table '{table}'", remedy=f"choose one of {', '.join(SCHEMAS)}")


def read_manifest(side: Place) -> dict[str, Any]:
    """The manifest of one side. It is written last, so a folder without it is not a finished cohort."""
    path = side / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _unfinished(side) from None
    except (OSError, ValueError) as error:
        raise CohortError(f"{path} is not a manifest: {error}", remedy=_AGAIN) from error
    if not isinstance(data, dict) or not isinstance(data.get("files"), dict):
        raise CohortError(f"{path} is not a manifest: it lists no files", remedy=_AGAIN)
    return data


def _unfinished(side: Place) -> CohortError:
    """Why a side has no manifest, as far as the other side tells."""
    if isinstance(side, Remote) and not side.parent.exists():
        return CohortError(f"there is nothing at {side.parent}", remedy="check the bucket and the name")
    message = f"{side.parent} is not a finished cohort: there is no {side.name}/{MANIFEST}"
    if side.name == "evaluator" and not side.exists() and (side.parent / "public" / MANIFEST).is_file():
        remedy = (
            "name the folder in which public/ and evaluator/ lie side by side; this one has public/ alone"
        )
    elif (side.parent / "inputs").is_dir() and (side.parent / MANIFEST).is_file():
        remedy = "these are reference inputs: verify_reference derives them again, and any reader reads them"
    elif (side.parent / MANIFEST).is_file():
        remedy = f"name the folder above, {side.parent.parent}, in which public/ and evaluator/ lie"
    else:
        remedy = "emit it, or run emit again to finish it"
    return CohortError(message, remedy=remedy)


def pretty(data: object) -> bytes:
    """The one way in which manifests are written: sorted keys, two spaces, a final newline."""
    return (json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
