"""Worlds of cells by hand: the law of what is drawn, counted out, and what two tables must share or not."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from typing import cast

import numpy as np
import pytest

from worldgen.exact.distributions import Posteriors
from worldgen.exact.domains import Codes, Grid, Identifiers, Numbers, Numeric, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import Integers, read_number
from worldgen.exact.pools import rationals
from worldgen.exact.streams import Attempts, Indices, Stream
from worldgen.exact.variables import Variable
from worldgen.faults import SpecError
from worldgen.renderers.encodings import Encoding, Layout, shipped
from worldgen.spec import Source, read_world
from worldgen.worlds.base import Draw, Streams, draw_nuisance
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.definitions import Is
from worldgen.worlds.parts import Cell, Drawn, Observation

ROOT = np.zeros(1, dtype=np.int64)


def numbers(*values: int | Fraction) -> Numbers:
    return Numbers(tuple(Fraction(value) for value in values))


def constant(value: int | Fraction) -> Drawn:
    return Drawn(numbers(value))


def urn(*cells: Cell, **parts: object) -> CellWorld:
    given: dict[str, object] = {
        "name": "urn",
        "rule": "A ball is drawn.",
        "attributes": {"a": ("x", "y"), "b": ("x", "y")},
        "categories": ("red", "blue"),
        "cells": cells,
        "definitions": {"A": Is("category", ("red",))},
        "encodings": shipped(),
    }
    return cast(Callable[..., CellWorld], CellWorld)(**given | parts)


RED = Cell(("x", "x"), "red", constant(2), constant(Fraction(1, 2)))
BLUE = Cell(("x", "y"), "blue", constant(3), constant(1))


@dataclass
class Script:
    """Answers to the questions "a number below n?", first those given, then 0; n is kept for each."""

    answers: tuple[int, ...]
    sizes: list[int] = field(default_factory=list)

    def answer(self, size: int) -> int:
        self.sizes.append(size)
        place = len(self.sizes) - 1
        return self.answers[place] if place < len(self.answers) else 0


@dataclass(frozen=True)
class ScriptedStream(Stream):
    script: Script

    def below(self, indices: Indices, attempt: Attempts, sizes: Integers | int) -> Integers:
        return np.array([self.script.answer(int(np.asarray(sizes).ravel()[0]))], dtype=np.int64)


@dataclass(frozen=True)
class ScriptedStreams(Streams):
    script: Script

    def purpose(self, name: str) -> Stream:
        return ScriptedStream(0, self.script)


def every_draw(world: CellWorld) -> Iterator[tuple[Fraction, Draw]]:
    """Each way that one root can be drawn, with its exact chance: the whole tree of answers."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        answers = waiting.pop()
        script = Script(answers)
        drawn = world.draw(ScriptedStreams(0, "", "", script), ROOT, 0)
        sizes = script.sizes
        yield Fraction(1, int(np.prod(sizes, dtype=object))), drawn
        for place in range(len(answers), len(sizes)):
            start = answers + (0,) * (place - len(answers))
            waiting.extend((*start, answer) for answer in range(1, sizes[place]))


def laws(world: CellWorld) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """The joint law of what is shown and the outcome, over the draws of positive mass."""
    joint: dict[tuple[int, ...], dict[int, Fraction]] = {}
    total = Fraction(0)
    for chance, drawn in every_draw(world):
        total += chance
        if drawn.possible[0]:
            shown = tuple(int(drawn.values[variable.name][0]) for variable in world.view.shown)
            law = joint.setdefault(shown, {})
            outcome = int(drawn.outcomes[0])
            law[outcome] = law.get(outcome, Fraction(0)) + chance
    assert total == 1
    return joint


SENSOR = (
    Cell(("x", "x"), "red", Drawn(numbers(1, 2)), Drawn(numbers(0, Fraction(1, 2)), (1, 2))),
    Cell(("x", "y"), "blue", Drawn(Grid(Fraction(0), Fraction(1), 3)), constant(1)),
    Cell(("y", "y"), "red", constant(1), Drawn(numbers(1, Fraction(1, 3)))),
)


@pytest.mark.parametrize("observed", [(), ("b",), ("a", "b")])
def test_given_what_is_shown_the_outcome_follows_the_posterior(observed: tuple[str, ...]) -> None:
    chances = {"a": Fraction(1, 2), "b": Fraction(2, 3)}
    cells = SENSOR if len(observed) < 2 else (SENSOR[0], BLUE, SENSOR[2])
    world = urn(*cells, observations=tuple(Observation(name, chances[name]) for name in observed))
    joint = laws(world)
    assert len(joint) > 20 or len(observed) == 2
    for shown, law in joint.items():
        codes = zip(world.view.shown, shown, strict=True)
        values: dict[str, Codes] = {variable.name: np.array([code]) for variable, code in codes}
        posteriors, possible = world.posterior(values)
        mass = sum(law.values(), Fraction(0))
        masses = [law.get(i, Fraction(0)) / mass for i in range(len(cells))]
        assert possible[0]
        assert tuple(masses) == posteriors.row(0).masses


def test_counts_and_likelihoods_have_their_weights() -> None:
    world = urn(*SENSOR)
    first: dict[tuple[int, int], Fraction] = {}
    for chance, drawn in every_draw(world):
        pair = (int(drawn.values["count_0"][0]), int(drawn.values["likelihood_0"][0]))
        first[pair] = first.get(pair, Fraction(0)) + chance
    weights = {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert first == {(i, k): weights[k] / 2 for i, k in product(range(2), range(2))}


def test_an_observation_is_true_of_the_outcome_and_rules_the_others_out() -> None:
    world = urn(*SENSOR, observations=(Observation("b", Fraction(1, 2)),))
    made = 0
    for _, drawn in every_draw(world):
        own = world.cells[int(drawn.outcomes[0])].values[1]
        if drawn.hidden["observed_b"][0] and drawn.possible[0]:
            made += 1
            for i, cell in enumerate(world.cells):
                domain = cast(Numeric, world.view.shown[3 + i].domain)
                shown = domain.value(int(drawn.values[f"likelihood_{i}"][0]))
                assert shown == 0 if cell.values[1] != own else shown in {Fraction(0), *values_of(cell)}
    assert made


def values_of(cell: Cell) -> list[Fraction]:
    domain = cell.likelihood.domain
    return [domain.value(code) for code in range(domain.size)]


def test_what_is_always_observed_is_seen_in_every_root() -> None:
    world = urn(RED, BLUE, observations=(Observation("b", Fraction(1)),))
    assert all(drawn.hidden["observed_b"][0] for _, drawn in every_draw(world))
    never = urn(RED, BLUE, observations=(Observation("b", Fraction(0)),))
    assert not any(drawn.hidden["observed_b"][0] for _, drawn in every_draw(never))


def digest(world: CellWorld) -> str:
    drawn = world.draw(Streams(5, "urn", "all"), ROOT, 0)
    (found,) = world.digests(drawn.values).to_pylist()
    return str(found)


def test_the_digest_is_blind_to_display_and_sees_all_else() -> None:
    plain = digest(urn(RED, BLUE))
    assert digest(urn(BLUE, RED)) == plain
    assert digest(urn(RED, BLUE, categories=("blue", "red"))) == plain
    assert digest(urn(RED, BLUE, name="vase", title="A vase", definitions={})) == plain
    assert digest(urn(RED, BLUE, metadata=(Variable("site", Phrases(("here", "there"))),))) == plain
    assert digest(urn(RED, BLUE, encodings={"mine": Encoding("mine", (Layout("a", "x"),))})) == plain
    swapped = [replace(cell, values=cell.values[::-1]) for cell in (RED, BLUE)]
    assert digest(urn(*swapped, attributes={"b": ("x", "y"), "a": ("x", "y")})) == plain
    half = Drawn(Numbers((Fraction(1, 2),), "decimal"))
    assert digest(urn(replace(RED, likelihood=half), BLUE)) == plain
    others = [
        urn(RED, BLUE, rule="A ball is taken."),
        urn(replace(RED, count=constant(3)), BLUE),
        urn(replace(RED, likelihood=constant(1)), BLUE),
        urn(replace(RED, values=("y", "x")), BLUE),
        urn(replace(RED, category="blue"), replace(BLUE, category="red")),
        urn(RED, BLUE, Cell(("y", "y"), "blue", constant(0), constant(0))),
    ]
    assert len({plain, *map(digest, others)}) == 1 + len(others)


def test_worlds_are_equal_when_they_show_the_same() -> None:
    assert urn(RED, BLUE) == urn(RED, BLUE)
    assert hash(urn(RED, BLUE)) == hash(urn(RED, BLUE))
    assert urn(RED, BLUE) != urn(BLUE, RED)
    assert urn(RED, BLUE) != "urn"
    other_order = {"b": ("x", "y"), "a": ("x", "y")}
    assert urn(RED, BLUE) != urn(RED, BLUE, attributes=other_order)
    assert urn(RED, BLUE) != urn(RED, BLUE, encodings=dict(reversed(list(shipped().items()))))


def test_a_weighted_grid_is_the_table_of_its_values() -> None:
    grid, table = Grid(Fraction(0), Fraction(1), 3), Numbers(tuple(map(Fraction, range(3))), "integer")
    assert Drawn(grid, (1, 0, 2)) == Drawn(table, (1, 0, 2))


def test_large_counts_are_drawn_and_weighed_exactly() -> None:
    huge = Drawn(Grid(Fraction(10**30), Fraction(10**30), 5))
    world = urn(replace(RED, count=huge), replace(BLUE, count=huge))
    drawn = world.draw(Streams(1, "urn", "all"), np.arange(8), 0)
    posteriors, possible = world.posterior(drawn.values)
    assert possible.all()
    for row in range(8):
        red, blue = (10**30 * (1 + int(drawn.values[f"count_{i}"][row])) for i in range(2))
        assert posteriors.row(row).masses[0] == Fraction(red, red + 2 * blue)


def test_the_names_of_a_template() -> None:
    world = urn(RED, BLUE, metadata=(Variable("site", Phrases(("here", "there"))),))
    names = world.template_names(metadata=True)
    assert names["rule"] == world.rule
    assert names["attributes"] == ["a", "b"]
    cells = cast(list[dict[str, object]], names["cells"])
    assert [cell["count"] for cell in cells] == list(world.view.shown[:2])
    assert [cell["likelihood"] for cell in cells] == list(world.view.shown[2:])
    assert [cell["values"] for cell in cells] == [["x", "x"], ["x", "y"]]
    assert names["metadata"] == [{"name": "site", "value": world.metadata[0]}]
    assert world.template_names(metadata=False)["metadata"] == []


def test_any_text_cannot_be_drawn() -> None:
    with pytest.raises(DomainError, match="'note' may be any text"):
        draw_nuisance(Variable("note", Texts()), Streams(1, "", ""), ROOT, 0)


LAYOUT = Layout("a", "x")
BUILT_WRONG: dict[str, tuple[Callable[[], CellWorld], str]] = {
    "values": (
        lambda: urn(replace(RED, values=("x",)), BLUE),
        "cells[0]: the cell has 1 values for 2 attributes; give one value for each",
    ),
    "weights": (
        lambda: urn(replace(RED, count=Drawn(numbers(1, 2), (1,))), BLUE),
        "cells[0].count: 1 weights for 2 values; give one weight for each",
    ),
    "negative weight": (
        lambda: urn(replace(RED, count=Drawn(numbers(1, 2), (1, -1))), BLUE),
        "cells[0].count: a weight is negative; write 0 or more",
    ),
    "observed twice": (
        lambda: urn(RED, BLUE, observations=(Observation("a", Fraction(1)),) * 2),
        "observe.a: 'a' is observed twice; keep one of them",
    ),
    "too many likelihoods": (
        lambda: urn(
            replace(RED, likelihood=Drawn(Grid(Fraction(0), Fraction(1, 30_000), 30_001, "rational"))),
            BLUE,
            observations=(Observation("a", Fraction(1)),),
        ),
        "cells[0].likelihood: 30001 likelihoods are too many beside an observation; use at most 20000",
    ),
    "metadata twice": (
        lambda: urn(RED, BLUE, metadata=(Variable("n", Phrases(("1",))),) * 2),
        "metadata.n: 'n' stands twice; keep one of them",
    ),
    "any text": (
        lambda: urn(RED, BLUE, metadata=(Variable("n", Texts()),)),
        "metadata.n: any text cannot be drawn; list phrases or give an alphabet",
    ),
    "half a pair in a phrase": (
        lambda: urn(RED, BLUE, metadata=(Variable("n", Phrases(("\ud800",))),)),
        "metadata.n: a phrase holds a lone surrogate; write the character itself",
    ),
    "long identifiers": (
        lambda: urn(RED, BLUE, metadata=(Variable("n", Identifiers("ab", 1, 300)),)),
        "metadata.n: identifiers of 300 characters are too long; use at most 256",
    ),
    "encoding of another name": (
        lambda: urn(RED, BLUE, encodings={"mine": Encoding("yours", (LAYOUT,))}),
        "encodings.mine: the encoding is named 'yours'; give it one name in both places",
    ),
    "no layout": (
        lambda: urn(RED, BLUE, encodings={"mine": Encoding("mine", ())}),
        "encodings.mine: the encoding 'mine' has no layout; give at least one",
    ),
    "layout twice": (
        lambda: urn(RED, BLUE, encodings={"mine": Encoding("mine", (LAYOUT, LAYOUT))}),
        "encodings.mine.a: 'a' stands twice; keep one of them",
    ),
    "half a pair in a template": (
        lambda: urn(RED, BLUE, encodings={"mine": Encoding("mine", (Layout("a", "\ud800"),))}),
        "encodings.mine.a: the template holds a lone surrogate; write the character",
    ),
    "half a pair in a rule": (
        lambda: urn(RED, BLUE, rule="\ud800"),
        "rule: the text holds a lone surrogate; write the character itself",
    ),
}


@pytest.mark.parametrize("mistake", BUILT_WRONG)
def test_a_world_built_wrong_in_python_is_the_same_error(mistake: str) -> None:
    build, expected = BUILT_WRONG[mistake]
    with pytest.raises(SpecError) as caught:
        build()
    assert [str(fault) for fault in caught.value.faults] == [expected]


def test_a_world_in_python_is_the_world_of_its_spec() -> None:
    spec = """
    {kind: cells, name: urn, rule: A ball is drawn., attributes: {a: [x, y], b: [x, y]},
     categories: [red, blue], events: {A: {category: red}}, encodings: [joined-tables, nested-records],
     cells: [{a: x, b: x, category: red, count: 2/1, likelihood: 1/2},
             {a: x, b: y, category: blue, count: 3/1, likelihood: 1/1}]}
    """
    assert read_world(Source(spec)) == urn(RED, BLUE)


def test_a_slip_in_scaling_numbers_is_seen_by_the_second_path(monkeypatch: pytest.MonkeyPatch) -> None:
    world = read_world("noisy-sensor")
    draw = world.draw(Streams(7, "noisy-sensor", "s"), np.arange(20), 0)
    assert world.disagreements(draw.values, world.posterior(draw.values)[0]) == []
    right = Grid.scaled

    def off_by_one_step(grid: Grid, codes: Codes, denominator: int) -> Integers:
        return right(grid, (codes + 1) % grid.size, denominator)

    monkeypatch.setattr(Grid, "scaled", off_by_one_step)
    assert len(world.disagreements(draw.values, world.posterior(draw.values)[0])) == 20


SLIPS: dict[str, Callable[[Integers, Integers, int], tuple[Integers, Integers]]] = {
    "a cell is the next one": lambda counts, chances, _: (np.roll(counts, 1, axis=1), chances),
    "a row is the next one": lambda counts, chances, _: (counts, np.roll(chances, 1, axis=0)),
    "likelihoods are left out": lambda counts, chances, _: (counts, np.ones_like(chances)),
    "counts are left out": lambda counts, chances, _: (np.ones_like(counts), chances),
    "likelihoods are their complements": lambda counts, chances, whole: (counts, whole - chances),
    "a count is one too large": lambda counts, chances, _: (counts + np.eye(4, dtype=np.int64)[0], chances),
    "the last cell is left out": lambda counts, chances, _: (counts * np.array([1, 1, 1, 0]), chances),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_on_the_fast_path_is_seen_in_every_row_that_it_changes(
    slip: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = read_world("noisy-sensor")
    values = world.draw(Streams(7, "noisy-sensor", "s"), np.arange(300), 0).values
    kept = np.flatnonzero(world.posterior(values)[1])
    values = {name: codes[kept] for name, codes in values.items()}
    right, _ = world.posterior(values)
    weights = CellWorld._weights

    def wrong(self: CellWorld, given: Mapping[str, Codes]) -> tuple[Integers, Integers, int]:
        counts, chances, largest = weights(self, given)
        return *SLIPS[slip](counts, chances, self._denominator), 2 * largest

    monkeypatch.setattr(CellWorld, "_weights", wrong)
    found, _ = world.posterior(values)
    changed = [row for row in range(len(found)) if masses(found, row) != masses(right, row)]
    assert world.disagreements(values, found) == changed
    assert len(changed) > 250


def masses(found: Posteriors, row: int) -> list[Fraction]:
    return [Fraction(top, int(found.denominators[row])) for top in found.numerators[row].tolist()]


def test_a_bound_that_does_not_hold_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    large = [
        Cell((a, b), "red", constant(2**62 + place), constant(Fraction(1, 3)))
        for place, (a, b) in enumerate(product("xy", "xy"))
    ]
    world, again = (urn(*large, categories=("red",)) for _ in range(2))
    values = world.draw(Streams(7, "urn", "s"), np.arange(5), 0).values
    assert world.disagreements(values, world.posterior(values)[0]) == []
    monkeypatch.setattr(CellWorld, "_largest", 9)
    assert again.posterior(values)[0].numerators.dtype == np.int64
    assert again.disagreements(values, again.posterior(values)[0]) == [0, 1, 2, 3, 4]


def test_probabilities_too_long_to_be_read_back_are_refused() -> None:
    def world(digits: int) -> CellWorld:
        chances = [Fraction(1, 10**digits + place) for place in (1, 3, 7, 9)]
        pairs = zip(product("xy", "xy"), chances, strict=True)
        return urn(*(Cell(pair, "red", constant(9), constant(c)) for pair, c in pairs), categories=("red",))

    longest = world(123)
    posteriors, _ = longest.posterior(dict.fromkeys(longest.view.names, ROOT))
    texts = [rationals(tops, posteriors.denominators).to_pylist()[0] for tops in posteriors.numerators.T]
    assert max(map(len, texts)) > 700
    assert sum(map(read_number, texts)) == 1
    with pytest.raises(SpecError, match="too long to write"):
        world(125)
