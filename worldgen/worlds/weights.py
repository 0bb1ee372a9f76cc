"""Weights of counts: textbook laws, conditioned on a range, centred on a median, and rounded once.

The integers that come out are stored with a world and are then the definition: nothing here runs when a
world is drawn from. No float is involved, so that anybody recomputes the same integers.

The *median* of a law on whole numbers is m where P(N < m) + P(N = m)/2 = 1/2. The location that puts it
there is irrational as a rule; taken is the greatest multiple of 2**-40 at which the left side is still at
least 1/2. Both laws below are exponential families in an increasing function of the location, so a greater
location makes N stochastically greater and the left side smaller: bisection finds the one answer.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from math import comb
from textwrap import wrap

from worldgen.exact.errors import DomainError

TOTAL = 2**53
_STEPS = 2**40
_DIGITS = 60
_HALF = Fraction(1, 2)


def negative_binomial(
    values: range, median: int, dispersion: int, share: Fraction = _HALF
) -> tuple[int, ...]:
    """The weights of a negative binomial count on a range of consecutive values.

    P(N = n) is proportional to C(n + r - 1, n) (mu / (r + mu))**n, r the dispersion: before it is cut to
    the range, N has mean mu and variance mu + mu**2 / r. mu is such that P(N < median) + P(N = median)/2
    is `share`, as above. Raises DomainError where no mu does that, and for a dispersion below 1.

    >>> rounded(negative_binomial(range(0, 4), 1, 2), 1000)
    (343, 313, 214, 130)
    """
    _check(values, median, dispersion)
    first, last = values[0], values[-1]
    flat = [comb(n + dispersion - 1, n) for n in values]

    def weights(k: int) -> tuple[int, ...]:
        whole = dispersion * _STEPS + k
        return tuple(
            ways * k ** (n - first) * whole ** (last - n) for n, ways in zip(values, flat, strict=True)
        )

    def below(k: int) -> bool:
        return _left(weights(k), median - first) >= share

    # As mu grows without bound, the powers cancel and the weights tend to `flat`.
    if not below(1) or _left(flat, median - first) >= share:
        raise _unreachable(values, median)
    top = 2
    while below(top):
        top *= 2
    return weights(_greatest(below, 1, top))


def lognormal(values: range, median: int, spread: int) -> tuple[int, ...]:
    """The weights of a lognormal number rounded to a whole one, on a range of consecutive positive values.

    ln of the number is normal with standard deviation `spread`; rounding takes n - 1/2 to n + 1/2 to n.
    The weights are computed to 60 digits and are their first 60 decimal places. Raises DomainError where
    no location has the median, for a value below 1, and for a spread below 1.

    >>> rounded(lognormal(range(1, 6), 2, 1), 1000)
    (367, 266, 173, 115, 79)
    """
    _check(values, median, min(spread, values.start))
    with localcontext(Context(prec=_DIGITS)):
        edges = [(Decimal(2 * n - 1) / 2).ln() for n in (*values, values[-1] + 1)]

        def mass(k: int, low: int, high: int) -> Decimal:
            location = Decimal(k) / _STEPS
            ends = (_normal((edges[place] - location) / spread) for place in (low, high))
            return -next(ends) + next(ends)

        place, size = median - values[0], len(values)

        def below(k: int) -> bool:
            left = mass(k, 0, place) + mass(k, place, place + 1) / 2
            return 2 * left >= mass(k, 0, size)

        # Eight standard deviations outside the range, differences of the integral still have 40 digits.
        away = [steps * spread * _STEPS for steps in range(9)]
        low, high = int(edges[0] * _STEPS), int(edges[-1] * _STEPS)
        bottom = next((low - far for far in away if below(low - far)), None)
        top = next((high + far for far in away if not below(high + far)), None)
        if bottom is None or top is None:
            raise _unreachable(values, median)
        location = Decimal(_greatest(below, bottom, top)) / _STEPS
        heights = [_normal((edge - location) / spread) for edge in edges]
        return tuple(int((high - low).scaleb(_DIGITS)) for low, high in pairwise(heights))


def after_zero(weights: Sequence[int], zero: Fraction) -> tuple[int, ...]:
    """The weights with a value before them that has mass `zero`; they keep their ratios.

    Raises DomainError for a mass outside [0, 1].

    >>> after_zero((1, 3), Fraction(1, 5))
    (4, 4, 12)
    """
    if not 0 <= zero <= 1:
        raise DomainError(f"the mass {zero} is outside [0, 1]", remedy="give a probability, like 1/5")
    rest = zero.denominator - zero.numerator
    return (zero.numerator * sum(weights), *(rest * weight for weight in weights))


def rounded(weights: Sequence[int], total: int = TOTAL) -> tuple[int, ...]:
    """Integers that sum to `total`, each less than 1 away from total * weight / sum(weights).

    All are rounded down; what is missing goes, one each, to those that lost most, the first among equals.
    Raises DomainError for a negative weight or total, and where all weights are 0.

    >>> rounded((1, 1, 1), 8)
    (3, 3, 2)
    """
    whole = sum(weights)
    if whole == 0 or min(*weights, total) < 0:
        raise DomainError("these are no weights", remedy="give integers from 0, not all of them 0")
    parts = [divmod(weight * total, whole) for weight in weights]
    missing = total - sum(part for part, _ in parts)
    losses = sorted(range(len(parts)), key=lambda place: -parts[place][1])
    up = set(losses[:missing])
    return tuple(part + (place in up) for place, (part, _) in enumerate(parts))


def written(tables: Mapping[str, Mapping[int, int]]) -> str:
    """The tables as the YAML that specs read: for each name, its values with their weights.

    >>> print(written({"sites": {1: 3, 2: 1}}), end="")
    sites: {1: 3, 2: 1}
    """
    lines = []
    for name, table in tables.items():
        # A no-break space keeps a value and its weight in one line, and is then a space again.
        pairs = ", ".join(f"{value}:\u00a0{weight}" for value, weight in table.items())
        lines += wrap(f"{name}: {{{pairs}}}", 110, subsequent_indent="  ")
    return "".join(f"{line}\n" for line in lines).replace("\u00a0", " ")


def _left(weights: Sequence[int], place: int) -> Fraction:
    """P(N < m) + P(N = m)/2, m at a place of the weights."""
    return Fraction(2 * sum(weights[:place]) + weights[place], 2 * sum(weights))


def _greatest(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The greatest k at which something holds that holds at `low`, not at `high`, and never again."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _normal(x: Decimal) -> Decimal:
    """The integral of exp(-t**2 / 2) from 0 to x: exp(-x**2 / 2) (x + x**3/3 + x**5/(3 5) + ...).

    All terms have the sign of x, so that none of the digits cancel.
    """
    square, term, found, odd = x * x, x, x, 1
    while found + (term := term * square / (odd := odd + 2)) != found:
        found += term
    return found * (-square / 2).exp()


def _check(values: range, median: int, shape: int) -> None:
    if len(values) < 2 or values.step != 1 or values[0] < 0 or median not in values:
        raise DomainError(
            f"{values} has no count with median {median}", remedy="give at least two values that hold it"
        )
    if shape < 1:
        raise DomainError(
            f"{shape} is no dispersion, spread or lognormal number", remedy="use whole numbers from 1"
        )


def _unreachable(values: range, median: int) -> DomainError:
    return DomainError(
        f"no location puts the median of {values} at {median}",
        remedy="choose a wider range, or a median further from its ends",
    )
