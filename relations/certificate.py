"""The coherence certificate: how wrong reports on one root must be, whatever the truth is.

The *error* of a report under a posterior mu over the atoms is the total variation of its masses, called off
outside B, the `given` of its question:

    error(report, mu) = 1/2 sum_k |mu(E_k) - p_k mu(B)|,     E_k the event of option k, within B.

Without a condition mu(B) = 1, and it is TV(p, mu). For a question about one event A it is |p(A) - mu(A)|, as
long as its two masses sum to 1. Under a condition it is mu(B) TV(p, mu given B), and stays linear within
the bars. The *certificate* of m reports is the least mean of their errors over all mu. It is 0 where one mu
yields all of them for which mu(B) > 0; otherwise they contradict each other, and are wrong by at least as
much on average under every mu, the truth included.

Its witness is a *Dutch book*: a stake s in [-1/2, 1/2] on each option of each report, which pays the gambler
s (1 - p_k) at the atoms of E_k, -s p_k at the others of B, and nothing outside B: a fair bet at the reported
price. The total pays at least m times the certificate at every atom, and no stakes do better, because

    min_w payoff(w) <= sum_w mu(w) payoff(w) = sum_rk s_rk (mu(E_rk) - p_rk mu(B_r)) <= m mean_error(mu)

for all stakes and all mu; the last step holds since |s| <= 1/2. So stakes and a mu with equal ends prove each
other best. They exist, and are rational, since the simplex method ends with such a pair: the best stakes
solve a linear programme of one row per atom, and the prices of its rows are mu.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from worldgen.exact.simplex import maximise
from worldgen.relations.aligned import Aligned, AlignmentError

Stakes = tuple[tuple[Fraction, ...], ...]

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Certificate:
    """The certificate of m reports and what proves it.

    `value` is the least mean error per report; `posterior`, one mass per atom, attains it, as others may.
    `stakes[r][k]` is the stake on option k of report r in a Dutch book that gains `gain` for sure.
    """

    value: Fraction
    posterior: tuple[Fraction, ...]
    stakes: Stakes

    @property
    def reports(self) -> int:
        """The number m of reports."""
        return len(self.stakes)

    @property
    def gain(self) -> Fraction:
        """What the book pays at the worst atom: m times the value."""
        return self.value * self.reports

    def holds(self, claims: Sequence[Aligned]) -> bool:
        """Whether it is the certificate of these reports, by its definition alone: the posterior is one and
        has mean error `value`; the stakes are within bounds and pay `gain` or more at every atom.

        >>> twice = [Aligned(({0}, {1}), {0, 1}, (p, 1 - p)) for p in (Fraction(1, 2), Fraction(3, 4))]
        >>> found = certificate(twice, 2)
        >>> found.holds(twice), Certificate(Fraction(1, 9), found.posterior, found.stakes).holds(twice)
        (True, False)
        """
        return (
            min(self.posterior) >= 0
            and sum(self.posterior) == 1
            and mean_error(claims, self.posterior) == self.value
            and all(abs(stake) <= HALF for report in self.stakes for stake in report)
            and min(payoffs(claims, self.stakes, len(self.posterior))) >= self.gain
        )


def error(claim: Aligned, posterior: Sequence[Fraction]) -> Fraction:
    """1/2 sum_k |mu(E_k) - p_k mu(B)|, where posterior[w] = mu(w) for every atom w.

    >>> claim = Aligned(({0}, {1}), {0, 1}, (Fraction(1, 2), Fraction(1, 2)))
    >>> error(claim, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))
    Fraction(1, 8)
    """
    condition = _mass(claim.given, posterior)
    pairs = zip(claim.events, claim.masses, strict=True)
    return sum((abs(_mass(event, posterior) - p * condition) for event, p in pairs), Fraction(0)) / 2


def _mass(event: frozenset[int], posterior: Sequence[Fraction]) -> Fraction:
    return sum((posterior[atom] for atom in event), Fraction(0))


def mean_error(claims: Sequence[Aligned], posterior: Sequence[Fraction]) -> Fraction:
    """The mean of the errors of reports; under the truth, what the certificate is a lower bound of.
    ZeroDivisionError for no reports.

    With masses of mu over one denominator and those of reports over another, twice their product times an
    error is an integer.
    """
    whole = lcm(*(mass.denominator for mass in posterior))
    mu = [mass.numerator * (whole // mass.denominator) for mass in posterior]
    unit = lcm(*(mass.denominator for claim in claims for mass in claim.masses))
    twice = 0
    for claim in claims:
        condition = sum([mu[atom] for atom in claim.given])
        for event, p in zip(claim.events, claim.masses, strict=True):
            mass = sum([mu[atom] for atom in event])
            twice += abs(mass * unit - p.numerator * (unit // p.denominator) * condition)
    return Fraction(twice, 2 * whole * unit * len(claims))


def payoffs(claims: Sequence[Aligned], stakes: Stakes, atoms: int) -> tuple[Fraction, ...]:
    """What stakes on the options of reports pay in all, at each of the atoms.

    >>> claim = Aligned(({0}, {1}), {0, 1}, (Fraction(3, 4), Fraction(1, 4)))
    >>> payoffs([claim], ((Fraction(0), Fraction(1, 2)),), 3)
    (Fraction(-1, 8), Fraction(3, 8), Fraction(0, 1))
    """
    paid = [Fraction(0)] * atoms
    for claim, report in zip(claims, stakes, strict=True):
        for event, price, stake in zip(claim.events, claim.masses, report, strict=True):
            for atom in claim.given:
                paid[atom] += stake * ((atom in event) - price)
    return tuple(paid)


def certificate(claims: Sequence[Aligned], atoms: int) -> Certificate:
    """The certificate of reports on a world of atoms 0, ..., atoms - 1.

    It asks for no truth: mu may put mass on any of the atoms, so that for the truth, which may rule some out,
    it is a lower bound. Masses are taken as they stand; a report whose own masses do not sum to 1 adds to
    the certificate. Raises ValueError for no reports or no atoms, AlignmentError for a report on an atom that
    the world does not have.

    >>> yes = Aligned(({0}, {1}), {0, 1}, (Fraction("0.7"), Fraction("0.3")))
    >>> no = Aligned(({1}, {0}), {0, 1}, (Fraction("0.4"), Fraction("0.6")))
    >>> certificate([yes, no], 2).value  # |0.7 + 0.4 - 1| / 2
    Fraction(1, 20)
    """
    if not claims or atoms < 1:
        raise ValueError(f"{len(claims)} reports on {atoms} atoms have no certificate")
    world = range(atoms)
    for number, claim in enumerate(claims):
        if not claim.given <= set(world):
            message = f"report {number} speaks of atom {max(claim.given - set(world))}; there are {atoms}"
            raise AlignmentError(message)
    unit = lcm(*(mass.denominator for claim in claims for mass in claim.masses))
    bets = _distinct_bets(claims, atoms, unit)
    counts = [len(same) for same in bets.values()]
    # The stake on n equal bets is x - n/2 with 0 <= x <= n. Twice the payoff at atom w is then the sum of
    # 2 x bet(w) minus level(w), and t - largest is the least of these. The greatest level plus 1 keeps t
    # positive from the first step on, hence basic at the end: so the prices sum to its coefficient, 1.
    levels = [sum(n * bet[w] for bet, n in zip(bets, counts, strict=True)) for w in world]
    largest = max(levels) + 1
    best = maximise(
        [1, *(0 for _ in bets)],
        [[1, *(-2 * bet[w] for bet in bets)] for w in world],
        [largest - level for level in levels],
        [None, *counts],
    )
    stakes = [[Fraction(0)] * len(claim.masses) for claim in claims]
    for x, n, same in zip(best.x[1:], counts, bets.values(), strict=True):
        stake = Fraction(2 * x.numerator - n * x.denominator, 2 * n * x.denominator)  # x / n - 1/2
        for r, k, sign in same:
            stakes[r][k] = stake if sign > 0 else -stake
    gain = (best.value - largest) / (2 * unit)
    return Certificate(gain / len(claims), best.prices, tuple(map(tuple, stakes)))


def _distinct_bets(
    claims: Sequence[Aligned], atoms: int, unit: int
) -> dict[tuple[int, ...], list[tuple[int, int, int]]]:
    """The bets that options offer, as what a stake of `unit` pays at each atom, which is whole; and for each
    the options (r, k, sign) that offer it. Bets that pay nothing anywhere are left out.

    Bets that differ in sign only are one, since stakes may be negative: so are those on A and on not A, and
    all those of a report that is given twice.
    """
    found: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for r, claim in enumerate(claims):
        for k, (event, mass) in enumerate(zip(claim.events, claim.masses, strict=True)):
            price = mass.numerator * (unit // mass.denominator)
            bet = [0] * atoms
            for w in claim.given:
                bet[w] = unit - price if w in event else -price
            first = next((paid for paid in bet if paid), 0)
            if first:
                sign = 1 if first > 0 else -1
                found.setdefault(tuple(sign * paid for paid in bet), []).append((r, k, sign))
    return found
