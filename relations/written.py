"""Relations written as data: a residual as an expression over claims, so that a spec can hold it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from worldgen.exact.errors import WorldgenError
from worldgen.exact.expressions import Expression, UndefinedError
from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import TOLERANCE, Relation
from worldgen.relations.residuals import asked


class RelationError(WorldgenError):
    """A written relation whose parts do not fit each other."""


@dataclass(frozen=True)
class Written:
    """A relation over reported probabilities of events.

    `claims` gives a symbol to each variant that is compared, in order; the symbol stands for the
    probability that the report on that variant gives to the event asked about. The residual is the
    absolute value of `residual`, an Expression over the symbols. It must be defined for every report, so
    it divides by constants only. Raises RelationError for one that does not, that leaves a symbol out or
    names another, for fewer than two claims or two on one variant, and for a negative tolerance.

    >>> doubled = Written("complement", (("x", "event"), ("y", "complement")), Expression("x + y - 1"))
    >>> claim = Aligned(({0}, {1}), {0, 1}, (Fraction(3, 4), Fraction(1, 4)))
    >>> doubled.relation.residual([claim, claim])
    Fraction(1, 2)
    """

    name: str
    claims: tuple[tuple[str, str], ...]
    residual: Expression
    tolerance: Fraction = TOLERANCE
    primary: bool = False

    def __post_init__(self) -> None:
        symbols = [symbol for symbol, _ in self.claims]
        variants = {variant for _, variant in self.claims}
        if len(variants) < 2 or len(variants) != len(self.claims):
            message = f"'{self.name}' has fewer than two claims, or two claims on one variant"
            raise RelationError(message, remedy="compare two variants or more, with one claim each")
        if len(set(symbols)) != len(symbols) or set(symbols) != self.residual.names:
            raise RelationError(
                f"the residual of '{self.name}' names {_listed(sorted(self.residual.names))}, its claims are "
                f"{_listed(symbols)}",
                remedy="give every symbol one claim, and use every claim",
            )
        if self.residual.divisors:
            raise RelationError(
                f"the residual of '{self.name}' divides by {_listed(sorted(self.residual.divisors))}, "
                "which a report may put at 0",
                remedy="multiply instead: x - y * z says the same as x / y - z",
            )
        try:
            self.residual(dict.fromkeys(symbols, Fraction(0)))
        except UndefinedError as error:
            raise RelationError(error.message, remedy="divide by a number that is not 0") from error
        if self.tolerance < 0:
            raise RelationError(f"the tolerance of '{self.name}' is negative", remedy="write 0 or more")

    @cached_property
    def relation(self) -> Relation:
        """The relation, as scoring takes it."""
        variants = tuple(variant for _, variant in self.claims)
        condition = f"{self.residual.text} = 0"
        named = ", ".join(f"{symbol} = p({variant})" for symbol, variant in self.claims)
        formula = f"|{self.residual.text}| for {named}"
        return Relation(self.name, variants, self._measure, self.tolerance, self.primary, condition, formula)

    def _measure(self, claims: Sequence[Aligned]) -> Fraction:
        symbols = (symbol for symbol, _ in self.claims)
        values: Mapping[str, Fraction] = {
            symbol: claim.mass(asked(claim)) for symbol, claim in zip(symbols, claims, strict=True)
        }
        return abs(self.residual(values))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
