"""Every template that is refused: its line, what is wrong, what to do."""

from fractions import Fraction
from typing import Any

import pytest

from worldgen.exact.domains import Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.variables import Variable
from worldgen.renderers.errors import TemplateError
from worldgen.renderers.templates import compile_leaf

SIDE = Variable("side", Phrases(("left", "right")))
COUNT = Variable("count", Numbers(tuple(Fraction(k) for k in range(200)), "integer"))
TAG = Variable("tag", Identifiers("ab", 1, 2))
NAMES: dict[str, Any] = {
    "side": SIDE,
    "count": COUNT,
    "tag": TAG,
    "remark": Variable("remark", Texts()),
    "wide": Variable("wide", Grid(Fraction(0), Fraction(1), 30_000)),
    "many": Variable("many", Phrases(tuple(map(str, range(20_001))))),
    "rule": "drawn at random",
    "cells": [{"id": "c1", "values": ["u"]}, {"id": "c2", "values": ["v"]}],
    "thousand": ["x"] * 1000,
}

REFUSED = [
    ("a\nb {{ rule }\n", 2, "this is not a template", "see the Jinja syntax"),
    ("{% if side %}", 1, "this is not a template", "see the Jinja syntax"),
    ("{{ 1 2 }}", 1, "this is not a template", "see the Jinja syntax"),
    ("a\n{{ rul }}", 2, "the name 'rul' is not defined", "did you mean 'rule'?"),
    ("{{ zzz }}", 1, "the name 'zzz' is not defined", "known here: cells, count, many"),
    ("{% if rule == 'x' %}\n{{ coutn }}{% endif %}", 2, "the name 'coutn' is not defined", "'count'"),
    (
        "{% for c in cells %}{{ loop.index }}{% endfor %}{{ loop.index }}",
        1,
        "the name 'loop' is",
        "known here",
    ),
    (
        "{% for c in cells %}{{ d }}{% for d in cells %}{% endfor %}{% endfor %}",
        1,
        "the name 'd' is",
        "known here: c,",
    ),
    ("{{ side.upper() }}", 1, "cannot call", "as a constant"),
    ("{{ range(3) }}", 1, "cannot call", "as a constant"),
    ("{{ side | upper }}", 1, "cannot filter", "give the variable the texts"),
    ("{% filter upper %}x{% endfilter %}", 1, "cannot filter", "as it shall read"),
    ("{% if side is defined %}x{% endif %}", 1, "cannot test", "compare with == or !="),
    ("\n\n{% set a = 1 %}", 3, "cannot set names", "in the world"),
    ("{% set a %}x{% endset %}", 1, "cannot set names", "in the world"),
    ("{% with a = 1 %}{% endwith %}", 1, "cannot set names", "in the world"),
    ("{% macro m() %}{% endmacro %}", 1, "cannot define macros", "write the text out"),
    ("{% call side() %}{% endcall %}", 1, "cannot call", "write the text out"),
    ("{% include 'x' %}", 1, "cannot include", "copy the other"),
    ("{% import 'x' as y %}", 1, "cannot import", "copy what it needs"),
    ("{% from 'x' import y %}", 1, "cannot import", "copy what it needs"),
    ("{% extends 'x' %}", 1, "cannot extend", "copy the other"),
    ("{% block b %}{% endblock %}", 1, "blocks have no use", "remove the block tags"),
    ("{{ side ~ 'x' }}", 1, "cannot join texts with ~", "side by side"),
    ("{{ 1 + 1 }}", 1, "cannot compute", "show a variable"),
    ("{{ -count }}", 1, "cannot compute", "show a variable"),
    ("{{ count // 2 }}", 1, "cannot compute", "show a variable"),
    ("{{ cells[1:] }}", 1, "cannot cut", "give the part a name"),
    ("{{ {'a': 1}.a }}", 1, "cannot use 'dict'", "use text, if and for"),
    ("{{ 0.1 }}", 1, "the constant 0.1 is no text or integer", "write '0.1'"),
    ("{{ none }}", 1, "the constant None is no text", "write 'None'"),
    (
        "{% for c in cells recursive %}{% endfor %}",
        1,
        "cannot be recursive or filtered",
        "put an `if` inside",
    ),
    ("{% for c in cells if c.id %}{% endfor %}", 1, "cannot be recursive or filtered", "put an `if` inside"),
    ("{% for a, b in cells %}{% endfor %}", 1, "one entry at a time", "then x[0]"),
    (
        "{% for c in side %}{% endfor %}",
        1,
        "side is a variable: there is nothing to loop",
        "loop over a list",
    ),
    ("{% for c in rule %}{% endfor %}", 1, "rule is a text: there is nothing to loop", "loop over a list"),
    ("{{ cells }}", 1, "cells is a list, not a text", "one by one"),
    ("x\n{{ cells[0] }}", 2, "cells[0] is a record, not a text", "one by one"),
    ("{{ cells[0].ids }}", 1, "cells[0] has no entry 'ids'", "did you mean 'id'?"),
    ("{{ cells[0].values }}", 1, "in Jinja, cells[0].values is a method", 'write cells[0]["values"]'),
    ("{{ cells[2] }}", 1, "cells has 2 entries, none at 2", "count entries from 0"),
    ("{{ cells.first }}", 1, "cells is a list: nothing to look up", "lists and records"),
    ("{{ cells[side] }}", 1, "a variable cannot choose what is looked up", "an `if` for each value"),
    ("{{ side.name }}", 1, "side is a variable: nothing to look up", "lists and records"),
    ("{{ rule[0] }}", 1, "rule is a text: nothing to look up", "lists and records"),
    ("{{ 'x' if side == 'left' }}", 1, "an inline `if` needs an `else`", "a if condition else b"),
    ("{% if count == 3 %}x{% endif %}", 1, "no text equals a number", "quote the number"),
    ("{% if count in [3, 4] %}x{% endif %}", 1, "no text equals a number", "quote the number"),
    ("{% if count < '10' %}x{% endif %}", 1, "not in numeric order", "compare with =="),
    (
        "{% if rule < 3 %}x{% endif %}",
        1,
        "a text and a number cannot be compared",
        "compare texts with texts",
    ),
    (
        "{% if side == cells[0] %}x{% endif %}",
        1,
        "a variable and a record cannot be compared",
        "texts with texts",
    ),
    ("{% if side < ['left'] %}x{% endif %}", 1, "a variable and a list cannot be compared", "`in` for lists"),
    ("{% if side in [cells] %}x{% endif %}", 1, "a variable and a list cannot be compared", "`in` for lists"),
    ("{% if ((side == 'left') or side) < 'a' %}x{% endif %}", 1, "Jinja cannot render this", "compare texts"),
    ("a\n\n{% if tag == 'a' %}x{% endif %}", 3, "'tag' is open", "outside of every `if`"),
    ("{% if side == 'left' %}\n{{ remark }}{% endif %}", 1, "'remark' is open", "outside of every `if`"),
    ("{{ tag or side }}", 1, "'tag' is open", "outside of every `if`"),
    (
        "{% if wide == '7' %}x{% endif %}",
        1,
        "wide: 30,000 joint values meet here, and a table holds 20,000",
        "fewer",
    ),
    ("{{ many }}", 1, "many: 20,001 joint values meet here, and a table holds 20,000", "fewer"),
    (
        "{{ count if count == '1' else side }}{% if side in [count, wide] %}{% endif %}",
        1,
        "side, count, wide: 12,000,000",
        "fewer",
    ),
    ("{{ " + "(" * 3000 + "side" + ")" * 3000 + " }}", 1, "nests too deeply", "flatten"),
    ("{% if side == 'left' %}" * 150 + "{% endif %}" * 150, 1, "nests too deeply", "flatten"),
    (
        "\n{% for a in thousand %}{% for b in thousand %}x{% endfor %}{% endfor %}",
        2,
        "the loops unroll to more than 100,000 pieces: 1,000 entries here",
        "loop over fewer entries",
    ),
]


@pytest.mark.parametrize(
    ("source", "line", "message", "remedy"), REFUSED, ids=[case[0][:60] for case in REFUSED]
)
def test_a_template_is_refused_with_its_line_and_a_remedy(
    source: str, line: int, message: str, remedy: str
) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_leaf(source, NAMES, "odd.j2")
    error = caught.value
    assert (error.template, error.line) == ("odd.j2", line)
    assert message in error.message
    assert error.message.startswith(f"odd.j2, line {line}: ")
    assert remedy in error.remedy
    assert str(error) == f"{error.message}\n  try: {error.remedy}"
