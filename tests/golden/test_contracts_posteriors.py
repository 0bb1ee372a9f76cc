"""Posteriors published in "Probability Contracts", section 4.1 and Appendix H."""

from fractions import Fraction

import numpy as np

from tests.by_hand import agrees
from worldgen.exact.decimals import decimal_of, decimal_posterior
from worldgen.exact.events import Atoms
from worldgen.exact.numbers import read_number
from worldgen.exact.pools import rationals
from worldgen.exact.posterior import posterior, posteriors
from worldgen.exact.questions import Question

ATOMS = Atoms(("1", "2", "3", "4"))
A = ATOMS.event([0, 1], "A")


def test_section_4_1() -> None:
    counts, likelihoods = (67, 85, 9, 79), [read_number(text) for text in ("1/2", "0.9", "1", "0.5")]
    masses = [count * likelihood for count, likelihood in zip(counts, likelihoods, strict=True)]
    assert masses == [read_number(text) for text in ("33.5", "76.5", "9", "39.5")]
    assert sum(masses) == Fraction(317, 2)
    law = posterior(ATOMS, counts, likelihoods)
    assert Question.about(A).answer(law) == (Fraction(220, 317), Fraction(97, 317))


def test_appendix_h() -> None:
    counts, tops = (2, 19, 16, 10), (1, 0, 3, 2)
    law = posterior(ATOMS, counts, [Fraction(top, 5) for top in tops])
    assert law.masses == (Fraction(1, 35), Fraction(0), Fraction(24, 35), Fraction(2, 7))
    assert law.probability(A) == Fraction(1, 35)
    assert sum(count * Fraction(top, 5) for count, top in zip(counts, tops, strict=True)) == 14


def test_both_at_once_and_by_decimals() -> None:
    counts = np.array([[67, 85, 9, 79], [2, 19, 16, 10]])
    tops = np.array([[5, 9, 10, 5], [2, 0, 6, 4]])
    batch, positive = posteriors(ATOMS, counts, tops, 85 * 10)
    assert positive.all()
    assert rationals(batch.weight(A), batch.denominators).to_pylist() == ["220/317", "1/35"]
    for i in range(2):
        fractions = ([Fraction(n) for n in counts[i].tolist()], [Fraction(n, 10) for n in tops[i].tolist()])
        decimals = decimal_posterior(*([*map(decimal_of, numbers)] for numbers in fractions))
        assert decimals is not None
        assert agrees(decimals, batch.numerators[i].tolist(), int(batch.denominators[i]))
