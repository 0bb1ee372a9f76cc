"""Where the files of a cohort lie, and its manifests."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from worldgen.cohort.schemas import CANDIDATES, EVALUATOR, POOLED, PUBLIC, SCHEMAS
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.exact.places import Place, Remote, here, sha256_of
from worldgen.names import nearest

MANIFEST = "manifest.json"
FORMAT = 2
P = TypeVar("P", bound=Place)
_COMMON = ("format", "name", "roots", "requests", "spec_digest", "wire", "variants", "strata", "worlds")
_REPAIR = "run the emit that made it again: it writes anew what is damaged, and nothing else"


class CohortError(WorldgenError):
    """A folder that is not a whole cohort, or not the one that was wanted."""


class FormatError(CohortError):
    """A file of a cohort in a format that this version does not read, a newer one perhaps."""

    def __init__(self, file: Place, format_: object) -> None:
        super().__init__(
            f"{file} is of format {format_!r}, and this version reads and writes {FORMAT}",
            remedy="use the version of worldgen that wrote it",
        )


def read_rows(root: Place, table: str, columns: Sequence[str] | None = None) -> arrow.Table:
    """All rows of a table of the cohort in a folder: its shards as the manifest lists them, in order.

    Every file is hashed before it is read. One that lies elsewhere is fetched whole for that, each time, and
    read from its copy. Raises CohortError for an unfinished cohort, an unknown table or column, or a table
    whose files are missing, of another schema, or not the bytes that were written, PlaceError where a file
    system refuses something.
    """
    files = table_files(root, table)
    if table in POOLED and not files:
        raise CohortError("this cohort has no pool", remedy="give its spec one, like pool: 1000")
    if table in CANDIDATES and not files:
        raise CohortError("this cohort has no candidates", remedy="emit one of a world of candidates")
    schema = SCHEMAS[table]
    for column in columns or ():
        if column not in schema.names:
            raise CohortError(f"{table} has no column '{column}'", remedy=nearest(column, schema.names))
    side = root / side_of(table)
    listed = read_manifest(side)["files"]
    found = []
    for file in files:
        with checked_here(side, f"{table}/{file.name}", listed) as local:
            try:
                found.append(arrow.read_table([local], schema, columns))
            except (OSError, ValueError) as error:
                said = str(error).replace(str(local), str(file))
                raise CohortError(
                    f"table '{table}' cannot be read: {said}", remedy="emit the cohort again"
                ) from error
    return arrow.joined(found or [arrow.read_table([], schema, columns)])


def table_files(root: P, table: str) -> list[P]:
    """The shards of a table, in order, as the manifest lists them: paths in a path. Raises CohortError."""
    side = side_of(table)
    names = sorted(name for name in read_manifest(root / side)["files"] if name.startswith(f"{table}/"))
    return [cast(P, root / side / name) for name in names]


def check_finished(root: Place) -> None:
    """Raise CohortError unless the cohort in a folder is finished, as far as it is here, and its public
    manifest is the one that the evaluator's side was written with. The public side may stand alone.
    """
    public = read_manifest(root / "public")
    if not (root / "evaluator").is_dir():
        return
    evaluator = read_manifest(root / "evaluator")
    if evaluator.get("public_manifest") != sha256_of(root / "public" / MANIFEST):
        raise damaged(root / "public" / MANIFEST)
    for key in _COMMON:
        if evaluator.get(key) != public.get(key):
            said = f"{root / 'evaluator' / MANIFEST} was changed: its {key} is not that of the public one"
            raise CohortError(said, remedy=_REPAIR)


def check_file(side: Place, name: str, listed: Mapping[str, Any]) -> None:
    """Raise CohortError unless a file of a side is there with the bytes that its manifest lists."""
    with checked_here(side, name, listed):
        pass


@contextmanager
def checked_here(side: Place, name: str, listed: Mapping[str, Any]) -> Iterator[Path]:
    """A file of this machine that holds what a file of a side does, once that are the bytes that its manifest
    lists. Raises CohortError unless it is there, and with these bytes.
    """
    file, entry = side / name, listed.get(name)
    with ExitStack() as held:
        try:
            local = held.enter_context(here(file))
            found = _sha256_of(local) if local == file else sha256_of(local)
        except OSError as error:
            raise CohortError(f"{file} cannot be read: {error.strerror or error}", remedy=_REPAIR) from error
        if not isinstance(entry, dict) or entry.get("sha256") != found:
            raise damaged(file)
        yield local


def _sha256_of(file: Path) -> str:
    """The SHA-256 of a file. Whoever reads several columns of it, one after the other, has it hashed once."""
    stat = file.stat()
    return _sha256_at(file, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=4096)
def _sha256_at(file: Path, size: int, changed: int) -> str:
    return sha256_of(file)


def damaged(file: Place) -> CohortError:
    """The error for a file whose bytes are not those that were written."""
    return CohortError(f"{file} was changed: its SHA-256 is not the one in the manifest", remedy=_REPAIR)


def side_of(table: str) -> str:
    """The folder that a table lies in: public or evaluator."""
    if table in PUBLIC or table in POOLED:
        return "public"
    if table in EVALUATOR or table in CANDIDATES:
        return "evaluator"
    raise CohortError(f"there is no table '{table}'", remedy=f"choose one of {', '.join(SCHEMAS)}")


def read_manifest(side: Place) -> dict[str, Any]:
    """The manifest of one side. It is written last, so a folder without it is not a finished cohort.

    Raises CohortError where there is none, or one that says nothing, FormatError for one of another format.
    """
    path = side / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _unfinished(side) from None
    except (OSError, ValueError) as error:
        raise CohortError(f"{path} is not a manifest: {error}", remedy=_REPAIR) from error
    if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
        raise FormatError(path, data["format"])
    if not isinstance(data, dict) or not isinstance(data.get("files"), dict):
        raise CohortError(f"{path} is not a manifest: it lists no files", remedy=_REPAIR)
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
