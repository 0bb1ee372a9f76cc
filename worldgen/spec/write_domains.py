"""Domains and encodings written out as plain data that specs read back."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from worldgen.exact.domains import Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import Notation, write_number
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import Encoding


def range_data(grid: Grid) -> str:
    """A grid as specs write it.

    >>> range_data(Grid(Fraction(1), Fraction(1, 2), 5, "decimal"))
    '1.0..3.0 by 0.5'
    """
    low, high, step = numbers_data((grid.low, grid.high, grid.step), grid.notation)
    return f"{low}..{high}" if step == "1" else f"{low}..{high} by {step}"


def numbers_data(values: Sequence[Fraction], notation: Notation) -> list[str]:
    """Texts that are read back as these values and, together, in this notation."""
    if notation == "rational":
        plain = any(value.denominator != 1 for value in values)
        return [str(value) if plain else f"{value.numerator}/1" for value in values]
    if notation == "integer":
        return [str(value) for value in values]
    places = max(1, Numbers(tuple(dict.fromkeys(values)), notation).places)
    return [write_number(value, notation, places) for value in values]


def variable_data(variable: Variable) -> Any:
    """The values of a variable as plain data. Raises DomainError for any text, which has no such form.

    >>> variable_data(Variable("ticket", Identifiers("01", 2, 4)))
    {'alphabet': '01', 'length': '2..4'}
    """
    match variable.domain:
        case Phrases(values):
            return list(values)
        case Grid() as grid:
            return range_data(grid)
        case Numbers(values, notation):
            return {"numbers": numbers_data(values, notation)}
        case Identifiers(alphabet, shortest, longest):
            return {"alphabet": alphabet, "length": _length(shortest, longest)}
        case Texts():
            raise DomainError(f"'{variable.name}' may be any text, which has no written form")


def _length(shortest: int, longest: int) -> str:
    return str(shortest) if shortest == longest else f"{shortest}..{longest}"


def encoding_data(encoding: Encoding) -> list[dict[str, Any]]:
    """An encoding as plain data, its templates inline."""
    return [{layout.name: {"text": layout.source}} for layout in encoding.layouts]
