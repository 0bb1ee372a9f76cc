"""The fields of a request about candidates, and the one table of which values go together.

Requests of a cohort and requests of a driven run have these fields alike. A run adds which positions it fills
in by itself, and that a prefix may be its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

Interface = Literal[
    "native",
    "candidates-only",
    "independent",
    "serial",
    "teacher-forced",
    "copy",
    "self-plan-spell",
    "prefix-probe",
    "stopping",
    "identity-check",
    "program-return",
]
Support = Literal["answers", "full", "union", "trie"]
Filling = Literal["call", "fill", "full-fill", "listed"]
Feedback = Literal["none", "own", "gold", "draft", "batch"]
Evidence = Literal["none", "raw", "indexed", "direct", "padded"]
Binding = Literal["literal", "opaque", "remapped", "aligned", "conflicting"]
Contract = Literal["code", "character"]
Order = Literal["canonical", "reversed", "permuted"]

EVIDENCES: tuple[Evidence, ...] = ("raw", "indexed", "direct", "padded")
BINDINGS: tuple[Binding, ...] = ("literal", "opaque", "remapped", "aligned", "conflicting")
CONTRACTS: tuple[Contract, ...] = ("code", "character")
ORDERS: tuple[Order, ...] = ("canonical", "reversed", "permuted")
WORDINGS = 3


@dataclass(frozen=True)
class Allowed:
    """What an interface shows, and which values of the other fields go with it, the usual one first.

    `problem` and `candidates` say whether its requests show them, `supplied` whether they show a string that
    is to be copied or checked.
    """

    supports: tuple[Support, ...] = ("full",)
    feedbacks: tuple[Feedback, ...] = ("none",)
    evidences: tuple[Evidence, ...] = ("none",)
    problem: bool = True
    candidates: bool = True
    supplied: bool = False


_ANY: tuple[Support, ...] = ("full", "union", "trie", "answers")
_COPIED: tuple[Feedback, ...] = ("own", "none", "batch", "gold", "draft")

INTERFACES: Mapping[Interface, Allowed] = {
    "native": Allowed(("answers",)),
    "candidates-only": Allowed(("answers", "full", "union", "trie"), ("none", "gold"), problem=False),
    "independent": Allowed(("full", "union"), ("none", "batch")),
    "serial": Allowed(("full", "union", "trie"), ("own",)),
    "teacher-forced": Allowed(("full", "union", "trie"), ("gold",)),
    "copy": Allowed(_ANY, _COPIED, EVIDENCES, problem=False, supplied=True),
    "self-plan-spell": Allowed(("full",), ("own", "none", "batch"), EVIDENCES, supplied=True),
    "prefix-probe": Allowed(("full", "union", "answers"), ("draft",)),
    "stopping": Allowed(feedbacks=("own",)),
    "identity-check": Allowed(evidences=EVIDENCES, problem=False, supplied=True),
    "program-return": Allowed(problem=False, candidates=False, supplied=True),
}

FILLINGS: Mapping[Support, tuple[Filling, ...]] = {
    "answers": ("call",),
    "full": ("call", "full-fill", "listed"),
    "union": ("call", "fill"),
    "trie": ("call", "fill"),
}


class Fields(Protocol):
    """Anything that has a value of each field: an arm, or a variant as a view shows it."""

    @property
    def interface(self) -> Interface:
        """What is shown and asked for (`INTERFACES`)."""
        ...

    @property
    def support(self) -> Support | None:
        """Which options a request has: whole answers, all characters, those that a candidate has at the
        position, or those by which a candidate continues the prefix.
        """
        ...

    @property
    def filling(self) -> Filling:
        """Which positions are put in without a request."""
        ...

    @property
    def feedback(self) -> Feedback | None:
        """Which prefix a request shows: none, what the run itself has given, the right one, one that is
        stated; or all positions are asked for at once.
        """
        ...

    @property
    def evidence(self) -> Evidence | None:
        """How a supplied string is shown: as it is, with a table of its positions, with the very character
        that is asked for besides, or padded to the length that the table has.
        """
        ...

    @property
    def binding(self) -> Binding:
        """What options are called: what the wire calls them (literal), identifiers that say nothing (opaque),
        the same deranged (remapped), the character itself (aligned), or another one (conflicting).
        """
        ...

    @property
    def contract(self) -> Contract:
        """Whether an answer is a code, what an option is called, or a character, what it says."""
        ...

    @property
    def wording(self) -> int:
        """The number of the wording, from 0."""
        ...

    @property
    def order(self) -> int:
        """The number of the displayed order, from 0, in `ORDERS`."""
        ...


@dataclass(frozen=True)
class Way:
    """A value of each field."""

    interface: Interface
    support: Support
    feedback: Feedback = "none"
    evidence: Evidence = "none"
    binding: Binding = "literal"
    contract: Contract = "code"
    wording: int = 0
    order: int = 0
    filling: Filling = "call"


def unfit(fields: Fields) -> tuple[str, str] | None:
    """Why the values of the fields do not go together, and what to do; None if they do.

    >>> unfit(Way("serial", "union", "own"))
    >>> unfit(Way("serial", "union", "gold"))
    ('the interface serial has no feedback gold', 'one of own')
    """
    allowed = INTERFACES[fields.interface]
    support: Support = fields.support or "full"
    choices: tuple[tuple[str, str, object, tuple[object, ...]], ...] = (
        (f"interface {fields.interface}", "support", fields.support, allowed.supports),
        (f"interface {fields.interface}", "feedback", fields.feedback, allowed.feedbacks),
        (f"interface {fields.interface}", "evidence", fields.evidence, allowed.evidences),
        (f"support {support}", "filling", fields.filling, FILLINGS.get(support, ())),
        ("table", "binding", fields.binding, BINDINGS),
        ("table", "contract", fields.contract, CONTRACTS),
        ("table", "wording", fields.wording, tuple(range(WORDINGS))),
        ("table", "order", fields.order, tuple(range(len(ORDERS)))),
    )
    for owner, name, value, known in choices:
        if value not in known:
            return f"the {owner} has no {name} {value}", one_of(known)
    return _at_odds(fields)


def _at_odds(fields: Fields) -> tuple[str, str] | None:
    whole, batch = fields.support == "answers", fields.feedback == "batch"
    filled, bound = fields.filling != "call", fields.binding != "literal"
    asked = "whole answer" if whole else "request for all positions"
    checked = fields.interface in {"identity-check", "program-return"}
    rules = (
        (
            filled and (batch or fields.interface not in {"serial", "independent"}),
            f"the interface {fields.interface} asks for every position" + " at once" * batch,
            "use the filling call",
        ),
        (
            whole and fields.feedback not in {"none", "draft"},
            "a whole answer is given at once",
            "use the feedback none, or draft",
        ),
        (
            batch and fields.support != "full",
            "all positions of one request have the same options",
            "use the support full",
        ),
        (
            fields.support == "trie" and fields.feedback not in {"own", "gold"},
            "a trie continues a right beginning that is shown",
            "use the feedback own or gold",
        ),
        (
            fields.evidence == "direct" and (batch or whole),
            f"a {asked} has no one symbol to show",
            "use the evidence raw or indexed",
        ),
        (
            bound and (checked or (whole and fields.binding != "opaque")),
            "only single symbols are bound to codes",
            "use the binding literal",
        ),
    )
    return next(((message, remedy) for broken, message, remedy in rules if broken), None)


def one_of(known: object) -> str:
    """A remedy that lists the known values.

    >>> one_of(("own", "none"))
    'one of own, none'
    """
    return f"one of {', '.join(map(str, known))}" if isinstance(known, tuple | Mapping) else ""
