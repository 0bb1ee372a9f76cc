"""Elementary scores of a probability, and their means as a curve in the threshold: the Murphy diagram.

At threshold t a report p of an event that holds with probability q scores

    S_t(p; q) = (1 - t) q + (t - q) h_t(p):

(1 - t) q where p stays below the threshold, t (1 - q) where it passes it. h is [p >= t] (inclusive) or
[p > t] (strict); the two differ at t = p alone, where they are the limits of t -> S_t from the left and
from the right. Every proper score of the report is a mixture of them over t (Ehm, Gneiting, Jordan and
Krueger, 2016), and the loss of the reject-option controller at cost c is strict S_c + inclusive S_(1-c).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.decisions.curves import PAIR, macro_shares
from worldgen.scoring.decisions.piecewise import Change, Piecewise
from worldgen.scoring.figures.columns import Axis, Column, Mask, bounded, largest
from worldgen.scoring.figures.measures import Label, Mean
from worldgen.scoring.panels.alike import alike, paired
from worldgen.scoring.panels.controllers import Reported, averaged
from worldgen.scoring.panels.losses import Rows, mean_over_slots
from worldgen.scoring.panels.panel import Panel, Places, Truth

THRESHOLDS: tuple[Fraction, ...] = tuple(Fraction(k, 200) for k in range(1, 200))
"""The thresholds at which Murphy curves are tabled."""


def elementary_score(p: Fraction, q: Fraction, threshold: Fraction, *, inclusive: bool = True) -> Fraction:
    """S_t(p; q), expected under q, with h = [p >= t] if `inclusive`, else [p > t].

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> elementary_score(half, third, half), elementary_score(half, third, half, inclusive=False)
    (Fraction(1, 3), Fraction(1, 6))
    """
    passes = p >= threshold if inclusive else p > threshold
    return (1 - threshold) * q + (threshold - q) * passes


@dataclass(frozen=True, eq=False)
class Said:
    """What was said of an event: tops (n, R) / unit (n,), where weights (n, R) are positive."""

    tops: Integers
    unit: Integers
    weights: Places

    @classmethod
    def of(cls, reported: Reported, yes: Places, valid: Mask) -> "Said":
        """The reports of the option `yes` (n,), where they are valid and there is such an option."""
        tops = np.take_along_axis(reported.masses, np.maximum(yes, 0)[:, None, None], axis=2)[:, :, 0]
        weights = (valid & (yes >= 0)[:, None]).astype(np.int64)
        return cls(integers(tops, largest(reported.masses) + 1), reported.unit, weights)


def target(truth: Truth) -> tuple[Integers, Integers]:
    """(n,) q of yes in lowest integers over `total`, 0 where a request is no question of yes and no."""
    q = truth.q[np.arange(len(truth.yes)), np.maximum(truth.yes, 0)]
    return integers(np.where(truth.yes >= 0, q, 0), largest(truth.q) + 1), truth.total


def murphy_curve(said: Sequence[Said], truth: Truth, axis: Axis, *, inclusive: bool) -> Piecewise:
    """The macro mean elementary score as a function of the threshold in [0, 1], over the roots where
    something was said; of several reports, each is equally likely to be asked.
    """
    unit, factors = truth.common
    q, total = target(truth)
    sums = [each.weights.sum(axis=1, keepdims=True) for each in said]
    weights = np.concatenate([each.weights * _others(sums, i) for i, each in enumerate(said)], axis=1)
    shares, whole = macro_shares(weights, axis)
    counted = weights > 0
    rows = np.nonzero(counted)[0]
    tops = _joined([each.tops for each in said])[counted]
    units = _joined([each.unit[:, None] + np.zeros_like(each.weights) for each in said])[counted]
    held, none = q[rows], np.zeros(len(rows), dtype=np.int64)
    return Piecewise.of(
        (tops, units, np.ones(len(rows), dtype=np.bool_)),
        Change(none, held, factors[rows], unit),
        Change(total[rows] - held, -held, factors[rows], unit),
        (shares[counted], whole),
        from_right=not inclusive,
    )


def _others(sums: Sequence[Places], place: int) -> Places:
    """The product of the weights of the other reports, so that each report keeps an equal part."""
    found = np.ones_like(sums[0])
    for number, each in enumerate(sums):
        if number != place:
            found = found * each
    return found


def _joined(parts: Sequence[Integers]) -> Integers:
    return integers(np.concatenate(parts, axis=1), max(map(largest, parts)) + 1)


@dataclass(frozen=True, eq=False)
class MurphyCurves:
    """The Murphy curves of one system on one binary question, by policy: `event` and `choice` over the
    roots where that report is valid, `mean` and `random-interface` where both are, `repeat-mean` where event
    and its repeat are, and `oracle`, which says q, on every root that could be asked.
    """

    system: str
    truth: Truth
    axis: Axis
    said: Mapping[str, tuple[Said, ...]]
    eligible: Mask

    @classmethod
    def of(
        cls, axis: Axis, event: Panel, choice: Panel | None = None, repeat: Panel | None = None
    ) -> "MurphyCurves":
        """The curves of the panels that there are, all of one system."""
        truth, yes = event.truth, event.truth.yes
        found: dict[str, tuple[Said, ...]] = {"event": (Said.of(event.reported, yes, event.valid),)}
        eligible = truth.eligible
        if choice is not None:
            one, two, both = paired(event, choice)
            found["choice"] = (Said.of(two, yes, two.valid),)
            found["mean"] = (Said.of(averaged(one, two), yes, both),)
            found["random-interface"] = (Said.of(one, yes, both), Said.of(two, yes, both))
            eligible = eligible & alike(truth, choice.truth)
        if repeat is not None:
            one, two, both = paired(event, repeat)
            found["repeat-mean"] = (Said.of(averaged(one, two), yes, both),)
        told = Reported(truth.q[:, None, :], truth.total, truth.eligible[:, None])
        found["oracle"] = (Said.of(told, yes, told.valid),)
        return cls(event.system, truth, axis, found, eligible)

    @cached_property
    def curves(self) -> Mapping[tuple[str, bool], Piecewise]:
        """The curve of each policy and convention, (name, inclusive): exact at every threshold."""
        return {
            (name, inclusive): murphy_curve(said, self.truth, self.axis, inclusive=inclusive)
            for name, said in self.said.items()
            for inclusive in (True, False)
        }

    def grid(self) -> Rows:
        """The mean score of every policy at k/200 for k = 1 ... 199, with ties passing (`inclusive`) and not
        (`strict`), as nearest doubles.
        """
        tops = range(1, 200)
        rows: Rows = []
        for name in self.said:
            one, two = self.curves[name, True], self.curves[name, False]
            values = zip(THRESHOLDS, one.tops(tops, 200), two.tops(tops, 200), strict=True)
            rows += [
                {
                    "system": self.system,
                    "policy": name,
                    "threshold": float(at),
                    "inclusive": a / (one.unit * 200),
                    "strict": b / (two.unit * 200),
                }
                for at, a, b in values
            ]
        return rows

    def breakpoints(self) -> Rows:
        """Every point where a curve jumps: its limit from the left, which is the inclusive value there, and
        from the right, the strict one. Between two rows of a policy the curve is affine.
        """
        ends = (Fraction(0), Fraction(1))
        return [
            {
                "system": self.system,
                "policy": name,
                **{column: row[column] for column in ("at", "exact_at", "left", "right")},
            }
            for name in self.said
            for row in self.curves[name, True].rows(*ends)
        ]

    def contrasts(
        self, thresholds: Sequence[Fraction] = THRESHOLDS, *, inclusive: bool = True
    ) -> Iterator[Mean]:
        """The score of the mean report less that of a random interface at each threshold, on paired-valid
        roots: (t - q) (h(m) - (h(p) + h(p')) / 2).
        """
        if not set(PAIR) <= self.said.keys():
            return
        (mean,), others = self.said["mean"], self.said["random-interface"]
        metric = "elementary_score" if inclusive else "elementary_score_strict"
        for at in thresholds:
            passed = [_passes(each, at, inclusive=inclusive) for each in (mean, *others)]
            twice = 2 * passed[0] - passed[1] - passed[2]
            column = self._scored(twice, mean.weights, at)
            label = Label("curves", metric, " - ".join(PAIR), self.system, "paired valid", at)
            yield Mean(label, column, self.eligible)

    def _scored(self, twice: Places, weights: Places, at: Fraction) -> Column:
        """(t - q) twice / 2; |t - q| is at most 1, so over b total it is at most b total."""
        a, b = at.numerator, at.denominator
        bound = 2 * (a + b) * largest(self.truth.total) + 1
        q, total = bounded(bound, *target(self.truth))
        return mean_over_slots((a * total - b * q)[:, None] * twice, 2 * b * total, weights)


def _passes(said: Said, at: Fraction, *, inclusive: bool) -> Places:
    a, b = at.numerator, at.denominator
    bound = b * largest(said.tops) + a * largest(said.unit) + 1
    tops, unit = bounded(bound, said.tops, said.unit)
    above = tops * b - (unit * a)[:, None]
    return np.asarray(above >= 0 if inclusive else above > 0, dtype=np.bool_).astype(np.int64)
