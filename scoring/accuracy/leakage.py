"""Leakage: were the picks right more often than the world allows?

Let a request with exact answer q be answered by a pick that depends on everything but the outcome. It is
right with chance q_pick <= max q. Outcomes of different roots are independent, so with one uniform U_i a
root, pick i right where U_i < q_i,pick and the best pick where U_i < max q_i, the number S of right picks
never exceeds the number S* of right best picks: P(S >= s) <= P(S* >= s) for every s. Hence P(S* >= s) at
the s that was seen is a p-value against every predictor that does not know outcomes. It needs one request
a root: requests of one root share its outcome, and counting that outcome twice makes honest predictors
look guilty (pooling seven flags a quarter of them at 5 %).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import frexp, fsum, sqrt

import numpy as np

from worldgen.exact.errors import WorldgenError
from worldgen.scoring.accuracy.kernels import best_class
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.panels.losses import Rows
from worldgen.scoring.panels.panel import Panel

LEVEL = Fraction(1, 1000)
"""The level at which a system is flagged, over all systems and variants together."""

EXACT_CASES = 300
"""Up to so many cases the tail is computed in integers; above, in doubles with a proved bound."""

_ROUNDING = Fraction(1, 2**53)  # the relative error of one operation on doubles, at most
_SAFE = 2.0**-900  # a sum above it owes less than one rounding to what underflowed


class SharedOutcomeError(WorldgenError):
    """Cases that are not independent: two of them read the outcome of one root."""


@dataclass(frozen=True, slots=True)
class Case:
    """One pick on one root: whether it was `right`, its exact chance `chance` of being so (q of the pick),
    and the greatest chance `best` that any pick had (max q).
    """

    root_id: str
    chance: Fraction
    best: Fraction
    right: bool


@dataclass(frozen=True)
class Evidence:
    """What independent cases say against not knowing outcomes.

    `p_value` is P(S* >= right): exact up to EXACT_CASES cases, above that an upper bound that is too high by
    less than 14 (cases + 1) 2**-53 of itself, and so a p-value all the same. It is never 0. The best
    predictor expects `bayes` right picks, these picks should have had `expected`, and `z` is
    (right - expected) / sqrt(sum q (1 - q)), None where the root is 0: three doubles, for reading.
    """

    cases: int
    right: int
    bayes: float
    expected: float
    z: float | None
    p_value: Fraction


def cases_of(panel: Panel) -> list[Case]:
    """The cases of a panel: one for each root that has a valid report and a known outcome.

    Of several repeats the first valid one counts: which one that is does not depend on the outcome. The pick
    is the option that the system named, or else the class that the controller would answer. A question that
    conditions on an event has an outcome only where the event came true, and q given that is its law there.
    """
    truth = panel.truth
    first = panel.valid.argmax(axis=1)
    rows = np.arange(len(first))
    named = panel.selected[rows, first]
    picks = np.where(named >= 0, named, best_class(panel)[rows, first])
    found = []
    for i in np.flatnonzero(panel.answered & truth.eligible & (truth.outcomes >= 0)).tolist():
        request, pick, total = truth.requests[i], int(picks[i]), int(truth.total[i])
        if request is not None:
            chance, best = Fraction(int(truth.q[i, pick]), total), Fraction(int(truth.best[i]), total)
            found.append(Case(request.root_id, chance, best, pick == int(truth.outcomes[i])))
    return found


def evidence(cases: Sequence[Case]) -> Evidence:
    """What cases of different roots say. Raises SharedOutcomeError where two cases share a root.

    >>> half = Fraction(1, 2)
    >>> found = evidence([Case(f"r{i}", half, half, True) for i in range(10)])
    >>> found.right, found.p_value, found.z
    (10, Fraction(1, 1024), 3.162277660168379)
    """
    seen: set[str] = set()
    for case in cases:
        if case.root_id in seen:
            raise SharedOutcomeError(
                f"root {case.root_id!r} stands in two cases, which share its outcome",
                remedy="take one request of each root: one system, one variant, one repeat",
            )
        seen.add(case.root_id)
    right = sum(case.right for case in cases)
    best = [case.best for case in cases]
    p_value = tail(best, right) if len(cases) <= EXACT_CASES else tail_bounds(best, right)[1]
    expected = fsum(float(case.chance) for case in cases)
    spread = sqrt(fsum(float(case.chance * (1 - case.chance)) for case in cases))
    z = (right - expected) / spread if spread else None
    return Evidence(len(cases), right, fsum(map(float, best)), expected, z, p_value)


def leakage(panels: Iterable[Panel], level: Fraction = LEVEL) -> Rows:
    """One row for each panel, which is one system on one variant, that has a case.

    `p_value` is a double that is never 0, `p_text` its decimal to nine digits, rounded up, however small.
    `p_adjusted` is adjusted after Holm over all rows, and `flagged` says whether it is at most `level`.
    """
    found = [(panel, evidence(cases)) for panel in panels if (cases := cases_of(panel))]
    adjusted = holm([said.p_value for _, said in found])
    return [
        {
            "system": panel.system,
            "variant": panel.truth.variant,
            "cases": said.cases,
            "correct": said.right,
            "bayes_expected": said.bayes,
            "expected": said.expected,
            "z": said.z,
            "p_value": _double(said.p_value),
            "p_text": decimal_text(said.p_value),
            "p_adjusted": _double(least),
            "flagged": least <= level,
        }
        for (panel, said), least in zip(found, adjusted, strict=True)
    ]


def decimal_text(value: Fraction) -> str:
    """A fraction as a decimal of nine digits, rounded up; it has no least exponent.

    >>> decimal_text(Fraction(1, 3)), decimal_text(Fraction(1, 2**5000))
    ('0.333333334', '7.07981127E-1506')
    """
    context = Context(9, ROUND_CEILING, MIN_EMIN, MAX_EMAX)
    return str(context.divide(Decimal(value.numerator), Decimal(value.denominator)))


def _double(value: Fraction) -> float:
    """The nearest double above 0."""
    return max(float(value), 2.0**-1074)


def tail(chances: Sequence[Fraction], successes: int) -> Fraction:
    """P(S >= successes) for S the number of successes of independent trials with these chances, exactly.

    With chances n_i / d_i it is the sum of the coefficients from x**successes upwards of
    prod_i (d_i - n_i + n_i x), over prod_i d_i.

    >>> tail([Fraction(1, 2), Fraction(1, 3)], 1), tail([Fraction(1, 2), Fraction(1, 3)], 2)
    (Fraction(2, 3), Fraction(1, 6))
    """
    if successes <= 0:
        return Fraction(1)
    counts, whole = [1], 1
    for chance in chances:
        up, down = chance.numerator, chance.denominator - chance.numerator
        moved = zip([0, *counts], [*counts, 0], strict=True)
        counts, whole = [up * below + down * here for below, here in moved], whole * chance.denominator
    return Fraction(sum(counts[successes:]), whole)


def tail_bounds(chances: Sequence[Fraction], successes: int) -> tuple[Fraction, Fraction]:
    """Two fractions that P(S >= successes) lies between, from doubles; they differ by less than
    14 (n + 1) 2**-53 of themselves for n chances, however small they are.

    The odds of every trial are multiplied by a tilt t >= 1, so that about `successes` successes are to be
    expected: with c_k the coefficients of prod_i (1 - b_i + b_i t x), P(S >= s) = sum_(k >= s) c_k / t**k.
    Whatever t is, the identity holds; a good one keeps the c_k that matter in the range of doubles.

    All terms are positive and nothing is subtracted, so relative errors only add up. A step rounds 1 - b_i,
    b_i, b_i t, two products and a sum: at most 4 roundings on any one path, 4n in all. The sum
    h_k = c_k + h_(k+1) / t runs from the small end and adds at most 2 (n + 1). Powers of two that hold the
    c_k below 1 are exact. Where a term underflows, at most 2**-1074 is lost beside coefficients of which one
    is at least 1/2; at most 4 (n + 1)**2 such losses stay below 2**-1000 in the end for n < 2**18 (a loss
    grows no faster than the sum of the c_k, and that is at most n + 1), which is less than a rounding beside
    h_s >= 2**-900. So there are m = 6 (n + 1) roundings at most, and (1 + u)**m <= 1 / (1 - m u).
    Where h_s is smaller, which takes a tilt far off, the tail is computed exactly.

    >>> low, high = tail_bounds([Fraction(1, 2)] * 2000, 2000)
    >>> low <= Fraction(1, 2**2000) <= high, high - low < low / 10**11
    (True, True)
    """
    if successes <= 0:
        return Fraction(1), Fraction(1)
    if successes > len(chances):
        return Fraction(0), Fraction(0)
    tilt = _tilt([float(chance) for chance in chances], successes)
    counts, exponent = np.ones(1), 0
    for chance in chances:
        up, down = float(chance) * tilt, float(1 - chance)
        stay, move = counts * down, counts * up
        counts = np.append(stay, 0.0)
        counts[1:] += move
        shift = frexp(float(counts.max()))[1]
        counts, exponent = np.ldexp(counts, -shift), exponent + shift
    found = 0.0
    for count in counts[successes:][::-1].tolist():
        found = count + found / tilt
    if found < _SAFE:
        value = tail(chances, successes)
        return value, value
    value = Fraction(found) * Fraction(2) ** exponent / Fraction(tilt) ** successes
    error = 6 * (len(chances) + 1) * _ROUNDING
    return value * (1 - error), min(value / (1 - error), Fraction(1))


def _tilt(chances: Sequence[float], successes: int) -> float:
    """A number of 8 significant bits at least 1 under which about `successes` successes are expected."""
    chance = np.array(chances)
    low, high = 0.0, 64.0  # of log2 of the tilt
    for _ in range(20):
        middle = (low + high) / 2
        odds = chance * 2.0**middle
        if (odds / (1 - chance + odds)).sum() < successes:
            low = middle
        else:
            high = middle
    fraction, shift = frexp(2.0**low)
    return max(1.0, round(fraction * 256) * 2.0 ** (shift - 8))
