"""Slow and obvious: a rule in fractions for one state, weights as probabilities, and what is near enough."""

import ast
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from operator import add, eq, ge, gt, le, lt, mul, ne, neg, not_, pos, sub, truediv
from typing import Any

from worldgen.exact.decimals import AGREEMENT
from worldgen.exact.rules import Amounts, Rule, Scope

ORDERS: Mapping[Any, Any] = {ast.Lt: lt, ast.LtE: le, ast.Gt: gt, ast.GtE: ge, ast.Eq: eq, ast.NotEq: ne}
BINARY: Mapping[Any, Any] = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
UNARY: Mapping[Any, Any] = {ast.USub: neg, ast.UAdd: pos, ast.Not: not_}
MANY: Mapping[Any, Any] = {ast.And: all, ast.Or: any}
OPERATORS = {**ORDERS, **BINARY, **UNARY, **MANY}
FUNCTIONS: Mapping[str, Any] = {"abs": abs, "min": min, "max": max}


def outcome_of(rule: Rule, state: Mapping[str, int]) -> int:
    """The class that comes true in a state, factor -> code of its level: the text of the rule, read again."""
    return rule.scope.outcomes.index(_Reader(rule.scope, state).read(rule.text))


def masses_of(weights: Any) -> list[tuple[Fraction, ...] | None]:
    """Rows of weights as probabilities; None where they are all zero."""
    rows: Sequence[Sequence[int]] = weights.tolist()
    return [tuple(Fraction(one, sum(row)) for one in row) if any(row) else None for row in rows]


def agrees(decimals: Sequence[Decimal], weights: Sequence[int], total: int) -> bool:
    """Whether each decimal lies within 1e-15 of its weight over the total."""
    pairs = zip(decimals, weights, strict=True)
    return all(abs(Fraction(one) - Fraction(weight, total)) <= Fraction(AGREEMENT) for one, weight in pairs)


class _Reader(ast.NodeVisitor):
    """A number is a fraction, a truth a truth, a class or a level its name."""

    def __init__(self, scope: Scope, state: Mapping[str, int]) -> None:
        self.scope, self.state = scope, state
        self.terms: dict[str, Fraction] = {}

    def read(self, text: str) -> Any:
        return self.visit(ast.parse(text, mode="eval").body)

    def generic_visit(self, node: ast.AST) -> Any:
        raise AssertionError(ast.dump(node))

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node.value if isinstance(node.value, str) else Fraction(ast.unparse(node))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        return OPERATORS[type(node.op)](map(self.visit, node.values))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        return OPERATORS[type(node.op)](self.visit(node.operand))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        return OPERATORS[type(node.op)](self.visit(node.left), self.visit(node.right))

    def visit_Call(self, node: ast.Call) -> Any:
        return FUNCTIONS[ast.unparse(node.func)](*map(self.visit, node.args))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        return self.looked_up(self.scope.tables[ast.unparse(node.value)])

    def visit_Compare(self, node: ast.Compare) -> Any:
        pairs = zip(pairwise([node.left, *node.comparators]), node.ops, strict=True)
        return all(self.holds(left, order, right) for (left, right), order in pairs)

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id in self.scope.terms:
            if node.id not in self.terms:
                self.terms[node.id] = self.read(self.scope.terms[node.id])
            return self.terms[node.id]
        return self.looked_up(self.scope.amounts[node.id]) if node.id in self.scope.amounts else node.id

    def looked_up(self, amounts: Amounts) -> Fraction:
        place = 0
        for factor in amounts.of:
            place = place * len(self.scope.levels[factor]) + self.state[factor]
        return amounts.numbers[place]

    def holds(self, left: ast.expr, order: ast.cmpop, right: ast.expr) -> bool:
        if isinstance(order, ast.In | ast.NotIn):
            assert isinstance(right, ast.Tuple | ast.List)
            return (self.level(left) in map(self.level, right.elts)) == isinstance(order, ast.In)
        for one, other in ((left, right), (right, left)):
            if isinstance(one, ast.Name) and one.id in self.scope.levels and self.is_level(other):
                return bool(OPERATORS[type(order)](self.level(one), self.level(other)))
        return bool(OPERATORS[type(order)](self.visit(left), self.visit(right)))

    def is_level(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id not in {*self.scope.levels, *self.scope.tables, *self.scope.terms}
        return isinstance(node, ast.Constant) and isinstance(node.value, str)

    def level(self, node: ast.expr) -> str:
        """The level that a factor has, or that a node names."""
        name, levels = (
            str(node.value if isinstance(node, ast.Constant) else ast.unparse(node)),
            self.scope.levels,
        )
        return levels[name][self.state[name]] if isinstance(node, ast.Name) and name in levels else name
