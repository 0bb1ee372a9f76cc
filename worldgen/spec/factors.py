"""Worlds of factors in specs."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from worldgen.exact.domains import Grid
from worldgen.exact.numbers import Notation
from worldgen.exact.rules import Amounts
from worldgen.names import nearest
from worldgen.spec.arrays import Axis, array
from worldgen.spec.built import sure, whole_parts
from worldgen.spec.fields import Fields
from worldgen.spec.flags import flag
from worldgen.spec.irrelevant import irrelevant
from worldgen.spec.named_texts import named_texts
from worldgen.spec.nodes import Mapping_, Node, Sequence_
from worldgen.spec.numbers import number, numeric, shared_notation
from worldgen.spec.templates import encodings
from worldgen.worlds.factor_checks import FactorDraft, factor_faults
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import RESIDUAL, FactorPart, Measurement, Residual, Shift
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.layouts import layout_faults

KIND = "factors"
_REQUIRED = ("kind", "name", "factors", "rule", "classes", "views", "encodings")
_OPTIONAL = ("title", "residual", "tables", "terms", "positive", "ordered", "measurements", "irrelevant")
_FACTOR = ("prior", "given", "table", "shifts", "amounts")

Known = Mapping[str, tuple[str, ...] | None]


def factor_world(fields: Fields, node: Node) -> FactorWorld | None:
    """The world at a node, or None with every fault noted: those of form, and those of meaning in all
    parts that could be read.
    """
    found = fields.keys(node, _REQUIRED, _OPTIONAL)
    if found is None:
        return None
    nodes = fields.pairs(found.get("factors"), "write {NAME: {levels: [low, high], prior: [0.4, 0.6]}}")
    levels = {name: _levels(fields, one) for name, (_, one) in (nodes or {}).items()}
    residual = _residual(fields, found.get("residual"))
    # Tables may go by the residual, whose levels are named after its numbers.
    known = levels | ({} if residual is None else {RESIDUAL: residual.part.levels})
    factors = {name: _factor(fields, name, one, levels, known) for name, (_, one) in (nodes or {}).items()}
    classes = named_texts(fields, found.get("classes"), "write {no: it does not happen, yes: it happens}")
    draft = FactorDraft(
        name=fields.text(found.get("name")),
        title=fields.text(found["title"]) if "title" in found else "",
        factors=None if nodes is None else factors,
        levels=levels,
        rule=fields.text(found.get("rule")),
        classes=classes,
        positive=_positive(fields, found.get("positive"), classes),
        ordered=flag(fields, found["ordered"]) if "ordered" in found else False,
        views=_views(fields, found.get("views")),
        encodings=encodings(fields, found.get("encodings"), KIND),
        tables=_tables(fields, found.get("tables"), known),
        terms=named_texts(fields, found.get("terms"), "write {NAME: expression}") or {},
        residual=residual,
        measurements=_measurements(fields, found.get("measurements")),
        irrelevant=irrelevant(fields, found.get("irrelevant")),
        residual_read=residual is not None or "residual" not in found,
    )
    fields.check(node, factor_faults(draft))
    if not fields.sound(node):
        return None
    world = FactorWorld(_built(draft))
    if fields.prove:
        fields.check(node, layout_faults(world))
    return world


def _levels(fields: Fields, node: Node) -> tuple[str, ...] | None:
    """The levels of a factor: a bare list, or under the key `levels`."""
    if isinstance(node, Sequence_):
        return fields.whole_texts(node)
    found = fields.keys(node, ("levels",), _FACTOR)
    return None if found is None else fields.whole_texts(found.get("levels"))


def _factor(fields: Fields, name: str, node: Node, levels: Known, known: Known) -> FactorPart | None:
    own = levels[name]
    if isinstance(node, Sequence_):
        return None if own is None else FactorPart(name, own)
    if not isinstance(node, Mapping_) or not own or not fields.sound(node):
        return None
    found = {key.text: value for key, value in node.pairs}
    given: tuple[str, ...] = ()
    masses: tuple[Fraction, ...] | None = ()
    if "table" in found or "given" in found:
        given, masses = _conditional(fields, node, found, (name, own), levels)
    elif "prior" in found:
        masses = array(fields, found["prior"], [(name, own)])
    if "prior" in found and "table" in found:
        fields.fault(node, "a factor has either a prior or a table", "keep one of them")
        return None
    shifts = _shifts(fields, found.get("shifts"), levels)
    amounts = _amounts(fields, found["amounts"], (name, own), known) if "amounts" in found else None
    if masses is None or shifts is None or ("amounts" in found and amounts is None):
        return None
    return FactorPart(name, own, masses, given, shifts, amounts)


def _axes(fields: Fields, node: Node | None, known: Known) -> list[Axis] | None:
    """The factors that a node names, one or a list of them, with their levels."""
    names = fields.whole_texts(node) if isinstance(node, Sequence_) else (fields.text(node),)
    if node is not None and names == ():
        fields.fault(node, "no factor is named", "name one, or leave the key out")
    axes: list[Axis] = []
    for name in names or ():
        if name is None:
            return None
        if name not in known:
            if node is not None:
                fields.fault(node, f"there is no factor '{name}'", nearest(name, known))
            return None
        levels = known[name]
        if levels is None:
            return None
        axes.append((name, levels))
    return axes or None


def _conditional(
    fields: Fields, node: Node, found: Mapping[str, Node], own: Axis, known: Known
) -> tuple[tuple[str, ...], tuple[Fraction, ...] | None]:
    """The factors that a table goes by, and its numbers: those under `given`, then the factor itself."""
    if "given" not in found or "table" not in found:
        missing = "given" if "table" in found else "table"
        fields.fault(node, f"the key '{missing}' is missing", f"add '{missing}:'")
        return (), None
    axes = _axes(fields, found["given"], known)
    if axes is None:
        return (), None
    return tuple(name for name, _ in axes), array(fields, found["table"], [*axes, own])


def _shifts(fields: Fields, node: Node | None, known: Known) -> tuple[Shift, ...] | None:
    if node is None:
        return ()
    items = fields.items(node, "list {given: FACTOR, from: LEVEL, to: LEVEL, by: [0, 0.1]}")
    read = [_shift(fields, item, known) for item in items or ()]
    whole = tuple(shift for shift in read if shift is not None)
    return whole if items is not None and len(whole) == len(read) else None


def _shift(fields: Fields, node: Node, known: Known) -> Shift | None:
    found = fields.keys(node, ("given", "from", "to", "by"))
    if found is None:
        return None
    given = found.get("given")
    if isinstance(given, Sequence_) and len(given.items) > 1:
        fields.fault(given, "a shift goes by one factor", "write a shift for each, or a table")
        return None
    axes = _axes(fields, given, known)
    source, target = fields.text(found.get("from")), fields.text(found.get("to"))
    by = None if axes is None else array(fields, found.get("by"), axes)
    if axes is None or source is None or target is None or by is None:
        return None
    return Shift(axes[0][0], source, target, by)


def _amounts(fields: Fields, node: Node, own: Axis, known: Known) -> Amounts | None:
    """What a factor amounts to: a number for each level, or a table by other factors as well."""
    if isinstance(node, Mapping_) and {key.text for key, _ in node.pairs} == {"given", "table"}:
        given, numbers = _conditional(fields, node, {k.text: v for k, v in node.pairs}, own, known)
        return None if numbers is None else Amounts((*given, own[0]), numbers)
    numbers = array(fields, node, [own])
    return None if numbers is None else Amounts((own[0],), numbers)


def _tables(fields: Fields, node: Node | None, known: Known) -> dict[str, Amounts | None]:
    pairs = fields.pairs(node, "write {NAME: {of: FACTOR, numbers: [1, 2]}}") or {}
    return {name: _table(fields, one, known) for name, (_, one) in pairs.items()}


def _table(fields: Fields, node: Node, known: Known) -> Amounts | None:
    found = fields.keys(node, ("of", "numbers"))
    axes = None if found is None else _axes(fields, found.get("of"), known)
    if found is None or axes is None:
        return None
    numbers = array(fields, found.get("numbers"), axes)
    return None if numbers is None else Amounts(tuple(name for name, _ in axes), numbers)


def _residual(fields: Fields, node: Node | None) -> Residual | None:
    pairs = fields.pairs(node, "write {-1: 0.1, 0: 0.8, 1: 0.1}")
    read = [(number(fields, key), number(fields, one)) for key, one in (pairs or {}).values()]
    whole = [(value, mass[0]) for value, mass in read if value is not None and mass is not None]
    if node is None or pairs is None or len(whole) < len(read):
        return None
    notations: list[Notation] = [value[1] for value, _ in whole]
    numbers = tuple(value[0] for value, _ in whole)
    if not numbers or len(set(numbers)) != len(numbers):
        fields.fault(node, "the residual needs distinct numbers, at least one", "write each number once")
        return None
    return Residual(numbers, tuple(mass for _, mass in whole), shared_notation(notations))


def _positive(
    fields: Fields, node: Node | None, classes: Mapping[str, str | None] | None
) -> Sequence[str | None] | None:
    """The classes that A holds in: one, a list of them, or the last one where nothing is said."""
    if node is None:
        return None if classes is None else tuple(classes)[-1:]
    if isinstance(node, Sequence_):
        return fields.texts(node)
    text = fields.text(node)
    return None if text is None else (text,)


def _views(fields: Fields, node: Node | None) -> dict[str, Sequence[str | None] | None] | None:
    pairs = fields.pairs(node, "write {full: {hide: []}}")
    if pairs is None:
        return None
    read = {name: fields.keys(one, ("hide",)) for name, (_, one) in pairs.items()}
    return {
        name: None if found is None else fields.texts(found.get("hide"), "list the factors to hide")
        for name, found in read.items()
    }


def _measurements(fields: Fields, node: Node | None) -> dict[str, Measurement | None]:
    pairs = fields.pairs(node, "write {NAME: {of: FACTOR, numbers: 0..100, from: [20, 50]}}") or {}
    return {name: _measurement(fields, name, one) for name, (_, one) in pairs.items()}


def _measurement(fields: Fields, name: str, node: Node) -> Measurement | None:
    found = fields.keys(node, ("of", "numbers", "from"))
    if found is None:
        return None
    of, numbers = fields.text(found.get("of")), numeric(fields, found.get("numbers"))
    items = fields.items(found.get("from"), "list where each level after the first begins")
    starts = [number(fields, item) for item in items or ()]
    whole = tuple(start[0] for start in starts if start is not None)
    if numbers is not None and not isinstance(numbers, Grid):
        fields.fault(found["numbers"], "a measurement has a grid of numbers", "write 0..100 by 0.1")
        return None
    if of is None or numbers is None or items is None or len(whole) < len(starts):
        return None
    return Measurement(name, of, numbers, whole)


def _built(draft: FactorDraft) -> FactorModel:
    return FactorModel(
        name=sure(draft.name),
        factors=tuple(map(sure, sure(draft.factors).values())),
        rule=sure(draft.rule),
        classes=whole_parts(draft.classes),
        positive=tuple(map(sure, sure(draft.positive))),
        views={name: tuple(map(sure, sure(hidden))) for name, hidden in sure(draft.views).items()},
        encodings=whole_parts(draft.encodings),
        tables=whole_parts(draft.tables),
        terms=whole_parts(draft.terms),
        residual=draft.residual,
        measurements=tuple(map(sure, draft.measurements.values())),
        irrelevant=tuple(map(sure, draft.irrelevant.values())),
        title=sure(draft.title),
        ordered=sure(draft.ordered),
    )
