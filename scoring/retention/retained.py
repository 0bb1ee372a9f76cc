"""Retention as measures, so that the bootstrap gives it intervals.

The axis says what is resampled. Items stand on it in strata by length; where two domains are compared, a
root is a pair of partners, one from each, and both have their columns on that one axis: partners are drawn
together. Every replicate has its own denominator, and is undefined where that is 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from worldgen.scoring.figures.bootstrap import Doubles
from worldgen.scoring.figures.columns import Column, Mask
from worldgen.scoring.figures.measures import Label, Ratio, Weighted
from worldgen.scoring.retention.joint import Joint, across, composed


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Which roots of an axis native and serial got right; both (n,)."""

    native: Mask
    serial: Mask

    @property
    def joint(self) -> Joint:
        """The joint table."""
        return Joint.of(self.native.tolist(), self.serial.tolist())


def pooled(label: Label, outcomes: Outcomes) -> Weighted:
    """SCR over all roots together: the lengths weigh as they occur. Its support are the roots that native got
    right.
    """
    native = outcomes.native
    sides = np.stack([native & outcomes.serial, native], axis=1).astype(np.float64)

    def of(weights: Doubles) -> Doubles:
        both, right = (weights @ sides).T
        return _divided(both, right)[:, None]

    return Weighted((label,), of, (outcomes.joint.scr,), native, np.ones_like(native))


def by_length(label: Label, outcomes: Outcomes) -> Ratio:
    """SCR with every stratum weighing the same, whatever its number of roots: with strata by length, the
    figure for a common mixture of lengths.
    """
    both, native = (_column(side) for side in (outcomes.native & outcomes.serial, outcomes.native))
    return Ratio(label, both, native, np.ones_like(outcomes.native))


def across_settings(label: Label, parts: Sequence[Weighted], how: Literal["mean", "worst"]) -> Weighted:
    """The mean, or the worst, of the same figure in several settings, found anew in every replicate.

    It is undefined where one of them is. ValueError for no settings.
    """
    if not parts:
        raise ValueError("there is no mean and no worst of no settings")
    exact = across({str(place): part.exact[0] for place, part in enumerate(parts)})
    found = None if exact is None else exact.worst if how == "worst" else exact.mean

    def of(weights: Doubles) -> Doubles:
        values = [part.of(weights) for part in parts]
        reached = values[0]
        for value in values[1:]:
            reached = np.minimum(reached, value) if how == "worst" else reached + value
        return reached if how == "worst" else reached / len(values)

    return Weighted((label,), of, (found,), _any(parts), parts[0].eligible)


def difference(label: Label, first: Weighted, second: Weighted) -> Weighted:
    """One figure less another on the same axis, such as those of two domains over pairs of partners."""
    (left,), (right,) = first.exact, second.exact
    return Weighted(
        (label,),
        lambda weights: first.of(weights) - second.of(weights),
        (None if left is None or right is None else left - right,),
        _any([first, second]),
        first.eligible & second.eligible,
    )


def beyond_composition(label: Label, positions: Mask, among: Mask) -> Weighted:
    """The share of strings right at every position less the product of the shares right at each, over the
    roots of `among`: what errors that depend on each other, and items that differ, add.

    `positions` (n, L) says which positions of each root are right; all roots of `among` have L of them.
    """
    whole = positions.all(axis=1) & among
    sides = np.column_stack([among, whole, positions & among[:, None]]).astype(np.float64)
    rows = positions[among].tolist()
    reached = composed(rows)
    exact = None if reached is None else Fraction(int(whole.sum()), len(rows)) - reached

    def of(weights: Doubles) -> Doubles:
        count, strings, *columns = (weights @ sides).T
        reference = np.ones(len(weights))
        for column in columns:
            reference = reference * _divided(column, count)
        return (_divided(strings, count) - reference)[:, None]

    return Weighted((label,), of, (exact,), among, among)


def _column(side: Mask) -> Column:
    ones = np.ones(len(side), dtype=np.int64)
    return Column.ratio(side.astype(np.int64), ones, np.ones_like(side))


def _divided(top: Doubles, bottom: Doubles) -> Doubles:
    """The quotients, NaN where the divisor is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(bottom > 0, top / bottom, np.nan)


def _any(parts: Sequence[Weighted]) -> Mask:
    reached = parts[0].support
    for part in parts[1:]:
        reached = reached | part.support
    return reached
