"""The one door to sympy, which has no types of its own: exact answers as formulas.

Nothing else imports sympy, and nothing imports this module before it is needed: sympy takes a second to load.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import sympy

from worldgen.exact.design import Curve
from worldgen.exact.errors import ZeroMassError
from worldgen.exact.factors import Factor, FactorError
from worldgen.exact.joints import joint
from worldgen.exact.networks import Network

Expression = Any  # an expression of sympy
Conditions = Callable[[Mapping[str, int]], Sequence[Expression]]


def symbol(name: str) -> Expression:
    """A real number that is not known."""
    return sympy.Symbol(name, real=True)


def rational(value: Fraction | int) -> Expression:
    """A number as sympy writes it.

    >>> rational(Fraction(2, 6))
    1/3
    """
    value = Fraction(value)
    return sympy.Rational(value.numerator, value.denominator)


def fraction(expression: Expression) -> Fraction:
    """The number that an expression without symbols is. Raises TypeError for one that is not rational.

    >>> fraction(rational(Fraction(1, 3)) + 1)
    Fraction(4, 3)
    """
    found = sympy.sympify(expression)
    if not isinstance(found, sympy.Rational):
        raise TypeError(f"{expression} is not a rational number")
    return Fraction(int(found.p), int(found.q))


def piecewise(curve: Curve, scale: Expression) -> Expression:
    """The Bayes error as an expression in the scale; not a number (nan) outside 0 .. curve.largest.

    >>> hill = Curve(((Fraction(0), Fraction(0)), (Fraction(2), Fraction(1, 2)), (Fraction(3), Fraction(0))))
    >>> piecewise(hill, symbol("s"))
    Piecewise((s/4, (s >= 0) & (s <= 2)), (3/2 - s/2, (s <= 3) & (s > 2)))
    """
    pieces: list[tuple[Expression, Expression]] = []
    for (left, low), (right, high) in pairwise(curve.points):
        slope = (high - low) / (right - left)
        line = rational(slope) * scale + rational(low - slope * left)
        start = scale > rational(left) if pieces else scale >= rational(left)
        pieces.append((line, sympy.And(start, scale <= rational(right))))
    return sympy.Piecewise(*pieces)


def posterior(
    network: Network,
    given: Mapping[str, int],
    tables: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
) -> tuple[Expression, ...]:
    """P(class k | evidence) of every class, as expressions in whatever is left open.

    `tables` gives some factors other probabilities: expressions, nested as `Factor.table` is, whose rows sum
    to one whatever their symbols are. `conditions` takes the place of the outcome rule: it maps a state of
    what the rule reads, by codes, to a condition for each class, exactly one of which holds for every value
    of its symbols; an amount in the rule can so be left open. Values of symbols that make the evidence
    impossible, or a probability negative, are for the caller to leave out.

    Raises FactorError, which names the row, for a table of another shape or whose rows do not sum to one;
    ZeroMassError, which names the evidence, where it has probability zero whatever the symbols are.

    >>> from worldgen.exact.events import Atoms
    >>> from worldgen.exact.networks import Outcome
    >>> ill = Factor("ill", ("no", "yes"), (), [9, 1], 10)
    >>> test = Factor("test", ("-", "+"), ("ill",), [[4, 1], [1, 4]], 5)
    >>> clinic = Network((ill, test), Outcome(Atoms(("well", "ill")), ("ill",), lambda codes: codes["ill"]))
    >>> x = symbol("x")
    >>> posterior(clinic, {"test": 1}, {"ill": [1 - x, x]})[1]
    4*x/(3*x + 1)
    """
    network.check_known([*(tables or {})], "a table is given for")
    changed = {name: _probabilities(network.by_name[name], table) for name, table in (tables or {}).items()}
    reads = network.outcome.reads if conditions else ()
    scopes = [name for factor in changed for name in network.by_name[factor].scope]
    free = [name for name in dict.fromkeys([*reads, *scopes]) if name not in given]
    # An open factor is counted with equal probabilities, so that nothing is lost, then weighed by its own.
    counted = tuple(_flat(factor) if factor.name in changed else factor for factor in network.factors)
    law = joint(Network(counted, network.outcome), free, given)
    parts: list[dict[Expression, Expression]] = [{} for _ in network.outcome.atoms.names]
    for weights, codes in zip(law.table.tolist(), np.ndindex(*law.sizes), strict=True):
        state = {**given, **dict(zip(free, codes, strict=True))}
        places = {name: tuple(state[axis] for axis in network.by_name[name].scope) for name in changed}
        chance = sympy.Mul(*(changed[name][place] for name, place in places.items()))
        if conditions is None:
            shares = [(sympy.true, weight) for weight in weights]
        else:
            shares = [(sympy.sympify(condition), sum(weights)) for condition in conditions(state)]
        for part, (condition, weight) in zip(parts, shares, strict=True):
            part[condition] = part.get(condition, 0) + weight * chance
    # Conditions share a state out again for every class, so that one class has all of the mass.
    shared = parts[:1] if conditions else parts
    whole = sympy.cancel(sum(mass for part in shared for mass in part.values()))
    if whole == 0:
        raise ZeroMassError(network.described(given), remedy="ask about what can occur")
    return tuple(sympy.Add(*(_share(part[c], whole) * _indicator(c) for c in part)) for part in parts)


def _share(part: Expression, whole: Expression) -> Expression:
    return sympy.cancel(part / whole)


def _indicator(condition: Expression) -> Expression:
    return sympy.Piecewise((1, condition), (0, True))


def _flat(factor: Factor) -> Factor:
    return Factor(factor.name, factor.levels, factor.parents, np.ones_like(factor.table), factor.size)


def _probabilities(factor: Factor, table: Any) -> Any:
    """The table as an array of expressions, once its rows are seen to sum to one."""
    found = np.array(table, dtype=np.object_)
    if found.shape != factor.table.shape:
        raise FactorError(factor.name, f"its table has shape {found.shape}, not {factor.table.shape}")
    found = np.frompyfunc(_expression, 1, 1)(found)
    for codes in np.ndindex(found.shape[:-1]):
        row_sum = sympy.cancel(sympy.Add(*found[codes]))
        if row_sum != 1:
            row = dict(zip(factor.parents, codes, strict=True))
            message = f"its probabilities at {row} sum to {row_sum}, not to 1 whatever the symbols are"
            raise FactorError(factor.name, message, row=row)
    return found


def _expression(entry: Any) -> Expression:
    return rational(entry) if isinstance(entry, int | Fraction) else entry
