"""The systemone wire: how a state and a typed question are written down as one request body.

The body is {"state": ..., "model": ..., "questions": {"q": question}}, keys in exactly that order, nothing
else beside them. A request of several questions, which no cohort has, names them q1, q2, ... A question is
a `noul` (is it true?), a `choice` among named options, or a `score` on levels. Every text in it may be a
leaf, the names of options included.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from worldgen.renderers.errors import WireError
from worldgen.renderers.lines import Leaf, Literal, Slot, Tree

Text = Leaf | str

QUESTION = "q"
MOST_OPTIONS = 255
LEVELS = range(2, 11)
PORTABLE_OPTIONS = 26


@dataclass(frozen=True)
class Noul:
    """Whether something is true, with what true and false mean where that needs saying.

    >>> Noul("Is it red?").tree
    {'type': 'noul', 'instructions': 'Is it red?'}
    """

    instructions: Text
    true: Text | None = None
    false: Text | None = None

    @property
    def tree(self) -> Tree:
        """The question as JSON; without criteria where neither side is described."""
        asked: dict[str | Leaf, Tree] = {"type": "noul", "instructions": self.instructions}
        if self.true is not None or self.false is not None:
            asked["criteria"] = {"true": self.true, "false": self.false}
        return asked

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some servers would refuse it."""
        one_sided = (self.true is None) != (self.false is None)
        return ("only one of true and false is described",) if one_sided else ()


@dataclass(frozen=True)
class Choice:
    """Which of the options, each a name and what it means.

    Raises WireError unless there are 1 to 255 options with different names.

    >>> Choice("Which?", (("red", "a red ball"), ("blue", None))).tree["criteria"]
    {'red': 'a red ball', 'blue': None}
    """

    instructions: Text
    options: tuple[tuple[Text, Text | None], ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.options) <= MOST_OPTIONS:
            raise WireError(
                f"a choice has 1 to {MOST_OPTIONS} options, got {len(self.options)}",
                remedy="merge options, or ask for one part of them at a time",
            )
        if len(dict(self.options)) < len(self.options):
            raise WireError("two options of a choice have one name", remedy="name every option differently")

    @property
    def tree(self) -> Tree:
        """The question as JSON, options in the order given."""
        return {"type": "choice", "instructions": self.instructions, "criteria": dict(self.options)}

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some servers would refuse it."""
        faults = []
        if len(self.options) > PORTABLE_OPTIONS:
            faults.append(f"{len(self.options)} options, where some servers take {PORTABLE_OPTIONS}")
        faults += [
            f"the option name {_shown(name)} can hold '/'" for name, _ in self.options if _holds(name, "/")
        ]
        faults += [
            f"the option {_shown(name)} is not described" for name, means in self.options if means is None
        ]
        return tuple(faults)


@dataclass(frozen=True)
class Score:
    """How much, on levels from the lowest to the highest.

    Raises WireError unless there are 2 to 10 levels.

    >>> Score("How much?", ("none", "some", "all")).tree["criteria"]
    ['none', 'some', 'all']
    """

    instructions: Text
    levels: tuple[Text, ...]

    def __post_init__(self) -> None:
        if len(self.levels) not in LEVELS:
            raise WireError(
                f"a score has {LEVELS[0]} to {LEVELS[-1]} levels, got {len(self.levels)}",
                remedy="merge levels",
            )

    @property
    def tree(self) -> Tree:
        """The question as JSON."""
        return {"type": "score", "instructions": self.instructions, "criteria": list(self.levels)}

    @property
    def faults(self) -> tuple[str, ...]:
        """Why some servers would refuse or misread it."""
        bare = [level for level in self.levels if isinstance(level, str) and level.strip().isdigit()]
        return tuple(f"the level {_shown(level)} is a bare number, which misleads models" for level in bare)


Asked = Noul | Choice | Score


def payload(state: Tree, model: str, asked: Asked) -> Tree:
    """The JSON tree of one request, for a Plan.

    >>> import json
    >>> json.dumps(payload("a box of balls", "world", Noul("Is it red?")))[:43]
    '{"state": "a box of balls", "model": "world'
    """
    return {"state": state, "model": model, "questions": {QUESTION: asked.tree}}


def joint_payload(state: Tree, model: str, asked: Sequence[Asked]) -> Tree:
    """The JSON tree of one request with several questions about one state, named q1, q2, ... in order.

    >>> list(joint_payload("a box", "world", (Noul("Is it red?"), Noul("Is it new?")))["questions"])
    ['q1', 'q2']
    """
    questions: dict[str, Tree] = {f"{QUESTION}{place}": one.tree for place, one in enumerate(asked, 1)}
    return {"state": state, "model": model, "questions": questions}


def portable(asked: Asked) -> tuple[str, ...]:
    """Why a question cannot go to every server unchanged; empty when it can.

    Every server takes: instructions always, texts as instructions and descriptions, both or no criteria
    of a noul, at most 26 options, option names without "/", 2 to 10 described levels.

    >>> portable(Choice("Which?", (("red/blue", "either"), ("green", None))))
    ("the option name 'red/blue' can hold '/'", "the option 'green' is not described")
    """
    return (*asked.faults, *(() if asked.instructions else ("there are no instructions",)))


def _holds(text: Text, mark: str) -> bool:
    if isinstance(text, str):
        return mark in text
    return any(
        item.holds(mark)
        if isinstance(item, Slot)
        else any(mark in shown for shown in ((item.text,) if isinstance(item, Literal) else item.texts))
        for item in text.items
    )


def _shown(text: Text) -> str:
    if isinstance(text, str):
        return f"'{text}'"
    parts: Sequence[str] = [item.text if isinstance(item, Literal) else item.label for item in text.items]
    return f"'{''.join(parts)}'"
