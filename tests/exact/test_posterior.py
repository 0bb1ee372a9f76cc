"""The posterior of a cell table: int64, Python integers, Fractions and decimals say the same."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.decimals import agrees, decimal_posterior
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
        decimals = decimal_posterior(counts[i], likelihoods)
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
    assert decimal_posterior((0, 0), (HALF, HALF)) is None
    assert decimal_posterior((3, 0), (Fraction(0), HALF)) is None


@given(st.integers(0, 10**18), st.integers(1, 10**18), st.sampled_from([-1, 1]))
def test_agreement_ends_just_beyond_its_bound(top: int, bottom: int, side: int) -> None:
    wide = Context(prec=100)
    exact = wide.divide(Decimal(top), Decimal(bottom))
    inside, outside = Decimal("0.999e-15"), Decimal("1.001e-15")
    assert agrees([wide.add(exact, side * inside)], [top], bottom)
    assert not agrees([wide.add(exact, side * outside)], [top], bottom)


def test_agreement_is_inclusive_and_the_same_in_any_decimal_context() -> None:
    beyond = Decimal("1.04e-15")
    with localcontext(prec=1):
        assert agrees([Decimal("1e-15")], [0], 1)
        assert not agrees([beyond], [0], 1)
        assert [str(mass)[:6] for mass in decimal_posterior((1, 2), (HALF, HALF)) or ()] == [
            "0.3333",
            "0.6666",
        ]


def test_a_slip_in_one_cell_is_seen() -> None:
    decimals = decimal_posterior((1, 3), (HALF, HALF))
    assert decimals is not None
    assert agrees(decimals, (1, 3), 4)
    assert not agrees(decimals, (3, 1), 4)
