"""The joint law of what is shown and of the outcome, as integers over one denominator."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.diagrams import CLASS, Diagram, eliminate_outcome
from worldgen.exact.distributions import Distribution, Posteriors
from worldgen.exact.elimination import Table, eliminate, multiply
from worldgen.exact.errors import DomainError, ZeroMassError
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.networks import Codes, Network, NetworkError, check_size
from worldgen.exact.numbers import Integers, integers

_REMEDY = "ask about what can occur"


@dataclass(frozen=True, eq=False)
class Joint:
    """P(pattern, class | evidence) for n patterns and K classes.

    The patterns are those of the factors `shown`, counted in C order: the code of the last factor runs
    fastest. `numerators` (n, K) and `totals` (n,), its row sums, hold what the factors that are not shown
    contribute, so that P(class k | pattern i) = numerators[i, k] / totals[i] in small integers. A pattern
    that the hidden factors make impossible has total zero. `tables` are those of the factors whose whole
    scope is shown: their product is `weights`, and P(pattern i, class k) = weights[i] numerators[i, k] /
    denominator.

    >>> from worldgen.exact.networks import Outcome
    >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> rule = Outcome(Atoms(("0", "1")), ("coin", "noise"), lambda codes: codes["coin"] ^ codes["noise"])
    >>> law = joint(Network((coin, noise), rule), ["coin"])
    >>> law.numerators.tolist(), law.totals.tolist(), law.bayes_error
    ([[9, 1], [1, 9]], [10, 10], Fraction(1, 10))
    """

    atoms: Atoms
    shown: tuple[Factor, ...]
    numerators: Integers
    totals: Integers
    tables: tuple[Table, ...]
    denominator: int

    def __len__(self) -> int:
        return len(self.totals)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the factors that are shown."""
        return tuple(factor.name for factor in self.shown)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each factor that is shown."""
        return tuple(factor.size for factor in self.shown)

    @cached_property
    def possible(self) -> NDArray[np.bool_]:
        """Which patterns have positive probability, (n,)."""
        likely = [Table(table.names, table.values > 0, 1) for table in self.tables]
        found = multiply(likely, self.names).values.astype(np.bool_)
        return np.broadcast_to(found, self.sizes).reshape(-1) & np.asarray(self.totals > 0, dtype=np.bool_)

    @cached_property
    def weights(self) -> Integers:
        """The product of the tables of what is shown alone, (n,)."""
        product = multiply(self.tables, self.names)
        return np.ascontiguousarray(np.broadcast_to(product.integers, self.sizes)).reshape(-1)

    @cached_property
    def masses(self) -> Integers:
        """The numerators of P(pattern), (n,), over `denominator`."""
        bound = int(self.weights.max()) * int(self.totals.max()) + 1
        return np.asarray(integers(self.weights, bound) * integers(self.totals, bound))

    @cached_property
    def table(self) -> Integers:
        """The numerators of P(pattern, class), (n, K), over `denominator`."""
        bound = int(self.weights.max()) * int(self.totals.max()) + 1
        return np.asarray(integers(self.weights, bound)[:, None] * integers(self.numerators, bound))

    def _summed(self, values: Integers) -> int:
        """The sum over patterns of weight times value, where `values` (n,) are non-negative integers."""
        table = Table(self.names, values.reshape(self.sizes), max(int(values.max()), 1))
        return int(eliminate([table, *self.tables], ()).values)

    @cached_property
    def prior(self) -> Distribution:
        """The law of the outcome before anything is shown."""
        columns = (self._summed(self.numerators[:, k]) for k in range(len(self.atoms)))
        return Distribution(self.atoms, tuple(columns))

    @cached_property
    def bayes_error(self) -> Fraction:
        """How often the best guess is wrong: 1 - sum over patterns of max_k P(pattern, class k)."""
        return 1 - Fraction(self._summed(self.numerators.max(axis=1)), self.denominator)

    def coverage(self, cases: int) -> Fraction:
        """The expected mass of the patterns among independent cases: sum of p (1 - (1 - p)**cases).

        >>> from worldgen.exact.networks import Outcome
        >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
        >>> rule = Outcome(Atoms(("lost", "won")), ("coin",), lambda codes: codes["coin"])
        >>> joint(Network((coin,), rule), ["coin"]).coverage(2)
        Fraction(3, 4)
        """
        whole = self.denominator
        seen = Counter(self.masses.tolist())
        missed = sum(times * mass * (whole - mass) ** cases for mass, times in seen.items())
        return 1 - Fraction(missed, whole ** (cases + 1))

    def index(self, codes: Codes) -> Codes:
        """The positions of m patterns from their codes, (m, number of names). Raises DomainError."""
        found = np.zeros(len(codes), dtype=np.int64)
        for column, size in zip(codes.T, self.sizes, strict=True):
            if column.min(initial=0) < 0 or column.max(initial=0) >= size:
                raise DomainError(f"a code lies outside the levels of {', '.join(self.names)}")
            found = found * size + column
        return found

    def posteriors(self, codes: Codes) -> Posteriors:
        """The posteriors of m patterns, (m, number of names) codes.

        Raises ZeroMassError, which names the pattern, where one is impossible, and DomainError for a code
        that is no level.
        """
        rows = self.index(codes)
        for row in np.flatnonzero(~self.possible[rows])[:1]:
            pairs = zip(self.shown, codes[row].tolist(), strict=True)
            raise ZeroMassError(", ".join(f.described(code) for f, code in pairs), remedy=_REMEDY)
        return Posteriors(self.atoms, self.numerators[rows], self.totals[rows])

    def row(self, i: int) -> Distribution:
        """The posterior of pattern i. Raises ZeroMassError, which names it, where it is impossible."""
        codes = np.array(np.unravel_index(i, self.sizes) if self.shown else (), dtype=np.int64)
        return self.posteriors(codes.reshape(1, -1)).row(0)


def joint(network: Network, shown: Sequence[str], given: Mapping[str, int] | None = None) -> Joint:
    """The joint law of the pattern of the factors `shown` and of the outcome, given codes of other factors.

    Raises NetworkError for unknown names or a name that stands twice, DomainError for codes that are not
    levels, ZeroMassError, which names the evidence, where that has probability zero, and TooLargeError before
    a table of more than 10**8 entries is made.

    >>> from worldgen.exact.networks import Outcome
    >>> rain = Factor("rain", ("no", "yes"), (), [7, 3], 10)
    >>> wet = Factor("wet", ("no", "yes"), ("rain",), [[90, 10], [0, 100]], 100)
    >>> rule = Outcome(Atoms(("dry", "rainy")), ("rain",), lambda codes: codes["rain"])
    >>> joint(Network((rain, wet), rule), [], {"wet": 1}).prior.masses
    (Fraction(7, 37), Fraction(30, 37))
    """
    evidence = dict(given or {})
    atoms, sizes = network.outcome.atoms, _checked(network, shown, evidence)
    # A factor of one level is known: it needs no axis, and arrays have at most 64.
    alone = {factor.name: 0 for factor in network.factors if factor.size == 1 and factor.name not in shown}
    known = {**alone, **evidence}
    needed = network.ancestors([*shown, *evidence, *network.outcome.reads])
    factors = [factor for factor in network.factors if factor.name in needed]
    tables = [_table(factor, known) for factor in factors]
    outer = tuple(table for table in tables if set(table.names) <= set(shown))
    inner = [table for table in tables if not set(table.names) <= set(shown)]
    reads = tuple(name for name in network.outcome.reads if name not in known)
    classes = network.classes[tuple(known.get(name, slice(None)) for name in network.outcome.reads)]
    found = eliminate_outcome(Diagram.of(reads, np.asarray(classes), len(atoms)), inner, shown)
    spread = np.broadcast_to(found.along([*shown, CLASS]), (*sizes, len(atoms))).reshape(-1, len(atoms))
    # A total is at most K times the largest numerator, so that many times as much must fit.
    largest = max(int(spread.max()), 1)
    numerators = Table((), spread, len(atoms) * largest).integers
    totals = numerators.sum(axis=1)
    whole = prod(factor.total for factor in factors)
    law = Joint(atoms, tuple(network.by_name[name] for name in shown), numerators, totals, outer, whole)
    if not evidence:
        return law
    whole = law._summed(totals)
    if whole == 0:
        raise ZeroMassError(network.described(evidence), remedy=_REMEDY)
    return replace(law, denominator=whole)


def bayes_error(network: Network, shown: Sequence[str]) -> Fraction:
    """How often the best guess is wrong for who sees the factors `shown`; what does not matter costs nothing.

    Raises NetworkError for unknown names, TooLargeError before a table of more than 10**8 entries is made.
    """
    return joint(network, network.relevant(shown)).bayes_error


def _checked(network: Network, shown: Sequence[str], given: Mapping[str, int]) -> tuple[int, ...]:
    """The sizes of what is shown, once everything that is asked for is there."""
    network.check_known(shown, "a view shows")
    network.check_known([*given], "the evidence is on")
    twice = [name for name in shown if list(shown).count(name) > 1 or name in given]
    if twice:
        raise NetworkError(f"factor '{twice[0]}' is asked for twice", remedy="show it or give it, once")
    for name, code in given.items():
        if not 0 <= code < network.size(name):
            raise DomainError(
                f"factor '{name}' has no level {code}: codes run from 0 to {network.size(name) - 1}"
            )
    sizes = network.sizes(shown)
    check_size(f"the patterns of {', '.join(shown)} and the classes", [*sizes, len(network.outcome.atoms)])
    return sizes


def _table(factor: Factor, known: Mapping[str, int]) -> Table:
    """The table of a factor where some codes are known: those variables have no axis."""
    free = tuple(name for name in factor.scope if name not in known)
    return Table(
        free, np.asarray(factor.table[tuple(known.get(n, slice(None)) for n in factor.scope)]), factor.total
    )
