"""Factors hold probabilities as they are written: nothing is rounded, wrapped or made to sum to one."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.floats import added
from tests.small_networks import TOTALS, rows
from worldgen.exact.factors import Factor, FactorError
from worldgen.exact.numbers import read_number

THREE = ("a", "b", "c")


def fractions(*texts: str) -> list[Fraction]:
    return [read_number(text) for text in texts]


@given(st.data(), st.sampled_from(TOTALS), st.integers(1, 10**20))
def test_a_factor_is_its_probabilities(data: st.DataObject, total: int, times: int) -> None:
    table = [data.draw(rows(3, total)) for _ in range(2)]
    factor = Factor("x", THREE, ("y",), table, total)
    for y, row in enumerate(table):
        assert [factor.probability(k, {"y": y}) for k in range(3)] == [Fraction(w, total) for w in row]
    masses = [[Fraction(weight, total) for weight in row] for row in table]
    same = [
        Factor("x", THREE, ("y",), [[times * weight for weight in row] for row in table], times * total),
        Factor.of("x", THREE, masses, ("y",)),
        pickle.loads(pickle.dumps(factor)),
    ]
    for other in same:
        assert other == factor and hash(other) == hash(factor)
        assert (other.total, other.table.tolist()) == (factor.total, factor.table.tolist())
    assert factor.table.dtype == (np.int64 if factor.total < 2**63 - 1 else np.object_)
    assert Factor("x", THREE, ("z",), table, total) != factor


@pytest.mark.parametrize(
    ("masses", "found"),
    [
        (fractions("0.6", "0.7"), "13/10"),
        (fractions("1/2", "1/4"), "3/4"),
        (fractions("0.3333333333333333", "0.6666666666666666"), "9999999999999999/10000000000000000"),
        ([Fraction(48, 100), Fraction(47, 100)], "19/20"),
    ],
)
def test_a_row_that_does_not_sum_to_one_is_refused_with_its_sum(masses: list[Fraction], found: str) -> None:
    with pytest.raises(
        FactorError, match=f"factor 'x': its probabilities sum to {found}, not to 1"
    ) as caught:
        Factor.of("x", ("a", "b"), masses)
    assert caught.value.factor == "x" and caught.value.row == {} and caught.value.row_sum == Fraction(found)


def test_the_row_at_fault_is_named_by_its_parents() -> None:
    table = np.full((2, 3, 2), 5)
    table[1, 2] = [5, 4]
    with pytest.raises(FactorError) as caught:
        Factor("x", ("a", "b"), ("y", "z"), table, 10)
    assert str(caught.value).startswith(
        "factor 'x': its probabilities at y=1, z=2 sum to 9/10, not to 1\n  try: "
    )
    assert caught.value.row == {"y": 1, "z": 2} and caught.value.row_sum == Fraction(9, 10)


def test_decimals_that_sum_to_one_on_paper_are_taken() -> None:
    # As doubles, 0.04 + 0.04 + 0.82 + 0.1 is 0.9999999999999999 (erdogant/bnlearn, issue 60).
    assert added([0.04, 0.04, 0.82, 0.1]) != 1
    factor = Factor.of("x", ("a", "b", "c", "d"), fractions("0.04", "0.04", "0.82", "0.1"))
    assert factor.total == 50 and factor.probability(3, {}) == Fraction(1, 10)


@pytest.mark.parametrize("table", [[0.5, 0.5], np.array([1.0, 1.0]), [True, False], ["1", "1"], [2**63, 0.5]])
def test_weights_are_integers(table: Any) -> None:
    with pytest.raises(TypeError, match="factor 'x': a weight is an integer, not"):
        Factor("x", ("a", "b"), (), table, 2)


@pytest.mark.parametrize("masses", [[0.5, 0.5], [Fraction(1, 2), 0.5]])
def test_probabilities_are_fractions(masses: Any) -> None:
    with pytest.raises(TypeError, match="factor 'x': a probability is a Fraction, not"):
        Factor.of("x", ("a", "b"), masses)


@pytest.mark.parametrize(
    ("table", "total"),
    [
        (np.array([2**63 - 1, 2**63 - 1, 2], dtype=np.int64), 2**64),
        (np.array([2**63, 2**63 - 1, 1], dtype=np.uint64), 2**64),
        ([2**63, 2**63 - 1, 1], 2**64),
        (np.array([100, 100, 56], dtype=np.uint8), 256),
    ],
)
def test_sums_that_would_wrap_are_sums(table: Any, total: int) -> None:
    factor = Factor("x", THREE, (), table, total)
    assert sum(factor.probability(k, {}) for k in range(3)) == 1
    with pytest.raises(FactorError):
        Factor("x", THREE, (), table, total % 2**63 + 1)  # what some wrapped sum would agree with


@pytest.mark.parametrize(
    ("levels", "parents", "table", "total", "message"),
    [
        ((), (), [], 1, "it needs distinct levels"),
        (("a", "a"), (), [1, 1], 2, "it needs distinct levels"),
        (("a", "b"), ("x",), [[1, 1]], 2, "its parents must be distinct, and not itself"),
        (("a", "b"), ("y", "y"), [[[1, 1]]], 2, "its parents must be distinct"),
        (("a", "b"), ("y",), [1, 1], 2, r"its table has shape \(2,\)"),
        (("a", "b"), (), [1, 1, 0], 2, r"its table has shape \(3,\)"),
        (("a", "b"), ("y",), [[1, 1], [3, -1]], 2, "one of its probabilities at y=1 is negative: -1/2"),
        (("a", "b"), (), [0, 0], 0, "its total is 0"),
    ],
)
def test_what_is_no_factor_is_refused(
    levels: tuple[str, ...], parents: tuple[str, ...], table: Any, total: int, message: str
) -> None:
    with pytest.raises(FactorError, match=message):
        Factor("x", levels, parents, table, total)


@pytest.mark.parametrize("name", ["", "node\n", "\0"])
def test_a_name_can_be_printed(name: str) -> None:
    with pytest.raises(FactorError, match="a factor needs a name that can be printed"):
        Factor(name, ("a",), (), [1], 1)


def test_levels_have_codes() -> None:
    factor = Factor("x", THREE, (), [1, 1, 2], 4)
    assert [factor.code(level) for level in THREE] == [0, 1, 2]
    with pytest.raises(FactorError, match="it has no level 'd'") as caught:
        factor.code("d")
    assert caught.value.remedy == "choose from a, b, c"


def test_a_table_cannot_be_changed() -> None:
    weights = np.array([1, 1])
    factor = Factor("x", ("a", "b"), (), weights, 2)
    weights[0] = 2
    assert factor.table.tolist() == [1, 1]
    with pytest.raises(ValueError, match="read-only"):
        factor.table[0] = 2
