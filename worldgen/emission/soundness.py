"""Relations that a spec writes out must hold of the truth, or no answer could satisfy them."""

from collections.abc import Sequence
from fractions import Fraction

from worldgen.cohort.asking import AnyAsking, Asking
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import Roots
from worldgen.relations.written import RelationError, Written


def check_written(cohort: Cohort, askings: Sequence[AnyAsking], roots: Roots) -> None:
    """Raise RelationError for a written relation whose residual is not 0 on the exact answers of a root.

    Roots on which some claim has no answer are passed over. The declared relations are held to this by
    their laws, once and for all.
    """
    by_name = {asking.variant.name: asking for asking in askings if isinstance(asking, Asking)}
    for written in cohort.relations:
        if not isinstance(written, Written):
            continue
        symbols = [symbol for symbol, _ in written.claims]
        columns = [_exact(by_name[variant], roots) for _, variant in written.claims]
        for index, masses in zip(roots.indices.tolist(), zip(*columns, strict=True), strict=True):
            known = {s: mass for s, mass in zip(symbols, masses, strict=True) if mass is not None}
            if len(known) == len(symbols) and (residual := written.residual(known)) != 0:
                said = ", ".join(f"{symbol} = {mass}" for symbol, mass in known.items())
                place = f"at root {index} of stratum '{roots.stratum.name}'"
                raise RelationError(
                    f"the relation '{written.name}' does not hold of the truth: {place}, {said}, and "
                    f"{written.residual.text} is {residual}",
                    remedy="write a residual that is 0 on exact probabilities",
                )


def _exact(asking: Asking, roots: Roots) -> list[Fraction | None]:
    """The exact probability of the event that a variant asks about, root by root."""
    question = asking.question
    tops = roots.posteriors.weight(question.options[0].event & question.given).tolist()
    bottoms = roots.posteriors.weight(question.given).tolist()
    pairs = zip(tops, bottoms, strict=True)
    return [Fraction(top, bottom) if bottom else None for top, bottom in pairs]
