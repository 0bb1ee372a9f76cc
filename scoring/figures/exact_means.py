"""Exact means of many columns at once: over the roots of a stratum, and over strata.

The macro mean of a column is the sum over its roots of top / (bottom n S), where n roots of the stratum of the
root have a value and S strata have any. Over the least common multiple M of these denominators it is one
integer: the sum of top times share, with share = M / (bottom n S). Columns over the same denominators, as most
that speak of one variant are, have the same shares. M has hundreds of digits, so shares are written in digits of
16 bits, and one matrix product adds all columns digit by digit. With tops below 2**t in absolute value and N
roots every partial sum is an integer below N 2**(t + 16): where that is at most 2**53 doubles hold all of them,
in whatever order they are added, and carrying makes one integer of the digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from operator import mul

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import DOUBLE_BOUND, Integers
from worldgen.scoring.figures.columns import Axis, Column, Mask, largest, written
from worldgen.scoring.figures.means import Quotient

_MOST = 2**26  # bits of all shares together: as doubles of 16 bits they take 32 MB
_FEW = 4  # columns that cost less one by one than the digits of their shares
_BITS = 16


@dataclass(frozen=True)
class Means:
    """The means of a column over the roots that have a finite value: `macro` over strata, which weigh equally,
    and `strata` in each, () where they were not asked for. None without values.
    """

    macro: Quotient | None
    strata: tuple[Quotient | None, ...]


def means(columns: Sequence[Column], axis: Axis, *, by_stratum: bool = True) -> list[Means]:
    """The exact means of columns, without `by_stratum` those over strata alone.

    >>> axis = Axis(("r1", "r2", "r3"), ("a", "b"), (2, 1))
    >>> (found,) = means([Column.of([Fraction(1, 2), Fraction(1, 3), Fraction(1)])], axis)
    >>> found.macro.fraction, [each.fraction for each in found.strata]
    (Fraction(17, 24), [Fraction(5, 12), Fraction(1, 1)])
    """
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    made, divisors = dict[int, Means](), []
    for place, column in enumerate(columns):
        finite, divisor = column.finite, column.divisor
        divisors.append(divisor)
        lowest = np.where(finite, column.denominators // divisor, 1)
        groups.setdefault((written(lowest), finite.tobytes()), []).append(place)
    for places in groups.values():
        first = columns[places[0]]
        bottoms = first.denominators // divisors[places[0]]
        group = _Group([columns[place].numerators for place in places], bottoms, first.finite, axis)
        macro, strata = group.macro(), group.strata() if by_stratum else []
        for number, place in enumerate(places):
            divisor = divisors[place]
            made[place] = Means(
                _over(macro[number], divisor), tuple(_over(each[number], divisor) for each in strata)
            )
    return [made[place] for place in range(len(columns))]


def _over(quotient: Quotient | None, divisor: int) -> Quotient | None:
    return None if quotient is None else Quotient(quotient.top, quotient.bottom * divisor)


@dataclass(frozen=True)
class _Group:
    """Columns over the same denominators, with finite values on the same roots."""

    tops: Sequence[Integers]
    bottoms: Integers
    finite: Mask
    axis: Axis

    @property
    def counts(self) -> list[int]:
        """The number of finite values in each stratum."""
        return [int(self.finite[part].sum()) for part in self.axis.slices]

    def macro(self) -> list[Quotient | None]:
        counts = self.counts
        strata = sum(map(bool, counts))
        times = [count * strata for count in counts for _ in range(count)]
        return self._means(self.finite, times)

    def strata(self) -> list[list[Quotient | None]]:
        found = []
        for part, count in zip(self.axis.slices, self.counts, strict=True):
            inside = np.zeros_like(self.finite)
            inside[part] = self.finite[part]
            found.append(self._means(inside, [count] * count))
        return found

    def _means(self, inside: Mask, times: Sequence[int]) -> list[Quotient | None]:
        """The sums of tops / (bottoms times) over the roots inside; None where there are none."""
        if not times:
            return [None] * len(self.tops)
        bottoms = list(map(mul, self.bottoms[inside].tolist(), times))
        sums, unit = _sums([top[inside] for top in self.tops], bottoms)
        return [Quotient(top, unit) for top in sums]


def _sums(tops: Sequence[Integers], bottoms: Sequence[int]) -> tuple[list[int], int]:
    """The sums of tops / bottoms of every column, over one unit."""
    unit, roots = 1, len(bottoms)
    for bottom in set(bottoms):
        unit = lcm(unit, bottom)
        if roots > 1 and unit.bit_length() * roots > _MOST:
            half = roots // 2
            left, one = _sums([top[:half] for top in tops], bottoms[:half])
            right, two = _sums([top[half:] for top in tops], bottoms[half:])
            unit = lcm(one, two)
            more, less = unit // one, unit // two
            return [a * more + b * less for a, b in zip(left, right, strict=True)], unit
    shares = {bottom: unit // bottom for bottom in set(bottoms)}
    return _added(tops, [shares[bottom] for bottom in bottoms], unit), unit


def _added(tops: Sequence[Integers], shares: Sequence[int], unit: int) -> list[int]:
    """The sums of top times share of every column; no share exceeds `unit`."""
    small = [place for place, top in enumerate(tops) if len(shares) * largest(top) << _BITS <= DOUBLE_BOUND]
    if len(small) < _FEW:
        return [sum(map(mul, top.tolist(), shares)) for top in tops]
    found = dict(zip(small, _by_digits([tops[place] for place in small], shares, unit), strict=True))
    rest = (place for place in range(len(tops)) if place not in found)
    found |= {place: sum(map(mul, tops[place].tolist(), shares)) for place in rest}
    return [found[place] for place in range(len(tops))]


def _by_digits(tops: Sequence[Integers], shares: Sequence[int], unit: int) -> list[int]:
    width = -(-unit.bit_length() // _BITS)
    written = b"".join(share.to_bytes(width * _BITS // 8, "little") for share in shares)
    digits = np.frombuffer(written, "<u2").reshape(len(shares), width).astype(np.float64)
    places: NDArray[np.int64] = (digits.T @ np.stack(tops).astype(np.float64).T).astype(np.int64)
    carried = np.zeros(len(tops), dtype=np.int64)
    for place in places:  # (columns,) each, lowest first; the shift rounds down, so digits are positive
        place += carried
        carried = place >> _BITS
        place &= 2**_BITS - 1
    rows = np.ascontiguousarray(places.T.astype("<u2"))
    return [
        int.from_bytes(row.tobytes(), "little") + (over << width * _BITS)
        for row, over in zip(rows, carried.tolist(), strict=True)
    ]
