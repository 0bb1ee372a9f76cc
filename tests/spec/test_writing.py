"""Writing specs: texts for people and machines, a folder that stands alone, and digests that stay."""

import hashlib
import json
from fractions import Fraction
from pathlib import Path

import pytest
import rfc8785

from worldgen import catalog
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.exact.domains import Grid, Numbers, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.spec import (
    Source,
    cohort_data,
    read_cohort,
    read_spec,
    read_world,
    spec_digest,
    world_data,
    write_spec,
    write_spec_folder,
)
from worldgen.spec.write_domains import variable_data
from worldgen.worlds.parts import Drawn

SHIPPED = list(catalog.specs())


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_specs_read_back_in_both_forms(name: str) -> None:
    spec = read_spec(name)
    assert read_spec(Source(write_spec(spec))) == spec
    assert read_spec(Source(write_spec(spec, "yaml"))) == spec


def test_a_folder_of_a_cohort_reads_back_alone(tmp_path: Path) -> None:
    cohort = read_cohort("contracts")
    for path, text in write_spec_folder(cohort).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    read = read_cohort(tmp_path / "cohort.json")
    assert read == cohort
    assert spec_digest(cohort_data(read)) == spec_digest(cohort_data(cohort))
    assert read_world(tmp_path / "worlds" / "noisy-sensor.json") == cohort.worlds["noisy-sensor"]


def test_written_json_is_plain_json_with_every_template_inside() -> None:
    world = read_world("noisy-sensor")
    data = json.loads(write_spec(world))
    assert data == world_data(world)
    assert data["cells"][0] == {
        "a": "False",
        "b": "False",
        "category": "type_0",
        "count": "1..99",
        "likelihood": "0..1 by 1/10",
    }
    (tables,) = (encoding["joined-tables"] for encoding in data["encodings"] if "joined-tables" in encoding)
    assert tables[0]["commas"]["text"] == world.encodings["joined-tables"].layouts[0].source


def test_a_digest_is_that_of_canonical_json() -> None:
    data = world_data(read_world("noisy-sensor"))
    assert spec_digest(data) == hashlib.sha256(rfc8785.dumps(data)).hexdigest()


def test_comments_key_order_and_white_space_leave_the_digest_alone() -> None:
    one = """\
kind: cells
name: urn   # a comment
rule: A ball is drawn.
attributes: {}
categories: [red, blue]
cells:
  - {category: red, count: 1..9, likelihood: 0.50}
  - {category: blue, count: 01..9 by 1, likelihood: 1}
events: {A: {category: red}, B: {not: A}}
encodings: [joined-tables]
"""
    other = """\
encodings: {joined-tables: null}
events:
    B: {not: A}
    A: {category: [red]}
cells: [{likelihood: 0.5, count: 1 .. 9, category: red},
        {likelihood: 1, count: 1..9, category: "blue"}]
categories: ["red", 'blue']
attributes: []
name: urn
rule: >-
    A ball
    is drawn.
kind: cells
"""
    first, second = (spec_digest(world_data(read_world(Source(text)))) for text in (one, other))
    assert first == second
    assert spec_digest(world_data(read_world(Source(one.replace("1..9,", "1..8,"))))) != first


@pytest.mark.parametrize(
    ("domain", "written"),
    [
        (Grid(Fraction(1), Fraction(1), 9), "1..9"),
        (Grid(Fraction(1), Fraction(2), 5), "1..9 by 2"),
        (Grid(Fraction(0), Fraction(1), 2, "decimal"), "0.0..1.0 by 1.0"),
        (Grid(Fraction(0), Fraction(1), 2, "rational"), "0/1..1/1 by 1/1"),
        (Grid(Fraction(0), Fraction(1, 4), 5, "decimal"), "0.00..1.00 by 0.25"),
        (Numbers((Fraction(1), Fraction(1, 2)), "decimal"), {"numbers": ["1.0", "0.5"]}),
        (Numbers((Fraction(1), Fraction(1, 3))), {"numbers": ["1", "1/3"]}),
        (Phrases(("x", "y")), ["x", "y"]),
    ],
)
def test_domains_as_written(domain: Grid | Numbers | Phrases, written: object) -> None:
    assert variable_data(Variable("n", domain)) == written


def test_any_text_has_no_written_form() -> None:
    with pytest.raises(DomainError, match="'note' may be any text"):
        variable_data(Variable("note", Texts()))


def test_a_cohort_of_two_worlds_keeps_both() -> None:
    sensor = read_world("noisy-sensor")
    text = write_spec(sensor).replace('"name": "noisy-sensor"', '"name": "second"').replace("1..99", "5..9")
    second = read_world(Source(text))
    assert second.cells[0].count == Drawn(Grid(Fraction(5), Fraction(1), 5))
    strata = tuple(Stratum(world.name, world, "nested-records") for world in (sensor, second))
    cohort = Cohort("pair", strata, ("canonical",), (), roots=7, title="A pair")
    assert list(write_spec_folder(cohort)) == [
        "cohort.json",
        "worlds/noisy-sensor.json",
        "worlds/second.json",
    ]
    assert read_cohort(Source(write_spec(cohort))) == cohort
