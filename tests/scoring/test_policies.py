"""Decisions and policies against a slow reading of their definitions, on random cohorts with failures."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from tests.scoring.built import mean_of
from tests.scoring.slow_decisions import SlowDecisions, act, axis_of, example, panels_of
from tests.scoring.slow_results import average, key_of
from worldgen.relations.declared import RELATIONS
from worldgen.scoring.decisions.deciding import decision_measures, reference_measures
from worldgen.scoring.decisions.policies import CONTRASTS, Policies
from worldgen.scoring.figures.measures import Mean, Ratio
from worldgen.scoring.panels.actions import ALL_COSTS, COSTS, SECOND_COSTS, minimisers
from worldgen.scoring.panels.alike import action_changes
from worldgen.scoring.scored import Asked

NAMES = (
    *("event", "choice", "mean", "agreement", "random-interface"),
    *("repeat-mean", "repeat-agreement", "always-defer", "oracle"),
)
CASES = [(1, 1, False), (2, 3, False), (3, 1, True), (4, 2, True)]


@pytest.fixture(params=CASES, ids=str)
def case(request: pytest.FixtureRequest) -> tuple[SlowDecisions, Policies]:
    seed, repeats, fine = request.param
    made, reports = example(16, seed, repeats, fine=fine)
    panels = panels_of(made, reports)
    policies = Policies.of(panels["event"], panels["binary-choice"], panels["exact-repeat"])
    return SlowDecisions(made, reports), policies


def test_the_costs_of_both_grids() -> None:
    assert tuple(Fraction(k, 100) for k in (5, 10, 20, 30, 40)) == SECOND_COSTS
    assert tuple(Fraction(k, 100) for k in (2, 5, 10, 20, 30, 40)) == ALL_COSTS
    assert set(COSTS) | set(SECOND_COSTS) == set(ALL_COSTS)


def test_policies_lose_what_their_definitions_say(case: tuple[SlowDecisions, Policies]) -> None:
    slow, policies = case
    assert tuple(policies.by_name) and set(policies.by_name) == set(NAMES)
    for cost in (Fraction(0), *ALL_COSTS, Fraction(1, 2), Fraction(4, 5), Fraction(1)):
        for name in NAMES:
            found = policies.decided(name, cost).loss
            assert found.values == slow.along(lambda root, n=name, c=cost: slow.policy_loss(n, root, c))  # type: ignore[misc] # bound now


def test_measures_of_policies_are_means_of_their_definitions(case: tuple[SlowDecisions, Policies]) -> None:
    slow, policies = case
    measures = {(m.label.metric, m.label.subject, m.label.at): m for m in policies.measures()}
    assert len(measures) == len(ALL_COSTS) * (5 * len(NAMES) + len(CONTRASTS))
    for cost in ALL_COSTS:
        for name in NAMES:

            def regret(root: str, name: str = name, cost: Fraction = cost) -> Fraction:
                return slow.policy_loss(name, root, cost) - slow.least(f"{root}/event", cost)

            def coverage(root: str, name: str = name, cost: Fraction = cost) -> Fraction:
                taken = slow.actions(name, root, cost)
                return sum((share for action, share in taken if action is not None), Fraction(0))

            def optimal(root: str, name: str = name, cost: Fraction = cost) -> Fraction:
                request = slow.key.requests[f"{root}/event"]
                assert request.q is not None
                best = minimisers(request.q, cost)
                return sum(
                    (
                        share
                        for action, share in slow.actions(name, root, cost)
                        if (None if action is None else request.events.index(action)) in best
                    ),
                    Fraction(0),
                )

            for metric, definition in (
                ("policy_regret", regret),
                ("policy_coverage", coverage),
                ("policy_bayes_optimal", optimal),
            ):
                measure = measures[metric, name, cost]
                assert isinstance(measure, Mean)
                assert measure.column.values == slow.along(definition)
            captured = measures["headroom_captured", name, cost]
            assert isinstance(captured, Ratio)
            loss = slow.macro(lambda root, n=name, c=cost: slow.policy_loss(n, root, c))  # type: ignore[misc] # bound now
            least = slow.macro(lambda root, c=cost: slow.policy_loss("oracle", root, c))  # type: ignore[misc] # bound now
            assert loss is not None
            assert least is not None
            top, bottom = (mean_of(part, slow.axis) for part in (captured.top, captured.bottom))
            assert (top, bottom) == (cost - loss, cost - least)


def differences(slow: SlowDecisions) -> Iterator[tuple[str, Fraction, dict[str, Fraction]]]:
    for first, second in CONTRASTS:
        for cost in ALL_COSTS:
            yield (
                f"{first} - {second}",
                cost,
                {
                    root: slow.policy_loss(first, root, cost) - slow.policy_loss(second, root, cost)
                    for root in slow.axis.roots
                },
            )


def test_helps_and_harms_are_kept_root_by_root(case: tuple[SlowDecisions, Policies]) -> None:
    slow, policies = case
    measures = {
        (m.label.subject, m.label.at): m for m in policies.measures() if m.label.metric == "policy_loss"
    }
    expected, counts = [], []
    for name, cost, by_root in differences(slow):
        measure = measures[name, cost]
        assert isinstance(measure, Mean)
        assert measure.label.view == "intended pipeline"
        assert measure.column.values == tuple(by_root.values())
        signs = [(value > 0) - (value < 0) for value in by_root.values()]
        counts.append((name, float(cost), signs.count(-1), signs.count(0), signs.count(1)))
        expected += [
            (name, float(cost), root, (value > 0) - (value < 0), float(value), value)
            for root, value in by_root.items()
            if value
        ]
    rows = policies.differing_roots(slow.axis)
    assert [
        (r["contrast"], r["cost"], r["root_id"], r["sign"], r["amount"], Fraction(str(r["exact"])))
        for r in rows
    ] == expected
    found = policies.helps_and_harms()
    assert [(r["contrast"], r["cost"], r["helps"], r["equal"], r["harms"]) for r in found] == counts


def test_all_minimisers_are_kept(case: tuple[SlowDecisions, Policies]) -> None:
    slow, policies = case
    for row in policies.optimality((Fraction(1, 10), Fraction(1, 5))):
        cost, name = Fraction(str(row["cost"])), str(row["policy"])
        taken = [
            (slow.key.requests[f"{root}/event"], action)
            for root in slow.roots
            for action, _ in slow.actions(name, root, cost)
        ]
        optimal = sum(
            slow.loss(request.request_id, action, cost) == slow.least(request.request_id, cost)
            for request, action in taken
        )
        tied = sum(len(minimisers(request.q or (), cost)) > 1 for request, _ in taken)
        assert (row["decisions"], row["optimal"], row["suboptimal"], row["tied"]) == (
            len(taken),
            optimal,
            len(taken) - optimal,
            tied,
        )


def test_every_minimiser_counts_as_optimal() -> None:
    """Where q is (9/10, 1/10), answering and deferring are both best at cost 1/10, and neither is at 1/20."""
    made, reports = example(8, 1)
    for row in made["targets"]:
        if row["request_id"].endswith(("/event", "/binary-choice", "/exact-repeat")):
            row["q"] = ["1/10", "9/10"] if row["event_map"][0] != [0, 1] else ["9/10", "1/10"]
    panels = panels_of(made, reports)
    policies = Policies.of(panels["event"], panels["binary-choice"], panels["exact-repeat"])
    for row in policies.optimality((Fraction(1, 20), Fraction(1, 10))):
        tied = row["cost"] == 0.1
        assert row["tied"] == (row["decisions"] if tied else 0)
        if row["policy"] == "always-defer":
            assert row["suboptimal"] == 0
        if row["policy"] == "oracle":
            assert (row["decisions"], row["optimal"]) == (8, 8)


def test_ties_under_the_truth_leave_several_actions_optimal() -> None:
    half, tenth = Fraction(1, 2), Fraction(1, 10)
    assert minimisers((half, half), half) == (0, 1, None)
    assert minimisers((Fraction(9, 10), tenth), tenth) == (0, None)
    assert minimisers((Fraction(19, 20), Fraction(1, 20)), tenth) == (0,)


def test_queries_of_policies() -> None:
    made, reports = example(6, 5)
    panels = panels_of(made, reports)
    policies = Policies.of(panels["event"], panels["binary-choice"], panels["exact-repeat"])
    assert {row["policy"]: row["queries"] for row in policies.inventory()} == {
        **dict.fromkeys(("event", "choice", "random-interface"), 1),
        **dict.fromkeys(("mean", "agreement", "repeat-mean", "repeat-agreement"), 2),
        "always-defer": 0,
        "oracle": None,
    }
    alone = Policies.of(panels["event"])
    assert list(alone.by_name) == ["event", "always-defer", "oracle"]
    assert not alone.contrasts
    assert not alone.helps_and_harms()


@pytest.mark.parametrize(("seed", "repeats", "fine"), CASES)
def test_decisions_of_every_variant(seed: int, repeats: int, fine: bool) -> None:
    made, reports = example(16, seed, repeats, fine=fine)
    slow = SlowDecisions(made, reports)
    for variant, panel in panels_of(made, reports).items():
        measures = {
            (m.label.metric, m.label.at): m
            for m in (*decision_measures(panel), *reference_measures(panel.truth))
        }
        for cost in ALL_COSTS:

            def taken(
                root: str, cost: Fraction = cost, variant: str = variant
            ) -> list[frozenset[int] | None]:
                name = f"{root}/{variant}"
                return [act(slow.read.get((name, slot)), cost) for slot in slow.slots(name)]

            def loss(root: str, cost: Fraction = cost, variant: str = variant) -> Fraction:
                return average([slow.loss(f"{root}/{variant}", action, cost) for action in taken(root)])

            def least(root: str, cost: Fraction = cost, variant: str = variant) -> Fraction:
                eligible = slow.key.requests[f"{root}/{variant}"].eligible
                return slow.least(f"{root}/{variant}", cost) if eligible else cost

            def realised(root: str, cost: Fraction = cost, variant: str = variant) -> Fraction | None:
                request = slow.key.requests[f"{root}/{variant}"]
                if request.outcome is None:
                    return None
                true = request.events[request.outcome]
                return average([cost if a is None else Fraction(a != true) for a in taken(root)])

            for metric, definition in (
                ("expected_loss", loss),
                ("oracle_loss", least),
                ("headroom", lambda root, c=cost, f=least: c - f(root)),
                ("regret", lambda root, f=loss, g=least: f(root) - g(root)),
                ("coverage", lambda root, f=taken: average([Fraction(a is not None) for a in f(root)])),
                ("realised_loss", realised),
            ):
                measure = measures[metric, cost]
                assert measure.column.values == slow.along(definition), (metric, variant)
                assert measure.label.view == "intended pipeline"
                assert measure.label.family == "decisions"


PAIRS = {
    "event-choice": ("event", "binary-choice"),
    "complement": ("event", "complement"),
    "exact-repeat": ("event", "exact-repeat"),
    "permutation": ("canonical", "permutation"),
    "opaque-keys": ("canonical", "opaque-keys"),
}


@pytest.mark.parametrize(("seed", "repeats", "fine"), CASES)
@pytest.mark.parametrize("relation", PAIRS)
def test_action_changes_are_counted_on_paired_valid_roots(
    relation: str, seed: int, repeats: int, fine: bool
) -> None:
    made, reports = example(24, seed, repeats, fine=fine)
    slow, panels, (first, second) = SlowDecisions(made, reports), panels_of(made, reports), PAIRS[relation]
    for measure in action_changes(relation, panels[first], panels[second], ALL_COSTS):
        cost = measure.label.at
        assert cost is not None
        found = []
        for root in slow.axis.roots:
            both = [
                (
                    act(slow.read[f"{root}/{first}", slot], cost),
                    act(slow.read[f"{root}/{second}", slot], cost),
                )
                for slot in range(repeats)
                if (f"{root}/{first}", slot) in slow.read and (f"{root}/{second}", slot) in slow.read
            ]
            changed = {
                "action_change": [a != b for a, b in both],
                "act_defer_change": [(a is None) != (b is None) for a, b in both],
                "class_change": [a != b and None not in (a, b) for a, b in both],
            }[measure.label.metric]
            found.append(average(list(map(Fraction, changed))) if both else None)
        assert measure.column.values == tuple(found)
        assert measure.label.view == "paired valid"
        assert measure.eligible.all()


def test_relations_that_ask_one_question() -> None:
    made, reports = example(6, 2)
    truths = {name: panel.truth for name, panel in panels_of(made, reports).items()}
    relations = {relation.name: (relation, ()) for relation in RELATIONS}
    found = Asked(key_of(made), axis_of(made), truths, relations).same
    assert [name for name, _, _ in found] == [
        *("complement", "event-choice", "permutation", "rendering", "opaque-keys", "metadata", "exact-repeat")
    ]
    assert {name: (first, second) for name, first, second in found if name in PAIRS} == PAIRS


def test_questions_that_differ_have_no_action_in_common() -> None:
    made, reports = example(12, 2)
    panels = panels_of(made, reports)
    for measure in action_changes("coarsening", panels["event"], panels["canonical"], COSTS):
        assert not measure.eligible.any()
        assert not measure.column.valid.any()
    policies = Policies.of(panels["event"], panels["canonical"])
    for cost in COSTS:
        for name in ("choice", "mean", "agreement"):
            assert not policies.decided(name, cost).coverage.numerators.any()
            assert policies.decided(name, cost).coverage.valid.all()
    assert len(axis_of(made)) == 12
