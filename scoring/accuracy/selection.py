"""Selection: does disagreement between two ways of asking tell which answers to keep?

Two variants ask for the same event. A root is a candidate where both have a valid report in one repeat;
the first such repeat counts. Its mean report m = (p + p') / 2 names a class: the one of greater mass,
the earlier in canonical order at a tie. A share of the candidates, the coverage, is retained in some
order and answered by that class, whatever the controller would say; all others defer.

Strata weigh equally: with n_s candidates in its stratum and S strata that have any, a candidate carries the
mass 1 / (S n_s), so that all masses sum to 1. The order runs over all strata together. At coverage g the
mass g is retained in that order; the candidates that tie at the boundary share what is left of it equally,
each the same part of itself. The loss of the pipeline is the sum of mass times class risk over what is
retained, plus (1 - g) times the cost of deferring.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import integers
from worldgen.scoring.figures.auroc import auroc, auroc_replicates, dense_ranks, tied_blocks
from worldgen.scoring.figures.bootstrap import Doubles
from worldgen.scoring.figures.columns import Axis, Column, Mask, bounded, largest
from worldgen.scoring.figures.measures import Combined, Label
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.alike import alike, paired
from worldgen.scoring.panels.panel import Panel

COVERAGES = tuple(Fraction(step, 20) for step in range(21))

ORDERINGS = ("disagreement", "confidence", "random", "oracle_excess")
"""Least |p - p'| first; greatest max(m, 1 - m) first; all tied, which is what a uniform order loses in
expectation; least class risk above the best class's first. The last one knows q: it is a yardstick that
nobody can deploy, and no lower bound, since it orders excess and not risk."""


SIGNS = {"disagreement": "disagreement", "unsureness": "confidence"}
"""What may tell of a regret, by its name, and the ordering in which it ascends."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of one system along an axis, and what is known of each: |p - p'|, max(m, 1 - m), the
    risk 1 - q_k of the class k that m names, and the excess max q - q_k. `eligible` marks the roots on
    which both variants can be asked.
    """

    system: str
    axis: Axis
    mask: Mask
    eligible: Mask
    disagreement: Column
    confidence: Column
    risk: Column
    excess: Column

    @classmethod
    def of(cls, first: Panel, second: Panel, axis: Axis) -> "Candidates":
        """The candidates of two panels of one system on questions of yes and no.

        ValueError where they are not that. With reports P / U and P' / U' every integer here is below
        4 M^2, where M bounds both.
        """
        if first.system != second.system:
            raise ValueError(f"reports of {first.system!r} and {second.system!r} are not one system's")
        if set(first.truth.widths.tolist()) - {0, 2}:
            raise ValueError(f"{first.truth.variant!r} is not answered by yes or no")
        one, two, both = paired(first, second)
        mask, rows, repeat = np.asarray(both.any(axis=1)), np.arange(len(axis)), both.argmax(axis=1)
        bound = 4 * (first.reach * second.reach + 1)
        reports = [integers(each.masses[rows, repeat, 0], bound) for each in (one, two)]
        units = [integers(each.unit, bound) for each in (one, two)]
        p, other, whole = reports[0] * units[1], reports[1] * units[0], units[0] * units[1]
        mean = p + other  # over 2 whole
        named = np.where(mask & (mean < whole), 1, 0)
        total, best = first.truth.total, first.truth.best
        chance = first.truth.q[rows, named]
        return cls(
            first.system,
            axis,
            mask,
            first.truth.eligible & alike(first.truth, second.truth),
            Column.ratio(abs(p - other), whole, mask),
            Column.ratio(np.maximum(mean, 2 * whole - mean), 2 * whole, mask),
            Column.ratio(total - chance, total, mask),
            Column.ratio(best - chance, total, mask),
        )

    def where(self, mask: Mask) -> "Candidates":
        """The candidates on the roots of the mask alone: themselves where it leaves none out."""
        if not (self.mask & ~mask).any():
            return self
        columns = ("disagreement", "confidence", "risk", "excess")
        fewer = {name: getattr(self, name).where(mask) for name in columns}
        return replace(self, mask=self.mask & mask, **fewer)

    def ranks(self, ordering: str) -> NDArray[np.int64]:
        """The dense ranks of the candidates in an ordering, in the order of the axis: 0 is retained first."""
        if ordering == "random":
            return np.zeros(int(self.mask.sum()), dtype=np.int64)
        if ordering == "confidence":
            return dense_ranks([-value for value in self._values(self.confidence)])
        return dense_ranks(self._values(self.disagreement if ordering == "disagreement" else self.excess))

    def regrets(self, cost: Fraction) -> Mask:
        """Which candidates the controller, deciding from m, answers worse than an oracle would: it answers
        the class where 1 - max(m, 1 - m) <= cost and else defers; the least loss is min(cost, 1 - max q).
        """
        a, b = cost.numerator, cost.denominator
        columns = (self.confidence, self.risk, self.excess)
        parts = [array[self.mask] for each in columns for array in (each.numerators, each.denominators)]
        # Nothing below exceeds 2 b times the greatest of these: risk and excess are over one denominator.
        bound = 2 * b * max(map(largest, parts)) + 1
        sure, whole, risk, total, excess, _ = bounded(bound, *parts)
        loss = np.where((whole - sure) * b <= a * whole, risk * b, a * total)
        return np.asarray(loss > np.minimum(a * total, (risk - excess) * b), dtype=np.bool_)

    @property
    def risks(self) -> list[Fraction]:
        """The risk of every candidate."""
        return self._values(self.risk)

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of candidates of each stratum."""
        return tuple(int(self.mask[part].sum()) for part in self.axis.slices)

    def weights(self) -> tuple[list[int], int]:
        """Whole numbers proportional to the masses of the candidates, and their sum: L / n_s with L the least
        common multiple of all n_s.
        """
        counts = [count for count in self.counts if count]
        common = lcm(*counts)
        return [common // count for count in counts for _ in range(count)], common * len(counts)

    def shares(self, weights: Doubles) -> Doubles:
        """(candidates, B) the masses where roots count `weights` (B, n) times: strata in which no candidate
        was drawn are left out; NaN where none was drawn at all.
        """
        parts, drawn = [], np.zeros(len(weights))
        for part in self.axis.slices:
            counts = weights.T[part][self.mask[part]]
            sums = counts.sum(axis=0)
            drawn += sums > 0
            parts.append(counts / np.maximum(sums, 1))
        with np.errstate(invalid="ignore"):
            return np.ascontiguousarray(np.concatenate(parts) / drawn)

    def _values(self, column: Column) -> list[Fraction]:
        return [value for value in column.values if value is not None]


def retained(
    ranks: Sequence[int],
    risks: Sequence[Fraction],
    weights: Sequence[int],
    coverages: Sequence[Fraction] = COVERAGES,
) -> list[Fraction]:
    """The sum of mass times risk over what each coverage retains, masses being weights over their sum.

    Candidates are retained by ascending rank, ties sharing what is left. `coverages` ascend within [0, 1].

    >>> half, ninth = Fraction(1, 2), Fraction(1, 9)
    >>> retained([0, 1, 1], [Fraction(0), half, Fraction(1)], [1, 1, 1], [Fraction(1, 3), Fraction(2, 3)])
    [Fraction(0, 1), Fraction(1, 4)]
    """
    whole, common = sum(weights), lcm(*(risk.denominator for risk in risks))
    found: list[Fraction] = []
    mass = lost = 0
    rows = sorted(zip(ranks, weights, risks, strict=True), key=lambda row: row[0])
    for _, tied in groupby(rows, key=lambda row: row[0]):
        block = list(tied)
        more = sum(weight for _, weight, _ in block)
        worse = sum(weight * risk.numerator * (common // risk.denominator) for _, weight, risk in block)
        while len(found) < len(coverages) and coverages[len(found)] * whole <= mass + more:
            part = (coverages[len(found)] * whole - mass) / more
            found.append((lost + part * worse) / (common * whole))
        mass, lost = mass + more, lost + worse
    return found


def retained_replicates(
    ranks: NDArray[np.int64],
    losses: Doubles,
    shares: Doubles,
    coverages: Sequence[Fraction] = COVERAGES,
) -> Doubles:
    """(coverages, B) the same for B columns of masses `shares` (candidates, B) and of masses times risk,
    `losses` (candidates, B): the curve through the points (mass, risk) that the blocks of ties end in,
    straight between them.

    Masses are added one after the other, so that they round the same everywhere; the curve is
    continuous, so a rounding at the boundary moves no value by more than a rounding.
    """
    blocks, width = tied_blocks(ranks), shares.shape[1]
    mass, lost = (np.zeros((len(blocks) + 1, width)) for _ in range(2))
    for end, block in enumerate(blocks, 1):
        first, *others = block
        np.add(mass[end - 1], shares[first], out=mass[end])
        np.add(lost[end - 1], losses[first], out=lost[end])
        for i in others:
            mass[end] += shares[i]
            lost[end] += losses[i]
    bound, columns = np.array(list(map(float, coverages)))[:, None], np.arange(width)
    low = _last_within(mass, bound)
    high = np.minimum(low + 1, len(blocks))
    start, loss = mass[low, columns], lost[low, columns]
    step = mass[high, columns] - start
    part = np.where(step > 0, bound - start, 0.0) / np.where(step > 0, step, 1.0)
    found: Doubles = loss + part * (lost[high, columns] - loss)
    found[:, np.isnan(shares).any(axis=0)] = np.nan
    return found


def _last_within(rows: Doubles, bounds: Doubles) -> NDArray[np.int64]:
    """(G, B) the last row of (N, B), whose columns ascend from 0, with an entry of at most each of the bounds
    (G, 1), which are not negative: by halving.
    """
    columns = np.arange(rows.shape[1])
    found = np.zeros((len(bounds), len(columns)), dtype=np.int64)
    step = 1 << len(rows).bit_length()
    while step:
        ahead = found + step
        inside = ahead < len(rows)
        inside &= rows[np.minimum(ahead, len(rows) - 1), columns] <= bounds
        found[inside] = ahead[inside]
        step >>= 1
    return found


def selection_measures(
    candidates: Candidates,
    costs: Sequence[Fraction] = ALL_COSTS,
    coverages: Sequence[Fraction] = COVERAGES,
) -> Iterator[Combined]:
    """`selective_loss` of every ordering at every cost (`at`) and coverage, and of disagreement less
    confidence and less random, which is the same at every cost; and `auroc` of disagreement and of
    `unsureness`, 1 - max(m, 1 - m), as signs of a strictly positive regret of the controller at each cost.
    """
    if candidates.mask.any():
        drawn = _Drawn(candidates, tuple(costs), tuple(coverages))
        yield _losses(drawn)
        yield _aurocs(drawn)


def selection_contrasts(
    left: Candidates,
    right: Candidates,
    costs: Sequence[Fraction] = ALL_COSTS,
    coverages: Sequence[Fraction] = COVERAGES,
) -> Iterator[Combined]:
    """Every selection measure of one system less that of another, both over the roots that are candidates
    of both.
    """
    both = left.mask & right.mask
    of_left, of_right = (selection_measures(each.where(both), costs, coverages) for each in (left, right))
    for one, two in zip(of_left, of_right, strict=True):
        yield _less(one, two, right.system)


def _less(one: Combined, two: Combined, against: str) -> Combined:
    def combine(first: Doubles, second: Doubles) -> Doubles:
        return one.combine(first) - two.combine(second)

    labels = tuple(replace(label, against=against) for label in one.labels)
    exact = tuple(
        None if a is None or b is None else a - b for a, b in zip(one.exact, two.exact, strict=True)
    )
    parts = (*one.parts, *two.parts)
    return Combined(labels, parts, combine, exact, one.support, one.eligible & two.eligible)


@dataclass(frozen=True)
class _Drawn:
    """What all measures of selection are made of: from weights (B, n) the retained risk in each ordering at
    each coverage, then the AUROC of each sign at each cost, as columns of (B, M).
    """

    candidates: Candidates
    costs: tuple[Fraction, ...]
    coverages: tuple[Fraction, ...]

    def __call__(self, weights: Doubles) -> Doubles:
        """The values at some weights."""
        shares = self.candidates.shares(weights)
        losses = shares * self.risks[:, None]
        found = [retained_replicates(ranks, losses, shares, self.coverages) for ranks in self.ranks.values()]
        signs = (self.ranks[name] for name in SIGNS.values())
        found += [auroc_replicates(ranks, self.regrets, shares).T for ranks in signs]
        return np.concatenate(found).T

    @cached_property
    def ranks(self) -> Mapping[str, NDArray[np.int64]]:
        """The ranks of the candidates in each ordering."""
        return {name: self.candidates.ranks(name) for name in ORDERINGS}

    @cached_property
    def risks(self) -> Doubles:
        """The doubles nearest to the risks of the candidates."""
        return self.candidates.risk.doubles()[self.candidates.mask]

    @cached_property
    def regrets(self) -> list[Mask]:
        """Which candidates the controller answers badly, at each cost."""
        return [self.candidates.regrets(cost) for cost in self.costs]

    @property
    def curves(self) -> int:
        """How many columns the retained risk takes."""
        return len(ORDERINGS) * len(self.coverages)


def _label(
    candidates: Candidates,
    metric: str,
    subject: str,
    at: Fraction | None = None,
    coverage: Fraction | None = None,
) -> Label:
    return Label("selection", metric, subject, candidates.system, "paired valid", at=at, coverage=coverage)


def _losses(drawn: _Drawn) -> Combined:
    candidates, costs, coverages = drawn.candidates, drawn.costs, drawn.coverages
    weights, _ = candidates.weights()
    risks, ranks = candidates.risks, drawn.ranks
    curves = {name: retained(ranks[name].tolist(), risks, weights, coverages) for name in ORDERINGS}
    labels, exact = [], []
    for name, curve in curves.items():
        for cost in costs:
            for coverage, value in zip(coverages, curve, strict=True):
                labels.append(_label(candidates, "selective_loss", name, at=cost, coverage=coverage))
                exact.append(value + (1 - coverage) * cost)
    others = ("confidence", "random")
    for other in others:
        pairs = zip(coverages, curves["disagreement"], curves[other], strict=True)
        for coverage, value, less in pairs:
            subject = f"disagreement - {other}"
            labels.append(_label(candidates, "selective_loss", subject, coverage=coverage))
            exact.append(value - less)
    deferred = [np.array([[float((1 - coverage) * cost)] for coverage in coverages]) for cost in costs]

    def combine(values: Doubles) -> Doubles:
        kept = dict(zip(ORDERINGS, np.split(values.T[: drawn.curves], len(ORDERINGS)), strict=True))
        losses = [kept[name] + more for name in ORDERINGS for more in deferred]
        return np.concatenate([*losses, *(kept["disagreement"] - kept[other] for other in others)]).T

    return Combined(tuple(labels), (drawn,), combine, tuple(exact), candidates.mask, candidates.eligible)


def _aurocs(drawn: _Drawn) -> Combined:
    candidates, costs = drawn.candidates, drawn.costs
    weights, _ = candidates.weights()
    signs = {sign: drawn.ranks[name].tolist() for sign, name in SIGNS.items()}
    regrets = [bad.tolist() for bad in drawn.regrets]
    labels = [_label(candidates, "auroc", name, at=cost) for name in signs for cost in costs]
    exact = [auroc(sign, bad, weights) for sign in signs.values() for bad in regrets]

    def combine(values: Doubles) -> Doubles:
        return values[:, drawn.curves :]

    return Combined(tuple(labels), (drawn,), combine, tuple(exact), candidates.mask, candidates.eligible)
