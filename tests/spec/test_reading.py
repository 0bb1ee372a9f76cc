"""Reading specs: what each way of writing means, and that only SpecError comes out of a bad one."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen import catalog
from worldgen.exact.domains import Grid, Identifiers, Numbers, Phrases
from worldgen.faults import Fault, SpecError
from worldgen.renderers.encodings import shipped
from worldgen.spec import Source, cohort_of, read_cohort, read_spec, read_world
from worldgen.spec.fields import Fields
from worldgen.spec.nodes import Mapping_, read_tree
from worldgen.spec.numbers import drawn
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.definitions import All, AnyOf, Definition, Is, Not, Ref
from worldgen.worlds.parts import Drawn

WORLD = """\
# An urn.
kind: cells
name: urn
rule: >-
  A ball
  is drawn.
attributes: {b: [False, True]}
categories: [red, blue]
cells:
  - {b: False, category: red, count: 1..9, likelihood: 0.10}
  - b: 'True'
    category: "blue"
    count: 3
    likelihood: 0..1 by 1/4
events:
  A: {category: red}
  C: {not: A}
encodings: [joined-tables]
"""
COHORT = """\
kind: cohort
name: both
strata:
  - {world: noisy-sensor, encoding: joined-tables}
  - {world: noisy-sensor, encoding: nested-records, name: nested}
variants: [canonical, event]
relations: [coarsening]
"""


def urn(old: str = "", new: str = "") -> CellWorld:
    assert old in WORLD
    return read_world(Source(WORLD.replace(old, new)))


def test_scalars_are_the_texts_that_stand_there() -> None:
    world = urn()
    assert world.rule == "A ball is drawn."
    assert world.attributes == {"b": ("False", "True")}
    assert world.cells[0].likelihood == Drawn(Numbers((Fraction(1, 10),), "decimal"))
    assert world.cells[1].values == ("True",)
    assert (world.observations, world.metadata) == ((), ())
    assert world.title == ""


NUMBERS = {
    "5": Drawn(Numbers((Fraction(5),), "integer")),
    "0.50": Drawn(Numbers((Fraction(1, 2),), "decimal")),
    "1/3": Drawn(Numbers((Fraction(1, 3),), "rational")),
    "'5'": Drawn(Numbers((Fraction(5),), "integer")),
    "1..9": Drawn(Grid(Fraction(1), Fraction(1), 9, "integer")),
    "1 .. 9 by 2": Drawn(Grid(Fraction(1), Fraction(2), 5, "integer")),
    "0..1 by 0.25": Drawn(Grid(Fraction(0), Fraction(1, 4), 5, "decimal")),
    "0.0..1": Drawn(Grid(Fraction(0), Fraction(1), 2, "decimal")),
    "0..1 by 1/10": Drawn(Grid(Fraction(0), Fraction(1, 10), 11, "rational")),
    "0.5..1 by 1/10": Drawn(Grid(Fraction(1, 2), Fraction(1, 10), 6, "rational")),
    "[1, 0.5]": Drawn(Numbers((Fraction(1), Fraction(1, 2)), "decimal")),
    "[1, 0.5, 1/8]": Drawn(Numbers((Fraction(1), Fraction(1, 2), Fraction(1, 8)), "rational")),
    "{0: 3, 1: 1}": Drawn(Numbers((Fraction(0), Fraction(1)), "integer"), (3, 1)),
    "[{1: 3}, {0: 1}]": Drawn(Numbers((Fraction(1), Fraction(0)), "integer"), (3, 1)),
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_as_written(text: str) -> None:
    source = Source(f"x: {text}")
    root, faults = read_tree(source.text, source.file)
    fields = Fields(source, faults)
    assert isinstance(root, Mapping_)
    assert drawn(fields, root.get("x")) == NUMBERS[text]
    assert fields.faults == []


EVENTS: dict[str, Definition] = {
    "{category: red}": Is("category", ("red",)),
    "{category: [red]}": Is("category", ("red",)),
    "{b: [True, False]}": Is("b", ("True", "False")),
    "{not: {b: True}}": Not(Is("b", ("True",))),
    "A": Ref("A"),
    "{all: [A, {b: True}]}": All((Ref("A"), Is("b", ("True",)))),
    "{any: [A]}": AnyOf((Ref("A"),)),
    "{category: red, b: True}": All((Is("b", ("True",)), Is("category", ("red",)))),
    "{b: True, category: red}": All((Is("b", ("True",)), Is("category", ("red",)))),
}


@pytest.mark.parametrize("text", EVENTS)
def test_events_as_written(text: str) -> None:
    assert urn("{not: A}", text).definitions["C"] == EVENTS[text]


def test_metadata_and_observations_as_written() -> None:
    shown = (
        "{site: [north, south], id: {alphabet: xyz, length: 2..3}, n: 1..40, k: {numbers: [1, 0.5]}, one: 7}"
    )
    world = urn("encodings:", f"observe: {{b: 0.25}}\nmetadata: {shown}\nencodings:")
    assert {variable.name: variable.domain for variable in world.metadata} == {
        "site": Phrases(("north", "south")),
        "id": Identifiers("xyz", 2, 3),
        "n": Grid(Fraction(1), Fraction(1), 40),
        "k": Numbers((Fraction(1), Fraction(1, 2)), "decimal"),
        "one": Numbers((Fraction(7),), "integer"),
    }
    assert [(seen.attribute, seen.chance) for seen in world.observations] == [("b", Fraction(1, 4))]


def test_encodings_shipped_inline_and_in_files(tmp_path: Path) -> None:
    (tmp_path / "urn.j2").write_text("{{ rule }}\n")
    (tmp_path / "urn.yaml").write_text(
        WORLD.replace(
            "[joined-tables]", "{nested-records: null, mine: {a: {file: urn.j2}, b: {text: hello}}}"
        )
    )
    found = read_world(tmp_path / "urn.yaml").encodings
    assert found["nested-records"] == shipped()["nested-records"]
    assert [(layout.name, layout.source) for layout in found["mine"].layouts] == [
        ("a", "{{ rule }}\n"),
        ("b", "hello"),
    ]
    assert found["mine"].layouts[0].template == str(tmp_path / "urn.j2")


def test_layouts_are_proved_on_demand() -> None:
    for name in catalog.specs():
        assert read_spec(name, prove=True) == read_spec(name)
    layouts = "{joined-tables: null, mine: {leaky: {text: '{{ rule }}'}, odd: {text: '{{ rle }}'}}}"
    text = WORLD.replace("[joined-tables]", layouts)
    assert isinstance(read_spec(Source(text)), CellWorld)
    with pytest.raises(SpecError) as caught:
        read_spec(Source(text, "urn.yaml"), prove=True)
    hidden, unknown = caught.value.faults
    assert (hidden.dotted, hidden.line, hidden.column) == ("encodings.mine.leaky", 18, 48)
    assert "count_0" in hidden.message
    assert (unknown.dotted, unknown.line, unknown.column) == ("encodings.mine.odd", 18, 75)
    assert "urn.yaml:18, line 1" in unknown.message
    assert hidden.remedy
    assert unknown.remedy


def test_json_is_read_with_its_pairs_of_surrogates() -> None:
    data: dict[str, object] = {
        "kind": "cells",
        "name": "urn",
        "rule": 'a \U0001f3b2 / \x7f\u2028\x85 "rolls"',
        "attributes": {},
    }
    cells = [{"category": "x", "count": 1, "likelihood": 0.5}]
    data |= {"categories": ["x"], "cells": cells, "events": {}, "encodings": ["joined-tables"]}
    world = read_world(Source(json.dumps(data).replace("/", "\\/")))
    assert world.rule == data["rule"]
    assert world.cells[0].likelihood.domain.extremes == (Fraction(1, 2), Fraction(1, 2))


def test_a_cohort_is_read_with_its_defaults() -> None:
    cohort = read_cohort(Source(COHORT))
    assert [stratum.name for stratum in cohort.strata] == ["noisy-sensor.joined-tables", "nested"]
    assert cohort.strata[0].world is cohort.strata[1].world
    assert (cohort.wire, cohort.model, cohort.roots, cohort.title) == ("systemone", "jev-latest", 1000, "")
    named = read_cohort(Source(COHORT + "roots: 12\nmodel: m\ntitle: T\n"))
    assert (named.roots, named.model, named.title) == (12, "m", "T")


def test_a_cohort_names_worlds_inline_in_files_and_shipped(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "urn.yaml").write_text(WORLD)
    inline = WORLD.split("\n", 1)[1].replace("name: urn", "name: vase").replace("\n", "\n    ")
    text = COHORT.replace("{world: noisy-sensor, encoding: joined", "{world: urn, encoding: joined")
    text = text.replace(
        "{world: noisy-sensor, encoding: nested-records", "{world: vase, encoding: joined-tables"
    )
    (tmp_path / "both.yaml").write_text(f"{text}worlds:\n  urn: below/urn.yaml\n  vase:\n    {inline}")
    cohort = read_cohort(tmp_path / "both.yaml")
    assert cohort.strata[0].world == urn()
    assert list(cohort.worlds) == ["urn", "vase"]


def test_every_shipped_spec_is_read_under_its_name() -> None:
    for name in catalog.specs():
        spec = read_spec(name)
        assert spec.name == name
        assert spec.title
        assert spec == read_spec(str(catalog.specs()[name]))
        assert (catalog.specs()[name].parent / "README.md").read_text().startswith(f"# {name}\n")


def test_the_figures_of_the_shipped_sensor() -> None:
    world = read_world("noisy-sensor")
    assert {cell.count.domain for cell in world.cells} == {Grid(Fraction(1), Fraction(1), 99)}
    tenths = Grid(Fraction(0), Fraction(1, 10), 11, "rational")
    assert {cell.likelihood.domain for cell in world.cells} == {tenths}
    assert world.events["A"].indices == (0, 1)
    assert world.events["B"].indices == (1, 3)
    assert len(world.metadata) == 2


def test_a_bare_world_is_a_cohort_of_what_its_events_allow() -> None:
    cohort = cohort_of(read_world("noisy-sensor"))
    assert cohort.variants == ("canonical", "event", "complement")
    assert cohort.relations == ("complement", "coarsening")
    bare = cohort_of(urn("  A: {category: red}\n  C: {not: A}", "  C: {category: red}"))
    assert bare.variants == ("canonical",)
    assert bare.relations == ()
    with pytest.raises(SpecError, match="it asks about A, which urn does not define"):
        cohort_of(urn("  A: {category: red}\n  C: {not: A}", "  C: {category: red}"), ("event",))


def faults_of(text: str) -> list[Fault]:
    """The faults of a text, none if it is read; any other error is the test's failure."""
    try:
        read_spec(Source(text))
    except SpecError as error:
        return list(error.faults)
    return []


def reads_or_refuses(text: str) -> None:
    faults = faults_of(text)
    assert all(fault.message and fault.line >= 1 and fault.column >= 1 for fault in faults)
    assert [(fault.line, fault.column) for fault in faults] == sorted((f.line, f.column) for f in faults)


@given(st.text())
@example("kind: \ud800")
@example('"\\UFFFFFFFF"')
@example("kind: cells\nname: \N{NEXT LINE}x")
@example("%YAML 9.9\n---\nkind: cells")
@example("%TAG ! !\n---\n!x y")
@example("? - a\n: - b")
def test_any_text_is_read_or_refused(text: str) -> None:
    reads_or_refuses(text)


PIECES = [
    *" \n\t:,{}[]-&*!?|>'\"#%@`~<.=/\\0a",
    "\n  ",
    "..",
    " by ",
    "1/0",
    "null",
    "<<",
    "not",
    "category",
    "True",
    "-1",
    "1e999",
    "9" * 30,
    "\x85",
    "\ufeff",
    "\U0001f3b2",
]


@given(
    st.sampled_from([WORLD, COHORT]),
    st.lists(
        st.tuples(st.integers(0, 600), st.integers(0, 12), st.sampled_from(PIECES)), min_size=1, max_size=4
    ),
)
def test_any_mutation_of_a_good_spec_is_read_or_refused(text: str, edits: list[tuple[int, int, str]]) -> None:
    for start, length, piece in edits:
        text = text[:start] + piece + text[start + length :]
    reads_or_refuses(text)


@given(st.sampled_from([WORLD, COHORT]), st.data())
def test_a_spec_without_a_line_or_with_one_twice_is_read_or_refused(text: str, data: st.DataObject) -> None:
    lines = text.splitlines()
    i = data.draw(st.integers(0, len(lines) - 1))
    for changed in (lines[:i] + lines[i + 1 :], lines[:i] + lines[i : i + 1] + lines[i:], lines[:i]):
        reads_or_refuses("\n".join(changed))


@given(st.binary(max_size=60))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(data)
    with pytest.raises(SpecError):
        read_spec(file)
