"""Confidence of completed strings, and weights under which lengths count alike."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.figures.auroc import auroc
from worldgen.scoring.retention.confidence import common_length, confidence, weighted_mean

STEPS = st.lists(st.tuples(*[st.fractions(0, 1, max_denominator=9)] * 2).map(sorted), min_size=1, max_size=8)


@given(STEPS)
def test_scores_of_a_string_are_ordered_and_the_mean_is_a_root_of_the_product(
    steps: list[list[Fraction]],
) -> None:
    found = confidence([low for low, _ in steps], [high for _, high in steps])
    assert found is not None
    product_of_all = Fraction(1)
    for low, _ in steps:
        product_of_all *= low
    assert found.product == product_of_all and found.minimum_top == min(high for _, high in steps)
    assert abs(float(found.geometric_mean) ** len(steps) - float(product_of_all)) < 1e-12
    assert found.product <= found.geometric_mean <= 1


@given(st.lists(st.fractions(0, 1, max_denominator=9), min_size=1, max_size=6), st.integers(1, 6))
def test_ties_of_geometric_means_are_exact_where_they_are_rational(
    masses: list[Fraction], length: int
) -> None:
    found = confidence([masses[0]] * length, [Fraction(1)] * length)
    assert found is not None and found.geometric_mean == masses[0]


def test_steps_that_report_nothing_have_no_confidence() -> None:
    assert confidence([], []) is None
    for chosen, top in (
        (Fraction(3, 4), Fraction(1, 2)),
        (Fraction(-1), Fraction(1)),
        (Fraction(1), Fraction(2)),
    ):
        with pytest.raises(ValueError, match="between 0 and 1"):
            confidence([chosen], [top])


@given(st.lists(st.integers(3, 6), min_size=1, max_size=12), st.data())
def test_a_common_mixture_weighs_lengths_alike(lengths: list[int], data: st.DataObject) -> None:
    weights = common_length(lengths)
    sums = {n: sum(w for w, here in zip(weights, lengths, strict=True) if here == n) for n in lengths}
    assert len(set(sums.values())) == 1 and min(weights) >= 1
    right = data.draw(st.lists(st.booleans(), min_size=len(lengths), max_size=len(lengths)))
    shares = [
        Fraction(sum(r for r, here in zip(right, lengths, strict=True) if here == n), lengths.count(n))
        for n in sums
    ]
    assert weighted_mean([Fraction(r) for r in right], weights) == sum(shares, Fraction(0)) / len(shares)
    area = auroc(list(range(len(lengths))), right, weights)
    assert (area is None) == (len(set(right)) == 1)


def test_weights_of_nothing_have_no_mean() -> None:
    assert common_length([]) == () and weighted_mean([], []) is None
