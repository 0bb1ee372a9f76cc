"""Templates: Jinja sources compiled to leaves.

A template may hold text, names, look-ups into constants, comparisons, `and`, `or`, `not`, `if` (also inline)
and `for` over constants. Loops and branches on constants unroll (unrolling.py); each piece that is left
mentions variables, and Jinja itself tabulates it over the joint codes of its variables, every variable
standing for its text. Nothing is computed from a variable: no calls, filters, tests or arithmetic.
"""

from collections.abc import Mapping
from functools import cache
from itertools import product
from math import prod

from jinja2 import TemplateSyntaxError, nodes

from worldgen.exact.domains import LARGEST_TABLE, Domain, Grid
from worldgen.exact.variables import Variable
from worldgen.renderers.errors import TemplateError
from worldgen.renderers.grammar import environment
from worldgen.renderers.lines import Column, Item, Leaf, Literal, Slot
from worldgen.renderers.unrolling import Constant, Open, Piece, unroll

LARGEST_GRID_TABLE = 2_000


def compile_leaf(source: str, names: Mapping[str, Constant], template: str = "state.j2") -> Leaf:
    """The leaf that a Jinja source renders to, given what its names stand for.

    A name stands for a text, a variable, or a list or record of such. A grid of more than 2,000 values
    that is shown as it is becomes a slot, as every open variable does. Raises TemplateError, with the
    line and a remedy, for a syntax error, an unknown name, anything the language does not have, a table
    of more than 20,000 texts, and an open variable inside a condition.

    >>> from worldgen.exact.domains import Phrases
    >>> coin = Variable("coin", Phrases(("heads", "tails")))
    >>> source = "{% for side in sides %}{{ side }} {{ 'won' if coin == 'heads' else 'lost' }}{% endfor %}"
    >>> leaf = compile_leaf(source, {"sides": ["East"], "coin": coin})
    >>> [item.text if isinstance(item, Literal) else item.texts for item in leaf.items]
    ['East ', ('won', 'lost')]
    """
    try:
        pieces = unroll(environment().parse(source), names, template)
        return Leaf(tuple(_item(piece, template) for piece in pieces))
    except TemplateSyntaxError as error:
        raise TemplateError(
            template, error.lineno, f"this is not a template: {error.message}", remedy="see the Jinja syntax"
        ) from error
    except (RecursionError, SyntaxError) as error:
        raise TemplateError(template, 1, "it nests too deeply", remedy="flatten its conditions") from error


def _item(piece: Piece, template: str) -> Item:
    what, origin = piece.what, f"{template}, line {piece.line}"
    if isinstance(what, str):
        return Literal(what)
    if isinstance(what, Open):
        return _tabulated(what, piece.line, template)
    size = what.domain.size
    if size is None or (isinstance(what.domain, Grid) and size > LARGEST_GRID_TABLE):
        return Slot(what, origin)
    _check_size((what,), piece.line, template)
    return Column((what,), _texts(what.domain), origin)


def _tabulated(part: Open, line: int, template: str) -> Column:
    """The column that Jinja makes of a node, one rendering for each joint code."""
    _check_size(part.variables, line, template)
    body = part.node if isinstance(part.node, nodes.Stmt) else nodes.Output([part.node], lineno=line)
    tree = nodes.Template([body], lineno=1)
    tree.set_environment(environment())
    jinja = environment().template_class.from_code(environment(), environment().compile(tree), {})
    names = [f"v{number}" for number in range(len(part.variables))]
    texts = [_texts(variable.domain) for variable in part.variables]
    try:
        made = tuple(jinja.render(zip(names, joint, strict=True)) for joint in product(*texts))
    except TypeError as error:
        raise TemplateError(
            template, line, f"Jinja cannot render this: {error}", remedy="compare texts with texts only"
        ) from error
    return Column(part.variables, made, f"{template}, line {line}")


@cache
def _texts(domain: Domain) -> tuple[str, ...]:
    """All texts of a finite domain, in order of their codes; many variables share a domain."""
    return tuple(map(domain.text, range(domain.size or 0)))


def _check_size(variables: tuple[Variable, ...], line: int, template: str) -> None:
    for variable in variables:
        if variable.domain.size is None:
            raise TemplateError(
                template,
                line,
                f"'{variable.name}' is open and cannot decide or stand inside a condition",
                remedy="show it as it is, outside of every `if` on a variable",
            )
    size = prod(variable.domain.size or 1 for variable in variables)
    if size > LARGEST_TABLE:
        names = ", ".join(variable.name for variable in variables)
        raise TemplateError(
            template,
            line,
            f"{names}: {size:,} joint values meet here, and a table holds {LARGEST_TABLE:,}",
            remedy="let fewer variables meet in one condition, or give them fewer values",
        )
