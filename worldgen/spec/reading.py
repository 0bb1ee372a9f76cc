"""The doors: a name, a file or a text in, a world or a cohort out, or one error with every fault."""

import os
from pathlib import Path
from typing import TypeVar

from worldgen import catalog
from worldgen.cohort.cohorts import Cohort
from worldgen.faults import Fault, SpecError
from worldgen.names import nearest
from worldgen.spec import cohorts
from worldgen.spec.families import READERS, AnyWorld, world_at
from worldgen.spec.files import SUFFIXES, is_path, open_spec
from worldgen.spec.nodes import Mapping_, Node, Scalar
from worldgen.spec.sources import Source
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

Spec = str | os.PathLike[str] | Source
W = TypeVar("W", bound=AnyWorld)


def read_spec(spec: Spec, *, prove: bool = False) -> AnyWorld | Cohort:
    """The world or cohort of a spec: the name of a shipped one, the path of a file, or a Source.

    A name that ends in .yaml, .yml or .json, or that holds a slash, is a path. With `prove`, every layout
    is compiled and proved too. Raises SpecError with every fault of the file, in order of line.

    >>> read_spec("noisy-sensor").name, len(read_spec("contracts").strata)
    ('noisy-sensor', 8)
    """
    return _read(spec, (*READERS, cohorts.KIND), prove)


def read_world(spec: Spec) -> CellWorld:
    """The world of cells of a spec; see `read_spec`.

    >>> read_world("noisy-sensor").categories
    ('type_0', 'type_1', 'type_2', 'type_3')
    """
    return _of_family(spec, CellWorld)


def read_factors(spec: Spec) -> FactorWorld:
    """The world of factors of a spec, through its first view; see `read_spec`.

    >>> read_factors("credit-risk").through("high").hides
    ('cash_buffer', 'principal_due')
    """
    return _of_family(spec, FactorWorld)


def read_transfer(spec: Spec) -> TransferWorld:
    """The world of covert transfer of a spec, through its first view; see `read_spec`.

    >>> read_transfer("covert-transfer").views
    ('low', 'medium', 'high')
    """
    return _of_family(spec, TransferWorld)


def read_candidates(spec: Spec) -> CandidateWorld:
    """The world of candidates of a spec, through its first view; see `read_spec`.

    >>> read_candidates("arithmetic").model.count
    8
    """
    return _of_family(spec, CandidateWorld)


def _of_family(spec: Spec, kind: type[W]) -> W:
    world = _read(spec, (kind.family,))
    if not isinstance(world, kind):
        raise AssertionError("a spec of one kind is a world of that family")
    return world


def read_cohort(spec: Spec) -> Cohort:
    """The cohort of a spec; see `read_spec`.

    >>> read_cohort("recoding").variants
    ('event-recoded', 'complement-recoded')
    """
    cohort = _read(spec, (cohorts.KIND,))
    if not isinstance(cohort, Cohort):
        raise AssertionError("a spec of kind cohort is a cohort")
    return cohort


def _read(spec: Spec, kinds: tuple[str, ...], prove: bool = False) -> AnyWorld | Cohort:
    source = spec if isinstance(spec, Source) else _path(spec, kinds)
    fields, root = open_spec(source, kinds, prove)
    made = (cohorts.cohort if _kind(root) == cohorts.KIND else world_at)(fields, root)
    fields.raise_all()
    assert made is not None
    return made


def _kind(root: Node) -> str:
    kind = root.get("kind") if isinstance(root, Mapping_) else None
    return kind.text if isinstance(kind, Scalar) else ""


def _path(spec: str | os.PathLike[str], kinds: tuple[str, ...]) -> Path:
    if not isinstance(spec, str):
        return Path(spec)
    shipped = catalog.worlds() if kinds != (cohorts.KIND,) else {}
    shipped |= catalog.cohorts() if cohorts.KIND in kinds else {}
    if spec in shipped:
        return shipped[spec]
    if is_path(spec) or os.sep in spec or "/" in spec or Path(spec).is_dir():
        return Path(spec)
    remedy = f"{nearest(spec, shipped)} (for a file, give its path, ending in {', '.join(SUFFIXES)})"
    raise SpecError([Fault((), f"no shipped spec is named '{spec}'", remedy)])
