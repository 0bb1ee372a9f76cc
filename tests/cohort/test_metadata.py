"""Metadata are nuisance: drawn apart from everything that an answer depends on."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from worldgen.cohort.roots import draw_roots
from worldgen.emission.batches import Batcher
from worldgen.exact.domains import Grid, Identifiers, Phrases
from worldgen.exact.variables import Variable
from worldgen.spec import cohort_of, read_cohort, read_world


def test_metadata_are_drawn_apart_from_everything() -> None:
    world = read_world("finite-population")
    other = (
        Variable("depot", Phrases(("one", "other"))),
        Variable("weight", Grid(Fraction(0), Fraction(1, 10), 500, "decimal")),
        Variable("lot", Identifiers("xyz", 3, 9)),
    )
    first, second = (
        cohort_of(each, read_cohort("contracts").variants) for each in (world, replace(world, metadata=other))
    )
    differing: set[tuple[str, str]] = set()
    for number in range(2):
        tables = []
        for cohort in (first, second):
            roots = draw_roots(cohort.strata[number], 7, np.arange(60))
            tables.append(
                {
                    name: table.to_pylist()
                    for name, table in Batcher(cohort, number, 7, "t").tables(roots).items()
                }
            )
        for name, rows in tables[0].items():
            for mine, theirs in zip(rows, tables[1][name], strict=True):
                variant = mine.get("variant", "")
                differing |= {(name, variant or column) for column in mine if mine[column] != theirs[column]}
    assert differing == {("roots", "visible"), ("requests", "metadata")}


def test_metadata_share_no_stream_with_each_other_or_with_the_table() -> None:
    numbers = tuple(Variable(name, Grid(Fraction(1), Fraction(1), 99)) for name in ("first", "second"))
    world = replace(read_world("noisy-sensor"), metadata=numbers)
    values = draw_roots(cohort_of(world).strata[0], 7, np.arange(40)).values
    drawn = ["first", "second", *(f"count_{i}" for i in range(4))]
    assert len({tuple(values[name].tolist()) for name in drawn}) == len(drawn)
