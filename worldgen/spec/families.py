"""The families of worlds that a spec may hold, by the kind that it says it is."""

from collections.abc import Callable, Mapping

from worldgen.spec.candidates import candidate_world
from worldgen.spec.factors import factor_world
from worldgen.spec.fields import Fields
from worldgen.spec.files import kind_of
from worldgen.spec.nodes import Node
from worldgen.spec.transfer import transfer_world
from worldgen.spec.worlds import cell_world
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

AnyWorld = CellWorld | FactorWorld | TransferWorld | CandidateWorld
Reader = Callable[[Fields, Node], AnyWorld | None]

READERS: Mapping[str, Reader] = {
    CellWorld.family: cell_world,
    FactorWorld.family: factor_world,
    TransferWorld.family: transfer_world,
    CandidateWorld.family: candidate_world,
}


def world_at(fields: Fields, node: Node) -> AnyWorld | None:
    """The world at a node, of whatever family, or None with every fault noted."""
    kind = kind_of(fields, node, tuple(READERS))
    return None if kind is None else READERS[kind](fields, node)
