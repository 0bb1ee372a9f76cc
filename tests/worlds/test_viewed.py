"""Worlds with views: what their digests say, what they draw, and how one built in Python is refused."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from tests.unshipped import harbour
from worldgen.exact.domains import Grid, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.rules import Amounts
from worldgen.exact.variables import Variable
from worldgen.faults import SpecError
from worldgen.spec import read_factors, read_transfer
from worldgen.worlds.base import Streams
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import FactorPart, Field, Measurement, Residual, Shift
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.transfer import TransferWorld

HALF = Fraction(1, 2)
ROOTS = np.arange(5)


def digests(world: FactorWorld | TransferWorld) -> list[str]:
    found: list[str] = world.digests(world.draw(Streams(1, "one", "all"), ROOTS, 0).values).to_pylist()
    return found


def test_a_digest_depends_on_the_law_and_not_on_what_is_irrelevant() -> None:
    world = FactorWorld(harbour())
    first = digests(world)
    plain = FactorWorld(replace(world.model, irrelevant=(), encodings=world.encodings))
    assert digests(plain) == first
    assert digests(world.through("some")) != first
    other = replace(world.model, residual=Residual((Fraction(0), HALF), (HALF, HALF)))
    assert set(digests(FactorWorld(other))).isdisjoint(first)
    assert set(digests(FactorWorld(replace(world.model, rule="calm")))).isdisjoint(first)


def test_so_does_that_of_a_report() -> None:
    world = read_transfer("covert-transfer")
    assert set(digests(TransferWorld(replace(world.model, encoding=Fraction(1, 3))))).isdisjoint(
        digests(world)
    )
    assert digests(TransferWorld(replace(world.model, irrelevant=()))) == digests(world)


def test_a_view_that_there_is_not_is_refused() -> None:
    for world in (read_factors("peer-review"), read_transfer("covert-transfer")):
        with pytest.raises(DomainError, match="has no view 'lo'") as caught:
            world.through("lo")
        assert caught.value.remedy == "did you mean 'low'?"


def test_a_measurement_shows_every_number_of_its_interval_alike() -> None:
    grid = Grid(Fraction(0), HALF, 9, "decimal")
    one = Measurement("speed", "wind", grid, (Fraction(1), Fraction(7, 3)))
    assert one.level(np.arange(9)).tolist() == [0, 0, 1, 1, 1, 2, 2, 2, 2]
    n = 6000
    codes = one.draw(np.full(n, 1), Streams(1, "w", "s"), np.arange(n), 0)
    counts = np.bincount(codes, minlength=9).tolist()
    assert counts[:2] == [0, 0] and counts[5:] == [0] * 4
    assert all((count - n // 3) ** 2 <= 25 * n * 2 // 9 for count in counts[2:5])


def test_a_weighted_field_is_drawn_by_its_weights() -> None:
    field = Field(Variable("day", Phrases(("Monday", "Tuesday", "Friday"))), (1, 0, 2**53))
    codes = field.draw(Streams(1, "w", "s"), np.arange(4000), 0)
    assert set(codes.tolist()) == {2}
    codes = Field(field.variable, (1, 0, 1)).draw(Streams(1, "w", "s"), np.arange(4000), 0)
    assert set(codes.tolist()) == {0, 2} and 1800 < codes.tolist().count(0) < 2200


def part(**changes: object) -> Callable[[FactorModel], FactorModel]:
    return lambda model: replace(model, factors=(model.factors[0], replace(model.factors[1], **changes)))  # type: ignore[arg-type]  # any field


BUILT_WRONG: dict[str, tuple[Callable[[FactorModel], FactorModel], str]] = {
    "no factors": (lambda m: replace(m, factors=()), "there is no factor"),
    "probabilities that do not fill the table": (
        part(masses=(HALF, HALF)),
        "2 probabilities do not fill the table",
    ),
    "an unknown parent": (part(given=("moon",)), "there is no factor 'moon'"),
    "one parent twice": (part(given=("tide", "tide")), "a factor stands twice"),
    "its own parent": (part(given=("wind",)), "'wind' depends on itself"),
    "a shift by too few": (
        part(shifts=(Shift("tide", "calm", "fresh", (HALF,)),)),
        "and 1 amounts stand here",
    ),
    "amounts by an unknown factor": (part(amounts=Amounts(("moon",), (HALF,))), "there is no factor 'moon'"),
    "too few amounts": (part(amounts=Amounts(("wind",), (HALF,))), "1 numbers stand for 3 levels of wind"),
    "an empty level": (part(levels=("calm", " ", "storm")), "' ' is no name of a level"),
    "no residual numbers": (
        lambda m: replace(m, residual=Residual((), ())),
        "the residual needs distinct numbers",
    ),
    "an empty sentence": (
        lambda m: replace(m, classes={"calm": "", "rough": "x", "shut": "y"}),
        "a class is said in a sentence",
    ),
    "a title that is no text": (lambda m: replace(m, title="\ud800"), "the text holds a lone surrogate"),
    "a field of any text": (
        lambda m: replace(m, irrelevant=(Field(Variable("note", Texts())),)),
        "a field has a list of values",
    ),
    "too few weights": (
        lambda m: replace(m, irrelevant=(Field(Variable("day", Phrases(("a", "b"))), (1,)),)),
        "1 weights stand for 2 values",
    ),
    "a table of more than can be": (
        lambda m: replace(
            m, factors=(*m.factors, *(FactorPart(f"f{i}", tuple(map(str, range(100)))) for i in range(4)))
        ),
        "1,200,000,000 states",
    ),
}


@pytest.mark.parametrize("mistake", BUILT_WRONG)
def test_what_is_built_wrong_is_refused_with_its_reason(mistake: str) -> None:
    build, message = BUILT_WRONG[mistake]
    with pytest.raises(SpecError) as caught:
        build(harbour())
    assert any(message in fault.message for fault in caught.value.faults), str(caught.value)
    assert all(fault.remedy for fault in caught.value.faults)
