"""The literal sum: state after state in fractions, whatever it is cut into, and nothing of the fast path."""

import ast
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.by_hand import masses_of, outcome_of
from tests.random_factors import models
from tests.unshipped import harbour
from worldgen.exact.numbers import Integers
from worldgen.worlds import literal_sums as module
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factor_parts import Residual
from worldgen.worlds.literal_sums import literal_sums

Pattern = tuple[int, ...]


def sums(model: FactorModel, shown: list[str], patterns: list[Pattern]) -> Integers:
    codes = np.array(patterns, dtype=np.int64).reshape(len(patterns), len(shown))
    return literal_sums(model.network.factors, model.decision, shown, codes)


def every_pattern(model: FactorModel, shown: list[str]) -> list[Pattern]:
    return list(product(*(range(len(model.levels[name])) for name in shown)))


def by_hand(model: FactorModel, shown: list[str], pattern: Pattern) -> tuple[Fraction, ...] | None:
    """P(class | pattern): every state that agrees with the pattern in turn."""
    masses = [Fraction(0)] * len(model.atoms)
    known = dict(zip(shown, pattern, strict=True))
    for codes in every_pattern(model, list(model.levels)):
        state = dict(zip(model.levels, codes, strict=True))
        if state | known == state:
            factors = model.network.factors
            mass = prod(
                (factor.probability(state[factor.name], state) for factor in factors), start=Fraction(1)
            )
            masses[outcome_of(model.decision, state)] += mass
    return tuple(mass / sum(masses) for mass in masses) if any(masses) else None


@settings(max_examples=25)
@given(models(), st.data(), st.integers(1, 9), st.integers(1, 4))
def test_it_is_the_sum_over_states_in_turn_whatever_it_is_cut_into(
    model: FactorModel, data: st.DataObject, states: int, at_once: int
) -> None:
    """Any factors may be shown, none of them or the residual as well, in any order, any number of times."""
    shown = data.draw(st.lists(st.sampled_from(list(model.levels)), unique=True))
    patterns = data.draw(st.lists(st.sampled_from(every_pattern(model, shown)), max_size=9))
    with patch.object(module, "_STATES", states), patch.object(module, "_PATTERNS", at_once):
        found = sums(model, shown, patterns)
    assert masses_of(found) == [by_hand(model, shown, pattern) for pattern in patterns]
    assert found.tolist() == sums(model, shown, patterns).tolist()
    assert {int(divisor) for divisor in np.gcd.reduce(found, axis=1)} <= {0, 1}


@pytest.mark.parametrize("tiny", [Fraction(1, 2**61), Fraction(1, 2**63 + 1), Fraction(1, 10**40)])
def test_weights_do_not_wrap(tiny: Fraction) -> None:
    model = replace(harbour(), residual=Residual((Fraction(0), Fraction(2)), (1 - tiny, tiny)))
    for shown in (["wind"], ["tide", "wind"], []):
        patterns = every_pattern(model, shown)
        found = masses_of(sums(model, shown, patterns))
        assert found == [by_hand(model, shown, pattern) for pattern in patterns]


def test_it_imports_nothing_of_the_fast_path() -> None:
    """Of the rule it asks for the slow meaning alone."""
    text = Path(module.__file__).read_text()
    found = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in found if name and name.startswith("worldgen")}
    assert ours == {"worldgen.exact.factors", "worldgen.exact.numbers", "worldgen.exact.rules"}
    assert "rule.slow_outcomes(" in text and ".outcomes(" not in text
