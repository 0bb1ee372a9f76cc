"""Whole answers projected onto positions, against adding up words one by one."""

from fractions import Fraction
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.geometry import Candidates
from worldgen.scoring.retention.projection import gaps, jensen_shannon, mean_known, projected

THREE = Candidates(("aa", "ab", "ca"), "abcd")
MASSES = st.lists(st.fractions(0, 1, max_denominator=8), min_size=3, max_size=3)
LOCAL = st.dictionaries(st.sampled_from("abcd"), st.fractions(0, 1, max_denominator=8))


@given(MASSES, st.lists(LOCAL, min_size=2, max_size=2))
def test_projection_adds_words_up_and_compares_normalised_sides(
    masses: list[Fraction], local: list[dict[str, Fraction]]
) -> None:
    added = projected(THREE, masses)
    assert added[0] == {"a": masses[0] + masses[1], "c": masses[2]}
    assert added[1] == {"a": masses[0] + masses[2], "b": masses[1]}
    for place, gap in enumerate(gaps(THREE, masses, local)):
        whole, part = sum(masses, Fraction(0)), sum(local[place].values(), Fraction(0))
        assert (gap.whole, gap.local) == (whole, part)
        supported = THREE.unions[place]
        assert gap.unsupported == sum((m for s, m in local[place].items() if s not in supported), Fraction(0))
        assert gap.reference == Fraction(1, 2)
        if not whole or not part:
            assert gap.total_variation is gap.divergence is None
            continue
        p = {s: added[place].get(s, Fraction(0)) / whole for s in "abcd"}
        q = {s: local[place].get(s, Fraction(0)) / part for s in "abcd"}
        assert gap.total_variation == sum((abs(p[s] - q[s]) for s in "abcd"), Fraction(0)) / 2
        middle = {s: (p[s] + q[s]) / 2 for s in "abcd"}
        plain = sum(float(x[s]) * log(x[s] / middle[s]) for x in (p, q) for s in "abcd" if x[s]) / 2
        assert gap.divergence is not None and abs(float(gap.divergence) - plain) < 1e-12
        assert (gap.divergence == 0) == (p == q)


def test_a_uniform_report_puts_the_reference_mass_outside_the_support() -> None:
    uniform = dict.fromkeys("abcd", Fraction(1, 4))
    for gap in gaps(THREE, [Fraction(1, 3)] * 3, [uniform, uniform]):
        assert gap.unsupported == gap.reference == Fraction(1, 2)


def test_masses_that_do_not_fit_are_refused() -> None:
    ones = [Fraction(1, 3)] * 3
    with pytest.raises(ValueError, match="characters of 'abcd'"):
        gaps(THREE, ones, [{"x": Fraction(1)}, {}])
    with pytest.raises(ValueError, match="not negative"):
        gaps(THREE, ones, [{"a": Fraction(-1)}, {}])
    with pytest.raises(ValueError, match="shorter"):
        gaps(THREE, ones, [{}])
    with pytest.raises(ValueError, match="longer"):
        projected(THREE, [*ones, Fraction(0)])
    with pytest.raises(ValueError, match="shorter"):
        jensen_shannon([Fraction(1)], [])
    assert mean_known([None]) is None
