"""Every error that this library raises on purpose comes whole out of another process."""

import pickle
import pkgutil
from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

import worldgen
from worldgen.cohort.manifests import CohortError, FormatError
from worldgen.cohort.references import DrawError
from worldgen.cohort.roots import AdmissionError, UnreachableError
from worldgen.collecting.construction_files import ConstructionError
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.record_files import RecordsError
from worldgen.collecting.roots import SheetError
from worldgen.collecting.scripts import ScriptError
from worldgen.collecting.unfiled import TreeError
from worldgen.emission.preview import PreviewError
from worldgen.exact import design, errors
from worldgen.exact.errors import WorldgenError
from worldgen.exact.expressions import ExpressionError, UndefinedError
from worldgen.exact.factors import FactorError
from worldgen.exact.geometry import GeometryError
from worldgen.exact.networks import CycleError, NetworkError, TooLargeError
from worldgen.exact.places import PlaceError
from worldgen.exact.simplex import UnboundedError
from worldgen.faults import Fault, SpecError
from worldgen.lexicon.sets import LexiconError
from worldgen.lexicon.sources import SourceError
from worldgen.relations.aligned import AlignmentError
from worldgen.relations.written import RelationError
from worldgen.renderers.errors import Collision, PlanError, TemplateError, WireError
from worldgen.scoring.accuracy.leakage import SharedOutcomeError
from worldgen.scoring.reports import report
from worldgen.scoring.reports.tables import TablesError
from worldgen.scoring.results import FigureError
from worldgen.scoring.saved import FolderError

COLLISION = Collision({"count": 1}, {"count": "x"}, "one text")
ERRORS: list[WorldgenError] = [
    WorldgenError("what", remedy="how"),
    *(
        kind("what", remedy="how")
        for kind in (
            errors.DomainError,
            errors.NumberError,
            errors.EventError,
            errors.PartitionError,
            UnboundedError,
            AdmissionError,
            AlignmentError,
            CohortError,
            ConstructionError,
            ControllerError,
            DrawError,
            FigureError,
            GeometryError,
            LexiconError,
            FolderError,
            PlaceError,
            PreviewError,
            RelationError,
            ScriptError,
            SharedOutcomeError,
            SheetError,
            SourceError,
            TablesError,
            TreeError,
            WireError,
        )
    ),
    errors.ZeroMassError("A", remedy="how"),
    FormatError(Path("cohort/public/manifest.json"), 2),
    FactorError("tide", "what", remedy="how", row={"wind": 1}, row_sum=Fraction(99, 100)),
    NetworkError("what", remedy="how"),
    CycleError(["wind", "tide", "wind"]),
    TooLargeError("what", 10**12),
    design.UnreachableError(Fraction(1, 2), Fraction(0), Fraction(1, 3)),
    ExpressionError("x +", 3, "what"),
    UndefinedError("x / 0", 1, "what"),
    PlanError("what", leaf="state", column="count", collision=COLLISION, remedy="how"),
    SpecError([Fault(("cells", 2), "what", "how", "urn.yaml", 7, 12)]),
    TemplateError("a.j2", 3, "what", remedy="how"),
    UnreachableError("urn", 3, f"q(A) in [{Fraction(1, 2)}, 1)", 7, 900),
    RecordsError("what", [report.Fault("a.jsonl:3", "what", "how")], remedy="how"),
    report.ReportsError([report.Fault("a.jsonl:3", "what", "how")]),
]


def kinds(kind: type[WorldgenError]) -> Iterator[type[WorldgenError]]:
    yield kind
    for each in kind.__subclasses__():
        yield from kinds(each)


def test_every_kind_of_error_is_tried_here() -> None:
    for module in pkgutil.walk_packages(worldgen.__path__, "worldgen."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    ours = {kind for kind in kinds(WorldgenError) if kind.__module__.startswith("worldgen.")}
    assert {type(error) for error in ERRORS} == ours


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_is_the_same_after_pickling(error: WorldgenError, protocol: int) -> None:
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert (str(again), again.args, again.__dict__) == (str(error), error.args, error.__dict__)
