"""Exact arithmetic on names, as people write it: Python's expression grammar, a few nodes of it.

Allowed are names, numbers as written (0.1 is 1/10), `+ - * /`, `abs`, `max` and `min`. Python never
executes the text: it is parsed, every node is checked against the list and turned into a function of
fractions, and anything else is refused with its column.
"""

import ast
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import add, itemgetter, mul, neg, sub
from typing import Generic, TypeVar

from worldgen.exact.errors import NumberError, WorldgenError
from worldgen.exact.numbers import read_number

T = TypeVar("T")
Term = Callable[[Mapping[str, T]], T]

LONGEST = 1000
DEEPEST = 100  # far below Python's limit on recursion, far above what people write
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
}
_FUNCTIONS = ("abs", "max", "min")
_REMEDY = "use names, numbers, + - * /, abs, max and min"


class ExpressionError(WorldgenError):
    """A text that is not an expression of the kind allowed; `column` counts its characters from 1."""

    def __init__(self, text: str, column: int, message: str, *, remedy: str = _REMEDY) -> None:
        super().__init__(f"in '{text}', column {column}: {message}", remedy=remedy)
        self.text, self.column = text, column


class UndefinedError(ExpressionError):
    """An expression without a value, for it divides by zero."""


@dataclass(frozen=True)
class Algebra(Generic[T]):
    """What an expression is computed in: fractions, or anything that has the same operations.

    `operations` are "+", "-", "*", "negative", "abs", "max" and "min"; `divided` returns None for a
    division by zero that has no value.
    """

    constant: Callable[[Fraction], T]
    operations: Mapping[str, Callable[..., T]]
    divided: Callable[[T, T], T | None]


FRACTIONS = Algebra[Fraction](
    lambda value: value,
    {"+": add, "-": sub, "*": mul, "negative": neg, "abs": abs, "max": max, "min": min},
    lambda top, bottom: top / bottom if bottom else None,
)


@dataclass(frozen=True)
class Expression:
    """An arithmetic expression over named fractions.

    Raises ExpressionError when built from a text that holds anything else, is longer than 1,000
    characters, runs over a line, or is nested more than 100 deep.

    >>> rule = Expression("abs(x + y - 0.1)")
    >>> sorted(rule.names), rule({"x": Fraction(1, 2), "y": Fraction(1, 3)})
    (['x', 'y'], Fraction(11, 15))
    """

    text: str

    def __post_init__(self) -> None:
        _ = self._term

    def __reduce__(self) -> tuple[type["Expression"], tuple[str]]:
        """Only the text travels to other processes: the function made of it cannot."""
        return Expression, (self.text,)

    @cached_property
    def _tree(self) -> ast.expr:
        return parse(self.text)

    @cached_property
    def _term(self) -> Term[Fraction]:
        return term(self.text, self._tree, FRACTIONS)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names that must be given a value."""
        return names_of(self._tree)

    @cached_property
    def divisors(self) -> frozenset[str]:
        """The names that stand below a line of division; where there are none, the value is defined."""
        divisions = (node for node in ast.walk(self._tree) if isinstance(node, ast.BinOp))
        below = (node.right for node in divisions if isinstance(node.op, ast.Div))
        return frozenset[str]().union(*map(names_of, below))

    def __call__(self, values: Mapping[str, Fraction]) -> Fraction:
        """The value. Raises UndefinedError for a division by zero, KeyError for a missing name."""
        return self._term(values)


def parse(text: str, remedy: str = _REMEDY) -> ast.expr:
    """The syntax tree of a text. Raises ExpressionError for a text that is not one expression; `remedy` says
    what one looks like.
    """
    if len(text) > LONGEST:
        raise ExpressionError(text[:20] + "...", 1, f"it is longer than {LONGEST} characters")
    if len(text.splitlines()) > 1:
        raise ExpressionError(text.splitlines()[0], 1, "it runs over a line", remedy="write it in one line")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python warns of is refused below
            tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        column = min(max(getattr(error, "offset", 1) or 1, 1), len(text) + 1)
        raise ExpressionError(text, column, "this is not an expression", remedy=remedy) from error
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST + 1):  # the last level holds what Python notes of a name
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise ExpressionError(text, 1, f"it is nested more than {DEEPEST} deep", remedy="write it shorter")
    return tree


def names_of(tree: ast.expr) -> frozenset[str]:
    """The names in a tree that are not those of functions."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node not in called)
    return frozenset(node.id for node in found)


def term(text: str, tree: ast.expr, algebra: Algebra[T]) -> Term[T]:
    """A tree as a function of its names. Raises ExpressionError at the first node that is not allowed."""
    found: Term[T]
    match tree:
        case ast.Name(name):
            found = itemgetter(name)
        case ast.Constant():
            value = algebra.constant(_number(text, tree))
            found = lambda _: value  # noqa: E731  (a term like the others)
        case ast.BinOp(left, ast.Div(), right):
            found = _quotient(text, tree, term(text, left, algebra), term(text, right, algebra), algebra)
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            operation = algebra.operations[_OPERATORS[type(operator)]]
            found = _applied(operation, [term(text, left, algebra), term(text, right, algebra)])
        case ast.UnaryOp(ast.UAdd(), operand):
            found = term(text, operand, algebra)
        case ast.UnaryOp(ast.USub(), operand):
            found = _applied(algebra.operations["negative"], [term(text, operand, algebra)])
        case ast.Call(ast.Name(name), [_, *_] as arguments, []) if name in _FUNCTIONS:
            if (name == "abs") != (len(arguments) == 1):
                wanted = "one value" if name == "abs" else "two values or more"
                raise ExpressionError(text, column_of(text, tree), f"{name} takes {wanted}")
            found = _applied(algebra.operations[name], [term(text, one, algebra) for one in arguments])
        case _:
            shown = ast.get_source_segment(text, tree) or "it"
            raise ExpressionError(text, column_of(text, tree), f"'{shown}' is not allowed here")
    return found


def _applied(function: Callable[..., T], terms: Sequence[Term[T]]) -> Term[T]:
    return lambda values: function(*[term(values) for term in terms])


def column_of(text: str, node: ast.expr) -> int:
    """The column of a node, in characters from 1: Python counts it in bytes of UTF-8 from 0."""
    return len(text.encode()[: node.col_offset].decode()) + 1


def _number(text: str, node: ast.Constant) -> Fraction:
    """The number at a node, read from its own characters."""
    written = ast.get_source_segment(text, node) or ""
    try:
        return read_number(written)
    except NumberError as error:
        raise ExpressionError(text, column_of(text, node), error.message, remedy=error.remedy) from error


def _quotient(text: str, node: ast.expr, top: Term[T], bottom: Term[T], algebra: Algebra[T]) -> Term[T]:
    """Division that says where it fails."""

    def divided(values: Mapping[str, T]) -> T:
        divisor = bottom(values)
        found = algebra.divided(top(values), divisor)
        if found is None:
            column = column_of(text, node)
            raise UndefinedError(text, column, "it divides by zero", remedy="leave the case out")
        return found

    return divided
