"""Bad specs: one error with every fault, each at its line and column and with its remedy."""

from pathlib import Path

import pytest

from worldgen.faults import SpecError
from worldgen.spec import Source, read_cohort, read_spec, read_world
from worldgen.spec.sources import LARGEST

GOOD = """\
kind: cells
name: urn
rule: A ball is drawn.
attributes: {b: [False, True]}
categories: [red, blue]
cells:
  - {b: False, category: red, count: 1..9, likelihood: 0.5}
  - {b: True, category: blue, count: 3, likelihood: 0..1 by 1/4}
events:
  A: {category: red}
  C: {not: A}
observe: {b: 1/2}
metadata: {site: [north, south], ticket: {alphabet: xyz, length: 2..3}}
encodings: [joined-tables]
"""


def faults(text: str) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read_spec(Source(text, "urn.yaml"))
    return [str(fault) for fault in caught.value.faults]


def test_the_good_spec_is_good() -> None:
    assert read_world(Source(GOOD)).name == "urn"


# What is replaced in the good spec, by what, and the one fault that it makes.
MISTAKES = {
    "unknown key": (
        "observe:",
        "observ:",
        "12:1: observ: unknown key 'observ'; did you mean 'observe'?",
    ),
    "unknown key of a cell": (
        "count: 3, likelihood",
        "count: 3, lkelihood",
        [
            "8:5: cells[1]: the key 'likelihood' is missing; add 'likelihood:'",
            "8:41: cells[1].lkelihood: unknown key 'lkelihood'; did you mean 'likelihood'?",
        ],
    ),
    "missing key": ("rule: A ball is drawn.\n", "", "1:1: the key 'rule' is missing; add 'rule:'"),
    "likelihood above one": (
        "likelihood: 0.5",
        "likelihood: 1.5",
        "7:56: cells[0].likelihood: the likelihood 3/2 is outside [0, 1]; "
        "write a probability, like 0.9 or 1/3",
    ),
    "likelihood range above one": (
        "0..1 by 1/4",
        "0..5/4 by 1/4",
        "8:53: cells[1].likelihood: the likelihood 5/4 is outside [0, 1]; "
        "write a probability, like 0.9 or 1/3",
    ),
    "negative likelihood": (
        "likelihood: 0.5",
        "likelihood: [-1/2, 1]",
        "7:56: cells[0].likelihood: the likelihood -1/2 is outside [0, 1]; "
        "write a probability, like 0.9 or 1/3",
    ),
    "missing category": (
        "A: {category: red}",
        "A: {category: [red, bleu]}",
        "10:23: events.A.category[1]: there is no category 'bleu'; did you mean 'blue'?",
    ),
    "missing attribute": (
        "A: {category: red}",
        "A: {c: red}",
        "10:10: events.A.c: there is no attribute 'c'; known are b, category",
    ),
    "missing event": ("{not: A}", "{not: D}", "11:12: events.C.not: there is no event 'D'; known are A, C"),
    "circle": ("{not: A}", "{not: C}", "11:6: events.C: the event C is defined by itself; break the circle"),
    "long circle": (
        "A: {category: red}",
        "A: {all: [C, {b: True}]}",
        "10:6: events.A: the events A, C lead back to themselves; break the circle",
    ),
    "duplicate cell": (
        "b: True, category: blue, count",
        "b: False, category: red, count",
        [
            "5:19: categories[1]: no cell has category 'blue'; drop it or give it a cell",
            "8:5: cells[1]: the cell repeats cell 0; merge the two: add up their counts",
        ],
    ),
    "negative count": (
        "count: 3",
        "count: -3",
        "8:38: cells[1].count: the count -3 is negative; write whole numbers from 0",
    ),
    "broken count": (
        "count: 3",
        "count: 0.5",
        "8:38: cells[1].count: a count is not a whole number; write whole numbers from 0",
    ),
    "not a number": (
        "count: 3",
        "count: three",
        "8:38: cells[1].count: 'three' is not an exact number; write 12, 0.25 or 1/3",
    ),
    "not a range": (
        "count: 1..9",
        "count: 1..9 in 2",
        "7:38: cells[0].count: '1..9 in 2' is not a range; "
        "write LOW..HIGH or LOW..HIGH by STEP, like 1..99 or 0..1 by 1/10",
    ),
    "range that misses its end": (
        "count: 1..9",
        "count: 1..9 by 3",
        "7:38: cells[0].count: steps of 3 do not lead from 1 to 9; "
        "choose bounds low <= high that differ by a whole number of steps",
    ),
    "weights": (
        "count: 3",
        "count: {3: 0, 4: 0}",
        "8:38: cells[1].count: every weight is zero; give some value a positive weight",
    ),
    "negative weight": (
        "count: 3",
        "count: {3: 1, 4: -1}",
        "8:48: cells[1].count.4: -1 is not a whole number from 0; write 0 or more",
    ),
    "number twice": (
        "count: 3",
        "count: [3, 3.0]",
        "8:38: cells[1].count: a table of numbers needs distinct entries; write each number once",
    ),
    "unlike kinds": (
        "categories: [red, blue]",
        "categories: red",
        "5:13: categories: this should be a list and is a text; write [first, second]",
    ),
    "nothing": (
        "rule: A ball is drawn.",
        "rule:",
        "3:1: rule: this should be a text and is nothing; write a text",
    ),
    "not a name": (
        "name: urn",
        "name: my urn",
        "2:7: name: 'my urn' is not a name; "
        "use letters, digits, '_', '.' and '-', at most 128, and start with a letter, digit or '_'",
    ),
    "kept word": (
        "{b: [False, True]}",
        "{b: [False, True], not: [x]}",
        [
            "4:37: attributes.not: the word 'not' has a meaning of its own; give the attribute another name",
            "7:5: cells[0]: the key 'not' is missing; add 'not:'",
            "8:5: cells[1]: the key 'not' is missing; add 'not:'",
        ],
    ),
    "observing what is not there": (
        "observe: {b: 1/2}",
        "observe: {c: 1/2}",
        "12:14: observe.c: there is no attribute 'c'; known are b",
    ),
    "impossible chance": (
        "observe: {b: 1/2}",
        "observe: {b: 3/2}",
        "12:14: observe.b: the chance 3/2 is outside [0, 1]; write a probability, like 1/2",
    ),
    "name of a cell's variable": (
        "{site: ",
        "{count_0: ",
        "13:21: metadata.count_0: names that start like this are those of the cells; choose another",
    ),
    "alphabet": (
        "alphabet: xyz",
        "alphabet: xyx",
        "13:42: metadata.ticket: an alphabet needs distinct characters, at least one; list distinct values",
    ),
    "length": (
        "length: 2..3",
        "length: 0",
        "13:66: metadata.ticket.length: this is not a length; write 8, or 2..8",
    ),
    "unknown encoding": (
        "[joined-tables]",
        "[joined-table]",
        "14:13: encodings[0]: there is no shipped encoding 'joined-table'; did you mean 'joined-tables'?",
    ),
    "no encoding": (
        "[joined-tables]",
        "[]",
        "14:12: encodings: the world has no encoding; name at least one, such as joined-tables",
    ),
    "layout of two sources": (
        "[joined-tables]",
        "{mine: {plain: {file: a.j2, text: x}}}",
        "14:27: encodings.mine.plain: a layout has either a file or a text; "
        "write {file: mine.j2} or {text: ...}",
    ),
    "file of a text": (
        "[joined-tables]",
        "{mine: {plain: {file: a.j2}}}",
        "14:34: encodings.mine.plain.file: this spec is not in a file, so it has no files beside it; "
        "write {text: ...}",
    ),
    "unexpected kind": (
        "kind: cells",
        "kind: cell",
        "1:7: kind: the kind 'cell' is not expected here; did you mean 'cells'?",
    ),
    "alias": (
        "{category: red}",
        "&x {category: red}\n  D: *x",
        [
            "10:6: events.A: the anchor &x is refused; remove it",
            "11:6: events.D: the alias *x is refused; write the value out where it is used",
        ],
    ),
    "tag": (
        "count: 3",
        "count: !!int 3",
        "8:38: cells[1].count: the tag !!int is refused; remove it: every value is a plain text",
    ),
    "merge key": (
        "A: {category: red}",
        "A: {category: red, <<: {b: True}}",
        "10:22: events.A.<<: the merge key '<<' is refused; write the merged keys out",
    ),
    "key twice": (
        "name: urn",
        "name: urn\nname: vase",
        "3:1: name: the key 'name' stands twice, first on line 2; keep one of them",
    ),
    "key that is no text": (
        "A: {category: red}",
        "A: {category: red, [b]: True}",
        "10:22: events.A: a key is not a plain text; use one word as the key",
    ),
    "two documents": (
        "encodings: [joined-tables]\n",
        "encodings: [joined-tables]\n---\nkind: cells\n",
        "15:1: a second document starts here; keep one spec per file",
    ),
    "not YAML": (
        "name: urn",
        "name: urn: vase",
        "2:10: this is not YAML: mapping values are not allowed here; "
        "quote texts that hold ': ' or ' #', close every bracket and indent with spaces",
    ),
    "tab": (
        "  A: {category",
        "\tA: {category",
        "10:1: this is not YAML: found character '\\t' that cannot start any token; "
        "indent with spaces, not tabs",
    ),
    "open bracket": (
        "[joined-tables]",
        "[joined-tables",
        "15:1: this is not YAML: expected ',' or ']', but got '<stream end>'; "
        "quote texts that hold ': ' or ' #', close every bracket and indent with spaces",
    ),
    "control character": (
        "A ball",
        "A \x07ball",
        "3:9: this is not YAML: the character U+0007 may not stand there; "
        "quote texts that hold ': ' or ' #', close every bracket and indent with spaces",
    ),
    "half a pair": (
        "A ball is drawn.",
        '"\\ud83d"',
        "3:7: rule: the text holds half of a surrogate pair; "
        "write both halves of the pair, or the character itself",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_reported_once_at_its_place(mistake: str) -> None:
    good, bad, expected = MISTAKES[mistake]
    assert GOOD.count(good) == 1
    found = faults(GOOD.replace(good, bad))
    wanted = [expected] if isinstance(expected, str) else expected
    assert found == [f"urn.yaml:{fault}" for fault in wanted]


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


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n", "\n\n"])
def test_an_empty_file(text: str) -> None:
    (found,) = faults(text)
    assert found.startswith("urn.yaml:1:1: ") or text == "---\n"
    assert found.endswith("start with 'kind: cells' or 'kind: cohort'") or text == "---\n"


def test_a_list_is_no_spec() -> None:
    assert faults("[1, 2]") == [
        "urn.yaml:1:1: this should be a mapping and is a list; start with 'kind: cells'"
    ]


def test_deep_nesting_is_refused_before_it_hurts() -> None:
    (found,) = faults("kind: " + "[" * 5000)
    assert found.endswith("the nesting is deeper than 64; flatten it")


def in_file(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(SpecError) as caught:
        read_world(path)
    (fault,) = caught.value.faults
    return str(fault).removeprefix(f"{path}:")


def test_files_that_are_no_text(tmp_path: Path) -> None:
    file = tmp_path / "urn.yaml"
    assert in_file(file, b"kind: cells\nname: \xe9t\xe9\n") == (
        "2:7: byte 0xe9 is not UTF-8; save the file as UTF-8"
    )
    assert in_file(file, b"PK\x03\x04\0\0") == "1:1: this is a binary file; name a text file in UTF-8"
    assert (
        in_file(file, b"#" * (LARGEST + 1))
        == "1:1: the file is larger than 4 MiB; generate less, or split it"
    )


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="this is a folder; name a file in it"):
        read_spec(str(tmp_path))
    with pytest.raises(SpecError, match=r"urn\.yaml:1:1: there is no such file; check the path"):
        read_spec(str(tmp_path / "urn.yaml"))
    with pytest.raises(SpecError, match="the file cannot be read: embedded null byte"):
        read_spec("a\0b.yaml")


def test_a_name_that_is_not_shipped() -> None:
    with pytest.raises(SpecError) as caught:
        read_spec("noisy-senser")
    (fault,) = caught.value.faults
    assert str(fault) == (
        "no shipped spec is named 'noisy-senser'; did you mean 'noisy-sensor'? "
        "(for a file, give its path, ending in .yaml, .yml, .json)"
    )


def test_a_mark_of_byte_order_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "urn.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert read_world(file) == read_world(Source(GOOD))


COHORT = """\
kind: cohort
name: both
strata:
  - {world: urn.yaml, encoding: joined-tables}
  - {world: noisy-sensor, encoding: nested-records}
variants: [canonical, event, complement]
relations: [complement, coarsening]
"""

COHORT_MISTAKES = {
    "variant": (
        "event,",
        "evnt,",
        [
            "6:23: variants[1]: there is no variant 'evnt'; did you mean 'event'?",
        ],
    ),
    "relation": (
        "coarsening",
        "coarsning",
        [
            "7:25: relations[1]: there is no relation 'coarsning'; did you mean 'coarsening'?",
        ],
    ),
    "variant twice": (
        "event,",
        "event, event,",
        ["6:30: variants[2]: 'event' stands twice; keep one of them"],
    ),
    "encoding": (
        "nested-records",
        "nested-record",
        [
            "5:37: strata[1].encoding: the world noisy-sensor has no encoding 'nested-record'; "
            "did you mean 'nested-records'?",
        ],
    ),
    "stratum twice": (
        "{world: noisy-sensor, encoding: nested-records}",
        "{world: urn.yaml, encoding: joined-tables}",
        [
            "5:5: strata[1]: stratum 0 is named 'urn.joined-tables' too; "
            "drop one of them, or give it another name",
        ],
    ),
    "world": (
        "noisy-sensor",
        "noisy-censor",
        [
            "5:13: strata[1].world: there is no world 'noisy-censor'; did you mean 'noisy-sensor'? "
            "(for a file, give its path, ending in .yaml, .yml or .json)",
        ],
    ),
    "claim": (
        "event,",
        "",
        [
            "7:13: relations[0]: 'complement' needs the variant event; "
            "add to the variants, or drop the relation",
            "7:25: relations[1]: 'coarsening' needs the variant event; "
            "add to the variants, or drop the relation",
        ],
    ),
    "roots": (
        "name: both",
        "name: both\nroots: 0",
        [
            "3:8: roots: 0 is not a whole number from 1; write 1 or more",
        ],
    ),
    "wire": (
        "name: both",
        "name: both\nwire: telegraph",
        [
            "3:7: wire: there is no wire 'telegraph'; known are systemone",
        ],
    ),
    "event of a world": (
        "complement]\n",
        "complement, query-b]\n",
        [
            "6:42: variants[3]: 'query-b' asks about B, which urn does not define; "
            "define the event in the world, or drop the variant",
        ],
    ),
}


@pytest.mark.parametrize("mistake", COHORT_MISTAKES)
def test_mistakes_of_cohorts(mistake: str, tmp_path: Path) -> None:
    good, bad, expected = COHORT_MISTAKES[mistake]
    (tmp_path / "urn.yaml").write_text(GOOD)
    file = tmp_path / "both.yaml"
    file.write_text(COHORT)
    assert len(read_cohort(file).strata) == 2
    file.write_text(COHORT.replace(good, bad))
    with pytest.raises(SpecError) as caught:
        read_cohort(file)
    assert [str(fault) for fault in caught.value.faults] == [f"{file}:{fault}" for fault in expected]


def test_faults_of_a_cohort_and_of_its_worlds_come_together(tmp_path: Path) -> None:
    (tmp_path / "urn.yaml").write_text(GOOD.replace("count: 3", "count: -3").replace("rule:", "rules:"))
    file = tmp_path / "both.yaml"
    file.write_text(COHORT.replace("event,", "evnt,"))
    with pytest.raises(SpecError) as caught:
        read_cohort(file)
    places = [(Path(fault.file).name, fault.line, fault.dotted) for fault in caught.value.faults]
    assert places == [
        ("both.yaml", 6, "variants[1]"),
        ("urn.yaml", 1, ""),
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
