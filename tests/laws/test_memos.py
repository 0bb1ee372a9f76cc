"""Laws that every memo of the catalog obeys, in every view and layout."""

import json
import re
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.memos import FORMS, MEMOS, WORLDS, Memo, layout
from worldgen.exact.domains import Numbers, Phrases
from worldgen.renderers import chat, systemone
from worldgen.renderers.errors import PlanError
from worldgen.renderers.lines import Column, Leaf, Literal
from worldgen.renderers.plans import Plan

every_memo = pytest.mark.parametrize("memo", MEMOS + FORMS, ids=str)
every_prose = pytest.mark.parametrize("memo", MEMOS, ids=str)
every_form = pytest.mark.parametrize("memo", FORMS, ids=str)
every_template = pytest.mark.parametrize(("name", "form"), [(n, f) for n in WORLDS for f in ("memo", "form")])

# Words by which a memo would tell how its outcome comes about, or what of it has a part in that.
TELLING = (
    "average", "bayes", "calibrated", "chance", "chances", "coin", "confidence", "correlated", "counts for",
    "decides", "decisive", "default", "defaults", "depends", "distribution", "expected", "factor",
    "factors", "fifth", "formula", "hidden", "immaterial", "irrelevant", "level", "levels", "likelihood",
    "likely", "matters", "ninth", "noise", "odds", "percentile", "position", "positions", "probability",
    "probable", "random", "randomly", "relevant", "residual", "rule", "rules", "sample", "score", "scored",
    "scores", "thirteenth", "threshold", "uncertain", "unlikely", "weigh", "weighed", "weight", "weighted",
    "weights",
)  # fmt: skip


def codes(memo: Memo) -> st.SearchStrategy[dict[str, int]]:
    sizes = {variable.name: variable.domain.size or 0 for variable in memo.shown}
    return st.fixed_dictionaries({name: st.integers(0, size - 1) for name, size in sizes.items()})


def columns(rows: list[dict[str, int]]) -> dict[str, Any]:
    return {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}


def plain(name: str, form: str) -> str:
    """The words of a template, a bar where it shows a variable or decides something.

    Texts that are shown under a condition on the spot are words, too.
    """
    source = layout(name, form).source
    inline = [text for shown in re.findall(r"\{\{.*?\}\}", source) for text in re.findall(r'"(.*?)"', shown)]
    return " | ".join([re.sub(r"\{[{%].*?[%}]\}", "|", source), *inline])


def phrases(leaf: Leaf) -> dict[tuple[str, int], set[str]]:
    """The phrases of each level: the texts of the column that first shows a table of texts.

    Letters of an identifier and of a tag are no phrases: they stand where no other text can.
    """
    found: dict[tuple[str, int], set[str]] = {}
    known: set[str] = set()
    for item in leaf.items:
        if not isinstance(item, Column):
            continue
        fresh = [variable for variable in item.variables if variable.name not in known]
        known |= {variable.name for variable in item.variables}
        for variable in fresh:
            domain = variable.domain
            if isinstance(domain, Phrases) and max(map(len, domain.values)) > 1:
                place = item.variables.index(variable)
                for joint, text in zip(product(*map(range, item.sizes)), item.texts, strict=True):
                    found.setdefault((variable.name, joint[place]), set()).add(text)
    return found


@every_memo
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_is_rendered_is_read_back(memo: Memo, data: st.DataObject) -> None:
    rows = data.draw(st.lists(codes(memo), min_size=1, max_size=4))
    values = columns(rows)
    texts = memo.plan.render(values, len(rows)).to_pylist()
    assert texts == [memo.plan.line.write(row) for row in rows]
    decoded = memo.plan.decode(texts)
    assert not decoded.faults
    assert {name: found.tolist() for name, found in decoded.values.items()} == {
        name: given_.tolist() for name, given_ in values.items()
    }
    assert memo.plan.render(decoded.values, len(rows)).to_pylist() == texts


@every_prose
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_memo_reads_as_prose_of_one_to_two_kilobytes(memo: Memo, data: st.DataObject) -> None:
    text = json.loads(memo.plan.line.write(data.draw(codes(memo))))
    assert 1000 <= len(text.encode()) <= 2000
    assert text == text.strip()
    assert not re.search(r"  | [.,;:%]|[.,;:]{2}|\n\n\n|[^\n]\n[^\n]|[.;,][A-Za-z]|[{}_]", text)
    title, *paragraphs = text.split("\n\n")
    assert title[0].isupper() and title[-1].isalpha()
    assert all(paragraph[0].isupper() and paragraph.endswith(".") for paragraph in paragraphs)


@every_memo
def test_every_wire_carries_a_memo_as_its_state(memo: Memo) -> None:
    """On its own, and with demonstrations: building the plan is the proof."""
    asked = Leaf((Literal("Which?"),))
    options = [
        (Leaf((Literal(label),)), Leaf((Literal(name),))) for label, name in zip("AB", WORLDS, strict=False)
    ]
    for tree in (
        systemone.payload(memo.leaf, "m", systemone.Noul(asked)),
        chat.payload(memo.leaf, "m", asked, options),
    ):
        assert Plan(tree, memo.shown).longest
    cases = memo.cases(2)
    for tree in (cases.systemone("m"), cases.chat("m")):
        assert Plan(tree, cases.shown).longest


@every_form
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_a_form_reads_as_labelled_lines(memo: Memo, data: st.DataObject) -> None:
    text = json.loads(memo.plan.line.write(data.draw(codes(memo))))
    assert text == text.strip()
    *_, lines = text.split("\n\n")
    assert all(re.fullmatch(r"[A-Z][^:|{}_]*: [^:|{}_]*\S", line) for line in lines.split("\n"))
    labels = [line.split(":")[0] for line in lines.split("\n")]
    assert len(set(labels)) == len(labels) > 10


@every_memo
def test_no_bound_of_the_size_is_exceeded_by_any_memo(memo: Memo) -> None:
    assert memo.plan.longest is not None
    assert memo.plan.longest <= 2000


@every_memo
def test_every_level_has_a_phrase_of_its_own_and_none_stands_inside_another_text(memo: Memo) -> None:
    found = phrases(memo.leaf)
    levels = {
        (variable.name, code)
        for variable in memo.shown
        if isinstance(variable.domain, Phrases) and max(map(len, variable.domain.values)) > 1
        for code in range(variable.domain.size)
    }
    assert set(found) == levels
    for level, texts in found.items():
        others = [text for other, more in found.items() if other != level for text in more]
        others += [item.text for item in memo.leaf.items if isinstance(item, Literal)]
        assert not [(text, other) for text in texts for other in others if not text.strip() or text in other]


@every_template
def test_no_memo_names_a_rule_a_weight_a_probability_a_position_or_what_matters(name: str, form: str) -> None:
    written = re.sub(r"\W+", " ", plain(name, form).lower())
    assert [word for word in TELLING if re.search(rf"\b{word}\b", written)] == []


@every_template
def test_no_memo_states_a_figure_of_its_own(name: str, form: str) -> None:
    """But for units, "out of 5" and "within 12 months", and for none and one of a count."""
    assert set(re.findall(r"\d+", plain(name, form))) <= {"5", "12", "0", "1"}


@every_memo
def test_a_memo_depends_on_nothing_that_its_view_hides(memo: Memo) -> None:
    assert not [item for item in memo.leaf.items if any(v.name in memo.hidden for v in item.variables)]


@pytest.mark.parametrize(
    ("name", "view", "hidden"),
    [
        ("peer-review", "medium", "novelty"),
        ("peer-review", "high", "validity"),
        ("credit-risk", "medium", "cash_buffer"),
        ("credit-risk", "high", "principal_due"),
        ("covert-transfer", "medium", "tag"),
        ("covert-transfer", "high", "narrow_range"),
    ],
)
def test_a_memo_that_shows_what_its_view_hides_is_refused(name: str, view: str, hidden: str) -> None:
    memo = Memo(name, view)
    assert hidden in memo.hidden
    shown = [hidden, *memo.world.view.names]
    leaf = layout(name).leaf({**memo.every, "shown": shown})
    with pytest.raises(PlanError, match=rf"'{hidden}' is shown but is no variable|nowhere shown"):
        Plan(leaf, memo.shown)


@every_memo
def test_every_variable_of_a_view_makes_a_difference_to_its_memo(memo: Memo) -> None:
    for variable in memo.shown:
        assert any(variable in item.variables for item in memo.leaf.items)


@pytest.mark.parametrize(
    ("world", "slot", "context", "words"),
    [
        ("peer-review", "comparison", "contribution", {"theoretical": "result", "empirical": "baseline"}),
        ("peer-review", "robustness", "contribution", {"theoretical": "assumption", "empirical": "data set"}),
        ("credit-risk", "refinancing", "cycle", {"expansion": "lenders|come by", "contraction": "tight"}),
    ],
)
def test_wording_follows_another_slot(world: str, slot: str, context: str, words: dict[str, str]) -> None:
    memo = Memo(world, "high")
    known = memo.every[context]
    (item,) = [i for i in memo.leaf.items if any(v.name == slot for v in i.variables)]
    assert isinstance(item, Column)
    assert known in item.variables
    place = item.variables.index(known)
    for joint, text in zip(product(*map(range, item.sizes)), item.texts, strict=True):
        level = known.domain.text(joint[place])
        assert re.search(words.get(level, ""), text, re.IGNORECASE)


@every_prose
def test_numbers_agree_with_their_nouns(memo: Memo) -> None:
    counts = [variable for variable in memo.shown if isinstance(variable.domain, Numbers)]
    for variable in counts:
        for code in range(3):
            text = json.loads(memo.plan.line.write({v.name: 0 for v in memo.shown} | {variable.name: code}))
            assert not re.search(
                r"\b(?<![.\d])1 (?:author|figure|table|page|site|department|chart|attachment)s\b", text
            )
            assert not re.search(
                r"\b(?!1 )\d+ (?:author|figure|table|page|site|department|chart|attachment)\b", text
            )
            assert "0 " not in re.sub(r"\d0 |[.]0 ", "", text)
