"""Bad specs: one error with every fault, each at its line and column and with its remedy.

The mistakes stand in tables beside this file: what is replaced (-) in a good spec, by what (+), and every
fault that then must be reported (!), neither more nor less.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from worldgen.faults import SpecError
from worldgen.spec import Source, read_cohort, read_spec, read_world

HERE = Path(__file__).parent / "specs"
GOOD = (HERE / "urn.yaml").read_text()
COHORT = (HERE / "both.yaml").read_text()


def table(name: str) -> dict[str, dict[str, list[str]]]:
    """Mistake -> mark -> lines."""
    found: dict[str, dict[str, list[str]]] = {}
    for line in (HERE / name).read_text().splitlines():
        mark, text = line[:1], line[2:]
        if line.startswith("== "):
            marks: dict[str, list[str]] = {"-": [], "+": [], "!": []}
            assert found.setdefault(line[3:], marks) is marks
        elif line:
            marks[mark].append(text)
    return found


def spoilt(good: str, mistake: dict[str, list[str]]) -> str:
    old, new = "\n".join(mistake["-"]), "\n".join(mistake["+"])
    assert good.count(old) == 1
    return good.replace(old, new)


def faults(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_spec(Source(text, "urn.yaml"))
    return [str(fault) for fault in caught.value.faults]


WORLDS = table("worlds.txt")
COHORTS = table("cohorts.txt")
FAMILIES = {
    "harbour.yaml": "factors.txt",
    "report.yaml": "transfers.txt",
    "sums.yaml": "sums.txt",
    "talks.yaml": "talks.txt",
    "turned.yaml": "turned.txt",
}
VIEWED = [(spec, mistake) for spec, mistakes in FAMILIES.items() for mistake in table(mistakes)]


def test_the_good_specs_are_good(tmp_path: Path) -> None:
    assert read_world(Source(GOOD)).name == "urn"
    (tmp_path / "urn.yaml").write_text(GOOD)
    (tmp_path / "both.yaml").write_text(COHORT)
    assert len(read_cohort(tmp_path / "both.yaml").strata) == 2


@pytest.mark.parametrize("mistake", WORLDS)
def test_a_mistake_is_reported_once_at_its_place(mistake: str) -> None:
    expected = WORLDS[mistake]["!"]
    assert expected
    assert faults(spoilt(GOOD, WORLDS[mistake])) == [f"urn.yaml:{fault}" for fault in expected]


@pytest.mark.parametrize(("spec", "mistake"), VIEWED)
def test_so_is_a_mistake_of_a_world_with_views(spec: str, mistake: str) -> None:
    marks = table(FAMILIES[spec])[mistake]
    assert marks["!"]
    with pytest.raises(SpecError) as caught:
        read_spec(Source(spoilt((HERE / spec).read_text(), marks), spec))
    assert [str(fault) for fault in caught.value.faults] == [f"{spec}:{fault}" for fault in marks["!"]]


@pytest.mark.parametrize("spec", FAMILIES)
def test_the_good_worlds_with_views_are_good(spec: str) -> None:
    assert read_spec(Source((HERE / spec).read_text(), spec), prove=True).name == spec.removesuffix(".yaml")


def test_a_phrase_inside_another_is_refused_where_no_mark_ends_it() -> None:
    """The levels high and high up, before fields of which one starts with up."""
    good = (HERE / "harbour.yaml").read_text().replace("moon: [dark, full]", "moon: [high, high up, full]")
    for template, refused in (("{{ moon }}{{ day }}", True), ("{{ moon }}, {{ day }}", False)):
        text = good.replace("[Monday, Friday]", "[' up at six', ' at six']")
        others = "{% if f.name not in ['moon', 'day'] %}|{{ f.value }}{% endif %}"
        rest = "{% for f in fields %}" + others + "{% endfor %}|"
        shown = f'[{{mine: {{plain: {{text: "{template}{rest}"}}}}}}]'
        source = Source(text.replace("encodings: [table]", f"encodings: {shown}"), "harbour.yaml")
        if not refused:
            assert read_spec(source, prove=True).name == "harbour"
            continue
        with pytest.raises(SpecError) as caught:
            read_spec(source, prove=True)
        (fault,) = caught.value.faults
        assert fault.path == ("encodings", 0, "mine", "plain") or fault.dotted.startswith("encodings")
        assert "one text" in fault.message or "two" in fault.message or "prefix" in fault.message


def test_a_template_that_tells_what_one_view_hides_is_refused_with_the_view() -> None:
    good = (HERE / "harbour.yaml").read_text()
    others = "{% for f in fields %}{% if f.name != 'crew' %}{{ f.value }};{% endif %}{% endfor %}"
    shown = f'{{mine: {{plain: {{text: "crew: {{{{ crew }}}};{others}"}}}}}}'
    source = Source(good.replace("encodings: [table]", f"encodings: {shown}"), "harbour.yaml")
    with pytest.raises(SpecError) as caught:
        read_spec(source, prove=True)
    assert [str(fault) for fault in caught.value.faults] == [
        "harbour.yaml:33:27: encodings.mine.plain: in the view some: $: 'crew' is shown but is no variable "
        "of this view or question; take it out of the template, or show it only where the view does: "
        "{% if 'crew' in shown %}"
    ]


def test_views_may_show_the_range_under_one_name() -> None:
    good = (HERE / "report.yaml").read_text().replace("shows: half", "shows: pair")
    rest = "{% for one in identifier %}{{ one.letter }}{% endfor %}{{ day }}"
    named = "{{ report_type }} {{ tag if 'tag' in shown else pair }} "
    shown = f'{{mine: {{plain: {{text: "{named}{rest}"}}}}}}'
    source = Source(good.replace("encodings: [table]", f"encodings: {shown}"), "report.yaml")
    assert read_spec(source, prove=True).name == "report"


def test_a_million_million_states_are_refused_with_their_number() -> None:
    wide = "".join(f"  f{i}: [{', '.join('abcdefghij')}]\n" for i in range(12))
    good = (HERE / "harbour.yaml").read_text()
    states = f"{3 * 2 * 2 * 2 * 3 * 10**12:,}"
    message = f"factors: there are {states} states, and 100,000,000 is the most; use fewer factors or levels"
    assert faults(good.replace("residual:", wide + "residual:", 1)) == [f"urn.yaml:5:3: {message}"]


@pytest.mark.parametrize("mistake", COHORTS)
def test_so_is_a_mistake_of_a_cohort(mistake: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("urn.yaml").write_text(GOOD)
    Path("both.yaml").write_text(spoilt(COHORT, COHORTS[mistake]))
    with pytest.raises(SpecError) as caught:
        read_cohort("both.yaml")
    expected = COHORTS[mistake]["!"]
    assert expected
    assert [str(fault) for fault in caught.value.faults] == [f"both.yaml:{fault}" for fault in expected]


def test_counts_that_are_all_zero() -> None:
    text = GOOD.replace("count: 1..9", "count: 0").replace("count: 3", "count: {0: 1, 4: 0}")
    assert faults(text) == ["urn.yaml:7:3: cells: every count is zero; give some cell a positive count"]


def test_cells_that_are_all_impossible() -> None:
    text = GOOD.replace("likelihood: 0.5", "likelihood: 0").replace("count: 3", "count: 0")
    assert faults(text) == [
        "urn.yaml:7:3: cells: every cell has probability zero; "
        "give some cell a positive count and a positive likelihood"
    ]


MANY = """\
kind: cells
name: ur n
attributes: {b: [False, True], a: x}
categories: [red, blue, red]
cells:
  - {b: Flase, a: x, category: red, count: 0, likelihood: 2}
  - {b: True, a: x, category: bleu, count: x, likelihood: 1}
  - nonsense
events:
  A: {category: grey, b: Truee}
  red: {b: True}
  C: {any: [A, {not: {b: [Fals]}}, [x]]}
encodings: [joined-tables, other]
titel: x
"""


def test_all_faults_are_listed_in_order_of_the_file() -> None:
    assert faults(MANY) == [
        f"urn.yaml:{fault}"
        for fault in [
            "1:1: the key 'rule' is missing; add 'rule:'",
            "2:7: name: 'ur n' is not a name; "
            "use letters, digits, '_', '.' and '-', at most 128, and start with a letter, digit or '_'",
            "3:35: attributes.a: this should be a list and is a text; write [first, second]",
            "4:25: categories[2]: 'red' stands twice; keep one of them",
            "6:9: cells[0].b: 'Flase' is not a value of b; did you mean 'False'?",
            "6:59: cells[0].likelihood: the likelihood 2 is outside [0, 1]; "
            "write a probability, like 0.9 or 1/3",
            "7:31: cells[1].category: there is no category 'bleu'; did you mean 'blue'?",
            "7:44: cells[1].count: 'x' is not an exact number; write 12, 0.25 or 1/3",
            "8:5: cells[2]: this should be a mapping and is a text; "
            "give the keys b, a, category, count, likelihood",
            "10:17: events.A.category: there is no category 'grey'; known are red, blue",
            "10:26: events.A.b: there is no value of b 'Truee'; did you mean 'True'?",
            "11:8: events.red: 'red' is a category already; give the event another name",
            "12:27: events.C.any[1].not.b[0]: there is no value of b 'Fals'; did you mean 'False'?",
            "12:36: events.C.any[2]: this should be an event and is a list; "
            "name an event, or write {category: x}, {not: A}, {all: [A, B]} or {any: [A, B]}",
            "13:28: encodings[1]: there is no shipped encoding 'other'; "
            "known are joined-tables, nested-records",
            "14:1: titel: unknown key 'titel'; did you mean 'title'?",
        ]
    ]


def test_the_error_counts_and_lists_its_faults() -> None:
    with pytest.raises(SpecError, match=r"the spec is refused: 16 faults\n  urn.yaml:1:1: ") as caught:
        read_spec(Source(MANY, "urn.yaml"))
    assert len(str(caught.value).splitlines()) == 17


def test_faults_of_a_cohort_and_of_its_worlds_come_together(tmp_path: Path) -> None:
    (tmp_path / "urn.yaml").write_text(GOOD.replace("count: 3", "count: -3").replace("rule:", "rules:"))
    file = tmp_path / "both.yaml"
    file.write_text(COHORT.replace("event,", "evnt,"))
    with pytest.raises(SpecError) as caught:
        read_cohort(file)
    places = [(Path(fault.file).name, fault.line, fault.dotted) for fault in caught.value.faults]
    assert places == [
        ("both.yaml", 6, "variants[1]"),
        ("urn.yaml", 3, "rules"),
        ("urn.yaml", 8, "cells[1].count"),
    ]


def test_two_different_worlds_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "urn.yaml").write_text(GOOD)
    (tmp_path / "urn2.yaml").write_text(GOOD.replace("count: 3", "count: 4"))
    file = tmp_path / "both.yaml"
    stratum = "{world: urn2.yaml, encoding: joined-tables, name: second}"
    file.write_text(COHORT.replace("{world: noisy-sensor, encoding: nested-records}", stratum))
    with pytest.raises(SpecError) as caught:
        read_cohort(file)
    (fault,) = caught.value.faults
    assert str(fault) == (
        f"{file}:5:13: strata[1].world: two different worlds are named 'urn'; rename one of them"
    )


def test_a_world_is_no_cohort() -> None:
    with pytest.raises(SpecError, match="the kind 'cells' is not expected here; known are cohort"):
        read_cohort(Source(GOOD))


def test_a_text_names_no_files() -> None:
    assert faults(COHORT.replace("noisy-sensor", '"a\\0.yaml"')) == [
        f"urn.yaml:{line}:13: strata[{line - 4}].world: "
        "this spec is not in a file, so it has no files beside it; write the world under 'worlds:'"
        for line in (4, 5)
    ]


def test_a_world_that_is_not_yaml_and_a_name_that_no_file_has(tmp_path: Path) -> None:
    (tmp_path / "urn.yaml").write_text("kind: [")
    file = tmp_path / "both.yaml"
    file.write_text(COHORT.replace("noisy-sensor", '"a\\0.yaml"'))
    with pytest.raises(SpecError) as caught:
        read_cohort(file)
    first, second = caught.value.faults
    assert (first.file, first.line, first.column) == (str(file), 5, 13)
    assert first.message.startswith("there is no file ")
    assert (second.file, second.line) == (str(tmp_path / "urn.yaml"), 1)
    assert second.message.startswith("this is not YAML")


def test_a_cohort_built_wrong_in_python_is_the_same_error() -> None:
    good = read_cohort("contracts")
    with pytest.raises(
        SpecError, match="roots: there cannot be 0 roots; write a number from 1 to 1,000,000,000"
    ):
        replace(good, roots=0)
    with pytest.raises(SpecError, match=r"strata\[1\]: stratum 0 is named .* too"):
        replace(good, strata=good.strata[:1] * 2)


def test_a_list_is_no_cohort_or_world() -> None:
    with pytest.raises(SpecError, match="should be a mapping and is a list"):
        read_cohort(Source("[kind, cohort]"))
