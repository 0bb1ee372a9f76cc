"""Entropies in bits, kept exact: a logarithm of a rational over an integer, compared without taking it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import total_ordering
from math import gcd, lcm, prod

from worldgen.exact.errors import DomainError, ZeroMassError
from worldgen.exact.roots import rational_root

_DIGITS = 28  # of a decimal text; the logarithm is taken with twice as many


@total_ordering
@dataclass(frozen=True)
class Entropy:
    """log2(ratio) / parts bits, for a rational ratio >= 1 and parts >= 1.

    In normal form when built: `ratio` is no k-th power of a rational for a k > 1 that divides `parts`, and
    parts is 1 where ratio is 1, so that equal entropies are equal objects: with ratio = s**a for the s that
    is no power itself, the value is (a / parts) log2 s, and a / parts is in lowest terms. Raises DomainError
    outside the domain.

    >>> Entropy(Fraction(16), 2) == Entropy(Fraction(4), 1), Entropy(Fraction(8), 1).bits
    (True, Fraction(3, 1))
    """

    ratio: Fraction
    parts: int = 1

    def __post_init__(self) -> None:
        if self.ratio < 1 or self.parts < 1:
            raise DomainError(f"log2({self.ratio}) / {self.parts} is the entropy of nothing")
        ratio, parts = self.ratio, self.parts
        for prime in _primes(parts):
            while parts % prime == 0 and (root := rational_root(ratio, prime)) is not None:
                ratio, parts = root, parts // prime
        object.__setattr__(self, "ratio", Fraction(ratio))
        object.__setattr__(self, "parts", 1 if ratio == 1 else parts)

    @classmethod
    def of(cls, weights: Sequence[int]) -> "Entropy":
        """The entropy of the distribution with these weights.

        With total N it is -sum (n / N) log2(n / N) = log2(N**N / prod n**n) / N. Raises ZeroMassError where
        all are 0, DomainError for a negative one.

        >>> Entropy.of([4, 4]).bits, Entropy.of([3, 1]).text(4), Entropy.of([5, 0]).bits
        (Fraction(1, 1), '0.8113', Fraction(0, 1))
        """
        if any(weight < 0 for weight in weights):
            raise DomainError("a weight is negative")
        divisor = gcd(*weights)
        if divisor == 0:
            raise ZeroMassError("everything")
        shares = [weight // divisor for weight in weights]
        total = sum(shares)
        return cls(Fraction(total**total, prod(share**share for share in shares)), total)

    @property
    def bits(self) -> Fraction | None:
        """The value where it is rational, None elsewhere: 2**(a / b) is rational for integer a / b alone, so
        it is rational where the ratio is a power of 2.
        """
        power = self.ratio.numerator.bit_length() - 1
        return Fraction(power, self.parts) if self.ratio == 2**power else None

    def text(self, places: int = 12) -> str:
        """The decimal nearest to the value, with so many places (at most 20).

        >>> Entropy(Fraction(10)).text(3)
        '3.322'
        """
        if not 0 <= places <= 20:
            raise DomainError(f"an entropy is written with 0 to 20 places, not {places}")
        context = Context(2 * _DIGITS)
        top, bottom = (context.ln(Decimal(part)) for part in (self.ratio.numerator, self.ratio.denominator))
        nats = context.divide(context.subtract(top, bottom), context.ln(Decimal(2)))
        return format(context.divide(nats, Decimal(self.parts)), f".{places}f")

    def __lt__(self, other: "Entropy") -> bool:
        """Which is less: (log r) / a < (log s) / b where r**b < s**a."""
        return self.ratio**other.parts < other.ratio**self.parts


def mean_entropy(entropies: Iterable[Entropy]) -> Entropy:
    """The arithmetic mean. Raises DomainError for none.

    >>> mean_entropy([Entropy(Fraction(8)), Entropy(Fraction(2)), Entropy(Fraction(1))]).bits
    Fraction(4, 3)
    """
    found = list(entropies)
    if not found:
        raise DomainError("there is no mean of no entropies")
    parts = lcm(*(entropy.parts for entropy in found))
    ratio = prod((entropy.ratio ** (parts // entropy.parts) for entropy in found), start=Fraction(1))
    return Entropy(ratio, parts * len(found))


def _primes(number: int) -> list[int]:
    """The primes that divide a number."""
    found, divisor = [], 2
    while number > 1:
        if number % divisor == 0:
            found.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return found
