"""Unrolling: a parsed template, evaluated as far as its constants go.

What remains is a straight sequence of pieces. A piece is a text, a variable shown as it is, or a Jinja node
whose only names are those of variables: every loop, look-up and branch on constants is gone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatchmethod
from itertools import pairwise
from typing import cast

from jinja2 import nodes

from worldgen.exact.domains import Grid, Numbers
from worldgen.exact.variables import Variable
from worldgen.renderers.errors import TemplateError
from worldgen.renderers.grammar import check, environment, nearest

MOST_PIECES = 100_000

Constant = str | Variable | Sequence["Constant"] | Mapping[str, "Constant"]
Scope = Mapping[str, object]


@dataclass(frozen=True)
class Open:
    """An expression or statement over variables; in `node` each variable is a name, "v" and its number
    in `variables`.
    """

    node: nodes.Node
    variables: tuple[Variable, ...]


@dataclass(frozen=True)
class Piece:
    """What one place of the template adds to the text."""

    line: int
    what: str | Variable | Open


def unroll(tree: nodes.Template, names: Mapping[str, Constant], template: str) -> list[Piece]:
    """The pieces of a template. Raises TemplateError for whatever the language does not have."""
    check(tree, set(names), template)
    return list(_Unrolling(template).body(tree.body, names))


class _Unrolling:
    def __init__(self, template: str) -> None:
        self.template = template
        self.count = 0
        self.entries = 1

    def error(self, node: nodes.Node, message: str, remedy: str) -> TemplateError:
        return TemplateError(self.template, node.lineno, message, remedy=remedy)

    def body(self, body: Sequence[nodes.Node], scope: Scope) -> Iterator[Piece]:
        for node in body:
            if isinstance(node, nodes.Output):
                for part in node.nodes:
                    self.step(node)
                    yield self.output(part, scope)
            elif isinstance(node, nodes.For):
                yield from self.loop(node, scope)
            else:
                assert isinstance(node, nodes.If)
                yield from self.branch(node, scope)

    def step(self, node: nodes.Node) -> None:
        self.count += 1
        if self.count > MOST_PIECES:
            raise self.error(
                node,
                f"the loops unroll to more than {MOST_PIECES:,} pieces: {self.entries:,} entries here",
                "loop over fewer entries",
            )

    def output(self, node: nodes.Expr, scope: Scope) -> Piece:
        if isinstance(node, nodes.TemplateData):
            return Piece(node.lineno, node.data)
        value = self.value(node, scope)
        if isinstance(value, str | Variable | Open):
            return Piece(node.lineno, value)
        if isinstance(value, int):
            return Piece(node.lineno, str(value))
        raise self.error(
            node, f"{_source(node)} is a {_kind(value)}, not a text", "show its entries one by one"
        )

    def loop(self, node: nodes.For, scope: Scope) -> Iterator[Piece]:
        assert isinstance(node.target, nodes.Name)
        entries = self.value(node.iter, scope)
        if isinstance(entries, str | int | Variable | Open):
            raise self.error(
                node,
                f"{_source(node.iter)} is a {_kind(entries)}: there is nothing to loop over",
                "loop over a list",
            )
        listed = list(cast(Iterable[object], entries))
        length = len(listed)
        for number, entry in enumerate(listed):
            self.entries = length
            self.step(node)
            last = number == length - 1
            loop = {
                "first": number == 0,
                "last": last,
                "index": number + 1,
                "index0": number,
                "length": length,
            }
            yield from self.body(node.body, {**scope, node.target.name: entry, "loop": loop})
        if not listed:
            yield from self.body(node.else_, scope)

    def branch(self, node: nodes.If, scope: Scope) -> Iterator[Piece]:
        branches = [(node.test, node.body), *((other.test, other.body) for other in node.elif_)]
        for number, (test, body) in enumerate(branches):
            value = self.value(test, scope)
            if isinstance(value, Variable | Open):
                yield Piece(node.lineno, self.open_branch(node, branches[number:], scope))
                return
            if value:
                yield from self.body(body, scope)
                return
        yield from self.body(node.else_, scope)

    def open_branch(
        self, node: nodes.If, branches: Sequence[tuple[nodes.Node, list[nodes.Node]]], scope: Scope
    ) -> Open:
        """What is left of an `if` from its first test on a variable: one node, its branches unrolled."""
        names = _Names()
        tests = [names.expression(self.value(test, scope)) for test, _ in branches]
        bodies = [self.block(body, scope, names) for _, body in branches]
        others = [nodes.If(*branch, [], []) for branch in zip(tests[1:], bodies[1:], strict=True)]
        made = nodes.If(tests[0], bodies[0], others, self.block(node.else_, scope, names))
        return Open(made, tuple(names.variables))

    def block(self, body: Sequence[nodes.Node], scope: Scope, names: "_Names") -> list[nodes.Node]:
        return [names.statement(piece) for piece in self.body(body, scope)]

    @singledispatchmethod
    def value(self, node: nodes.Node, scope: Scope) -> object:
        """The constant that an expression is, or the Variable, or what is Open of it."""
        raise TypeError(f"the grammar does not have {node}")

    @value.register
    def _(self, node: nodes.Const, scope: Scope) -> object:
        return node.value

    @value.register
    def _(self, node: nodes.Name, scope: Scope) -> object:
        return scope[node.name]

    @value.register(nodes.List)
    @value.register(nodes.Tuple)
    def _(self, node: nodes.List | nodes.Tuple, scope: Scope) -> object:
        return [self.value(item, scope) for item in node.items]

    @value.register
    def _(self, node: nodes.Not, scope: Scope) -> object:
        value = self.value(node.node, scope)
        if not isinstance(value, Variable | Open):
            return not value
        names = _Names()
        return Open(nodes.Not(names.expression(value)), tuple(names.variables))

    @value.register(nodes.And)
    @value.register(nodes.Or)
    def _(self, node: nodes.And | nodes.Or, scope: Scope) -> object:
        left = self.value(node.left, scope)
        if not isinstance(left, Variable | Open):
            settled = bool(left) == isinstance(node, nodes.Or)
            return left if settled else self.value(node.right, scope)
        names = _Names()
        sides = names.expression(left), names.expression(self.value(node.right, scope))
        return Open(type(node)(*sides), tuple(names.variables))

    @value.register
    def _(self, node: nodes.CondExpr, scope: Scope) -> object:
        if node.expr2 is None:
            raise self.error(node, "an inline `if` needs an `else`", "write `a if condition else b`")
        test = self.value(node.test, scope)
        if not isinstance(test, Variable | Open):
            return self.value(node.expr1 if test else node.expr2, scope)
        names = _Names()
        parts = [
            names.expression(v) for v in (test, self.value(node.expr1, scope), self.value(node.expr2, scope))
        ]
        return Open(nodes.CondExpr(*parts), tuple(names.variables))

    @value.register(nodes.Getattr)
    @value.register(nodes.Getitem)
    def _(self, node: nodes.Getattr | nodes.Getitem, scope: Scope) -> object:
        base = self.value(node.node, scope)
        key = node.attr if isinstance(node, nodes.Getattr) else self.value(node.arg, scope)
        if isinstance(key, Variable | Open):
            raise self.error(
                node, "a variable cannot choose what is looked up", "write an `if` for each value"
            )
        if isinstance(base, Mapping) and isinstance(node, nodes.Getattr) and hasattr(dict, node.attr):
            raise self.error(
                node, f"in Jinja, {_source(node)} is a method", f'write {_source(node.node)}["{node.attr}"]'
            )
        if isinstance(base, Mapping) and isinstance(key, str):
            if key in base:
                return base[key]
            raise self.error(node, f"{_source(node.node)} has no entry '{key}'", nearest(key, base))
        if isinstance(base, list | tuple) and isinstance(key, int) and not isinstance(key, bool):
            if -len(base) <= key < len(base):
                return base[key]
            raise self.error(
                node, f"{_source(node.node)} has {len(base)} entries, none at {key}", "count entries from 0"
            )
        raise self.error(
            node,
            f"{_source(node.node)} is a {_kind(base)}: nothing to look up in it",
            "look up in lists and records",
        )

    @value.register
    def _(self, node: nodes.Compare, scope: Scope) -> object:
        values = [self.value(part, scope) for part in (node.expr, *(operand.expr for operand in node.ops))]
        for (left, right), operand in zip(pairwise(values), node.ops, strict=True):
            self.check_comparison(node, left, operand.op, right)
        if not any(_mentions(value) for value in values):
            ops = [nodes.Operand(o.op, nodes.Const(v)) for o, v in zip(node.ops, values[1:], strict=True)]
            settled = nodes.Compare(nodes.Const(values[0]), ops)
            return settled.as_const(nodes.EvalContext(environment()))
        names = _Names()
        parts = [names.expression(value) for value in values]
        ops = [nodes.Operand(o.op, part) for o, part in zip(node.ops, parts[1:], strict=True)]
        return Open(nodes.Compare(parts[0], ops), tuple(names.variables))

    def check_comparison(self, node: nodes.Compare, left: object, op: str, right: object) -> None:
        """Refuse a comparison that cannot be what it seems to be."""
        among = op in {"in", "notin"} and isinstance(right, list | tuple)
        for other in cast(Sequence[object], right) if among else (right,):
            numbers = isinstance(left, int), isinstance(other, int)
            if any(isinstance(side, Variable | Open) for side in (left, other)) and any(numbers):
                raise self.error(
                    node, "a variable stands for its text, and no text equals a number", "quote the number"
                )
            if all(numbers) or all(isinstance(side, str | Variable | Open) for side in (left, other)):
                continue
            raise self.error(
                node,
                f"a {_kind(left)} and a {_kind(other)} cannot be compared",
                "compare texts with texts, and use `in` for lists of texts",
            )
        numeric = any(isinstance(v, Variable) and isinstance(v.domain, Numbers | Grid) for v in (left, right))
        if numeric and op in {"lt", "lteq", "gt", "gteq"}:
            raise self.error(
                node, "texts of numbers are not in numeric order", "compare with ==, !=, or `in` a list"
            )


class _Names:
    """Jinja nodes over variables, each variable under one name."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []

    def name(self, variable: Variable) -> nodes.Name:
        if variable not in self.variables:
            self.variables.append(variable)
        return nodes.Name(f"v{self.variables.index(variable)}", "load")

    def expression(self, value: object) -> nodes.Expr:
        if isinstance(value, Variable):
            return self.name(value)
        if isinstance(value, list | tuple):
            return nodes.List([self.expression(entry) for entry in value])
        if isinstance(value, Open):
            renamed = self.renamed(value)
            assert isinstance(renamed, nodes.Expr)
            return renamed
        return nodes.Const(value)

    def statement(self, piece: Piece) -> nodes.Node:
        if isinstance(piece.what, str):
            return nodes.Output([nodes.TemplateData(piece.what)], lineno=piece.line)
        made = self.name(piece.what) if isinstance(piece.what, Variable) else self.renamed(piece.what)
        return nodes.Output([made], lineno=piece.line) if isinstance(made, nodes.Expr) else made

    def renamed(self, part: Open) -> nodes.Node:
        """The node with the names of this set. Each Open is used once, so that it may be changed in place."""
        mine = {f"v{number}": self.name(variable).name for number, variable in enumerate(part.variables)}
        if isinstance(part.node, nodes.Name):
            part.node.name = mine[part.node.name]
        for name in part.node.find_all(nodes.Name):
            name.name = mine[name.name]
        return part.node


def _mentions(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_mentions(entry) for entry in value)
    return isinstance(value, Variable | Open)


def _kind(value: object) -> str:
    kinds = {
        Mapping: "record",
        list: "list",
        tuple: "list",
        Variable: "variable",
        Open: "variable",
        str: "text",
    }
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "number")


def _source(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if isinstance(node, nodes.Getattr):
        return f"{_source(node.node)}.{node.attr}"
    if isinstance(node, nodes.Getitem):
        inside = repr(node.arg.value) if isinstance(node.arg, nodes.Const) else _source(node.arg)
        return f"{_source(node.node)}[{inside}]"
    return "this expression"
