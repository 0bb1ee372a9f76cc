"""Definitions of events over a table of cells: what holds in a cell, and how to say it.

The phrase of a definition is a function of it that can be read back: names hold no spaces, commas or
brackets, so two definitions share a phrase only if they are the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

CATEGORY = "category"


@dataclass(frozen=True)
class Is:
    """An attribute, or the category, has one of the values."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: "Definition"


@dataclass(frozen=True)
class All:
    """Every part holds."""

    parts: tuple["Definition", ...]


@dataclass(frozen=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Definition", ...]


@dataclass(frozen=True)
class Ref:
    """Another event of the same world, by name."""

    name: str


Definition = Is | Not | All | AnyOf | Ref
Definitions = Mapping[str, Definition]


def holds(definition: Definition, cell: Mapping[str, str], others: Definitions) -> bool:
    """Whether the definition holds in a cell, given as attribute -> value with the category among them.

    >>> holds(Not(Is("b", ("True",))), {"a": "True", "b": "False", "category": "x"}, {})
    True
    """
    match definition:
        case Is(name, values):
            return cell[name] in values
        case Not(part):
            return not holds(part, cell, others)
        case All(parts):
            return all(holds(part, cell, others) for part in parts)
        case AnyOf(parts):
            return any(holds(part, cell, others) for part in parts)
        case Ref(name):
            return holds(others[name], cell, others)


def phrase(definition: Definition, others: Definitions) -> str:  # noqa: PLR0911  (one line a form)
    """The definition in words, references spelled out.

    >>> phrase(Not(Is("category", ("x", "y"))), {})
    'category is none of x, y'
    """
    match definition:
        case Is(name, (value,)):
            return f"{name} is {value}"
        case Is(name, values):
            return f"{name} is one of {', '.join(values)}"
        case Not(Ref(name)):
            return phrase(Not(others[name]), others)
        case Not(Is(name, (value,))):
            return f"{name} is not {value}"
        case Not(Is(name, values)):
            return f"{name} is none of {', '.join(values)}"
        case Not(part):
            return f"not ({phrase(part, others)})"
        case All(parts):
            return " and ".join(f"({phrase(part, others)})" for part in parts)
        case AnyOf(parts):
            return " or ".join(f"({phrase(part, others)})" for part in parts)
        case Ref(name):
            return phrase(others[name], others)


def references(definition: Definition) -> Iterator[str]:
    """The names of the events that the definition refers to, each as often as it does."""
    match definition:
        case Ref(name):
            yield name
        case Not(part):
            yield from references(part)
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from references(part)
        case Is():
            return
