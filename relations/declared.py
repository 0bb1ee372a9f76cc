"""The ten declared relations: which claims, which residual, which tolerance."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.relations import residuals
from worldgen.relations.aligned import Aligned

Residual = Callable[[Sequence[Aligned]], Fraction]

TOLERANCE = Fraction(1, 20)
REPEAT_TOLERANCE = Fraction(1, 50)


@dataclass(frozen=True)
class Relation:
    """One demand of probability on the answers to several requests of a root.

    `claims` are the names of the variants compared, in the order in which `residual` takes them;
    `condition` is the demand as one line of text and `formula` the residual, where p is what the first claim
    reports and p' what the second does; of three claims, each reports the event that it asks about. A
    residual passes when it is at most `tolerance`. A primary relation counts in the joint criterion; the
    others are diagnostics.

    >>> complement = RELATIONS[0]
    >>> complement.claims, complement.passes(Fraction(1, 20))
    (('event', 'complement'), True)
    """

    name: str
    claims: tuple[str, ...]
    residual: Residual
    tolerance: Fraction
    primary: bool
    condition: str
    formula: str

    def passes(self, residual: Fraction) -> bool:
        """Whether a residual is within the tolerance, the bound itself included."""
        return residual <= self.tolerance


RELATIONS: tuple[Relation, ...] = (
    Relation(
        "complement",
        ("event", "complement"),
        residuals.complement,
        TOLERANCE,
        True,
        "p(A) + p(not A) = 1",
        "|p(A) + p'(not A) - 1|",
    ),
    Relation(
        "coarsening",
        ("event", "canonical"),
        residuals.same_event,
        TOLERANCE,
        True,
        "p(A) = sum of p(w) over the options w in A",
        "|p(A) - sum of p'(w) over w in A|",
    ),
    Relation(
        "event-choice",
        ("event", "binary-choice"),
        residuals.same_event,
        TOLERANCE,
        True,
        "p(A) asked as an event = p(A) asked as a choice",
        "|p(A) - p'(A)|",
    ),
    Relation(
        "intersection",
        ("event", "query-b", "intersection"),
        residuals.frechet,
        TOLERANCE,
        False,
        "max(0, p(A) + p(B) - 1) <= p(A and B) <= min(p(A), p(B))",
        "distance of p(A and B) from [max(0, p(A) + p(B) - 1), min(p(A), p(B))]",
    ),
    Relation(
        "product",
        ("intersection", "query-b", "conditional"),
        residuals.product,
        TOLERANCE,
        True,
        "p(A and B) = p(B) p(A | B)",
        "|p(A and B) - p(B) p(A | B)|",
    ),
    Relation(
        "permutation",
        ("canonical", "permutation"),
        residuals.total_variation,
        TOLERANCE,
        True,
        "p(w) is the same for every order of the options",
        "sum of |p(w) - p'(w)| / 2",
    ),
    Relation(
        "rendering",
        ("canonical", "rendering"),
        residuals.total_variation,
        TOLERANCE,
        True,
        "p(w) is the same for every layout of one encoding",
        "sum of |p(w) - p'(w)| / 2",
    ),
    Relation(
        "opaque-keys",
        ("canonical", "opaque-keys"),
        residuals.total_variation,
        TOLERANCE,
        True,
        "p(w) is the same for every naming of the options",
        "sum of |p(w) - p'(w)| / 2",
    ),
    Relation(
        "metadata",
        ("canonical", "metadata"),
        residuals.total_variation,
        TOLERANCE,
        True,
        "p(w) is the same beside unrelated data",
        "sum of |p(w) - p'(w)| / 2",
    ),
    Relation(
        "exact-repeat",
        ("event", "exact-repeat"),
        residuals.same_event,
        REPEAT_TOLERANCE,
        True,
        "p(A) = p(A) when the very same request is asked again",
        "|p(A) - p'(A)|",
    ),
)
"""Every relation of the contracts, declared once each; all but the intersection bounds are primary."""


def relations_among(
    variants: Collection[str], relations: Sequence[Relation] = RELATIONS
) -> tuple[Relation, ...]:
    """The relations whose claims all stand among these variants, in their declared order.

    >>> [relation.name for relation in relations_among({"canonical", "event", "complement"})]
    ['complement', 'coarsening']
    """
    return tuple(relation for relation in relations if set(relation.claims) <= set(variants))


def eligibility(relation: Relation, eligible_by_variant: Mapping[str, bool]) -> tuple[bool, str | None]:
    """Whether a relation can be judged on a root, and if not, why.

    It can when the request of every claim is eligible there. A variant that the mapping lacks is not
    asked, hence not eligible.

    >>> product = next(relation for relation in RELATIONS if relation.name == "product")
    >>> eligibility(product, {"intersection": True, "query-b": True, "conditional": False})
    (False, 'conditional is not eligible')
    """
    faults = [
        f"{claim} is not {'eligible' if claim in eligible_by_variant else 'asked'}"
        for claim in relation.claims
        if not eligible_by_variant.get(claim, False)
    ]
    return (False, "; ".join(faults)) if faults else (True, None)
