"""The shipped encodings: how the cells of a world are written, and how questions are worded.

An *encoding* groups the same facts in one way; its *layouts* write that grouping down differently, the
first one by default. Templates of the family `cells` may use the names

| name       | is                                                                       |
| ---------- | ------------------------------------------------------------------------ |
| rule       | a text: how the unknown member is drawn and what was seen                |
| attributes | a list of texts: the names of the attributes                             |
| cells      | a list of records: id, values (one a attribute), category, count, likelihood |
| metadata   | a list of records: name, value; empty where there is none                |

those of the families `factors` and `transfer` every variable that is shown by its own name, and

| name       | is                                                                       |
| ---------- | ------------------------------------------------------------------------ |
| shown      | a list of texts: the names of the variables that are shown               |
| fields     | a list of records: name, value; one for each of these variables          |

those of the family `candidates` what states the problem, `prefix` and `supplied` by name, where shown, and

| name       | is                                                                       |
| ---------- | ------------------------------------------------------------------------ |
| view       | a text: the name of the view                                             |
| task       | a text: what is to be done                                               |
| fields     | a list of records: name, value; one for each variable of the problem     |
| candidates | a list of records: number, word                                          |

and prompts the names `event` and `given`. Of these `count`, `likelihood`, `value`, `word`, `event` and
`given` are variables as a rule, all else is constant. What asks about candidates is worded by the templates
`offered`, with the names that `worldgen.cohort.wording` gives them, what asks for one of two classes by the
templates `classes`, with those of `cases`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from worldgen.renderers.lines import Leaf
from worldgen.renderers.templates import compile_leaf
from worldgen.renderers.unrolling import Constant

SHIPPED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cells": {"joined-tables": ("commas", "pipes"), "nested-records": ("blocks", "lines")},
    "factors": {"table": ("lines", "pipes")},
    "transfer": {"table": ("lines", "pipes")},
    "candidates": {"sheet": ("lines", "pipes")},
}
PROMPTS = ("event", "event-given", "choice", "choice-given", "score", "yes-no", "yes-no-given")
OFFERED = ("wording-0", "wording-1", "wording-2", "beside")
CLASSES = ("question", "system")


@dataclass(frozen=True)
class Layout:
    """One template: its name, its Jinja source, and the file that its errors point at.

    Where a template was read from does not enter equality.
    """

    name: str
    source: str
    template: str = field(default="template.j2", compare=False)

    def leaf(self, names: Mapping[str, Constant]) -> Leaf:
        """The leaf of this layout, given what its names stand for. Raises TemplateError."""
        return compile_leaf(self.source, names, self.template)


@dataclass(frozen=True)
class Encoding:
    """Layouts that group the same facts in the same way."""

    name: str
    layouts: tuple[Layout, ...]

    def layout(self, name: str) -> Layout:
        """The layout of a name. Raises KeyError."""
        return {layout.name: layout for layout in self.layouts}[name]


def shipped(family: str = "cells") -> dict[str, Encoding]:
    """The shipped encodings of a family, by name. Raises KeyError for a family there is not.

    >>> {name: [layout.name for layout in encoding.layouts] for name, encoding in shipped().items()}
    {'joined-tables': ['commas', 'pipes'], 'nested-records': ['blocks', 'lines']}
    """
    return {
        name: Encoding(name, tuple(_read(layout, f"{family}/{name}/{layout}.j2") for layout in layouts))
        for name, layouts in SHIPPED[family].items()
    }


@cache
def prompts() -> dict[str, Layout]:
    """The shipped wordings of questions, by name: event, choice and yes-no, each also with `given`, and
    score.

    >>> prompts()["event"].leaf({"event": "the ball is red"}).items[0].text
    'State the probability that the following holds: the ball is red.'
    """
    return {name: _read(name, f"prompts/{name}.j2") for name in PROMPTS}


@cache
def candidate_prompts() -> dict[str, Layout]:
    r"""The shipped wordings that ask about candidates, by name: three of the question, and what stands beside
    the state where a word is supplied.

    >>> names = dict.fromkeys(("given", "supplied", "filler", "table", "symbol"), "")
    >>> told = candidate_prompts()["beside"].leaf({**names, "evidence": "padded", "positions": ()})
    >>> told.items[0].text
    '\n\n'
    """
    return {name: _read(name, f"offered/{name}.j2") for name in OFFERED}


@cache
def class_prompts() -> dict[str, Layout]:
    """The shipped wordings that ask for one of two classes, by name: the question, and the system message
    of a chat.

    >>> names = {"event": "it rains", "demonstrations": ""}
    >>> class_prompts()["question"].leaf(names).items[0].text[-28:]
    'case under "case": it rains.'
    """
    return {name: _read(name, f"classes/{name}.j2") for name in CLASSES}


def _read(name: str, path: str) -> Layout:
    source = files("worldgen.renderers").joinpath("templates", path).read_text(encoding="utf-8")
    return Layout(name, source, path)
