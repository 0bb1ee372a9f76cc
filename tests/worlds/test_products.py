"""Products: pools, cells and carries, against schoolbook multiplication written another way."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.errors import DomainError
from worldgen.exact.permutations import distinct
from worldgen.exact.streams import Stream
from worldgen.worlds.products import CARRIES, LONGEST, POOL, SHORTEST, STRUCTURES, bank, median, pools
from worldgen.worlds.schoolbook import worked

NUMBERS = st.integers(1, 10**9)
LENGTHS = range(SHORTEST, LONGEST + 1)


def carries(left: int, right: int) -> tuple[list[list[int]], list[int]]:
    """The carries of each row and of the final addition, each as a quotient of whole numbers: the carry out
    of the lowest k digits of a sum is what they exceed 10**k by, in units of it.
    """
    digits = [int(digit) for digit in reversed(str(right))]
    places = len(str(left))
    rows = [[digit * (left % 10**k) // 10**k for k in range(1, places + 1)] for digit in digits]
    partial = [digit * left * 10**shift for shift, digit in enumerate(digits)]
    columns = len(digits) + places
    return rows, [sum(one % 10**k for one in partial) // 10**k for k in range(1, columns + 1)]


@given(NUMBERS, NUMBERS)
def test_schoolbook_carries_are_quotients(left: int, right: int) -> None:
    done = worked(str(left), str(right))
    rows, sums = carries(left, right)
    assert done.product == str(left * right)
    assert [list(row) for row in done.rows] == rows
    assert list(done.sums) == sums
    assert done.multiplication_carries == sum(carry > 0 for row in rows for carry in row)
    assert done.addition_carries == sum(carry > 0 for carry in sums)


def test_chains_are_reset_between_rows() -> None:
    # 99 x 11: neither row carries, the addition 99 + 990 carries out of tens and hundreds.
    done = worked("99", "11")
    assert (done.multiplication_carries, done.sums, done.longest_chain) == (0, (0, 1, 1, 0), 2)
    # 19 x 22: each row carries once, so the longest chain is of one carry.
    done = worked("19", "22")
    assert (done.multiplication_carries, done.longest_chain) == (2, 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_pools_hold_what_they_promise(length: int) -> None:
    pool = pools(length)
    products = [left * right for pairs in pool.values() for left, right in pairs]
    assert len(set(products)) == len(products) == 2 * POOL
    assert {len(str(one)) for one in products} == {length}
    for structure, pairs in pool.items():
        gaps = {abs(len(str(left)) - len(str(right))) for left, right in pairs}
        assert max(gaps) <= 1 if structure == "balanced" else min(gaps) >= 2
        assert min(min(pair) for pair in pairs) > 1
        middle = median(length, structure)
        counts = [worked(*map(str, pair)).carries for pair in pairs]
        assert sum(count < middle for count in counts) <= POOL // 2 >= sum(count > middle for count in counts)


@pytest.mark.parametrize("length", LENGTHS)
def test_test_and_development_share_no_product_and_no_operands(length: int) -> None:
    cells = [(structure, carry) for structure in STRUCTURES for carry in CARRIES]
    test, development = (
        [pair for cell in cells for pair in bank(length, *cell, split)] for split in ("test", "development")
    )
    assert len(test) + len(development) == 2 * POOL
    assert not {a * b for a, b in test} & {a * b for a, b in development}
    assert not {frozenset(pair) for pair in test} & {frozenset(pair) for pair in development}
    assert all(len(bank(length, *cell, split)) >= 16 for cell in cells for split in ("test", "development"))


@given(st.integers(1, 30), st.integers(0, 30), st.integers(0, 3))
def test_distinct_draws_every_value_at_most_once(size: int, count: int, attempt: int) -> None:
    found = distinct(Stream.named(3, "deck"), attempt, size, min(count, size))
    assert len(set(found)) == len(found) == min(count, size)
    assert set(found) <= set(range(size))


def test_more_distinct_values_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(DomainError, match="nothing can be drawn from 0 values"):
        distinct(Stream.named(3, "deck"), 0, 2, 3)


def test_every_list_of_distinct_values_is_as_likely() -> None:
    found = Counter(tuple(distinct(Stream.named(seed, "deck"), 0, 4, 2)) for seed in range(2400))
    assert len(found) == 12
    assert all(abs(count - 200) < 75 for count in found.values())
    assert np.array(list(found.values())).sum() == 2400
