"""Exact two-sided intervals of a binomial chance (Clopper and Pearson 1934), rounded outwards.

The lower end is the p at which so many successes or more have the chance (1 - level) / 2, the upper end
the p at which so many or fewer have it. Both are found on the grid of 10**-digits by bisection on tails
that are compared in integers, so that the interval printed always contains the exact one.
"""

from fractions import Fraction
from math import comb

from worldgen.scoring.retention.joint import Bounds, Joint

LEVEL = Fraction(95, 100)
DIGITS = 6
_BITS = 128


def at_most(successes: int, trials: int, chance: Fraction) -> Fraction:
    """P(X <= successes) for X binomial with `trials` trials of this chance.

    ValueError for a chance outside [0, 1].

    >>> at_most(1, 3, Fraction(1, 2))
    Fraction(1, 2)
    """
    if not 0 <= chance <= 1:
        raise ValueError(f"a chance lies between 0 and 1, not at {chance}")
    if successes < 0:
        return Fraction(0)
    top, bottom = _lower_tail(min(successes, trials), trials, chance.numerator, chance.denominator)
    return Fraction(top, bottom)


def _lower_tail(successes: int, trials: int, part: int, whole: int) -> tuple[int, int]:
    """The sum over j <= successes of the terms C(n, j) part**j (whole - part)**(n - j), and whole**n.

    Each term is an integer and the one before it times (n - j) part / ((j + 1) (whole - part)), so the
    division leaves no rest. Where more than half of the terms are asked for, the rest is subtracted.
    """
    other, every = whole - part, whole**trials
    if successes >= trials:
        return every, every
    if 2 * successes >= trials:
        rest, _ = _lower_tail(trials - successes - 1, trials, other, whole)
        return every - rest, every
    if other == 0:
        return 0, every
    term = total = other**trials
    for j in range(successes):
        term = term * ((trials - j) * part) // ((j + 1) * other)
        total += term
    return total, every


def binomial_interval(
    successes: int, trials: int, level: Fraction = LEVEL, digits: int = DIGITS
) -> Bounds | None:
    """The exact two-sided interval of a chance that gave so many successes. Its ends are multiples of
    10**-digits: the greatest not above the exact lower end, and the least not below the exact upper end.

    None for no trials. ValueError for impossible counts, or a level outside (0, 1).

    >>> found = binomial_interval(0, 59, digits=4)
    >>> found.low, float(found.high)
    (Fraction(0, 1), 0.0607)
    """
    if not 0 <= successes <= trials or not 0 < level < 1 or digits < 0:
        raise ValueError(f"no interval at level {level} for {successes} successes in {trials} trials")
    if trials == 0:
        return None
    high = _upper_end(successes, trials, level, 10**digits)
    low = 10**digits - _upper_end(trials - successes, trials, level, 10**digits)
    return Bounds(Fraction(low, 10**digits), Fraction(high, 10**digits))


def _upper_end(successes: int, trials: int, level: Fraction, grid: int) -> int:
    """The least m with P(X <= successes) <= (1 - level) / 2 at the chance m / grid, grid for all successes.

    The tail falls from 1 to 0 as the chance grows, strictly, so bisection finds it. The lower end of the
    interval is this one for failures, seen from 1: at most f failures are at least n - f successes.
    """
    if successes == trials:
        return grid
    tail = (1 - level) / 2
    low, high = 0, grid  # the tail is above at `low`, not at `high`
    while high - low > 1:
        middle = (low + high) // 2
        if tail_within(tail, successes, trials, middle, grid):
            high = middle
        else:
            low = middle
    return high


def tail_within(most: Fraction, successes: int, trials: int, part: int, whole: int) -> bool:
    """Whether P(X <= successes) is at most `most` at the chance part / whole, which is neither 0 nor 1.

    The tail is its last term times 1 + r(k) + r(k) r(k-1) + ..., with r(j) = j (whole - part) over
    (n - j + 1) part, the term for j - 1 by that for j. The sum is kept between two integers in units of
    2**-128, one rounded down at each step and one up. Only where these leave it open is it taken exactly,
    term by term, which needs time that grows with the square of the number of trials.
    """
    other = whole - part
    below = above = down = up = 1 << _BITS
    for j in range(successes, 0, -1):
        top, bottom = j * other, (trials - j + 1) * part
        down, up = down * top // bottom, -(-up * top // bottom)
        below, above = below + down, above + up
        if up <= 1 and top <= bottom:  # r falls with j, so none of the j - 1 terms left is above a unit
            above += j - 1
            break
    last = comb(trials, successes) * part**successes * other ** (trials - successes) * most.denominator
    bound = most.numerator * whole**trials << _BITS
    if last * above <= bound:
        return True
    if last * below > bound:
        return False
    exact, every = _lower_tail(successes, trials, part, whole)
    return exact * most.denominator <= most.numerator * every


def retained_interval(joint: Joint, level: Fraction = LEVEL, digits: int = DIGITS) -> Bounds | None:
    """The exact interval of SCR, taking the items that native got right as given trials.

    It is for what no resampling can show: where none or all are retained every replicate says the same.

    >>> str(retained_interval(Joint(0, 59, 0, 325), digits=3).high)
    '61/1000'
    """
    return binomial_interval(joint.both, joint.native_right, level, digits)
