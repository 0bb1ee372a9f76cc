"""Outcome rules: which class comes true in a state of the factors, written as people write it.

A rule is Python's expression grammar, a few nodes of it, over factors with named levels:

| written                        | is                                                              |
| ------------------------------ | --------------------------------------------------------------- |
| `default`                      | an outcome class, by name                                       |
| `X if TRUTH else Y`            | one of two rules, or one of two numbers                         |
| `cycle == steady`, `!=`        | the level of a factor                                           |
| `cycle in (steady, expansion)` | one of several levels; `not in` none of them                    |
| `cash + buffer < service`      | numbers compared: `< <= > >= == !=`, chained if wanted          |
| `and`, `or`, `not`             | of truths                                                       |
| `0.25`, `+ - *`, `abs max min` | exact numbers; `/` by a constant                                |
| `cash`                         | the amount of a factor, or a term                               |
| `share[cycle]`                 | a table by the level of a factor, or of several: `t[cycle, s]`  |

Levels whose names are no identifiers stand in quotation marks. Every part has two meanings that share
only the tree: one made to be fast, and one that confirms it (`meanings`).
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne

from worldgen.exact.errors import NumberError
from worldgen.exact.expressions import ExpressionError, column_of, parse
from worldgen.exact.meanings import (
    Batch,
    Choice,
    Codes,
    Number,
    Order,
    Truth,
    absolute,
    alternative,
    always,
    constant,
    either,
    entry,
    extreme,
    joined,
    member,
    opposite,
    ordered,
    product,
    shared,
    total,
)
from worldgen.exact.numbers import read_number

_ORDERS: Mapping[type[ast.cmpop], Order] = {
    ast.Lt: lt,
    ast.LtE: le,
    ast.Gt: gt,
    ast.GtE: ge,
    ast.Eq: eq,
    ast.NotEq: ne,
}
_LISTED = "what docs/worlds-with-views.md lists under Rules"
_REMEDY = f"use {_LISTED}"


@dataclass(frozen=True)
class Amounts:
    """A number for every combination of levels: `of` names the factors, `numbers` stand in C order.

    >>> share = Amounts(("cycle",), (Fraction(1), Fraction(3, 4), Fraction(2, 5)))
    >>> share.numbers[2]
    Fraction(2, 5)
    """

    of: tuple[str, ...]
    numbers: tuple[Fraction, ...]


@dataclass(frozen=True)
class Scope:
    """What a rule may name: levels of each factor, amounts of some, tables, terms, and outcome classes.

    `amounts` maps a factor to its number, by its own level and perhaps those of others. A term is an
    expression of numbers that may name other terms.
    """

    levels: Mapping[str, tuple[str, ...]]
    amounts: Mapping[str, Amounts]
    tables: Mapping[str, Amounts]
    terms: Mapping[str, str]
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """An outcome rule in its scope. Raises ExpressionError when built from anything else.

    >>> import numpy as np
    >>> scope = Scope({"cash": ("low", "high")}, {"cash": Amounts(("cash",), (Fraction(1), Fraction(3)))},
    ...     {}, {}, ("fine", "default"))
    >>> rule = Rule("default if cash / 2 < 1.5 else fine", scope)
    >>> rule.outcomes({"cash": np.arange(2)}).tolist(), rule.slow_outcomes({"cash": np.arange(2)}).tolist()
    ([1, 0], [1, 0])
    """

    text: str
    scope: Scope

    def __post_init__(self) -> None:
        _ = self._compiled

    def __reduce__(self) -> tuple[type["Rule"], tuple[str, Scope]]:
        """Only the text travels to other processes: the functions made of it cannot."""
        return Rule, (self.text, self.scope)

    @cached_property
    def _compiled(self) -> "tuple[Choice, frozenset[str]]":
        compiler = Compiler(self.scope)
        return compiler.choice(self.text), frozenset(compiler.used)

    @property
    def factors(self) -> frozenset[str]:
        """The factors that the outcome may depend on."""
        return self._compiled[1]

    def outcomes(self, codes: Mapping[str, Codes]) -> Codes:
        """The class of many states: codes of levels in arrays that broadcast together."""
        return self._compiled[0].batch(Batch(codes))

    def slow_outcomes(self, codes: Mapping[str, Codes]) -> Codes:
        """The same by the meaning in Python integers, of which no operation is one of `outcomes`."""
        return self._compiled[0].slow(Batch(codes))


@dataclass
class Compiler:
    """Turns texts into parts within a scope. `used` collects the factors that were looked at."""

    scope: Scope
    used: set[str] = field(default_factory=set)
    _terms: dict[str, Number] = field(default_factory=dict)
    _reads: dict[str, list[str]] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)

    def choice(self, text: str) -> Choice:
        """A rule. Raises ExpressionError."""
        names = self.scope.outcomes
        remedy = f"write {names[-1]} if ... else {names[0]}, of {_LISTED}"
        return _Text(self, text).choice(parse(text, remedy))

    def number(self, text: str) -> Number:
        """An expression of numbers. Raises ExpressionError."""
        return _Text(self, text).number(parse(text, _REMEDY))

    def term(self, name: str) -> Number:
        """A term, compiled once and then shared. Raises ExpressionError, for a circle of terms as well."""
        if name in self._open:
            text, circle = self.scope.terms[name], [*self._open[self._open.index(name) :], name]
            message = f"the term leads back to itself: {' -> '.join(circle)}"
            raise ExpressionError(text, 1, message, remedy="break the circle")
        if name not in self._terms:
            self._open.append(name)
            above, self.used = self.used, set()
            try:
                number = self.number(self.scope.terms[name])
                self._reads[name] = sorted(self.used)
                self._terms[name] = shared(name, number)
            finally:
                self.used |= above
                self._open.pop()
        self.used |= {*self._reads[name]}
        return self._terms[name]


@dataclass(frozen=True)
class _Text:
    """One text on its way to parts."""

    compiler: Compiler
    text: str

    def refuse(self, node: ast.AST, message: str, remedy: str = _REMEDY) -> ExpressionError:
        column = column_of(self.text, node) if isinstance(node, ast.expr) else 1
        return ExpressionError(self.text, column, message, remedy=remedy)

    def shown(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or "it"

    def choice(self, node: ast.expr) -> Choice:
        names = self.compiler.scope.outcomes
        match node:
            case ast.IfExp(test, body, orelse):
                holds, then, other = self.truth(test), self.choice(body), self.choice(orelse)
                return alternative(holds, then, other)
            case ast.Name() | ast.Constant(str()):
                name = _named(node)
                if name not in names:
                    raise self.refuse(node, f"there is no outcome '{name}'", _close(name, names))
                return always(names.index(name))
        remedy = f"write {names[-1]} if ... else {names[0]}"
        raise self.refuse(node, f"'{self.shown(node)}' is no outcome", remedy)

    def truth(self, node: ast.expr) -> Truth:
        match node:
            case ast.BoolOp(operator, values):
                parts = [self.truth(value) for value in values]
                return joined(parts, isinstance(operator, ast.And))
            case ast.UnaryOp(ast.Not(), operand):
                return opposite(self.truth(operand))
            case ast.Compare(left, operators, others):
                sides = [left, *others]
                pairs = zip(sides, operators, others, strict=False)
                return joined([self.compared(*pair) for pair in pairs], True)
        remedy = "compare two numbers, or a factor with a level, like cycle == steady"
        raise self.refuse(node, f"'{self.shown(node)}' is neither true nor false", remedy)

    def compared(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Truth:
        if isinstance(operator, ast.In | ast.NotIn):
            if not isinstance(right, ast.Tuple | ast.List) or not right.elts:
                raise self.refuse(right, "'in' takes levels in brackets", "write cycle in (steady, growth)")
            factor = self.factor(left)
            codes = [self.level(factor, element) for element in right.elts]
            return self.among(factor, codes, isinstance(operator, ast.In))
        if type(operator) not in _ORDERS:
            raise self.refuse(left, "only < <= > >= == != and in compare", "write == instead of is")
        if isinstance(operator, ast.Eq | ast.NotEq):
            for one, other in ((left, right), (right, left)):
                if not isinstance(one, ast.Name) or one.id not in self.compiler.scope.levels:
                    continue
                if self.names(other):
                    code = self.level(one.id, other)
                    return self.among(one.id, [code], isinstance(operator, ast.Eq))
                if isinstance(other, ast.Name) and other.id in self.compiler.scope.levels[one.id]:
                    message = f"'{other.id}' is a level of {one.id}, and a number goes by that name too"
                    remedy = (
                        f"write '{other.id}' in quotation marks for the level, +{other.id} for the number"
                    )
                    raise self.refuse(other, message, remedy)
        return ordered(_ORDERS[type(operator)], self.number(left), self.number(right))

    def names(self, node: ast.expr) -> bool:
        """Whether a node can only stand for a level: a name that no number has, or a text."""
        scope = self.compiler.scope
        numbers = (scope.levels, scope.tables, scope.terms)
        if isinstance(node, ast.Name):
            return not any(node.id in known for known in numbers)
        return isinstance(node, ast.Constant) and isinstance(node.value, str)

    def factor(self, node: ast.expr) -> str:
        """The factor that a node names."""
        levels = self.compiler.scope.levels
        if isinstance(node, ast.Name) and node.id in levels:
            return node.id
        raise self.refuse(node, f"'{self.shown(node)}' is no factor", _close(self.shown(node), levels))

    def level(self, factor: str, node: ast.expr) -> int:
        """The code of a level that a node names."""
        levels, name = self.compiler.scope.levels[factor], _named(node)
        if name not in levels:
            message = f"{factor} has no level '{name if name is not None else self.shown(node)}'"
            raise self.refuse(node, message, _close(name or "", levels))
        return levels.index(name)

    def among(self, factor: str, codes: Sequence[int], inside: bool) -> Truth:
        self.compiler.used.add(factor)
        chosen = [(code in codes) == inside for code in range(len(self.compiler.scope.levels[factor]))]
        return member(factor, chosen)

    def number(self, node: ast.expr) -> Number:
        match node:
            case ast.Constant():
                return constant(self.written(node))
            case ast.Name(name):
                return self.named(node, name)
            case ast.Subscript(ast.Name(name), place):
                return self.entry(node, name, place)
            case ast.IfExp(test, body, orelse):
                return either(self.truth(test), self.number(body), self.number(orelse))
            case ast.BinOp() | ast.UnaryOp() | ast.Call():
                return self.computed(node)
        raise self.refuse(node, f"'{self.shown(node)}' is not allowed where a number stands")

    def computed(self, node: ast.BinOp | ast.UnaryOp | ast.Call) -> Number:
        match node:
            case ast.BinOp(left, ast.Div(), right):
                return product(self.number(left), constant(1 / self.divisor(node, right)))
            case ast.BinOp(left, ast.Mult(), right):
                return product(self.number(left), self.number(right))
            case ast.BinOp(left, ast.Add() | ast.Sub() as sign, right):
                return total(self.number(left), self.number(right), 1 if isinstance(sign, ast.Add) else -1)
            case ast.UnaryOp(ast.USub() | ast.UAdd() as sign, operand):
                one = Fraction(1 if isinstance(sign, ast.UAdd) else -1)
                return product(constant(one), self.number(operand))
            case ast.Call(ast.Name("abs"), [argument], []):
                return absolute(self.number(argument))
            case ast.Call(ast.Name("max" | "min" as name), [_, _, *_] as arguments, []):
                return extreme(name == "max", [self.number(argument) for argument in arguments])
        raise self.refuse(node, f"'{self.shown(node)}' is not allowed where a number stands")

    def divisor(self, node: ast.expr, right: ast.expr) -> Fraction:
        """The constant that a number is divided by."""
        value = self.number(right).constant
        if not value:
            what = "zero" if value == 0 else f"'{self.shown(right)}', which is no constant"
            raise self.refuse(node, f"it divides by {what}", "divide by a number that is not 0")
        return value

    def written(self, node: ast.Constant) -> Fraction:
        text = self.shown(node)
        try:
            return read_number(text)
        except NumberError as error:
            raise self.refuse(node, error.message, error.remedy) from error

    def named(self, node: ast.Name, name: str) -> Number:
        scope = self.compiler.scope
        if name in scope.terms:
            return self.compiler.term(name)
        if name in scope.amounts:
            return self.looked_up(scope.amounts[name])
        if name in scope.levels:
            remedy = "give it amounts, or compare it with a level"
            raise self.refuse(node, f"the levels of {name} have no amounts", remedy)
        if name in scope.tables:
            of = ", ".join(scope.tables[name].of)
            raise self.refuse(node, f"'{name}' is a table", f"write {name}[{of}]")
        known = [*scope.levels, *scope.tables, *scope.terms]
        raise self.refuse(node, f"there is no factor, table or term '{name}'", _close(name, known))

    def entry(self, node: ast.Subscript, name: str, place: ast.expr) -> Number:
        tables = self.compiler.scope.tables
        if name not in tables:
            raise self.refuse(node, f"there is no table '{name}'", _close(name, tables))
        factors = [self.factor(one) for one in (place.elts if isinstance(place, ast.Tuple) else [place])]
        if tuple(factors) != tables[name].of:
            of = ", ".join(tables[name].of)
            raise self.refuse(node, f"the table {name} goes by {of}", f"write {name}[{of}]")
        return self.looked_up(tables[name])

    def looked_up(self, amounts: Amounts) -> Number:
        """The number of a table at the levels of the factors that it goes by."""
        self.compiler.used.update(amounts.of)
        shape = tuple(len(self.compiler.scope.levels[factor]) for factor in amounts.of)
        return entry(amounts.of, shape, amounts.numbers)


def _named(node: ast.expr) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _close(name: str | None, known: Sequence[str] | Mapping[str, object]) -> str:
    close = get_close_matches(name or "", list(known), n=1)
    return f"did you mean '{close[0]}'?" if close else f"known are {', '.join(known) or 'none'}"
