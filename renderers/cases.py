"""Cases of two classes: memos to learn from, each with its label, and a memo to judge, as one request.

The state is {"demonstrations": [{"case": memo, "outcome": label}, ...], "case": memo}. Every memo and every
label in it is a leaf of the plan, so that a reader of the payload gets back not only the case but what was
demonstrated. On systemone the question is a `noul` whose criteria say what the classes mean. On chat the
user message is the same state and question as JSON, and the system message asks for one number.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np

from worldgen.exact.domains import Codes, Phrases, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.renderers import systemone
from worldgen.renderers.encodings import class_prompts
from worldgen.renderers.errors import WireError
from worldgen.renderers.lines import Column, Item, Leaf, Literal, Slot, Tree, straight

Values = Mapping[str, Codes]

ANSWER_KEY = "probability_positive"
OUTCOME = "outcome"


@dataclass(frozen=True)
class Classes:
    """Two classes, each a name and what is the case where it holds; the question is about `positive`.

    Raises WireError where the two have one name.

    >>> Classes("accept", "the paper is accepted", "reject", "the paper is rejected").outcome.domain.values
    ('reject', 'accept')
    """

    positive: str
    event: str
    negative: str
    other: str

    def __post_init__(self) -> None:
        if self.positive == self.negative:
            raise WireError(
                f"both classes are named '{self.positive}'", remedy="name the classes differently"
            )

    @property
    def outcome(self) -> Variable:
        """The variable that a label shows: code 1 for the positive class, 0 for the negative one."""
        return Variable(OUTCOME, Phrases((self.negative, self.positive)))


@dataclass(frozen=True, eq=False)
class Cases:
    """A memo over `variables`, shown for `count` demonstrations with their labels, then for the case.

    The variables of the case keep their names; those of demonstration k = 1, 2, ..., `count` are named
    `name(k)`, its label `outcome(k)`. Raises DomainError where a variable of the memo has such a name
    already, or is named `outcome`, or where `count` is negative.

    >>> from worldgen.renderers.plans import Plan
    >>> mood = Variable("mood", Phrases(("glad", "sad")))
    >>> memo = Leaf((Literal("It is "), Column((mood,), mood.domain.values)))
    >>> cases = Cases(memo, (mood,), Classes("stay", "it stays", "go", "it goes"), 1)
    >>> plan = Plan(cases.state, cases.shown)
    >>> values = cases.joined({"mood": np.array([1])}, {"mood": np.array([0]), "outcome": np.array([1])}, 1)
    >>> plan.render(values, 1).to_pylist()
    ['{"demonstrations":[{"case":"It is glad","outcome":"stay"}],"case":"It is sad"}']
    """

    memo: Leaf
    variables: tuple[Variable, ...]
    classes: Classes
    count: int

    def __post_init__(self) -> None:
        names = [variable.name for variable in self.shown]
        if self.count < 0 or len(set(names)) != len(names) or OUTCOME in names:
            raise DomainError(
                f"{self.count} demonstrations cannot be told from the case",
                remedy=f"name no variable '{OUTCOME}' or like 'name(1)', and show 0 demonstrations or more",
            )

    @cached_property
    def shown(self) -> tuple[Variable, ...]:
        """All variables of the state: those of the case, then those of each demonstration in turn."""
        labelled = (*self.variables, self.classes.outcome)
        later = [_numbered(variable, k) for k in self._numbers for variable in labelled]
        return (*self.variables, *later)

    @cached_property
    def state(self) -> Tree:
        """The JSON tree of the state."""
        label = Leaf((Column((self.classes.outcome,), (self.classes.negative, self.classes.positive)),))
        pairs: list[Tree] = [
            {"case": _renamed(self.memo, k), "outcome": _renamed(label, k)} for k in self._numbers
        ]
        tree: dict[str, Tree] = {"demonstrations": pairs, "case": self.memo}
        return tree

    @property
    def question(self) -> systemone.Noul:
        """The question: how probable is the positive class?"""
        names = {"event": self.classes.event, "demonstrations": "shown" if self.count else ""}
        asked = class_prompts()["question"].leaf(names)
        return systemone.Noul(asked, true=self.classes.event, false=self.classes.other)

    def systemone(self, model: str) -> Tree:
        """The JSON tree of the request on systemone, for a Plan over `shown`."""
        return systemone.payload(self.state, model, self.question)

    def chat(self, model: str) -> Tree:
        """The JSON tree of the request on chat, for a Plan over `shown`.

        The answer asked for is {"probability_positive": p}. Raises WireError where a slot of the memo may
        be any text: a plan escapes such a slot once, and JSON within JSON needs it twice.
        """
        for item in self.memo.items:
            if isinstance(item, Slot) and isinstance(item.variable.domain, Texts):
                raise WireError(
                    f"{item.label} may be any text, which JSON within a message cannot carry",
                    remedy="show it from a table of texts, or use the wire systemone",
                )
        whole = straight({"state": self.state, "question": self.question.tree})
        names = {
            "positive": self.classes.positive,
            "event": self.classes.event,
            "negative": self.classes.negative,
            "other": self.classes.other,
            "key": ANSWER_KEY,
        }
        messages: list[Tree] = [
            {"role": "system", "content": class_prompts()["system"].leaf(names)},
            {"role": "user", "content": Leaf(whole.items)},
        ]
        return {"model": model, "messages": messages}

    def joined(self, cases: Values, demonstrations: Values, n: int) -> dict[str, Codes]:
        """The codes of n requests: of the variables (n,) each, after the same demonstrations in every row.

        `demonstrations` holds at least `count` codes of each variable and of `outcome`; the first `count`
        are shown, so that what fewer requests demonstrate is a prefix of what more do.
        """
        joint: dict[str, Codes] = {variable.name: cases[variable.name] for variable in self.variables}
        for k in self._numbers:
            for variable in (*self.variables, self.classes.outcome):
                joint[_numbered(variable, k).name] = demonstrations[variable.name][np.full(n, k - 1)]
        return joint

    def parted(self, values: Values) -> tuple[dict[str, Codes], dict[str, Codes]]:
        """What `joined` joined, of decoded codes: those of the case (n,), and those of the demonstrations,
        a row of `count` for each request, (n, count); none where nothing is demonstrated.
        """
        cases = {variable.name: values[variable.name] for variable in self.variables}
        labelled = (*self.variables, self.classes.outcome) if self.count else ()
        demonstrations = {
            variable.name: cast(
                Codes, np.stack([values[_numbered(variable, k).name] for k in self._numbers], axis=1)
            )
            for variable in labelled
        }
        return cases, demonstrations

    @property
    def _numbers(self) -> range:
        return range(1, self.count + 1)


def _numbered(variable: Variable, k: int) -> Variable:
    return Variable(f"{variable.name}({k})", variable.domain)


def _renamed(leaf: Leaf, k: int) -> Leaf:
    """The leaf over the variables of demonstration k."""
    return Leaf(tuple(_renamed_item(item, k) for item in leaf.items))


def _renamed_item(item: Item, k: int) -> Item:
    if isinstance(item, Literal):
        return item
    if isinstance(item, Slot):
        return replace(item, variable=_numbered(item.variable, k))
    return replace(item, variables=tuple(_numbered(variable, k) for variable in item.variables))
