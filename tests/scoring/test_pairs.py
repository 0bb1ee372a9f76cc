"""Pairs of reports of one question: error decompositions, averaging penalties, margins."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.slow_decisions import SlowDecisions, Vector, act, example, midpoint, panels_of
from tests.scoring.slow_results import average
from worldgen.scoring.decisions.averaging import (
    ACTIONS,
    PENALTIES,
    averaging_penalty,
    binary_action,
    penalty_rows,
    row_of,
)
from worldgen.scoring.decisions.margins import margin_rows
from worldgen.scoring.decisions.pairs import pair_measures
from worldgen.scoring.figures.measures import Mean, Ratio
from worldgen.scoring.panels.actions import ALL_COSTS

CASES = [(1, 1, False), (2, 3, False), (4, 2, True)]
PAIRS = {
    "event-choice": ("event", "binary-choice"),
    "exact-repeat": ("event", "exact-repeat"),
    "complement": ("event", "complement"),
}


def pairs_of(slow: SlowDecisions, first: str, second: str, root: str) -> list[tuple[Vector, Vector]]:
    names = (f"{root}/{first}", f"{root}/{second}")
    return [
        (slow.read[names[0], slot], slow.read[names[1], slot])
        for slot in range(4)
        if all((name, slot) in slow.read for name in names)
    ]


@pytest.mark.parametrize("relation", PAIRS)
@pytest.mark.parametrize(("seed", "repeats", "fine"), CASES)
def test_errors_of_pairs_are_decomposed(relation: str, seed: int, repeats: int, fine: bool) -> None:
    made, reports = example(14, seed, repeats, fine=fine)
    slow, panels, (first, second) = SlowDecisions(made, reports), panels_of(made, reports), PAIRS[relation]
    measures = {m.label.metric: m for m in pair_measures(relation, panels[first], panels[second])}
    expected: dict[str, list[Fraction | None]] = {
        name: [] for name, m in measures.items() if isinstance(m, Mean)
    }
    for root in slow.axis.roots:
        request = slow.key.requests[f"{root}/event"]
        assert request.q is not None
        yes = request.events[request.options.index("true")]
        q = request.q[request.events.index(yes)]
        found = []
        for one, two in pairs_of(slow, first, second, root):
            p, other = one[yes], two[yes]
            outside = max(min(p, other) - q, q - max(p, other), Fraction(0))
            found.append(
                {
                    "pair_absolute_error": (abs(p - q) + abs(other - q)) / 2,
                    "disagreement_bound": abs(p - other) / 2,
                    "error_beyond_bound": outside,
                    "pair_squared_error": ((p - q) ** 2 + (other - q) ** 2) / 2,
                    "squared_disagreement": (p - other) ** 2 / 4,
                    "midpoint_squared_error": ((p + other) / 2 - q) ** 2,
                }
            )
        for name, values in expected.items():
            values.append(average([each[name] for each in found]) if found else None)
    for name, values in expected.items():
        measure = measures[name]
        assert isinstance(measure, Mean)
        assert measure.column.values == tuple(values)
        assert measure.label.view == "paired valid"
    for kind, parts in (
        ("absolute", ("disagreement_bound", "pair_absolute_error")),
        ("squared", ("squared_disagreement", "pair_squared_error")),
    ):
        share = measures[f"{kind}_share_certified"]
        assert isinstance(share, Ratio)
        assert [share.top.values, share.bottom.values] == [tuple(expected[part]) for part in parts]


def test_only_questions_of_yes_and_no_are_pairs() -> None:
    made, reports = example(6, 1)
    panels = panels_of(made, reports)
    assert not list(pair_measures("permutation", panels["canonical"], panels["permutation"]))
    assert not penalty_rows("permutation", panels["canonical"], panels["permutation"])


@pytest.mark.parametrize(("seed", "repeats", "fine"), CASES)
def test_penalties_of_averaging_by_row(seed: int, repeats: int, fine: bool) -> None:
    made, reports = example(30, seed, repeats, fine=fine)
    slow, panels = SlowDecisions(made, reports), panels_of(made, reports)
    rows = penalty_rows("event-choice", panels["event"], panels["binary-choice"])
    assert len(rows) == 8 * len(ALL_COSTS)
    found: dict[tuple[object, ...], list[Fraction]] = {}
    for cost in ALL_COSTS:
        for root in slow.axis.roots:
            request = slow.key.requests[f"{root}/event"]
            assert request.q is not None
            yes = request.events[request.options.index("true")]
            q = request.q[request.events.index(yes)]
            for one, two in pairs_of(slow, "event", "binary-choice", root):
                middle = midpoint(one, two)
                assert middle is not None
                losses = [
                    slow.loss(request.request_id, act(vector, cost), cost) for vector in (one, two, middle)
                ]
                actions = [binary_action(vector[yes], cost) for vector in (one, two, middle)]
                value = losses[2] - (losses[0] + losses[1]) / 2
                assert value == averaging_penalty(actions[0], actions[1], actions[2], q, cost)
                found.setdefault((float(cost), *row_of(actions[0], actions[1], actions[2])), []).append(value)
    for row in rows:
        values = found.get((row["cost"], row["actions"], row["midpoint"]), [])
        assert row["pairs"] == len(values)
        assert row["mean_penalty"] == (float(average(values)) if values else None)
    assert len(found) > 10


def test_a_cost_outside_the_table_is_refused() -> None:
    made, reports = example(4, 1)
    panels = panels_of(made, reports)
    with pytest.raises(ValueError, match="between 0 and 1/2"):
        penalty_rows("event-choice", panels["event"], panels["binary-choice"], [Fraction(1, 2)])


def test_actions_that_do_not_go_together_are_refused() -> None:
    refused = []
    for first in ACTIONS:
        for second in ACTIONS:
            for middle in ACTIONS:
                try:
                    assert row_of(first, second, middle) in PENALTIES
                except ValueError:
                    refused.append((first, second, middle))
    assert len(refused) == 27 - 3 - 2 * 7
    assert ("no", "defer", "yes") in refused
    assert ("no", "no", "defer") in refused


@pytest.mark.parametrize("relation", [*PAIRS, "permutation"])
@pytest.mark.parametrize(("seed", "repeats", "fine"), CASES)
def test_margins_are_counted(relation: str, seed: int, repeats: int, fine: bool) -> None:
    made, reports = example(20, seed, repeats, fine=fine)
    slow, panels = SlowDecisions(made, reports), panels_of(made, reports)
    first, second = PAIRS.get(relation, ("canonical", relation))
    for row in margin_rows(relation, panels[first], panels[second]):
        cost = Fraction(str(row["cost"]))
        pairs = [pair for root in slow.axis.roots for pair in pairs_of(slow, first, second, root)]
        counts = dict.fromkeys(
            ("act_guaranteed", "act_same", "class_guaranteed", "class_same", "action_same"), 0
        )
        for one, two in pairs:
            distance = sum(abs(mass - two[event]) for event, mass in one.items()) / 2
            top, runner_up = sorted(one.values())[-1], sorted(one.values())[-2]
            a, b = act(one, cost), act(two, cost)
            best, other = act(one, Fraction(10)), act(two, Fraction(10))
            counts["act_guaranteed"] += abs(top - (1 - cost)) > distance
            counts["act_same"] += (a is None) == (b is None)
            counts["class_guaranteed"] += top - runner_up > 2 * distance
            counts["class_same"] += best == other
            counts["action_same"] += a == b
        assert {name: row[name] for name in counts} == counts
        assert row["pairs"] == len(pairs) > 0


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.sampled_from([1, 4, 8, 16, 19]))
def test_penalties_are_what_the_midpoint_loses_beyond_the_reports(
    p: int, other: int, q: int, cost: int
) -> None:
    """The eight rows against the losses that they abbreviate."""
    x, y, z, c = Fraction(p, 40), Fraction(other, 40), Fraction(q, 40), Fraction(cost, 40)
    loss = {"no": z, "defer": c, "yes": 1 - z}
    actions = [binary_action(each, c) for each in (x, y, (x + y) / 2)]
    expected = loss[actions[2]] - (loss[actions[0]] + loss[actions[1]]) / 2
    assert averaging_penalty(actions[0], actions[1], actions[2], z, c) == expected


def test_pairs_without_valid_reports_have_no_rows_filled() -> None:
    made, _ = example(5, 1)
    broken = [report for report in example(5, 1)[1] if not report.request_id.endswith("binary-choice")]
    panels = panels_of(made, broken)
    for row in margin_rows("event-choice", panels["event"], panels["binary-choice"]):
        assert row["pairs"] == row["act_same"] == row["action_same"] == 0
    for row in penalty_rows("event-choice", panels["event"], panels["binary-choice"]):
        assert (row["pairs"], row["mean_penalty"]) == (0, None)
    assert not np.any(panels["binary-choice"].valid)
