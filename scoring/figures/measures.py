"""Measures: what is to be estimated, before it has an interval.

A measure says what it is (its label), on which roots it should be had (`eligible`), and how to get it: as
the mean of a column, as the ratio of two means, or from the weights of the roots. A room that defines
figures yields measures; `scoring.figures.estimates` turns all of them into figures with one set of weights.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from worldgen.scoring.figures.bootstrap import Doubles
from worldgen.scoring.figures.columns import Column, Mask

View = Literal["eligible", "natively valid", "paired valid", "intended pipeline"]
VIEWS: tuple[View, ...] = ("eligible", "natively valid", "paired valid", "intended pipeline")


@dataclass(frozen=True)
class Label:
    """What a figure is.

    `family` is the table that it belongs to, `metric` its name there, `subject` what it speaks of (a variant,
    a relation, a policy, or "a - b" for a contrast of two). `at` is the cost or threshold at which it is
    taken, `coverage` the share of roots that is answered. Of a contrast between systems, it is `system`
    less `against`. `view` names the population.

    >>> Label("accuracy", "total variation", "event", "mine", "natively valid").against
    ''
    """

    family: str
    metric: str
    subject: str
    system: str
    view: View
    at: Fraction | None = None
    against: str = ""
    coverage: Fraction | None = None


@dataclass(frozen=True, eq=False)
class Mean:
    """The macro mean of a column over the roots that have a value."""

    label: Label
    column: Column
    eligible: Mask


@dataclass(frozen=True, eq=False)
class Ratio:
    """The macro mean of `top` over that of `bottom`; every replicate has its own denominator, and nothing
    is clipped. Undefined where the denominator is 0.
    """

    label: Label
    top: Column
    bottom: Column
    eligible: Mask


Statistic = Callable[[Doubles], Doubles]


@dataclass(frozen=True, eq=False)
class Weighted:
    """Statistics of the roots' weights that are no means, M of them at once, as the points of a curve are.

    `of` takes weights (B, n), how often each root counts, and gives (B, M) values, NaN where undefined.
    `exact` are their values at weight 1 on every root, None where undefined; `support` marks the roots that
    enter. Weights are whole numbers, and `of` must be a fixed sequence of elementwise operations, of
    sums that run in one order (`cumsum`) and of sums of integers below 2**53, so that it is the same
    on every machine.
    """

    labels: tuple[Label, ...]
    of: Statistic
    exact: tuple[Fraction | None, ...]
    support: Mask
    eligible: Mask


@dataclass(frozen=True, eq=False)
class Combined:
    """Statistics of the roots' weights, as `Weighted` holds, that are functions of others.

    `parts` are these others, each from weights (B, n) to values (B, M_i), and `combine` makes (B, M) values
    of theirs, row by row. Parts that are equal are drawn once, in however many measures they stand: those of
    two systems are what their contrast is made of.
    """

    labels: tuple[Label, ...]
    parts: tuple[Statistic, ...]
    combine: Callable[..., Doubles]
    exact: tuple[Fraction | None, ...]
    support: Mask
    eligible: Mask

    def of(self, weights: Doubles) -> Doubles:
        """The (B, M) values at weights (B, n)."""
        return self.combine(*(part(weights) for part in self.parts))


@dataclass(frozen=True, eq=False)
class RatioDifference:
    """One ratio less another."""

    label: Label
    left: Ratio
    right: Ratio


Measure = Mean | Ratio | RatioDifference | Weighted | Combined


def contrast(left: Mean, right: Mean, *, subject: str = "", against: str = "") -> Mean:
    """The mean of left - right over the roots that have both: of two subjects, or (`against`) of two systems.

    It is a paired figure, unless both stand for the intended pipeline, where every root has a value.
    """
    both = left.label.view == right.label.view == "intended pipeline"
    label = replace(
        left.label,
        subject=subject or left.label.subject,
        against=against,
        view="intended pipeline" if both else "paired valid",
    )
    return Mean(label, left.column - right.column, left.eligible & right.eligible)


def ratio_contrast(left: Ratio, right: Ratio, *, against: str) -> RatioDifference:
    """A ratio of one system less that of another, both over the roots where all four columns have a value."""
    both = left.top.valid & left.bottom.valid & right.top.valid & right.bottom.valid
    one, two = (
        replace(ratio, top=ratio.top.where(both), bottom=ratio.bottom.where(both)) for ratio in (left, right)
    )
    paired = contrast(Mean(left.label, one.top, left.eligible), Mean(right.label, two.top, right.eligible))
    return RatioDifference(replace(paired.label, against=against), one, two)
