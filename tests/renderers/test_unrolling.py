"""Compiled templates against stock Jinja, over random sources and every input."""

from fractions import Fraction
from itertools import product
from typing import Any

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldgen.exact.domains import Grid, Identifiers, Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import Column, Leaf, Line, Literal, Slot
from worldgen.renderers.templates import compile_leaf

X, Y = Variable("x", Phrases(("p", ""))), Variable("y", Phrases(("q", "p", "r")))
NAMES: dict[str, Any] = {
    "x": X,
    "why": Y,
    "c": "p",
    "none_yet": [],
    "mixed": ["p", X, "q"],
    "records": [{"name": "one", "items": [Y, "q"]}, {"name": "two", "items": ["p"]}],
}
STOCK = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)

VALUES = ["x", "why", "c", '"q"', "mixed[1]", "mixed[2]", 'records[0]["items"][0]', "records[1].name"]
values = st.sampled_from(VALUES)
lists = st.sampled_from(["mixed", '["p", why]', '("q", c)', 'records[0]["items"]', "none_yet"])
loops = st.sampled_from(["loop.first", "loop.last", "not loop.first", "loop.index == 2", "loop.index0 > 0"])


def conditions(inside: bool) -> st.SearchStrategy[str]:
    simple = st.one_of(
        values,
        st.builds("{} == {}".format, values, values),
        st.builds("{} != {} == {}".format, values, values, values),
        st.builds("{} < {}".format, values, values),
        st.builds("{} in {}".format, values, lists),
        st.builds("{} not in {}".format, values, values),
        *([loops] if inside else []),
    )
    return st.recursive(
        simple,
        lambda inner: st.one_of(
            st.builds("not ({})".format, inner),
            st.builds("({} and {})".format, inner, inner),
            st.builds("({} or {})".format, inner, inner),
        ),
        max_leaves=3,
    )


def sources(depth: int = 2, inside: bool = False) -> st.SearchStrategy[str]:
    choice = st.builds("{{{{ {} if {} else {} }}}}".format, values, conditions(inside), values)
    output = st.builds("{{{{ {} }}}}".format, st.one_of(values, conditions(inside)))
    texts = st.sampled_from(["a", " ", "\n", "  \n", '"', "{# note #}", "{% raw %}{{ x }}{% endraw %}"])
    parts = [texts, output, choice] + (
        [st.just("{{ e }}{{ loop.index }}/{{ loop.length }}")] if inside else []
    )
    if depth:
        inner = sources(depth - 1, inside)
        test, loop = conditions(inside), sources(depth - 1, True)
        parts += [
            st.builds("{{% if {} %}}{}{{% endif %}}".format, test, inner),
            st.builds(
                "{{% if {} %}}{}\n {{% elif {} -%}} {}{{% else %}}\n{}{{% endif %}}".format,
                test, inner, test, inner, inner,
            ),
            st.builds("{{% for e in {} %}}{}{{% else %}}{}{{% endfor %}}".format, lists, loop, inner),
        ]  # fmt: skip
    return st.lists(st.one_of(parts), max_size=4).map("".join)


def bound(constant: Any, texts: dict[Variable, str]) -> Any:
    if isinstance(constant, Variable):
        return texts[constant]
    if isinstance(constant, dict):
        return {key: bound(value, texts) for key, value in constant.items()}
    return constant if isinstance(constant, str) else [bound(entry, texts) for entry in constant]


@settings(max_examples=80, deadline=None)
@given(sources())
def test_the_leaf_writes_what_jinja_renders(source: str) -> None:
    leaf = compile_leaf(source, NAMES)
    line = Line(leaf.items, ("",) * len(leaf.items))
    jinja = STOCK.from_string(source)
    for (x, x_text), (y, y_text) in product(*(enumerate(v.domain.values) for v in (X, Y))):  # type: ignore[union-attr]  # both hold phrases
        texts = {X: str(x_text), Y: str(y_text)}
        expected = jinja.render(bound(NAMES, texts))
        # The line writes JSON string bodies only for slots, and there are none here.
        assert line.write({"x": x, "y": y}) == expected


def test_neighbouring_texts_are_one_literal() -> None:
    leaf = compile_leaf("{% for e in mixed %}{{ e }}{% endfor %}{{ c }}", NAMES)
    assert leaf == Leaf((Literal("p"), Column((X,), ("p", "")), Literal("qp")))


@pytest.mark.parametrize(
    ("domain", "kind"),
    [
        (Identifiers("ab", 1, 2), Slot),
        (Grid(Fraction(0), Fraction(1), 2_001), Slot),
        (Grid(Fraction(0), Fraction(1), 2_000), Column),
    ],
)
def test_what_is_too_large_to_tabulate_becomes_a_slot(domain: Any, kind: type) -> None:
    item = compile_leaf("{{ v }}", {"v": Variable("v", domain)}).items[0]
    assert isinstance(item, kind)
    assert item.origin == "state.j2, line 1"  # type: ignore[union-attr]  # the line above says which


def test_a_grid_may_decide_up_to_the_limit_of_a_table() -> None:
    grid = Variable("v", Grid(Fraction(0), Fraction(1), 20_000))
    item = compile_leaf("{{ 'seven' if v == '7' else 'other' }}", {"v": grid}).items[0]
    assert isinstance(item, Column)
    assert [code for code, text in enumerate(item.texts) if text == "seven"] == [7]


def test_variables_of_a_column_are_in_order_of_mention() -> None:
    column = compile_leaf("{{ x if why == 'q' else c }}", NAMES).items[0]
    assert column.variables == (Y, X)
    assert isinstance(column, Column)
    assert column.texts == ("p", "", "p", "p", "p", "p")


def test_a_long_chain_of_branches_compiles() -> None:
    chain = "".join(f"{{% elif why == '{number}' %}}{number}" for number in range(300))
    column = compile_leaf(f"{{% if why == 'q' %}}Q{chain}{{% else %}}rest{{% endif %}}", NAMES).items[0]
    assert isinstance(column, Column)
    assert column.texts == ("Q", "rest", "rest")
