"""Weights of counts: what is stored in the catalog is what its definition gives, by two roads."""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.memos import WORLDS, folder, world
from worldgen.exact.domains import Numbers
from worldgen.exact.errors import DomainError
from worldgen.faults import SpecError
from worldgen.spec.sources import Source
from worldgen.spec.weights import read_weights
from worldgen.worlds.base import Streams
from worldgen.worlds.weights import TOTAL, after_zero, lognormal, negative_binomial, rounded, written

Number = TypeVar("Number", Decimal, Fraction)

HALF, FIFTH = Fraction(1, 2), Fraction(1, 5)

# world, count, range, median, dispersion: the medians and dispersions are those of the published worlds.
COUNTS = [
    ("peer-review", "authors", range(1, 16), 4, 6),
    ("peer-review", "pages", range(4, 41), 10, 20),
    ("peer-review", "figures", range(21), 5, 4),
    ("peer-review", "tables", range(16), 3, 3),
    ("peer-review", "references", range(5, 151), 40, 5),
    ("credit-risk", "sites", range(1, 31), 3, 2),
    ("credit-risk", "departments", range(1, 26), 5, 6),
    ("credit-risk", "report_pages", range(4, 81), 20, 8),
    ("credit-risk", "charts", range(26), 5, 3),
    ("covert-transfer", "attachments", range(16), 3, 2),
    ("covert-transfer", "team_size", range(2, 21), 4, 6),
]
APPENDIX = ("peer-review", "appendix_pages")
EMPLOYEES = ("credit-risk", "employees")
STORED = {name: read_weights(folder(name) / "weights.yaml") for name in WORLDS}

every_count = pytest.mark.parametrize(
    ("name", "field", "values", "median", "dispersion"), COUNTS, ids=[field for _, field, *_ in COUNTS]
)


def stored(name: str, field: str) -> tuple[int, ...]:
    weights = STORED[name][field].weights
    assert weights is not None
    return weights


def masses(values: range, dispersion: int, ratio: Number) -> list[Number]:
    """The negative binomial on a range by its formula, ratio = mu / (r + mu)."""
    plain = [comb(n + dispersion - 1, n) * ratio**n for n in values]
    whole = sum(plain, 0 * ratio)
    return [mass / whole for mass in plain]


def left(law: Sequence[Number], place: int) -> Number:
    return sum(law[:place], 0 * law[0]) + law[place] / 2


def solved(values: range, dispersion: int, place: int, share: Fraction) -> list[Fraction]:
    """The law with the last mu on the grid at which P(N < m) + P(N = m)/2 is still `share`.

    Where that is, 50 digits say; that it is there, fractions show.
    """

    def ratio(k: int) -> Fraction:
        return k / (dispersion * Fraction(2**40) + k)

    with localcontext() as context:
        context.prec = 50
        aim = Decimal(share.numerator) / share.denominator
        k = last(
            lambda k: left(masses(values, dispersion, Decimal(k) / (dispersion * 2**40 + k)), place) >= aim
        )
    law, next_law = masses(values, dispersion, ratio(k)), masses(values, dispersion, ratio(k + 1))
    assert left(law, place) >= share > left(next_law, place)
    return law


def last(holds: Callable[[int], bool]) -> int:
    """The last k below 2**48 at which something holds that holds up to there: bit by bit from the top."""
    k = 0
    for bit in reversed(range(48)):
        k += holds(k + 2**bit) << bit
    return k


def by_hand(law: Sequence[Fraction]) -> tuple[int, ...]:
    """Largest remainders: one more for each that lags furthest behind, as long as something is missing."""
    parts = [int(mass * TOTAL) for mass in law]
    lags = [(parts[place] - mass * TOTAL, place) for place, mass in enumerate(law)]
    for _, place in sorted(lags)[: TOTAL - sum(parts)]:
        parts[place] += 1
    return tuple(parts)


def test_every_stored_field_is_checked_here_and_drawn_from() -> None:
    checked = {(name, field) for name, field, *_ in COUNTS} | {APPENDIX, EMPLOYEES}
    assert {(name, field) for name in WORLDS for field in STORED[name]} == checked
    drawn = {
        (name, one.variable.name): one.weights
        for name in WORLDS
        for one in world(name).model.irrelevant
        if one.weights
    }
    assert drawn == {(name, field): stored(name, field) for name, field in checked}


def test_every_input_has_eight_irrelevant_fields_and_the_worlds_thirteen_counts() -> None:
    assert [len(world(name).model.irrelevant) for name in WORLDS] == [8, 8, 8]
    assert sum(len(STORED[name]) for name in WORLDS) == 13
    even = [one.variable for name in WORLDS for one in world(name).model.irrelevant if one.weights is None]
    sizes = {variable.name: variable.domain.size for variable in even}
    assert sizes.pop("month") == 12
    assert set(sizes.values()) == {2}


def test_the_pages_state_the_parameters() -> None:
    stated = {
        (name, cells[0], range(int(low), int(high) + 1), int(cells[2]), int(cells[3]))
        for name in WORLDS
        for line in (folder(name) / "memo.md").read_text(encoding="utf-8").splitlines()
        if len(cells := [cell.strip() for cell in line.strip("|").split("|")]) == 4 and " to " in cells[1]
        for low, high in [cells[1].split(" to ")]
    }
    assert stated == {*COUNTS, (*APPENDIX, range(61), 10, 3)}
    assert "10 to 2,000 with median 200" in (folder("credit-risk") / "memo.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WORLDS)
def test_stored_weights_are_positive_and_sum_to_a_power_of_two(name: str) -> None:
    for drawn in STORED[name].values():
        assert isinstance(drawn.domain, Numbers)
        assert drawn.weights is not None
        assert min(drawn.weights) > 0 and sum(drawn.weights) == TOTAL == 2**53


@every_count
def test_stored_counts_are_recomputed(
    name: str, field: str, values: range, median: int, dispersion: int
) -> None:
    assert STORED[name][field].domain == Numbers(tuple(map(Fraction, values)), "integer")
    assert stored(name, field) == rounded(negative_binomial(values, median, dispersion))


@every_count
def test_stored_counts_are_those_of_the_definition(
    name: str, field: str, values: range, median: int, dispersion: int
) -> None:
    assert stored(name, field) == by_hand(solved(values, dispersion, values.index(median), HALF))


def test_the_appendix_has_a_fifth_of_its_mass_at_zero_and_its_median_at_ten() -> None:
    positive = negative_binomial(range(1, 61), 10, 3, (HALF - FIFTH) / (1 - FIFTH))
    weights = stored(*APPENDIX)
    assert weights == rounded(after_zero(positive, FIFTH))
    assert weights[0] == round(TOTAL * FIFTH)
    law = solved(range(1, 61), 3, 9, Fraction(3, 8))
    assert left([FIFTH, *((1 - FIFTH) * mass for mass in law)], 10) >= HALF
    assert weights == by_hand([FIFTH, *((1 - FIFTH) * mass for mass in law)])


def test_stored_employees_are_recomputed() -> None:
    assert STORED["credit-risk"]["employees"].domain == Numbers(
        tuple(map(Fraction, range(10, 2001))), "integer"
    )
    assert stored(*EMPLOYEES) == rounded(lognormal(range(10, 2001), 200, 1))


def area(x: Decimal) -> Decimal:
    """The integral of exp(-t**2 / 2) from 0 to x, as the integrals of the terms of the exponential."""
    total, term, k = Decimal(0), x, 0
    while total + term / (2 * k + 1) != total:
        total, k = total + term / (2 * k + 1), k + 1
        term *= -x * x / (2 * k)
    return total


def test_stored_employees_are_those_of_the_definition() -> None:
    """With 90 digits, another series for the normal integral, and another search for the location."""
    values = range(10, 2001)
    with localcontext() as context:
        context.prec = 90
        edges = [(n - Decimal("0.5")).ln() for n in (*values, 2001)]
        ends = [edges[values.index(200)], edges[values.index(200) + 1], edges[-1]]

        def holds(k: int) -> bool:
            first, low, high, whole = (area(edge - Decimal(k) / 2**40) for edge in (edges[0], *ends))
            return (low - first) + (high - low) / 2 >= (whole - first) / 2

        k = 0
        for bit in reversed(range(43)):
            k += holds(k + 2**bit) << bit
        heights = [area(edge - Decimal(k) / 2**40) for edge in edges]
        law = [
            Fraction((heights[i + 1] - heights[i]) / (heights[-1] - heights[0])) for i in range(len(values))
        ]
    whole = sum(law)
    assert stored(*EMPLOYEES) == by_hand([mass / whole for mass in law])


@given(st.lists(st.integers(0, 10**30), min_size=1).filter(any), st.integers(1, 10**20))
def test_rounding_keeps_the_total_and_moves_nothing_by_one(weights: list[int], total: int) -> None:
    parts = rounded(weights, total)
    assert sum(parts) == total
    exact = [Fraction(total * weight, sum(weights)) for weight in weights]
    assert all(abs(part - share) < 1 for part, share in zip(parts, exact, strict=True))
    assert all(part == share for part, share in zip(parts, exact, strict=True) if share.denominator == 1)
    lost = [share - int(share) for share in exact]
    up = [i for i in range(len(parts)) if parts[i] > exact[i]]
    assert all(lost[i] >= lost[j] for i in up for j in range(len(parts)) if parts[j] < exact[j])


@given(st.lists(st.integers(0, 99), min_size=1), st.fractions(0, 1, max_denominator=50))
def test_a_mass_at_zero_leaves_the_other_ratios(weights: list[int], zero: Fraction) -> None:
    if not any(weights):
        weights[0] = 1
    joined = after_zero(weights, zero)
    assert Fraction(joined[0], sum(joined)) == zero
    assert all(joined[i + 1] * weights[0] == joined[1] * weights[i] for i in range(len(weights)))


@pytest.mark.parametrize(
    ("values", "median"),
    [(range(5, 9), 4), (range(5, 9), 9), (range(5, 5), 5), (range(3, 4), 3), (range(1, 9, 2), 3)],
)
def test_a_median_outside_of_a_range_is_refused(values: range, median: int) -> None:
    for law in (negative_binomial, lognormal):
        with pytest.raises(DomainError, match="no count with median"):
            law(values, median, 1)


def test_a_median_that_no_location_reaches_is_refused() -> None:
    for values, median in ((range(10), 0), (range(10), 9), (range(1, 100), 98)):
        with pytest.raises(DomainError, match=f"no location puts the median of .* at {median}"):
            negative_binomial(values, median, 1)
    with pytest.raises(DomainError, match=r"no location puts the median of .* at 1"):
        lognormal(range(1, 4), 1, 1)


def test_what_is_no_law_is_refused() -> None:
    wrong: list[Callable[[], object]] = [
        lambda: negative_binomial(range(9), 4, 0),
        lambda: lognormal(range(9), 4, 1),
        lambda: lognormal(range(1, 9), 4, 0),
        lambda: after_zero((1, 2), Fraction(3, 2)),
        lambda: rounded((0, 0)),
        lambda: rounded((2, -1)),
        lambda: rounded((1,), -1),
        lambda: rounded(()),
    ]
    for law in wrong:
        with pytest.raises(DomainError):
            law()


tables = st.dictionaries(
    st.from_regex(r"\A[a-z][a-z_]{0,9}\Z"),
    st.dictionaries(st.integers(0, 10**6), st.integers(0, 2**53), min_size=1, max_size=40),
    max_size=3,
)


@given(tables)
def test_what_is_written_is_read_back(written_tables: dict[str, dict[int, int]]) -> None:
    text = written(written_tables)
    assert all(len(line) <= 110 for line in text.splitlines())
    read = read_weights(Source(text or "{}"))
    assert {name: drawn.weights for name, drawn in read.items()} == {
        name: tuple(table.values()) for name, table in written_tables.items()
    }
    assert {name: drawn.domain for name, drawn in read.items()} == {
        name: Numbers(tuple(map(Fraction, table)), "integer") for name, table in written_tables.items()
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sites: {1: x}", "w.yaml:1:12: sites.1: 'x' is not an exact number"),
        ("sites: {1: 3, 1: 4}", "w.yaml:1:15: sites.1: the key '1' stands twice"),
        ("sites: {1: -3}", "-3 is not a whole number from 0"),
        ("[sites]", "write the name of each number with its weights"),
        ("sites: {1: 3", "w.yaml:1"),
    ],
)
def test_a_file_of_weights_with_faults_is_refused(text: str, said: str) -> None:
    with pytest.raises(SpecError) as refused:
        read_weights(Source(text, "w.yaml"))
    assert said in str(refused.value)


def test_draws_follow_the_stored_weights() -> None:
    """The first 53 bits of a word count through the weights: what the draw of a count is, spelled out."""
    streams, roots = Streams(7, "peer-review", "all"), np.arange(300)
    words = streams.purpose("references").words(roots).tolist()
    weights = stored("peer-review", "references")
    expected = [next(i for i in range(len(weights)) if word >> 11 < sum(weights[: i + 1])) for word in words]
    drawn = STORED["peer-review"]["references"].draw(streams, "references", roots, 0)
    assert drawn.tolist() == expected
    assert len(set(expected)) > 50
