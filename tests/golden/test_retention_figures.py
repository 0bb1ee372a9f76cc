"""Joint tables and exact bounds that "Correct Choices, Failed Sequences" (arXiv 2610.16191) prints."""

from fractions import Fraction

import pytest

from worldgen.scoring.retention.binomial import binomial_interval, retained_interval
from worldgen.scoring.retention.joint import Joint


def percent(value: Fraction | None, places: int = 1) -> str:
    assert value is not None
    scaled = round(value * 100 * 10**places)  # to even at a tie, which none of these is
    return f"{scaled // 10**places}.{scaled % 10**places:0{places}}"


@pytest.mark.parametrize(
    ("counts", "native", "serial", "scr", "gain"),
    [
        ((123, 250, 0, 11), "97.1", "32.0", "33.0", "0.0"),  # Table 1, arithmetic
        ((8, 374, 0, 2), "99.5", "2.1", "2.1", "0.0"),  # Table 1, lexical
        ((6, 22, 31, 69), "21.9", "28.9", "21.4", "31.0"),  # Tables 2 and D15, named fields
        ((111, 4, 5, 8), "89.8", "90.6", "96.5", "38.5"),
        ((8, 227, 1, 148), "61.2", "2.3", "3.4", "0.7"),
        ((25, 25, 13, 65), "39.1", "29.7", "50.0", "16.7"),
    ],
)
def test_joint_tables(
    counts: tuple[int, int, int, int], native: str, serial: str, scr: str, gain: str
) -> None:
    joint = Joint(*counts)
    figures = (joint.native, joint.serial, joint.scr, joint.gain_rate)
    assert tuple(map(percent, figures)) == (native, serial, scr, gain)


@pytest.mark.parametrize(
    ("successes", "trials", "places", "low", "high"),
    [
        (0, 59, 1, "0.0", "6.1"),
        (0, 363, 1, "0.0", "1.0"),
        (0, 546, 2, "0.00", "0.67"),
        (0, 468, 2, "0.00", "0.79"),
        (0, 96, 1, "0.0", "3.8"),
        (0, 26, 1, "0.0", "13.2"),
        (0, 21, 1, "0.0", "16.1"),
        (0, 16, 1, "0.0", "20.6"),
        (48, 48, 1, "92.6", "100.0"),
        (13, 2347, 2, "0.30", "0.95"),
    ],
)
def test_exact_bounds(successes: int, trials: int, places: int, low: str, high: str) -> None:
    found = binomial_interval(successes, trials)
    assert found is not None
    assert (percent(found.low, places), percent(found.high, places)) == (low, high)


def test_what_no_resampling_shows_has_an_exact_bound() -> None:
    assert retained_interval(Joint(0, 59, 0, 325)) == binomial_interval(0, 59)
    assert retained_interval(Joint(0, 363, 0, 21)) == binomial_interval(0, 363)
