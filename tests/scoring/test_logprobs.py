"""Log-probabilities made masses, against a slow exponential that shares nothing with the fast one."""

from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldgen.scoring.reports.logprobs import DIGITS, exp, normalise
from worldgen.scoring.reports.reader import Rejected, Valid, read_logprobs

IDS = ("A", "B", "C")
PLACES = 10**90


def enclose(value: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds of exp(value), value < 0, by the series of exp(x) at x = -value / 2**k < 1, whose rest after 70
    terms is below twice the next term; then squared k times, rounded outwards at 90 places, and turned over.
    """
    halvings = int(-value).bit_length()
    x = -value / 2**halvings
    terms = [Fraction(1)]
    for n in range(1, 71):
        terms.append(terms[-1] * x / n)
    low = sum(terms[:70], Fraction(0))
    high = low + 2 * terms[70]
    for _ in range(halvings):
        low, high = Fraction(floor(low**2 * PLACES), PLACES), Fraction(ceil(high**2 * PLACES), PLACES)
    return 1 / high, 1 / low


@settings(max_examples=40)
@given(st.integers(1, 60 * 10**6).map(lambda n: f"-{n // 10**6}.{n % 10**6:06d}"))
def test_exp_is_the_nearest_number_of_forty_digits(text: str) -> None:
    found = exp(text)
    assert isinstance(found, tuple)
    n, k = found
    assert len(str(n)) == DIGITS
    low, high = enclose(Fraction(text))
    half, value = Fraction(1, 2 * 10**k), Fraction(n, 10**k)
    assert value - half <= low <= high <= value + half


@pytest.mark.parametrize(
    ("text", "digits", "places"),
    [
        ("-1", "3678794411714423215955237701614608674458", 40),  # 1/e
        ("-0", "1", 0),
        ("-0.0", "1", 0),
        ("0e5", "1", 0),
        ("-9999", "3086565157593485095480663450065047234281", 4343 + 39),
    ],
)
def test_exponentials_known_by_name(text: str, digits: str, places: int) -> None:
    found = exp(text)
    assert isinstance(found, tuple)
    assert Fraction(found[0], 10 ** found[1]) == Fraction(int(digits), 10**places)


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 60)), min_size=1, max_size=5))
def test_masses_are_shares_of_the_held_mass(exps: list[tuple[int, int]]) -> None:
    masses, held = normalise(exps)
    values = [Fraction(n, 10**k) for n, k in exps]
    assert held == sum(values)
    assert masses == (tuple(value / held for value in values) if held else ())
    assert not masses or sum(masses) == 1


@given(st.lists(st.floats(-40, -1.2), min_size=3, max_size=3), st.permutations(range(3)))
def test_valid_log_probabilities_sum_to_exactly_one_in_any_order(
    values: list[float], order: list[int]
) -> None:
    written = tuple(zip(IDS, map(str, values), strict=True))
    read = read_logprobs(written, IDS)
    assert isinstance(read, Valid)
    assert sum(read.masses) == 1
    assert read.held is not None
    assert 0 < read.held < 1
    assert read_logprobs(tuple(written[i] for i in order), IDS) == read


def test_zero_is_written_minus_infinity_in_two_ways() -> None:
    for never in ("-inf", "-Infinity"):
        read = read_logprobs((("A", "-0.0"), ("B", never), ("C", never)), IDS)
        assert read == Valid((Fraction(1), Fraction(0), Fraction(0)), held=Fraction(1))


def test_equal_log_probabilities_are_equal_masses() -> None:
    read = read_logprobs(tuple((name, "-9999") for name in IDS), IDS)
    assert isinstance(read, Valid)
    assert read.masses == (Fraction(1, 3),) * 3
    assert read.held is not None
    assert 0 < read.held < Fraction(1, 10**4342)


def test_the_held_mass_may_exceed_one_by_a_millionth() -> None:
    """1 + exp(-13.8156) is 1.00000099991, and 1 + exp(-13.8155) is 1.00000100001."""
    assert isinstance(read_logprobs((("A", "0"), ("B", "-13.8156")), IDS[:2]), Valid)
    assert read_logprobs((("A", "0"), ("B", "-13.8155")), IDS[:2]) == Rejected("out of range")
