"""The Jinja that templates are written in, and what of it they may hold."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

from jinja2 import StrictUndefined, nodes
from jinja2.sandbox import SandboxedEnvironment

from worldgen.renderers.errors import TemplateError

_REFUSED: dict[type[nodes.Node], tuple[str, str]] = {
    nodes.Call: ("a template cannot call anything", "prepare the text as a constant"),
    nodes.Filter: ("a template cannot filter anything", "give the variable the texts that it shall show"),
    nodes.Test: ("a template cannot test anything", "compare with == or !="),
    nodes.Assign: ("a template cannot set names", "give the constant a name in the world"),
    nodes.AssignBlock: ("a template cannot set names", "give the constant a name in the world"),
    nodes.With: ("a template cannot set names", "give the constant a name in the world"),
    nodes.Macro: ("a template cannot define macros", "write the text out, or loop over a list"),
    nodes.CallBlock: ("a template cannot call anything", "write the text out"),
    nodes.FilterBlock: ("a template cannot filter anything", "write the text as it shall read"),
    nodes.Include: ("a template stands alone: it cannot include another", "copy the other one into it"),
    nodes.Import: ("a template stands alone: it cannot import another", "copy what it needs into it"),
    nodes.FromImport: ("a template stands alone: it cannot import another", "copy what it needs into it"),
    nodes.Extends: ("a template stands alone: it cannot extend another", "copy the other one into it"),
    nodes.Block: ("a template stands alone: blocks have no use", "remove the block tags"),
    nodes.Concat: ("a template cannot join texts with ~", "write two outputs side by side"),
    nodes.BinExpr: ("a template cannot compute", "show a variable that has the value"),
    nodes.UnaryExpr: ("a template cannot compute", "show a variable that has the value"),
    nodes.Slice: ("a template cannot cut lists or texts", "give the part a name in the world"),
}
_ALLOWED = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Const, nodes.Name, nodes.Getattr, nodes.Getitem,
    nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.If, nodes.For, nodes.CondExpr,
    nodes.List, nodes.Tuple,
)  # fmt: skip


@lru_cache(maxsize=1)
def environment() -> SandboxedEnvironment:
    """The Jinja environment that templates are written for: block tags leave no empty lines behind."""
    return SandboxedEnvironment(
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
    )


def check(node: nodes.Node, names: set[str], template: str) -> None:
    """Raise TemplateError for a forbidden node or an unknown name, branches never taken included."""
    # Exact types: Jinja's `and`, `or` and `not` are subclasses of its arithmetic.
    if type(node) not in _ALLOWED:
        other = f"a template cannot use '{type(node).__name__.lower()}'", "use text, if and for"
        message, remedy = next((said for kind, said in _REFUSED.items() if isinstance(node, kind)), other)
        raise TemplateError(template, node.lineno, message, remedy=remedy)
    if isinstance(node, nodes.Const) and not isinstance(node.value, str | int):
        raise TemplateError(
            template,
            node.lineno,
            f"the constant {node.value} is no text or integer",
            remedy=f"write '{node.value}'",
        )
    if isinstance(node, nodes.Name) and node.ctx == "load" and node.name not in names:
        raise TemplateError(
            template, node.lineno, f"the name '{node.name}' is not defined", remedy=nearest(node.name, names)
        )
    if isinstance(node, nodes.For):
        _check_loop(node, names, template)
        return
    for child in node.iter_child_nodes():
        check(child, names, template)


def _check_loop(node: nodes.For, names: set[str], template: str) -> None:
    if node.recursive or node.test is not None:
        raise TemplateError(
            template,
            node.lineno,
            "a loop cannot be recursive or filtered",
            remedy="put an `if` inside the loop",
        )
    if not isinstance(node.target, nodes.Name):
        raise TemplateError(
            template,
            node.lineno,
            "a loop names one entry at a time",
            remedy="write `for x in list`, then x[0]",
        )
    check(node.iter, names, template)
    for child in node.body:
        check(child, names | {"loop", node.target.name}, template)
    for child in node.else_:
        check(child, names, template)


def nearest(name: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name: the nearest known one, else all of them."""
    near = get_close_matches(name, known, 1)
    return f"did you mean '{near[0]}'?" if near else f"known here: {', '.join(sorted(known)) or 'nothing'}"
