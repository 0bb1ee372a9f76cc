"""Elimination is the sum of the products, in Python integers, on every rung of the arithmetic."""

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact import elimination
from worldgen.exact.elimination import Table, arithmetic, eliminate, elimination_order, exactly, multiply
from worldgen.exact.networks import TooLargeError

SIZES = {"a": 1, "b": 2, "c": 3, "d": 5, "e": 20}
BOUNDS = [1, 100, 2**12, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**64 - 1, 2**64, 10**30, 10**40]


@st.composite
def tables(draw: st.DrawFn, among: Sequence[str] = tuple(SIZES)) -> Table:
    """A table over some of the variables, many entries of which are zero or the bound itself."""
    names = tuple(draw(st.lists(st.sampled_from(among), max_size=4, unique=True))) if among else ()
    bound = draw(st.sampled_from(BOUNDS))
    sizes = [SIZES[name] for name in names]
    few = draw(st.lists(st.integers(0, bound), min_size=1, max_size=8))
    seed = draw(st.integers(0, 2**32))
    values = np.array([0, bound, *few] if draw(st.booleans()) else [0], dtype=np.object_)
    picked = np.random.default_rng(seed).integers(0, len(values), size=sizes)
    found = values[picked] if sizes else np.array(values[int(picked)], dtype=np.object_)
    return Table(names, found.astype(np.int64) if bound < 2**63 else found, bound)


def literal(given: list[Table], keep: list[str]) -> dict[tuple[int, ...], int]:
    """The definition: every assignment, one product, added up."""
    names = [*keep, *sorted({name for table in given for name in table.names} - {*keep})]
    found = dict.fromkeys(product(*(range(SIZES[name]) for name in keep)), 0)
    for codes in product(*(range(SIZES[name]) for name in names)):
        at = dict(zip(names, codes, strict=True))
        entries = (table.values[tuple(at[name] for name in table.names)] for table in given)
        found[codes[: len(keep)]] += prod(map(int, entries))
    return found


@given(st.lists(tables(), min_size=1, max_size=4), st.sets(st.sampled_from(sorted(SIZES))))
def test_elimination_is_the_sum_of_the_products(given: list[Table], wanted: set[str]) -> None:
    keep = sorted(wanted)
    found = eliminate(given, keep)
    present = {name for table in given for name in table.names}
    assert found.names == tuple(name for name in keep if name in present)
    expected = literal(given, keep)
    spread = np.broadcast_to(found.along(keep), [SIZES[name] for name in keep])
    assert {codes: int(spread[codes]) for codes in expected} == expected
    assert max(expected.values()) <= found.bound
    assert found.integers.dtype == (np.int64 if found.bound < 2**63 else np.object_)


@pytest.mark.parametrize("bound", [2**24, 2**53, 2**63, 2**64 - 1])
def test_the_sums_that_bound_a_result_do_not_wrap(bound: int) -> None:
    wide = Table(("e", "d"), np.ones((20, 5), dtype=np.int64), 1)
    full = Table(("d",), np.array([bound] * 5, dtype=np.object_), bound)
    assert eliminate([wide, full], ["e"]).integers.tolist() == [5 * bound] * 20


def test_nothing_times_the_largest_is_nothing() -> None:
    """A weight of zero bounds the result by zero, and not the numbers on the way there."""
    large = Table(("e", "d"), np.full((20, 5), 10**40, dtype=np.object_), 10**40)
    none = Table(("d",), np.zeros(5, dtype=np.int64), 1)
    assert eliminate([large, none], ["e"]).integers.tolist() == [0] * 20


@pytest.mark.parametrize("bound", [2**24, 2**53, 2**64 - 1])
def test_every_rung_holds_its_last_number_and_not_the_next(bound: int) -> None:
    kind = arithmetic(bound)
    for value in (bound - 1, bound):
        assert int(np.array([value - 1], dtype=kind)[0] + np.array([1], dtype=kind)[0]) == value
    assert arithmetic(bound + 1) is not kind


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.uint64, np.object_])
def test_integers_move_between_the_types_unchanged(kind: type[np.generic]) -> None:
    values = np.array([0, 1, 2**24], dtype=kind)
    for other in (np.float32, np.float64, np.uint64, np.object_):
        assert [int(value) for value in exactly(values, other)] == [0, 1, 2**24]
    assert {type(value) for value in exactly(values, np.object_)} == {int}


def test_large_tables_are_summed_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(5)
    table = Table(("c", "d", "e"), generator.integers(0, 99, size=(3, 5, 20)), 99)
    weights = Table(("c", "e"), generator.integers(0, 99, size=(3, 20)), 99)
    whole = eliminate([table, weights], ["c", "d"])
    monkeypatch.setattr(elimination, "_BLOCK", 20)
    parts = eliminate([table, weights], ["c", "d"])
    assert whole.values.tolist() == parts.values.tolist()
    assert parts.values.tolist() == np.einsum("cde,ce->cd", table.values, weights.values).tolist()


def test_leaves_are_summed_out_before_what_they_depend_on() -> None:
    sizes = {"root": 3, "leaf": 3, "other": 3}
    scopes = [("root",), ("root", "leaf"), ("root", "leaf", "other")]
    assert elimination_order(scopes, sizes, ["other"]) == ["leaf", "root"]
    assert elimination_order(scopes, {**sizes, "root": 4}, []) == ["root", "leaf", "other"]


def test_a_product_too_large_is_refused_before_it_is_made() -> None:
    long = [Table((name,), np.ones(10**4, dtype=np.int64), 1) for name in ("x", "y", "z")]
    with pytest.raises(TooLargeError, match="a table over x, y, z: 1,000,000,000,000 entries"):
        multiply(long, ["x", "y", "z"])
    with pytest.raises(TooLargeError, match="a table over x, y, z"):
        eliminate(long, ["x", "y", "z"])
    assert eliminate(long, []).integers.tolist() == 10**12


def test_a_product_of_nothing_is_one() -> None:
    assert multiply([], []).values.tolist() == eliminate([], []).values.tolist() == 1
