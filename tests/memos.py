"""The memos of the catalog, for tests: the worlds that have one, in each view."""

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from worldgen import catalog
from worldgen.exact.variables import Variable
from worldgen.renderers.cases import Cases, Classes
from worldgen.renderers.encodings import Layout
from worldgen.renderers.lines import Leaf
from worldgen.renderers.plans import Plan
from worldgen.spec import read_spec
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

WORLDS = ("peer-review", "credit-risk", "covert-transfer")
VIEWS = ("low", "medium", "high")


@dataclass(frozen=True)
class Memo:
    """The memo of a world in one view, in prose or as a form."""

    name: str
    view: str
    layout: str = "memo"

    def __str__(self) -> str:
        return f"{self.name}-{self.view}-{self.layout}"

    @cached_property
    def world(self) -> FactorWorld | TransferWorld:
        return world(self.name).through(self.view)

    @cached_property
    def every(self) -> dict[str, Variable]:
        """Every variable that the template may name, the irrelevant ones and the hidden ones among them."""
        names = self.world.template_names(metadata=False)
        return {name: one for name, one in names.items() if isinstance(one, Variable)}

    @property
    def shown(self) -> tuple[Variable, ...]:
        return self.world.view.variables

    @property
    def hidden(self) -> list[str]:
        """What a template may name and the view does not show, measured factors left out."""
        return [name for name in self.every if name not in self.world.view.names]

    @cached_property
    def leaf(self) -> Leaf:
        return layout(self.name, self.layout).leaf(self.world.template_names(metadata=False))

    @cached_property
    def plan(self) -> Plan:
        return Plan(self.leaf, self.shown)

    @property
    def classes(self) -> Classes:
        (negative, other), (positive, event) = self.world.model.classes.items()
        return Classes(positive, event, negative, other)

    def cases(self, count: int) -> Cases:
        return Cases(self.leaf, self.shown, self.classes, count)


def folder(name: str) -> Path:
    return Path(catalog.__file__).parent / name


@cache
def world(name: str) -> FactorWorld | TransferWorld:
    found = read_spec(name)
    assert isinstance(found, FactorWorld | TransferWorld)
    return found


@cache
def layout(name: str, layout: str = "memo") -> Layout:
    return world(name).encodings["memo"].layout(layout)


MEMOS = [Memo(name, view) for name in WORLDS for view in VIEWS]
FORMS = [Memo(name, view, "form") for name in WORLDS for view in VIEWS]
