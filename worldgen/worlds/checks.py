"""What a world of cells must satisfy: every fault, each with its path in the spec."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import TYPE_CHECKING

import networkx as nx

from worldgen.exact.domains import Texts
from worldgen.faults import Fault, Path
from worldgen.worlds.definitions import CATEGORY, All, AnyOf, Definition, Is, Not, Ref, references

if TYPE_CHECKING:
    from worldgen.worlds.cells import CellWorld

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", re.ASCII)
LARGEST_OBSERVED = 20_000


def cell_faults(world: "CellWorld") -> Iterator[Fault]:
    """Everything that is wrong with a world of cells, nothing if it can be built."""
    yield from _names(world)
    yield from _cells(world)
    yield from _events(world)
    for place, seen in enumerate(world.observations):
        path: Path = ("observe", seen.attribute)
        if seen.attribute not in world.attributes:
            yield Fault(
                path, f"there is no attribute '{seen.attribute}'", nearest(seen.attribute, world.attributes)
            )
        if not 0 <= seen.chance <= 1:
            yield Fault(path, f"a chance of {seen.chance} is not in [0, 1]", "write a probability, like 1/2")
        if seen.attribute in {other.attribute for other in world.observations[:place]}:
            yield Fault(path, f"'{seen.attribute}' is observed twice", "keep one of them")
    for variable in world.metadata:
        if isinstance(variable.domain, Texts):
            yield Fault(
                ("metadata", variable.name), "any text cannot be drawn", "list phrases or give an alphabet"
            )
        if re.fullmatch(r"(count|likelihood)_\d+", variable.name) or not NAME.fullmatch(variable.name):
            yield Fault(
                ("metadata", variable.name), "the name is not free", "choose another, of letters and digits"
            )
    if not world.encodings:
        yield Fault(("encodings",), "the world has no encoding", "name at least one, such as joined-tables")


def nearest(name: str, known: Mapping[str, object] | tuple[str, ...]) -> str:
    """The remedy for an unknown name: the nearest known one, else all of them."""
    close = get_close_matches(name, list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else f"known are {', '.join(known) or 'none'}"


def _names(world: "CellWorld") -> Iterator[Fault]:
    remedy = "use letters, digits, '_', '.' and '-', and start with a letter, digit or '_'"
    named: list[tuple[Path, str]] = [(("name",), world.name)]
    named += [(("attributes", name), name) for name in world.attributes]
    named += [(("attributes", name, i), v) for name, vs in world.attributes.items() for i, v in enumerate(vs)]
    named += [(("categories", i), name) for i, name in enumerate(world.categories)]
    named += [(("events", name), name) for name in world.definitions]
    for path, name in named:
        if not NAME.fullmatch(name):
            yield Fault(path, f"'{name}' is not a name", remedy)
    if CATEGORY in world.attributes:
        yield Fault(("attributes", CATEGORY), "this word is kept for the category", "rename the attribute")
    if not world.rule.strip():
        yield Fault(("rule",), "the sampling rule is empty", "say in a sentence how a cell is drawn")
    if not world.categories:
        yield Fault(("categories",), "there is no category", "list at least one")
    for name, values in world.attributes.items():
        if not values:
            yield Fault(("attributes", name), "the attribute has no values", "list at least one")
        yield from _repeats(("attributes", name), values)
    yield from _repeats(("categories",), world.categories)
    for name in world.definitions:
        if name in world.categories:
            yield Fault(("events", name), f"'{name}' is a category already", "give the event another name")


def _repeats(path: Path, names: tuple[str, ...]) -> Iterator[Fault]:
    for i, name in enumerate(names):
        if name in names[:i]:
            yield Fault((*path, i), f"'{name}' stands twice", "keep one of them")


def _cells(world: "CellWorld") -> Iterator[Fault]:
    if not world.cells:
        yield Fault(("cells",), "there is no cell", "list at least one")
        return
    attributes = list(world.attributes.items())
    seen: dict[tuple[tuple[str, ...], str], int] = {}
    for i, cell in enumerate(world.cells):
        if len(cell.values) != len(attributes):
            yield Fault(
                ("cells", i), f"{len(cell.values)} values for {len(attributes)} attributes", "give one each"
            )
        for (name, values), value in zip(attributes, cell.values, strict=False):
            if value not in values:
                yield Fault(("cells", i, name), f"'{value}' is not a value of {name}", nearest(value, values))
        if cell.category not in world.categories:
            remedy = nearest(cell.category, world.categories)
            yield Fault(("cells", i, CATEGORY), f"there is no category '{cell.category}'", remedy)
        first = seen.setdefault((cell.values, cell.category), i)
        if first != i:
            yield Fault(("cells", i), f"the cell repeats cell {first}", "merge the two: add up their counts")
        low, _ = cell.count.domain.extremes
        if cell.count.domain.denominator != 1 or low < 0:
            yield Fault(("cells", i, "count"), "a count is not a whole number >= 0", "write whole numbers")
        low, high = cell.likelihood.domain.extremes
        if low < 0 or high > 1:
            outside = low if low < 0 else high
            yield Fault(
                ("cells", i, "likelihood"),
                f"the likelihood {outside} is outside [0, 1]",
                "write a probability",
            )
        if world.observations and cell.likelihood.domain.size > LARGEST_OBSERVED:
            size = cell.likelihood.domain.size
            message = f"{size} likelihoods are too many beside an observation"
            yield Fault(("cells", i, "likelihood"), message, f"use at most {LARGEST_OBSERVED}")
    for i, category in enumerate(world.categories):
        if not any(cell.category == category for cell in world.cells):
            yield Fault(("categories", i), f"no cell has category '{category}'", "drop it or give it a cell")
    if all(cell.count.domain.extremes[1] == 0 for cell in world.cells):
        yield Fault(("cells",), "every count is zero", "give some cell a positive count")
    elif not any(
        _possible(cell.count.domain.extremes[1], cell.likelihood.domain.extremes[1]) for cell in world.cells
    ):
        yield Fault(
            ("cells",), "every cell has probability zero", "give some cell a positive count and likelihood"
        )


def _possible(count: Fraction, likelihood: Fraction) -> bool:
    return count > 0 and likelihood > 0


def _events(world: "CellWorld") -> Iterator[Fault]:
    for name, definition in world.definitions.items():
        yield from _definition(world, ("events", name), definition)
    edges = [(n, r) for n, definition in world.definitions.items() for r in references(definition)]
    cyclic = (c for c in nx.strongly_connected_components(nx.DiGraph(edges)) if len(c) > 1)
    loops = [sorted(component) for component in cyclic] + [[n] for n, r in edges if n == r]
    for names in loops:
        yield Fault(("events", names[0]), f"{', '.join(names)} are defined by each other", "break the circle")


def _definition(world: "CellWorld", path: Path, definition: Definition) -> Iterator[Fault]:
    match definition:
        case Is(name, values):
            known = world.categories if name == CATEGORY else world.attributes.get(name)
            if known is None:
                names = (*world.attributes, CATEGORY)
                yield Fault((*path, name), f"there is no attribute '{name}'", nearest(name, names))
                return
            if not values:
                yield Fault((*path, name), "the list of values is empty", "name at least one")
            for i, value in enumerate(values):
                if value not in known:
                    kind = "category" if name == CATEGORY else f"value of {name}"
                    yield Fault((*path, name, i), f"there is no {kind} '{value}'", nearest(value, known))
            yield from _repeats((*path, name), values)
        case Not(part):
            yield from _definition(world, (*path, "not"), part)
        case All(parts) | AnyOf(parts):
            word = "all" if isinstance(definition, All) else "any"
            if not parts:
                yield Fault((*path, word), "the list of parts is empty", "name at least one event")
            for i, part in enumerate(parts):
                yield from _definition(world, (*path, word, i), part)
        case Ref(name):
            if name not in world.definitions:
                yield Fault(path, f"there is no event '{name}'", nearest(name, world.definitions))
