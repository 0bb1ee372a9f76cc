"""Tasks: what an arm is asked about, as plain values, and what must hold for the two to go together."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.options import ControllerError, Naming, Option, bound
from worldgen.collecting.controllers.symbols import END
from worldgen.exact.geometry import Candidates

SPARE = 3
"""A run that says itself where it ends may take so many steps beyond the length of the answer."""

CHECKED = ("true", "false")


@dataclass(frozen=True)
class Task:
    """The right answer `gold`, the `candidates` for it in their displayed order, and the `symbols` of its
    positions in canonical order; positions count from 0. `gold` is None for whoever asks without knowing it,
    which all arms allow but those that show it.

    supplied   the string that is copied, checked or returned; it may be wrong
    positions  those that are asked for, all by default
    listed     those of them that the filling "listed" asks for
    draft      the prefix that the feedback "draft" states
    claimed    the symbol that an identity check claims for its one position
    naming     the codes of the symbols, for a binding other than literal
    orders     for each of the displayed orders a permutation of the symbols; the canonical order by default
    labels     what the options of a request are called by their place, for the binding literal; by default
               each is called by its symbol
    named      whether requests ask for the field that a position is about, with words for symbols
    """

    gold: str | None
    candidates: tuple[str, ...]
    symbols: tuple[str, ...]
    supplied: str | None = None
    positions: tuple[int, ...] | None = None
    listed: tuple[int, ...] = ()
    draft: str | None = None
    claimed: str | None = None
    naming: Naming | None = None
    orders: tuple[tuple[int, ...], ...] = ()
    labels: tuple[str, ...] = ()
    named: bool = False

    @property
    def known(self) -> str:
        """The right answer. Raises ControllerError where it is not known."""
        if self.gold is None:
            raise ControllerError("the right answer is not known", remedy="give the task its gold")
        return self.gold

    @property
    def length(self) -> int:
        """The number of characters of the answer, which every candidate and a supplied string have, too."""
        return len(next((text for text in (self.gold, *self.candidates[:1], self.supplied) if text), ""))

    @property
    def asked(self) -> tuple[int, ...]:
        """The positions that are asked for or filled."""
        return tuple(range(self.length)) if self.positions is None else self.positions

    @cached_property
    def geometry(self) -> Candidates:
        """The candidates over the symbols that are characters, in canonical order."""
        return Candidates(self.candidates, "".join(symbol for symbol in self.symbols if symbol != END))

    def options(self, arm: Arm) -> tuple[Option, ...]:
        """All options of an arm, bound and in its displayed order; filtering keeps both."""
        if arm.interface == "identity-check":
            return bound(CHECKED, "literal")
        if arm.whole:
            return bound(self.candidates, "literal")
        found = bound(self.symbols, arm.binding, self.naming)
        return tuple(found[place] for place in self.orders[arm.order]) if self.orders else found

    def labelled(self, options: tuple[Option, ...]) -> tuple[Option, ...]:
        """Options under the binding literal: called by their places, where these have names."""
        if not self.labels:
            return options
        return tuple(map(Option, self.labels, (option.symbol for option in options)))


def check(arm: Arm, task: Task) -> None:
    """Raise ControllerError for the first reason why a task does not fit an arm."""
    for message, remedy in _faults(arm, task):
        raise ControllerError(message, remedy=remedy)
    task.options(arm)  # raises where the binding has no codes for the symbols


def _faults(arm: Arm, task: Task) -> Iterator[tuple[str, str]]:
    characters = {symbol for symbol in task.symbols if len(symbol) == 1 or symbol == END}
    if not len(characters) == len(set(task.symbols)) == len(task.symbols):
        yield f"symbols are distinct characters, or {END}", "give each value one character of its own"
    yield from _unlike_its_answer(arm, task)
    if not task.candidates and (arm.whole or arm.support in {"union", "trie"} or arm.filling != "call"):
        yield f"the support {arm.support} and the filling {arm.filling} need candidates", "give the task some"
    if any(not 0 <= position < task.length for position in (*task.asked, *task.listed)):
        yield f"positions run from 0 to {task.length - 1}", "count positions from 0"
    if len(set(task.asked)) < len(task.asked):
        yield "a position stands twice", "ask for each position once"
    if (END in task.symbols) != (arm.interface == "stopping"):
        yield f"{END} is a symbol of the interface stopping, and of no other", "change the symbols"
    if task.orders and arm.order >= len(task.orders):
        yield f"the task has {len(task.orders)} orders, not an order {arm.order}", "give it more orders"
    if any(sorted(order) != list(range(len(task.symbols))) for order in task.orders):
        yield "an order is no permutation of the symbols", f"permute 0 to {len(task.symbols) - 1}"
    if task.labels and (len(set(task.labels)) < len(task.labels) or len(task.labels) < _most(arm, task)):
        yield f"{_most(arm, task)} options need a label each, all different", "give the task more labels"
    yield from _unlike_what_it_shows(arm, task)
    yield from _unlike_the_order_of_its_run(arm, task)


def _most(arm: Arm, task: Task) -> int:
    """The greatest number of options of a request."""
    return len(
        task.candidates if arm.whole else CHECKED if arm.interface == "identity-check" else task.symbols
    )


def _unlike_its_answer(arm: Arm, task: Task) -> Iterator[tuple[str, str]]:
    gold = task.gold
    if gold is None and arm.feedback == "gold" and not arm.shows.supplied:
        yield (
            f"the interface {arm.interface} shows the right answer, which is not known",
            "give the task gold",
        )
    if gold is None and not task.length:
        yield "nothing says how long the answer is", "give the task gold, candidates or a supplied string"
    if gold is not None and (not gold or not set(gold) <= set(task.symbols)):
        yield f"the answer {gold!r} is no string of the symbols", "add its characters to the symbols"
    if gold is not None and task.candidates and gold not in task.geometry.words:
        yield f"the answer {gold!r} is not among the candidates", "add it, or leave the candidates out"


def _unlike_what_it_shows(arm: Arm, task: Task) -> Iterator[tuple[str, str]]:
    if arm.shows.supplied != (task.supplied is not None):
        verb = "needs a" if arm.shows.supplied else "shows no"
        yield f"the interface {arm.interface} {verb} supplied string", "change `supplied`"
    if task.supplied is not None and len(task.supplied) != task.length:
        yield (
            f"the supplied string has {len(task.supplied)} characters, the answer {task.length}",
            "match them",
        )
    if not set(task.supplied or "") <= set(task.symbols):
        yield (
            f"the supplied string {task.supplied!r} is no string of the symbols",
            "add its characters to them",
        )
    if arm.interface == "identity-check" and (len(task.asked) != 1 or task.claimed is None):
        yield "an identity check needs one position, and a symbol claimed for it", "set both"
    if arm.feedback == "draft" and (len(task.asked) != 1 or len(task.draft or "") != task.asked[0]):
        yield "a draft must reach to the one position that is asked for", "set `positions` and `draft`"


def _unlike_the_order_of_its_run(arm: Arm, task: Task) -> Iterator[tuple[str, str]]:
    own = arm.feedback == "own" or arm.whole or arm.interface in {"stopping", "program-return"}
    if own and arm.feedback != "draft" and task.positions is not None:
        yield f"the interface {arm.interface} goes through all positions", "leave `positions` out"
    if arm.filling == "listed":
        closed = set(range(task.length)) - set(task.geometry.open_positions)
        if not set(task.asked) - set(task.listed) <= closed:
            yield "a position that is not listed has several symbols", "list every open position"
