"""Laws of random worlds of cells: read back as written, one posterior by every path, plain digests."""

import hashlib
import json
import random
from fractions import Fraction
from typing import Any

import numpy as np
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.variants import negation_of
from worldgen.exact.domains import Domain, Grid, Identifiers, Numbers, Numeric, Phrases
from worldgen.exact.numbers import Notation
from worldgen.exact.posterior import posterior
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import Encoding, Layout
from worldgen.spec import Source, cohort_of, read_cohort, read_world, spec_digest, world_data, write_spec
from worldgen.spec.write import cohort_data
from worldgen.worlds.base import Streams, Values
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.definitions import CATEGORY, All, AnyOf, Definition, Is, Not, Ref
from worldgen.worlds.parts import Cell, Drawn, Observation

NAMES = st.text("abcxyzABC019_.-", min_size=1, max_size=6).filter(lambda name: name[0] not in ".-")
KEPT = {"category", "count", "likelihood", "not", "all", "any"}
TEXTS = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("\x85\u2028\ufeff\x7f\uffff\t\n\r :#'\"\\"),
    max_size=12,
)


def names(least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(NAMES, min_size=least, max_size=most, unique=True).map(tuple)


@st.composite
def grids(draw: st.DrawFn, low: int, high: int, denominators: list[int]) -> Grid:
    bottom = draw(st.sampled_from(denominators))
    start = draw(st.integers(low * bottom, high * bottom))
    steps = draw(st.integers(0, high * bottom - start))
    size = draw(st.integers(1, steps)) if steps else 1
    step = Fraction(draw(st.integers(1, max(1, steps // size))), bottom)
    return Grid(Fraction(start, bottom), step, size, draw(notations(bottom)))


def notations(bottom: int) -> st.SearchStrategy[Notation]:
    allowed: list[Notation] = ["rational"]
    if bottom in {1, 2, 5, 10}:
        allowed.append("decimal")
    if bottom == 1:
        allowed.append("integer")
    return st.sampled_from(allowed)


@st.composite
def tables(draw: st.DrawFn, low: int, high: int, denominators: list[int]) -> Numbers:
    bottom = draw(st.sampled_from(denominators))
    tops = draw(st.lists(st.integers(low * bottom, high * bottom), min_size=1, max_size=4, unique=True))
    return Numbers(tuple(Fraction(top, bottom) for top in tops), draw(notations(bottom)))


@st.composite
def drawn(draw: st.DrawFn, high: int, denominators: list[int]) -> Drawn:
    domain: Numeric = draw(st.one_of(grids(0, high, denominators), tables(0, high, denominators)))
    if isinstance(domain, Grid) or draw(st.booleans()):
        return Drawn(domain)
    weights = draw(st.lists(st.integers(0, 9), min_size=domain.size, max_size=domain.size).filter(any))
    return Drawn(domain, tuple(weights))


def definitions(attributes: dict[str, tuple[str, ...]], known: list[str]) -> st.SearchStrategy[Definition]:
    def is_one(name: str) -> st.SearchStrategy[Definition]:
        values = st.lists(st.sampled_from(attributes[name]), min_size=1, unique=True)
        return values.map(lambda chosen: Is(name, tuple(chosen)))

    leaves = st.sampled_from(sorted(attributes)).flatmap(is_one)
    if known:
        leaves = leaves | st.sampled_from(known).map(Ref)

    def larger(parts: st.SearchStrategy[Definition]) -> st.SearchStrategy[Definition]:
        some = st.lists(parts, min_size=1, max_size=3).map(tuple)
        return parts.map(Not) | some.map(All) | some.map(AnyOf)

    return st.recursive(leaves, larger, max_leaves=4)


@st.composite
def metadata(draw: st.DrawFn) -> Domain:
    phrases = st.lists(TEXTS, min_size=1, max_size=3, unique=True).map(lambda found: Phrases(tuple(found)))
    letters = st.sets(st.characters(categories=["L", "N"]), min_size=1, max_size=4)
    alphabets = letters.map(lambda found: "".join(sorted(found)))
    lengths = st.tuples(st.integers(1, 3), st.integers(0, 2))
    identifiers = st.builds(lambda a, ln: Identifiers(a, ln[0], ln[0] + ln[1]), alphabets, lengths)
    found: Domain = draw(
        st.one_of(phrases, identifiers, grids(-5, 40, [1, 10, 3]), tables(-5, 9, [1, 10, 3]))
    )
    return found


@st.composite
def encodings(draw: st.DrawFn) -> dict[str, Encoding]:
    """Short ones: what a template says is the business of other laws."""
    layouts = names(1, 2).flatmap(
        lambda found: st.tuples(*(st.builds(Layout, st.just(n), TEXTS) for n in found))
    )
    return {name: Encoding(name, draw(layouts)) for name in draw(names(1, 2))}


@st.composite
def worlds(draw: st.DrawFn) -> CellWorld:
    attributes = {name: draw(names(1, 3)) for name in draw(names(0, 3)) if name not in KEPT}
    categories = draw(names(1, 3))
    rows: list[tuple[str, ...]] = [()]
    for values in attributes.values():
        rows = [(*row, value) for row in rows for value in values]
    places = [(row, category) for row in rows for category in categories]
    chosen = draw(st.lists(st.sampled_from(places), min_size=1, max_size=5, unique=True))
    used = {category for _, category in chosen}
    categories = tuple(category for category in categories if category in used)
    # The first cell can have positive mass, so that the world can be drawn.
    first = Cell(*chosen[0], Drawn(Numbers((Fraction(7),), "integer")), Drawn(Numbers((Fraction(1, 2),))))
    cells = [
        Cell(row, category, draw(drawn(99, [1])), draw(drawn(1, [1, 3, 10]))) for row, category in chosen[1:]
    ]
    events: dict[str, Definition] = {}
    for name in draw(names(0, 3)):
        if name not in categories:
            events[name] = draw(definitions(attributes | {CATEGORY: categories}, sorted(events)))
    observed = draw(st.lists(st.sampled_from(sorted(attributes)), unique=True)) if attributes else []
    free = [name for name in draw(names(0, 2)) if not name.startswith(("count_", "likelihood_"))]
    return CellWorld(
        name=draw(NAMES),
        rule=draw(TEXTS.filter(lambda text: bool(text.strip()))),
        attributes=attributes,
        categories=categories,
        cells=tuple(draw(st.permutations([first, *cells]))),
        definitions=events,
        encodings=draw(encodings()),
        observations=tuple(
            Observation(name, draw(st.fractions(0, 1, max_denominator=9))) for name in observed
        ),
        metadata=tuple(Variable(name, draw(metadata())) for name in free),
        title=draw(TEXTS),
        ordered=draw(st.booleans()),
    )


@given(worlds())
def test_a_world_that_is_written_reads_back(world: CellWorld) -> None:
    for text in (write_spec(world), write_spec(world, "yaml"), json.dumps(world_data(world))):
        read = read_world(Source(text))
        assert read == world
        assert world_data(read) == world_data(world)


@given(worlds(), st.integers(0, 2**32))
def test_the_digest_of_a_spec_knows_no_layout_of_the_file(world: CellWorld, seed: int) -> None:
    data = world_data(world)
    text = json.dumps(shuffled(data, random.Random(seed)), indent=seed % 5) + "# the end\n"
    assert spec_digest(world_data(read_world(Source(text)))) == spec_digest(data)


def shuffled(data: Any, order: random.Random) -> Any:
    """The same data, the keys of every mapping in another order."""
    if isinstance(data, dict):
        keys = list(data)
        order.shuffle(keys)
        return {key: shuffled(data[key], order) for key in keys}
    return [shuffled(item, order) for item in data] if isinstance(data, list) else data


@given(worlds())
def test_a_cohort_of_any_world_reads_back(world: CellWorld) -> None:
    cohort = cohort_of(world)
    assert [stratum.encoding for stratum in cohort.strata] == list(world.encodings)
    read: Cohort = read_cohort(Source(write_spec(cohort)))
    assert read == cohort
    assert spec_digest(cohort_data(read)) == spec_digest(cohort_data(cohort))


def values_of(world: CellWorld, codes: Values, row: int) -> list[tuple[int, Fraction]]:
    """The count and likelihood of each cell of one row, by the domains of the view."""
    domains = {variable.name: variable.domain for variable in world.view.shown}

    def value(name: str) -> Fraction:
        domain = domains[name]
        assert isinstance(domain, Grid | Numbers)
        return domain.value(codes[name][row])

    return [(int(value(f"count_{i}")), value(f"likelihood_{i}")) for i in range(len(world.cells))]


@given(worlds(), st.integers(0, 5))
def test_every_path_to_the_posterior_agrees(world: CellWorld, attempt: int) -> None:
    indices = np.arange(6, dtype=np.int64)
    draw = world.draw(Streams(3, world.name, "all"), indices, attempt)
    batch, possible = world.posterior(draw.values)
    kept = np.flatnonzero(possible)
    for row in range(len(indices)):
        table = values_of(world, draw.values, row)
        total = sum(count * likelihood for count, likelihood in table)
        assert possible[row] == (total > 0)
        if total:
            slow = posterior(world.atoms, [c for c, _ in table], [li for _, li in table])
            assert batch.row(row) == slow
            assert slow.masses == tuple(c * li / total for c, li in table)
            assert table[draw.outcomes[row]][0] * table[draw.outcomes[row]][1] > 0
    some = {name: codes[kept] for name, codes in draw.values.items()}
    assert world.disagreements(some, world.posterior(some)[0]) == []
    assert (draw.possible == possible).all()
    shown = world.shown(Streams(3, world.name, "all"), indices, attempt)
    assert {name: codes.tolist() for name, codes in shown.items()} == {
        variable.name: draw.values[variable.name].tolist() for variable in world.view.shown
    }
    assert set(draw.values) == set(world.view.names)
    assert set(draw.hidden) == {variable.name for variable in world.hidden}


@given(worlds())
def test_the_digest_of_a_table_is_that_of_the_obvious_data(world: CellWorld) -> None:
    indices = np.arange(4, dtype=np.int64)
    draw = world.draw(Streams(3, world.name, "all"), indices, 0)
    attributes = sorted(world.attributes)
    for row, digest in enumerate(world.digests(draw.values).to_pylist()):
        cells: list[list[str]] = []
        for cell, (count, likelihood) in zip(world.cells, values_of(world, draw.values, row), strict=True):
            named = dict(zip(world.attributes, cell.values, strict=True))
            cells.append([*(named[name] for name in attributes), cell.category, str(count), str(likelihood)])
        data: Any = {
            "attributes": attributes,
            "categories": sorted(world.categories),
            "cells": sorted(cells),
            "rule": world.rule,
        }
        assert digest == hashlib.sha256(rfc8785.dumps(data)).hexdigest()


@given(worlds(), st.sets(st.integers(0, 10**6), min_size=1, max_size=5))
def test_a_root_drawn_alone_is_the_root_drawn_in_company(world: CellWorld, chosen: set[int]) -> None:
    indices = np.array(sorted(chosen), dtype=np.int64)
    streams = Streams(11, world.name, "all")
    together = world.draw(streams, indices, 2)
    for row, index in enumerate(indices):
        alone = world.draw(streams, np.array([index]), 2)
        assert {k: v[0] for k, v in alone.values.items()} == {k: v[row] for k, v in together.values.items()}
        assert {k: v[0] for k, v in alone.hidden.items()} == {k: v[row] for k, v in together.hidden.items()}
        assert alone.outcomes[0] == together.outcomes[row]
        assert alone.possible[0] == together.possible[row]


@given(worlds())
def test_partition_and_events_are_what_holds_in_the_cells(world: CellWorld) -> None:
    covered = [i for event in world.partition.values() for i in event.indices]
    assert sorted(covered) == list(range(len(world.cells)))
    for name, event in world.events.items():
        assert world.events[negation_of(name)] == ~event
        assert world.events[negation_of(name)].label != event.label
