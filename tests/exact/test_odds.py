"""Bayes' rule in odds, row by row as by its definition, and faults of every kind in a posterior."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.distributions import Posteriors
from worldgen.exact.events import Atoms
from worldgen.exact.numbers import Integers, integers
from worldgen.exact.odds import unconfirmed
from worldgen.exact.posterior import posteriors

ATOMS = Atoms(("a", "b", "c"))
Row = Sequence[int]


def stands(masses: Row, whole: int, counts: Row, tops: Row, bottoms: Row) -> bool:
    """Whether a row is the posterior of its table, by the definition, in fractions."""
    joint = [count * Fraction(top, bottom) for count, top, bottom in zip(counts, tops, bottoms, strict=True)]
    evidence = sum(joint)
    return whole > 0 < evidence and [Fraction(m, whole) for m in masses] == [j / evidence for j in joint]


small, large = st.integers(0, 3), st.integers(0, 2**40)
counts = st.tuples(small, small, small) | st.tuples(large, large, large)
bottoms = st.tuples(*[st.integers(1, 4)] * 3) | st.tuples(*[st.sampled_from([1, 10, 997, 2**31])] * 3)
slips = st.tuples(st.integers(0, 3), st.sampled_from([0, 0, 0, 1, -1, 2**62, -(2**63)]))


@given(st.lists(st.tuples(counts, counts, bottoms, st.integers(1, 9), slips), max_size=5))
def test_a_row_stands_where_it_does_by_the_definition(
    rows: list[tuple[Row, Row, Row, int, tuple[int, int]]],
) -> None:
    """The masses are the right ones times a number, and then one of them, or the total, slips."""
    found: list[list[int]] = []
    for weights, tops, wholes, times, (place, slip) in rows:
        right = [w * t * (2**31 * 997 * 60 // b) for w, t, b in zip(weights, tops, wholes, strict=True)]
        row = [times * mass for mass in (*right, sum(right))]
        row[place] += slip
        found.append(row)
    made = integers(found, max((abs(part) for row in found for part in row), default=0) + 1).reshape(-1, 4)
    tables = [integers([row[k] for row in rows], 2**41).reshape(-1, 3) for k in range(3)]
    expected = [
        row
        for row, (masses, (w, t, b, _, _)) in enumerate(zip(found, rows, strict=True))
        if not stands(masses[:3], masses[3], w, t, b)
    ]
    assert unconfirmed(Posteriors(ATOMS, made[:, :3], made[:, 3]), *tables) == expected


def some(n: int = 50) -> tuple[Integers, Integers, Integers]:
    """Counts, and likelihoods in tenths."""
    draw = np.random.default_rng(5)
    return draw.integers(1, 99, (n, 3)), draw.integers(1, 10, (n, 3)), np.full((n, 3), 10)


FAULTS = {
    "another sum": lambda t, b: (t, b + 1),
    "all of it twice, but not the sum": lambda t, b: (t * 2, b),
    "the cells in another order": lambda t, b: (t[:, ::-1], b),
    "the table of the next row": lambda t, b: (np.roll(t, 1, axis=0), np.roll(b, 1)),
    "no evidence": lambda t, b: (t * 0 + 1, b * 0 + 3),
    "the likeliest cell alone": lambda t, b: ((t == t.max(axis=1, keepdims=True)) * b[:, None], b),
    "nothing": lambda t, b: (t * 0, b * 0),
    "nothing over something": lambda t, b: (t * 0, b),
    "all negative": lambda t, b: (-t, -b),
    "one mass too little, one too much": lambda t, b: (t + np.array([1, -1, 0]), b),
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("kind", [np.int64, np.object_])
def test_a_fault_in_every_row_is_seen_in_every_row(fault: str, kind: type) -> None:
    weights, tops, bottoms = some()
    right, _ = posteriors(ATOMS, weights, tops, 99 * 10)
    assert unconfirmed(right, weights, tops, bottoms) == []
    found, wholes = FAULTS[fault](right.numerators.astype(kind), right.denominators.astype(kind))
    assert unconfirmed(Posteriors(ATOMS, found, wholes), weights, tops, bottoms) == [*range(50)]


@pytest.mark.parametrize("shift", [60, 61, 62, 63, 64])
def test_a_posterior_that_wrapped_is_seen(shift: int) -> None:
    """The fast path is promised a bound, and here the promise is broken. Modulo 2**64 all odds are kept."""
    weights = np.array([[3 << shift, 5 << shift, 7 << shift]], dtype=np.object_)
    wrapped = np.array([[int(w) % 2**64 for w in weights[0]]], dtype=np.uint64).astype(np.int64)
    ones = np.ones((1, 3), dtype=np.int64)
    found = Posteriors(ATOMS, wrapped, wrapped.sum(axis=1))
    assert unconfirmed(found, weights, ones, ones) == [0]
    assert unconfirmed(found, np.array([[3, 5, 7]]), ones, ones) == [0]


@pytest.mark.parametrize(
    ("masses", "whole", "count"),
    [
        ([2**62] * 4, 0, 1),  # the masses sum to 2**64
        ([1, 1 - 2**62, 1, 1], 4 - 2**62, 4),  # four times the second is 4 - 2**64
        ([1, 1, 1, 1], 4 - 2**63, 2),
    ],
)
def test_what_is_right_modulo_a_word_only_is_seen(masses: list[int], whole: int, count: int) -> None:
    found = Posteriors(Atoms(("a", "b", "c", "d")), np.array([masses]), np.array([whole]))
    ones = np.ones((1, 4), dtype=np.int64)
    assert unconfirmed(found, ones * count, ones, ones) == [0]


def test_a_table_without_mass_has_no_posterior() -> None:
    batch, positive = posteriors(ATOMS, np.array([[1, 2, 3]]), np.zeros((1, 3), dtype=np.int64), 3)
    assert not positive.any()
    zeros, ones = np.zeros((1, 3), dtype=np.int64), np.ones((1, 3), dtype=np.int64)
    assert unconfirmed(batch, np.array([[1, 2, 3]]), zeros, ones) == [0]
