"""Arms: one way to ask, as the orthogonal fields of which `worldgen.cohort.fields` has the one table."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import product

from worldgen.cohort.fields import (
    BINDINGS,
    CONTRACTS,
    FILLINGS,
    INTERFACES,
    Allowed,
    Binding,
    Contract,
    Evidence,
    Feedback,
    Filling,
    Interface,
    Support,
    one_of,
    unfit,
)
from worldgen.collecting.controllers.options import ControllerError


@dataclass(frozen=True)
class Arm:
    """One way to ask.

    interface  what is shown and what is asked for (`INTERFACES`)
    support    which options a request has: whole answers, all symbols, those that a candidate has at the
               position, or those by which a candidate continues the prefix
    filling    which positions are not asked for: none; those where the support is a single symbol; those
               where the candidates have a single symbol, with all symbols as options elsewhere; those that
               the task does not list, which must have a single one
    feedback   which prefix a request shows: none, what the run itself has given, the right one, one stated
               by the task; or all positions are asked for in one request
    evidence   how a string that is supplied is shown: as it is, with a table of its positions, with the very
               symbol that is asked for, or padded to the length that the table would have
    binding    how options are called, and contract whether an answer is a code or a character (`options`)
    wording and order number the texts and the displayed orders, from 0

    A field that is left out has the usual value of its interface. Raises ControllerError for fields that do
    not go together.

    >>> Arm("serial", "union", "fill").feedback, Arm("copy").evidence
    ('own', 'raw')
    >>> Arm("serial", "union", "full-fill")
    Traceback (most recent call last):
    worldgen.collecting.controllers.options.ControllerError: the support union has no filling full-fill
      try: one of call, fill
    """

    interface: Interface
    support: Support | None = None
    filling: Filling = "call"
    feedback: Feedback | None = None
    evidence: Evidence | None = None
    binding: Binding = "literal"
    contract: Contract = "code"
    wording: int = 0
    order: int = 0

    def __post_init__(self) -> None:
        allowed = INTERFACES.get(self.interface)
        if allowed is None:
            raise ControllerError(f"no interface is called {self.interface}", remedy=one_of(INTERFACES))
        for name, usual in (
            ("support", allowed.supports[0]),
            ("feedback", allowed.feedbacks[0]),
            ("evidence", allowed.evidences[0]),
        ):
            if getattr(self, name) is None:
                object.__setattr__(self, name, usual)
        why = refusal(self)
        if why is not None:
            raise ControllerError(why[0], remedy=why[1])

    @property
    def shows(self) -> Allowed:
        """What its requests show."""
        return INTERFACES[self.interface]

    @property
    def whole(self) -> bool:
        """Whether it asks for whole answers."""
        return self.support == "answers"


def refusal(arm: Arm) -> tuple[str, str] | None:
    """Why the fields of an arm do not go together, and what to do; None if they do."""
    if arm.whole and arm.binding != "literal":
        return "only single symbols are bound to codes", "use the binding literal"
    return unfit(arm)


def every_arm() -> Iterator[Arm]:
    """All arms that the table allows, in wording 0 and order 0.

    >>> sum(arm.interface == "serial" and arm.binding == "literal" for arm in every_arm())
    14
    """
    for interface, allowed in INTERFACES.items():
        for support, feedback, evidence in product(allowed.supports, allowed.feedbacks, allowed.evidences):
            for filling, binding, contract in product(FILLINGS[support], BINDINGS, CONTRACTS):
                try:
                    yield Arm(interface, support, filling, feedback, evidence, binding, contract)
                except ControllerError:
                    continue


def columns(arm: Arm) -> dict[str, str | int]:
    """The fields of an arm by name, as the columns of a table.

    >>> list(columns(Arm("native")).items())[:3]
    [('interface', 'native'), ('support', 'answers'), ('filling', 'call')]
    """
    return {field.name: getattr(arm, field.name) for field in fields(arm)}
