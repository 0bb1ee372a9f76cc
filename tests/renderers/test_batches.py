"""Batches side by side, bad codes, and how the decoder says no."""

import json
from fractions import Fraction
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldgen.exact.domains import Codes, Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.renderers.decoding import Walk
from worldgen.renderers.laying import render_together
from worldgen.renderers.lines import Column, Leaf, Literal, Slot, straight
from worldgen.renderers.plans import Plan
from worldgen.renderers.scanning import Scan

COIN = Variable("coin", Phrases(("heads", "tails")))
DIE = Variable("die", Numbers(tuple(Fraction(k) for k in range(1, 7)), "integer"))
TAG = Variable("tag", Identifiers("abc", 1, 2))
SAYS = Variable("says", Texts())
GRID = Variable("grid", Grid(Fraction(0), Fraction(1), 10_000))


def tabulated(variable: Variable) -> Column:
    return Column((variable,), tuple(variable.domain.text(code) for code in range(variable.domain.size or 0)))


PLANS = (
    Plan({"a": Leaf((Literal("coin "), tabulated(COIN))), "b": Leaf((Slot(SAYS),))}, (COIN, SAYS)),
    Plan([Leaf((tabulated(COIN), Literal(" "), Slot(TAG), Literal("."), tabulated(DIE)))], (COIN, TAG, DIE)),
    Plan("nothing varies", ()),
    Plan(Leaf((Slot(GRID), Literal(" and "), Slot(GRID), Literal("!"))), (GRID,)),
)

rows = st.fixed_dictionaries(
    {
        "coin": st.integers(0, 1),
        "die": st.integers(0, 5),
        "tag": st.text("abc", min_size=1, max_size=2),
        "says": st.text(max_size=3),
        "grid": st.integers(0, 9_999),
        "valid": st.lists(st.booleans(), min_size=len(PLANS), max_size=len(PLANS)),
    }
)


@settings(deadline=None)
@given(st.lists(rows, max_size=5))
def test_plans_side_by_side_are_the_plans_one_by_one(drawn: list[dict[str, Any]]) -> None:
    values: dict[str, Codes] = {
        name: np.array([row[name] for row in drawn], dtype=np.int64) for name in ("coin", "die", "grid")
    }
    values |= {name: np.array([row[name] for row in drawn], dtype=np.object_) for name in ("tag", "says")}
    valid = np.array([row["valid"] for row in drawn], dtype=np.bool_).reshape(len(drawn), len(PLANS))
    together = render_together(PLANS, [values] * len(PLANS), valid).to_pylist()
    expected = [
        plan.line.write(row) if row["valid"][number] else None
        for row in drawn
        for number, plan in enumerate(PLANS)
    ]
    assert together == expected


def test_codes_of_rows_that_are_not_valid_are_not_looked_at() -> None:
    values = {"coin": np.array([99, 1]), "says": np.array([None, "x"], dtype=np.object_)}
    rendered = render_together(PLANS[:1], [values], np.array([[False], [True]]))
    assert rendered.to_pylist() == [None, '{"a":"coin tails","b":"x"}']
    assert b"heads" not in cast(Any, rendered).buffers()[2].to_pybytes()


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (np.array([0, 2]), "'coin' has codes 0 .. 1, got 0 .. 2"),
        (np.array([-1, 0]), "'coin' has codes 0 .. 1, got -1 .. 0"),
        (np.array([0.0, 1.0]), "'coin' needs 2 integer codes, got float64"),
        (np.array([0]), r"'coin' needs 2 integer codes, got int64 \(1,\)"),
    ],
)
def test_codes_outside_the_domain_are_refused(codes: Any, message: str) -> None:
    plan = Plan(Leaf((tabulated(COIN),)), (COIN,))
    with pytest.raises(DomainError, match=message):
        plan.render({"coin": codes}, 2)


def test_texts_outside_the_domain_are_refused() -> None:
    plan = Plan(Leaf((Slot(TAG), Literal("."))), (TAG,))
    for bad in ("", "abc", "x"):
        with pytest.raises(DomainError, match="is not an identifier"):
            plan.render({"tag": np.array([bad], dtype=np.object_)}, 1)
    with pytest.raises(DomainError, match="'tag' needs 2 texts"):
        plan.render({"tag": np.array(["a"], dtype=np.object_)}, 2)


def test_no_rows_are_rendered_and_decoded() -> None:
    for plan in PLANS:
        decoded = plan.decode([])
        assert decoded.faults == []
        assert set(decoded.values) == {variable.name for variable in plan.variables}
        assert plan.render(decoded.values, 0).to_pylist() == []


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        (None, 0, "there is no payload"),
        ("", 0, "expected '[\"', found the end"),
        ('["heads a.1"', 10, "{die} has no text that fits '1\"'"),
        ('["edge a.1"]', 2, "{coin} has no text that fits 'edge a.1\"]'"),
        ('["heads d.1"]', 8, "{tag} cannot be 'd'"),
        ('["heads a', 8, "{tag} does not end with '.'"),
        ('["heads a.1"] ', 13, "the text goes on after its end: ' '"),
    ],
)
def test_a_fault_says_where_and_why(text: str | None, offset: int, message: str) -> None:
    decoded = PLANS[1].decode(['["tails b.6"]', text, '["heads c.2"]'])
    fault = decoded.faults[0]
    assert (fault.row, fault.offset, fault.message) == (1, offset, message)
    assert decoded.values["coin"].tolist() == [1, 0, 0]
    assert decoded.values["die"].tolist() == [5, 0, 1]
    assert decoded.values["tag"].tolist() == ["b", "", "c"]


@pytest.mark.parametrize("body", ["\\u0041", "\\/", "\\ud800", "\\x", "\u0001", "\\u00e9", "\\u000a"])
def test_texts_are_written_in_one_way_only(body: str) -> None:
    plan = Plan(Leaf((Slot(SAYS),)), (SAYS,))
    assert plan.decode([f'"{body}"']).faults[0].row == 0


def test_a_repeated_slot_repeats() -> None:
    decoded = PLANS[3].decode(['"12 and 12!"', '"12 and 13!"', '"12 and 12'])
    assert [(fault.row, fault.offset) for fault in decoded.faults] == [(1, 9), (2, 10)]
    assert decoded.faults[0].message == "expected '2!\"', found '3!\"'"


def test_one_key_twice_is_a_fault() -> None:
    keys = [Variable(name, Identifiers("ab", 1, 1)) for name in ("first", "second")]
    options = {Leaf((Slot(key),)): "option" for key in keys}
    plan = Plan({"criteria": options}, tuple(keys))
    decoded = plan.decode(
        ['{"criteria":{"a":"option","b":"option"}}', '{"criteria":{"a":"option","a":"option"}}']
    )
    assert [(fault.row, fault.message) for fault in decoded.faults] == [
        (1, "an object has the key 'a' twice")
    ]
    assert decoded.values["second"].tolist() == ["b", ""]


trees = st.recursive(
    st.one_of(st.none(), st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(trees)
def test_constant_trees_are_written_as_json_does(tree: Any) -> None:
    expected = json.dumps(tree, ensure_ascii=False, separators=(",", ":"))
    assert straight(tree).write({}) == expected
    assert Plan(tree, ()).render({}, 2).to_pylist() == [expected] * 2


def test_a_column_needs_one_text_for_each_joint_code() -> None:
    with pytest.raises(DomainError, match="has 2 texts for 12 joint codes"):
        Column((COIN, DIE), ("a", "b"))
    with pytest.raises(DomainError, match="names a variable twice"):
        Column((COIN, COIN), ("a", "b", "c", "d"))
    with pytest.raises(DomainError, match="'tag' is open"):
        Column((TAG,), ("a",))
    with pytest.raises(DomainError, match="it is a column, not a slot"):
        Slot(COIN)


def test_a_wrong_walk_is_caught_by_rendering_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(Leaf((tabulated(COIN),)), (COIN,))
    monkeypatch.setattr(
        Scan, "read", lambda scan, texts: ({"coin": np.array([0, 0])}, np.array([True, True]))
    )
    monkeypatch.setattr(Walk, "read", lambda walk, text: [0])
    decoded = plan.decode(['"heads"', '"tails"'])
    assert [(fault.row, fault.message) for fault in decoded.faults] == [
        (1, "it does not render to the same bytes again")
    ]


def test_texts_that_share_long_openings_are_read_by_column() -> None:
    texts = tuple("x" * k for k in range(1500))
    tally = Variable("tally", Phrases(texts))
    plan = Plan(Leaf((Column((tally,), texts), Literal("."))), (tally,))
    codes = np.array([0, 1, 700, 1498, 1499])
    found, right = plan._scan.read(plan.render({"tally": codes}, len(codes)))
    assert right.all() and found["tally"].tolist() == codes.tolist()
    assert [fault.row for fault in plan.decode(['"xx."', '"xy."', '"xx"']).faults] == [1, 2]
