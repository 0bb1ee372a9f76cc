"""The reject-option controller over whole panels: from reported masses and a cost to actions.

Nothing in this module holds an exact probability or a truth, and it imports nothing that does: a
controller decides from what was reported. `scoring.panels.actions.choose` says the same one report at a time.

A report takes its best class, the one that costs it least, from the cost of that class on: class i costs the
sum of the other entries, and where that equals the cost of deferring, the class goes first. So a
controller is, for all costs at once, a class and the cost from which on it is taken: its stance.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.figures.columns import Mask, bounded, common_unit, largest

Actions = NDArray[np.int64]

DEFER = -1


@dataclass(frozen=True, eq=False)
class Reported:
    """Reports as a controller sees them: in repeat r, root i gave option k the mass masses[i, r, k] / unit[i]
    where `valid[i, r]`. Shapes (n, R, K), (n,), (n, R); options stand in canonical order.
    """

    masses: Integers
    unit: Integers
    valid: Mask


@dataclass(frozen=True, eq=False)
class Stances:
    """What is done at every cost: places[i, r] is taken from the cost turns[i, r] / unit[i, r] on, and below
    it is deferred. DEFER in `places` defers at every cost. All arrays are (n, R).
    """

    places: Actions
    turns: Integers
    unit: Integers

    def actions(self, cost: Fraction) -> Actions:
        """(n, R) the places of the options taken where deferring costs `cost`, DEFER elsewhere. ValueError
        for a negative cost.

        turn / unit <= a / b is compared as turn b <= a unit, and neither side exceeds the bound.
        """
        a, b = cost.numerator, cost.denominator
        if a < 0:
            raise ValueError(f"deferring costs {cost}, which is negative")
        bound = largest(self.turns) * b + largest(self.unit) * a + 1
        turns, unit = bounded(bound, self.turns, self.unit)
        return np.where((turns * b <= a * unit).astype(np.bool_), self.places, DEFER)


@dataclass(frozen=True, eq=False)
class Policy:
    """A rule from reports to actions. Root i decides as slot r says, with probability weights[i, r] over
    their sum; a root without any weight is not decided. `queries` is how many requests a decision
    takes, None for a rule that no controller can follow. `weights` is (n, R), as the stances are.
    """

    name: str
    queries: int | None
    stances: Stances
    weights: Actions


def stances(reported: Reported) -> Stances:
    """The stances of reports; a report that is not valid defers.

    Among options of equal mass the first is the best, as `argmax` has it. A sum of K masses stays below K
    times the largest.

    >>> report = Reported(np.array([[[899999, 100000]]]), np.array([10**6]), np.array([[True]]))
    >>> [stances(report).actions(Fraction(cost)).tolist() for cost in ("0.099999", "0.1")]
    [[[-1]], [[0]]]
    """
    masses = integers(reported.masses, reported.masses.shape[2] * largest(reported.masses) + 1)
    best = np.asarray(masses.argmax(axis=2), dtype=np.int64)
    others = masses.sum(axis=2) - np.take_along_axis(masses, best[:, :, None], axis=2)[:, :, 0]
    return Stances(
        np.where(reported.valid, best, DEFER),
        np.where(reported.valid, others, 0),
        np.asarray(reported.unit[:, None] + np.zeros_like(best)),
    )


def averaged(left: Reported, right: Reported) -> Reported:
    """The means of two reports each, valid where both are.

    >>> one = Reported(np.array([[[84, 16]]]), np.array([100]), np.array([[True]]))
    >>> two = Reported(np.array([[[9, 1]]]), np.array([10]), np.array([[True]]))
    >>> averaged(one, two).masses.tolist(), averaged(one, two).unit.tolist()
    ([[[174, 26]]], [200])
    """
    unit, (more, other) = common_unit(left.unit, right.unit)
    peak = largest(left.masses) * largest(more) + largest(right.masses) * largest(other)
    bound = max(peak, 2 * largest(unit)) + 1
    a, b, m, o, u = bounded(bound, left.masses, right.masses, more, other, unit)
    return Reported(a * m[:, None, None] + b * o[:, None, None], 2 * u, left.valid & right.valid)


def agreed(left: Stances, right: Stances) -> Stances:
    """The action that both take, and deferring where they differ.

    Both take one class from the later of their two costs on; of different classes, or where one always
    defers, they never agree on more than deferring.

    >>> yes = Stances(np.array([[1]]), np.array([[3]]), np.array([[100]]))
    >>> later = Stances(np.array([[1]]), np.array([[1]]), np.array([[10]]))
    >>> [agreed(yes, later).actions(Fraction(cost)).tolist() for cost in ("0.05", "0.1")]
    [[[-1]], [[1]]]
    """
    unit, (more, other) = common_unit(left.unit, right.unit)
    bound = largest(left.turns) * largest(more) + largest(right.turns) * largest(other) + 1
    a, b, m, o = bounded(bound, left.turns, right.turns, more, other)
    same = left.places == right.places
    turns = np.where(same & (left.places >= 0), np.maximum(a * m, b * o), 0)
    return Stances(np.where(same, left.places, DEFER), turns, unit)


def either(name: str, left: Policy, right: Policy) -> Policy:
    """One of two policies, chosen at random with equal probability and without a look at the root; their
    slots stand side by side, and each policy keeps half of the weight whatever its number of slots.

    Both take as many queries; else ValueError.
    """
    if left.queries != right.queries:
        raise ValueError(f"{left.name} takes {left.queries} queries, {right.name} {right.queries}")
    weights = [
        mine.weights * other.weights.sum(axis=1, keepdims=True)
        for mine, other in ((left, right), (right, left))
    ]
    both = _side_by_side(left.stances, right.stances)
    return Policy(name, left.queries, both, np.concatenate(weights, axis=1))


def _side_by_side(left: Stances, right: Stances) -> Stances:
    """The stances of both, the repeats of the second after those of the first."""
    bound = max(map(largest, (left.turns, right.turns, left.unit, right.unit))) + 1
    return Stances(
        np.concatenate((left.places, right.places), axis=1),
        integers(np.concatenate((left.turns, right.turns), axis=1), bound),
        integers(np.concatenate((left.unit, right.unit), axis=1), bound),
    )
