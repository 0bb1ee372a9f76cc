"""Laws that every plan obeys, over a list of subjects: add a subject and it inherits them all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import jinja2
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from worldgen.exact.arrow import Array
from worldgen.exact.domains import Code, Codes, Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.variables import Variable
from worldgen.renderers.chat import PREAMBLE, letters
from worldgen.renderers.collisions import find_collision
from worldgen.renderers.encodings import prompts, shipped
from worldgen.renderers.lines import Leaf, escaped
from worldgen.renderers.plans import Plan
from worldgen.renderers.systemone import Choice, Noul, payload
from worldgen.renderers.templates import compile_leaf


@dataclass(frozen=True, eq=False)
class Source:
    """A leaf as a template author writes it."""

    source: str
    names: Mapping[str, Any]


@dataclass(frozen=True)
class Subject:
    """A tree of sources and constants, and the variables that it shows."""

    tree: Any
    variables: tuple[Variable, ...]

    def leaves(self, tree: Any) -> Any:
        """The tree for a plan, sources compiled."""
        return mapped(tree, lambda source: compile_leaf(source.source, source.names))


def mapped(tree: Any, leaf: Any) -> Any:
    if isinstance(tree, Source):
        return leaf(tree)
    if isinstance(tree, Mapping):
        return {mapped(key, leaf): mapped(value, leaf) for key, value in tree.items()}
    if isinstance(tree, list):
        return [mapped(entry, leaf) for entry in tree]
    return tree


def numbers(name: str, values: Sequence[Fraction], notation: Any) -> Variable:
    return Variable(name, Numbers(tuple(values), notation))


CELLS: list[dict[str, Any]] = [
    {
        "id": f"cell_{i}",
        "values": [str(i < 2), str(i % 2 == 0)],
        "category": f"type_{i % 3}",
        "count": numbers(f"count_{i}", [Fraction(k) for k in range(1, 100)], "integer"),
        "likelihood": numbers(f"likelihood_{i}", [Fraction(k, 10) for k in range(11)], "rational"),
    }
    for i in range(4)
]
SHOWN = tuple(variable for cell in CELLS for variable in (cell["count"], cell["likelihood"]))
CLERK = Variable("clerk", Phrases(("north", "northern", "south")))
SHELF = Variable("shelf", Grid(Fraction(0), Fraction(1), 5000))
REMARK = Variable("remark", Texts())
EVENT = Variable("event", Phrases(("the category is type_0", "the category is type_0 or type_1")))
GIVEN = Variable("given", Phrases(("b is True", "b is False")))
LEVEL = Variable("level", Phrases(("low", "mid", "high")))
KEYS = [Variable(f"key_{i}", Identifiers("0123456789abcdef", 2, 4)) for i in range(2)]
TAG = Variable("tag", Identifiers("ABC", 1, 3))
KINDS = (
    LEVEL,
    Variable("odd text", Phrases(('say "no"', "", "a\\b", "tab\t"))),
    numbers("decimal", [Fraction(1, 4), Fraction(-2), Fraction(10)], "decimal"),
    numbers("ratio", [Fraction(1, 3), Fraction(1), Fraction(1, 33)], "rational"),
    Variable("small grid", Grid(Fraction(-1), Fraction(1, 2), 9, "decimal")),
    Variable("large grid", Grid(Fraction(-20000), Fraction(1), 40001)),
    Variable("decimal grid", Grid(Fraction(-3), Fraction(1, 1000), 9000, "decimal")),
    Variable("ratio grid", Grid(Fraction(1, 7), Fraction(1, 3), 10**15, "rational")),
    TAG,
    REMARK,
)
REDS = Phrases(("red", "redder", "green"))
METADATA = [{"name": "clerk", "value": CLERK}, {"name": "shelf", "value": SHELF}]
RULE = "One member of the population is drawn; each is as likely as any other."


def cells(encoding: str, layout: str, metadata: list[Any]) -> Subject:
    names = {"rule": RULE, "attributes": ["a", "b"], "cells": CELLS, "metadata": metadata}
    state = Source(shipped()[encoding].layout(layout).source, names)
    instructions = Source(prompts()["event-given"].source, {"event": EVENT, "given": GIVEN})
    tree = payload(state, "world", Noul(instructions))  # type: ignore[arg-type]  # sources stand for leaves
    return Subject(tree, (*SHOWN, EVENT, GIVEN, *(entry["value"] for entry in metadata)))


def opaque() -> Subject:
    keys = [Source("{{ key }}", {"key": key}) for key in KEYS]
    described = [Source("the {{ level }} one", {"level": LEVEL}), "another one"]
    asked = Choice("Which?", tuple(zip(keys, described, strict=True)))  # type: ignore[arg-type]  # as above
    return Subject(payload("Nothing is known.", "world", asked), (*KEYS, LEVEL))


def chatted(state: str, names: Mapping[str, Any], wording: str, labels: Sequence[str]) -> Subject:
    """A chat body as one template: state, question, and three options that are drawn, with their labels."""
    options = [Variable(f"option_{i}", REDS) for i in range(len(labels))]
    break_ = '{{ "\\n" }}'  # a line break that no rule of Jinja's on white space removes
    lines = [f"{break_}{label}: {{{{ option_{i} }}}}" for i, label in enumerate(labels)]
    source = state.rstrip("\n") + break_ * 2 + wording + break_ + "".join(lines)
    bound = {**names, **{option.name: option for option in options}}
    user = {"role": "user", "content": Source(source, bound)}
    tree = {"model": "world", "messages": [{"role": "system", "content": PREAMBLE}, user]}
    return Subject(tree, (*(v for v in names.values() if isinstance(v, Variable)), *options))


LETTERS = [Variable(f"id_{i}", Phrases(letters(3))) for i in range(3)]
CHATS: dict[str, Subject] = {
    "chat: letters by option": chatted(
        "It is {{ level }}.",
        {"level": LEVEL},
        "Which?",
        [
            f'{{{{ "A" if option_{i} == "red" else ("B" if option_{i} == "redder" else "C") }}}}'
            for i in range(3)
        ],
    ),
    "chat: letters permuted": chatted(
        "It is {{ level }}.",
        {"level": LEVEL, **{letter.name: letter for letter in LETTERS}},
        "Which, {{ level }}?",
        [f"{{{{ id_{i} }}}}" for i in range(3)],
    ),
    "chat: opaque keys": chatted(
        "Nothing is known.",
        {key.name: key for key in KEYS},
        "Which?",
        [f"{{{{ key_{i} }}}}" for i in range(2)],
    ),
    **{
        f"chat: {encoding.name}/{layout.name}": Subject(
            chatted(
                layout.source,
                {
                    "rule": RULE,
                    "attributes": ["a", "b"],
                    "cells": CELLS,
                    "metadata": METADATA,
                    "given": GIVEN,
                },
                prompts()["choice-given"].source.rstrip("\n"),
                ["A", "B"],
            ).tree,
            (*SHOWN, CLERK, SHELF, GIVEN, *(Variable(f"option_{i}", REDS) for i in range(2))),
        )
        for encoding in shipped().values()
        for layout in encoding.layouts[1:]
    },
}

WORDED = """Level {{ level }}.
{% if level == "low" %}
It is low{% if tag_kind != "x" %}, and "{{ tag_kind }}"{% endif %}.
{% elif level in ["mid"] and tag_kind == "y" %}
Middling \\ y.
{% else %}
{{ "High" if level == "high" else "Else" }}: {{ tag_kind }}
{% endif %}
Kind {{ tag_kind }}, again level {{ level }} and {{ tag }}; {{ tag }}."""
TAG_KIND = Variable("tag_kind", Phrases(("x", "y", "xy")))

AGAIN = Source("{{ remark }}", {"remark": REMARK})

SUBJECTS: dict[str, Subject] = {
    **{
        f"{encoding.name}/{layout.name}{ending}": cells(encoding.name, layout.name, metadata)
        for encoding in shipped().values()
        for layout in encoding.layouts
        for ending, metadata in (("", []), ("+metadata", METADATA))
    },
    "every kind": Subject(
        {"kinds": [Source("is {{ x }}", {"x": kind}) for kind in KINDS], "none": None}, KINDS
    ),
    "one line": Subject(
        Source(
            "{% for x in kinds %}{{ loop.index }}={{ x }}{% if not loop.last %}; {% endif %}{% endfor %}",
            {"kinds": KINDS},
        ),
        KINDS,
    ),
    "repeated and worded": Subject(
        [Source(WORDED, {"level": LEVEL, "tag_kind": TAG_KIND, "tag": TAG}), AGAIN, AGAIN],
        (LEVEL, TAG_KIND, TAG, REMARK),
    ),
    "opaque keys": opaque(),
    "constant": Subject({"a": "b", "c": [], "d": {}}, ()),
    **CHATS,
}


@cache
def plan(name: str) -> Plan:
    subject = SUBJECTS[name]
    return Plan(subject.leaves(subject.tree), subject.variables)


def code(variable: Variable) -> st.SearchStrategy[Code]:
    domain = variable.domain
    if isinstance(domain, Texts):
        return st.text(max_size=8)
    if isinstance(domain, Identifiers):
        return st.text(domain.alphabet, min_size=domain.shortest, max_size=domain.longest)
    return st.integers(0, domain.size - 1)


def batches(name: str, most: int = 3) -> st.SearchStrategy[list[dict[str, Code]]]:
    row = st.fixed_dictionaries({variable.name: code(variable) for variable in SUBJECTS[name].variables})
    if name == "opaque keys":
        row = row.filter(lambda codes: codes["key_0"] != codes["key_1"])
    return st.lists(row, min_size=1, max_size=most)


def columns(name: str, rows: Sequence[Mapping[str, Code]]) -> dict[str, Codes]:
    made: dict[str, Codes] = {}
    for variable in SUBJECTS[name].variables:
        codes = [row[variable.name] for row in rows]
        if variable.domain.size:
            made[variable.name] = np.array(codes, dtype=np.int64)
        else:
            made[variable.name] = np.array(codes, dtype=np.object_)
    return made


def unchanged(values: Mapping[str, Codes], codes: Mapping[str, Code], row: int) -> bool:
    return all(values[name][row] == code for name, code in codes.items())


every_subject = pytest.mark.parametrize("name", SUBJECTS)
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@every_subject
@few
@given(data=st.data())
def test_decoding_inverts_rendering(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name))
    rendered = plan(name).render(columns(name, rows), len(rows)).to_pylist()
    decoded = plan(name).decode(rendered)
    assert not decoded.faults
    assert all(unchanged(decoded.values, codes, i) for i, codes in enumerate(rows))
    assert plan(name).render(decoded.values, len(rows)).to_pylist() == rendered


class Blind:
    """A scan that can read nothing, so that every row is walked."""

    def __init__(self, variables: Sequence[Variable]) -> None:
        self.variables = variables

    def read(self, texts: Array) -> tuple[dict[str, Codes], Any]:
        nothing = np.zeros(len(texts), dtype=np.int64)
        return {variable.name: nothing for variable in self.variables}, nothing.astype(np.bool_)


def walked(name: str) -> Plan:
    """The slow twin of a plan: it decodes payloads one by one."""
    twin = Plan(plan(name).tree, plan(name).variables)
    vars(twin)["_scan"] = Blind(twin.variables)
    return twin


@every_subject
@few
@given(data=st.data())
def test_payloads_are_read_by_column_as_they_are_one_by_one(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name))
    payloads: list[str] = plan(name).render(columns(name, rows), len(rows)).to_pylist()
    texts: list[str | None] = [None, "", *payloads]
    for text in payloads:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 2, len(text))))
        texts.append(text[:start] + data.draw(st.text(max_size=2)) + text[end:])
        texts.append(text[:start])
        texts.append(text + "\ud800")
    one, other = plan(name).decode(texts), walked(name).decode(texts)
    assert one.faults == other.faults
    assert {k: v.tolist() for k, v in one.values.items()} == {k: v.tolist() for k, v in other.values.items()}


@every_subject
@few
@given(data=st.data())
def test_every_payload_without_escapes_is_read_by_column(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name))
    values = columns(name, rows)
    codes, read = plan(name)._scan.read(plan(name).render(values, len(rows)))
    for row, here in enumerate(read.tolist()):
        open_texts = [v.name for v in plan(name).variables if isinstance(v.domain, Texts)]
        plain = all(escaped(str(rows[row][text])) == rows[row][text] for text in open_texts)
        assert here == plain
        assert not here or all(codes[name][row] == code for name, code in rows[row].items())


@every_subject
@few
@given(data=st.data())
def test_no_payload_is_longer_than_its_bound(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name))
    bound = plan(name).longest
    assert (bound is None) == any(isinstance(v.domain, Texts) for v in plan(name).variables)
    for shown in plan(name).render(columns(name, rows), len(rows)).to_pylist():
        assert bound is None or len(shown.encode()) <= bound


@every_subject
@few
@given(data=st.data())
def test_jinja_row_by_row_gives_the_same_bytes(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name))
    rendered = plan(name).render(columns(name, rows), len(rows)).to_pylist()
    assert rendered == [by_jinja(SUBJECTS[name], codes) for codes in rows]


def by_jinja(subject: Subject, codes: Mapping[str, Code]) -> str:
    """The payload by stock Jinja and the json module: no plan is involved."""
    jinja = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)

    def bound(constant: Any) -> Any:
        if isinstance(constant, Variable):
            return constant.domain.text(codes[constant.name])
        if isinstance(constant, Mapping):
            return {key: bound(value) for key, value in constant.items()}
        return constant if isinstance(constant, str) else [bound(entry) for entry in constant]

    tree = mapped(subject.tree, lambda leaf: jinja.from_string(leaf.source).render(bound(leaf.names)))
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


@every_subject
@few
@given(data=st.data())
def test_a_batch_is_its_rows_written_item_by_item(name: str, data: st.DataObject) -> None:
    rows = data.draw(batches(name, 6))
    rendered = plan(name).render(columns(name, rows), len(rows)).to_pylist()
    assert rendered == [plan(name).line.write(codes) for codes in rows]
    pool, index = plan(name).segments(columns(name, rows), len(rows))
    assert pool[0] == ""
    assert rendered == ["".join(pool[place] for place in row) for row in index.tolist()]


@every_subject
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_no_edit_of_one_character_goes_unnoticed(name: str, data: st.DataObject) -> None:
    codes = data.draw(batches(name, 1))[0]
    text = plan(name).line.write(codes)
    marks = '"\\,1/-. |A\u2028'
    edits = {text[:i] + text[i + 1 :] for i in range(len(text))}
    edits |= {text[:i] + mark + text[i + 1 :] for i in range(len(text)) for mark in marks}
    edits |= {text[:i] + mark + text[i:] for i in range(len(text) + 1) for mark in marks}
    tried = sorted(edits - {text})
    decoded = plan(name).decode(tried)
    refused = {fault.row for fault in decoded.faults}
    assert not any(unchanged(decoded.values, codes, i) for i in range(len(tried)) if i not in refused)


@every_subject
@few
@given(data=st.data())
def test_any_edit_anywhere_is_rejected_or_decodes_to_other_values(name: str, data: st.DataObject) -> None:
    codes = data.draw(batches(name, 1))[0]
    text = plan(name).line.write(codes)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 2, len(text))))
    edited = text[:start] + data.draw(st.text(max_size=2)) + text[end:]
    assume(edited != text)
    decoded = plan(name).decode([edited])
    assert decoded.faults or not unchanged(decoded.values, codes, 0)
    if not decoded.faults:
        assert plan(name).render(decoded.values, 1).to_pylist() == [edited]


@every_subject
def test_the_self_product_finds_no_collision_where_the_proof_holds(name: str) -> None:
    search = find_collision(plan(name).line)
    assert search.collision is None
    assert search.complete == all(
        v.domain.size is not None and v.domain.size <= 2000 for v in plan(name).variables
    )


@every_subject
@few
@given(data=st.data())
def test_a_payload_is_the_json_of_its_leaves(name: str, data: st.DataObject) -> None:
    codes = data.draw(batches(name, 1))[0]
    text = plan(name).line.write(codes)
    assert json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")) == text


def test_leaves_are_equal_when_they_are_written_alike() -> None:
    one = compile_leaf("a{{ x }}b", {"x": LEVEL})
    assert isinstance(one, Leaf)
    assert one == compile_leaf("a{# a remark #}{{ level }}{{ b }}", {"level": LEVEL, "b": "b"})
