"""The memos of the catalog, for tests: what their worlds show, in each view."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from worldgen import catalog
from worldgen.exact.domains import Grid, Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers.cases import Cases, Classes
from worldgen.renderers.encodings import Layout
from worldgen.renderers.lines import Leaf
from worldgen.renderers.plans import Plan
from worldgen.spec.weights import read_weights

WORLDS = ("peer-review", "credit-risk", "covert-transfer")
VIEWS = ("low", "medium", "high")
LETTERS = 16


@dataclass(frozen=True)
class Memo:
    """The memo of a world in one view."""

    world: str
    view: str

    def __str__(self) -> str:
        return f"{self.world}-{self.view}"

    @property
    def fields(self) -> Mapping[str, Any]:
        return fields(self.world)

    @cached_property
    def every(self) -> dict[str, Variable]:
        return variables(self.world)

    @cached_property
    def shown(self) -> tuple[Variable, ...]:
        hidden = self.fields["views"][self.view]["hide"]
        return tuple(variable for name, variable in self.every.items() if name not in hidden)

    @cached_property
    def leaf(self) -> Leaf:
        return layout(self.world).leaf({**self.every, "shown": [variable.name for variable in self.shown]})

    @cached_property
    def plan(self) -> Plan:
        return Plan(self.leaf, self.shown)

    @property
    def classes(self) -> Classes:
        (negative, other), (positive, event) = self.fields["classes"].items()
        return Classes(positive, event, negative, other)

    def cases(self, count: int) -> Cases:
        return Cases(self.leaf, self.shown, self.classes, count)


def folder(world: str) -> Path:
    return Path(catalog.__file__).parent / world


@cache
def fields(world: str) -> dict[str, Any]:
    """What the world shows, every entry the text that stands there."""
    loaded: dict[str, Any] = YAML(typ="base", pure=True).load(folder(world) / "fields.yaml")
    return loaded


@cache
def layout(world: str) -> Layout:
    return Layout("memo", (folder(world) / "memo.j2").read_text(encoding="utf-8"), "memo.j2")


@cache
def variables(world: str) -> dict[str, Variable]:
    """Every variable that some view shows: factors, measurements in place of their factors, the rest."""
    said, weights = fields(world), read_weights(folder(world) / "weights.yaml")
    domains: dict[str, Any] = {name: Phrases(tuple(levels)) for name, levels in said["factors"].items()}
    for name, measured in said.get("measurements", {}).items():
        del domains[measured["of"]]
        ends, step = measured["numbers"].split(" by ")
        low, high = ends.split("..")
        domains[name] = Grid.between(Fraction(low), Fraction(high), Fraction(step), "decimal")
    for name, drawn in said["irrelevant"].items():
        domains[name] = Phrases(tuple(drawn)) if isinstance(drawn, list) else weights[name].domain
    if "identifier" in said:
        alphabet = Phrases(tuple(said["identifier"]["alphabet"]))
        domains |= {f"letter_{i}": alphabet for i in range(1, int(said["identifier"]["length"]) + 1)}
    return {name: Variable(name, domain) for name, domain in domains.items()}


MEMOS = [Memo(world, view) for world in WORLDS for view in VIEWS]
