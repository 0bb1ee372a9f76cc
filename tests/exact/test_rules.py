"""Outcome rules: what they mean, how far their integers reach, and what is refused at which column."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.by_hand import outcome_of
from worldgen.exact.expressions import ExpressionError
from worldgen.exact.rules import Amounts, Rule, Scope

HALF = Fraction(1, 2)
LEVELS = {"cycle": ("up", "steady", "down"), "cash": ("thin", "fair", "near-term"), "mood": ("up", "low")}
AMOUNTS = {
    "cash": Amounts(("cash",), (Fraction(3), Fraction(5), Fraction(7))),
    "mood": Amounts(("cycle", "mood"), tuple(Fraction(n, 4) for n in range(6))),
}
TABLES = {
    "share": Amounts(("cycle",), (Fraction(1), Fraction(3, 4), Fraction(2, 5))),
    "both": Amounts(("cash", "cycle"), tuple(Fraction(n) for n in range(9))),
}
TERMS = {"free": "cash * share[cycle] - HUGE", "twice": "free + free"}


def scope(huge: str = "1", **terms: str) -> Scope:
    found = {name: text.replace("HUGE", huge) for name, text in (TERMS | terms).items()}
    return Scope(LEVELS, AMOUNTS, TABLES, found, ("fine", "default", "in-between"))


def classes(rule: Rule) -> dict[tuple[str, str, str], str]:
    """The class of every state, the same by both meanings and by hand."""
    found = {}
    grids = dict(zip(LEVELS, np.ogrid[:3, :3, :2], strict=True))
    batch, again = (
        np.broadcast_to(meaning(grids), (3, 3, 2)) for meaning in (rule.outcomes, rule.slow_outcomes)
    )
    for codes in product(range(3), range(3), range(2)):
        state = dict(zip(LEVELS, codes, strict=True))
        assert batch[codes] == again[codes] == outcome_of(rule, state)
        cycle, cash, mood = (LEVELS[name][code] for name, code in state.items())
        found[cycle, cash, mood] = rule.scope.outcomes[batch[codes]]
    return found


MEANINGS: dict[str, Callable[[str, str, str], bool]] = {
    "cycle == steady": lambda cycle, cash, mood: cycle == "steady",
    "steady != cycle": lambda cycle, cash, mood: cycle != "steady",
    "cash == 'near-term'": lambda cycle, cash, mood: cash == "near-term",
    "cycle in (up, down)": lambda cycle, cash, mood: cycle in {"up", "down"},
    "cycle not in [up]": lambda cycle, cash, mood: cycle != "up",
    "cash == 5": lambda cycle, cash, mood: cash == "fair",
    "3 < cash <= 7 and not cycle == up": lambda cycle, cash, mood: cash != "thin" and cycle != "up",
    "mood >= 1.25": lambda cycle, cash, mood: (cycle, mood) == ("down", "low"),
    "both[cash, cycle] == 5": lambda cycle, cash, mood: (cash, cycle) == ("fair", "down"),
    "abs(cash - 5) < 1 or cycle == up": lambda cycle, cash, mood: cash == "fair" or cycle == "up",
    "min(cash, 4, 6) < max(3.5, -1)": lambda cycle, cash, mood: cash == "thin",
    "(cash if cycle == up else +2) / -0.5 < -9": lambda c, cash, mood: c == "up" and cash != "thin",
}


@pytest.mark.parametrize("text", MEANINGS)
def test_a_rule_means_what_it_says(text: str) -> None:
    found = classes(Rule(f"default if {text} else fine", scope()))
    for levels, name in found.items():
        assert name == ("default" if MEANINGS[text](*levels) else "fine"), levels


def test_rules_nest_and_name_classes_in_quotes() -> None:
    rule = Rule("fine if cash == thin else ('in-between' if cycle == up else default)", scope())
    assert set(classes(rule).values()) == {"fine", "default", "in-between"}
    assert rule.factors == {"cash", "cycle"}
    assert classes(Rule("fine", scope()))["up", "thin", "low"] == "fine"
    assert Rule("fine", scope()).factors == frozenset()


@given(st.integers(1, 2**70), st.sampled_from(["1", "3", "7/1000003"]))
def test_integers_give_way_to_larger_ones_before_they_wrap(size: int, step: str) -> None:
    huge = f"{size} * {step.split('/', maxsplit=1)[0]}" + (f" / {step.split('/')[1]}" if "/" in step else "")
    text = f"default if twice * ({huge}) > free * share[cycle] * ({huge}) else fine"
    classes(Rule(text, scope(f"({huge})")))


def test_products_that_only_just_fit_are_exact() -> None:
    for size in (2**62, 2**63 - 1, 2**63, 2**63 + 1):
        rule = Rule(f"default if {size} * cash - {size} * cash + cash > 4 else fine", scope())
        assert classes(rule)["up", "fair", "low"] == "default"
        assert classes(rule)["up", "thin", "low"] == "fine"


def test_a_term_named_many_times_is_worked_out_once() -> None:
    terms = {"t0": "cash"} | {f"t{n}": f"t{n - 1} + t{n - 1}" for n in range(1, 60)}
    rule = Rule(f"default if t59 > {4 * 2**59} else fine", scope(**terms))
    assert classes(rule)["up", "fair", "low"] == "default"


REFUSED = {
    "default if cycle == x else fine": (21, "cycle has no level 'x'"),
    "default if cash < 1 else mo": (26, "there is no outcome 'mo'"),
    "default if cycle < 3 else fine": (12, "the levels of cycle have no amounts"),
    "default if cash / free < 1 else fine": (12, "it divides by 'free', which is no constant"),
    "default if cash / (1 - 1) < 1 else fine": (12, "it divides by zero"),
    "default if share < 1 else fine": (12, "'share' is a table"),
    "default if share[cash] < 1 else fine": (12, "the table share goes by cycle"),
    "default if shore[cycle] < 1 else fine": (12, "there is no table 'shore'"),
    "default if csh < 1 else fine": (12, "there is no factor, table or term 'csh'"),
    "default if csh in (up,) else fine": (12, "'csh' is no factor"),
    "default if cycle in steady else fine": (21, "'in' takes levels in brackets"),
    "default if cycle in () else fine": (21, "'in' takes levels in brackets"),
    "default if cycle is steady else fine": (12, "only < <= > >= == != and in compare"),
    "default if cash else fine": (12, "'cash' is neither true nor false"),
    "default if not 1 else fine": (16, "'1' is neither true nor false"),
    "default if cash ** 2 > 1 else fine": (12, "'cash ** 2' is not allowed where a number stands"),
    "default if (cash > 1) + 1 > 1 else fine": (13, "'cash > 1' is not allowed where a number stands"),
    "default if open('x') > 1 else fine": (12, "'open('x')' is not allowed where a number stands"),
    "default if cash.real > 1 else fine": (12, "'cash.real' is not allowed where a number stands"),
    "default if [1] > 1 else fine": (12, "'[1]' is not allowed where a number stands"),
    "default if cash > 1e9999 else fine": (19, "'1e9999' is not an exact number"),
    "default if cash < 1": (1, "this is not an expression"),
    "default if round > 1 else fine": (1, "the term leads back to itself: round -> about -> round"),
    "cash": (1, "there is no outcome 'cash'"),
    "cash + 1": (1, "'cash + 1' is no outcome"),
    "default if": (1, "this is not an expression"),
}


@pytest.mark.parametrize(("text", "column"), [("cash == fair", 20), ("fair != cash", 12)])
def test_a_name_that_is_a_level_and_a_number_has_to_be_told_apart(text: str, column: int) -> None:
    with pytest.raises(
        ExpressionError, match="'fair' is a level of cash, and a number goes by that"
    ) as caught:
        Rule(f"default if {text} else fine", scope(fair="cash - 4"))
    assert caught.value.column == column
    level = Rule("default if cash == 'fair' else fine", scope(fair="cash - 4"))
    assert {cash for (_, cash, _), found in classes(level).items() if found == "default"} == {"fair"}
    number = Rule("default if cash == +fair else fine", scope(fair="14 - cash"))
    assert {cash for (_, cash, _), found in classes(number).items() if found == "default"} == {"near-term"}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused_is_told_with_its_column(text: str) -> None:
    column, message = REFUSED[text]
    with pytest.raises(ExpressionError) as caught:
        Rule(text, scope(round="about + 1", about="round - 1"))
    assert (caught.value.column, caught.value.message.split(": ", 1)[1]) == (column, message)
    assert caught.value.remedy
