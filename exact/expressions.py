"""Exact arithmetic on names, as people write it: Python's expression grammar, a few nodes of it.

Allowed are names, numbers as written (0.1 is 1/10), `+ - * /`, `abs`, `max` and `min`. Nothing is ever
executed: the text is parsed, checked against the list, and evaluated in fractions.
"""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from worldgen.exact.errors import NumberError, WorldgenError
from worldgen.exact.numbers import read_number

LONGEST = 1000
_BINARY: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
}
_FUNCTIONS: Mapping[str, Callable[..., Fraction]] = {"abs": abs, "max": max, "min": min}
_REMEDY = "use names, numbers, + - * /, abs, max and min"


class ExpressionError(WorldgenError):
    """A text that is not an expression of the kind allowed; `column` counts from 1."""

    def __init__(self, text: str, column: int, message: str, *, remedy: str = _REMEDY) -> None:
        super().__init__(f"in '{text}', column {column}: {message}", remedy=remedy)
        self.column = column


def parse(text: str) -> ast.expr:
    """The syntax tree of a text. Raises ExpressionError for a text that is not one expression."""
    if len(text) > LONGEST:
        raise ExpressionError(text[:20] + "...", 1, f"it is longer than {LONGEST} characters")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = getattr(error, "offset", 1) or 1
        raise ExpressionError(text, column, "this is not an expression") from error


@dataclass(frozen=True)
class Expression:
    """An arithmetic expression over named fractions.

    Raises ExpressionError when built from a text that holds anything else.

    >>> rule = Expression("abs(x + y - 0.1)")
    >>> sorted(rule.names), rule({"x": Fraction(1, 2), "y": Fraction(1, 3)})
    (['x', 'y'], Fraction(11, 15))
    """

    text: str

    def __post_init__(self) -> None:
        check(self.text, self.tree)

    @cached_property
    def tree(self) -> ast.expr:
        """The syntax tree."""
        return parse(self.text)

    @property
    def names(self) -> frozenset[str]:
        """The names that must be given a value."""
        return names_of(self.tree)

    def __call__(self, values: Mapping[str, Fraction]) -> Fraction:
        """The value. Raises ExpressionError for a division by zero, KeyError for a missing name."""
        return evaluate(self.text, self.tree, values)


def names_of(tree: ast.expr) -> frozenset[str]:
    """The names in a tree that are not those of functions."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called)
    return frozenset(node.id for node in found)


def check(text: str, tree: ast.expr) -> None:
    """Raise ExpressionError at the first node of a tree that is not allowed."""
    match tree:
        case ast.Name():
            return
        case ast.Constant():
            number(text, tree)
        case ast.BinOp(left, operator, right) if type(operator) in _BINARY:
            check(text, left)
            check(text, right)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            check(text, operand)
        case ast.Call(ast.Name(name), [_, *_] as arguments, []) if name in _FUNCTIONS:
            if (name == "abs") != (len(arguments) == 1):
                raise ExpressionError(text, tree.col_offset + 1, f"{name} takes another number of values")
            for argument in arguments:
                check(text, argument)
        case _:
            shown = ast.get_source_segment(text, tree) or "it"
            raise ExpressionError(text, tree.col_offset + 1, f"'{shown}' is not allowed here")


def number(text: str, tree: ast.Constant) -> Fraction:
    """The number at a node, read from its own characters. Raises ExpressionError if it is none."""
    written = ast.get_source_segment(text, tree) or ""
    try:
        return read_number(written)
    except NumberError as error:
        raise ExpressionError(text, tree.col_offset + 1, error.message, remedy=error.remedy) from error


def evaluate(text: str, tree: ast.expr, values: Mapping[str, Fraction]) -> Fraction:
    """The value of a checked tree."""
    match tree:
        case ast.Name(name):
            return values[name]
        case ast.Constant():
            return number(text, tree)
        case ast.BinOp(left, operator, right):
            x, y = evaluate(text, left, values), evaluate(text, right, values)
            if isinstance(operator, ast.Div) and y == 0:
                raise ExpressionError(
                    text, tree.col_offset + 1, "it divides by zero", remedy="exclude the case"
                )
            return _BINARY[type(operator)](x, y)
        case ast.UnaryOp(operator, operand):
            value = evaluate(text, operand, values)
            return -value if isinstance(operator, ast.USub) else value
        case ast.Call(ast.Name(name), arguments):
            return _FUNCTIONS[name](*(evaluate(text, argument, values) for argument in arguments))
        case _:
            raise ExpressionError(text, tree.col_offset + 1, "this is not allowed here")
