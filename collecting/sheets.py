"""Sheets: what an arm asks about the roots of a cohort, and how each of its requests is worded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from worldgen.cohort.fields import Contract
from worldgen.cohort.wording import Worded, labels_of, word
from worldgen.collecting.chance import Chance
from worldgen.collecting.construction import Right
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.options import ControllerError, Option
from worldgen.collecting.controllers.records import Request
from worldgen.collecting.controllers.running import Run, start
from worldgen.collecting.controllers.symbols import END, STOPPING, name_of
from worldgen.collecting.controllers.tasks import CHECKED, SPARE, Task
from worldgen.collecting.roots import Root, Roots, SheetError
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.items import NamedTask

SEED = 20261130
NAMES: Mapping[str, str] = {symbol: name_of(symbol) for symbol in STOPPING}


@dataclass(frozen=True)
class Extras:
    """What an arm needs that neither it nor a cohort says.

    `plans` are the strings to be copied, checked or returned, by root: what a system chose before. `listed`
    are positions, from 0, that the filling "listed" asks for besides those at which candidates differ. With
    `slip` a stated draft has one wrong character, and an identity check claims a wrong one. With `named`
    positions are asked for by the field that they are about, where the world has such. What is left to
    chance is drawn with `seed`. An arm that makes nothing of one of these refuses it.
    """

    plans: Mapping[str, str] | None = None
    listed: tuple[int, ...] = ()
    slip: bool = False
    named: bool = False
    seed: int = SEED

    @property
    def given(self) -> tuple[str, ...]:
        """Those that are given, by the names of the options that give them; the seed always is."""
        said = (("plans", self.plans is not None), ("listed", self.listed), ("slip", self.slip))
        return tuple(name for name, value in (*said, ("named", self.named)) if value)


@dataclass(frozen=True)
class Sheet:
    """The tasks of an arm by root, and the roots through the view that the arm asks about."""

    roots: Roots
    arm: Arm
    seen: Mapping[str, Root]
    tasks: Mapping[str, Task]

    @property
    def wire(self) -> str:
        """The wire of the cohort."""
        return self.roots.cohort.wire

    @property
    def contract(self) -> Contract:
        """Whether answers are codes or characters."""
        return self.arm.contract

    @property
    def names(self) -> Iterable[str]:
        """The roots, in the order of the cohort."""
        return self.tasks

    @property
    def without(self) -> int:
        """How many roots no run is about, for lack of a plan."""
        return len(self.roots.by_id) - len(self.tasks)

    def start(self, root_id: str) -> Run:
        """The run about a root before its first answer."""
        return start(self.arm, self.tasks[root_id])

    def about(self, root_id: str) -> tuple[str, ...]:
        """The roots that the run about a root is about."""
        return (root_id,)

    def options(self, request: Request) -> tuple[tuple[Option, ...], ...]:
        """The options of each question of a request."""
        return (request.options,) * max(len(request.positions), 1)

    def word(self, root_id: str, request: Request) -> Worded:
        """The payload of a request, as the cohort words requests."""
        root, shown = self.seen[root_id], request.shown
        return word(
            self.roots.cohort,
            root.stratum,
            root.texts,
            [(option.code, option.symbol) for option in request.options],
            request.positions,
            draft=request.prefix or (),
            supplied=None if shown is None or root.copied is not None else shown.string,
            claimed=None if shown is None else shown.claimed,
            evidence=self.arm.evidence or "none",
            contract=self.arm.contract,
            wording=self.arm.wording,
            names=NAMES if self.arm.interface == "stopping" else None,
            named=self.tasks[root_id].named,
        )

    def right(self, root_id: str, request: Request) -> tuple[Right, ...]:
        """What is right for each question of a request: of a string that is to be copied its own symbols.

        Raises SheetError where the evaluator's side is not here.
        """
        shown = request.shown
        wanted = self.roots.gold[root_id] if shown is None else shown.string
        if shown is not None and shown.claimed is not None:
            holds = wanted[request.positions[0]] == shown.claimed
            return (Right(request.positions[0], CHECKED[0] if holds else CHECKED[1]),)
        if self.arm.whole:
            return (Right(None, wanted),)
        ended = (*wanted, *[END] * (1 + SPARE))
        last = len(wanted) - 1
        return tuple(
            Right(at, ended[at], at == last, wanted[min(at, len(wanted)) - 1]) for at in request.positions
        )


def sheet(roots: Roots, arm: Arm, extras: Extras = Extras()) -> Sheet:
    """The sheet of an arm over the roots of a cohort.

    The public side is enough for arms that show nothing of the right answer. Raises SheetError where an arm
    asks about more than the cohort shows, or shows what only the evaluator knows and that is not here, and
    ControllerError where a task does not fit the arm. Roots that `extras.plans` have no string for are left
    out, and SheetError is raised where that leaves none.
    """
    _check_extras(roots, arm, extras)
    seen, tasks = {}, {}
    for root_id, root in roots.by_id.items():
        supplied = _supplied(roots, root, arm, extras)
        if arm.shows.supplied and supplied is None:
            continue  # of a system that chose nothing there is nothing to copy
        seen[root_id] = _through(root, arm, supplied)
        if extras.named and not _has_fields(seen[root_id], arm):
            raise SheetError(
                f"{root.world.name} has no fields that {arm.interface} could ask for by name",
                remedy="ask for single positions of a problem of the world facts or dialogue",
            )
        tasks[root_id] = _task(roots, root, arm, extras, supplied)
        try:
            start(arm, tasks[root_id])
        except ControllerError as error:
            raise SheetError(f"{root_id}: {error.message}", remedy=error.remedy) from error
    if not tasks:
        raise SheetError(
            "the plans say nothing about any root of the cohort",
            remedy="give plans of a system that chose whole answers of this cohort, and valid ones",
        )
    return Sheet(roots, arm, seen, tasks)


def _check_extras(roots: Roots, arm: Arm, extras: Extras) -> None:
    """Refuse what is given and would change nothing."""
    used = {
        "plans": arm.shows.supplied,
        "listed": arm.filling == "listed",
        "slip": arm.feedback == "draft" or arm.interface == "identity-check",
        "named": True,  # or else refused where the fields are looked for
    }
    whose = {
        "plans": "take an arm that copies, such as self-plan-spell",
        "listed": "take the filling listed",
        "slip": "take the arm prefix-probe or identity-check, or the feedback draft",
    }
    for name in extras.given:
        if not used[name]:
            raise SheetError(f"the arm {arm.interface} makes nothing of {name}", remedy=whose[name])
    longest = max((len(root.candidates[0]) for root in roots.by_id.values()), default=0)
    if extras.listed and max(extras.listed) >= longest:
        raise SheetError(
            f"no answer of the cohort has a position {max(extras.listed) + 1}",
            remedy=f"list positions from 1 to {longest}",
        )


def _has_fields(root: Root, arm: Arm) -> bool:
    """Whether the positions of a root are fields with names, and the arm asks for them one by one."""
    by_one = not arm.whole and arm.feedback != "batch" and arm.interface not in {"stopping", "program-return"}
    return root.world.states and by_one and isinstance(root.world.model.task, NamedTask)


def _supplied(roots: Roots, root: Root, arm: Arm, extras: Extras) -> str | None:
    """The string that is copied, checked or returned; None where there is none."""
    if not arm.shows.supplied:
        return None
    if extras.plans is not None:
        return extras.plans.get(root.root_id)
    if arm.interface in {"self-plan-spell", "program-return"}:
        raise SheetError(
            f"the arm {arm.interface} is about strings that a system chose before",
            remedy="give their records or reports as plans",
        )
    return root.copied or roots.gold[root.root_id]


def _through(root: Root, arm: Arm, supplied: str | None) -> Root:
    """The root through the view that the arm asks about."""
    if arm.shows.problem:
        view = "problem"
    elif arm.interface == "candidates-only":
        view = "candidates"
    elif root.world.seen in COPYING and root.copied == supplied:
        return root
    else:
        view = "copy"
    return root if root.world.seen == view else root.through(view, supplied)


def _task(roots: Roots, root: Root, arm: Arm, extras: Extras, supplied: str | None) -> Task:
    chance, candidates = Chance(extras.seed, root.root_id), root.candidates
    symbols = STOPPING if arm.interface == "stopping" else tuple(roots.inventory(root))
    plain = Task(None, candidates, symbols, supplied)
    found = replace(
        plain,
        gold=roots.gold[root.root_id] if arm.feedback == "gold" and supplied is None else None,
        labels=labels_of(roots.cohort.wire, max(len(candidates), len(symbols), len(CHECKED))),
        naming=None if arm.binding == "literal" else chance.naming(symbols),
        orders=chance.orders(len(symbols)) if arm.order else (),
        named=extras.named,
    )
    if arm.filling == "listed":
        listed = {*plain.geometry.open_positions, *(at for at in extras.listed if at < plain.length)}
        return replace(found, listed=tuple(sorted(listed)))
    at = chance.position(plain.length)
    if arm.interface == "identity-check":
        own = (supplied or "")[at]
        return replace(found, positions=(at,), claimed=chance.other(own, symbols) if extras.slip else own)
    if arm.feedback == "draft":
        draft = roots.gold[root.root_id][:at]
        return replace(found, positions=(at,), draft=chance.slipped(draft, symbols) if extras.slip else draft)
    return found
