"""Laws over every declared relation: zero on the truth, non-zero off it, never negative, exact."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS, Relation

VARIANTS = {claim for relation in RELATIONS for claim in relation.claims}
subjects = pytest.mark.parametrize("relation", RELATIONS, ids=lambda relation: relation.name)


def exact(events: list[frozenset[int]], condition: frozenset[int], weights: list[int]) -> Aligned:
    """The exact answer, by counting."""
    total = sum(weights[i] for i in condition)
    masses = tuple(Fraction(sum(weights[i] for i in event & condition), total) for event in events)
    return Aligned(tuple(events), condition, masses)


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Aligned]:
    """The exact answers to all twelve variants of one random root with q(B) > 0."""
    categories = draw(st.lists(st.integers(0, 3), min_size=2, max_size=6).filter(lambda c: len(set(c)) > 1))
    n = len(categories)
    atoms = frozenset(range(n))
    weights = draw(st.lists(st.integers(0, 99), min_size=n, max_size=n))
    b = frozenset(draw(st.sets(st.integers(0, n - 1), min_size=1)))
    weights[min(b)] += 1
    names = sorted(set(categories))
    options = [frozenset(i for i in atoms if categories[i] == name) for name in names]
    a = frozenset().union(*options[: len(options) // 2])
    moved = draw(st.permutations(options))
    event = exact([a, atoms - a], atoms, weights)
    canonical = exact(options, atoms, weights)
    answers = {
        "canonical": canonical,
        "event": event,
        "complement": exact([atoms - a, a], atoms, weights),
        "query-b": exact([b, atoms - b], atoms, weights),
        "intersection": exact([a & b, atoms - (a & b)], atoms, weights),
        "conditional": exact([a, atoms - a], b, weights),
        "binary-choice": exact([atoms - a, a], atoms, weights),
        "permutation": exact(moved, atoms, weights),
        "rendering": canonical,
        "opaque-keys": exact(moved[::-1], atoms, weights),
        "metadata": canonical,
        "exact-repeat": event,
    }
    assert set(answers) == VARIANTS
    return answers


def reported(relation: Relation, answers: Mapping[str, Aligned]) -> list[Aligned]:
    return [answers[claim] for claim in relation.claims]


@subjects
@given(answers=worlds())
def test_zero_on_the_exact_posterior(relation: Relation, answers: dict[str, Aligned]) -> None:
    residual = relation.residual(reported(relation, answers))
    assert type(residual) is Fraction
    assert residual == 0
    assert relation.passes(residual)


@subjects
@given(answers=worlds())
def test_some_perturbation_of_the_last_claim_is_seen(relation: Relation, answers: dict[str, Aligned]) -> None:
    *others, last = reported(relation, answers)
    size = len(last.masses)
    corners = [tuple(Fraction(int(i == k)) for i in range(size)) for k in range(size)]
    residuals = [relation.residual([*others, Aligned(last.events, last.given, corner)]) for corner in corners]
    assert any(residual != 0 for residual in residuals)


@subjects
@given(answers=worlds(), data=st.data())
def test_never_negative_and_a_fraction_on_any_reports(
    relation: Relation, answers: dict[str, Aligned], data: st.DataObject
) -> None:
    def disturbed(claim: Aligned) -> Aligned:
        size = len(claim.masses)
        weights = data.draw(st.lists(st.integers(0, 20), min_size=size, max_size=size).filter(any))
        return Aligned(claim.events, claim.given, tuple(Fraction(w, sum(weights)) for w in weights))

    residual = relation.residual([disturbed(claim) for claim in reported(relation, answers)])
    assert type(residual) is Fraction
    assert 0 <= residual <= 1


@subjects
def test_the_tolerance_is_inclusive(relation: Relation) -> None:
    assert relation.passes(relation.tolerance)
    assert not relation.passes(relation.tolerance + Fraction(1, 10**30))


def test_ten_relations_and_nine_primary_ones() -> None:
    assert len({relation.name for relation in RELATIONS}) == 10
    assert [relation.name for relation in RELATIONS if not relation.primary] == ["intersection"]
    assert {
        relation.name: relation.tolerance for relation in RELATIONS if relation.tolerance != Fraction(1, 20)
    } == {"exact-repeat": Fraction(1, 50)}
