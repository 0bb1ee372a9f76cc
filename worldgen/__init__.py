"""Finite worlds whose every probability is known exactly, and cohorts of questions about them.

This module is the front door: the names that a user needs. Importing it imports nothing else, each name is
fetched when it is first used.

| to | use |
| --- | --- |
| read a world or a cohort, or list those that ship | `read_spec`, `shipped_specs` |
| build a world of cells in Python | `CellWorld`, `Cell`, `Drawn`, `Grid`, `Numbers`, `Is`, `Not` |
| build a world of factors, see it through a view | `FactorModel`, `FactorPart`, `FactorWorld` |
| render it as it ships | `shipped_encodings` |
| build a cohort in Python | `Cohort`, `Stratum` |
| look at it | `describe`, `check`, `preview` |
| write a cohort, read it, prove it right | `emit`, `open`, `verify` |
| the same for inputs with exact probabilities | `reference`, `write_reference`, `verify_reference` |
| score answers | `Report`, `oracle_reports`, `write_reports`, `score` |
| catch what this library refuses | `WorldgenError` |

>>> import worldgen
>>> world = worldgen.read_spec("noisy-sensor")
>>> worldgen.preview(world, seed=7, variant="event").options[0].q
Fraction(149, 428)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldgen.cohort.cohorts import Cohort, Stratum
    from worldgen.cohort.references import reference
    from worldgen.emission.emit import emit
    from worldgen.emission.folder import open_cohort as open  # noqa: A004  (worldgen.open, as gzip.open)
    from worldgen.emission.preview import preview
    from worldgen.emission.preview_root import preview_root
    from worldgen.emission.references import write_reference
    from worldgen.emission.verify import verify
    from worldgen.emission.verify_references import verify_reference
    from worldgen.exact.domains import Grid, Numbers
    from worldgen.exact.errors import WorldgenError
    from worldgen.renderers.encodings import shipped as shipped_encodings
    from worldgen.scoring.doors import oracle_reports, score, write_reports
    from worldgen.scoring.reports.report import Report
    from worldgen.spec.checking import check
    from worldgen.spec.describe import describe, shipped_specs
    from worldgen.spec.reading import read_spec
    from worldgen.worlds.cells import CellWorld
    from worldgen.worlds.definitions import Is, Not
    from worldgen.worlds.factor_models import FactorModel
    from worldgen.worlds.factor_parts import FactorPart
    from worldgen.worlds.factors import FactorWorld
    from worldgen.worlds.parts import Cell, Drawn

__all__ = [
    "Cell",
    "CellWorld",
    "Cohort",
    "Drawn",
    "FactorModel",
    "FactorPart",
    "FactorWorld",
    "Grid",
    "Is",
    "Not",
    "Numbers",
    "Report",
    "Stratum",
    "WorldgenError",
    "check",
    "describe",
    "emit",
    "open",
    "oracle_reports",
    "preview",
    "preview_root",
    "read_spec",
    "reference",
    "score",
    "shipped_encodings",
    "shipped_specs",
    "verify",
    "verify_reference",
    "write_reference",
    "write_reports",
]

# Where each name comes from, and what it is called there if not the same; tests hold it to the imports above.
_DOORS = {
    "Cell": "worlds.parts",
    "CellWorld": "worlds.cells",
    "Cohort": "cohort.cohorts",
    "Drawn": "worlds.parts",
    "FactorModel": "worlds.factor_models",
    "FactorPart": "worlds.factor_parts",
    "FactorWorld": "worlds.factors",
    "Grid": "exact.domains",
    "Is": "worlds.definitions",
    "Not": "worlds.definitions",
    "Numbers": "exact.domains",
    "Report": "scoring.reports.report",
    "Stratum": "cohort.cohorts",
    "WorldgenError": "exact.errors",
    "check": "spec.checking",
    "describe": "spec.describe",
    "emit": "emission.emit",
    "open": "emission.folder:open_cohort",
    "oracle_reports": "scoring.doors",
    "preview": "emission.preview",
    "preview_root": "emission.preview_root",
    "read_spec": "spec.reading",
    "reference": "cohort.references",
    "score": "scoring.doors",
    "shipped_encodings": "renderers.encodings:shipped",
    "shipped_specs": "spec.describe",
    "verify": "emission.verify",
    "verify_reference": "emission.verify_references",
    "write_reference": "emission.references",
    "write_reports": "scoring.doors",
}


if not TYPE_CHECKING:  # a checker would take any name for granted

    def __getattr__(name: str) -> object:
        if name not in _DOORS:
            raise AttributeError(f"module 'worldgen' has no attribute '{name}'")
        module, _, called = _DOORS[name].partition(":")
        found = getattr(import_module(f"worldgen.{module}"), called or name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return sorted(__all__)
