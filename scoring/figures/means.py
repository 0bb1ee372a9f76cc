"""Exact sums, means and quotients."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property


def total(values: Iterable[Fraction]) -> Fraction:
    """The sum of many fractions.

    Those of one denominator are added as integers, the rest in pairs of pairs: the denominators of a
    running sum grow with every term, those of a balanced tree only near its root.

    >>> total([Fraction(1, 3), Fraction(1, 6), Fraction(1, 3)])
    Fraction(5, 6)
    """
    tops: defaultdict[int, int] = defaultdict(int)
    for value in values:
        tops[value.denominator] += value.numerator
    parts = [Fraction(top, bottom) for bottom, top in tops.items()]
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [a + b for a, b in zip(parts[::2], parts[1::2], strict=False)] + odd
    return parts[0] if parts else Fraction(0)


def mean(values: Sequence[Fraction]) -> Fraction:
    """The arithmetic mean; ZeroDivisionError for no values.

    >>> mean([Fraction(1, 2), Fraction(1, 3)])
    Fraction(5, 12)
    """
    return values[0] if len(values) == 1 else total(values) / len(values)


def exact_text(value: Fraction) -> str:
    """The fraction as `str` writes it, however many digits it has.

    Means over many roots have thousands of digits, and Python refuses to write such integers unless a
    setting of the whole process is changed; Decimal writes any integer, exactly.

    >>> exact_text(Fraction(-3, 6)), len(exact_text(Fraction(10**5000)))
    ('-1/2', 5001)
    """
    top, bottom = (format(Decimal(part), "f") for part in (value.numerator, value.denominator))
    return top if value.denominator == 1 else f"{top}/{bottom}"


@dataclass(frozen=True, eq=False)
class Quotient:
    """top / bottom with bottom > 0, in whatever terms: reducing means over many roots takes longer than
    finding them, and most of them are never written as fractions. Equal where the fractions are.

    >>> float(Quotient(2, 4)), Quotient(2, 4) == Quotient(1, 2), Quotient(2, 4).fraction
    (0.5, True, Fraction(1, 2))
    """

    top: int
    bottom: int

    @classmethod
    def of(cls, value: Fraction | None) -> "Quotient | None":
        """A fraction as one; None of None."""
        return None if value is None else cls(value.numerator, value.denominator)

    @cached_property
    def fraction(self) -> Fraction:
        """The same in lowest terms."""
        return Fraction(self.top, self.bottom)

    def __float__(self) -> float:
        """The nearest double: Python divides integers of any size with one rounding."""
        return self.top / self.bottom

    def __eq__(self, other: object) -> bool:
        """Whether the two are one number."""
        if not isinstance(other, Quotient):
            return NotImplemented
        return self.top * other.bottom == other.top * self.bottom

    def __hash__(self) -> int:
        """That of the fraction."""
        return hash(self.fraction)

    def __sub__(self, other: "Quotient") -> "Quotient":
        """The difference."""
        if self.bottom == other.bottom:
            return Quotient(self.top - other.top, self.bottom)
        return Quotient(self.top * other.bottom - other.top * self.bottom, self.bottom * other.bottom)

    def __truediv__(self, other: "Quotient") -> "Quotient":
        """The ratio; ZeroDivisionError where the other is 0."""
        if not other.top:
            raise ZeroDivisionError(f"a ratio over 0/{other.bottom} is undefined")
        sign = 1 if other.top > 0 else -1
        if self.bottom == other.bottom:
            return Quotient(sign * self.top, sign * other.top)
        return Quotient(sign * self.top * other.bottom, sign * other.top * self.bottom)
