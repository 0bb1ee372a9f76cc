"""Retention under resampling: the same weights as a loop over replicates, and partners drawn together."""

from fractions import Fraction
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.floats import added
from tests.scoring.built import axis_of
from worldgen.scoring.figures.bootstrap import Bootstrap
from worldgen.scoring.figures.columns import Axis, Mask
from worldgen.scoring.figures.estimates import figures
from worldgen.scoring.figures.measures import Label, Weighted
from worldgen.scoring.retention.joint import Joint, composed
from worldgen.scoring.retention.retained import (
    Outcomes,
    across_settings,
    beyond_composition,
    by_length,
    difference,
    pooled,
)

AXIS = axis_of(5, 3)
LABEL = Label("retention", "scr", "serial", "mine", "eligible")
SIDES = st.lists(st.booleans(), min_size=len(AXIS), max_size=len(AXIS)).map(
    lambda s: np.array(s, dtype=np.bool_)
)
OUTCOMES = st.builds(Outcomes, SIDES, SIDES)
DRAWS = 40


def drawn(axis: Axis = AXIS) -> list[list[int]]:
    """How often each root counts in each replicate."""
    parts = list(Bootstrap(axis, DRAWS).joint())
    return [[int(count) for count in row] for part in parts for row in part]


def values(measure: Weighted) -> list[float | None]:
    parts = [measure.of(weights) for weights in Bootstrap(AXIS, DRAWS).joint()]
    return [None if isnan(value) else value for value in np.concatenate(parts)[:, 0].tolist()]


def again(side: Mask, counts: list[int]) -> list[bool]:
    """The roots of a replicate, one after the other."""
    return [bool(value) for value, count in zip(side, counts, strict=True) for _ in range(count)]


def as_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


@given(OUTCOMES)
def test_pooled_retention_is_the_joint_table_of_every_replicate(outcomes: Outcomes) -> None:
    loops = [
        Joint.of(again(outcomes.native, counts), again(outcomes.serial, counts)).scr for counts in drawn()
    ]
    assert values(pooled(LABEL, outcomes)) == [as_float(value) for value in loops]
    assert pooled(LABEL, outcomes).exact == (outcomes.joint.scr,)


@given(OUTCOMES, OUTCOMES)
def test_partners_are_drawn_together(first: Outcomes, second: Outcomes) -> None:
    """The difference between two domains pairs what one set of weights gives for both."""
    found = values(difference(LABEL, pooled(LABEL, first), pooled(LABEL, second)))
    for value, counts in zip(found, drawn(), strict=True):
        left, right = (
            Joint.of(again(o.native, counts), again(o.serial, counts)).scr for o in (first, second)
        )
        assert value == (None if left is None or right is None else float(left) - float(right))
    same = values(difference(LABEL, pooled(LABEL, first), pooled(LABEL, first)))
    assert all(value in {None, 0.0} for value in same)


@given(st.lists(OUTCOMES, min_size=1, max_size=3))
def test_the_mean_and_the_worst_setting_are_found_in_every_replicate(settings: list[Outcomes]) -> None:
    parts = [pooled(LABEL, outcomes) for outcomes in settings]
    mean, worst = (across_settings(LABEL, parts, how) for how in ("mean", "worst"))
    for average, least, *each in zip(values(mean), values(worst), *map(values, parts), strict=True):
        known = [value for value in each if value is not None]
        if len(known) < len(each):
            assert average is None and least is None
        else:
            assert least == min(known) and average == added(known) / len(known)
    exact = [part.exact[0] for part in parts]
    known_exact = [value for value in exact if value is not None]
    defined = len(known_exact) == len(exact)
    assert worst.exact == (min(known_exact) if defined else None,)
    assert mean.exact == (sum(known_exact, Fraction(0)) / len(exact) if defined else None,)


@given(
    st.lists(st.lists(st.booleans(), min_size=2, max_size=2), min_size=len(AXIS), max_size=len(AXIS)), SIDES
)
def test_what_lies_beyond_composition_is_recomputed_in_every_replicate(
    rows: list[list[bool]], among: Mask
) -> None:
    measure = beyond_composition(LABEL, np.array(rows), among)
    for value, counts in zip(values(measure), drawn(), strict=True):
        kept = [row for row, here, n in zip(rows, among, counts, strict=True) if here for _ in range(n)]
        reference = composed(kept)
        if reference is None or value is None:
            assert reference is None and value is None
        else:
            assert abs(value - float(Fraction(sum(map(all, kept)), len(kept)) - reference)) < 1e-12
    everything = [row for row, here in zip(rows, among, strict=True) if here]
    reference = composed(everything)
    whole = None if reference is None else Fraction(sum(map(all, everything)), len(everything)) - reference
    assert measure.exact == (whole,)


def test_a_common_mixture_of_lengths_weighs_strata_alike() -> None:
    native = np.array([1, 1, 1, 1, 0, 1, 1, 0], dtype=np.bool_)
    serial = np.array([1, 0, 0, 0, 1, 1, 1, 1], dtype=np.bool_)
    outcomes = Outcomes(native, serial)
    (source,), (common,) = (
        figures([measure], Bootstrap(AXIS, DRAWS))
        for measure in (pooled(LABEL, outcomes), by_length(LABEL, outcomes))
    )
    assert source.exact == Fraction(3, 6)
    assert common.exact == (Fraction(1, 5) + Fraction(2, 3)) / (Fraction(4, 5) + Fraction(2, 3))
    assert source.valid == 6 and source.eligible == 8
    assert source.slots is not None and source.slots.low < 0.5 < source.slots.high


def test_strata_of_one_size_make_the_two_mixtures_one() -> None:
    axis = axis_of(4, 4)
    rows = np.array([1, 1, 0, 1, 1, 0, 0, 1], dtype=np.bool_)
    outcomes = Outcomes(rows, ~rows | np.roll(rows, 1))
    measures = (pooled(LABEL, outcomes), by_length(LABEL, outcomes))
    source, common = figures(measures, Bootstrap(axis, DRAWS))
    assert source.exact == common.exact


def test_there_is_no_worst_of_no_settings() -> None:
    with pytest.raises(ValueError, match="no settings"):
        across_settings(LABEL, [], "worst")
