"""The controller over arrays: what it decides, and that it cannot see the exact answers."""

import ast
import random
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.slow_decisions import example, panels_of
from worldgen.exact.numbers import INT64_BOUND, integers
from worldgen.scoring.decisions.policies import Policies
from worldgen.scoring.panels import controllers
from worldgen.scoring.panels.actions import choose
from worldgen.scoring.panels.controllers import DEFER, Reported, Stances, agreed, averaged, stances

ROOM = Path(controllers.__file__).parents[1]
BLIND = {
    "panels.controllers",
    "figures.columns",
    "figures.means",
}  # what a controller is built from: no module here holds a truth

units = st.sampled_from([1, 4, 10, 100, 2**62, 2**63 + 1, 10**30])
costs = st.integers(0, 20).map(lambda k: Fraction(k, 20)) | st.fractions(0, 1)


@st.composite
def reports(draw: st.DrawFn, roots: int = 3, repeats: int = 2, options: int = 3) -> Reported:
    """Reports with ties, zeros and sums of all kinds, some of them invalid."""
    unit = draw(st.lists(units, min_size=roots, max_size=roots))
    masses = [
        [
            [
                draw(st.integers(0, 4)) * each // 4 + draw(st.integers(0, 1)) * (each > 4)
                for _ in range(options)
            ]
            for _ in range(repeats)
        ]
        for each in unit
    ]
    valid = draw(st.lists(st.booleans(), min_size=roots * repeats, max_size=roots * repeats))
    bound = max(map(max, (row for rows in masses for row in rows))) + 1
    return Reported(
        integers(masses, bound), integers(unit, max(unit) + 1), np.array(valid).reshape(roots, repeats)
    )


def fractions(reported: Reported, root: int, repeat: int) -> tuple[Fraction, ...]:
    unit = int(reported.unit[root])
    return tuple(Fraction(mass, unit) for mass in reported.masses[root, repeat].tolist())


def scalar(reported: Reported, cost: Fraction) -> list[list[int]]:
    return [
        [
            DEFER if action is None else action
            for repeat, valid in enumerate(row)
            for action in [choose(fractions(reported, root, repeat), cost) if valid else None]
        ]
        for root, row in enumerate(reported.valid.tolist())
    ]


@given(reports(), costs)
def test_arrays_decide_as_one_report_at_a_time_does(reported: Reported, cost: Fraction) -> None:
    assert stances(reported).actions(cost).tolist() == scalar(reported, cost)


@given(reports(), costs)
def test_a_stance_turns_at_its_cost(reported: Reported, cost: Fraction) -> None:
    held = stances(reported)
    for root, repeat in np.argwhere(reported.valid):
        turn = Fraction(int(held.turns[root, repeat]), int(held.unit[root, repeat]))
        masses = fractions(reported, root, repeat)
        assert turn == sum(masses) - max(masses)
        assert held.actions(turn)[root, repeat] == held.places[root, repeat]


@given(reports(), reports(), costs)
def test_two_reports_are_averaged_and_agreed_on(left: Reported, right: Reported, cost: Fraction) -> None:
    both = averaged(left, right)
    shared = agreed(stances(left), stances(right)).actions(cost).tolist()
    one, two = scalar(left, cost), scalar(right, cost)
    for root, row in enumerate(both.valid.tolist()):
        for repeat, valid in enumerate(row):
            assert valid == (left.valid[root, repeat] and right.valid[root, repeat])
            pair = zip(fractions(left, root, repeat), fractions(right, root, repeat), strict=True)
            assert fractions(both, root, repeat) == tuple((a + b) / 2 for a, b in pair)
            common = one[root][repeat] if one[root][repeat] == two[root][repeat] else DEFER
            assert shared[root][repeat] == common


def test_ties_take_the_earlier_class_and_a_class_before_deferring() -> None:
    masses = np.array([[[899999, 100000, 0]], [[500000, 500000, 0]], [[0, 500000, 500000]]])
    held = stances(Reported(masses, np.array([10**6] * 3), np.ones((3, 1), dtype=np.bool_)))
    assert held.actions(Fraction(1, 10)).tolist() == [[0], [DEFER], [DEFER]]
    assert held.actions(Fraction("0.0999999")).tolist() == [[DEFER], [DEFER], [DEFER]]
    assert held.actions(Fraction(1, 2)).tolist() == [[0], [0], [1]]


def test_a_negative_cost_is_refused() -> None:
    held = stances(Reported(np.array([[[1]]]), np.array([1]), np.array([[True]])))
    with pytest.raises(ValueError, match="negative"):
        held.actions(Fraction(-1, 10))


def test_costs_and_units_of_any_size_are_compared_exactly() -> None:
    large = INT64_BOUND**2
    held = Stances(np.array([[0]]), integers([[1]], 2), integers([[large]], large + 1))
    assert held.actions(Fraction(1, large)).tolist() == [[0]]
    assert held.actions(Fraction(1, large + 1)).tolist() == [[DEFER]]
    assert held.actions(Fraction(0)).tolist() == [[DEFER]]


def imported(name: str) -> set[str]:
    tree = ast.parse(ROOM.joinpath(f"{name.replace('.', '/')}.py").read_text())
    assert not [
        node for node in ast.walk(tree) if isinstance(node, ast.Import) and node.names[0].name != "numpy"
    ]
    return {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}


def test_controllers_import_nothing_that_holds_a_truth() -> None:
    inside = {"worldgen.exact.numbers", *(f"worldgen.scoring.{name}" for name in BLIND)}
    for name in BLIND:
        ours = {module for module in imported(name) if module.startswith("worldgen")}
        assert ours <= inside, name


def test_controllers_take_reports_and_a_cost_and_nothing_else() -> None:
    taken = {
        hint
        for thing in vars(controllers).values()
        if getattr(thing, "__module__", "") == controllers.__name__
        for owner in [thing, *(vars(thing).values() if isinstance(thing, type) else ())]
        if callable(owner) and not isinstance(owner, type)
        for name, hint in get_type_hints(owner).items()
    }
    ours = {hint for hint in taken if getattr(hint, "__module__", "").startswith("worldgen")}
    assert ours <= {controllers.Reported, controllers.Stances, controllers.Policy}
    assert set(get_type_hints(Reported)) == {"masses", "unit", "valid"}


@pytest.mark.parametrize("seed", range(4))
def test_no_exact_answer_changes_an_action(seed: int) -> None:
    made, answers = example(12, seed, 2)
    other = deepcopy(made)
    dice = random.Random(seed)
    for row in other["targets"]:
        if row["q"] is not None:
            weights = [dice.randint(1, 9) for _ in row["q"]]
            row["q"] = [str(Fraction(weight, sum(weights))) for weight in weights]
            row["outcome"] = 0
    one, two = (panels_of(tables, answers) for tables in (made, other))
    truths = [panels["canonical"].truth.q.tolist() for panels in (one, two)]
    assert truths[0] != truths[1]
    for variant, panel in one.items():
        for array in ("masses", "unit", "valid"):
            assert getattr(panel.reported, array).tolist() == getattr(two[variant].reported, array).tolist()
    policies = [Policies.of(p["event"], p["binary-choice"], p["exact-repeat"]).by_name for p in (one, two)]
    for name in policies[0].keys() - {"oracle"}:
        first, second = (found[name].stances for found in policies)
        assert first.places.tolist() == second.places.tolist()
        assert (first.turns * second.unit).tolist() == (second.turns * first.unit).tolist()
    assert policies[0]["oracle"].stances.places.tolist() != policies[1]["oracle"].stances.places.tolist()
