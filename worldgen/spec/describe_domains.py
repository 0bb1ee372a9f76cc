"""Domains in descriptions: their values as specs write them."""

from worldgen.exact.domains import Domain, Grid, Identifiers, Numbers, Phrases
from worldgen.exact.numbers import write_number


def domain_text(domain: Domain) -> str:
    """The values of a domain, as specs write them.

    >>> from fractions import Fraction
    >>> domain_text(Grid.between(Fraction(1), Fraction(99), Fraction(1), "integer"))
    '1..99'
    """
    match domain:
        case Grid(_, step, size, notation):
            ends = f"{domain.text(0)}..{domain.text(size - 1)}"
            return ends if step == 1 else f"{ends} by {write_number(step, notation, domain.places)}"
        case Numbers() if domain.size == 1:
            return domain.text(0)
        case Numbers() | Phrases():
            return "[" + ", ".join(domain.text(code) for code in range(domain.size)) + "]"
        case Identifiers(alphabet, shortest, longest):
            length = str(shortest) if shortest == longest else f"{shortest}..{longest}"
            return f"{length} characters of {alphabet}"
        case _:
            return "any text"
