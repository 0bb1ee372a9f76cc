"""Exact means of many columns at once: over the roots of a stratum, and over strata.

Over the least common multiple M of its denominators the sum of a column over a stratum is one integer: the
sum of top times share, with share = M / bottom. Columns over the same denominators, as most that speak of one
variant are, have the same shares. M has hundreds of digits, so shares are written in digits of 16 bits, and
one matrix product adds all columns digit by digit. With tops below 2**t in absolute value and N roots every
partial sum is an integer below N 2**(t + 16): where that is at most 2**53 doubles hold all of them, in
whatever order they are added, and carrying makes one integer of the digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm
from operator import mul

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import DOUBLE_BOUND, Integers
from worldgen.scoring.figures.columns import Axis, Column, largest, written
from worldgen.scoring.figures.means import Quotient

_MOST = 2**26  # bits of all shares together: as doubles of 16 bits they take 32 MB
_FEW = 4  # columns that cost less one by one than the digits of their shares
_BITS = 16


@dataclass(frozen=True)
class Means:
    """The means of a column over the roots that have a finite value: `macro` over strata, which weigh
    equally, and `strata` in each; None without values.
    """

    macro: Quotient | None
    strata: tuple[Quotient | None, ...]


def means(columns: Sequence[Column], axis: Axis) -> list[Means]:
    """The exact means of columns.

    >>> from fractions import Fraction
    >>> axis = Axis(("r1", "r2", "r3"), ("a", "b"), (2, 1))
    >>> (found,) = means([Column.of([Fraction(1, 2), Fraction(1, 3), Fraction(1)])], axis)
    >>> found.macro.fraction, [each.fraction for each in found.strata]
    (Fraction(17, 24), [Fraction(5, 12), Fraction(1, 1)])
    """
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    for place, column in enumerate(columns):
        groups.setdefault((written(_lowest(column)), column.finite.tobytes()), []).append(place)
    made: dict[int, Means] = {}
    for places in groups.values():
        group = [columns[place] for place in places]
        made |= zip(places, _of_group(group, axis), strict=True)
    return [made[place] for place in range(len(columns))]


def _lowest(column: Column) -> Integers:
    """The denominators of finite values over their greatest common divisor, 1 elsewhere."""
    return np.where(column.finite, column.denominators // column.divisor, 1)


def _of_group(columns: Sequence[Column], axis: Axis) -> list[Means]:
    """The means of columns whose denominators are proportional, with finite values on the same roots.

    A macro mean is the sum of the means of its S strata, over the least common multiple of their units, by S.
    """
    finite, bottoms = columns[0].finite, _lowest(columns[0])
    sums: list[tuple[list[int], int] | None] = []
    for part in axis.slices:
        inside = finite[part]
        tops = [column.numerators[part][inside] for column in columns]
        parts = bottoms[part][inside].tolist()
        found = _sums(tops, parts) if parts else None
        sums.append(found and (found[0], found[1] * len(parts)))
    units = [found[1] for found in sums if found]
    whole = lcm(*units)
    shares = [whole // unit for unit in units]
    made = []
    for number, column in enumerate(columns):
        strata = tuple(found and Quotient(found[0][number], found[1] * column.divisor) for found in sums)
        top = sum(map(mul, (each.top for each in strata if each), shares))
        macro = Quotient(top, whole * len(units) * column.divisor) if units else None
        made.append(Means(macro, strata))
    return made


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
    for place in range(width):  # lowest first; the shift rounds down, so that what is left is not negative
        places[place] += carried
        carried = places[place] >> _BITS
        places[place] &= 2**_BITS - 1
    rows = np.ascontiguousarray(places.T.astype("<u2"))
    return [
        int.from_bytes(row.tobytes(), "little") + (over << width * _BITS)
        for row, over in zip(rows, carried.tolist(), strict=True)
    ]
