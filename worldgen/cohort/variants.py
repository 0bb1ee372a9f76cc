"""Variants: a question and its presentation, as orthogonal fields and one table of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from worldgen.exact.questions import Form
from worldgen.renderers.systemone import MOST_OPTIONS
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld

Order = Literal["canonical", "reversed", "permuted"]
Keys = Literal["names", "opaque"]
Ids = Literal["canonical", "reversed", "permuted"]
Support = Literal["full", "union", "trie"]

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
    `keys` whether they are labelled by what the wire uses (names on systemone, letters on chat) or by
    opaque identifiers, and `ids` which letter each option has, where letters are used. "permuted" is
    drawn for every root and never the canonical one. A variant that repeats another names it in
    `repeats` and shares all its draws.

    A variant with `cases` shows its root as a case that belongs to one of two classes, after so many cases
    of the pool with their outcomes, and asks for the probability of A as one number.

    A variant that asks for a CHARACTER asks it of the right candidate, at the position that is number
    `branch`, from 1, of those at which candidates differ that begin as it does. `support` says which
    characters are its options: "full" all that a position may have, "union" those of the candidates there,
    "trie" those that continue the first characters of the right one, which are shown as a draft that may be
    wrong. Or it asks at the position `at`, from 1, whether candidates differ there or not, where the answer
    has so many.
    """

    name: str
    form: Form
    asks: str
    given: str | None = None
    layout: int = 0
    order: Order = "canonical"
    keys: Keys = "names"
    ids: Ids = "canonical"
    metadata: bool = False
    repeats: str | None = None
    cases: int | None = None
    branch: int | None = None
    support: Support | None = None
    at: int | None = None

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
            f"keys {self.keys}": self.keys != "names",
            f"layout {layouts[self.layout]}": self.layout != 0,
            "with metadata": self.metadata,
            f"repeats {self.repeats}": self.repeats is not None,
            f"{self.support} support": self.support is not None,
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
    Variant("opaque-keys", "choice", PARTITION, keys="opaque"),
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
    Variant("trie-2", "choice", CHARACTER, branch=2, support="trie"),
    Variant("full-3", "choice", CHARACTER, branch=3, support="full"),
    Variant("union-3", "choice", CHARACTER, branch=3, support="union"),
    Variant("trie-3", "choice", CHARACTER, branch=3, support="trie"),
)


class _Variants(Mapping[str, Variant]):
    """The variants by name: those declared, `case-N` for any number N of demonstrations from 1, and `at-N`
    for any position N from 1.
    """

    def __init__(self, declared: Sequence[Variant]) -> None:
        self._declared = {variant.name: variant for variant in declared}

    def __getitem__(self, name: str) -> Variant:
        # What could not be read of a spec is looked up as well, and is no name.
        if isinstance(name, str) and (place := _PLACES.fullmatch(name)):
            return Variant(name, "choice", CHARACTER, support="full", at=int(place[1]))
        match = _CASES.fullmatch(name) if isinstance(name, str) else None
        if match is None:
            return self._declared[name]
        return replace(self._declared["case"], name=name, cases=int(match[1]))

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)


BY_NAME: Mapping[str, Variant] = _Variants(VARIANTS)


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
    if isinstance(world, CandidateWorld) or variant.asks == CHARACTER:
        return _unlike_candidates(variant, world) or _unlike_the_world(variant, world, encoding)
    missing = [name for name in variant.events if name not in world.events]
    if missing:
        message = f"it asks about {' and '.join(missing)}, which {world.name} does not define"
        return message, "define the event in the world, or drop the variant"
    if variant.cases is not None and not _two_classes(world):
        message = f"{world.name} is not a world of two classes, A and not A"
        return message, "give it two, or drop the variant"
    return _unlike_the_wire(variant, wire) or _unlike_the_world(variant, world, encoding)


def _unlike_candidates(variant: Variant, world: World) -> tuple[str, str] | None:
    if not isinstance(world, CandidateWorld):
        return f"{world.name} has no candidates", "ask it of a world of candidates, or drop the variant"
    if variant.asks not in {PARTITION, CHARACTER} or variant.cases is not None:
        return f"{world.name} has candidates and no named events", "ask which one, or for a character"
    if "permuted" in {variant.order, variant.ids} or variant.order != "canonical":
        return "candidates stand in a drawn order already", "drop the variant"
    return _unlike_the_answers(variant, world)


def _unlike_the_answers(variant: Variant, world: CandidateWorld) -> tuple[str, str] | None:
    if variant.branch is not None and variant.branch > len(world.model.widths):
        count = len(world.model.widths)
        return f"the candidates of {world.name} differ at {count} position(s)", "drop the variant"
    if variant.at is not None and variant.at > world.model.lengths[1]:
        return f"answers of {world.name} have at most {world.model.lengths[1]} characters", "drop the variant"
    if variant.support == "trie" and world.seen == "candidates":
        return "a draft would tell what the view keeps back", "take another view, or drop the variant"
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


def _unlike_the_wire(variant: Variant, wire: str) -> tuple[str, str] | None:
    lettered = wire == "chat"
    if variant.form == "event" and not lettered and (variant.order, variant.keys) != ("canonical", "names"):
        return "systemone displays no options of an event", "use the wire chat"
    if variant.ids != "canonical" and (not lettered or variant.keys == "opaque"):
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
