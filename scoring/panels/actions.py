"""The reject-option controller: answer a class, or defer at a known cost.

A wrong answer costs 1, a right one 0, deferring costs c. The controller sees reported masses only and
takes them as they stand: class i costs it the sum of the other entries. Loss is what its action costs
under the exact probabilities. An action is the position of an option, or None for deferring.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

Action = int | None

COSTS: tuple[Fraction, ...] = tuple(map(Fraction, ("0.02", "0.05", "0.10", "0.20", "0.40")))
"""The costs of deferring that the contracts fix, ascending."""

SECOND_COSTS: tuple[Fraction, ...] = tuple(map(Fraction, ("0.05", "0.10", "0.20", "0.30", "0.40")))
"""The second grid of costs, ascending."""

ALL_COSTS: tuple[Fraction, ...] = tuple(sorted({*COSTS, *SECOND_COSTS}))
"""The costs of both grids, each once, ascending."""

FINE_COSTS: tuple[Fraction, ...] = tuple(Fraction(k, 200) for k in range(1, 100))
"""The costs at which curves are tabled: k/200 for k = 1 ... 99."""

PRIMARY_COST = Fraction("0.10")
"""The cost that is looked at first."""


def canonical_order(events: Sequence[Iterable[int]]) -> tuple[int, ...]:
    """The positions of options by the lowest atom of their events, options without atoms last.

    It depends on what options mean and not on where or under which name they stand, so that every
    presentation of a question breaks ties alike. Options that share their lowest atom, which only an
    impossible atom allows, keep the order in which they stand.

    >>> canonical_order([{2, 3}, {0, 1}, set(), {4}])
    (1, 0, 3, 2)
    """
    lowest = [min(event, default=None) for event in map(list, events)]
    return tuple(sorted(range(len(lowest)), key=lambda i: (lowest[i] is None, lowest[i] or 0)))


def best_class(p: Sequence[Fraction], order: Sequence[int] | None = None) -> tuple[int, Fraction]:
    """The class that costs least under p, the earliest in `order` (default: as they stand) if several
    do, and that cost: sum(p) - p_i, least where p_i is largest.

    >>> half = Fraction(1, 2)
    >>> best_class((half, half)), best_class((half, half), order=(1, 0))
    ((0, Fraction(1, 2)), (1, Fraction(1, 2)))
    """
    best = max(range(len(p)) if order is None else order, key=lambda i: p[i])
    return best, sum((mass for i, mass in enumerate(p) if i != best), Fraction(0))


def choose(p: Sequence[Fraction], cost: Fraction, order: Sequence[int] | None = None) -> Action:
    """The action of least cost under p: the best class if it costs at most `cost`, else None. At a tie
    the class is taken.

    >>> tenth = Fraction(1, 10)
    >>> choose((Fraction("0.899999"), tenth), tenth), choose((Fraction("0.84"), Fraction("0.16")), tenth)
    (0, None)
    """
    best, wrong = best_class(p, order)
    return best if wrong <= cost else None


def expected_loss(action: Action, q: Sequence[Fraction], cost: Fraction) -> Fraction:
    """What an action costs under q: 1 - q_i for class i, `cost` for deferring.

    >>> expected_loss(0, (Fraction(220, 317), Fraction(97, 317)), Fraction(1, 10))
    Fraction(97, 317)
    """
    return cost if action is None else 1 - q[action]


def oracle_loss(q: Sequence[Fraction], cost: Fraction) -> Fraction:
    """The least loss that any action has under q: min(c, 1 - max q).

    >>> oracle_loss((Fraction(19, 20), Fraction(1, 20)), Fraction(1, 10))
    Fraction(1, 20)
    """
    return min(cost, 1 - max(q))


def headroom(q: Sequence[Fraction], cost: Fraction) -> Fraction:
    """What knowing q is worth against always deferring: c - min(c, 1 - max q) = max(0, max q - (1 - c)).

    >>> headroom((Fraction(19, 20), Fraction(1, 20)), Fraction(1, 10))
    Fraction(1, 20)
    """
    return max(Fraction(0), max(q) - (1 - cost))


def minimisers(q: Sequence[Fraction], cost: Fraction) -> tuple[Action, ...]:
    """All actions of least loss under q: classes as they stand, then deferring. Any other action is
    strictly suboptimal, and no action of these is.

    >>> minimisers((Fraction(9, 10), Fraction(1, 10)), Fraction(1, 10))
    (0, None)
    """
    least = oracle_loss(q, cost)
    return tuple(action for action in (*range(len(q)), None) if expected_loss(action, q, cost) == least)
