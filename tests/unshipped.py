"""Worlds that no catalogue holds, so that laws see more than what ships."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from worldgen.exact.domains import Grid, Identifiers, Numbers, Phrases
from worldgen.exact.rules import Amounts
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import Encoding, Layout, shipped
from worldgen.spec import read_candidates, read_factors, read_transfer, read_world
from worldgen.worlds.candidate_models import VIEWS, CandidateModel
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.definitions import All, AnyOf, Is, Not, Ref
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import FactorPart, Field, Measurement, Residual
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.items import Slot
from worldgen.worlds.parts import Cell, Drawn, Observation
from worldgen.worlds.products import Products
from worldgen.worlds.transfer import TransferWorld


def constant(value: int | Fraction | str) -> Drawn:
    return Drawn(Numbers((Fraction(value),), "rational" if Fraction(value).denominator != 1 else "integer"))


COUNTS = Drawn(Grid(Fraction(0), Fraction(1), 10))
QUARTERS = Drawn(Grid(Fraction(0), Fraction(1, 4), 5, "decimal"))
LEVELS = ("none", "little", "some", "much", "all")
SIDE = {"b": ("False", "True")}


def ordered() -> CellWorld:
    """Five categories from lowest to highest, two cells each."""
    return CellWorld(
        name="ordered",
        rule="One day is picked.",
        attributes=SIDE,
        categories=LEVELS,
        cells=tuple(Cell((b,), level, COUNTS, QUARTERS) for level in LEVELS for b in SIDE["b"]),
        definitions={"A": Is("category", LEVELS[:2]), "B": Is("b", ("True",))},
        encodings=shipped(),
        metadata=(Variable("station", Phrases(("east", "west"))),),
        ordered=True,
    )


def wide() -> CellWorld:
    """Three attributes, nine cells, three categories, two observations, events of every kind."""
    attributes = {"shape": ("cube", "ball", "cone"), "size": ("s", "m", "l"), "lid": ("on", "off")}
    places = list(product(attributes["shape"], attributes["size"]))
    cells = [
        Cell((shape, size, "on" if place % 2 else "off"), f"kind_{place % 3}", COUNTS, QUARTERS)
        for place, (shape, size) in enumerate(places)
    ]
    return CellWorld(
        name="wide",
        rule="A box is taken from the shelf.",
        attributes=attributes,
        categories=("kind_0", "kind_1", "kind_2"),
        cells=tuple(cells),
        definitions={
            "A": Is("category", ("kind_0",)),
            "C": All((Is("size", ("s", "m")), Not(Is("lid", ("on",))))),
            "B": AnyOf((Ref("C"), Is("shape", ("cone",)))),
        },
        encodings=shipped(),
        observations=(Observation("size", Fraction(1, 3)), Observation("lid", Fraction(9, 10))),
        metadata=(Variable("row", Grid(Fraction(1), Fraction(1), 40)),),
    )


METADATA = (
    Variable("words", Phrases(("plain", 'he said "no"', "back\\slash", "a, b | c: d", "é\u2028🎲"))),
    Variable("one_word", Phrases(("only",))),
    Variable("tag", Identifiers("xyz", 2, 5)),
    Variable("code", Identifiers("0123456789abcdef", 40, 40)),
    Variable("whole", Grid(Fraction(-20), Fraction(5), 9)),
    Variable("share", Grid(Fraction(0), Fraction(1, 1000), 1001, "decimal")),
    Variable("far", Grid(Fraction(1, 7), Fraction(1, 3), 10**15, "rational")),
    Variable("ratio", Numbers((Fraction(1, 3), Fraction(2, 3), Fraction(1)), "rational")),
    Variable("tenths", Numbers((Fraction(1, 10), Fraction(5, 2)), "decimal")),
)


def noted() -> CellWorld:
    """Metadata of every kind of domain."""
    return cut("noted", constant(3), constant(Fraction(1, 3)), METADATA)


def cut(name: str, count: Drawn, likelihood: Drawn, metadata: tuple[Variable, ...]) -> CellWorld:
    """Three cells, of which the first two are drawn alike."""
    return CellWorld(
        name=name,
        rule="One ticket is drawn.",
        attributes=SIDE,
        categories=("red", "blue"),
        cells=(
            Cell(("False",), "red", COUNTS, likelihood),
            Cell(("True",), "red", count, QUARTERS),
            Cell(("True",), "blue", count, likelihood),
        ),
        definitions={"A": Is("category", ("red",)), "B": Is("b", ("True",))},
        encodings=shipped(),
        metadata=metadata,
    )


def huge() -> CellWorld:
    """Counts around 10^30 and likelihoods in thousandths of a third: no product fits 64 bits."""
    counts = Drawn(Grid(Fraction(10**30), Fraction(1), 10**6))
    chances = Drawn(Grid(Fraction(0), Fraction(1, 3000), 3001, "rational"))
    return cut("huge", counts, chances, (Variable("n", Phrases(("x", "y"))),))


def fixed() -> CellWorld:
    """Nothing is drawn: one cell a category, every number a constant."""
    numbers = [(67, "1/2"), (85, "9/10"), (9, "1"), (79, "1/2")]
    return CellWorld(
        name="fixed",
        rule="A unit is drawn.",
        attributes=SIDE | {"a": ("False", "True")},
        categories=("t0", "t1", "t2", "t3"),
        cells=tuple(
            Cell((b, a), f"t{place}", constant(numbers[place][0]), constant(numbers[place][1]))
            for place, (a, b) in enumerate(product(("False", "True"), repeat=2))
        ),
        definitions={"A": Is("category", ("t0", "t1")), "B": Is("b", ("True",))},
        encodings=shipped(),
        metadata=(Variable("page", Grid(Fraction(1), Fraction(1), 9)),),
    )


def lone() -> CellWorld:
    """One category in one cell: A is certain and B is impossible."""
    return CellWorld(
        name="lone",
        rule="A unit is drawn.",
        attributes=SIDE,
        categories=("all",),
        cells=(Cell(("False",), "all", COUNTS, QUARTERS),),
        definitions={"A": Is("category", ("all",)), "B": Is("b", ("True",))},
        encodings=shipped(),
    )


def harbour() -> FactorModel:
    """Three ordered classes, parents both shown and hidden, a number that is measured, two encodings."""
    half = Fraction(1, 2)
    tide = FactorPart("tide", ("low", "high"), amounts=Amounts(("tide",), (Fraction(0), Fraction(2))))
    wind = FactorPart(
        "wind",
        ("calm", "fresh", "storm"),
        (half, half, Fraction(0), Fraction(1, 5), Fraction(2, 5), Fraction(2, 5)),
        ("tide",),
        amounts=Amounts(("wind",), (Fraction(0), Fraction(1), Fraction(5, 2))),
    )
    return FactorModel(
        name="harbour",
        factors=(tide, wind),
        rule="shut if tide + wind + residual > 4 else (rough if wind > 0 and tide == high else calm)",
        classes={"calm": "the harbour is calm", "rough": "it is rough", "shut": "it is shut"},
        positive=("rough", "shut"),
        views={"all": (), "some": ("tide",)},
        encodings=shipped("factors") | {"terse": Encoding("terse", (Layout("one", TERSE),))},
        tables={},
        terms={},
        residual=Residual((Fraction(0), half), (Fraction(9, 10), Fraction(1, 10))),
        measurements=(
            Measurement("speed", "wind", Grid(Fraction(0), half, 9, "decimal"), (Fraction(1), Fraction(3))),
        ),
        irrelevant=(Field(Variable("day", Phrases(("Monday", "Friday"))), (1, 2)),),
        ordered=True,
    )


TERSE = "{% if 'tide' in shown %}{{ tide }} tide, {% endif %}{{ day }}, {{ speed }} m/s"


def small_products() -> CandidateModel:
    """Twelve candidates that differ at three positions, none of them the first; every view."""
    return CandidateModel(
        name="small-products",
        task=Products("development"),
        widths=(3, 2, 2),
        slots=(
            *(Slot(f"s{i}", 5, (2, 3, 5)) for i in range(18)),
            *(Slot(f"t{i}", 8, (2, 4, 7)) for i in range(6)),
        ),
        views=tuple(VIEWS),
        encodings=shipped("candidates"),
    )


def offered() -> Mapping[str, CandidateWorld]:
    """Every view of the shipped worlds of candidates, and of one that does not ship."""
    models = [CandidateWorld(small_products()), *(read_candidates(name) for name in OFFERED)]
    return {f"{world.name}.{view}": world.through(view) for world in models for view in world.views}


def viewed() -> Mapping[str, FactorWorld | TransferWorld]:
    """Every view of the shipped worlds that have some, and of one that does not ship."""
    models: list[FactorWorld | TransferWorld] = [FactorWorld(harbour()), read_transfer("covert-transfer")]
    models += [read_factors(name) for name in ("peer-review", "credit-risk")]
    return {f"{world.name}.{view}": world.through(view) for world in models for view in world.views}


OFFERED = ("arithmetic", "dialogue", "facts", "lexical", "reversal", "symbols")
SHIPPED = ("finite-population", "joint-attributes", "missing-rule", "noisy-sensor")
BUILT: Mapping[str, CellWorld] = {
    world.name: world for world in (ordered(), wide(), noted(), huge(), fixed(), lone())
}


def worlds() -> Mapping[str, CellWorld]:
    """The shipped worlds of cells and those above."""
    return {name: read_world(name) for name in SHIPPED} | dict(BUILT)
