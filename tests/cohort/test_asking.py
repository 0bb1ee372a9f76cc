"""How options are displayed: permutations, labels and letters, each drawn from its own stream."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations as orders
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.asking import asking_of, fixed_asking, state_of
from worldgen.cohort.presenting import arranged, distinct_keys
from worldgen.cohort.variants import BY_NAME, refusal
from worldgen.exact.domains import Identifiers, Numbers
from worldgen.exact.permutations import permutations
from worldgen.faults import SpecError
from worldgen.renderers.encodings import shipped
from worldgen.spec import cohort_of, read_world
from worldgen.worlds.base import Streams, World
from worldgen.worlds.cells import CellWorld
from worldgen.worlds.parts import Cell, Drawn

STREAMS = Streams(5, "world", "stratum")


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_ranks_name_permutations_in_lexicographic_order(width: int) -> None:
    found = permutations(np.arange(factorial(width)), width)
    assert list(map(tuple, found.tolist())) == list(orders(range(width)))


def test_wide_permutations_need_ranks_beyond_int64() -> None:
    ranks = np.array([0, factorial(30) - 1], dtype=np.object_)
    assert permutations(ranks, 30).tolist() == [list(range(30)), list(range(30))[::-1]]


def test_a_permuted_order_is_never_the_canonical_one_and_the_others_are_alike() -> None:
    found = Counter(map(tuple, arranged("permuted", STREAMS, "order", np.arange(5000), 3).tolist()))
    assert set(found) == set(orders(range(3))) - {(0, 1, 2)}
    assert all(850 < count < 1150 for count in found.values())


@given(st.integers(0, 10**6), st.integers(1, 12))
def test_opaque_keys_of_a_root_are_distinct(index: int, width: int) -> None:
    keys = distinct_keys(STREAMS, "keys", np.array([index]), width)[0].tolist()
    assert len(set(keys)) == width


def test_keys_stay_distinct_where_all_of_them_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("worldgen.cohort.presenting.OPAQUE", Identifiers("ab", 1, 2))
    found = distinct_keys(STREAMS, "keys", np.arange(300), 6).tolist()
    assert all(sorted(row) == ["a", "aa", "ab", "b", "ba", "bb"] for row in found)
    assert len(set(map(tuple, found))) > 200


def test_order_and_letters_are_independent_draws() -> None:
    cohort = replace(cohort_of(read_world("noisy-sensor"), ["canonical"]), wire="chat")
    both = replace(BY_NAME["permutation"], name="both", ids="permuted")
    state = state_of(cohort.strata[0], both)
    shown = fixed_asking(cohort, cohort.strata[0], both, state).present(STREAMS, np.arange(4000))
    letters = [
        "".join(letter for _, letter in sorted(zip(order, ids, strict=True)))
        for order, ids in zip(shown.order.tolist(), np.array(shown.labels)[shown.label], strict=True)
    ]
    pairs = Counter(zip(map(tuple, shown.order.tolist()), letters, strict=True))
    assert {letter for _, letter in pairs} == {"".join(order) for order in orders("ABCD")} - {"ABCD"}
    assert len(pairs) > 500  # of 23 * 23 = 529 pairs that are possible, 4,000 draws leave about 0.3 out


@pytest.mark.parametrize("wire", ["systemone", "chat"])
def test_a_question_of_more_options_than_a_wire_carries_is_refused_as_a_spec(wire: str) -> None:
    def world(count: int) -> World:
        names = tuple(f"c{i}" for i in range(count))
        one = Drawn(Numbers((Fraction(1),)))
        cells = tuple(Cell((name,), name, one, one) for name in names)
        return CellWorld("wide", "A draw.", {"a": names}, names, cells, {}, shipped())

    assert cohort_of(world(255), ["canonical"], wire=wire).variants == ("canonical",)
    with pytest.raises(SpecError, match="256 categories, and a question 255 options"):
        cohort_of(world(256), ["canonical"], wire=wire)


@pytest.mark.parametrize("wire", ["systemone", "chat"])
def test_a_world_may_not_name_its_metadata_as_questions_name_theirs(wire: str) -> None:
    world = read_world("noisy-sensor")
    cohort, shown = cohort_of(world, wire=wire), set(world.view.names)
    for variant in BY_NAME.values():
        if refusal(variant, wire, world, "joined-tables") is None:
            for variable in asking_of(cohort, cohort.strata[0], variant).plan.variables:
                if variable.name not in shown:
                    with pytest.raises(SpecError, match="the name of a variable of questions"):
                        replace(world, metadata=(variable,))
