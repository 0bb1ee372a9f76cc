"""Residuals: how far claims are from what probability demands of them, as exact fractions.

Each takes the claims of its relation in their declared order, reads the events that it needs from the
claims themselves, and returns a Fraction >= 0 that is 0 where the claims agree. The first option of an
event request is "it holds", so that `asked(claim)` is the event that the request asks about. All raise
AlignmentError where the claims do not speak of the events that the relation needs.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from worldgen.relations.aligned import Aligned, AlignmentError, AtomSet


def asked(claim: Aligned) -> AtomSet:
    """The event of the first option, within `given`."""
    return claim.events[0]


def _same_given(claims: Sequence[Aligned]) -> None:
    if any(claim.given != claims[0].given for claim in claims):
        raise AlignmentError("the claims are conditioned on different events")


def complement(claims: Sequence[Aligned]) -> Fraction:
    """|p(A) + p'(not A) - 1| of a report on A and a report on its complement.

    >>> yes = Aligned(({0}, {1}), {0, 1}, (Fraction(3, 4), Fraction(1, 4)))
    >>> no = Aligned(({1}, {0}), {0, 1}, (Fraction(1, 2), Fraction(1, 2)))
    >>> complement([yes, no])
    Fraction(1, 4)
    """
    _same_given(claims)
    event, other = claims
    return abs(event.mass(asked(event)) + other.mass(other.given - asked(event)) - 1)


def same_event(claims: Sequence[Aligned]) -> Fraction:
    """|p(A) - p'(A)|: the event that the first claim asks about, read off both claims. The second may
    be any report that A is a union of options of.

    >>> event = Aligned(({0, 1}, {2}), {0, 1, 2}, (Fraction(1, 2), Fraction(1, 2)))
    >>> whole = Aligned(({0}, {1}, {2}), {0, 1, 2}, (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)))
    >>> same_event([event, whole])
    Fraction(1, 6)
    """
    _same_given(claims)
    first, second = claims
    return abs(first.mass(asked(first)) - second.mass(asked(first)))


def frechet(claims: Sequence[Aligned]) -> Fraction:
    """The distance of p(A and B) from the interval [max(0, p(A) + p(B) - 1), min(p(A), p(B))]; 0 inside.

    The claims ask about A, B and A and B. The interval is what is possible for the intersection of two
    events with these probabilities. It is empty only if p(A) or p(B) leaves [0, 1].

    >>> both = [Aligned((e, {0, 1} - e), {0, 1}, (p, 1 - p)) for e, p in
    ...         [({0}, Fraction(1, 2)), ({1}, Fraction(1, 2)), (set(), Fraction(3, 4))]]
    >>> frechet(both)
    Fraction(1, 4)
    """
    _same_given(claims)
    a, b, both = claims
    p, r, together = a.mass(asked(a)), b.mass(asked(b)), both.mass(asked(a) & asked(b))
    return max(Fraction(0), p + r - 1 - together, -together, together - min(p, r))


def product(claims: Sequence[Aligned]) -> Fraction:
    """|p(A and B) - p(B) p(A | B)|; the claims ask about A and B, B, and A given B.

    >>> def claim(event, given, p):
    ...     return Aligned((event, given - event), given, (p, 1 - p))
    >>> product([claim({0}, {0, 1, 2}, Fraction(1, 4)), claim({0, 1}, {0, 1, 2}, Fraction(1, 2)),
    ...          claim({0}, {0, 1}, Fraction(1, 2))])
    Fraction(0, 1)
    """
    both, b, conditional = claims
    _same_given([both, b])
    if conditional.given != asked(b):
        raise AlignmentError("the conditional claim is not conditioned on the event B of the second claim")
    joint = asked(both)
    return abs(both.mass(joint) - b.mass(asked(b)) * conditional.mass(joint))


def total_variation(claims: Sequence[Aligned]) -> Fraction:
    """Half the sum over option events of |p - p'|, options matched by their events, whatever their
    names and order.

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> first = Aligned(({0}, {1}), {0, 1}, (half, half))
    >>> total_variation([first, Aligned(({1}, {0}), {0, 1}, (third, 1 - third))])
    Fraction(1, 6)
    """
    _same_given(claims)
    first, second = (claim.by_event() for claim in claims)
    if first.keys() != second.keys():
        raise AlignmentError("the claims split the world into different options")
    unit = lcm(*(mass.denominator for masses in (first, second) for mass in masses.values()))
    one, two = (
        {event: mass.numerator * (unit // mass.denominator) for event, mass in masses.items()}
        for masses in (first, second)
    )
    return Fraction(sum(abs(mass - two[event]) for event, mass in one.items()), 2 * unit)
