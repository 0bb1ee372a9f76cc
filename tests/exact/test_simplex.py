"""The simplex method against counting vertices, and against the proof that each optimum carries."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.simplex import Optimum, UnboundedError, _Tableau, maximise

Row = list[Fraction]
Programme = tuple[Row, list[Row], Row, list[Fraction | None]]

numbers = st.integers(-4, 4).map(Fraction) | st.fractions(-3, 3, max_denominator=6)
positive = st.integers(0, 4).map(Fraction) | st.fractions(0, 3, max_denominator=6)


def dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


@st.composite
def programmes(draw: st.DrawFn, columns: int, rows: int, capped: bool = False) -> Programme:
    """Small numbers, so that ties and steps of length zero abound."""
    n, m = draw(st.integers(1, columns)), draw(st.integers(0 if capped else 1, rows))
    vector = st.lists(numbers, min_size=n, max_size=n)
    cap = positive if capped else positive | st.none()
    return (
        draw(vector),
        draw(st.lists(vector, min_size=m, max_size=m)),
        draw(st.lists(positive, min_size=m, max_size=m)),
        draw(st.lists(cap, min_size=n, max_size=n)),
    )


def solve(equations: Sequence[Row], right: Row) -> Row | None:
    """The one solution of n equations in n unknowns, by elimination; None where there is not one."""
    table = [[*row, value] for row, value in zip(equations, right, strict=True)]
    for k in range(len(table)):
        pivot = next((i for i in range(k, len(table)) if table[i][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [entry / table[k][k] for entry in table[k]]
        for i in range(len(table)):
            if i != k:
                table[i] = [a - table[i][k] * b for a, b in zip(table[i], table[k], strict=True)]
    return [row[-1] for row in table]


def by_vertices(programme: Programme) -> Fraction:
    """The largest value at a point where n of the inequalities are equations: for a bounded programme."""
    objective, matrix, bounds, caps = programme
    n = len(objective)
    unit = [[Fraction(i == j) for j in range(n)] for i in range(n)]
    walls = [*zip(matrix, bounds, strict=True), *((e, Fraction(0)) for e in unit)]
    walls += [(e, cap) for e, cap in zip(unit, caps, strict=True) if cap is not None]
    points = [solve([row for row, _ in some], [b for _, b in some]) for some in combinations(walls, n)]
    return max(dot(objective, x) for x in points if x is not None and allowed(programme, x))


def allowed(programme: Programme, x: Sequence[Fraction]) -> bool:
    _, matrix, bounds, caps = programme
    return (
        all(value >= 0 for value in x)
        and all(cap is None or value <= cap for value, cap in zip(x, caps, strict=True))
        and all(dot(row, x) <= bound for row, bound in zip(matrix, bounds, strict=True))
    )


def proved(programme: Programme, best: Optimum) -> bool:
    """Whether the prices show that x, which is allowed, is best: weak duality with equal ends."""
    objective, matrix, bounds, caps = programme
    rests = [
        c - sum((y * row[j] for y, row in zip(best.prices, matrix, strict=True)), Fraction(0))
        for j, c in enumerate(objective)
    ]
    over = dot(best.prices, bounds)
    for rest, cap in zip(rests, caps, strict=True):
        if rest > 0 and cap is None:
            return False
        over += max(rest, Fraction(0)) * (cap or 0)
    return (
        allowed(programme, best.x)
        and all(price >= 0 for price in best.prices)
        and dot(objective, best.x) == over
    )


@given(programmes(3, 3, capped=True))
def test_no_vertex_is_better_and_one_is_as_good(programme: Programme) -> None:
    best = maximise(*programme)
    assert best.value == by_vertices(programme) == dot(programme[0], best.x)
    assert proved(programme, best)


@given(programmes(8, 6))
def test_the_prices_prove_every_optimum_or_none_is_largest(programme: Programme) -> None:
    objective, matrix, bounds, caps = programme
    try:
        best = maximise(*programme)
    except UnboundedError:
        # Then it goes beyond what all caps of any one size allow, which are vertices and grow with the size.
        sizes = [
            maximise(objective, matrix, bounds, [size if c is None else c for c in caps])
            for size in (10**6, 10**9)
        ]
        assert sizes[0].value < sizes[1].value
        return
    assert best.value == dot(objective, best.x)
    assert proved(programme, best)
    assert type(best.value) is Fraction and {type(each) for each in (*best.x, *best.prices)} <= {Fraction}


@given(programmes(4, 4, capped=True), st.integers(1, 10**30), st.integers(1, 10**30))
def test_numbers_of_any_size_are_exact(programme: Programme, top: int, bottom: int) -> None:
    objective, matrix, bounds, caps = programme
    scale = Fraction(top, bottom)
    wide = maximise(objective, matrix, [b * scale for b in bounds], [c and c * scale for c in caps])
    steep = maximise([c * scale for c in objective], matrix, bounds, caps)
    best = maximise(*programme)
    assert wide.value == steep.value == best.value * scale
    tall = [[a * scale for a in row] for row in matrix]
    assert maximise(objective, tall, [b * scale for b in bounds], caps).value == best.value


def test_the_first_by_number_ends_what_the_steepest_gain_repeats() -> None:
    """Chvatal, Linear Programming, 1983, chapter 3, in sixteenths: the units of the slacks decide which gain
    is steepest, so that the tableau is given here as the book has it.
    """

    def tableau() -> _Tableau:
        rows = [[8, -88, -40, 144, 0], [8, -24, -8, 16, 0], [16, 0, 0, 0, 16]]
        found = _Tableau(rows, [-160, 912, 144, 384, 0], [None] * 4)
        found.scale = 16
        return found

    steepest, bases = tableau(), []
    for _ in range(12):
        steepest.gaining = True
        assert steepest.step()
        bases.append(tuple(steepest.basic))
    assert bases[:6] == bases[6:]

    ruled, steps = tableau(), 0
    while ruled.step():
        steps += 1
    value, x, _ = ruled.read()
    assert value == 1 and list(x) == [1, 0, 1, 0] and steps < 12


def test_the_cube_of_klee_and_minty_is_solved() -> None:
    n = 7
    rows = [[2 * 10 ** (i - j) if j < i else int(i == j) for j in range(n)] for i in range(n)]
    best = maximise([10 ** (n - 1 - j) for j in range(n)], rows, [100**i for i in range(n)], [None] * n)
    assert best.value == 100 ** (n - 1)


def test_without_rows_or_columns_caps_decide() -> None:
    assert maximise([2, -1], [], [], [3, 5]) == Optimum(Fraction(6), (Fraction(3), Fraction(0)), ())
    assert maximise([], [[], []], [0, 1], []) == Optimum(Fraction(0), (), (Fraction(0), Fraction(0)))
    assert maximise([1], [[0]], [1], [0]).value == 0


def test_growth_without_end_is_said() -> None:
    with pytest.raises(UnboundedError, match="without end\n  try: give every variable a cap"):
        maximise([1, 1], [[1, -1]], [3], [None, None])


@pytest.mark.parametrize(
    ("programme", "said"),
    [
        (([1], [[1], [2]], [1], [1]), "2 rows, 1 bounds"),
        (([1], [[1]], [1], [1, 1]), "1 columns, 2 caps"),
        (([1], [[1, 2]], [1], [1]), "does not have 1 entries"),
        (([1], [[1]], [-1], [1]), "negative"),
        (([1], [[1]], [1], [-1]), "negative"),
    ],
)
def test_a_programme_that_is_none_is_refused(programme: Programme, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        maximise(*programme)
