"""What can be wrong with a template or a plan."""

from collections.abc import Mapping
from dataclasses import dataclass

from worldgen.exact.domains import Code
from worldgen.exact.errors import WorldgenError


class TemplateError(WorldgenError):
    """A template that cannot be compiled: where (`template`, `line`), what is wrong, what to do."""

    def __init__(self, template: str, line: int, message: str, *, remedy: str) -> None:
        super().__init__(f"{template}, line {line}: {message}", remedy=remedy)
        self.template = template
        self.line = line


@dataclass(frozen=True)
class Collision:
    """Two different inputs and the one payload that both render to."""

    first: Mapping[str, Code]
    second: Mapping[str, Code]
    text: str


class PlanError(WorldgenError):
    """A plan that is not provably a codec.

    `leaf` is the path of the leaf in the payload and `column` the item at fault, both empty where the
    fault is not at one place; `collision` is a witness where one was found.
    """

    def __init__(
        self,
        message: str,
        *,
        leaf: str = "",
        column: str = "",
        collision: Collision | None = None,
        remedy: str,
    ) -> None:
        where = f"{leaf}, {column}: " if column else f"{leaf}: " if leaf else ""
        super().__init__(where + message, remedy=remedy)
        self.leaf = leaf
        self.column = column
        self.collision = collision


class WireError(WorldgenError):
    """A question that the wire cannot carry."""
