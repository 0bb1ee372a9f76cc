"""What a world of factors must satisfy: every fault, each with its path in the spec.

The checks run on drafts: a part that could not be read is None there, and nothing is said about it, nor
about what depends on it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from keyword import iskeyword
from math import prod

import networkx as nx

from worldgen.exact.domains import Identifiers, Texts
from worldgen.exact.expressions import ExpressionError
from worldgen.exact.networks import LARGEST_TABLE
from worldgen.exact.rules import Amounts, Compiler, Scope
from worldgen.faults import Fault, Path
from worldgen.names import nearest
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.checks import ASKING, encoding_faults, named
from worldgen.worlds.factor_parts import RESIDUAL, FactorPart, Field, Levels, Measurement, Residual

LARGEST_FIELD = 20_000  # values of a field that is shown; see worldgen/renderers/plans.py
_TAKEN = frozenset(
    {"shown", "fields", "identifier", "outcome", "and", "or", "not", "in", "if", "else", "abs", "max", "min"}
)


@dataclass(frozen=True)
class FactorDraft:
    """The parts of `FactorModel`, each under the same name; None where one could not be read.

    `levels` has those of every factor that is named, whatever else of it could be read; `residual_read` is
    False where a residual stands that could not be read.
    """

    name: str | None
    title: str | None
    factors: Mapping[str, FactorPart | None] | None
    levels: Mapping[str, tuple[str, ...] | None]
    rule: str | None
    classes: Mapping[str, str | None] | None
    positive: Sequence[str | None] | None
    ordered: bool | None
    views: Mapping[str, Sequence[str | None] | None] | None
    encodings: Mapping[str, Encoding | None] | None
    tables: Mapping[str, Amounts | None]
    terms: Mapping[str, str | None]
    residual: Residual | None
    measurements: Mapping[str, Measurement | None]
    irrelevant: Mapping[str, Field | None]
    residual_read: bool = True

    @property
    def known(self) -> Levels:
        """The levels of the factors that could be read and that are fit to be reckoned with."""
        return {name: levels for name, levels in self.levels.items() if levels and _distinct(levels)}


def factor_faults(world: FactorDraft) -> Iterator[Fault]:
    """Everything that is wrong with a world of factors, nothing if it can be built."""
    if world.name is not None:
        yield from named(("name",), world.name)
    if world.title is not None and Texts().code(world.title) is None:
        yield Fault(("title",), "the text holds a lone surrogate", "write the character itself")
    yield from _names(world)
    yield from _levels(world)
    own = [*_factors(world), *_circles(world), *_states(world)]
    yield from own
    yield from _residual(world)
    yield from class_faults(world.classes)
    yield from _positive(world)
    yield from _tables(world)
    yield from _rule(world)
    yield from _views(world)
    yield from _measurements(world)
    yield from field_faults(world.irrelevant)
    yield from encoding_faults(world.encodings, "table")


def _distinct(items: Sequence[object]) -> bool:
    return len(set(items)) == len(items)


def _names(world: FactorDraft) -> Iterator[Fault]:
    """Rules and templates call everything by a name of its own."""
    if world.factors is not None and not world.factors:
        yield Fault(("factors",), "there is no factor", "give at least one")
    kinds: Mapping[str, Mapping[str, object]] = {
        "factors": world.factors or {},
        "tables": world.tables,
        "terms": world.terms,
        "measurements": world.measurements,
        "irrelevant": world.irrelevant,
    }
    yield from variable_name_faults(kinds, {} if world.residual is None else {RESIDUAL: RESIDUAL})


def variable_name_faults(
    kinds: Mapping[str, Mapping[str, object]], taken: Mapping[str, str]
) -> Iterator[Fault]:
    """The faults of names by which rules and templates call things, kind by kind. `taken` are names that
    stand elsewhere, with where they do.
    """
    first = dict(taken)
    for kind, names in kinds.items():
        for name in names:
            path = (kind, name)
            if not (name.isascii() and name.isidentifier()) or iskeyword(name):
                remedy = "use letters, digits and '_', and start with a letter"
                yield Fault(path, f"'{name}' cannot be named in a rule or a template", remedy)
            elif name in _TAKEN or ASKING.fullmatch(name):
                yield Fault(path, f"the word '{name}' has a meaning of its own", "choose another name")
            elif name in first:
                yield Fault(path, f"'{name}' stands under {first[name]} too", "give it a name of its own")
            first.setdefault(name, kind)


def _levels(world: FactorDraft) -> Iterator[Fault]:
    for name, levels in world.levels.items():
        path = ("factors", name)
        if levels is None:
            continue
        if not levels:
            yield Fault(path, "the factor has no levels", "list at least one")
        for i, level in enumerate(levels):
            if not level.strip() or Texts().code(level) is None:
                yield Fault(path, f"'{level}' is no name of a level", "write a word")
            if level in levels[:i]:
                yield Fault(path, f"the level '{level}' stands twice", "keep one of them")


def _factors(world: FactorDraft) -> Iterator[Fault]:
    for name, part in (world.factors or {}).items():
        if part is None:
            continue
        found = [*_parents(world, part)]
        yield from found
        known = name in world.known and all(parent in world.known for parent in part.parents)
        if found or not known:
            continue
        size = prod(len(world.known[one]) for one in (*part.parents, name))
        if size > LARGEST_TABLE:
            message = f"its table has {size:,} entries, and {LARGEST_TABLE:,} is the most"
            yield Fault(("factors", name), message, "let it depend on fewer factors")
            continue
        found = [*_masses(world, part)]
        yield from found or _shifted(world, part)


def _parents(world: FactorDraft, part: FactorPart) -> Iterator[Fault]:
    path: Path = ("factors", part.name)
    places = [((*path, "given"), name) for name in part.given]
    places += [((*path, "shifts", i, "given"), shift.given) for i, shift in enumerate(part.shifts)]
    for place, name in places:
        if name not in world.levels:
            yield Fault(place, f"there is no factor '{name}'", nearest(name, world.levels))
        elif name == part.name:
            yield Fault(place, f"'{name}' depends on itself", "name another factor")
    if not _distinct(part.given):
        yield Fault((*path, "given"), "a factor stands twice", "keep one of them")
    for i, shift in enumerate(part.shifts):
        place = (*path, "shifts", i)
        for key, level in (("from", shift.source), ("to", shift.target)):
            if level not in part.levels:
                message = f"{part.name} has no level '{level}'"
                yield Fault((*place, key), message, nearest(level, part.levels))
        if shift.source == shift.target:
            yield Fault(place, "the shift leads to where it starts", "name two levels")
        known = world.known.get(shift.given)
        if known and len(shift.by) != len(known):
            message = f"{shift.given} has {len(known)} levels, and {len(shift.by)} amounts stand here"
            yield Fault((*place, "by"), message, "give one for each level")


def _masses(world: FactorDraft, part: FactorPart) -> Iterator[Fault]:
    """Every row of probabilities sums to one as it is written: none is ever renormalised."""
    path: Path = ("factors", part.name, "table" if part.given else "prior")
    given = [world.known[name] for name in part.given]
    if part.masses and len(part.masses) != prod(map(len, given)) * len(part.levels):
        yield Fault(
            path, f"{len(part.masses)} probabilities do not fill the table", "give one for each level"
        )
        return
    plain = FactorPart(part.name, part.levels, part.masses, part.given)
    for codes, row in plain.rows(world.known):
        place = tuple(levels[code] for levels, code in zip(given, codes.values(), strict=True))
        where = f"the probabilities of {part.name}{_at(world, codes)}"
        for level, mass in zip(part.levels, row, strict=True):
            if not 0 <= mass <= 1:
                message = f"{where}: '{level}' has {mass}, outside [0, 1]"
                yield Fault((*path, *place), message, "write probabilities")
        if sum(row) != 1:
            message = f"{where} sum to {sum(row)}, not to 1"
            yield Fault((*path, *place), message, "write probabilities that sum to 1 exactly")


def _shifted(world: FactorDraft, part: FactorPart) -> Iterator[Fault]:
    for codes, row in part.rows(world.known) if part.shifts else ():
        for level, mass in zip(part.levels, row, strict=True):
            if not 0 <= mass <= 1:
                message = f"the shifts leave [0, 1]: {part.name}{_at(world, codes)} has '{level}' with {mass}"
                yield Fault(("factors", part.name, "shifts"), message, "move less")
                return


def _at(world: FactorDraft, codes: Mapping[str, int]) -> str:
    said = ", ".join(f"{name} = {world.known[name][code]}" for name, code in codes.items())
    return f" at {said}" if said else ""


def _circles(world: FactorDraft) -> Iterator[Fault]:
    parts = [part for part in (world.factors or {}).values() if part is not None]
    edges = [(parent, part.name) for part in parts for parent in part.parents if parent != part.name]
    for component in nx.strongly_connected_components(nx.DiGraph(edges)):
        if len(component) > 1:
            circle = nx.find_cycle(nx.DiGraph(edges).subgraph(component), min(component))
            path = " -> ".join([circle[0][0], *(edge[1] for edge in circle)])
            message = f"the factors depend on each other in a circle: {path}"
            yield Fault(("factors", circle[0][0]), message, "take one of these dependences away")


def _states(world: FactorDraft) -> Iterator[Fault]:
    sizes = [len(levels) for levels in world.known.values()]
    states = prod(sizes) * (len(world.residual.numbers) if world.residual else 1)
    if states > LARGEST_TABLE:
        message = f"there are {states:,} states, and {LARGEST_TABLE:,} is the most"
        yield Fault(("factors",), message, "use fewer factors or levels")


def _residual(world: FactorDraft) -> Iterator[Fault]:
    if world.residual is None:
        return
    path, residual = ("residual",), world.residual
    if not _distinct(residual.numbers) or not residual.numbers:
        yield Fault(path, "the residual needs distinct numbers, at least one", "write each number once")
    for number, mass in zip(residual.numbers, residual.masses, strict=False):
        if not 0 <= mass <= 1:
            yield Fault(path, f"{number} has probability {mass}, outside [0, 1]", "write a probability")
    if sum(residual.masses) != 1 or len(residual.masses) != len(residual.numbers):
        message = f"the probabilities of the residual sum to {sum(residual.masses)}, not to 1"
        yield Fault(path, message, "write probabilities that sum to 1 exactly")


def class_faults(classes: Mapping[str, str | None] | None) -> Iterator[Fault]:
    """Everything that is wrong with the classes of an outcome: names, and what they say in a sentence."""
    if classes is None:
        return
    if len(classes) < 2:
        yield Fault(
            ("classes",), "an outcome has two classes or more", "write {no: it does not, yes: it does}"
        )
    phrases = [phrase for phrase in classes.values() if phrase is not None]
    for name, phrase in classes.items():
        path = ("classes", name)
        yield from named(path, name)
        if phrase is None:
            continue
        if not phrase.strip() or Texts().code(phrase) is None:
            yield Fault(path, "a class is said in a sentence", "write what is so if it comes true")
        elif phrases.count(phrase) > 1:
            yield Fault(path, "another class is said in the same words", "tell them apart")


def _positive(world: FactorDraft) -> Iterator[Fault]:
    classes, positive = world.classes, world.positive
    if classes is None or positive is None:
        return
    for i, name in enumerate(positive):
        if name is not None and name not in classes:
            yield Fault(("positive", i), f"there is no class '{name}'", nearest(name, classes))
        if name in positive[:i]:
            yield Fault(("positive", i), f"'{name}' stands twice", "keep one of them")
    if len(classes) >= 2 and not 0 < len(set(positive)) < len(classes):
        yield Fault(("positive",), "some class is positive and some is not", "name those that A holds in")


def _tables(world: FactorDraft) -> Iterator[Fault]:
    places: list[tuple[Path, Amounts]] = [
        (("tables", name), table) for name, table in world.tables.items() if table is not None
    ]
    for name, part in (world.factors or {}).items():
        if part is not None and part.amounts is not None:
            places.append((("factors", name, "amounts"), part.amounts))
    for path, table in places:
        unknown = [name for name in table.of if name not in world.levels and name != RESIDUAL]
        if unknown:
            yield Fault(path, f"there is no factor '{unknown[0]}'", nearest(unknown[0], world.levels))
        elif all(name in world.known for name in table.of):
            size = prod(len(world.known[name]) for name in table.of)
            if len(table.numbers) != size or not _distinct(table.of):
                message = f"{len(table.numbers)} numbers stand for {size} levels of {', '.join(table.of)}"
                yield Fault(path, message, "give one for each")


def _rule(world: FactorDraft) -> Iterator[Fault]:
    """The terms, each by itself, then the rule; nothing is said where a part that they may name is unread."""
    if world.factors is None or not world.classes or len(world.classes) < 2:
        return
    if len(world.known) < len(world.levels) or not world.residual_read:
        return
    if any(True for check in (_tables, _residual) for _ in check(world)):
        return
    parts = [*world.factors.values(), *([world.residual.part] if world.residual else [])]
    tables = {name: table for name, table in world.tables.items() if table is not None}
    whole = [part for part in parts if part is not None]
    terms = {name: text for name, text in world.terms.items() if text is not None}
    if len(whole) < len(parts) or len(tables) < len(world.tables) or len(terms) < len(world.terms):
        return
    levels = {part.name: part.levels for part in whole}
    amounts = {part.name: part.amounts for part in whole if part.amounts is not None}
    scope = Scope(levels, amounts, tables, terms, tuple(world.classes))
    found = []
    for name, text in terms.items():
        try:
            Compiler(scope).term(name)
        except ExpressionError as error:
            if error.text == text:  # what another term is refused for is told there
                found.append(Fault(("terms", name), error.message, error.remedy))
    yield from found
    if world.rule is None or found:
        return
    try:
        Compiler(scope).choice(world.rule)
    except ExpressionError as error:
        yield Fault(("rule",), error.message, error.remedy)


def _views(world: FactorDraft) -> Iterator[Fault]:
    if world.views is None:
        return
    if not world.views:
        yield Fault(("views",), "there is no view", "write {full: {hide: []}}")
    for name, hidden in world.views.items():
        yield from named(("views", name), name)
        yield from _hidden(world, ("views", name), hidden or ())
    whole = [
        (name, set(hidden))
        for name, hidden in world.views.items()
        if hidden is not None and all(one in world.levels for one in hidden)
    ]
    for (first, more), (second, less) in pairwise(whole):
        if shown := sorted(str(name) for name in more - less):
            message = f"the views do not nest: {second} shows {', '.join(shown)}, which {first} hides"
            yield Fault(("views", second), message, "list views from the one that hides least")
        elif more == less:
            yield Fault(("views", second), f"it hides the same as {first}", "keep one of them")


def _hidden(world: FactorDraft, path: Path, hidden: Sequence[str | None]) -> Iterator[Fault]:
    for i, factor in enumerate(hidden):
        if factor is not None and factor not in world.levels:
            remedy = "it is hidden in every view" if factor == RESIDUAL else nearest(factor, world.levels)
            yield Fault((*path, "hide", i), f"there is no factor '{factor}' to hide", remedy)
        if factor in hidden[:i]:
            yield Fault((*path, "hide", i), f"'{factor}' stands twice", "keep one of them")
    if world.levels and set(world.levels) <= set(hidden):
        yield Fault(path, "the view shows no factor", "hide one less")


def _measurements(world: FactorDraft) -> Iterator[Fault]:
    of: set[str] = set()
    for name, one in world.measurements.items():
        if one is None:
            continue
        path: Path = ("measurements", name)
        if one.of not in world.levels:
            yield Fault((*path, "of"), f"there is no factor '{one.of}'", nearest(one.of, world.levels))
            continue
        if one.of in of:
            yield Fault((*path, "of"), f"'{one.of}' is measured twice", "keep one of them")
        of.add(one.of)
        levels = world.known.get(one.of)
        if levels and len(one.starts) != len(levels) - 1:
            message = (
                f"{len(levels) - 1} levels of {one.of} follow the first, and here stand {len(one.starts)}"
            )
            yield Fault((*path, "from"), message, "say where each of them begins")
        elif levels and (one.ends[1:] <= one.ends[:-1]).any():
            message = "some level has no number of its own"
            yield Fault((*path, "from"), message, "let the levels begin in order, inside the numbers")
        yield from _small(path, one.grid.size)


def field_faults(irrelevant: Mapping[str, Field | None]) -> Iterator[Fault]:
    """Everything that is wrong with irrelevant fields, apart from their names."""
    for name, one in irrelevant.items():
        if one is None:
            continue
        path, domain = ("irrelevant", name), one.variable.domain
        if isinstance(domain, Texts | Identifiers):
            yield Fault(path, "a field has a list of values", "list texts or numbers")
            continue
        yield from _small(path, domain.size)
        if one.weights is None:
            continue
        if len(one.weights) != domain.size:
            yield Fault(
                path, f"{len(one.weights)} weights stand for {domain.size} values", "give one for each"
            )
        if any(weight < 0 for weight in one.weights) or not any(one.weights):
            yield Fault(path, "weights are whole numbers from 0, and some are positive", "write such weights")


def _small(path: Path, size: int) -> Iterator[Fault]:
    if size > LARGEST_FIELD:
        message = f"{size:,} values are too many to be shown and read back"
        yield Fault(path, message, f"use a coarser grid, of at most {LARGEST_FIELD:,}")
