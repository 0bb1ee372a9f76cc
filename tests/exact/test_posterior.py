"""The posterior of a cell table: int64, Python integers, Fractions and decimals say the same."""

from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.by_hand import agrees
from worldgen.exact.decimals import decimal_of, decimal_posterior, weights_of
from worldgen.exact.distributions import Distribution
from worldgen.exact.errors import ZeroMassError
from worldgen.exact.events import Atoms
from worldgen.exact.numbers import integers
from worldgen.exact.posterior import posterior, posteriors

Cells = list[tuple[int, int]]

HALF = Fraction(1, 2)


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, list[Cells]]:
    """A likelihood denominator, and rows of (count, likelihood numerator) of one width."""
    denominator = draw(st.sampled_from([1, 2, 10, 997]))
    largest = draw(st.sampled_from([1, 99, 2**31, 10**30]))
    cell = st.tuples(st.integers(0, largest), st.integers(0, denominator))
    width = draw(st.integers(1, 6))
    row = st.lists(cell, min_size=width, max_size=width)
    return denominator, draw(st.lists(row, min_size=1, max_size=5))


def by_fractions(cells: Cells, denominator: int) -> list[Fraction] | None:
    """The definition, w_i l_i / sum_j w_j l_j, written out; None where the sum is zero."""
    masses = [count * Fraction(top, denominator) for count, top in cells]
    total = sum(masses, Fraction(0))
    return [mass / total for mass in masses] if total else None


def by_decimals(counts: Sequence[int], likelihoods: Sequence[Fraction]) -> list[Decimal] | None:
    return decimal_posterior(
        [decimal_of(Fraction(count)) for count in counts], [*map(decimal_of, likelihoods)]
    )


@given(tables())
def test_all_paths_to_the_posterior_agree(table: tuple[int, list[Cells]]) -> None:
    denominator, rows = table
    atoms = Atoms(tuple(f"cell {i}" for i in range(len(rows[0]))))
    counts, tops = ([[cell[k] for cell in row] for row in rows] for k in (0, 1))
    largest = max(map(max, counts)) * denominator + denominator
    batch, positive = posteriors(atoms, integers(counts, largest), integers(tops, largest), largest)
    slow, same = posteriors(atoms, integers(counts, 2**80), integers(tops, 2**80), 2**80)
    assert slow.numerators.dtype == np.object_
    assert batch.numerators.tolist() == slow.numerators.tolist()
    assert batch.denominators.tolist() == slow.denominators.tolist()
    assert positive.tolist() == same.tolist()
    for i, row in enumerate(rows):
        expected = by_fractions(row, denominator)
        likelihoods = [Fraction(top, denominator) for _, top in row]
        decimals = by_decimals(counts[i], likelihoods)
        assert positive[i] == (expected is not None) == (decimals is not None)
        if expected is None or decimals is None:
            assert batch.row(i) == Distribution(atoms, (1, *[0] * (len(row) - 1)))
            with pytest.raises(ZeroMassError):
                posterior(atoms, counts[i], likelihoods)
        else:
            assert list(batch.row(i).masses) == expected
            assert posterior(atoms, counts[i], likelihoods) == batch.row(i)
            weights = batch.numerators[i].tolist()
            assert agrees(decimals, weights, int(batch.denominators[i]))
            errors = [abs(Fraction(d) - q) for d, q in zip(decimals, expected, strict=True)]
            assert max(errors) < Fraction(1, 10**66)
            whole = weights_of(decimals)
            assert all(isinstance(weight, int) for weight in whole)
            places = [Fraction(w) / Fraction(d) for w, d in zip(whole, decimals, strict=True) if d]
            assert len(set(places)) == 1
            assert [weight > 0 for weight in whole] == [mass > 0 for mass in expected]


@pytest.mark.parametrize(("largest", "kind"), [((2**63 - 2) // 2, np.int64), (2**62, np.object_)])
def test_int64_is_used_exactly_where_totals_are_proved_to_fit(largest: int, kind: type) -> None:
    atoms = Atoms(("a", "b"))
    batch, _ = posteriors(atoms, integers([[largest] * 2], largest), integers([[1, 1]], 2), largest)
    assert batch.numerators.dtype == kind
    assert batch.denominators.tolist() == [2 * largest]


def test_a_row_without_mass_leaves_its_neighbours_alone() -> None:
    atoms = Atoms(("a", "b"))
    counts, tops = np.array([[1, 3], [5, 0], [2, 2]]), np.array([[1, 1], [0, 1], [0, 1]])
    batch, positive = posteriors(atoms, counts, tops, 5)
    assert positive.tolist() == [True, False, True]
    assert batch.numerators.tolist() == [[1, 3], [1, 0], [0, 2]]
    assert batch.denominators.tolist() == [4, 1, 2]
    assert (counts.tolist(), tops.tolist()) == ([[1, 3], [5, 0], [2, 2]], [[1, 1], [0, 1], [0, 1]])


def test_no_counts_at_all_have_no_decimal_posterior() -> None:
    assert by_decimals((0, 0), (HALF, HALF)) is None
    assert by_decimals((3, 0), (Fraction(0), HALF)) is None


def test_decimals_are_the_same_in_any_decimal_context() -> None:
    with localcontext(prec=1):
        found = by_decimals((1, 2), (HALF, HALF))
        assert found is not None
        assert [str(mass)[:6] for mass in found] == ["0.3333", "0.6666"]
        assert agrees(found, weights_of(found), sum(weights_of(found)))


def test_a_cell_of_almost_no_mass_keeps_a_weight() -> None:
    found = by_decimals((1, 1), (Fraction(1, 10**400), HALF))
    assert found is not None
    small, large = weights_of(found)
    assert small > 0 and abs(Fraction(small, large) * 10**400 / 2 - 1) < Fraction(1, 10**66)


def test_a_slip_in_one_cell_is_seen() -> None:
    decimals = by_decimals((1, 3), (HALF, HALF))
    assert decimals is not None
    assert agrees(decimals, (1, 3), 4)
    assert not agrees(decimals, (3, 1), 4)
