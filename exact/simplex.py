"""Linear programmes solved exactly: the simplex method on integers.

The programme is: maximise c.x subject to A x <= b and 0 <= x <= u, where b >= 0, so that x = 0 is a start.

**Tableau.** Slack i fills row i up to an equation. Of the n + m variables m are *basic*: each row says what
one of them is where the others, the *free* ones, are zero, and a last row says it of c.x. A variable at its
upper bound is *flipped*: u - x stands in the tableau instead of it, and is zero. So every free variable is
zero, and only basic ones have to be kept within [0, u].

**Integers.** Entries are whole over one `scale`, the absolute determinant of the basis, because they are then
minors of a whole matrix (Cramer), so that the division that ends a pivot leaves no rest (Edmonds 1967,
Bareiss 1968). A flip negates a column and takes u times it from the right-hand side, both whole.

**It ends.** The variable of steepest gain enters; but after a step of length zero, and until a step gains
again, the first by number of those that gain (Bland 1977). Of the variables that block a step the first by
number leaves. A step of positive length increases c.x for good: what is basic and flipped before it never
recurs. Steps of length zero leave x where it is: a variable that is flipped in a stretch of them, or blocks
one at its cap, stays at that cap, which is not 0. With all of these flipped for good, the stretch is a run of
the plain simplex method under Bland's rule, which takes no basis twice. There are finitely many.

**It is right.** At the end no entry of the last row is negative: the prices y of the slacks are, and so is
d = max(0, c - A'y), at least 0, and c.x = y.b + d.u. No x' that the programme allows does better:
c.x' <= y.A x' + d.x' <= y.b + d.u.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from worldgen.exact.errors import WorldgenError

Number = int | Fraction


class UnboundedError(WorldgenError):
    """A programme whose objective grows without end."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The largest value of a programme, an x that attains it, and the price of each row.

    prices[i] >= 0 is what a unit of b[i] is worth; together they prove that no x does better.
    """

    value: Fraction
    x: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def maximise(
    objective: Sequence[Number],
    matrix: Sequence[Sequence[Number]],
    bounds: Sequence[Number],
    caps: Sequence[Number | None],
) -> Optimum:
    """The optimum of: maximise objective.x subject to matrix x <= bounds and 0 <= x <= caps.

    `objective` and `caps` are (n,), `bounds` is (m,), `matrix` is m rows of n; a cap of None is none. Made
    for small programmes: a step costs m n multiplications of integers that grow with m. Raises ValueError for
    shapes that do not fit and for a negative bound or cap, UnboundedError if there is no largest value.

    >>> best = maximise([3, 2], [[1, 1], [1, 3]], [4, 6], [3, None])
    >>> best.value, best.x == (3, 1), best.prices == (2, 0)
    (Fraction(11, 1), True, True)
    """
    if len(matrix) != len(bounds) or len(objective) != len(caps):
        raise ValueError(
            f"{len(matrix)} rows, {len(bounds)} bounds, {len(objective)} columns, {len(caps)} caps"
        )
    if any(len(row) != len(caps) for row in matrix):
        raise ValueError(f"a row of the matrix does not have {len(caps)} entries")
    if any(bound < 0 for bound in bounds) or any(cap is not None and cap < 0 for cap in caps):
        raise ValueError("a bound or a cap is negative, so that 0 is no start")
    # Integers: x in units of 1 / unit, so that caps are whole, and then every row times `common`.
    unit = lcm(*(cap.denominator for cap in caps if cap is not None))
    common = lcm(*(entry.denominator for row in (*matrix, bounds, objective) for entry in row))
    tableau = _Tableau(
        [
            [*_whole(row, common), *_whole([bound], common * unit)]
            for row, bound in zip(matrix, bounds, strict=True)
        ],
        [*_whole(objective, -common), 0],
        [None if cap is None else int(cap * unit) for cap in caps],
    )
    while tableau.step():
        pass
    value, x, prices = tableau.read()
    return Optimum(value / (common * unit), tuple(each / unit for each in x), prices)


def _whole(entries: Sequence[Number], common: int) -> list[int]:
    return [int(entry * common) for entry in entries]


class _Tableau:
    """Rows of n integers and a right-hand side, the row of the objective last, all over `scale` > 0.

    Row i reads: basic[i] + sum_j rows[i][j] / scale * free[j] = rows[i][n] / scale.
    """

    def __init__(self, rows: list[list[int]], objective: list[int], caps: list[int | None]) -> None:
        self.rows = [*rows, objective]
        self.scale = 1
        self.caps = caps + [None] * len(rows)
        self.free = list(range(len(caps)))
        self.basic = list(range(len(caps), len(caps) + len(rows)))
        self.flipped = [False] * len(self.caps)
        self.gaining = True

    def step(self) -> bool:
        """Let one variable grow until something stops it; False if none gains by it."""
        column = self.entering()
        if column is None:
            return False
        row, length = self.blocking(column)
        self.gaining = length > 0
        if row is None:
            self.flip_free(column)
            return True
        if self.rows[row][column] < 0:
            self.flip_basic(row)
        self.pivot(row, column)
        return True

    def entering(self) -> int | None:
        """The column of the variable to enter, which one whose cap is 0 cannot."""
        last = self.rows[-1]
        gains = [j for j, name in enumerate(self.free) if last[j] < 0 and self.caps[name] != 0]
        if not gains:
            return None
        return min(gains, key=last.__getitem__ if self.gaining else self.free.__getitem__)

    def blocking(self, column: int) -> tuple[int | None, int]:
        """The row of the basic variable that stops the growth of a free one first, or None if its own
        cap does; and the length of the step, times something positive.
        """
        cap = self.caps[self.free[column]]
        least: tuple[int, int] | None = None if cap is None else (cap, 1)  # top / bottom
        found: int | None = None
        for i, name in enumerate(self.basic):
            rate, rest, cap = self.rows[i][column], self.rows[i][-1], self.caps[name]
            if rate < 0 and cap is not None:
                rate, rest = -rate, cap * self.scale - rest
            if rate <= 0:
                continue
            ahead = -1 if least is None else rest * least[1] - least[0] * rate
            if ahead < 0 or (ahead == 0 and found is not None and name < self.basic[found]):
                found, least = i, (rest, rate)
        if least is None:
            raise UnboundedError("the objective grows without end", remedy="give every variable a cap")
        return found, least[0]

    def flip_free(self, column: int) -> None:
        """Count a free variable from its cap down."""
        name = self.free[column]
        cap = self.caps[name] or 0
        for row in self.rows:
            row[-1] -= cap * row[column]
            row[column] = -row[column]
        self.flipped[name] = not self.flipped[name]

    def flip_basic(self, i: int) -> None:
        """Count a basic variable from its cap down."""
        name = self.basic[i]
        *rates, rest = self.rows[i]
        self.rows[i] = [*(-rate for rate in rates), (self.caps[name] or 0) * self.scale - rest]
        self.flipped[name] = not self.flipped[name]

    def pivot(self, i: int, column: int) -> None:
        """Exchange basic variable i for a free one, at a positive entry, which becomes the scale."""
        key, scale = self.rows[i], self.scale
        top = key[column]
        for k, row in enumerate(self.rows):
            if k != i:
                rate = row[column]
                moved = [(a * top - rate * b) // scale for a, b in zip(row, key, strict=True)]
                moved[column] = -rate
                self.rows[k] = moved
        key[column], self.scale = scale, top
        self.basic[i], self.free[column] = self.free[column], self.basic[i]

    def read(self) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
        """The value, x and the prices, in the units of the tableau."""
        columns = len(self.free)
        values = [Fraction(0)] * len(self.caps)
        prices = [Fraction(0)] * len(self.basic)
        for i, name in enumerate(self.basic):
            values[name] = Fraction(self.rows[i][-1], self.scale)
        for j, name in enumerate(self.free):
            if name >= columns:
                prices[name - columns] = Fraction(self.rows[-1][j], self.scale)
        x = (
            (self.caps[name] or 0) - values[name] if self.flipped[name] else values[name]
            for name in range(columns)
        )
        return Fraction(self.rows[-1][-1], self.scale), tuple(x), tuple(prices)
