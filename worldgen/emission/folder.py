"""A cohort that was written, and the one way to read it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.manifests import check_file, check_finished, read_manifest, read_rows
from worldgen.exact.arrow import Table
from worldgen.exact.places import Place, Remote, folder_here, place
from worldgen.faults import SpecError
from worldgen.relations.declared import Relation
from worldgen.spec.reading import read_cohort


@dataclass(frozen=True)
class CohortFolder:
    """A finished cohort, wherever it lies. `open_cohort` makes it; `table` reads.

    `public` may stand alone, without the evaluator's side.
    """

    root: Place

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
        return self.spec.declared

    @cached_property
    def spec(self) -> Cohort:
        """The cohort that its own spec describes. Raises CohortError unless that is as it was written."""
        listed = self.evaluator["files"]
        for name in {"spec/cohort.json", *(name for name in listed if name.startswith("spec/"))}:
            check_file(self.root / "evaluator", name, listed)
        return read_spec_of(self.root)

    def table(self, name: str, columns: Sequence[str] | None = None) -> Table:
        """All rows of a table: roots, requests, truth, targets or relations.

        Raises CohortError for an unknown table, or one whose files are missing or not as they were written.
        """
        return read_rows(self.root, name, columns)


def open_cohort(folder: str | Place) -> CohortFolder:
    """The cohort in a folder, a path or a URI. Raises CohortError unless it is finished, as far as it is
    here, and the public manifest is the one that the evaluator's side was written with.
    """
    root = place(folder)
    check_finished(root)
    return CohortFolder(root)


def read_spec_of(folder: Place) -> Cohort:
    """The cohort that the spec in the evaluator's side of a folder describes. Raises SpecError."""
    spec = folder / "evaluator" / "spec"
    with folder_here(spec) as local:
        try:
            return read_cohort(local / "cohort.json")
        except SpecError as error:
            if not isinstance(spec, Remote):
                raise
            named = [(fault, fault.file.removeprefix(f"{local}/")) for fault in error.faults]
            raise SpecError([replace(fault, file=str(spec / name)) for fault, name in named]) from None
