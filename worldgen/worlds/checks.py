"""What a world of cells must satisfy: every fault, each with its path in the spec.

The checks run on drafts: a part that could not be read is None there, and nothing is said about it, nor
about what depends on it, so that one mistake is reported once.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import lcm

import networkx as nx

from worldgen.exact.domains import Identifiers, Phrases, Texts
from worldgen.exact.numbers import LARGEST_PART
from worldgen.faults import Fault, Path
from worldgen.names import NAME_REMEDY, is_name, nearest
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.definitions import CATEGORY, All, AnyOf, Definition, Is, Not, Ref, references
from worldgen.worlds.drafts import CellDraft, WorldDraft
from worldgen.worlds.parts import Drawn

LARGEST_OBSERVED = 20_000
LONGEST_IDENTIFIER = 256
# What a payload shows of its question, beside the variables of the world; see worldgen/cohort/asking.py.
ASKING = re.compile(r"event|given|(?:option|key|id)_\d+", re.ASCII)
KEPT = frozenset({CATEGORY, "count", "likelihood", "not", "all", "any"})


def cell_faults(world: WorldDraft) -> Iterator[Fault]:
    """Everything that is wrong with a world of cells, nothing if it can be built."""
    yield from _texts(world)
    yield from _attributes(world)
    yield from _categories(world)
    yield from _cells(world)
    yield from _masses(world)
    yield from _events(world)
    yield from _observations(world)
    yield from _metadata(world)
    yield from encoding_faults(world.encodings, "joined-tables")


def named(path: Path, name: str) -> Iterator[Fault]:
    """The fault of a text that is no name, if it is none."""
    if not is_name(name):
        yield Fault(path, f"'{name}' is not a name", NAME_REMEDY)


def _list(path: Path, names: Sequence[str | None]) -> Iterator[Fault]:
    for i, name in enumerate(names):
        if name is None:
            continue
        yield from named((*path, i), name)
        if name in names[:i]:
            yield Fault((*path, i), f"'{name}' stands twice", "keep one of them")


def _texts(world: WorldDraft) -> Iterator[Fault]:
    if world.name is not None:
        yield from named(("name",), world.name)
    if world.rule is not None and not world.rule.strip():
        yield Fault(("rule",), "the sampling rule is empty", "say in a sentence how a cell is drawn")
    for key, text in (("title", world.title), ("rule", world.rule)):
        if text is not None and Texts().code(text) is None:
            yield Fault((key,), "the text holds a lone surrogate", "write the character itself")


def _attributes(world: WorldDraft) -> Iterator[Fault]:
    for name, values in (world.attributes or {}).items():
        path = ("attributes", name)
        yield from named(path, name)
        if name in KEPT:
            yield Fault(
                path, f"the word '{name}' has a meaning of its own", "give the attribute another name"
            )
        if values is not None and not values:
            yield Fault(path, "the attribute has no values", "list at least one")
        yield from _list(path, values or ())


def _categories(world: WorldDraft) -> Iterator[Fault]:
    if world.categories is None:
        return
    if not world.categories:
        yield Fault(("categories",), "there is no category", "list at least one")
    yield from _list(("categories",), world.categories)
    if not world.cells or any(cell is None or cell.category is None for cell in world.cells):
        return
    used = {cell.category for cell in world.cells if cell is not None}
    for i, category in enumerate(world.categories):
        if category is not None and category not in used:
            yield Fault(("categories", i), f"no cell has category '{category}'", "drop it or give it a cell")


def _missing(name: str, known: Sequence[str | None] | None) -> bool:
    """Whether a name is certainly not among those known; where there are none, that is the fault."""
    return known is not None and len(known) > 0 and None not in known and name not in known


def _known(names: Sequence[str | None] | None) -> list[str]:
    return [name for name in names or () if name is not None]


def _cells(world: WorldDraft) -> Iterator[Fault]:
    if world.cells is None:
        return
    if not world.cells:
        yield Fault(("cells",), "there is no cell", "list at least one")
    seen: dict[tuple[tuple[str | None, ...], str], int] = {}
    for i, cell in enumerate(world.cells):
        if cell is None:
            continue
        path = ("cells", i)
        yield from _values(world, path, cell)
        if cell.count is not None:
            yield from _count((*path, "count"), cell.count)
        if cell.likelihood is not None:
            yield from _likelihood((*path, "likelihood"), cell.likelihood, bool(world.observations))
        if cell.category is not None and None not in cell.values and world.attributes is not None:
            first = seen.setdefault((tuple(cell.values), cell.category), i)
            if first != i:
                yield Fault(path, f"the cell repeats cell {first}", "merge the two: add up their counts")


def _values(world: WorldDraft, path: Path, cell: CellDraft) -> Iterator[Fault]:
    if world.attributes is not None:
        attributes = list(world.attributes.items())
        if len(cell.values) != len(attributes):
            message = f"the cell has {len(cell.values)} values for {len(attributes)} attributes"
            yield Fault(path, message, "give one value for each")
        for (name, values), value in zip(attributes, cell.values, strict=False):
            if value is not None and _missing(value, values):
                remedy = nearest(value, _known(values))
                yield Fault((*path, name), f"'{value}' is not a value of {name}", remedy)
    if cell.category is not None and _missing(cell.category, world.categories):
        remedy = nearest(cell.category, _known(world.categories))
        yield Fault((*path, CATEGORY), f"there is no category '{cell.category}'", remedy)


def _weights(path: Path, drawn: Drawn) -> Iterator[Fault]:
    weights = drawn.weights
    if weights is None:
        return
    if len(weights) != drawn.domain.size:
        message = f"{len(weights)} weights for {drawn.domain.size} values"
        yield Fault(path, message, "give one weight for each")
    if any(weight < 0 for weight in weights):
        yield Fault(path, "a weight is negative", "write 0 or more")
    elif not any(weights):
        yield Fault(path, "every weight is zero", "give some value a positive weight")


def _count(path: Path, count: Drawn) -> Iterator[Fault]:
    yield from _weights(path, count)
    low, _ = count.domain.extremes
    if low < 0:
        yield Fault(path, f"the count {low} is negative", "write whole numbers from 0")
    elif count.domain.denominator != 1:
        yield Fault(path, "a count is not a whole number", "write whole numbers from 0")


def _likelihood(path: Path, likelihood: Drawn, observed: bool) -> Iterator[Fault]:
    yield from _weights(path, likelihood)
    low, high = likelihood.domain.extremes
    if low < 0 or high > 1:
        message = f"the likelihood {low if low < 0 else high} is outside [0, 1]"
        yield Fault(path, message, "write a probability, like 0.9 or 1/3")
    size = likelihood.domain.size
    if observed and size > LARGEST_OBSERVED:
        message = f"{size} likelihoods are too many beside an observation"
        yield Fault(path, message, f"use at most {LARGEST_OBSERVED}")


def _masses(world: WorldDraft) -> Iterator[Fault]:
    """Some cell must be able to have positive mass."""
    if not world.cells:
        return
    numbers = [(cell.count, cell.likelihood) if cell is not None else (None, None) for cell in world.cells]
    counts = [None if count is None else count.support[1] for count, _ in numbers]
    if all(count is not None and count == 0 for count in counts):
        yield Fault(("cells",), "every count is zero", "give some cell a positive count")
        return
    chances = [None if likelihood is None else likelihood.support[1] for _, likelihood in numbers]
    pairs = list(zip(counts, chances, strict=True))
    if all(count == 0 or chance == 0 for count, chance in pairs):
        remedy = "give some cell a positive count and a positive likelihood"
        yield Fault(("cells",), "every cell has probability zero", remedy)
    yield from _lengths(numbers)


def _lengths(numbers: Sequence[tuple[Drawn | None, Drawn | None]]) -> Iterator[Fault]:
    """Every exact probability must be short enough to be read back.

    Over the least common denominator of all likelihoods a cell weighs at most the greatest count times
    that denominator, so a probability is a ratio of two whole numbers of at most that times the cells.
    """
    counts = [int(count.domain.extremes[1]) for count, _ in numbers if count is not None]
    chances = [likelihood.domain.denominator for _, likelihood in numbers if likelihood is not None]
    if len(numbers) * max([*counts, 1]) * lcm(*chances) >= LARGEST_PART:
        message = "counts and likelihoods have so many digits that exact probabilities are too long to write"
        yield Fault(("cells",), message, "use smaller counts, and likelihoods with fewer denominators")


def _events(world: WorldDraft) -> Iterator[Fault]:
    definitions = world.definitions or {}
    for name, definition in definitions.items():
        path = ("events", name)
        yield from named(path, name)
        if world.categories is not None and name in world.categories:
            yield Fault(path, f"'{name}' is a category already", "give the event another name")
        if definition is not None:
            yield from _definition(world, path, definition)
    edges = [(n, r) for n, d in definitions.items() if d is not None for r in references(d)]
    cyclic = (c for c in nx.strongly_connected_components(nx.DiGraph(edges)) if len(c) > 1)
    loops = [sorted(component) for component in cyclic] + [[n] for n, r in edges if n == r]
    for names in loops:
        message = f"the event{'s' if len(names) > 1 else ''} {', '.join(names)} lead back to themselves"
        if len(names) == 1:
            message = f"the event {names[0]} is defined by itself"
        yield Fault(("events", names[0]), message, "break the circle")


def _definition(world: WorldDraft, path: Path, definition: Definition) -> Iterator[Fault]:
    match definition:
        case Is(name, values):
            yield from _membership(world, (*path, name), name, values)
        case Not(part):
            yield from _definition(world, (*path, "not"), part)
        case All(parts) | AnyOf(parts):
            word = "all" if isinstance(definition, All) else "any"
            if not parts:
                yield Fault((*path, word), "the list of parts is empty", "name at least one event")
            for i, part in enumerate(parts):
                yield from _definition(world, (*path, word, i), part)
        case Ref(name):
            if world.definitions is not None and name not in world.definitions:
                yield Fault(path, f"there is no event '{name}'", nearest(name, world.definitions))


def _membership(world: WorldDraft, path: Path, name: str, values: tuple[str, ...]) -> Iterator[Fault]:
    known = world.categories
    if name != CATEGORY:
        if world.attributes is None:
            return
        if name not in world.attributes:
            names = (*world.attributes, CATEGORY)
            yield Fault(path, f"there is no attribute '{name}'", nearest(name, names))
            return
        known = world.attributes[name]
    if not values:
        yield Fault(path, "the list of values is empty", "name at least one")
    for i, value in enumerate(values):
        if _missing(value, known):
            message = f"there is no {'category' if name == CATEGORY else f'value of {name}'} '{value}'"
            yield Fault((*path, i), message, nearest(value, _known(known)))
        if value in values[:i]:
            yield Fault((*path, i), f"'{value}' stands twice", "keep one of them")


def _observations(world: WorldDraft) -> Iterator[Fault]:
    for place, seen in enumerate(world.observations):
        path = ("observe", seen.attribute)
        if world.attributes is not None and seen.attribute not in world.attributes:
            remedy = nearest(seen.attribute, world.attributes)
            yield Fault(path, f"there is no attribute '{seen.attribute}'", remedy)
        if seen.chance is not None and not 0 <= seen.chance <= 1:
            yield Fault(path, f"the chance {seen.chance} is outside [0, 1]", "write a probability, like 1/2")
        if seen.attribute in {other.attribute for other in world.observations[:place]}:
            yield Fault(path, f"'{seen.attribute}' is observed twice", "keep one of them")


def _metadata(world: WorldDraft) -> Iterator[Fault]:
    names: set[str] = set()
    for variable in world.metadata:
        path, domain = ("metadata", variable.name), variable.domain
        yield from named(path, variable.name)
        if variable.name.startswith(("count_", "likelihood_")):
            yield Fault(path, "names that start like this are those of the cells", "choose another")
        if ASKING.fullmatch(variable.name):
            yield Fault(path, "this is the name of a variable of questions", "choose another")
        if variable.name in names:
            yield Fault(path, f"'{variable.name}' stands twice", "keep one of them")
        names.add(variable.name)
        if isinstance(domain, Texts):
            yield Fault(path, "any text cannot be drawn", "list phrases or give an alphabet")
        if isinstance(domain, Identifiers) and domain.longest > LONGEST_IDENTIFIER:
            yield Fault(path, f"identifiers of {domain.longest} characters are too long", "use at most 256")
        if isinstance(domain, Phrases) and any(Texts().code(phrase) is None for phrase in domain.values):
            yield Fault(path, "a phrase holds a lone surrogate", "write the character itself")


def encoding_faults(encodings: Mapping[str, Encoding | None] | None, example: str) -> Iterator[Fault]:
    """Everything that is wrong with the encodings of a world of any family; `example` is one to name."""
    if encodings is not None and not encodings:
        yield Fault(("encodings",), "the world has no encoding", f"name at least one, such as {example}")
    for name, encoding in (encodings or {}).items():
        path: Path = ("encodings", name)
        yield from named(path, name)
        if encoding is None:
            continue
        if encoding.name != name:
            yield Fault(path, f"the encoding is named '{encoding.name}'", "give it one name in both places")
        if not encoding.layouts:
            yield Fault(path, f"the encoding '{name}' has no layout", "give at least one")
        for layout in encoding.layouts:
            yield from named((*path, layout.name), layout.name)
            if Texts().code(layout.source) is None:
                yield Fault(
                    (*path, layout.name), "the template holds a lone surrogate", "write the character"
                )
        names = [layout.name for layout in encoding.layouts]
        for repeated in dict.fromkeys(one for one in names if names.count(one) > 1):
            yield Fault((*path, repeated), f"'{repeated}' stands twice", "keep one of them")
