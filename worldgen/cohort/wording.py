"""Wording: one question about candidates as a payload, through the plan of a variant of the same shape."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as Among

import numpy as np

from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.fields import Contract, Evidence
from worldgen.cohort.shapes import CLAIMED, DRAFT, MARK, Shape, Wording, compiled, labels_of
from worldgen.cohort.variants import NAMED_ONLY
from worldgen.exact.domains import Code
from worldgen.exact.errors import DomainError
from worldgen.exact.variables import Variable
from worldgen.renderers import systemone
from worldgen.renderers.errors import WireError
from worldgen.worlds.candidate_models import COPYING
from worldgen.worlds.candidates import SUPPLIED, CandidateWorld
from worldgen.worlds.items import Called, NamedTask

__all__ = ["Draft", "Worded", "drafted", "labels_of", "stated", "word"]

Draft = Sequence[str | None]
"""The characters of a draft, None for a mark."""


@dataclass(frozen=True)
class Worded:
    """A request as a payload: `questions` are the keys under which the answers of its questions stand, one
    for each position where there are several, and `answer_ids` the keys of the options in each of them, in
    displayed order. One question on chat has no key: its answer is the object itself.
    """

    payload: str
    questions: tuple[str, ...]
    answer_ids: tuple[str, ...]
    portable: bool


def word(  # noqa: PLR0913  (a request has that many parts, each of which may be left out)
    cohort: Cohort,
    stratum: Stratum,
    visible: Sequence[str],
    options: Sequence[tuple[str, str]],
    positions: Sequence[int] = (),
    *,
    draft: Draft = (),
    supplied: str | None = None,
    claimed: str | None = None,
    evidence: Evidence = "raw",
    contract: Contract = "code",
    wording: int = 0,
    layout: int = 0,
    names: Mapping[str, str] | None = None,
    named: bool = False,
) -> Worded:
    """One request about a root of a cohort, worded as the cohort words it: on its wire, in the encoding and
    the view of the stratum.

    `visible` are the texts of what the root shows, as the table `roots` has them, and `options` the label
    and the symbol of each option in displayed order; `labels_of` are the labels of the wire. `positions`
    count from 0: none where a whole answer is asked for, of which the symbols are the candidates as they are
    shown, one for a character, several for characters at once. `draft` is shown where it is not empty, None
    in it as a mark. `supplied` is the word to be copied, in place of the one that the view shows, or beside a
    view that shows none. With `claimed` the options are true and false: does this character stand at the
    position? `names` are those of the symbols where END is one of them: then options and draft are told by
    name. `named` asks for the field that a position is about.

    The same question of a variant has the same payload, byte for byte. Raises WireError for what the wire
    cannot say, DomainError for what is no value of the world, ValueError for parts that do not go together.

    >>> from worldgen.spec import cohort_of, read_spec
    >>> cohort = cohort_of(read_spec("facts").through("candidates"))
    >>> words = [a + b + c for a in "ny" for b in "ny" for c in "ny"]
    >>> asked = word(cohort, cohort.strata[0], words, [("c1", "n"), ("c2", "y")], [1], draft=["n"])
    >>> asked.payload[-45:], asked.answer_ids
    ('haracters.","criteria":{"c1":"n","c2":"y"}}}}', ('c1', 'c2'))
    """
    world = stratum.world
    if not isinstance(world, CandidateWorld):
        raise ValueError(f"{world.name} has no candidates to ask about")
    shown = dict(zip((one.name for one in world.view.shown), visible, strict=True))
    labels, symbols = [label for label, _ in options], [symbol for _, symbol in options]
    if cohort.wire == "systemone" and contract == "character" and labels != symbols:
        raise WireError(NAMED_ONLY[0], remedy=NAMED_ONLY[1])
    shape = Shape(
        asks="claim" if claimed is not None else "field" if named else "character" if positions else "word",
        width=len(options),
        positions=len(positions),
        labelled=tuple(labels) != labels_of(cohort.wire, len(labels)),
        ending=names is not None,
        drafted=_drafted(draft, named or names is not None),
        given=supplied is not None and world.seen not in COPYING,
        evidence="raw" if evidence == "none" else evidence,
        contract=contract,
        wording=wording,
    )
    _check(world, shape, [shown[one.name] for one in world.candidates], symbols, supplied)
    found = _found(world, stratum.encoding, layout, cohort.wire, cohort.model, shape)
    places = [str(place + 1) for place in positions]
    said = [(names or {}).get(symbol, symbol) for symbol in symbols]
    texts = {**shown, DRAFT: drafted(draft, names), CLAIMED: claimed or ""}
    if named:
        (fields,) = world.called(
            {one.name: np.array([_code(one, shown[one.name])]) for one in world.view.shown}
        )
        places, meant = [fields[positions[0]][0]], fields[positions[0]][1]
        said, texts[DRAFT] = [meant[symbol] for symbol in symbols], stated(draft, fields)
    texts |= {} if supplied is None else {SUPPLIED: supplied}
    texts |= found.beside(texts.get(SUPPLIED, ""), positions[0] if positions else None)
    for variables, column in (
        (found.positions, places),
        (found.keys, labels),
    ):
        texts |= {one.name: text for one, text in zip(variables, column, strict=False)}
    texts |= {one.name: text for one, text in zip(found.options, said, strict=True)}
    return Worded(
        found.plan.line.write({one.name: _code(one, texts[one.name]) for one in found.plan.variables}),
        _questions(cohort.wire, positions),
        tuple(labels if contract == "code" else said),
        found.portable,
    )


def _check(
    world: CandidateWorld, shape: Shape, words: Sequence[str], symbols: Sequence[str], supplied: str | None
) -> None:
    """Raise ValueError or DomainError for parts of a request that do not go together."""
    copied = shape.given or world.seen in COPYING
    if shape.positions != 1 and (shape.asks in {"claim", "field"} or shape.evidence == "direct"):
        raise ValueError("what is claimed, named, or shown directly, stands at one position")
    if shape.asks == "field" and not (world.states and isinstance(world.model.task, NamedTask)):
        raise ValueError(f"the view {world.seen} of {world.name} shows no named fields")
    if shape.evidence != "raw" and not copied:
        raise ValueError(f"the view {world.seen} supplies no word to be copied")
    if shape.asks == "word" and list(symbols) != list(words):
        raise ValueError("whole answers are the candidates, in the order in which the root shows them")
    if supplied is not None and not shape.given and supplied not in words:
        raise DomainError(f"'{supplied}' is not among the candidates, which a view of copying says it is")


def drafted(draft: Draft, names: Mapping[str, str] | None = None) -> str:
    """The text of a draft: its characters, with a mark for None; or their names one by one.

    >>> drafted(["5", None]), drafted(["a", None, " "], {" ": "space"})
    ('5?', 'a / no character / space')
    """
    if names is None:
        return "".join(MARK if symbol is None else symbol for symbol in draft)
    return " / ".join("no character" if symbol is None else names.get(symbol, symbol) for symbol in draft)


def stated(draft: Draft, fields: Called) -> str:
    """The text of a draft by name: what it says of each field.

    >>> stated(["y", None], [("level", {"y": "high", "n": "low"}), ("heat", {"y": "high", "n": "low"})])
    'level is high / heat has no value'
    """
    pairs = zip(draft, fields, strict=False)
    return " / ".join(
        f"{field} has no value" if symbol is None else f"{field} is {meant[symbol]}"
        for symbol, (field, meant) in pairs
    )


def _drafted(draft: Draft, named: bool) -> Among["", "plain", "marked", "listed"]:
    if not draft:
        return ""
    if named:
        return "listed"
    return "marked" if None in draft else "plain"


def _questions(wire: str, positions: Sequence[int]) -> tuple[str, ...]:
    if len(positions) < 2:
        return (systemone.QUESTION,) if wire == "systemone" else ()
    if wire == "chat":
        return tuple(str(position + 1) for position in positions)
    return tuple(f"{systemone.QUESTION}{number}" for number in range(1, len(positions) + 1))


@lru_cache(maxsize=512)
def _found(  # noqa: PLR0913, PLR0917  (what a plan depends on)
    world: CandidateWorld, encoding: str, layout: int, wire: str, model: str, shape: Shape
) -> Wording:
    state = world.encodings[encoding].layouts[layout].leaf(world.template_names(metadata=False))
    return compiled(world, state, wire, model, shape)


def _code(variable: Variable, text: str) -> Code:
    code = variable.domain.code(text)
    if code is None:
        raise DomainError(f"'{text}' is no value of {variable.name}")
    return code
