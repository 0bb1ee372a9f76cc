"""Several tests at once."""

from collections.abc import Sequence
from fractions import Fraction


def holm(p_values: Sequence[Fraction]) -> list[Fraction]:
    """The p-values adjusted after Holm (1979): rejecting what is at most a level rejects a true hypothesis
    among them with at most that probability, however they depend on each other.

    The k-th smallest of m becomes the greatest of (m - j + 1) p_(j) over j <= k, at most 1. ValueError for
    what is no fraction in [0, 1]: a NaN has no place among them, and would leave the others none.

    >>> [str(p) for p in holm([Fraction(1, 100), Fraction(1, 25), Fraction(3, 100)])]
    ['3/100', '3/50', '3/50']
    """
    for place, p_value in enumerate(p_values):
        if not isinstance(p_value, Fraction) or not 0 <= p_value <= 1:
            raise ValueError(f"p-value {place} is {p_value!r}, which is no Fraction from 0 to 1")
    adjusted, least = [Fraction(1)] * len(p_values), Fraction(0)
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(Fraction(1), (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
