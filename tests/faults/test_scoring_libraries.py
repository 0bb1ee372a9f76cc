"""Faults that scoring libraries have had, as inputs with their right values.

Each test names the report of the fault. Left out are those of what we do not compute: calibration error
(torchmetrics #3510, #1646, #1744, DeepTab #428, laya #39, BrowseComp-Plus #18, TrustLens #144), Fisher's test
(fishers_exact_test #60), and temperatures (netcal #13). Those of intervals of a proportion and of McNemar's
test stand in tests/scoring/test_exact_tests.py, beside what defines the right values.
"""

import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from math import inf

import numpy as np
import pytest

from tests.floats import added
from tests.scoring.built import axis_of, fractions, panel_of, truth_of
from worldgen.scoring.accuracy import kernels
from worldgen.scoring.accuracy.leakage import tail, tail_bounds
from worldgen.scoring.accuracy.scores import (
    clipped_divergence,
    expected_brier,
    expected_log_loss,
    ranked_probability_score,
)
from worldgen.scoring.accuracy.selection import retained
from worldgen.scoring.decisions.elementary import elementary_score
from worldgen.scoring.figures.auroc import auroc, auroc_replicates, dense_ranks
from worldgen.scoring.figures.bootstrap import Bootstrap, percentiles, resample
from worldgen.scoring.figures.columns import Column
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.panels.actions import choose
from worldgen.scoring.panels.controllers import DEFER, stances
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.reader import Rejected, Valid, read_probabilities
from worldgen.scoring.reports.tables import Request

ONE, NONE = Fraction(1), Fraction(0)


def area(scores: Sequence[Fraction | str], positive: Sequence[int]) -> Fraction | None:
    """The area under the curve of scores as written."""
    ranks = dense_ranks([Fraction(score) for score in scores]).tolist()
    return auroc(ranks, list(map(bool, positive)), [1] * len(ranks))


@pytest.mark.parametrize("labels", [(1, 1), (0, 0)])
def test_one_class_alone_has_no_area(labels: Sequence[int]) -> None:
    """torchmetrics #2494 answers 0; scikit-learn #30079."""
    assert area(["0.3", "0.9"], labels) is None
    drawn = auroc_replicates(np.array([0, 1]), [np.array(labels, dtype=np.bool_)], np.ones((2, 1)))
    assert np.isnan(drawn).all()


def test_ties_count_as_halves() -> None:
    """scikit-learn #29252, where 1/4 and 1/2 had been expected."""
    assert area(["2", "5", "10", "10"], (1, 0, 0, 1)) == Fraction(3, 8)


@pytest.mark.parametrize(
    ("scores", "positive", "right"),
    [
        (("1e-10", "0", "0"), (1, 0, 0), ONE),
        (("1e-8", "4e-8", "3.5e-8", "8e-8"), (0, 0, 1, 1), Fraction(3, 4)),
        (("0.3", "0.3"), (1, 0), Fraction(1, 2)),
    ],
)
def test_only_equal_scores_tie(scores: Sequence[str], positive: Sequence[int], right: Fraction) -> None:
    """scikit-learn #3864, #6688: closeness was taken for equality."""
    assert area(scores, positive) == right


def test_scores_outside_the_unit_interval_are_scores() -> None:
    """torchmetrics #2819 answers 1/2: it takes them for logits, and large ones saturate."""
    scores = [Fraction(976 + k, 10) for k in range(15)]
    assert area(scores, [int(k != 1) for k in range(15)]) == Fraction(13, 14)


def test_the_area_of_a_slice_does_not_depend_on_its_company() -> None:
    """scipy #26115: a tied pair in one slice changed another slice's p-value."""
    values = (0, 1, 2, 3, 9, 4, 5, 6, 7, 8, 10, 11)
    first = np.array([1.0] * 12)
    tied = np.array([1.0, 0.0, 2.0] * 4)
    label = np.arange(12) < 5
    alone, together = (
        auroc_replicates(np.array(values), [label], np.stack(weights, axis=1))
        for weights in ([first], [first, tied])
    )
    assert alone[0, 0] == together[0, 0] == 1 / 7
    assert auroc(values, label.tolist(), [1] * 12) == Fraction(1, 7)


def test_labels_stand_where_their_probabilities_do() -> None:
    """scikit-learn #30910 sorts the labels but not the columns: a perfect answer loses 36 nats."""
    assert expected_log_loss((ONE, NONE), (ONE, NONE)) == 0
    axis = axis_of(2)
    events = (frozenset({1}), frozenset({0}))  # dog stands before cat on the page
    asked = [
        Request(f"r{i}", str(i), "a", "v", "choice", "chat", ("dog", "cat"), ("dog", "cat"), True, events,
                frozenset({0, 1}), fractions(q), outcome)
        for i, (q, outcome) in enumerate([((1, 0), 0), ((0, 1), 1)])
    ]  # fmt: skip
    verdicts = {f"r{i}": {0: Valid(fractions(p))} for i, p in enumerate([(1, 0), (0, 1)])}
    panel = Panel.of("m", Truth.of("v", asked, axis), verdicts)
    for score in (kernels.expected_log_loss, kernels.realised_log_loss, kernels.realised_brier):
        assert score(panel).values == (NONE, NONE)


def test_log_loss_at_the_ends_is_nothing_or_infinite() -> None:
    """scikit-learn #24365, #24315: NaN once, then 18 nats for a certain miss and more than 0 for a hit."""
    sure, missed = ((ONE, NONE), (NONE, ONE)), ((ONE, NONE), (ONE, NONE))
    outcomes = ((ONE, NONE), (NONE, ONE))
    assert [expected_log_loss(p, q) for p, q in zip(sure, outcomes, strict=True)] == [0, 0]
    assert [expected_log_loss(p, q) for p, q in zip(missed, outcomes, strict=True)] == [0, inf]
    truth = truth_of(axis_of(2), outcomes)
    column = kernels.expected_log_loss(panel_of(truth, missed))
    assert column.infinite.tolist() == [0, 1] and column.valid.all()


def test_log_loss_is_not_clipped() -> None:
    """scikit-learn answers 36.04 from 1e-16 down, scoringrules infinity for 1e-20."""
    tiny = Fraction(1, 10**20)
    loss = expected_log_loss((tiny, 1 - tiny), (ONE, NONE))
    assert abs(Fraction(loss) - Fraction("46.051701859880913680")) < Fraction(1, 10**17)


def test_brier_of_sure_hits_is_nothing_and_the_sum_form_has_no_exception() -> None:
    """scikit-learn #9300: 1 for three sure hits; and its form changes with the number of classes, where ours
    is always the sum over options, twice the half form of two.
    """
    assert expected_brier((ONE, NONE), (ONE, NONE)) == 0
    assert expected_brier(fractions(("0.4", "0.6")), (ONE, NONE)) == 2 * Fraction("0.36")
    assert expected_brier(fractions(("0.5", "0.3", "0.2")), (ONE, NONE, NONE)) == Fraction("0.38")


def test_the_two_brier_conventions_differ_by_two() -> None:
    """MLJBase #146, scikit-learn #22046."""
    said, came = ("0.9", "0.1", "0.2", "0.65", "0.8", "0.7"), (1, 0, 0, 1, 0, 0)
    p = [(Fraction(x), 1 - Fraction(x)) for x in said]
    scores = [expected_brier(x, (Fraction(y), Fraction(1 - y))) for x, y in zip(p, came, strict=True)]
    assert sum(scores, NONE) / 6 == Fraction("0.4375") == 2 * Fraction("0.21875")
    truth = truth_of(axis_of(6), [(y, 1 - y) for y in came], outcomes=[1 - y for y in came])
    panel = panel_of(truth, p)
    assert kernels.expected_brier(panel).values == kernels.realised_brier(panel).values == tuple(scores)


def test_masses_that_do_not_sum_to_one_are_refused_and_never_normalised() -> None:
    """scipy #12553 says that (0.3, 0.3) is no distance from (0.5, 0.5)."""
    assert read_probabilities((("a", "0.3"), ("b", "0.3")), ("a", "b")) == Rejected("simplex sum")
    raw = clipped_divergence(fractions(("0.3", "0.3")), fractions(("0.5", "0.5")))
    assert abs(raw - Fraction("0.510825623765990683")) < Fraction(1, 10**15)


def test_a_divergence_takes_zeros_as_they_are() -> None:
    """torchmetrics #1029: NaN."""
    half = fractions(("0.5", "0.5", 0))
    assert clipped_divergence(half, half) == 0
    assert expected_log_loss(half, fractions(("0.3", "0.3", "0.4"))) == inf
    assert clipped_divergence(half, fractions(("0.3", "0.3", "0.4"))) > 2


def test_the_ranked_probability_score_has_one_scale() -> None:
    """xskillscore #266 clipped at 1 what can be 2; divided by K - 1 it ends at 1."""
    assert ranked_probability_score((ONE, NONE, NONE), (NONE, NONE, ONE)) == 1
    score = ranked_probability_score(fractions(("0.2", "0.5", "0.3")), (NONE, ONE, NONE))
    assert score == Fraction("0.13") / 2


@pytest.mark.parametrize("q", [(), (ONE,)])
def test_a_scale_of_fewer_than_two_levels_is_refused(q: Sequence[Fraction]) -> None:
    with pytest.raises(ValueError, match="at least two options"):
        ranked_probability_score(q, q)


def test_holm_takes_numbers_alone_and_its_bound_is_met() -> None:
    """statsmodels #2899 counts NaN as one of the family; pingouin rejects below the bound, not at it."""
    with pytest.raises(ValueError, match="NaN"):
        holm([Fraction(float("nan"))])
    assert holm([Fraction("0.01"), Fraction("0.04")]) == [Fraction("0.02"), Fraction("0.04")]
    four = holm([Fraction("0.0125"), Fraction("0.5"), Fraction("0.6"), Fraction("0.7")])
    assert four[0] == Fraction("0.05") <= Fraction("0.05")


def test_the_bootstrap_of_a_constant_is_the_constant() -> None:
    """scipy #14351: an error once, now (nan, nan) by its default method."""
    column = Column.of([Fraction(10_000)] * 35)
    ends = percentiles(resample(Bootstrap(axis_of(35)), [column]).macro)
    assert [end.tolist() for end in ends] == [[10_000.0], [10_000.0]]


def test_a_bootstrap_of_one_root_is_that_root() -> None:
    """scipy raises for a single observation."""
    ends = percentiles(resample(Bootstrap(axis_of(1)), [Column.of([Fraction(1, 3)])]).macro)
    assert [end.tolist() for end in ends] == [[1 / 3], [1 / 3]]


def test_a_poisson_binomial_of_certainties_has_no_negative_mass() -> None:
    """poibin #3, #4: -5e-15 and complex numbers from a transform."""
    sure = [ONE] * 100
    assert [tail(sure, s) for s in (0, 10, 11, 100, 101)] == [1, 1, 1, 1, 0]
    low, high = tail_bounds(sure, 100)
    assert 1 - Fraction(1, 10**10) < low <= high == 1


def test_a_small_tail_is_not_one_minus_nearly_one() -> None:
    """scipy's poisson_binom.sf answers 0 for the first and last, and 2e-16 for the second."""
    for trials, successes in ((65, 65), (70, 69), (120, 114)):
        chances = [Fraction(1, 2)] * trials
        low, high = tail_bounds(chances, successes)
        assert NONE < low <= tail(chances, successes) <= high < Fraction(1, 10**18)


def test_risk_and_coverage_do_not_depend_on_the_order_of_ties() -> None:
    """hallmark #63: .583 or .208 by the order of three rows that tie."""
    for errors in set(permutations((1, 0, 0))):
        kept = retained(
            [0, 0, 0, 1], [*map(Fraction, errors), ONE], [1] * 4, [Fraction(1, 4), Fraction(3, 4), ONE]
        )
        risks = [
            found / share for found, share in zip(kept, (Fraction(1, 4), Fraction(3, 4), ONE), strict=True)
        ]
        assert risks == [Fraction(1, 3), Fraction(1, 3), Fraction(1, 2)]


@pytest.mark.parametrize("unit", [100, 1000])
def test_a_report_at_the_threshold_acts_at_every_cost(unit: int) -> None:
    """p >= 1 - c in doubles misses 20 of 99 ties in hundredths and 211 of 999 in thousandths."""
    costs = [Fraction(k, unit) for k in range(1, unit)]
    missed = sum(not (unit - k) / unit >= 1 - k / unit for k in range(1, unit))
    assert missed == {100: 20, 1000: 211}[unit]
    ties = [cost for cost in costs if cost <= Fraction(1, 2)]
    assert all(choose((1 - cost, cost), cost) == 0 for cost in ties)
    truth = truth_of(axis_of(len(ties)), [(Fraction(1, 2),) * 2] * len(ties))
    reported = stances(panel_of(truth, [(1 - cost, cost) for cost in ties]).reported)
    for place, cost in enumerate(ties):
        assert reported.actions(cost)[place, 0] == 0
        assert reported.actions(cost - Fraction(1, 10**6))[place, 0] == DEFER


def test_decimals_that_sum_to_one_are_valid_whatever_floats_say() -> None:
    """Of random two-decimal reports one in eleven has a float sum that is not 1."""
    dice, strange = random.Random(5), 0
    for _ in range(2_000):
        cuts = sorted(dice.sample(range(1, 100), 3))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        texts = [f"0.{part:02d}" for part in parts]
        strange += added(map(float, texts)) != 1
        assert isinstance(read_probabilities(tuple(zip("abcd", texts, strict=True)), "abcd"), Valid)
    assert 100 < strange < 250
    for digits, valid in ((2, False), (3, False), (6, True)):
        thirds = tuple((name, "0." + "3" * digits) for name in "abc")
        assert isinstance(read_probabilities(thirds, "abc"), Valid) == valid


def test_a_permuted_report_scores_the_same() -> None:
    """Sums of squares in floats differ for a quarter of permuted reports: false wins in a sign test."""
    dice, differ = random.Random(6), 0
    for _ in range(200):
        cuts = sorted(dice.sample(range(1, 100), 3))
        p = [Fraction(b - a, 100) for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        order = dice.sample(range(4), 4)
        moved = [p[k] for k in order]
        q = [Fraction(k, 10) for k in (1, 2, 3, 4)]
        assert expected_brier(p, q) == expected_brier(moved, [q[k] for k in order])
        differ += added(float(x) ** 2 for x in p) != added(float(x) ** 2 for x in moved)
    assert differ > 20


def test_an_elementary_score_at_its_threshold_has_two_named_values() -> None:
    """model-diagnostics and scores disagree there: 0 and .35 for p = t = .3 and what came true."""
    p, scores = Fraction("0.3"), []
    for q in (ONE, NONE):
        scores.append([elementary_score(p, q, p, inclusive=side) for side in (True, False)])
    assert scores == [[0, Fraction("0.7")], [Fraction("0.3"), 0]]
