"""Sheets of dialogues: the turns of each dialogue in order, asked for field by field or all fields at once.

A world of dialogues has a root for every turn, which shows all turns up to it. A dialogue is a run of such
roots, each of which goes on where the one before it ends. Its fields are the positions of the state, their
values letters.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.fields import Contract
from worldgen.cohort.shapes import MARK, Shape, Wording, compiled
from worldgen.cohort.wording import Worded, drafted, labels_of, word
from worldgen.collecting.construction import Right
from worldgen.collecting.controllers.dialogues import (
    WAYS,
    Dialogue,
    DialogueArm,
    DialogueRequest,
    DialogueRun,
    Field,
    State,
)
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.roots import Root, Roots, SheetError
from worldgen.exact.domains import Identifiers
from worldgen.exact.variables import Variable, View
from worldgen.renderers.lines import Leaf, Literal, Slot
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.dialogues import TURNED, Dialogues
from worldgen.worlds.services import ABSENT, LETTERS, SERVICES

PRIOR = "prior"


@dataclass(frozen=True)
class Talk:
    """A dialogue of a cohort: its roots turn by turn, the names of its fields, and the letter of no value."""

    roots: tuple[Root, ...]
    fields: tuple[str, ...]
    initial: str


def talks_of(roots: Roots) -> list[Talk]:
    """The dialogues of a cohort, in the order of its roots.

    Raises SheetError where a root is about no dialogue, shows none, or goes on with one that is not there.
    """
    found: list[list[Root]] = []
    for root in roots.by_id.values():
        if not isinstance(root.world.model.task, Dialogues):
            raise SheetError(f"{root.world.name} has no dialogues", remedy="emit the world dialogue")
        if not root.world.states:
            raise SheetError(
                f"the view {root.world.seen} shows no turns", remedy="emit the cohort with --view problem"
            )
        said = turns(root)
        if len(said) == 1:
            found.append([])
        before = found[-1][-1:] if found else []
        if len(said) != 1 and not (before and turns(before[0]) == said[:-1]):
            raise SheetError(
                f"{root.root_id} goes on with a dialogue whose turns before are not there",
                remedy="emit the roots from the first on",
            )
        found[-1].append(root)
    return [_talk(each) for each in found]


def turns(root: Root) -> tuple[str, ...]:
    """The turns that a root shows, the last one last, behind its schema.

    A turn that is still to come is no turn.
    """
    task = root.world.model.task
    names = [one.name for one in task.variables[1:]]
    return tuple(text for name in names if (text := root.shown[name]) != ABSENT)


def _talk(roots: Sequence[Root]) -> Talk:
    known = {service.schema(way): (service, way) for service in SERVICES for way in (LETTERS, TURNED)}
    service, letters = known[roots[0].shown["schema"]]
    return Talk(tuple(roots), tuple(service.fields), letters[0])


@dataclass(frozen=True)
class TalkSheet:
    """The dialogues of a cohort, by the root of their first turn, and an arm that asks about them."""

    roots: Roots
    arm: DialogueArm
    talks: Mapping[str, Talk]

    @property
    def wire(self) -> str:
        """The wire of the cohort."""
        return self.roots.cohort.wire

    @property
    def contract(self) -> Contract:
        """Answers are codes."""
        return "code"

    @property
    def names(self) -> Iterable[str]:
        """The roots of the first turns, in the order of the cohort."""
        return self.talks

    @property
    def without(self) -> int:
        """Every root is about a turn of some run."""
        return 0

    @cached_property
    def _codes(self) -> tuple[str, ...]:
        return labels_of(self.wire, len(LETTERS))

    def start(self, name: str) -> DialogueRun:
        """The run about a dialogue before its first answer."""
        talk = self.talks[name]
        fields = tuple(Field(one, tuple(LETTERS), talk.initial, self._codes) for one in talk.fields)
        shows_gold = WAYS[self.arm].prior == "gold"
        gold = tuple(tuple(self.roots.gold[root.root_id]) for root in talk.roots) if shows_gold else None
        return DialogueRun(self.arm, Dialogue(fields, gold, None if shows_gold else len(talk.roots)))

    def about(self, name: str) -> tuple[str, ...]:
        """The roots of the turns of a dialogue."""
        return tuple(root.root_id for root in self.talks[name].roots)

    def options(self, request: DialogueRequest) -> tuple[tuple[Option, ...], ...]:
        """The options of each field that is asked for."""
        return tuple(field.options for field in request.fields)

    def right(self, name: str, request: DialogueRequest) -> tuple[Right, ...]:
        """The right value of each field that is asked for."""
        talk = self.talks[name]
        state = self.roots.gold[talk.roots[request.turn].root_id]
        places = [talk.fields.index(field.name) for field in request.fields]
        return tuple(Right(at, state[at], at == len(state) - 1) for at in places)

    def word(self, name: str, request: DialogueRequest) -> Worded:
        """The payload of a request. Where the state before stands in for the earlier turns, these are not
        shown, and it stands above the last one.
        """
        talk = self.talks[name]
        root = talk.roots[request.turn]
        places = [talk.fields.index(field.name) for field in request.fields]
        options = [(option.code, option.symbol) for option in request.fields[0].options]
        draft = tuple(value for _, value in request.partial or ())
        worded = word(self.roots.cohort, root.stratum, root.texts, options, places, draft=draft)
        if request.prior is None:
            return worded
        return replace(worded, payload=_replayed(self.roots.cohort, root, request.prior, options, places))


def talk_sheet(roots: Roots, arm: DialogueArm) -> TalkSheet:
    """The sheet of an arm over the dialogues of a cohort. Raises SheetError where there are none, and for an
    arm that shows the right state where only the evaluator, who is not here, knows it.
    """
    if WAYS[arm].prior == "gold":
        roots.gold  # noqa: B018  (raises where the evaluator's side is not here)
    return TalkSheet(roots, arm, {talk.roots[0].root_id: talk for talk in talks_of(roots)})


@dataclass(frozen=True)
class Replayed(CandidateWorld):
    """A world of dialogues whose requests show, above the last turn, the state before it."""

    @cached_property
    def view(self) -> View:
        """The state before, then what the world shows."""
        marked = Identifiers(self.model.task.alphabet + MARK, 1, self.model.lengths[1])
        return View(self.seen, (Variable(PRIOR, marked), *self._beside(self.seen), *self.candidates))


@lru_cache(maxsize=64)
def _wording(world: CandidateWorld, encoding: str, wire: str, model: str, shape: Shape) -> Wording:
    replayed = Replayed(world.model, world.seen)
    below = replayed.encodings[encoding].layouts[0].leaf(replayed.template_names(metadata=False))
    told = (
        Literal("Only the last turn is shown. Before it the state was given as "),
        Slot(replayed.view.shown[0]),
        Literal(f", which may be wrong; a {MARK} in it is a field that was given no value.\n\n"),
    )
    return compiled(replayed, Leaf((*told, *below.items)), wire, model, shape)


def _replayed(
    cohort: Cohort, root: Root, prior: State, options: Sequence[tuple[str, str]], places: Sequence[int]
) -> str:
    """The payload of a request for these fields that shows the last turn alone, and the state before it."""
    shape = Shape("character", len(options), len(places))
    found = _wording(root.world, root.stratum.encoding, cohort.wire, cohort.model, shape)
    said = turns(root)
    texts = {**root.shown, PRIOR: drafted(prior)}
    names = [one.name for one in root.world.model.task.variables[1:]]
    texts |= dict(zip(names, [said[-1], *[ABSENT] * (len(names) - 1)], strict=True))
    texts |= {one.name: str(at + 1) for one, at in zip(found.positions, places, strict=True)}
    texts |= {one.name: symbol for one, (_, symbol) in zip(found.options, options, strict=True)}
    codes = {}
    for one in found.plan.variables:
        code = one.domain.code(texts[one.name])
        assert code is not None, "what a root shows and states of letters are values of these variables"
        codes[one.name] = code
    return found.plan.line.write(codes)
