"""Worlds of candidates against the published figures of their design, and their pages against the code."""

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from worldgen import catalog
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.emission.batches import Batcher
from worldgen.spec import cohort_of, read_candidates
from worldgen.worlds.pairs import table
from worldgen.worlds.products import CARRIES, STRUCTURES, median


def page(name: str) -> str:
    return (catalog.worlds()[name].parent / "README.md").read_text(encoding="utf-8")


@cache
def drawn(name: str, seed: int = 1) -> tuple[Roots, list[dict[str, object]]]:
    world = read_candidates(name)
    cohort = cohort_of(world)
    roots = draw_roots(cohort.strata[0], seed, np.arange(world.model.size))
    return roots, Batcher(cohort, 0, seed, "gold").tables(roots)["geometry"].to_pylist()


def hidden(name: str, column: str, seed: int = 1) -> list[str]:
    found: list[str] = drawn(name, seed)[0].hidden[column].tolist()
    return found


def test_the_table_of_pairs_is_what_the_code_makes() -> None:
    shipped = catalog.worlds()["arithmetic"].parent / "pairs.yaml"
    assert shipped.read_text(encoding="utf-8") == table()


@pytest.mark.parametrize("seed", [1, 2])
def test_arithmetic_has_384_items_in_cells_of_16(seed: int) -> None:
    roots, geometry = drawn("arithmetic", seed)
    assert len(roots) == 384
    lengths = [row["length"] for row in geometry]
    assert Counter(lengths) == dict.fromkeys(range(3, 9), 64)
    structure, carry = hidden("arithmetic", "structure", seed), hidden("arithmetic", "carry", seed)
    cells = Counter(zip(lengths, structure, carry, strict=True))
    assert cells == {(n, s, c): 16 for n in range(3, 9) for s in STRUCTURES for c in CARRIES}
    gold = [row["gold"] for row in geometry]
    assert len(set(gold)) == 384


def test_arithmetic_candidates_are_four_leading_digits_by_two() -> None:
    roots, geometry = drawn("arithmetic")
    slots = {slot.name: slot for slot in read_candidates("arithmetic").model.slots}
    for row, slot in zip(geometry, hidden("arithmetic", "slot"), strict=True):
        first, j = slots[slot].positions
        length = slots[slot].length
        # K = (8, 2 for 1 <= k < j, then 1): K(0) = 8 and K(1) = 2.
        assert (first, row["length"]) == (1, length)
        assert row["counts"] == [8, *[2] * (j - 1), *[1] * (length - j + 1)]
        assert row["cartesian"] == 8
        assert row["mean_union"] == str(1 + Fraction(4, length))
        assert "0" not in row["unions"][0]  # type: ignore[index]  # a list
    left, right = (roots.values[name] + 1 for name in ("left", "right"))
    assert [str(product) for product in (left * right).tolist()] == [row["gold"] for row in geometry]


def test_two_fills_an_item_are_768_calls_and_1344_fills() -> None:
    """Where a position has one character it is filled, where it has several it is asked for."""
    unions = [len(union) for row in drawn("arithmetic")[1] for union in row["unions"]]  # type: ignore[attr-defined]  # a list
    assert (len(unions), sum(width > 1 for width in unions)) == (2112, 768)
    assert unions.count(1) == 1344


def test_another_seed_draws_other_products() -> None:
    one, other = ({row["gold"] for row in drawn("arithmetic", seed)[1]} for seed in (1, 2))
    shared = len(one & other)
    assert 16 <= shared < 300


def test_the_page_of_arithmetic_has_the_medians() -> None:
    for length in range(3, 9):
        balanced, unbalanced = (median(length, structure) for structure in STRUCTURES)
        assert f"| {length} | {balanced} | {unbalanced} |" in page("arithmetic")
    for word in ("384", "2,112", "768", "1,344", "1 + 4/L"):
        assert word in page("arithmetic")
