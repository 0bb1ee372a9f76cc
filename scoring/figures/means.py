"""Exact means: over the repeats of a request, over requests of a stratum, over strata."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    return total(values) / len(values)


def exact_text(value: Fraction) -> str:
    """The fraction as `str` writes it, however many digits it has.

    Means over many roots have thousands of digits, and Python refuses to write such integers unless a
    setting of the whole process is changed; Decimal writes any integer, exactly.

    >>> exact_text(Fraction(-3, 6)), len(exact_text(Fraction(10**5000)))
    ('-1/2', 5001)
    """
    top, bottom = (format(Decimal(part), "f") for part in (value.numerator, value.denominator))
    return top if value.denominator == 1 else f"{top}/{bottom}"


@dataclass(frozen=True)
class StratumMean:
    """The mean of one stratum over `count` values, None without any."""

    stratum: str
    value: Fraction | None
    count: int


@dataclass(frozen=True)
class MacroMean:
    """A mean over strata that weighs each stratum equally, whatever its number of values.

    `value` averages the strata that have values (None if none has); `count` is the number of values in
    all, and `empty` names the strata that have none and are left out.
    """

    strata: tuple[StratumMean, ...]

    @classmethod
    def of(cls, values: Mapping[str, Sequence[Fraction]]) -> "MacroMean":
        """The macro mean of the values of each stratum, strata in the order given.

        >>> found = MacroMean.of({"a": [Fraction(0)] * 3, "b": [Fraction(1)], "c": []})
        >>> found.value, found.count, found.empty
        (Fraction(1, 2), 4, ('c',))
        """
        return cls(
            tuple(
                StratumMean(name, mean(found) if found else None, len(found))
                for name, found in values.items()
            )
        )

    @cached_property
    def value(self) -> Fraction | None:
        """The mean of the means of the strata that have values."""
        means = [stratum.value for stratum in self.strata if stratum.value is not None]
        return mean(means) if means else None

    @property
    def count(self) -> int:
        """The number of values over all strata."""
        return sum(stratum.count for stratum in self.strata)

    @property
    def empty(self) -> tuple[str, ...]:
        """The strata without values."""
        return tuple(stratum.stratum for stratum in self.strata if stratum.value is None)
