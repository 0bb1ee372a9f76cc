"""Drafts: what could be read of a world of cells. A part that could not is None.

A draft is what the checks look at; one without faults has every part.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.definitions import Definition
from worldgen.worlds.parts import Drawn, Observation


@dataclass(frozen=True)
class CellDraft:
    """A cell: its value of each attribute in turn, its category, count and likelihood."""

    values: tuple[str | None, ...]
    category: str | None
    count: Drawn | None
    likelihood: Drawn | None


@dataclass(frozen=True)
class ObservationDraft:
    """An observation whose chance could perhaps not be read."""

    attribute: str
    chance: Fraction | None


@dataclass(frozen=True)
class WorldDraft:
    """The parts of `CellWorld`, each under the same name."""

    name: str | None
    title: str | None
    rule: str | None
    attributes: Mapping[str, Sequence[str | None] | None] | None
    categories: Sequence[str | None] | None
    cells: Sequence[CellDraft | None] | None
    definitions: Mapping[str, Definition | None] | None
    encodings: Mapping[str, Encoding | None] | None
    observations: Sequence[Observation | ObservationDraft]
    metadata: Sequence[Variable]
    ordered: bool | None = False
