"""Selection against root-by-root loops in fractions, and its replicates against the exact value."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.built import axis_of, panel_of, truth_of
from worldgen.scoring.accuracy.selection import (
    COVERAGES,
    ORDERINGS,
    Candidates,
    retained,
    retained_replicates,
    selection_contrasts,
    selection_measures,
)
from worldgen.scoring.figures.auroc import auroc, auroc_replicates, dense_ranks
from worldgen.scoring.figures.bootstrap import Bootstrap
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.estimates import figures
from worldgen.scoring.panels.actions import ALL_COSTS, best_class, choose, expected_loss, oracle_loss
from worldgen.scoring.panels.panel import Panel
from worldgen.scoring.reports.accounting import Unavailable, Verdict
from worldgen.scoring.reports.reader import Valid

GRID = st.integers(0, 10).map(lambda k: Fraction(k, 10))
ROOT = st.tuples(GRID, st.none() | GRID, st.none() | GRID)
SIZES = (4, 1, 3)
ROOTS = st.lists(ROOT, min_size=8, max_size=8)
HALF = Fraction(1, 2)

Root = tuple[Fraction, Fraction | None, Fraction | None]


def candidates_of(axis: Axis, roots: Sequence[Root]) -> Candidates:
    """Candidates of roots (q, p, p'), None for no report."""
    answers = [(q, 1 - q) for q, _, _ in roots]
    first = panel_of(truth_of(axis, answers), [None if p is None else (p, 1 - p) for _, p, _ in roots])
    second = panel_of(
        truth_of(axis, answers, "binary-choice"), [None if p is None else (p, 1 - p) for _, _, p in roots]
    )
    return Candidates.of(first, second, axis)


def pairs_of(roots: Sequence[Root]) -> list[tuple[Fraction, Fraction, Fraction]]:
    """The roots that have both reports."""
    return [(q, p, other) for q, p, other in roots if p is not None and other is not None]


def kept(axis: Axis, roots: Sequence[Root], ordering: str, coverage: Fraction) -> Fraction:
    """The retained risk by pouring masses, candidate by candidate."""
    strata = [found for part in axis.slices if (found := pairs_of(roots[part]))]
    rows: list[tuple[Fraction, Fraction, Fraction]] = []
    for stratum in strata:
        for q, p, other in stratum:
            mean = (p + other) / 2
            chance = q if mean >= HALF else 1 - q
            key = {
                "disagreement": abs(p - other),
                "confidence": -max(mean, 1 - mean),
                "random": Fraction(0),
                "oracle_excess": max(q, 1 - q) - chance,
            }[ordering]
            rows.append((key, Fraction(1, len(strata) * len(stratum)), 1 - chance))
    lost, left = Fraction(0), coverage
    for key in sorted({key for key, _, _ in rows}):
        tied = [(mass, risk) for each, mass, risk in rows if each == key]
        whole = sum((mass for mass, _ in tied), Fraction(0))
        part = min(Fraction(1), left / whole)
        lost += part * sum((mass * risk for mass, risk in tied), Fraction(0))
        left -= part * whole
    return lost


@given(ROOTS)
def test_exact_losses_are_those_of_pouring_masses(roots: list[Root]) -> None:
    axis = axis_of(*SIZES)
    measures = list(selection_measures(candidates_of(axis, roots), [Fraction(1, 10)]))
    assert bool(measures) == any(None not in root for root in roots)
    for label, value in zip(measures[0].labels, measures[0].exact, strict=True) if measures else ():
        assert label.coverage is not None
        losses = {name: kept(axis, roots, name, label.coverage) for name in ORDERINGS}
        if label.at is None:
            first, second = label.subject.split(" - ")
            assert value == losses[first] - losses[second]
        else:
            assert value == losses[label.subject] + (1 - label.coverage) * label.at


@given(ROOTS)
def test_replicates_of_weight_one_are_the_exact_value(roots: list[Root]) -> None:
    for measure in selection_measures(candidates_of(axis_of(*SIZES), roots)):
        (found,) = measure.of(np.ones((1, 8)))
        exact = [float("nan") if value is None else float(value) for value in measure.exact]
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14)


@given(ROOTS, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_root_that_counts_twice_is_two_roots(roots: list[Root], times: list[int]) -> None:
    """Replicates reselect with their weights: the same as selecting among repeated roots."""
    axis = axis_of(*SIZES)
    repeated = [
        [root for root, n in zip(roots[part], times[part], strict=True) for _ in range(n)]
        for part in axis.slices
    ]
    longer = axis_of(*map(len, repeated))
    drawn = list(selection_measures(candidates_of(longer, [root for part in repeated for root in part])))
    for place, measure in enumerate(selection_measures(candidates_of(axis, roots))):
        (found,) = measure.of(np.array([times], dtype=np.float64))
        if drawn:
            exact = [float("nan") if value is None else float(value) for value in drawn[place].exact]
            np.testing.assert_allclose(found, exact, rtol=0, atol=1e-14)
        else:
            assert np.isnan(found).all()


@given(ROOTS)
def test_regret_is_that_of_the_controller_on_the_mean_report(roots: list[Root]) -> None:
    found = candidates_of(axis_of(*SIZES), roots)
    for cost in ALL_COSTS:
        expected = []
        for q, p, other in pairs_of(roots):
            mean = (p + other) / 2
            loss = expected_loss(choose((mean, 1 - mean), cost), (q, 1 - q), cost)
            expected.append(loss > oracle_loss((q, 1 - q), cost))
        assert found.regrets(cost).tolist() == expected


@given(ROOTS)
def test_the_class_is_that_of_the_controller(roots: list[Root]) -> None:
    found = candidates_of(axis_of(*SIZES), roots)
    for (q, p, other), risk in zip(roots, found.risk.values, strict=True):
        if p is None or other is None:
            assert risk is None
        else:
            mean = (p + other) / 2
            assert risk == expected_loss(best_class((mean, 1 - mean))[0], (q, 1 - q), HALF)


def test_full_coverage_is_the_mean_risk_and_none_is_the_cost() -> None:
    axis = axis_of(2, 1)
    roots: list[Root] = [
        (Fraction(9, 10), Fraction(8, 10), Fraction(6, 10)),
        (Fraction(2, 10), Fraction(7, 10), Fraction(7, 10)),
        (Fraction(3, 10), Fraction(1, 10), Fraction(1, 10)),
    ]
    measure, _ = selection_measures(candidates_of(axis, roots))
    found = {
        (label.subject, label.coverage): value
        for label, value in zip(measure.labels, measure.exact, strict=True)
        if label.at == Fraction(1, 10)
    }
    mean = (Fraction(1, 10) + Fraction(8, 10)) / 4 + Fraction(3, 10) / 2
    for name in ORDERINGS:
        assert found[name, Fraction(0)] == Fraction(1, 10)
        assert found[name, Fraction(1)] == mean
    # Half is retained: the two that agree tie, and each gives two thirds of its mass.
    agreed = Fraction(2, 3) * (Fraction(8, 10) / 4 + Fraction(3, 10) / 2)
    assert found["disagreement", HALF] == agreed + HALF / 10


def test_the_order_within_a_tie_does_not_matter() -> None:
    """Confidences .9, .9, .9, .5 with errors 1, 0, 0, 1: one point for each block of ties."""
    for errors in set(permutations((1, 0, 0))):
        risks = [*map(Fraction, errors), Fraction(1)]
        curve = retained([0, 0, 0, 1], risks, [1] * 4, [Fraction(1, 4), HALF, Fraction(3, 4), Fraction(1)])
        assert curve == [Fraction(1, 12), Fraction(1, 6), Fraction(1, 4), HALF]


@given(st.lists(st.tuples(st.integers(0, 3), GRID, st.integers(0, 4)), min_size=1, max_size=9))
def test_replicates_follow_the_exact_curve(rows: list[tuple[int, Fraction, int]]) -> None:
    ranks, risks, weights = map(list, zip(*rows, strict=True))
    if not sum(weights):
        return
    shares = np.array([weights], dtype=np.float64).T / sum(weights)
    losses = shares * np.array(list(map(float, risks)))[:, None]
    (found,) = retained_replicates(np.array(ranks), losses, shares).T
    alive = [(rank, risk, weight) for rank, risk, weight in rows if weight]
    exact = retained(*map(list, zip(*alive, strict=True)))
    np.testing.assert_allclose(found, list(map(float, exact)), rtol=0, atol=1e-14)


def test_the_first_repeat_with_both_reports_counts() -> None:
    axis = axis_of(1)
    truths = [truth_of(axis, [(Fraction(1, 4), Fraction(3, 4))], name) for name in ("event", "binary-choice")]
    low, high = (Fraction(1, 5), Fraction(4, 5)), (Fraction(9, 10), Fraction(1, 10))
    verdicts: dict[str, dict[int, Verdict]] = {
        "0-event": {0: Unavailable(), 1: Valid(low), 2: Valid(high)},
        "0-binary-choice": {0: Valid(high), 1: Valid(high), 2: Valid(high)},
    }
    panels = [Panel.of("mine", truth, verdicts) for truth in truths]
    assert Candidates.of(panels[0], panels[1], axis).disagreement.values == (Fraction(7, 10),)


def test_panels_of_two_systems_or_of_two_questions_are_refused() -> None:
    axis = axis_of(1)
    truth = truth_of(axis, [(HALF, HALF)])
    wide = truth_of(axis, [(HALF, Fraction(1, 4), Fraction(1, 4))], "canonical")
    with pytest.raises(ValueError, match="are not one system's"):
        Candidates.of(panel_of(truth, [(1, 0)]), panel_of(truth, [(1, 0)], system="other"), axis)
    with pytest.raises(ValueError, match="'canonical' is not answered by yes or no"):
        Candidates.of(panel_of(wide, [(1, 0, 0)]), panel_of(wide, [(1, 0, 0)]), axis)


def test_roots_that_are_not_asked_alike_are_no_candidates() -> None:
    axis = axis_of(2)
    truth = truth_of(axis, [(HALF, HALF)] * 2)
    other = truth_of(axis, [(HALF, HALF), (HALF, Fraction(1, 4), Fraction(1, 4))], "canonical")
    found = Candidates.of(panel_of(truth, [(1, 0)] * 2), panel_of(other, [(1, 0), (1, 0, 0)]), axis)
    assert found.mask.tolist() == found.eligible.tolist() == [True, False]


@given(ROOTS, ROOTS)
def test_systems_are_compared_on_the_roots_that_are_candidates_of_both(
    roots: list[Root], others: list[Root]
) -> None:
    """As if nobody had answered the other roots, replicate by replicate."""
    axis = axis_of(*SIZES)
    pairs = [(one, (one[0], *other[1:])) for one, other in zip(roots, others, strict=True)]
    shared = [None not in one and None not in other for one, other in pairs]
    sides = list(zip(*pairs, strict=True))
    left, right = (candidates_of(axis, side) for side in sides)
    found = list(selection_contrasts(left, replace(right, system="other")))
    alone = []
    for side in sides:
        kept = [root if both else (root[0], None, None) for root, both in zip(side, shared, strict=True)]
        alone.append(list(selection_measures(candidates_of(axis, kept))))
    assert bool(found) == any(shared)
    drawn = np.array([[1] * 8, [2, 0, 1, 1, 3, 0, 0, 3]], dtype=np.float64)
    for measure, one, two in zip(found, *alone, strict=True):
        assert [label.against for label in measure.labels] == ["other"] * len(one.labels)
        assert measure.support.tolist() == shared
        assert measure.exact == tuple(
            None if a is None or b is None else a - b for a, b in zip(one.exact, two.exact, strict=True)
        )
        np.testing.assert_array_equal(measure.of(drawn), one.of(drawn) - two.of(drawn))


def test_without_candidates_there_are_no_measures() -> None:
    axis = axis_of(2)
    for truth in (truth_of(axis, [(HALF, HALF)] * 2), truth_of(axis, [None] * 2)):
        panel = Panel.of("mine", truth, {})
        assert not list(selection_measures(Candidates.of(panel, panel, axis)))


def test_huge_denominators_are_exact() -> None:
    odd, axis = Fraction(1, 3**60), axis_of(2)
    roots: list[Root] = [(HALF + odd, HALF + odd, HALF), (HALF - odd, HALF - odd, HALF - odd)]
    found = candidates_of(axis, roots)
    assert found.disagreement.values == (odd, Fraction(0))
    assert found.risk.values == (HALF - odd, HALF - odd)


@given(ROOTS, st.sampled_from(ALL_COSTS))
def test_regrets_are_those_of_deciding_from_the_mean_report(roots: list[Root], cost: Fraction) -> None:
    found = []
    for q, p, other in roots:
        if p is None or other is None:
            continue
        mean = (p + other) / 2
        risk = 1 - q if mean >= HALF else q
        loss = risk if 1 - max(mean, 1 - mean) <= cost else cost
        found.append(loss > min(cost, q, 1 - q))
    assert candidates_of(axis_of(*SIZES), roots).regrets(cost).tolist() == found


@given(st.lists(st.fractions(-2, 2, max_denominator=60) | st.fractions(), max_size=12))
def test_ranks_are_places_among_sorted_fractions(values: list[Fraction]) -> None:
    assert dense_ranks(values).tolist() == [sorted(set(values)).index(value) for value in values]


def test_a_contrast_is_made_of_what_its_systems_have_drawn() -> None:
    axis = axis_of(*SIZES)
    roots: list[Root] = [(HALF, Fraction(i, 8), Fraction(i, 9)) for i in range(8)]
    left, right = (replace(candidates_of(axis, roots), system=name) for name in "ab")
    singles = [measure.parts for side in (left, right) for measure in selection_measures(side)]
    contrasts = [measure.parts for measure in selection_contrasts(left, right)]
    assert len({part for parts in singles for part in parts}) == 2
    assert {part for parts in contrasts for part in parts} == {part for parts in singles for part in parts}


@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.integers(0, 3)), min_size=1, max_size=10))
def test_auroc_is_the_share_of_pairs_in_order(rows: list[tuple[int, bool, int]]) -> None:
    pairs = [
        (w * v, Fraction((r > s) - (r < s) + 1, 2))
        for r, up, w in rows
        for s, down, v in rows
        if up and not down
    ]
    whole = sum(weight for weight, _ in pairs)
    expected = sum((weight * won for weight, won in pairs), Fraction(0)) / whole if whole else None
    ranks, right, weights = zip(*rows, strict=True)
    assert auroc(ranks, right, weights) == expected
    ((found,),) = auroc_replicates(
        np.array(ranks), [np.array(right)], np.array([weights], dtype=np.float64).T
    )
    np.testing.assert_allclose(found, np.nan if expected is None else float(expected), rtol=0, atol=1e-14)


def test_auroc_of_nothing_is_undefined() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert auroc([], [], []) is None
    assert np.isnan(auroc_replicates(none, [none.astype(np.bool_)], np.zeros((0, 3)))).all()
    assert dense_ranks([]).tolist() == []


def test_figures_of_a_system_with_gaps() -> None:
    """Both intervals, their support, and replicates in which no root has a positive regret."""
    axis = axis_of(12, 12)
    roots: list[Root] = [
        (Fraction(i % 10, 10), Fraction(i * 7 % 11, 10), None if i % 6 == 0 else Fraction(i * 3 % 11, 10))
        for i in range(24)
    ]
    found = figures(selection_measures(candidates_of(axis, roots)), Bootstrap(axis, 300))
    assert len(found) == (len(ORDERINGS) * len(ALL_COSTS) + 2) * len(COVERAGES) + 2 * len(ALL_COSTS)
    assert {(each.valid, each.eligible, each.label.view) for each in found} == {(20, 24, "paired valid")}
    half = next(
        each
        for each in found
        if (each.label.subject, each.label.at, each.label.coverage) == ("disagreement", Fraction(1, 10), HALF)
    )
    assert half.exact == kept(axis, roots, "disagreement", HALF) + HALF / 10
    assert half.slots is not None and half.value is not None
    assert half.slots.low < half.value < half.slots.high
    assert half.slots != half.support
    nothing = [each for each in found if each.label.coverage == 0 and each.label.at is not None]
    ends = [(each.slots.low, each.slots.high) for each in nothing if each.slots is not None]
    assert ends == [(float(each.label.at or 0),) * 2 for each in nothing]


def test_how_many_replicates_are_taken_together_changes_no_bit() -> None:
    axis, random = axis_of(30, 20), np.random.default_rng(0)
    parts = [random.integers(0, 101, 50).tolist() for _ in range(3)]
    hundredths = [[Fraction(k, 100) for k in column] for column in parts]
    roots: list[Root] = list(zip(*hundredths, strict=True))
    for measure in selection_measures(candidates_of(axis, roots)):
        found = [
            np.concatenate([measure.of(weights) for weights in Bootstrap(axis, 300).joint(rows=rows)])
            for rows in (1, 64, 299)
        ]
        assert len({each.tobytes() for each in found}) == 1
