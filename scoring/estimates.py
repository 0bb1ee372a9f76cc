"""Figures: measures with their value, interval and support."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, nan

import numpy as np

from worldgen.scoring.bootstrap import Bootstrap, Doubles, Replicates, percentiles, resample
from worldgen.scoring.columns import Axis, Column, Mask
from worldgen.scoring.measures import Label, Mean, Measure, Ratio, Weighted

_AT_ONCE = 192  # columns whose replicates are held together: (5000, 192) doubles are 8 MB a stratum


@dataclass(frozen=True)
class Interval:
    """The ends of a 95 % percentile interval; NaN where no replicate is defined."""

    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """One number of the results.

    `stratum` is "" for the macro mean over strata. `value` is the double nearest to `exact`; `exact` is None
    where the figure is infinite or undefined, and then `value` is infinite or NaN. `slots` resamples all
    roots of a stratum and divides by the weight of those that have a value; `support` resamples those alone.
    Of `eligible` roots `valid` have a value, `infinite` of them an infinite one. `empty` names the strata
    without any, which a macro mean leaves out; in `emptied` replicates a stratum with values drew none.
    """

    label: Label
    stratum: str
    value: float
    exact: Fraction | None
    slots: Interval
    support: Interval
    valid: int
    eligible: int
    infinite: int
    empty: tuple[str, ...]
    emptied: int


def figures(measures: Iterable[Measure], bootstrap: Bootstrap, *, by_stratum: bool = True) -> list[Figure]:
    """The figures of measures, in their order; with `by_stratum` the strata of each mean follow its macro mean.

    All measures stand along the axis of the bootstrap, and all intervals come from its one set of weights.
    """
    listed = list(measures)
    columns: list[Column] = []
    for measure in listed:
        match measure:
            case Mean():
                columns.append(measure.column)
            case Ratio():
                columns += [measure.top, measure.bottom]
            case Weighted():
                pass
    drawn = _Drawn(bootstrap, columns)
    weighted = _weighted([one for one in listed if isinstance(one, Weighted)], bootstrap)
    found: list[Figure] = []
    place = 0
    for measure in listed:
        match measure:
            case Mean():
                found += _mean(measure, drawn, place, by_stratum)
                place += 1
            case Ratio():
                found.append(_ratio(measure, drawn, place))
                place += 2
            case Weighted():
                found.append(next(weighted))
    return found
