"""Random worlds of factors and of covert transfer, small enough that every state can be counted."""

from fractions import Fraction
from itertools import accumulate

from hypothesis import strategies as st

from worldgen.exact.domains import Grid, Numbers, Phrases
from worldgen.exact.rules import Amounts
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import shipped
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import FactorPart, Field, Measurement, Residual, Shift
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld
from worldgen.worlds.transfer_models import TagView, TransferModel

NAMES = ("wind", "tide", "moon", "sea")
WORDS = ("low", "mid", "high", "very high")
NUMBERS = st.integers(-6, 6).flatmap(lambda top: st.sampled_from([1, 2, 5]).map(lambda b: Fraction(top, b)))


@st.composite
def masses(draw: st.DrawFn, width: int) -> tuple[Fraction, ...]:
    """Probabilities that leave room for a shift of a tenth, or have zeros among them."""
    least = draw(st.sampled_from([0, 1]))
    weights = [draw(st.integers(0, 4)) + least for _ in range(width)]
    whole = sum(weights)
    if whole == 0:
        return (Fraction(1), *[Fraction(0)] * (width - 1))
    return tuple(Fraction(weight, whole) for weight in weights)


@st.composite
def factors(draw: st.DrawFn) -> tuple[FactorPart, ...]:
    found: list[FactorPart] = []
    for name in NAMES[: draw(st.integers(1, 4))]:
        levels = WORDS[: draw(st.integers(1, 3))]
        earlier = [part.name for part in found]
        some: st.SearchStrategy[list[str]] = st.just([])
        if earlier:
            some = st.lists(st.sampled_from(earlier), unique=True, max_size=2)
        given = tuple(draw(some))
        rows = 1
        for part in found:
            rows *= len(part.levels) if part.name in given else 1
        table = tuple(mass for _ in range(rows) for mass in draw(masses(len(levels))))
        shifts: tuple[Shift, ...] = ()
        if earlier and len(levels) > 1 and all(mass >= Fraction(1, 20) for mass in table):
            parent = draw(st.sampled_from(found))
            by = tuple(Fraction(draw(st.integers(-5, 5)), 100) for _ in parent.levels)
            shifts = (Shift(parent.name, levels[0], levels[1], by),)
            shifts = shifts if all(mass <= Fraction(19, 20) for mass in table) else ()
        amounts = Amounts((name,), tuple(draw(NUMBERS) for _ in levels))
        if draw(st.booleans()) and given:
            amounts = Amounts((*given, name), tuple(draw(NUMBERS) for _ in range(rows * len(levels))))
        found.append(FactorPart(name, levels, table, given, shifts, amounts))
    return tuple(found)


def expressions(parts: tuple[FactorPart, ...], known: list[str]) -> st.SearchStrategy[str]:
    """Numbers: written ones, amounts, terms and tables, in every operation."""
    texts = ["0.5", "3", "-2.25", *(part.name for part in parts), *known]
    texts += [f"worth[{parts[0].name}]"]

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            inner.map(lambda t: f"abs({t})"),
            inner.map(lambda t: f"({t}) / 4"),
            inner.map(lambda t: f"-({t})"),
            st.tuples(st.sampled_from(["max", "min"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})"),
            st.tuples(inner, truths(parts, inner), inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        )

    return st.recursive(st.sampled_from(texts), larger, max_leaves=4)


def truths(parts: tuple[FactorPart, ...], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    levels = st.sampled_from([(part.name, level) for part in parts for level in part.levels])
    return st.one_of(
        st.tuples(inner, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), inner).map(" ".join),
        st.tuples(inner, inner, inner).map(lambda t: f"{t[0]} <= {t[1]} < {t[2]}"),
        st.tuples(levels, st.sampled_from(["==", "!="])).map(lambda t: f"{t[0][0]} {t[1]} {t[0][1]!r}"),
        levels.map(lambda t: f"{t[0]} not in ({t[1]!r},)"),
        levels.map(lambda t: f"not {t[0]} in [{t[1]!r}]"),
    )


@st.composite
def models(draw: st.DrawFn) -> FactorModel:
    parts = draw(factors())
    residual = None
    if draw(st.booleans()):
        numbers = draw(st.lists(NUMBERS, min_size=1, max_size=3, unique=True))
        residual = Residual(tuple(numbers), draw(masses(len(numbers))))
    worth = Amounts((parts[0].name,), tuple(draw(NUMBERS) for _ in parts[0].levels))
    terms = {"swell": draw(expressions(parts, []))}
    terms["surge"] = draw(expressions(parts, ["swell", *(["residual"] if residual else [])]))
    inner = expressions(parts, ["swell", "surge"])
    classes = {"calm": "the harbour is calm", "rough": "the harbour is rough", "shut": "the harbour is shut"}
    rule = f"rough if {draw(truths(parts, inner))} and {draw(truths(parts, inner))} else calm"
    if draw(st.booleans()):
        rule = f"shut if {draw(truths(parts, inner))} or {draw(truths(parts, inner))} else {rule}"
    else:
        classes.pop("shut")
    names = draw(st.permutations([part.name for part in parts]))
    cuts = sorted(draw(st.sets(st.integers(0, len(parts) - 1), min_size=1, max_size=3)))
    measured = tuple(
        draw(measurements(part)) for part in parts if len(part.levels) > 1 and draw(st.booleans())
    )
    fields = (
        Field(Variable("day", Phrases(("Monday", "Friday")))),
        Field(Variable("boats", Numbers((Fraction(0), Fraction(2), Fraction(3)), "integer")), (1, 0, 5)),
    )
    return FactorModel(
        name="harbour",
        factors=parts,
        rule=rule,
        classes=classes,
        positive=tuple(classes)[-1:],
        views={f"view{number}": tuple(names[:cut]) for number, cut in enumerate(cuts)},
        encodings=shipped("factors"),
        tables={"worth": worth},
        terms=terms,
        residual=residual,
        measurements=measured,
        irrelevant=fields[: draw(st.integers(0, 2))],
        title=draw(st.sampled_from(["", "A harbour"])),
        ordered=draw(st.booleans()),
    )


@st.composite
def measurements(draw: st.DrawFn, part: FactorPart) -> Measurement:
    sizes = [draw(st.integers(1, 4)) for _ in part.levels]
    step = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 10)]))
    ends = list(accumulate(sizes))
    # A level may begin between two numbers of the grid.
    starts = tuple(step * (end - draw(st.sampled_from([Fraction(0), Fraction(1, 3)]))) for end in ends[:-1])
    return Measurement(f"{part.name}_read", part.name, Grid(Fraction(0), step, ends[-1], "decimal"), starts)


def factor_worlds() -> st.SearchStrategy[FactorWorld]:
    """A random model through one of its views."""
    seen = models().flatmap(lambda model: st.sampled_from([*model.views]).map(lambda v: (model, v)))
    return seen.map(lambda pair: FactorWorld(*pair))


@st.composite
def transfer_worlds(draw: st.DrawFn) -> TransferWorld:
    """Up to four letters, identifiers of up to three of them, and views that get coarser."""
    alphabet = "abcd"[: draw(st.integers(1, 4))]
    length = draw(st.integers(1, 3))
    reports = {name: draw(st.integers(1, length)) for name in ("weekly", "urgent")[: draw(st.integers(1, 2))]}
    views = {"exact": TagView("tag")}
    if len(alphabet) > 2:
        cut = draw(st.integers(1, len(alphabet) - 1))
        views["part"] = TagView("part", (span(alphabet[:cut]), span(alphabet[cut:])))
    if len(alphabet) > 1:
        views["none"] = TagView("whole", (span(alphabet),))
    if draw(st.booleans()):
        views.pop("exact")
    if not views:
        views["exact"] = TagView("tag")
    model = TransferModel(
        name="memos",
        alphabet=alphabet,
        length=length,
        group=draw(st.integers(1, 4)),
        reports=reports,
        encoding=draw(st.fractions(0, 1, max_denominator=7)),
        classes={"honest": "the letters are free", "coded": "the tag is among the letters"},
        views=views,
        encodings=shipped("transfer"),
        irrelevant=(Field(Variable("day", Phrases(("Monday", "Friday")))),)[: draw(st.integers(0, 1))],
        title=draw(st.sampled_from(["", "Memos"])),
    )
    return TransferWorld(model, draw(st.sampled_from([*views])))


def span(letters: str) -> str:
    return letters if len(letters) == 1 else f"{letters[0]}-{letters[-1]}"
