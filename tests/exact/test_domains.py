"""Domains: code and text determine each other, and nothing outside a domain passes for a member."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from worldgen.exact.domains import (
    Domain,
    Grid,
    Identifiers,
    Numbers,
    Phrases,
    Texts,
    texts_at,
    values_at,
)
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import Notation
from worldgen.exact.variables import Variable, View

notations: st.SearchStrategy[Notation] = st.sampled_from(("integer", "decimal", "rational"))


def number_in(notation: Notation) -> st.SearchStrategy[Fraction]:
    """Numbers that a notation can write."""
    tops = st.integers(-(10**20), 10**20)
    if notation == "integer":
        return tops.map(Fraction)
    if notation == "decimal":
        return st.builds(lambda top, places: Fraction(top, 10**places), tops, st.integers(0, 6))
    return st.builds(Fraction, tops, st.integers(1, 10**6))


phrases = st.lists(st.text(max_size=6), min_size=1, max_size=6, unique=True).map(tuple).map(Phrases)


@st.composite
def numbers(draw: st.DrawFn) -> Numbers:
    """A table of up to six numbers."""
    notation = draw(notations)
    values = draw(st.lists(number_in(notation), min_size=1, max_size=6, unique=True))
    return Numbers(tuple(values), notation)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A grid of up to fifty steps."""
    notation = draw(notations)
    step = draw(number_in(notation).filter(lambda value: value > 0))
    return Grid(draw(number_in(notation)), step, draw(st.integers(1, 50)), notation)


finite: st.SearchStrategy[Phrases | Numbers | Grid] = st.one_of(phrases, numbers(), grids())


@given(finite)
def test_codes_and_texts_of_finite_domains_are_inverse(domain: Phrases | Numbers | Grid) -> None:
    texts = [domain.text(code) for code in range(domain.size)]
    assert [domain.code(text) for text in texts] == list(range(domain.size))
    assert len(set(texts)) == domain.size


@given(
    finite, st.text(max_size=8) | st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,2}|/[0-9]{1,2})?", fullmatch=True)
)
@example(Grid(Fraction(0), Fraction(1, 10), 11, "decimal"), "0.50")
@example(Grid(Fraction(0), Fraction(1, 10), 11, "rational"), "5/10")
@example(Grid(Fraction(0), Fraction(1), 11), "1e0")
@example(Grid(Fraction(0), Fraction(1), 11), "+1")
@example(Grid(Fraction(0), Fraction(1), 11), "-0")
@example(Grid(Fraction(0), Fraction(1), 11), "11")
def test_a_text_has_a_code_exactly_if_it_is_the_text_of_that_code(
    domain: Phrases | Numbers | Grid, text: str
) -> None:
    assert domain.code(text) == {domain.text(code): code for code in range(domain.size)}.get(text)


@given(finite, st.integers())
def test_a_code_outside_the_domain_is_refused(domain: Phrases | Numbers | Grid, code: int) -> None:
    if not 0 <= code < domain.size:
        with pytest.raises(DomainError, match="there is no code"):
            domain.text(code)


@given(st.one_of(numbers(), grids()), st.integers(1, 10**25))
def test_scaled_codes_are_the_values_times_the_denominator(domain: Numbers | Grid, multiple: int) -> None:
    denominator = domain.denominator * multiple
    codes = np.arange(domain.size)
    expected = [domain.value(code) * denominator for code in range(domain.size)]
    assert domain.scaled(codes, denominator).tolist() == expected
    values = [domain.value(code) for code in range(domain.size)]
    assert domain.extremes == (min(values), max(values))


@given(grids())
def test_a_grid_is_rebuilt_from_its_ends(grid: Grid) -> None:
    assert Grid.between(grid.low, grid.high, grid.step, grid.notation) == grid


def test_the_largest_grid_keeps_its_last_value() -> None:
    grid = Grid(Fraction(0), Fraction(1), 2**62)
    assert grid.code(str(2**62 - 1)) == 2**62 - 1
    assert grid.scaled(np.array([2**62 - 1]), 1).tolist() == [2**62 - 1]
    assert grid.scaled(np.array([2**62 - 1]), 10).tolist() == [10 * (2**62 - 1)]


@given(
    st.sets(st.characters(exclude_categories=("Cc", "Cs"), exclude_characters='"\\'), min_size=1, max_size=5)
)
def test_identifiers_are_exactly_the_strings_over_the_alphabet(alphabet: set[str]) -> None:
    domain = Identifiers("".join(sorted(alphabet)), 1, 2)
    inside = {a + b for a in alphabet for b in (*alphabet, "")}
    assert all(domain.code(text) == text == domain.text(text) for text in inside)
    outside = ["", min(alphabet) * 3, min(alphabet) + '"']
    assert all(domain.code(text) is None for text in outside)
    with pytest.raises(DomainError, match="is not an identifier"):
        domain.text("")


@given(st.text())
def test_every_unicode_text_is_its_own_code(text: str) -> None:
    assert Texts().code(text) == text == Texts().text(text)


def test_a_lone_surrogate_is_no_text() -> None:
    assert Texts().code("a\ud800") is None
    with pytest.raises(DomainError, match="surrogate"):
        Texts().text("\udfff")


THIRD = Fraction(1, 3)
IMPOSSIBLE: dict[str, tuple[Callable[[], Domain], str]] = {
    "no phrases": (lambda: Phrases(()), "distinct entries"),
    "a phrase twice": (lambda: Phrases(("a", "b", "a")), "distinct entries"),
    "no numbers": (lambda: Numbers(()), "distinct entries"),
    "a number twice": (lambda: Numbers((Fraction(1, 2), Fraction(2, 4))), "distinct entries"),
    "a third in decimals": (lambda: Numbers((THIRD,), "decimal"), "not finite decimals"),
    "a half among integers": (lambda: Numbers((Fraction(1, 2),), "integer"), "cannot be written exactly"),
    "an empty grid": (lambda: Grid(Fraction(0), Fraction(1), 0), "cannot be drawn from"),
    "a grid too large": (lambda: Grid(Fraction(0), Fraction(1), 2**62 + 1), "cannot be drawn from"),
    "numbers too long to be read back": (
        lambda: Grid(Fraction(1, 10**300 + 1), Fraction(1, 10**300 + 3), 3000, "rational"),
        "too long",
    ),
    "a grid that stands still": (lambda: Grid(Fraction(0), Fraction(0), 3), "cannot be drawn from"),
    "thirds in integers": (lambda: Grid(Fraction(0), THIRD, 4), "integer low and step"),
    "thirds in decimals": (lambda: Grid(Fraction(0), THIRD, 4, "decimal"), "not finite decimals"),
    "a step that misses the end": (
        lambda: Grid.between(Fraction(0), Fraction(1), Fraction(2, 3), "rational"),
        "do not lead from 0 to 1",
    ),
    "ends the wrong way round": (
        lambda: Grid.between(Fraction(1), Fraction(0), Fraction(1), "integer"),
        "do not lead from 1 to 0",
    ),
    "a step of zero between ends": (
        lambda: Grid.between(Fraction(0), Fraction(1), Fraction(0), "integer"),
        "do not lead from 0 to 1",
    ),
    "no alphabet": (lambda: Identifiers("", 1, 2), "distinct characters"),
    "a character twice": (lambda: Identifiers("aba", 1, 2), "distinct characters"),
    "a quotation mark": (lambda: Identifiers('a"', 1, 2), "quotation marks"),
    "a line end": (lambda: Identifiers("a\n", 1, 2), "quotation marks"),
    "empty identifiers": (lambda: Identifiers("a", 0, 2), "hold no identifier"),
    "lengths the wrong way round": (lambda: Identifiers("a", 3, 2), "hold no identifier"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_a_domain_that_cannot_exist_is_refused(name: str) -> None:
    build, reason = IMPOSSIBLE[name]
    with pytest.raises(DomainError, match=reason):
        build()


def test_a_view_lists_the_shown_before_the_nuisance_and_each_once() -> None:
    a, b = Variable("a", Texts()), Variable("b", Texts())
    assert View("both", (b,), (a,)).names == ("b", "a")
    assert View("both", (b,), (a,)).variables == (b, a)
    with pytest.raises(DomainError, match="'twice' shows a variable twice: a, b, a"):
        View("twice", (a, b), (a,))


@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 3), st.data())
def test_many_identifiers_are_those_at_their_ranks(
    letters: int, shortest: int, more: int, data: st.DataObject
) -> None:
    domain = Identifiers("abcé"[:letters], shortest, shortest + more)
    ranks = data.draw(st.lists(st.integers(0, domain.count - 1), max_size=6))
    found = domain.nths(np.array(ranks, dtype=np.int64))
    assert found.tolist() == [domain.nth(rank) for rank in ranks]
    assert all(type(text) is str for text in found.tolist())


def test_identifiers_beyond_int64_have_ranks_too() -> None:
    domain = Identifiers("abcdefghij", 1, 30)
    ranks = [0, 10**25, domain.count - 1]
    assert domain.nths(np.array(ranks, dtype=np.object_)).tolist() == [domain.nth(rank) for rank in ranks]


@given(st.one_of(phrases, numbers(), grids()), st.data())
def test_tables_of_texts_and_values_hold_those_of_the_codes(domain: Any, data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, domain.size - 1), max_size=6))
    texts, places = texts_at(domain, np.array(codes, dtype=np.int64))
    assert [texts[place] for place in places] == [domain.text(code) for code in codes]
    if not isinstance(domain, Phrases):
        values, places = values_at(domain, np.array(codes, dtype=np.int64))
        assert [values[place] for place in places] == [domain.value(code) for code in codes]


def test_a_large_grid_is_never_listed() -> None:
    grid, codes = Grid(Fraction(0), Fraction(1, 2), 2**40, "decimal"), np.array([2**39, 5, 2**39])
    texts, places = texts_at(grid, codes)
    assert [texts[place] for place in places] == [grid.text(code) for code in codes.tolist()]
    values, places = values_at(grid, codes)
    assert [values[place] for place in places] == [grid.value(code) for code in codes.tolist()]
    assert len(texts) == len(values) == 2
