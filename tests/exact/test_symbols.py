"""Formulas: with numbers in the place of symbols, they are what the numeric path says."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.networks import CREDIT_VIEWS, credit, surplus
from tests.small_networks import literal, networks
from worldgen.exact.design import bayes_error_curve
from worldgen.exact.errors import ZeroMassError
from worldgen.exact.factors import Factor, FactorError
from worldgen.exact.joints import joint
from worldgen.exact.networks import Codes, Network, NetworkError, Outcome
from worldgen.exact.symbols import fraction, piecewise, posterior, rational, symbol

NUMBERS = st.fractions(0, 1, max_denominator=50)


@pytest.mark.parametrize("view", ["low", "medium", "high"])
def test_the_bayes_error_is_a_formula_in_the_scale(view: str) -> None:
    curve, s = bayes_error_curve(credit(), CREDIT_VIEWS[view], "residual", "0"), symbol("s")
    formula = piecewise(curve, s)
    assert formula.free_symbols == {s}
    bends = [scale for scale, _ in curve.points]
    for scale in [*bends, Fraction(1), Fraction(1, 3), (bends[0] + bends[1]) / 2, Fraction(4)]:
        assert fraction(formula.subs(s, rational(scale))) == curve(scale)
    assert formula.subs(s, 5) is sympy.nan


@settings(max_examples=40)
@given(networks(), st.data())
def test_a_prior_left_open_gives_the_posterior_of_every_prior(network: Network, data: st.DataObject) -> None:
    factor = data.draw(st.sampled_from(network.factors))
    given = {
        other.name: data.draw(st.integers(0, other.size - 1))
        for other in network.factors
        if data.draw(st.booleans())
    }
    x, value = symbol("x"), data.draw(NUMBERS)
    # The first two levels share x and 1 - x, in every row; a factor of one level has nothing to leave open.
    assume(factor.size > 1)
    table = np.full(factor.table.shape, sympy.Integer(0), dtype=np.object_)
    table[..., 0], table[..., 1] = x, 1 - x
    numbers = np.full(factor.table.shape, Fraction(0), dtype=np.object_)
    numbers[..., 0], numbers[..., 1] = value, 1 - value
    other = Factor.of(factor.name, factor.levels, numbers, factor.parents)
    changed = Network(
        tuple(other if mine.name == factor.name else mine for mine in network.factors), network.outcome
    )
    masses = literal(changed, [], given)[()]
    if not sum(masses):
        return
    formulas = posterior(network, given, {factor.name: table.tolist()})
    found = [formula.subs(x, rational(value)) for formula in formulas]
    assume(sympy.nan not in found)  # x cancels at most where the evidence has mass zero
    assert [fraction(formula) for formula in found] == [mass / sum(masses) for mass in masses]


def test_a_credit_prior_left_open() -> None:
    x = symbol("x")
    given = dict.fromkeys(CREDIT_VIEWS["high"], 0) | {"cash_generation": 1}
    _, q = posterior(
        credit(), given, {"principal_due": [x, rational(Fraction(27, 100)), Fraction(73, 100) - x]}
    )
    assert q.free_symbols == {x} and q.is_rational_function(x)
    assert fraction(q.subs(x, rational(Fraction(48, 100)))) == joint(credit(), [], given).prior.masses[1]


def test_without_symbols_a_formula_is_a_number() -> None:
    given = dict.fromkeys(CREDIT_VIEWS["high"], 0)
    assert [fraction(q) for q in posterior(credit(), given)] == list(joint(credit(), [], given).prior.masses)


def test_an_amount_left_open() -> None:
    """Default where the surplus lies below the amount: zero in the world as published."""
    amount, network = symbol("amount"), credit()
    given = dict.fromkeys(CREDIT_VIEWS["high"], 1)

    def conditions(state: Mapping[str, int]) -> tuple[sympy.Basic, sympy.Basic]:
        short = int(surplus({name: np.asarray(code) for name, code in state.items()})) < amount
        return sympy.Not(short), short

    fine, default = posterior(network, given, conditions=conditions)
    for value in (-60, -1, 0, 1, 20, 55, 300):

        def moved(codes: Mapping[str, Codes], limit: int = value) -> Codes:
            return (surplus(codes) < limit).astype(np.int64)

        other = Network(network.factors, Outcome(network.outcome.atoms, network.outcome.reads, moved))
        expected = joint(other, [], given).prior.masses
        assert (fraction(fine.subs(amount, value)), fraction(default.subs(amount, value))) == expected


def test_a_prior_and_an_amount_left_open_together() -> None:
    x, amount = symbol("x"), symbol("amount")
    given = dict.fromkeys(CREDIT_VIEWS["medium"], 1)

    def conditions(state: Mapping[str, int]) -> tuple[sympy.Basic, sympy.Basic]:
        short = int(surplus({name: np.asarray(code) for name, code in state.items()})) < amount
        return sympy.Not(short), short

    noise = [Fraction(3, 100), x, Fraction(85, 100) - x, Fraction(9, 100), Fraction(3, 100)]
    _, q = posterior(credit(), given, {"residual": noise}, conditions)
    assert q.free_symbols == {x, amount}
    found = fraction(q.subs({x: rational(Fraction(9, 100)), amount: 0}))
    assert found == joint(credit(), [], given).prior.masses[1]


def test_rows_that_do_not_sum_to_one_are_refused() -> None:
    x, half = symbol("x"), Fraction(1, 2)
    with pytest.raises(FactorError, match="sum to x \\+ 1/2, not to 1 whatever the symbols are") as caught:
        posterior(credit(), {}, {"refinancing": [[x, 1 - x, 0], [x, half, 0], [x, 1 - x, 0]]})
    assert caught.value.factor == "refinancing" and caught.value.row == {"cycle": 1}


def test_what_is_not_there_or_never_happens_is_refused() -> None:
    with pytest.raises(NetworkError, match="a table is given for 'luck'"):
        posterior(credit(), {}, {"luck": [1]})
    with pytest.raises(FactorError, match=r"its table has shape \(2,\), not \(3,\)"):
        posterior(credit(), {}, {"principal_due": [1, 0]})
    with pytest.raises(ZeroMassError, match="'principal_due=low'"):
        posterior(credit(), {"principal_due": 0}, {"principal_due": [0, symbol("x"), 1 - symbol("x")]})
    with pytest.raises(TypeError, match="x is not a rational number"):
        fraction(symbol("x"))
    with pytest.raises(TypeError, match="is not a rational number"):
        fraction(sympy.sqrt(2))
