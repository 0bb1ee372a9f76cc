"""Open slots by column: written, held and read as the domain writes, holds and reads one text."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.arrow import strings
from worldgen.exact.domains import Grid, Identifiers, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.pools import take
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import escaped
from worldgen.renderers.opened import held, read, written

TAG = Identifiers("abc", 1, 3)
WORD = Identifiers("aéß", 1, 3)  # outside ASCII, so judged text by text
GRID = Grid(Fraction(-2), Fraction(1, 4), 50, "decimal")

texts = st.lists(st.text(max_size=4) | st.text("abcéß", max_size=4), max_size=6)


@given(texts)
def test_a_column_holds_what_the_domain_holds(drawn: list[str]) -> None:
    for domain in (TAG, WORD, Texts()):
        assert held(domain, strings(drawn)).tolist() == [domain.code(text) is not None for text in drawn]


@given(st.lists(st.text(max_size=4), max_size=6))
def test_texts_are_escaped_as_json_does(drawn: list[str]) -> None:
    pool, places = written(Variable("says", Texts()), np.array(drawn, dtype=np.object_))
    assert take(pool, places).to_pylist() == list(map(escaped, drawn))


@given(st.lists(st.integers(0, 49), max_size=6))
def test_numbers_are_written_as_their_texts(drawn: list[int]) -> None:
    pool, places = written(Variable("grid", GRID), np.array(drawn, dtype=np.int64))
    assert take(pool, places).to_pylist() == [GRID.text(code) for code in drawn]


@given(texts, st.lists(st.sampled_from(["-2.00", "0.25", "0.250", "1e0", "x", "", "99.00"]), max_size=4))
def test_what_is_read_is_the_code_of_the_text(drawn: list[str], numbers: list[str]) -> None:
    for domain, shown in ((TAG, drawn), (WORD, drawn), (Texts(), drawn), (GRID, numbers)):
        codes, known = read(Variable("it", domain), strings(shown))
        for code, here, text in zip(codes.tolist(), known.tolist(), shown, strict=True):
            plain = escaped(text) == text
            assert here == (domain.code(text) is not None and plain)
            assert not here or code == domain.code(text)


@pytest.mark.parametrize("bad", ["", "abcd", "x", "é", None, 7, "\ud800"])
def test_what_the_domain_does_not_hold_is_refused(bad: object) -> None:
    codes = np.array(["a", bad], dtype=np.object_)
    with pytest.raises(DomainError):
        written(Variable("tag", TAG), codes)
