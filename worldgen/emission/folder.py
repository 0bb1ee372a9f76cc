"""A cohort on disk, and the one way to read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldgen.cohort.manifests import FORMAT, CohortError, read_manifest, read_rows
from worldgen.exact.arrow import Table
from worldgen.relations.declared import Relation
from worldgen.spec.reading import read_cohort


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

    def table(self, name: str, columns: Sequence[str] | None = None) -> Table:
        """All rows of a table: roots, requests, truth, targets or relations.

        Raises CohortError for an unknown table, or one whose files are missing or of another schema.
        """
        return read_rows(self.root, name, columns)


def open_cohort(folder: str | Path) -> CohortFolder:
    """The cohort in a folder. Raises CohortError unless its public side is complete."""
    found = CohortFolder(Path(folder))
    if found.manifest.get("format") != FORMAT:
        raise CohortError(
            f"{folder}: its format is {found.manifest.get('format')!r}, this version reads {FORMAT}",
            remedy="use the version of worldgen that wrote it, or emit it again",
        )
    return found
