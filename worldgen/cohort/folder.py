"""The folder of a cohort, and the one way to read it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldgen.cohort.schemas import EVALUATOR, PUBLIC, TABLES
from worldgen.exact import arrow
from worldgen.exact.errors import WorldgenError
from worldgen.relations.declared import Relation
from worldgen.spec.reading import read_cohort

MANIFEST = "manifest.json"
FORMAT = 1


class CohortError(WorldgenError):
    """A folder that is not a whole cohort, or not the one that was wanted."""


@dataclass(frozen=True)
class CohortFolder:
    """A finished cohort on disk. `open_cohort` makes it; `table` reads.

    `public` may stand alone, without the evaluator's side.
    """

    root: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The public manifest."""
        return read_manifest(self.root / "public")

    @cached_property
    def evaluator(self) -> dict[str, Any]:
        """The evaluator's manifest. Raises CohortError if that side is not here."""
        return read_manifest(self.root / "evaluator")

    @cached_property
    def relations(self) -> Sequence[Relation]:
        """The relations that the cohort's own spec declares, as scoring takes them."""
        return read_cohort(self.root / "evaluator" / "spec" / "cohort.json").declared

    def files(self, table: str) -> list[Path]:
        """The shards of a table, in order, as the manifest lists them."""
        side = side_of(table)
        manifest = self.manifest if side == "public" else self.evaluator
        names = sorted(name for name in manifest["files"] if name.startswith(f"{table}/"))
        return [self.root / side / name for name in names]

    def table(self, name: str, columns: Sequence[str] | None = None) -> arrow.Table:
        """All rows of a table: roots, requests, truth, targets or relations.

        Raises CohortError for an unknown table, or one whose files are missing or of another schema.
        """
        files = self.files(name)
        try:
            return arrow.read_table(files, TABLES[name], columns)
        except (OSError, ValueError) as error:
            raise CohortError(
                f"table '{name}' cannot be read: {error}", remedy="emit the cohort again"
            ) from error


def side_of(table: str) -> str:
    """The folder that a table lies in: public or evaluator."""
    if table in PUBLIC:
        return "public"
    if table in EVALUATOR:
        return "evaluator"
    raise CohortError(f"there is no table '{table}'", remedy=f"choose one of {', '.join(TABLES)}")


def open_cohort(folder: str | Path) -> CohortFolder:
    """The cohort in a folder. Raises CohortError unless its public side is complete."""
    found = CohortFolder(Path(folder))
    if found.manifest.get("format") != FORMAT:
        raise CohortError(
            f"{folder}: its format is {found.manifest.get('format')!r}, this version reads {FORMAT}",
            remedy="use the version of worldgen that wrote it, or emit it again",
        )
    return found


def read_manifest(side: Path) -> dict[str, Any]:
    """The manifest of one side. It is written last, so a folder without it is not a finished cohort."""
    path = side / MANIFEST
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CohortError(
            f"{side.parent} is not a finished cohort: there is no {side.name}/{MANIFEST}",
            remedy="emit it, or run emit again to finish it",
        ) from None
    except (OSError, ValueError) as error:
        raise CohortError(f"{path} is not a manifest: {error}", remedy="emit the cohort again") from error
    if not isinstance(data, dict) or not isinstance(data.get("files"), dict):
        raise CohortError(f"{path} is not a manifest: it lists no files", remedy="emit the cohort again")
    return data


def pretty(data: object) -> bytes:
    """The one way in which manifests are written: sorted keys, two spaces, a final newline."""
    return (json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
