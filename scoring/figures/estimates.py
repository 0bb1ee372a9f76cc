"""Figures: measures with their value, interval and support."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isnan, nan

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from worldgen.scoring.figures.bootstrap import Bootstrap, Doubles, percentiles, resample
from worldgen.scoring.figures.columns import Axis, Column, Mask, written
from worldgen.scoring.figures.exact_means import Means, means
from worldgen.scoring.figures.means import Quotient
from worldgen.scoring.figures.measures import (
    Combined,
    Label,
    Mean,
    Measure,
    Ratio,
    RatioDifference,
    Statistic,
    Weighted,
)

Bounds = tuple[Doubles, Doubles]
Counts = NDArray[np.int64]

_AT_ONCE = 1536  # means whose replicates are held together: (5000, 1536) doubles are 61 MB
_VALUES = 2**22  # values of columns that are scaled together: 34 MB
_LEAST = 48


@dataclass(frozen=True)
class Interval:
    """The ends of a 95 % percentile interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """One number of the results.

    `stratum` is "" for the macro mean over strata. `value` is the double nearest to `quotient`, whose
    fraction is `exact`; where the figure is infinite these two are None, and where it is undefined all three
    are. `slots` resamples all roots of a stratum and divides by the weight of those that have a value;
    `support` resamples those alone; both are None where no replicate is defined. Of `eligible` roots `valid`
    have a value, `infinite` of them an infinite one. `empty` names the strata without any, which a macro mean
    leaves out; in `emptied` replicates over root slots a stratum with values drew none, or a figure that is
    no mean is undefined.
    """

    label: Label
    stratum: str
    value: float | None
    quotient: Quotient | None
    slots: Interval | None
    support: Interval | None
    valid: int
    eligible: int
    infinite: int
    empty: tuple[str, ...]
    emptied: int

    @property
    def exact(self) -> Fraction | None:
        """The value as a fraction."""
        return None if self.quotient is None else self.quotient.fraction


def figures(measures: Iterable[Measure], bootstrap: Bootstrap, *, by_stratum: bool = True) -> list[Figure]:
    """The figures of measures, in their order; with `by_stratum` the strata of a mean follow its macro mean.

    All measures stand along the axis of the bootstrap, and all intervals come from its one set of weights.
    Products of matrices are taken by one thread: they are small, and threads that wait for each other in
    between take three times the time of one where other work runs.
    """
    with threadpool_limits(1, user_api="blas"):
        return _figures(list(measures), bootstrap, by_stratum=by_stratum)


def _figures(measures: Sequence[Measure], bootstrap: Bootstrap, *, by_stratum: bool) -> list[Figure]:
    found: list[Figure] = []
    statistics = _Statistics(bootstrap, measures)
    axis = bootstrap.axis
    held = _AT_ONCE // (len(axis.strata) + 1 if by_stratum else 1)
    for part in _parts(measures, max(_LEAST, min(held, _VALUES // max(len(axis), 1)))):
        columns, places = _distinct([column for measure in part for column in _columns(measure)])
        drawn = _Drawn.of(bootstrap, columns, by_stratum=by_stratum)
        for measure in part:
            own = [next(places) for _ in _columns(measure)]
            match measure:
                case Mean():
                    found += _mean(measure, drawn, own[0], by_stratum=by_stratum)
                case Ratio():
                    found.append(_ratio(measure.label, (measure,), drawn, own))
                case RatioDifference():
                    found.append(_ratio(measure.label, (measure.left, measure.right), drawn, own))
                case Weighted() | Combined():
                    found += _weighted(measure, statistics)
    return found


def _distinct(columns: Sequence[Column]) -> tuple[list[Column], Iterator[int]]:
    """Each column once, complete ones first, and the place of every one among these: what two policies share
    is drawn once.
    """
    numbers: dict[bytes, int] = {}
    kept: list[Column] = []
    places: list[int] = []
    for column in columns:
        parts = (column.numerators, column.denominators, column.valid, column.infinite)
        key = hashlib.sha256(b"/".join(map(written, parts))).digest()
        places.append(numbers.setdefault(key, len(kept)))
        if places[-1] == len(kept):
            kept.append(column)
    order = sorted(range(len(kept)), key=lambda place: not kept[place].complete)
    ranks = {place: rank for rank, place in enumerate(order)}
    return [kept[place] for place in order], (ranks[place] for place in places)


def _columns(measure: Measure) -> tuple[Column, ...]:
    match measure:
        case Mean():
            return (measure.column,)
        case Ratio():
            return measure.top, measure.bottom
        case RatioDifference():
            return *_columns(measure.left), *_columns(measure.right)
        case Weighted() | Combined():
            return ()


def _parts(measures: Iterable[Measure], most: int) -> Iterator[list[Measure]]:
    """The measures in parts of about so many columns at most."""
    part: list[Measure] = []
    width = 0
    for measure in measures:
        part.append(measure)
        width += len(_columns(measure))
        if width >= most:
            yield part
            part, width = [], 0
    yield part


@dataclass(frozen=True)
class _Drawn:
    """The exact means of columns and what their replicates came to, over root slots and over the roots that
    have a value: `macros` (R, C) over strata, the second of the columns at `partial`, of which not every root
    has one; and `ends`, the intervals of their means, over strata (number -1) and, unless they are left out,
    in each stratum. Over root slots `undefined` counts the replicates without a mean in a stratum, `emptied`
    those in which a stratum with values drew none.
    """

    axis: Axis
    exact: Sequence[Means]
    macros: tuple[Doubles, Doubles]
    partial: Mapping[int, int]
    ends: tuple[Sequence[Bounds], Sequence[Bounds]]
    undefined: Sequence[Counts]
    emptied: Counts

    @classmethod
    def of(cls, bootstrap: Bootstrap, columns: Sequence[Column], *, by_stratum: bool) -> "_Drawn":
        """Both kinds of replicates of columns, without `by_stratum` over strata alone."""
        slots = resample(bootstrap, columns, by_stratum=by_stratum)
        first = [percentiles(each) for each in (*slots.strata, slots.macro)]
        undefined = [np.isnan(each).sum(axis=0) for each in slots.strata]
        macro, emptied = slots.macro, slots.emptied
        del slots  # the strata take eight times as much memory as all that stays
        places = [place for place, column in enumerate(columns) if not column.valid.all()]
        some = resample(bootstrap, [columns[place] for place in places], support=True, by_stratum=by_stratum)
        drawn = map(percentiles, (*some.strata, some.macro))
        both = [
            (_replaced(low, places, less), _replaced(high, places, more))
            for (low, high), (less, more) in zip(first, drawn, strict=True)
        ]
        partial = {place: number for number, place in enumerate(places)}
        exact = means(columns, bootstrap.axis)
        return cls(bootstrap.axis, exact, (macro, some.macro), partial, (first, both), undefined, emptied)

    def intervals(self, number: int, place: int) -> tuple[Interval | None, Interval | None]:
        """The two intervals of a column's mean in stratum `number`, or over strata for -1."""
        slots, support = (_ends(*(float(end[place]) for end in ends[number])) for ends in self.ends)
        return slots, support

    def macro(self, place: int) -> tuple[Doubles, Doubles]:
        """The (R,) replicates of a column's mean over strata, by slots and by support."""
        slots, support = self.macros
        return slots[:, place], support[:, self.partial[place]] if place in self.partial else slots[:, place]


def _replaced(array: Doubles, places: Sequence[int], entries: Doubles) -> Doubles:
    changed = array.copy()
    changed[places] = entries
    return changed


def _mean(measure: Mean, drawn: _Drawn, place: int, *, by_stratum: bool) -> Iterator[Figure]:
    column, axis, exact = measure.column, drawn.axis, drawn.exact[place]
    signs = column.infinite
    yield Figure(
        measure.label,
        "",
        _value(exact.macro, signs),
        None if signs.any() else exact.macro,
        *drawn.intervals(-1, place),
        int(column.valid.sum()),
        int(measure.eligible.sum()),
        int(np.count_nonzero(signs)),
        _empty(column.valid, axis),
        int(drawn.emptied[place]),
    )
    if not by_stratum:
        return
    for number, (name, part) in enumerate(zip(axis.strata, axis.slices, strict=True)):
        value = exact.strata[number]
        yield Figure(
            measure.label,
            name,
            _value(value, signs[part]),
            None if signs[part].any() else value,
            *drawn.intervals(number, place),
            int(column.valid[part].sum()),
            int(measure.eligible[part].sum()),
            int(np.count_nonzero(signs[part])),
            (),
            int(drawn.undefined[number][place]) if column.valid[part].any() else 0,
        )


def _ratio(label: Label, ratios: Sequence[Ratio], drawn: _Drawn, places: Sequence[int]) -> Figure:
    """One ratio, or one less another; the columns of each stand at two of the places."""
    sides = []
    for top, bottom in zip(places[::2], places[1::2], strict=True):
        above, below = drawn.exact[top].macro, drawn.exact[bottom].macro
        sides.append(None if above is None or below is None or not below.top else above / below)
    exact = sides[0] if len(sides) == 1 else _less(*sides)
    ends, undefined = [], []
    for parts in zip(*map(drawn.macro, places), strict=True):
        with np.errstate(invalid="ignore", divide="ignore"):
            quotients = [top / bottom for top, bottom in zip(parts[::2], parts[1::2], strict=True)]
            found = quotients[0] if len(ratios) == 1 else quotients[0] - quotients[1]
        found = np.where(np.isfinite(found), found, nan)
        undefined.append(int(np.isnan(found).sum()))
        ends.append(_interval(found))
    both = np.logical_and.reduce([ratio.top.valid & ratio.bottom.valid for ratio in ratios])
    eligible = np.logical_and.reduce([ratio.eligible for ratio in ratios])
    return Figure(
        label,
        "",
        None if exact is None else float(exact),
        exact,
        ends[0],
        ends[1],
        int(both.sum()),
        int(eligible.sum()),
        0,
        _empty(both, drawn.axis),
        undefined[0],
    )


class _Statistics:
    """The replicates of statistics of the weights; a part of several measures is held until the last one."""

    def __init__(self, bootstrap: Bootstrap, measures: Iterable[Measure]) -> None:
        self.bootstrap = bootstrap
        self.uses = Counter(part for each in measures if isinstance(each, Combined) for part in each.parts)
        self.held: dict[Statistic, dict[bytes, Doubles]] = {}

    def of(self, measure: Weighted | Combined) -> tuple[Doubles, Doubles]:
        """(R, M) the replicates of a measure over all roots, and over those of its support alone."""
        every = np.ones_like(measure.support)
        slots = self._of(measure, every)
        support = slots if measure.support.all() else self._of(measure, measure.support)
        for part in measure.parts if isinstance(measure, Combined) else ():
            self.uses[part] -= 1
            if not self.uses[part]:
                del self.held[part]
        return slots, support

    def _of(self, measure: Weighted | Combined, roots: Mask) -> Doubles:
        if isinstance(measure, Weighted):
            return self._drawn(measure.of, roots)
        return measure.combine(*(self._part(part, roots) for part in measure.parts))

    def _part(self, part: Statistic, roots: Mask) -> Doubles:
        held, key = self.held.setdefault(part, {}), roots.tobytes()
        if key not in held:
            held[key] = self._drawn(part, roots)
        return held[key]

    def _drawn(self, statistic: Statistic, roots: Mask) -> Doubles:
        # Replicates side by side, as they are sorted.
        parts = [statistic(weights).T for weights in self.bootstrap.joint(roots)]
        return np.concatenate(parts, axis=1).T


def _weighted(measure: Weighted | Combined, statistics: _Statistics) -> Iterator[Figure]:
    axis = statistics.bootstrap.axis
    slots, support = statistics.of(measure)
    first, second = (np.stack(percentiles(each), axis=1).tolist() for each in (slots, support))
    undefined = np.isnan(slots).sum(axis=0).tolist()
    for place, (label, exact) in enumerate(zip(measure.labels, measure.exact, strict=True)):
        yield Figure(
            label,
            "",
            None if exact is None else float(exact),
            Quotient.of(exact),
            _ends(*first[place]),
            _ends(*second[place]),
            int(measure.support.sum()),
            int(measure.eligible.sum()),
            0,
            _empty(measure.support, axis),
            undefined[place],
        )


def _less(left: Quotient | None, right: Quotient | None) -> Quotient | None:
    return None if left is None or right is None else left - right


def _interval(replicates: Doubles) -> Interval | None:
    low, high = percentiles(replicates[:, None])
    return _ends(float(low[0]), float(high[0]))


def _ends(low: float, high: float) -> Interval | None:
    return None if isnan(low) else Interval(low, high)


def _value(exact: Quotient | None, signs: NDArray[np.int8]) -> float | None:
    """The nearest double; with infinite values their infinity. None where both occur or there is no value."""
    if signs.any():
        above, below = bool((signs > 0).any()), bool((signs < 0).any())
        return None if above and below else inf if above else -inf
    return None if exact is None else float(exact)


def _empty(valid: Mask, axis: Axis) -> tuple[str, ...]:
    strata = zip(axis.strata, axis.slices, strict=True)
    return tuple(name for name, part in strata if not valid[part].any())
