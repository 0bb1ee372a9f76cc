"""Figures: value, intervals and support of every kind of measure."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from tests.scoring.built import axis_of, random_columns
from worldgen.scoring.figures.bootstrap import Bootstrap, Doubles, percentiles, resample
from worldgen.scoring.figures.columns import Column
from worldgen.scoring.figures.estimates import Interval, figures
from worldgen.scoring.figures.measures import Label, Mean, Ratio, Weighted, contrast

LABEL = Label("accuracy", "metric", "event", "mine", "natively valid")


def mean(column: Column) -> Mean:
    """A measure on all roots."""
    return Mean(LABEL, column, np.ones(len(column.valid), dtype=np.bool_))


def infinite(*signs: int) -> Column:
    """A column of infinities and ones."""
    ones, marks = np.ones(len(signs), dtype=np.int64), np.array(signs, dtype=np.int8)
    return Column.ratio(ones, ones, np.ones(len(signs), dtype=np.bool_), marks)


def test_a_mean_says_what_it_stands_on() -> None:
    axis = axis_of(3, 2, 2)
    column = Column.of([Fraction(1, 3), None, Fraction(1), None, None, Fraction(0), Fraction(1, 2)])
    whole, *strata = figures([mean(column)], Bootstrap(axis, 200))
    assert (whole.exact, whole.value) == (Fraction(11, 24), 11 / 24)
    assert (whole.valid, whole.eligible, whole.infinite, whole.empty) == (4, 7, 0, ("b",))
    assert whole.emptied == strata[0].emptied > 0
    assert [each.stratum for each in strata] == ["a", "b", "c"]
    assert [each.exact for each in strata] == [Fraction(2, 3), None, Fraction(1, 4)]
    assert [(each.valid, each.eligible) for each in strata] == [(2, 3), (0, 2), (2, 2)]
    assert (strata[1].value, strata[1].slots, strata[1].support, strata[1].emptied) == (None, None, None, 0)


def test_the_two_intervals_are_those_of_the_two_ways_to_draw() -> None:
    axis = axis_of(40, 30)
    bootstrap, columns = Bootstrap(axis, 300), random_columns(axis, 9)
    found = figures(map(mean, columns), bootstrap, by_stratum=False)
    for support in (False, True):
        low, high = percentiles(resample(bootstrap, columns, support=support).macro)
        ends = [Interval(*pair) for pair in zip(low.tolist(), high.tolist(), strict=True)]
        assert [each.support if support else each.slots for each in found] == ends
    assert all(each.slots == each.support for each in found if each.valid == 70)
    assert any(each.slots != each.support for each in found)


def test_the_number_of_measures_changes_no_figure() -> None:
    """More columns than are drawn at once come out as one by one."""
    axis = axis_of(12, 9)
    columns, bootstrap = random_columns(axis, 200), Bootstrap(axis, 40)
    together = figures(map(mean, columns), bootstrap)
    assert together == [figure for column in columns for figure in figures([mean(column)], bootstrap)]


def test_an_infinite_value_makes_its_means_infinite() -> None:
    whole, first, second = figures([mean(infinite(1, 0, 0))], Bootstrap(axis_of(2, 1), 100))
    assert (whole.value, whole.exact, whole.infinite) == (float("inf"), None, 1)
    assert (first.value, second.value, second.exact) == (float("inf"), 1.0, Fraction(1))
    assert whole.slots is not None and whole.slots.high == float("inf") and whole.slots.low == 1.0


def test_infinities_of_both_signs_are_undefined() -> None:
    whole, *_ = figures([mean(infinite(1, -1))], Bootstrap(axis_of(1, 1), 20))
    assert (whole.value, whole.exact, whole.slots, whole.infinite) == (None, None, None, 2)


def test_a_ratio_draws_its_denominator_anew_and_clips_nothing() -> None:
    axis = axis_of(30)
    top = Column.of([Fraction(i % 5 - 3, 7) for i in range(30)])
    bottom = Column.of([Fraction(i % 3, 2) for i in range(30)])
    (found,) = figures([Ratio(LABEL, top, bottom, top.valid)], Bootstrap(axis, 400))
    assert found.exact == Fraction(-1, 7) / Fraction(1, 2)
    drawn = resample(Bootstrap(axis, 400), [top, bottom]).macro
    low, high = percentiles((drawn[:, 0] / drawn[:, 1])[:, None])
    assert found.slots == Interval(float(low[0]), float(high[0]))


def test_a_ratio_over_nothing_is_undefined_and_counted() -> None:
    axis = axis_of(2)
    one, some = Column.of([Fraction(1)] * 2), Column.of([Fraction(0), Fraction(1)])
    nothing, partly = figures(
        [Ratio(LABEL, one, Column.of([Fraction(0)] * 2), one.valid), Ratio(LABEL, one, some, one.valid)],
        Bootstrap(axis, 1000),
    )
    assert (nothing.value, nothing.exact, nothing.slots, nothing.emptied) == (None, None, None, 1000)
    assert partly.exact == 2 and 200 < partly.emptied < 300 and partly.slots == Interval(1.0, 2.0)


def test_weighted_statistics_come_in_their_order_with_both_intervals() -> None:
    axis = axis_of(3, 2)
    support = np.array([True, True, False, True, True])
    labels = (LABEL, replace(LABEL, metric="other"))

    def of(weights: Doubles) -> Doubles:
        inside = weights[:, support].sum(axis=1)
        return np.stack([inside, np.where(inside < 4, np.nan, inside)], axis=1)

    measure = Weighted(labels, of, (Fraction(4), None), support, np.ones(5, dtype=np.bool_))
    first, second, last = figures(
        [measure, mean(Column.of([Fraction(0)] * 5))], Bootstrap(axis, 500), by_stratum=False
    )
    assert (first.label, second.label) == labels and last.value == 0.0
    assert (first.value, second.value) == (4.0, None) and (first.valid, first.eligible) == (4, 5)
    assert first.support == Interval(4.0, 4.0) and first.slots is not None and first.slots.low < 4
    assert first.emptied == 0 and 0 < second.emptied < 250


def test_a_contrast_is_paired() -> None:
    left, right = (
        mean(Column.of([Fraction(1), None, Fraction(0)])),
        mean(Column.of([Fraction(0), Fraction(1), None])),
    )
    found = contrast(left, right, subject="event - canonical")
    assert found.column.values == (Fraction(1), None, None)
    assert (found.label.view, found.label.subject) == ("paired valid", "event - canonical")
    pipeline = [replace(each, label=replace(LABEL, view="intended pipeline")) for each in (left, right)]
    assert contrast(pipeline[0], pipeline[1], against="other").label.view == "intended pipeline"


def test_figures_of_nothing_are_none() -> None:
    assert figures([], Bootstrap(axis_of(2), 10)) == []
