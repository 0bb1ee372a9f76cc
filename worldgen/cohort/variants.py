"""Variants: a question and its presentation, as orthogonal fields and one table of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from worldgen.cohort import grammar
from worldgen.cohort.fields import (
    ORDERS,
    Binding,
    Contract,
    Evidence,
    Feedback,
    Interface,
    Order,
    Support,
    Way,
    unfit,
)
from worldgen.cohort.grammar import UP_TO
from worldgen.exact.questions import Form
from worldgen.names import nearest
from worldgen.renderers.systemone import MOST_OPTIONS
from worldgen.worlds.base import World
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.items import NamedTask

PARTITION = "the partition"
CHARACTER = "a character"
BINARY = ("no", "yes")
WIRES = ("systemone", "chat")

_CASES = re.compile(r"case-([1-9][0-9]{0,5})", re.ASCII)
_PLACES = re.compile(r"at-([1-9][0-9]?)", re.ASCII)


@dataclass(frozen=True)
class Variant:
    """One request slot of every root.

    `asks` names an event of the world, or PARTITION for its categories. An event is asked for in the
    form "event", or as a "choice" of no and yes; ordered categories in the form "score". `given` names
    the condition, if any. `layout` is the position of the layout within the encoding, `metadata` whether
    the nuisance variables are shown.

    Three fields say how options are displayed, each on its own: `order` in which places they stand,
    `binding` whether they are called by what the wire uses (literal: names on systemone, letters on chat) or
    in one of the other ways of `fields`, and `ids` which letter each option has, where letters are used.
    "permuted" is drawn for every root and never the canonical one. A variant that repeats another names it
    in `repeats` and shares all its draws.

    A variant with `cases` shows its root as a case that belongs to one of two classes, after so many cases
    of the pool with their outcomes, and asks for the probability of A as one number.

    A variant that asks for a CHARACTER asks it of the right candidate, at the position that is number
    `branch`, from 1, of those at which candidates differ that begin as it does. `support` says which
    characters are its options: "full" all that a position may have, "union" those of the candidates there,
    "trie" those that continue the first characters of the right one, which are shown as a draft that may be
    wrong. Or it asks at the position `at`, from 1, whether candidates differ there or not, where the answer
    has so many.

    What asks about candidates has further fields. `draft` is how many characters of the answer are shown as
    a draft that may be wrong, 0 for all before the position that is asked for; with `slip` the draft has at
    that position, from 1, the next character of those that the position may have, in a circle. `evidence`
    says how a word to be copied is shown, `contract` whether an answer is what an option is called or what
    it says, and `wording` numbers the texts of the question. A variant that is `named` asks for what the
    position is about, with what the characters mean as options, where a problem has such names.
    """

    name: str
    form: Form
    asks: str
    given: str | None = None
    layout: int = 0
    order: Order = "canonical"
    binding: Binding = "literal"
    ids: Order = "canonical"
    metadata: bool = False
    repeats: str | None = None
    cases: int | None = None
    branch: int | None = None
    support: Support | None = None
    at: int | None = None
    draft: int | None = None
    slip: int | None = None
    evidence: Evidence = "raw"
    contract: Contract = "code"
    wording: int = 0
    named: bool = False

    @property
    def demonstrations(self) -> int:
        """How many cases of the pool it shows."""
        return self.cases or 0

    @property
    def events(self) -> tuple[str, ...]:
        """The named events that a world must have for this variant."""
        named = (self.asks, self.given)
        return tuple(name for name in named if name not in (None, PARTITION, CHARACTER))

    @property
    def asked(self) -> str:
        """What is asked, by the names of its events.

        >>> BY_NAME["conditional"].asked, BY_NAME["permutation"].asked
        ('A given B', 'category')
        """
        if self.asks == CHARACTER:
            return f"the character at {self.at or f'branch {self.branch}'}"
        what = "category" if self.asks == PARTITION else self.asks
        return f"{what} given {self.given}" if self.given else what

    def manner(self, layouts: Sequence[str]) -> tuple[str, ...]:
        """In what way it is not asked plainly; `layouts` are the names of the layouts of the encoding.

        >>> BY_NAME["rendering"].manner(("commas", "pipes")), BY_NAME["event"].manner(("commas",))
        (('layout pipes',), ())
        """
        said = {
            f"order {self.order}": self.order != "canonical",
            f"letters {self.ids}": self.ids != "canonical",
            f"keys {self.binding}": self.binding != "literal",
            f"layout {layouts[self.layout]}": self.layout != 0,
            "with metadata": self.metadata,
            f"repeats {self.repeats}": self.repeats is not None,
            f"{self.support} support": self.support is not None,
            "beside a draft": self.draft is not None and self.support != "trie",
            f"the draft wrong at {self.slip}": self.slip is not None,
            "by the name of the field": self.named,
            f"{self.evidence} evidence": self.evidence != "raw",
            "answered by what options say": self.contract == "character",
            f"wording {self.wording}": self.wording != 0,
            f"after {self.demonstrations} cases with their outcomes": self.demonstrations > 0,
        }
        return tuple(words for words, holds in said.items() if holds)


VARIANTS = (
    Variant("canonical", "choice", PARTITION),
    Variant("event", "event", "A"),
    Variant("complement", "event", "not A"),
    Variant("query-b", "event", "B"),
    Variant("intersection", "event", "A and B"),
    Variant("conditional", "event", "A", given="B"),
    Variant("binary-choice", "choice", "A"),
    Variant("permutation", "choice", PARTITION, order="permuted"),
    Variant("rendering", "choice", PARTITION, layout=1),
    Variant("opaque-keys", "choice", PARTITION, binding="opaque"),
    Variant("metadata", "choice", PARTITION, metadata=True),
    Variant("exact-repeat", "event", "A", repeats="event"),
    Variant("score", "score", PARTITION),
    Variant("event-recoded", "event", "A", order="reversed", ids="reversed"),
    Variant("complement-recoded", "event", "not A", order="reversed", ids="reversed"),
    Variant("ids-permuted", "choice", PARTITION, ids="permuted"),
    Variant("case", "event", "A", cases=0),
    Variant("full-1", "choice", CHARACTER, branch=1, support="full"),
    Variant("union-1", "choice", CHARACTER, branch=1, support="union"),
    Variant("full-2", "choice", CHARACTER, branch=2, support="full"),
    Variant("union-2", "choice", CHARACTER, branch=2, support="union"),
    Variant("trie-2", "choice", CHARACTER, branch=2, support="trie", draft=UP_TO),
    Variant("full-3", "choice", CHARACTER, branch=3, support="full"),
    Variant("union-3", "choice", CHARACTER, branch=3, support="union"),
    Variant("trie-3", "choice", CHARACTER, branch=3, support="trie", draft=UP_TO),
)


class _Variants(Mapping[str, Variant]):
    """The variants by name: those declared, `case-N` for any number N of demonstrations from 1, `at-N` for
    any position N from 1, and what asks about candidates with parts after it, as `grammar` reads them.
    """

    def __init__(self, declared: Sequence[Variant]) -> None:
        self._declared = {variant.name: variant for variant in declared}

    def __getitem__(self, name: str) -> Variant:
        # What could not be read of a spec is looked up as well, and is no name.
        if not isinstance(name, str):
            raise KeyError(name)
        base, *parts = name.split("+")
        if parts:
            return self._composed(name, self[base], parts)
        if place := _PLACES.fullmatch(name):
            return Variant(name, "choice", CHARACTER, support="full", at=int(place[1]))
        if cases := _CASES.fullmatch(name):
            return replace(self._declared["case"], name=name, cases=int(cases[1]))
        return self._declared[name]

    def _composed(self, name: str, base: Variant, parts: Sequence[str]) -> Variant:
        single = base.asks == CHARACTER
        fields: dict[str, Any] = grammar.fields_of(parts, single=single) or {}
        if not fields or not (single or base.name in WHOLE) or _empty(base, fields):
            raise KeyError(name)
        return replace(base, name=name, **fields)

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)


def _empty(base: Variant, fields: Mapping[str, Any]) -> str:
    """Why a draft of these fields shows nothing, or nothing new; empty where it does not, or there is
    none.
    """
    slip, draft = fields.get("slip"), fields.get("draft")
    reach = draft or (base.at or 1) - 1
    rules = (
        (base.support == "trie" and {draft, slip} != {None}, "a trie shows the right beginning already"),
        (slip is not None and draft is None, "a slip is in a draft: write draft before it"),
        (draft == UP_TO and 1 in {base.at, base.branch}, "nothing stands before the first position"),
        (slip is not None and base.branch is not None, "a slip has one position in all answers: take at-N"),
        (slip is not None and slip > reach, f"the draft has {reach} character{'s' * (reach != 1)}"),
    )
    return next((why for broken, why in rules if broken), "")


WHOLE = ("canonical", "opaque-keys")
"""What asks for a whole candidate and may have parts."""

BY_NAME: Mapping[str, Variant] = _Variants(VARIANTS)


def unknown(name: str) -> str:
    """What to say about a name that no variant has: the nearest one that there is, part for part.

    >>> unknown("at-3+indexd+opaque"), unknown("evnt")
    ("did you mean 'at-3+indexed+opaque'?", "did you mean 'event'?")
    """
    base, *parts = name.split("+")
    if not parts:
        return nearest(name, BY_NAME)
    if base == WHOLE[0] and "opaque" in parts:
        return (
            f"'canonical' with opaque keys is '{'+'.join([WHOLE[1], *(p for p in parts if p != 'opaque')])}'"
        )
    singles = [each for each, variant in BY_NAME.items() if variant.asks == CHARACTER]
    singles += [base] if _PLACES.fullmatch(base) else []
    single = base in singles
    fields: dict[str, Any] = grammar.fields_of(parts, single=single) or {}
    if fields and (single or base in WHOLE):
        return _empty(BY_NAME[base], fields)
    return grammar.remedy(name, [*WHOLE, *singles], singles)


def cases_named(demonstrations: int) -> str:
    """The name of the variant that shows so many demonstrations.

    >>> cases_named(0), cases_named(25), BY_NAME[cases_named(25)].demonstrations
    ('case', 'case-25', 25)
    """
    return f"case-{demonstrations}" if demonstrations else "case"


def negation_of(name: str) -> str:
    """The name of the complement of a named event.

    >>> negation_of("A"), negation_of("not A"), negation_of("A and B"), negation_of("not (A and B)")
    ('not A', 'A', 'not (A and B)', 'A and B')
    """
    if name.startswith("not "):
        return name[4:].removeprefix("(").removesuffix(")")
    return f"not ({name})" if " " in name else f"not {name}"


def refusal(variant: Variant, wire: str, world: World, encoding: str) -> tuple[str, str] | None:
    """Why a variant cannot be asked of a world in an encoding on a wire, and what to do; None if it can."""
    if isinstance(world, CandidateWorld) or variant.asks == CHARACTER or "+" in variant.name:
        return _unlike_candidates(variant, wire, world) or _unlike_the_world(variant, world, encoding)
    missing = [name for name in variant.events if name not in world.events]
    if missing:
        message = f"it asks about {' and '.join(missing)}, which {world.name} does not define"
        return message, "define the event in the world, or drop the variant"
    if variant.cases is not None and not _two_classes(world):
        message = f"{world.name} is not a world of two classes, A and not A"
        return message, "give it two, or drop the variant"
    return _unlike_the_wire(variant, wire) or _unlike_the_world(variant, world, encoding)


def _unlike_candidates(variant: Variant, wire: str, world: World) -> tuple[str, str] | None:
    if not isinstance(world, CandidateWorld):
        return f"{world.name} has no candidates", "ask it of a world of candidates, or drop the variant"
    if variant.asks not in {PARTITION, CHARACTER} or variant.cases is not None:
        return f"{world.name} has candidates and no named events", "ask which one, or for a character"
    if variant.ids != "canonical" or (variant.asks == PARTITION and variant.order != "canonical"):
        return "candidates stand in a drawn order already", "drop the variant"
    if variant.evidence != "raw" and world.seen not in COPYING:
        return f"the view {world.seen} supplies no word to be copied", "take the view copy or miscopy"
    return (
        unfit(way_of(variant, world))
        or _unlike_the_answers(variant, world)
        or _unlike_what_is_named(variant, wire)
    )


def _unlike_what_is_named(variant: Variant, wire: str) -> tuple[str, str] | None:
    if wire != "systemone" or variant.contract != "character":
        return None
    if variant.binding == "aligned":  # which is asked already, under the shorter name
        return NAMED_ONLY[0], f"write '{variant.name.replace('+character', '')}', where it is what they say"
    return NAMED_ONLY


NAMED_ONLY = (
    "on systemone an answer names options by what they are called",
    "use the wire chat, or the binding aligned, under which they are called what they say",
)
"""Why answers on systemone cannot be what options say, and what to do."""


def way_of(variant: Variant, world: CandidateWorld) -> Way:
    """The fields of a variant that asks about candidates, as the view of a world shows it.

    >>> from worldgen.spec import read_spec
    >>> way_of(BY_NAME["at-3+draft"], read_spec("facts")).interface
    'teacher-forced'
    """
    whole = variant.asks == PARTITION
    feedback: Feedback = "none"
    if variant.draft is not None:
        feedback = "draft" if whole or variant.slip is not None else "gold"
    interface: Interface = "candidates-only"
    if world.seen in COPYING:
        interface = "copy"
    elif world.states:
        plain: Interface = "native" if whole else "independent"
        interface = {"none": plain, "gold": "teacher-forced", "draft": "prefix-probe"}[feedback]
    return Way(
        interface,
        "answers" if whole else variant.support or "full",
        feedback,
        variant.evidence if world.seen in COPYING else "none",
        variant.binding,
        variant.contract,
        variant.wording,
        ORDERS.index(variant.order),
    )


def _unlike_the_answers(variant: Variant, world: CandidateWorld) -> tuple[str, str] | None:
    if variant.branch is not None and variant.branch > len(world.model.widths):
        count = len(world.model.widths)
        return f"the candidates of {world.name} differ at {count} position(s)", "drop the variant"
    longest = world.model.lengths[1]
    if max(variant.at or 0, variant.draft or 0) > longest:
        return f"answers of {world.name} have at most {longest} characters", "drop the variant"
    # Drafts up to a position where candidates differ say no more than a certain beginning has said.
    said = world.settles or (world.seen == "prefix" and variant.branch is not None)
    if variant.draft is not None and not said:
        return "a draft would tell what the view keeps back", "take another view, or drop the variant"
    if variant.named and not (world.states and isinstance(world.model.task, NamedTask)):
        return "its view shows no named fields", "take facts or dialogue with the view problem"
    if variant.order == "permuted" and options_of(variant, world) == 2:
        return "two options have two orders", "use reversed"
    return _unlike_the_sets(variant, world)


def _unlike_the_sets(variant: Variant, world: CandidateWorld) -> tuple[str, str] | None:
    if variant.branch is None:
        return None
    if variant.branch > 1 and world.seen == "candidates" and not world.model.task.crossed:
        return "where candidates branch would tell what the view keeps back", "ask at-N, or drop the variant"
    if variant.support == "union" and world.model.unions[variant.branch - 1] is None:
        message = f"the sets of {world.name} have different numbers of characters at branch {variant.branch}"
        return message, "drop the variant"
    return None


def options_of(variant: Variant, world: CandidateWorld) -> int | None:
    """The number of options of a variant that asks for a character; None where it differs by item.

    >>> from worldgen.spec import read_spec
    >>> [options_of(BY_NAME[name], read_spec("arithmetic")) for name in ("full-2", "trie-2", "at-2")]
    [10, 2, 10]
    """
    if variant.branch is None or variant.support == "full":
        return world.model.task.symbols
    widths = world.model.widths if variant.support == "trie" else world.model.unions
    return widths[variant.branch - 1]


def _unlike_the_wire(variant: Variant, wire: str) -> tuple[str, str] | None:
    lettered = wire == "chat"
    if (
        variant.form == "event"
        and not lettered
        and (variant.order, variant.binding) != ("canonical", "literal")
    ):
        return "systemone displays no options of an event", "use the wire chat"
    if variant.ids != "canonical" and (not lettered or variant.binding == "opaque"):
        return "only letters can be reassigned", "use the wire chat, and keys that are not opaque"
    return None


def _unlike_the_world(variant: Variant, world: World, encoding: str) -> tuple[str, str] | None:
    if variant.form == "score" and not (world.ordered and 2 <= len(world.partition) <= 10):
        return f"{world.name} has no 2 to 10 ordered categories", "mark them ordered, or drop the variant"
    if variant.asks == PARTITION and len(world.partition) > MOST_OPTIONS:
        message = f"{world.name} has {len(world.partition)} categories, and a question {MOST_OPTIONS} options"
        return message, "merge categories, or drop the variant"
    if variant.layout >= len(world.encodings[encoding].layouts):
        count = len(world.encodings[encoding].layouts)
        return f"the encoding {encoding} has {count} layout(s)", "give it another layout, or drop the variant"
    if variant.metadata and not world.view.nuisance:
        return f"{world.name} has no metadata to show", "give it metadata, or drop the variant"
    permuted = "permuted" in (variant.order, variant.ids)
    if variant.asks == PARTITION and len(world.partition) == 1 and permuted:
        return f"{world.name} has one category, which cannot be permuted", "drop the variant"
    return None


def _two_classes(world: World) -> bool:
    """Whether A is one of two classes, so that a case can be asked about."""
    return len(world.partition) == 2 and world.events["A"] in world.partition.values()
