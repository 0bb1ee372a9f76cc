"""Alignment, eligibility and the residuals that refuse to compare."""

from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.relations import residuals
from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.declared import RELATIONS, eligibility, relations_among

HALF = Fraction(1, 2)
EVERY = frozenset(range(4))


def about(event: set[int], p: Fraction, condition: frozenset[int] = EVERY) -> Aligned:
    inside = condition & event
    return Aligned((inside, condition - inside), condition, (p, 1 - p))


def test_mass_sums_the_options_inside_an_event() -> None:
    report = Aligned(tuple(frozenset({i}) for i in range(4)), EVERY, tuple(Fraction(i, 6) for i in range(4)))
    assert report.mass({1, 3}) == Fraction(4, 6)
    assert report.mass(()) == 0
    assert report.mass(range(9)) == 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.sets(st.integers(0, 5)))
def test_mass_agrees_with_the_search_over_all_unions_of_options(labels: list[int], event: set[int]) -> None:
    atoms = frozenset(range(len(labels)))
    options = [frozenset(i for i in atoms if labels[i] == label) for label in sorted(set(labels))]
    report = Aligned(tuple(options), atoms, tuple(Fraction(2**k) for k in range(len(options))))
    unions = {
        frozenset().union(*(options[k] for k in chosen)): sum(Fraction(2**k) for k in chosen)
        for chosen in chain.from_iterable(
            combinations(range(len(options)), r) for r in range(len(options) + 1)
        )
    }
    wanted = atoms & event
    if wanted in unions:
        assert report.mass(event) == unions[wanted]
    else:
        with pytest.raises(AlignmentError, match="cuts through"):
            report.mass(event)


def test_an_event_that_cuts_an_option_is_refused() -> None:
    with pytest.raises(AlignmentError, match="atoms 0"):
        about({0, 1}, HALF).mass({0, 2, 3})


def test_outside_given_nothing_is_cut() -> None:
    report = about({0}, Fraction(1, 3), frozenset({0, 1}))
    assert report.mass({0, 2}) == Fraction(1, 3)


def test_an_option_that_cannot_happen_keeps_its_reported_mass() -> None:
    impossible = about({3}, Fraction(1, 4), frozenset({0, 1}))
    assert impossible.mass({3}) == Fraction(1, 4)
    assert impossible.mass({0, 1, 3}) == Fraction(3, 4)


def test_options_and_masses_must_fit() -> None:
    with pytest.raises(AlignmentError, match="1 masses do not fit 2 options"):
        Aligned((EVERY, EVERY), EVERY, (HALF,))


def test_claims_under_different_conditions_are_not_compared() -> None:
    other = about({0}, HALF, frozenset({0, 1}))
    for residual in (residuals.complement, residuals.same_event, residuals.total_variation):
        with pytest.raises(AlignmentError, match="different events"):
            residual([about({0}, HALF), other])
    with pytest.raises(AlignmentError, match="not conditioned on the event B"):
        residuals.product([about({0}, HALF), about({0, 1, 2}, HALF), other])


def test_claims_on_different_partitions_are_not_compared() -> None:
    with pytest.raises(AlignmentError, match="different options"):
        residuals.total_variation([about({0}, HALF), about({1}, HALF)])


@pytest.mark.parametrize(
    ("p", "r", "together", "distance"),
    [
        ("0.5", "0.5", "0.6", "0.1"),
        ("0.8", "0.7", "0.4", "0.1"),
        ("0.8", "0.7", "0.5", "0"),
        ("0.2", "0.3", "0", "0"),
    ],
)
def test_distance_outside_the_frechet_bounds(p: str, r: str, together: str, distance: str) -> None:
    claims = [about({0, 1}, Fraction(p)), about({1, 2}, Fraction(r)), about({1}, Fraction(together))]
    assert residuals.frechet(claims) == Fraction(distance)


def test_eligibility_names_every_claim_that_fails() -> None:
    product = next(relation for relation in RELATIONS if relation.name == "product")
    assert eligibility(product, dict.fromkeys(product.claims, True)) == (True, None)
    reason = "query-b is not asked; conditional is not eligible"
    assert eligibility(product, {"intersection": True, "conditional": False}) == (False, reason)


def test_relations_among_all_variants_are_all_relations() -> None:
    assert relations_among({claim for relation in RELATIONS for claim in relation.claims}) == RELATIONS
    assert relations_among({"canonical"}) == ()
