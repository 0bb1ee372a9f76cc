"""Names of variants that ask about candidates in some other way than plainly: a base, then parts after '+'.

`at-3+indexed+conflicting+wording-2` is `at-3` with three fields changed. Parts stand in the order of `PARTS`,
each at most once, and a field that has its usual value is not named: so different names are different
variants, and a variant has one name.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worldgen.cohort.fields import BINDINGS, EVIDENCES, ORDERS, WORDINGS
from worldgen.names import nearest

Values = Mapping[str, str | int]

UP_TO = 0
"""The length of a draft that goes up to the position which is asked for."""


@dataclass(frozen=True)
class Part:
    """A part of a name: the field that it sets, how it is written, and the texts to choose among, or a text
    that a number from 1 follows. `whole` and `single` say whether requests for whole answers have it, and
    those for one character.
    """

    field: str
    texts: Mapping[str, str | int]
    numbered: bool = False
    whole: bool = True
    single: bool = True


PARTS: tuple[Part, ...] = (
    Part("draft", {"draft": UP_TO}, whole=False),
    Part("draft", {"draft": ""}, numbered=True, single=False),
    Part("slip", {"slip": ""}, numbered=True),
    Part("named", {"named": True}, whole=False),
    Part("evidence", {text: text for text in EVIDENCES[1:]}),
    Part("binding", {text: text for text in BINDINGS[1:]}, whole=False),
    Part("contract", {"character": "character"}),
    Part("wording", {f"wording-{number}": number for number in range(1, WORDINGS)}),
    Part("order", {text: text for text in ORDERS[1:]}, whole=False),
)

_NUMBERED = re.compile(r"([a-z]+)-([1-9][0-9]?)", re.ASCII)


def fields_of(parts: Sequence[str], *, single: bool) -> dict[str, str | int] | None:
    """The fields that the parts of a name set, None where they are no parts, or not in their order.

    >>> fields_of(["draft", "slip-2", "indexed"], single=True)
    {'draft': 0, 'slip': 2, 'evidence': 'indexed'}
    >>> fields_of(["indexed", "draft"], single=True)
    """
    found: dict[str, str | int] = {}
    kinds = [part for part in PARTS if (part.single if single else part.whole)]
    for text in parts:
        while kinds and _value(kinds[0], text) is None:
            kinds.pop(0)
        if not kinds:
            return None
        part = kinds.pop(0)
        value = _value(part, text)
        assert value is not None, "the part that was kept has a value"
        found[part.field] = value
    return found


def _value(part: Part, text: str) -> str | int | None:
    if not part.numbered:
        return part.texts.get(text)
    match = _NUMBERED.fullmatch(text)
    return int(match[2]) if match and match[1] in part.texts else None


def name_of(base: str, fields: Values, *, single: bool) -> str:
    """The name of a base with some fields set: what `fields_of` reads.

    >>> name_of("at-3", {"evidence": "indexed", "wording": 2}, single=True)
    'at-3+indexed+wording-2'
    """
    texts = [base]
    for part in PARTS:
        if part.field not in fields or not (part.single if single else part.whole):
            continue
        value = fields[part.field]
        known = {each: text for text, each in part.texts.items()}
        texts.append(f"{next(iter(part.texts))}-{value}" if part.numbered else known[value])
    return "+".join(texts)


def spellings(*, single: bool) -> list[str]:
    """How each part is written, N for a number.

    >>> spellings(single=False)[:3]
    ['draft-N', 'slip-N', 'indexed']
    """
    kinds = [part for part in PARTS if (part.single if single else part.whole)]
    return [f"{text}-N" if part.numbered else text for part in kinds for text in part.texts]


def remedy(name: str, bases: Sequence[str], singles: Sequence[str]) -> str:
    """What to say about a name with parts that is none: `bases` are those that take parts, `singles` those of
    them that ask for one character.

    >>> remedy("at-3+indexd", ["canonical", "at-3"], ["at-3"])
    "did you mean 'at-3+indexed'?"
    >>> remedy("at-3+wording-2+raw+opaque", ["canonical", "at-3"], ["at-3"])
    "raw evidence is the usual one and is not named: write 'at-3+opaque+wording-2'"
    """
    base, *parts = name.split("+")
    if base not in bases:
        return nearest(base, [*bases, "at-N"])
    single = base in singles
    known = spellings(single=single)
    kept = [part for part in parts if part not in _USUAL]
    meant = [_meant(part, known) for part in kept]
    if None in meant:
        strange = kept[meant.index(None)]
        return f"'{strange}' is no part that {base} can have; its parts are {', '.join(known)}"
    # Parts in their order, each once.
    places = {part: _place(part, single=single) for part in dict.fromkeys(map(str, meant))}
    ordered = sorted(places, key=places.__getitem__)
    usual = next((_USUAL[part] for part in parts if part in _USUAL), "")
    written = "+".join([base, *ordered])
    if fields_of(ordered, single=single) is None:
        twice = [part for part in ordered if list(places.values()).count(places[part]) > 1]
        return f"choose one of {', '.join(twice)}"
    if usual:
        return f"{usual} is the usual one and is not named: write '{written}'"
    return f"did you mean '{written}'?"


_USUAL = {
    "raw": "raw evidence",
    "literal": "the binding literal",
    "code": "the contract code",
    "wording-0": "wording 0",
    "canonical": "the canonical order",
}


def _meant(part: str, known: Sequence[str]) -> str | None:
    """The part that was meant: itself, or the nearest that there is, None where none is near."""
    match = re.fullmatch(r"([a-z]+)-([0-9]+)", part, re.ASCII)
    if part in known and not part.endswith("-N"):
        return part
    if match and f"{match[1]}-N" in known and _NUMBERED.fullmatch(part):
        return part
    near = nearest(part, [text for text in known if not text.endswith("-N")])
    return near.split("'")[1] if near.startswith("did you mean") else None


def _place(part: str, *, single: bool) -> int:
    kinds = [each for each in PARTS if (each.single if single else each.whole)]
    return next(place for place, each in enumerate(kinds) if _value(each, part) is not None)
