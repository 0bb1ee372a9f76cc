"""Loss curves: exact at every cost, at every break from both sides, and in their integral."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.built import mean_of
from tests.scoring.slow_decisions import SlowDecisions, axis_of, example, midpoint, panels_of
from tests.scoring.slow_results import average, cohort
from worldgen.exact.numbers import integers
from worldgen.scoring.decisions.curves import ENDS, LossCurves, macro_shares
from worldgen.scoring.decisions.piecewise import Change, Piecewise
from worldgen.scoring.decisions.policies import Policies
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.panels.actions import FINE_COSTS
from worldgen.scoring.reports.report import Report

Curves = tuple[SlowDecisions, LossCurves]


def curves_of(seed: int, repeats: int, fine: bool, roots: int = 12) -> Curves:
    made, reports = example(roots, seed, repeats, fine=fine)
    panels, slow = panels_of(made, reports), SlowDecisions(made, reports)
    policies = Policies.of(panels["event"], panels["binary-choice"], panels["exact-repeat"])
    return slow, LossCurves(policies, slow.axis)


@pytest.fixture(params=[(1, 1, False), (2, 3, False), (4, 2, True)], ids=str)
def case(request: pytest.FixtureRequest) -> Curves:
    return curves_of(*request.param)


def slow_loss(slow: SlowDecisions, name: str, cost: Fraction) -> Fraction:
    value = slow.macro(lambda root: slow.policy_loss(name, root, cost))
    assert value is not None
    return value


def test_the_curve_is_the_mean_loss_at_every_cost(case: Curves) -> None:
    slow, curves = case
    for name, curve in curves.curves.items():
        for cost in (*FINE_COSTS[::9], *map(Fraction, ("0", "1/3", "0.123456789", "1/2", "0.7", "1"))):
            assert curve(cost) == slow_loss(slow, name, cost), (name, cost)


def test_every_break_has_its_left_value_and_right(case: Curves) -> None:
    slow, curves = case
    for name, curve in curves.curves.items():
        found = list(curve.breaks(*ENDS))
        assert [found[0].at, found[-1].at] == list(ENDS)
        for before, after in pairwise(found):
            # Affine between: two points inside give both limits.
            span = after.at - before.at
            near, far = (slow_loss(slow, name, before.at + span * k / 3) for k in (1, 2))
            assert before.right == 2 * near - far
            assert after.left == 2 * far - near
        for each in found[1:-1]:
            assert each.value == each.right == slow_loss(slow, name, each.at)


def test_breaks_stand_at_every_report_midpoint_and_oracle(case: Curves) -> None:
    slow, curves = case
    half = Fraction(1, 2)

    def turns(reports: list[Fraction]) -> set[Fraction]:
        return {turn for p in reports if 0 < (turn := min(p, 1 - p)) < half}

    said, means, truths = [], [], []
    for root in slow.roots:
        request = slow.key.requests[f"{root}/event"]
        yes = request.events[request.options.index("true")]
        for slot in slow.slots(request.request_id):
            one = slow.read.get((request.request_id, slot))
            both = midpoint(one, slow.read.get((f"{root}/binary-choice", slot)))
            said += [] if one is None else [one[yes]]
            means += [] if both is None else [both[yes]]
        assert request.q is not None
        truths.append(max(request.q))
    for name, reports in (("event", said), ("mean", means), ("oracle", truths)):
        found = {each.at for each in curves.curves[name].breaks(*ENDS)}
        assert found - set(ENDS) == turns(reports)


def test_the_integral_over_costs_is_the_brier_score(case: Curves) -> None:
    """Twice the integral is (p - q)^2 + q (1 - q) of a report, and 1/4 of a failure, which always defers."""
    slow, curves = case

    def scores(name: str, root: str) -> Fraction:
        request = slow.key.requests[f"{root}/event"]
        assert request.q is not None
        q = dict(zip(request.events, request.q, strict=True))
        yes = request.events[0]
        names = {"event": [f"{root}/event"], "choice": [f"{root}/binary-choice"]}
        names["mean"] = names["event"] + names["choice"]
        found = []
        for slot in slow.slots(*names[name]):
            vectors = [slow.read.get((each, slot)) for each in names[name]]
            vector = vectors[0] if len(vectors) == 1 else midpoint(*vectors)
            found.append(
                Fraction(1, 4) if vector is None else (vector[yes] - q[yes]) ** 2 + q[yes] * (1 - q[yes])
            )
        return average(found)

    for name in ("event", "choice", "mean"):
        assert 2 * curves.curves[name].integral(*ENDS) == slow.macro(lambda root, n=name: scores(n, root))  # type: ignore[misc] # bound now
    assert 2 * curves.curves["always-defer"].integral(*ENDS) == Fraction(1, 4)


def test_tables_hold_the_nearest_doubles(case: Curves) -> None:
    slow, curves = case
    rows = curves.grid()
    assert len(rows) == 99 * len(curves.curves)
    for row in rows[::17]:
        assert row["loss"] == float(slow_loss(slow, str(row["policy"]), Fraction(str(row["cost"]))))
    for name, curve in curves.curves.items():
        table = [row for row in curves.breakpoints() if row["policy"] == name]
        exact = list(curve.breaks(*ENDS))
        assert [row["exact_at"] for row in table] == [str(each.at) for each in exact]
        assert [row["at"] for row in table] == [float(each.at) for each in exact]
        for side in ("left", "value", "right"):
            values = [getattr(each, side) for each in exact]
            assert [row[side] for row in table] == [None if v is None else float(v) for v in values]


def test_contrasts_and_their_signs(case: Curves) -> None:
    slow, curves = case
    counts = {"lower": 0, "equal": 0, "higher": 0, "both_below_defer": 0}
    for measure, cost in zip(curves.contrasts(), FINE_COSTS, strict=True):
        mean, other = (slow_loss(slow, name, cost) for name in ("mean", "random-interface"))
        label = measure.label
        assert (label.family, label.metric, label.at) == ("curves", "loss_curve", cost)
        assert mean_of(measure.column, slow.axis) == mean - other
        counts["lower" if mean < other else "higher" if mean > other else "equal"] += 1
        counts["both_below_defer"] += other < mean < cost
    (row,) = curves.signs()
    assert {name: row[name] for name in counts} == counts
    assert row["contrast"] == "mean - random-interface"


def test_losing_what_deferring_costs_is_not_below_it() -> None:
    """The event, certain, is reported as 19/20 and as 1/2: their mean 29/40 defers where the first acts."""
    made = cohort(1, 1, strata=1)
    for row in made["targets"]:
        if row["request_id"].endswith(("/event", "/binary-choice")):
            row["q"] = ["1", "0"] if row["event_map"][0] == [0, 1] else ["0", "1"]
    answers = [
        Report("m", "root-0/event", response='{"true": 0.95, "false": 0.05}'),
        Report("m", "root-0/binary-choice", response='{"yes": 0.5, "no": 0.5}'),
    ]
    panels = panels_of(made, answers)
    curves = LossCurves(Policies.of(panels["event"], panels["binary-choice"]), axis_of(made))
    mean, other = (curves.curves[name] for name in ("mean", "random-interface"))
    assert (mean(Fraction(1, 10)), other(Fraction(1, 10))) == (Fraction(1, 10), Fraction(1, 20))
    (row,) = curves.signs()
    # Below 10/200 nobody acts, up to 55/200 the mean defers, and from there on the choice alone does.
    assert (row["equal"], row["higher"], row["lower"], row["both_below_defer"]) == (9, 45, 45, 0)


def test_without_a_second_interface_there_is_nothing_to_contrast() -> None:
    made, reports = example(6, 3)
    panels = panels_of(made, reports)
    curves = LossCurves(
        Policies.of(panels["event"]), Axis.of({r["root_id"]: r["stratum"] for r in made["roots"]})
    )
    assert not list(curves.contrasts())
    assert not curves.signs()


coefficients = st.integers(-5, 5) | st.integers(-(10**25), 10**25)


@given(st.data())
def test_sums_of_lines_that_turn(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 6))

    def many(values: st.SearchStrategy[int]) -> list[int]:
        return data.draw(st.lists(values, min_size=size, max_size=size))

    units = many(st.sampled_from([1, 2, 10, 3**50]))
    tops = [data.draw(st.integers(0, unit)) for unit in units]
    has = [data.draw(st.booleans()) for _ in units]
    lines = [many(coefficients) for _ in range(4)]
    shares, unit = many(st.integers(0, 3)), data.draw(st.sampled_from([1, 7, 2**70]))
    whole = sum(shares) + 1
    large = 10**40
    arrays = [integers(values, large) for values in lines]
    factors = integers(many(st.sampled_from([1, 2, 3, 6])), 10)
    from_right = data.draw(st.booleans())
    curve = Piecewise.of(
        (integers(tops, large), integers(units, large), np.array(has, dtype=np.bool_)),
        Change(arrays[0], arrays[2], factors, unit * 6),
        Change(arrays[1], arrays[3], np.ones(size, dtype=np.int64), unit),
        (integers(shares, 100), whole),
        from_right=from_right,
    )
    turns = [Fraction(top, each) for top, each in zip(tops, units, strict=True)]

    def direct(x: Fraction, *, right: bool) -> Fraction:
        value = Fraction(0)
        for i in range(size):
            passed = has[i] and (turns[i] <= x if right else turns[i] < x)
            constant, slope = (lines[2][i], lines[3][i]) if passed else (lines[0][i], lines[1][i])
            line = constant * Fraction(int(factors[i]), 6) + slope * x
            value += Fraction(shares[i], whole) * line / unit
        return value

    for x in [*turns, data.draw(st.fractions(0, 1))]:
        assert curve.left(x) == direct(x, right=False)
        assert curve.right(x) == direct(x, right=True)
        assert curve(x) == direct(x, right=from_right)
        (top,) = curve.tops([x.numerator], x.denominator)
        assert Fraction(top, curve.unit * x.denominator) == curve(x)
    assert curve.marks == tuple(sorted({t for t, here in zip(turns, has, strict=True) if here}))


def test_slopes_of_an_odd_unit_are_not_added() -> None:
    one = np.array([1])
    with pytest.raises(ValueError, match="not added"):
        Piecewise.of((one, one, one > 0), Change(one, one, one, 4), Change(one, one, one, 3), (one, 1))


def test_shares_of_a_macro_mean() -> None:
    axis = Axis(("r", "s", "t", "u"), ("a", "b", "c"), (2, 1, 1))
    weights = np.array([[1, 1], [1, 0], [0, 0], [2, 1]])
    shares, whole = macro_shares(weights, axis)
    expected = [[Fraction(1, 8)] * 2, [Fraction(1, 4), 0], [0, 0], [Fraction(1, 3), Fraction(1, 6)]]
    assert [[Fraction(value, whole) for value in row] for row in shares.tolist()] == expected
