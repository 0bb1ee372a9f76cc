"""The one table of fields: arms and variants obey it alike."""

from dataclasses import fields, replace
from typing import get_args

import pytest

from tests.composed import COMPOSED
from tests.unshipped import offered
from worldgen.cohort.fields import (
    BINDINGS,
    CONTRACTS,
    EVIDENCES,
    FILLINGS,
    INTERFACES,
    ORDERS,
    Allowed,
    Binding,
    Contract,
    Evidence,
    Interface,
    Order,
    Support,
    Way,
    one_of,
    unfit,
)
from worldgen.cohort.variants import BY_NAME, VARIANTS, refusal, way_of
from worldgen.collecting.controllers.arms import Arm, every_arm
from worldgen.collecting.controllers.options import ControllerError

WORLDS = offered()


def test_the_values_are_those_of_the_types() -> None:
    assert list(INTERFACES) == list(get_args(Interface)) and list(FILLINGS) == list(get_args(Support))
    assert get_args(Binding) == BINDINGS and get_args(Contract) == CONTRACTS and get_args(Order) == ORDERS
    assert ("none", *EVIDENCES) == get_args(Evidence)


def test_every_arm_is_one_that_the_table_allows() -> None:
    arms = list(every_arm())
    assert {arm.interface for arm in arms} == set(INTERFACES)
    assert all(unfit(arm) is None for arm in arms)


def test_every_value_of_the_table_is_used_by_some_arm() -> None:
    """Nothing is allowed in the table that a rule refuses everywhere."""
    arms = list(every_arm())
    for interface, allowed in INTERFACES.items():
        for part, name in (("supports", "support"), ("feedbacks", "feedback"), ("evidences", "evidence")):
            used = {getattr(arm, name) for arm in arms if arm.interface == interface}
            assert used == set(getattr(allowed, part)), (interface, name)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (Way("serial", "union", "gold"), "the interface serial has no feedback gold"),
        (Way("copy", "full", "none", "none"), "the interface copy has no evidence none"),
        (Way("native", "full"), "the interface native has no support full"),
        (Way("serial", "union", "own", filling="full-fill"), "the support union has no filling full-fill"),
        (
            Way("copy", "full", "own", "raw", filling="full-fill"),
            "the interface copy asks for every position",
        ),
        (Way("independent", "full", "batch", filling="full-fill"), "asks for every position at once"),
        (Way("copy", "answers", "own", "raw"), "a whole answer is given at once"),
        (Way("copy", "union", "batch", "raw"), "all positions of one request have the same options"),
        (Way("copy", "trie", "none", "raw"), "a trie continues a right beginning that is shown"),
        (Way("copy", "full", "batch", "direct"), "a request for all positions has no one symbol to show"),
        (Way("copy", "answers", "none", "direct"), "a whole answer has no one symbol to show"),
        (Way("native", "answers", binding="conflicting"), "only single symbols are bound to codes"),
        (Way("identity-check", "full", "none", "raw", "opaque"), "only single symbols are bound to codes"),
        (Way("native", "answers", wording=3), "the table has no wording 3"),
        (Way("native", "answers", order=3), "the table has no order 3"),
    ],
)
def test_what_does_not_go_together_is_said(way: Way, said: str) -> None:
    found = unfit(way)
    assert found is not None and found[0].endswith(said) and found[1]
    with pytest.raises(ControllerError, match=found[0].split(" has no order")[0]):
        Arm(**{one.name: getattr(way, one.name) for one in fields(way)})


def test_variants_that_can_be_asked_are_ways_of_the_table() -> None:
    """Whatever a cohort accepts, the table does; and a run of one request has the same fields."""
    for name, world in WORLDS.items():
        for variant in (*VARIANTS, *(BY_NAME[name] for name in COMPOSED)):
            if refusal(variant, "chat", world, "sheet") is not None:
                continue
            way = way_of(variant, world)
            assert unfit(way) is None, (name, variant.name)
            allowed: Allowed = INTERFACES[way.interface]
            assert allowed.problem == world.states and allowed.candidates
            assert allowed.supplied == (world.seen in {"copy", "miscopy"})
            if variant.name != "opaque-keys" and "opaque-keys" not in variant.name:
                arm = Arm(**{one.name: getattr(way, one.name) for one in fields(way)})
                assert arm.shows == allowed


def test_ways_differ_where_variants_do() -> None:
    world = WORLDS["arithmetic.copy"]
    names = ("at-3+draft", "at-3+draft+slip-1", "at-3", "at-3+indexed", "at-3+opaque", "at-3+character")
    ways = [way_of(BY_NAME[name], world) for name in (*names, "at-3+wording-1", "at-3+permuted", "trie-2")]
    assert len(set(ways)) == len(ways)
    assert replace(ways[0], feedback="draft") == ways[1] and {way.interface for way in ways} == {"copy"}
    asked = WORLDS["arithmetic.problem"]
    found = {
        name: way_of(BY_NAME[name], asked).interface
        for name in (*names[:3], "canonical", "canonical+draft-2")
    }
    assert list(found.values()) == ["teacher-forced", "prefix-probe", "independent", "native", "prefix-probe"]


def test_a_remedy_lists_what_there_is() -> None:
    assert one_of(("own", "none")) == "one of own, none"
    assert one_of(FILLINGS) == "one of answers, full, union, trie"
