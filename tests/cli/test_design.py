"""`worldgen design`: the exact scale, what cannot be reached, and what to hide."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from tests.cli.test_commands import parsed, run
from worldgen.exact.design import UnreachableError
from worldgen.spec import read_factors
from worldgen.worlds.designs import design_hiding
from worldgen.worlds.factor_parts import Residual
from worldgen.worlds.factors import FactorWorld


def test_the_published_scale_is_found_and_is_right() -> None:
    found = parsed("design", "credit-risk", "--view", "low", "--bayes-error", "1/10")
    assert found["scale"] == "1000000000000000000/259265749903241391"
    assert found["largest_scale"] == "25/6"
    masses = {number: Fraction(mass) for number, mass in found["residual"].items()}
    assert sum(masses.values()) == 1
    world = read_factors("credit-risk")
    residual = world.model.residual
    assert residual is not None
    changed = replace(world.model, residual=Residual(residual.numbers, tuple(masses.values()), "integer"))
    assert FactorWorld(changed).joint.bayes_error == Fraction(1, 10)


@pytest.mark.parametrize(
    ("view", "lowest", "highest"),
    [("low", "0.00000", "0.10803"), ("medium", "0.09899", "0.12959"), ("high", "0.15833", "0.19243")],
)
def test_what_each_view_can_reach(view: str, lowest: str, highest: str) -> None:
    error = read_factors("credit-risk").through(view).joint.bayes_error
    text = run("design", "credit-risk", "--view", view, "--bayes-error", error).stdout
    assert f"from {lowest} to {highest}" in text
    found = parsed("design", "credit-risk", "--view", view, "--bayes-error", error)
    assert Fraction(found["scale"]) <= 1
    assert [f"{float(Fraction(end)):.5f}" for end in found["reachable"]] == [lowest, highest]


def test_what_is_out_of_reach_is_refused_with_the_interval() -> None:
    refused = run("design", "credit-risk", "--view", "high", "--bayes-error", "0.1", code=1)
    assert "no scale of the residual gives a Bayes error of 1/10" in refused.stderr
    assert "from 0.158334 to 0.192432" in refused.stderr


@pytest.mark.parametrize("end", ["0.158334", "0.192432"])
def test_the_ends_that_are_told_can_be_asked_for(end: str) -> None:
    assert parsed("design", "credit-risk", "--view", "high", "--bayes-error", end)["bayes_error"]


@pytest.mark.parametrize("wrong", ["2", "-1/10", "1.0000001"])
def test_an_error_that_is_no_probability_is_wrong_use(wrong: str) -> None:
    refused = run("design", "credit-risk", "--bayes-error", wrong, "--by", "hiding", code=2)
    assert "a Bayes error is a probability; write one from 0 to 1" in refused.stderr


def test_an_interval_too_narrow_for_decimals_is_told_exactly() -> None:
    third = Fraction(1, 3)
    refused = UnreachableError(Fraction(1, 2), third, third)
    assert refused.remedy == "ask for one from 1/3 to 1/3, or hide other factors"


def test_hiding_lists_the_nearest_sets_first() -> None:
    found = parsed("design", "peer-review", "--bayes-error", "1/10", "--by", "hiding", "--most", "1")
    world = read_factors("peer-review")
    errors = {(): world.joint.bayes_error} | {
        (part.name,): world.model.joint((part.name,)).bayes_error for part in world.model.factors
    }
    assert {tuple(way["hide"]): Fraction(way["bayes_error"]) for way in found["ways"]} == errors
    off = [abs(Fraction(way["bayes_error"]) - Fraction(1, 10)) for way in found["ways"]]
    assert off == sorted(off)
    text = run(
        "design", "peer-review", "--bayes-error", "1/10", "--by", "hiding", "--most", 1, "--shown", 2
    ).stdout
    assert found["ways"][1]["hide"][0] in text and found["ways"][2]["hide"][0] not in text


def test_hiding_goes_on_from_what_a_view_hides() -> None:
    world = read_factors("credit-risk").through("medium")
    found = design_hiding(world, Fraction(1, 6), 1)
    names = [name for name in world.model.levels if name not in {"cash_buffer", "residual"}]
    assert {one.hidden for one in found} == {
        ("cash_buffer", *more) for n in (0, 1) for more in combinations(names, n)
    }
    assert found[0].hidden == ("cash_buffer", "principal_due")


def test_wrong_use() -> None:
    assert (
        "design works on a world of factors"
        in run("design", "covert-transfer", "--bayes-error", "1/10", code=2).stderr
    )
    assert "is not an exact number" in run("design", "credit-risk", "--bayes-error", "a tenth", code=2).stderr
    assert "Missing option" in run("design", "credit-risk", code=2).stderr
