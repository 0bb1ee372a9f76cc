"""A cohort on disk, and the one way to read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldgen.cohort.manifests import MANIFEST, checked, damaged, read_manifest, read_rows, sha256_of
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

    @property
    def spec(self) -> Path:
        """The file of the spec that made it. Raises CohortError unless it is as it was written."""
        side, listed = self.root / "evaluator", self.evaluator["files"]
        for name in listed:
            if name.startswith("spec/"):
                checked(side, name, listed)
        return checked(side, "spec/cohort.json", listed)

    @cached_property
    def relations(self) -> Sequence[Relation]:
        """The relations that the cohort's own spec declares, as scoring takes them."""
        return read_cohort(self.spec).declared

    def table(self, name: str, columns: Sequence[str] | None = None) -> Table:
        """All rows of a table: roots, requests, truth, targets or relations.

        Raises CohortError for an unknown table, or one whose files are missing or not as they were written.
        """
        return read_rows(self.root, name, columns)


def open_cohort(folder: str | Path) -> CohortFolder:
    """The cohort in a folder. Raises CohortError unless it is finished, as far as it is here, and the public
    manifest is the one that the evaluator's side was written with.
    """
    found = CohortFolder(Path(folder))
    manifest = found.root / "public" / MANIFEST
    if found.manifest and not (found.root / "evaluator").is_dir():
        return found
    if found.evaluator.get("public_manifest") != sha256_of(manifest):
        raise damaged(manifest)
    return found
