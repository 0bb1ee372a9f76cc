"""Retention: the joint table, what its margins leave possible, and what stays undefined."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.retention.joint import (
    Across,
    Joint,
    across,
    composed,
    extra_conflict_loss,
    on_common,
    scr_bounds,
)

COUNTS = st.integers(0, 30)
JOINTS = st.builds(Joint, COUNTS, COUNTS, COUNTS, COUNTS)
RUNS = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=12)


@given(RUNS)
def test_every_figure_is_what_counting_items_gives(runs: list[tuple[bool, bool]]) -> None:
    joint = Joint.of([a for a, _ in runs], [b for _, b in runs])
    kept = [b for a, b in runs if a]
    lost = [b for a, b in runs if not a]
    assert joint.items == len(runs)
    assert joint.scr == (Fraction(sum(kept), len(kept)) if kept else None)
    assert joint.gain_rate == (Fraction(sum(lost), len(lost)) if lost else None)
    if runs:
        assert joint.native == Fraction(len(kept), len(runs))
        assert joint.loss == Fraction(len(kept) - sum(kept), len(runs))
        assert joint.native is not None and joint.serial is not None
        assert joint.loss is not None and joint.gain is not None
        assert joint.native - joint.serial == joint.loss - joint.gain
    else:
        assert (joint.native, joint.serial, joint.loss, joint.gain) == (None,) * 4


@given(JOINTS)
def test_scr_stays_within_what_the_margins_leave_possible(joint: Joint) -> None:
    a, b, scr = joint.native, joint.serial, joint.scr
    if a is None or b is None or scr is None:
        assert joint.native_right == 0 and joint.beyond_independence is None
        return
    bounds = scr_bounds(a, b)
    assert bounds is not None and bounds.low <= scr <= bounds.high
    assert abs(scr - b) <= 1 - a
    assert joint.beyond_independence == scr - b


@given(st.integers(1, 12), st.data())
def test_both_bounds_are_attained(items: int, data: st.DataObject) -> None:
    right, done = data.draw(st.integers(1, items)), data.draw(st.integers(0, items))
    overlaps = [
        Joint(both, right - both, done - both, items - right - done + both)
        for both in range(max(0, right + done - items), min(right, done) + 1)
    ]
    found = [joint.scr for joint in overlaps if joint.scr is not None]
    bounds = scr_bounds(Fraction(right, items), Fraction(done, items))
    assert bounds is not None and (bounds.low, bounds.high) == (min(found), max(found))


def test_without_a_native_success_retention_is_undefined() -> None:
    joint = Joint(0, 0, 3, 5)
    assert (joint.scr, joint.beyond_independence, joint.gain_rate) == (None, None, Fraction(3, 8))
    assert scr_bounds(Fraction(0), Fraction(1)) is None
    assert Joint(1, 0, 0, 0).gain_rate is None


def test_independent_arms_retain_what_serial_gets_right() -> None:
    """Over every pair of items that are right with chances 1/3 and 1/4 in the two arms, drawn apart."""
    pairs = list(product([True, False, False], [True, False, False, False]))
    joint = Joint.of([a for a, _ in pairs], [b for _, b in pairs])
    assert joint.scr == joint.serial == Fraction(1, 4) and joint.beyond_independence == 0


@given(JOINTS, JOINTS)
def test_tables_add_up(first: Joint, second: Joint) -> None:
    both = first + second
    assert both.items == first.items + second.items
    assert both.native_right == first.native_right + second.native_right


@given(st.lists(st.tuples(*[st.booleans()] * 4), max_size=10))
def test_the_common_population_is_what_every_native_arm_got_right(rows: list[tuple[bool, ...]]) -> None:
    native = {"x": [row[0] for row in rows], "y": [row[1] for row in rows]}
    serial = {"x": [row[2] for row in rows], "y": [row[3] for row in rows]}
    kept = [row for row in rows if row[0] and row[1]]
    for system, place in (("x", 2), ("y", 3)):
        joint = on_common(native, serial)[system]
        assert joint.items == joint.native_right == len(kept)
        assert joint.both == sum(row[place] for row in kept)


def test_the_mean_and_the_worst_of_settings_are_undefined_where_one_is() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert across({"a": half, "b": third, "c": third}) == Across(Fraction(7, 18), third, ("b", "c"))
    assert across({"a": half, "b": None}) is None
    assert across({}) is None


@given(st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1, max_size=6))
def test_composition_multiplies_the_shares_of_right_positions(rows: list[list[bool]]) -> None:
    shares = [Fraction(sum(row[t] for row in rows), len(rows)) for t in range(3)]
    assert composed(rows) == shares[0] * shares[1] * shares[2]


def test_faults_of_the_caller_are_refused() -> None:
    assert composed([]) is None
    with pytest.raises(ValueError, match="negative"):
        Joint(1, -1, 0, 0)
    with pytest.raises(ValueError, match="shorter"):
        Joint.of([True], [])
    for wrong in (Fraction(-1, 2), Fraction(3, 2)):
        for shares in ((wrong, Fraction(1, 2)), (Fraction(1, 2), wrong)):
            with pytest.raises(ValueError, match="between 0 and 1"):
                scr_bounds(*shares)
    with pytest.raises(ValueError, match="native has"):
        on_common({"x": []}, {"y": []})
    with pytest.raises(ValueError, match="longer"):
        composed([[True], [True, False]])


def test_names_that_agree_everywhere_cost_nothing_extra() -> None:
    assert extra_conflict_loss(*[Fraction(1, 2)] * 4) == 0
    aligned, conflicting, opaque, remapped = (Fraction(share, 8) for share in (8, 3, 7, 5))
    assert extra_conflict_loss(aligned, conflicting, opaque, remapped) == Fraction(3, 8)
