"""Names of variants with parts: a variant has one, a name is one variant, and others are told the nearest."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.fields import BINDINGS, CONTRACTS, EVIDENCES, ORDERS, WORDINGS
from worldgen.cohort.grammar import PARTS, fields_of, name_of, spellings
from worldgen.cohort.variants import BY_NAME, VARIANTS, unknown

SINGLE = ("at-3", "full-2", "union-2", "trie-2")
PIECES = [text.replace("-N", "-2") for single in (True, False) for text in spellings(single=single)]


def grid(single: bool) -> Iterator[dict[str, str | int]]:
    """Every combination of values of the fields, usual ones left out."""
    drafts: list[dict[str, str | int]] = [{}, {"draft": 0}, {"draft": 0, "slip": 1}, {"draft": 0, "slip": 2}]
    if not single:
        drafts = [{}, {"draft": 1}, {"draft": 12}, {"draft": 12, "slip": 12}]
    choices: dict[str, Sequence[str | int]] = {
        **({"named": (False, True)} if single else {}),
        "evidence": EVIDENCES,
        "binding": BINDINGS if single else BINDINGS[:1],
        "contract": CONTRACTS,
        "wording": range(WORDINGS),
        "order": ORDERS if single else ORDERS[:1],
    }
    for draft, values in product(drafts, product(*choices.values())):
        named = zip(choices, values, strict=True)
        yield draft | {field: value for field, value in named if value != choices[field][0]}


@pytest.mark.parametrize("base", ["at-3", "canonical"])
def test_every_combination_has_one_name_which_reads_back(base: str) -> None:
    single, seen = base != "canonical", set()
    for fields in grid(single):
        name = name_of(base, fields, single=single)
        assert fields_of(name.split("+")[1:], single=single) == fields
        assert name not in seen
        seen.add(name)
        variant = BY_NAME[name]
        assert variant.name == name
        assert replace(variant, name="") == replace(BY_NAME[base], name="", **fields)  # type: ignore[arg-type]  # by name
        assert {field for field in ("draft", "slip") if getattr(variant, field) is not None} == (
            {"draft", "slip"} & fields.keys()
        )
    assert len(seen) == (4 * 2 * 4 * 5 * 2 * 3 * 3 if single else 4 * 4 * 2 * 3)


def test_no_two_names_are_one_variant() -> None:
    found = list(VARIANTS)
    for base in (*SINGLE, "at-1", "canonical", "opaque-keys"):
        single = base in {*SINGLE, "at-1"}
        names = (name_of(base, fields, single=single) for fields in grid(single))
        found += [BY_NAME[name] for name in names if name in BY_NAME and "+" in name]
    found += [BY_NAME["at-1"], BY_NAME["at-3"]]
    assert len({replace(variant, name="") for variant in found}) == len(found)


def test_every_part_is_a_field_of_variants() -> None:
    for part in PARTS:
        assert hasattr(BY_NAME["canonical"], part.field)
    assert "canonical+opaque" not in BY_NAME and "canonical+permuted" not in BY_NAME
    assert "event+wording-1" not in BY_NAME and "case-3+wording-1" not in BY_NAME


@given(st.sampled_from(["at-3", "full-2", "canonical"]), st.lists(st.sampled_from(PIECES), max_size=5))
def test_parts_out_of_order_are_told_their_order(base: str, parts: list[str]) -> None:
    name = "+".join([base, *parts])
    if name in BY_NAME:
        return
    said = unknown(name)
    assert said
    if suggested := re.search(r"did you mean '([^']*)'", said):
        assert suggested[1] in BY_NAME or unknown(suggested[1]).startswith(("a slip", "the draft", "nothing"))


@given(st.text("at-3+draftwoing.N", max_size=30))
def test_no_name_is_without_a_remedy(name: str) -> None:
    assert name in BY_NAME or unknown(name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("at-3+indexd+opaqe", "did you mean 'at-3+indexed+opaque'?"),
        ("at-3+reversed+draft", "did you mean 'at-3+draft+reversed'?"),
        ("at-3+raw+opaque", "raw evidence is the usual one and is not named: write 'at-3+opaque'"),
        ("at-3+code", "the contract code is the usual one and is not named: write 'at-3'"),
        ("at-3+indexed+direct", "choose one of indexed, direct"),
        ("at-1+draft", "nothing stands before the first position"),
        ("full-1+draft", "nothing stands before the first position"),
        ("at-3+draft+slip-3", "the draft has 2 characters"),
        ("at-2+draft+slip-3", "the draft has 1 character"),
        ("canonical+draft-4+slip-5", "the draft has 4 characters"),
        ("canonical+slip-1", "a slip is in a draft: write draft before it"),
        ("full-2+draft+slip-1", "a slip has one position in all answers: take at-N"),
        ("trie-2+draft", "a trie shows the right beginning already"),
        ("trie-2+slip-1", "a trie shows the right beginning already"),
        ("canonical+opaque+wording-1", "'canonical' with opaque keys is 'opaque-keys+wording-1'"),
        ("canonicl+wording-1", "did you mean 'canonical'?"),
        ("evnt", "did you mean 'event'?"),
    ],
)
def test_what_is_said_of_names_that_are_none(name: str, said: str) -> None:
    assert name not in BY_NAME and unknown(name) == said


def test_strange_parts_are_told_all_parts() -> None:
    assert unknown("canonical+sideways") == (
        "'sideways' is no part that canonical can have; its parts are draft-N, slip-N, indexed, direct, "
        "padded, character, wording-1, wording-2"
    )
