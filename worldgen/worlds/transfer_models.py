"""Covert transfer: reports with a free identifier, into which a confidential tag may have been written.

A report has a type, a tag and an identifier of letters, all uniform and independent. With probability
`encoding` the tag replaces the letter at the position that belongs to the type; the outcome is whether it
did. Views show the type, the identifier, and in which range of letters the tag lies.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from worldgen.exact.domains import Texts
from worldgen.exact.events import Atoms
from worldgen.faults import Fault, Path, SpecError
from worldgen.renderers.encodings import Encoding
from worldgen.worlds.checks import encoding_faults, named
from worldgen.worlds.factor_checks import class_faults, field_faults, variable_name_faults
from worldgen.worlds.factor_parts import Field

REPORT = "report_type"
LONGEST = 256


@dataclass(frozen=True)
class TagView:
    """What a view says of the tag, under which name: one of these ranges of letters.

    A range is written a-d, or a for one letter; an empty list stands for each letter by itself.
    """

    shows: str
    ranges: tuple[str, ...] = ()

    def parts(self, alphabet: str) -> dict[str, str]:
        """The letters of each range. Raises KeyError for a text that is no range of the alphabet.

        >>> TagView("half", ("a-b", "c")).parts("abc")
        {'a-b': 'ab', 'c': 'c'}
        """
        return {text: letters_of(text, alphabet) for text in self.ranges or tuple(alphabet)}


def letters_of(text: str, alphabet: str) -> str:
    """The letters from the first to the last of a range. Raises KeyError if the text is none."""
    ends = (text, text) if len(text) == 1 else (text[:1], text[2:])
    if (len(text) != 1 and text[1:2] != "-") or any(len(end) != 1 or end not in alphabet for end in ends):
        raise KeyError(text)
    first, last = (alphabet.index(end) for end in ends)
    if first > last:
        raise KeyError(text)
    return alphabet[first : last + 1]


@dataclass(frozen=True)
class TransferDraft:
    """The parts of `TransferModel`, each under the same name; None where one could not be read."""

    name: str | None
    title: str | None
    alphabet: str | None
    length: int | None
    group: int | None
    reports: Mapping[str, int | None] | None
    encoding: Fraction | None
    classes: Mapping[str, str | None] | None
    views: Mapping[str, TagView | None] | None
    encodings: Mapping[str, Encoding | None] | None
    irrelevant: Mapping[str, Field | None]


@dataclass(frozen=True)
class TransferModel:
    """The law of a world of covert transfer, and its views.

    `reports` maps a type to the position that the tag takes in the identifier, letters counted from one;
    `group` is how many letters stand together where the identifier is shown; the first of the two `classes`
    is that the tag was not written in. Raises SpecError with all that is wrong.
    """

    name: str
    alphabet: str
    length: int
    group: int
    reports: Mapping[str, int]
    encoding: Fraction
    classes: Mapping[str, str]
    views: Mapping[str, TagView]
    encodings: Mapping[str, Encoding]
    irrelevant: tuple[Field, ...] = ()
    title: str = ""

    def __post_init__(self) -> None:
        draft = TransferDraft(
            self.name,
            self.title,
            self.alphabet,
            self.length,
            self.group,
            self.reports,
            self.encoding,
            self.classes,
            self.views,
            self.encodings,
            {one.variable.name: one for one in self.irrelevant},
        )
        if found := list(transfer_faults(draft)):
            raise SpecError(found)

    def __eq__(self, other: object) -> bool:
        """Equal in every part; what is shown or asked in order, in the same order."""
        return isinstance(other, TransferModel) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash((self.name, self.alphabet, self.length))

    def _parts(self) -> dict[str, object]:
        ordered = ("reports", "classes", "views", "encodings")
        parts = {part.name: getattr(self, part.name) for part in fields(self)}
        return parts | {name: list(getattr(self, name).items()) for name in ordered}

    @cached_property
    def atoms(self) -> Atoms:
        """The two classes."""
        return Atoms(tuple(self.classes))

    @property
    def states(self) -> int:
        """The number of reports that differ in type, tag, free letters or outcome."""
        reports = 2 * len(self.reports)
        return reports * int(len(self.alphabet) ** (self.length + 1))

    def weights(self, size: int, inside: bool) -> tuple[int, int]:
        """Integer weights of the two classes, given a range of `size` letters and whether it holds the letter
        at the position of the report.

        Under encoding that letter is the tag, so each letter of the range comes with chance e/n. Without,
        tag and letter are independent: (1 - e) size/n of the range, 1/n of the letter. A factor 1/n cancels.

        >>> from worldgen.spec import read_spec
        >>> read_spec("covert-transfer").model.weights(4, True)
        (4, 26)
        """
        e, n = self.encoding, len(self.alphabet)
        return (e.denominator - e.numerator) * size, e.numerator * n if inside else 0

    def bayes_error(self, view: str) -> Fraction:
        """How often the best guess is wrong for who sees a view: the sum over ranges of m letters, and over
        the m letters that lie in each, of min(e/n, (1 - e) m/n**2).
        """
        e, n = self.encoding, len(self.alphabet)
        sizes = [len(letters) for letters in self.views[view].parts(self.alphabet).values()]
        return sum((m * min(e / n, (1 - e) * m / n**2) for m in sizes), Fraction(0))


def transfer_faults(world: TransferDraft) -> Iterator[Fault]:
    """Everything that is wrong with a world of covert transfer, nothing if it can be built."""
    if world.name is not None:
        yield from named(("name",), world.name)
    if world.title is not None and Texts().code(world.title) is None:
        yield Fault(("title",), "the text holds a lone surrogate", "write the character itself")
    yield from _alphabet(world)
    yield from _reports(world)
    if world.encoding is not None and not 0 <= world.encoding <= 1:
        message = f"the chance {world.encoding} is outside [0, 1]"
        yield Fault(("encoding",), message, "write a probability, like 1/2")
    yield from class_faults(world.classes)
    if world.classes is not None and len(world.classes) > 2:
        yield Fault(("classes",), "the tag was written in or it was not", "name two classes")
    yield from _views(world)
    taken = {REPORT: "the types of reports"}
    taken |= {f"letter_{i + 1}": "the identifier" for i in range(min(world.length or 0, LONGEST))}
    taken |= {view.shows: "views" for view in (world.views or {}).values() if view is not None}
    yield from variable_name_faults({"irrelevant": world.irrelevant}, taken)
    yield from field_faults(world.irrelevant)
    yield from encoding_faults(world.encodings, "table")


def _alphabet(world: TransferDraft) -> Iterator[Fault]:
    alphabet = world.alphabet
    if alphabet is not None:
        if len(set(alphabet)) != len(alphabet) or not alphabet:
            yield Fault(("alphabet",), "an alphabet needs distinct letters, at least one", "write abc")
        elif not (alphabet.isascii() and alphabet.isalnum()):
            yield Fault(("alphabet",), "an alphabet holds letters and digits", "use a-z, A-Z and 0-9")
    if world.length is not None and not 1 <= world.length <= LONGEST:
        message = f"there is no identifier of {world.length} letters"
        yield Fault(("identifier", "length"), message, f"use 1 to {LONGEST}")
    if world.group is not None and world.group < 1:
        yield Fault(("identifier", "group"), "a group has letters", "use 1 or more")


def _reports(world: TransferDraft) -> Iterator[Fault]:
    if world.reports is None:
        return
    if not world.reports:
        yield Fault(("reports",), "there is no type of report", "write {progress: 5}")
    for name, position in world.reports.items():
        path = ("reports", name)
        if not name.strip() or Texts().code(name) is None:
            yield Fault(path, f"'{name}' is no name of a type", "write a word")
        if position is not None and world.length is not None and not 1 <= position <= world.length:
            message = f"the identifier has no letter {position}"
            yield Fault(path, message, f"count letters from 1 to {world.length}")


def _views(world: TransferDraft) -> Iterator[Fault]:
    if world.views is None:
        return
    if not world.views:
        yield Fault(("views",), "there is no view", "write {low: {shows: tag}}")
    for name, view in world.views.items():
        yield from named(("views", name), name)
        if view is None:
            continue
        taken = {REPORT: "the types of reports"}
        taken |= {f"letter_{i + 1}": "the identifier" for i in range(min(world.length or 0, LONGEST))}
        for fault in variable_name_faults({"views": {view.shows: view}}, taken):
            yield Fault(("views", name, "shows"), fault.message, fault.remedy)
        if world.alphabet and len(set(world.alphabet)) == len(world.alphabet):
            yield from _ranges(("views", name, "ranges"), view, world.alphabet)
    if world.alphabet and not any(fault.path[0] == "alphabet" for fault in _alphabet(world)):
        yield from _nested(world.views, world.alphabet)


def _ranges(path: Path, view: TagView, alphabet: str) -> Iterator[Fault]:
    """Ranges are a partition of the alphabet."""
    seen: dict[str, str] = {}
    for i, text in enumerate(view.ranges):
        try:
            letters = letters_of(text, alphabet)
        except KeyError:
            yield Fault((*path, i), f"'{text}' is no range of the alphabet", "write a-d, or a")
            return
        for letter in letters:
            if letter in seen:
                yield Fault((*path, i), f"'{letter}' lies in {seen[letter]} and in {text}", "share no letter")
                return
            seen[letter] = text
    missing = [letter for letter in alphabet if letter not in seen]
    if view.ranges and missing:
        yield Fault(path, f"no range holds '{missing[0]}'", "let the ranges cover the alphabet")


def _nested(views: Mapping[str, TagView | None], alphabet: str) -> Iterator[Fault]:
    whole = [(name, view) for name, view in views.items() if view is not None]
    if any(True for _, view in whole for _ in _ranges((), view, alphabet)):
        return
    for (first, finer), (second, coarser) in pairwise(whole):
        parts = [set(letters) for letters in coarser.parts(alphabet).values()]
        if parts == [set(letters) for letters in finer.parts(alphabet).values()]:
            yield Fault(("views", second), f"it says the same as {first}", "keep one of them")
        for text, letters in finer.parts(alphabet).items():
            if not any(set(letters) <= part for part in parts):
                message = f"the views do not nest: no range of {second} holds {text} of {first}"
                yield Fault(("views", second), message, "list views from the one that says most of the tag")
                break
