"""Shapes: all that decides how a question about candidates reads but for the values of one item, as plans.

A shape is compiled to a plan, which is proved, and then every item is one row of it, whether a cohort asks
about it or a run that is driven.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from string import ascii_letters, digits
from typing import Literal as Among
from typing import cast

from worldgen.cohort.fields import Contract, Evidence
from worldgen.cohort.presenting import written
from worldgen.exact.domains import Identifiers, Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers import chat, systemone
from worldgen.renderers.encodings import candidate_prompts
from worldgen.renderers.lines import Column, Leaf, Literal, Slot, Tree
from worldgen.renderers.plans import Plan
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import SUPPLIED, CandidateWorld
from worldgen.worlds.items import NamedTask

POSITION, FIELD = "position", "field"
DRAFT, TABLE, FILLER, SYMBOL, CLAIMED = "draft", "table", "filler", "symbol", "claimed"
MARK = "?"
"""What a draft shows for a step that gave no character; no alphabet of a world has it."""
END = "END"
"""The option that stands for the end of the answer, where answers end by themselves."""
SPARE = 3
"""So many positions beyond its answer may be asked for where answers end by themselves."""
CHECKED = ("true", "false")

LABEL = Identifiers(ascii_letters + digits, 1, 8)
_NAMES = Identifiers(ascii_letters + digits + " ", 1, 32)
_LISTED = Identifiers(ascii_letters + digits + " /", 1, 4096)

# What templates may name, whether a shape shows it or not.
_UNSAID: Mapping[str, str] = dict.fromkeys(
    (DRAFT, TABLE, FILLER, SYMBOL, CLAIMED, SUPPLIED, FIELD, "given"), ""
)


@dataclass(frozen=True)
class Shape:
    """All of a request but the values of its item.

    `asks` is what for: which word, which character (at one position, or at each of several), what is said of
    a field, or whether a character that is claimed stands at a position. There are `width` options at
    `positions` positions; `labelled` says that what they are called differs by row, `ending` that they are
    described by names of characters, among which END may be. `drafted` says how a draft is shown, if one is:
    `plain`, with a mark in it, or as a list of names. `given` says that a word to be copied stands beside a
    view that shows none.
    """

    asks: Among["word", "character", "field", "claim"]
    width: int
    positions: int = 0
    labelled: bool = False
    ending: bool = False
    drafted: Among["", "plain", "marked", "listed"] = ""
    given: bool = False
    evidence: Evidence = "raw"
    contract: Contract = "code"
    wording: int = 0


@dataclass(frozen=True, eq=False)
class Wording:
    """A shape, compiled for a world on a wire: the plan and the variables of its question.

    `options` hold what each option says, `keys` what it is called, where that differs by row; else `labels`
    says so, by place.
    """

    world: CandidateWorld
    shape: Shape
    plan: Plan
    positions: tuple[Variable, ...]
    options: tuple[Variable, ...]
    keys: tuple[Variable, ...]
    labels: tuple[str, ...]
    portable: bool

    @cached_property
    def alphabet(self) -> str:
        """The characters that answers may have."""
        return self.world.model.task.alphabet

    def beside(self, word: str, place: int | None) -> dict[str, str]:
        """The texts of what the evidence shows of a word to be copied, asked for at a place from 0."""
        match self.shape.evidence:
            case "padded":
                return {FILLER: filler(word)}
            case "indexed":
                return {TABLE: table(word)}
            case "direct":
                assert place is not None, "direct evidence is of one position"
                # A word that is too short has no such character, and then nothing is asked.
                symbol = word[place] if place < len(word) else self.alphabet[0]
                return {TABLE: table(word), SYMBOL: symbol}
            case _:
                return {}


def labels_of(wire: str, width: int) -> tuple[str, ...]:
    """What a wire calls so many options, by place.

    >>> labels_of("systemone", 3), labels_of("chat", 3)
    (('c1', 'c2', 'c3'), ('A', 'B', 'C'))
    """
    return chat.letters(width) if wire == "chat" else tuple(f"c{place + 1}" for place in range(width))


def table(word: str) -> str:
    """The characters of a word, each behind its position.

    >>> table("589")
    '1:5 2:8 3:9'
    """
    return " ".join(f"{place}:{symbol}" for place, symbol in enumerate(word, 1))


def filler(word: str) -> str:
    """Points in place of the table of a word and the sentence that it stands in, as many as these have bytes.

    >>> sentence = "The characters of the word to be copied, each behind its position: "
    >>> len(filler("589")) == len(sentence + table("589"))
    True
    """
    return "." * (_sentence() + len(table(word)))


@lru_cache(maxsize=1)
def _sentence() -> int:
    """The length of the sentence that a table stands in, without what parts it from the state."""
    leaf = candidate_prompts()["beside"].leaf({**_UNSAID, "evidence": "indexed", "positions": ()})
    return len("".join(item.text for item in leaf.items if isinstance(item, Literal)).lstrip("\n"))


def compiled(world: CandidateWorld, state: Leaf, wire: str, model: str, shape: Shape) -> Wording:
    """The plan of a shape, after a state of the world. Raises PlanError, TemplateError or WireError."""
    positions, options, beside = _positions(world, shape), _options(world, shape), _beside(world, shape)
    keys = tuple(Variable(f"key_{place}", LABEL) for place in range(shape.width if shape.labelled else 0))
    labels = labels_of(wire, shape.width)
    names: dict[str, Constant] = {
        **_UNSAID,
        "asks": shape.asks,
        "target": "the word to be copied" if shape.given or world.seen in COPYING else "the right answer",
        "drafted": shape.drafted,
        "ending": "yes" if shape.ending else "",
        "given": "yes" if shape.given else "",
        "evidence": shape.evidence,
        "positions": positions,
        **({FIELD: positions[0]} if shape.asks == "field" else {}),
        **beside,
    }
    told = _followed(state, candidate_prompts()["beside"].leaf(names))
    called = [Leaf((Slot(key),)) for key in keys] or [Leaf((Literal(label),)) for label in labels]
    listed = [(label, Leaf((_shown(option),))) for label, option in zip(called, options, strict=True)]
    tree, portable = _payload(wire, model, shape, names, told, listed)
    shown = {one.name: one for one in (*world.view.shown, *positions, *beside.values(), *options, *keys)}
    plan = Plan(tree, tuple(shown.values()))
    return Wording(world, shape, plan, positions, options, keys, labels, portable)


def _followed(state: Leaf, more: Leaf) -> Leaf:
    """A state and what stands below it, if anything does, with one empty line between them."""
    last = state.items[-1] if state.items else None
    if not more.items or not isinstance(last, Literal):
        return Leaf((*state.items, *more.items))
    return Leaf((*state.items[:-1], Literal(last.text.rstrip("\n")), *more.items))


def _positions(world: CandidateWorld, shape: Shape) -> tuple[Variable, ...]:
    if shape.asks == "field":
        assert isinstance(world.model.task, NamedTask), "what is asked for by name has one"
        return (Variable(FIELD, Phrases(world.model.task.fields)),)
    longest = world.model.lengths[1] + (SPARE if shape.ending else 0)
    places = Phrases(tuple(map(str, range(1, longest + 1))))
    if shape.positions == 1:
        return (Variable(POSITION, places),)
    return tuple(Variable(f"{POSITION}_{number}", places) for number in range(1, shape.positions + 1))


def _options(world: CandidateWorld, shape: Shape) -> tuple[Variable, ...]:
    """What the options say: the candidates that the state lists, or variables of their own."""
    if shape.asks == "word":
        return world.candidates
    said: Phrases | Identifiers = Phrases(tuple(world.model.task.alphabet))
    if shape.asks == "claim":
        said = Phrases(CHECKED)
    elif shape.asks == "field" and isinstance(world.model.task, NamedTask):
        said = Phrases(world.model.task.meanings)
    elif shape.ending:
        said = _NAMES
    return tuple(Variable(f"character_{place}", said) for place in range(1, shape.width + 1))


def _beside(world: CandidateWorld, shape: Shape) -> dict[str, Variable]:
    """What a shape shows besides the state, the positions and the options, by name."""
    alphabet = world.model.task.alphabet
    symbols, longest = Phrases(tuple(alphabet)), world.model.lengths[1]
    found: dict[str, Variable] = {}
    if shape.drafted:
        marks = MARK if shape.drafted == "marked" else ""
        plain = Identifiers(alphabet + marks, 1, longest)
        found[DRAFT] = Variable(DRAFT, _LISTED if shape.drafted == "listed" else plain)
    if shape.given:
        found[SUPPLIED] = Variable(SUPPLIED, world.word)
    if shape.evidence in {"indexed", "direct"}:
        marks = "".join(dict.fromkeys(alphabet + digits + ": "))
        found[TABLE] = Variable(TABLE, Identifiers(marks, 1, len(table("x" * longest))))
    if shape.evidence == "direct":
        found[SYMBOL] = Variable(SYMBOL, symbols)
    if shape.evidence == "padded":
        found[FILLER] = Variable(FILLER, Identifiers(".", 1, len(filler("x" * longest))))
    if shape.asks == "claim":
        found[CLAIMED] = Variable(CLAIMED, symbols)
    return found


def _payload(  # noqa: PLR0913, PLR0917  (a payload has that many parts)
    wire: str,
    model: str,
    shape: Shape,
    names: Mapping[str, Constant],
    state: Leaf,
    options: Sequence[tuple[Leaf, Leaf]],
) -> tuple[Tree, bool]:
    """The payload, and whether it is portable."""
    prompt = candidate_prompts()[f"wording-{shape.wording}"]
    if shape.positions < 2:
        preamble = chat.PREAMBLE if shape.contract == "code" else chat.BY_ANSWER
        asked = prompt.leaf(names)
        return written(
            wire, model, "choice", state=state, instructions=asked, options=options, preamble=preamble
        )
    if wire == "chat":
        tree = chat.payload(
            state,
            model,
            prompt.leaf({**names, "asks": "characters"}),
            options,
            chat.JOINT if shape.contract == "code" else chat.JOINT_BY_ANSWER,
        )
        return tree, len(options) <= chat.PORTABLE_OPTIONS
    positions = cast(Sequence[Variable], names["positions"])
    questions = [
        systemone.Choice(prompt.leaf({**names, "positions": (one,)}), tuple(options)) for one in positions
    ]
    return systemone.joint_payload(state, model, questions), not any(map(systemone.portable, questions))


def _shown(option: Variable) -> Column | Slot:
    domain = option.domain
    return Column((option,), domain.values) if isinstance(domain, Phrases) else Slot(option)
