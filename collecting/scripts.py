"""Scripted systems: they know the right answers and follow a script, so that the whole road can be seen.

A script says which symbols a request gets. What it says is written as a response on the wire of the request,
as a real system's would be, and goes the way of any other report.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from worldgen.collecting.answers import SYSTEMONE
from worldgen.collecting.construction import AnySheet, Pending, Right
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.controllers.symbols import END
from worldgen.exact.errors import WorldgenError
from worldgen.names import nearest
from worldgen.scoring.reports.report import Report

SCRIPTS: Mapping[str, str] = {
    "perfect": "right everywhere",
    "wrong-at-N": "right but at position N, from 1, where another option is taken, if there is one; of whole "
    "answers always another",
    "codes": "the code of what is right, whatever was asked for",
    "stops-early": "right, but for the last position, where it says that nothing follows",
    "never-stops": "right, and after that the last character again and again",
    "silent": "nothing comes back",
}
"""Script -> what it does."""

_WRONG_AT = re.compile(r"wrong-at-([1-9][0-9]?)", re.ASCII)


class ScriptError(WorldgenError):
    """A script that there is not."""


@dataclass(frozen=True)
class Script:
    """A script by name. It holds on the roots of `on`, on all where that is None, and of these on every so
    many; elsewhere it is perfect.

    Raises ScriptError for a name that no script has.

    >>> Script("wrong-at-3").wrong_at
    2
    """

    name: str = "perfect"
    on: Collection[str] | None = None
    every: int = 1

    def __post_init__(self) -> None:
        if (self.name not in SCRIPTS and not _WRONG_AT.fullmatch(self.name)) or self.name == "wrong-at-N":
            raise ScriptError(f"there is no script '{self.name}'", remedy=nearest(self.name, SCRIPTS))

    def over(self, names: Iterable[str]) -> "Script":
        """The same script over runs of these names, in their order.

        >>> sorted(Script("codes", every=2).over(["a", "b", "c"]).on)
        ['a', 'c']
        """
        known = [name for name in names if self.on is None or name in self.on]
        return replace(self, on=frozenset(known[:: self.every]), every=1)

    @property
    def wrong_at(self) -> int | None:
        """The position, from 0, at which it is wrong."""
        found = _WRONG_AT.fullmatch(self.name)
        return int(found[1]) - 1 if found else None

    def report(self, sheet: AnySheet, pending: Pending, system: str) -> Report:
        """The report about one request of a round."""
        name = self.name if self.on is None or pending.root_id in self.on else "perfect"
        if name == "silent":
            return Report(system, pending.request_id, status="unavailable")
        ids, texts = pending.asked.worded.answer_ids, []
        right = sheet.right(pending.root_id, pending.request)
        for one, options in zip(right, pending.asked.options, strict=True):
            option = self._chosen(name, one, options)
            texts.append(option.code if name == "codes" else ids[options.index(option)])
        if not set(texts) <= set(ids):
            return Report(system, pending.request_id, response=" ".join(texts))
        body = response(pending.asked.wire, pending.asked.worded.questions, ids, texts)
        return Report(system, pending.request_id, response=body)

    def _chosen(self, name: str, right: Right, options: Sequence[Option]) -> Option:
        """The option that a question gets; the first one where the right one is not there."""
        symbol = right.symbol
        if name == "stops-early" and right.last:
            symbol = END
        if name == "never-stops" and symbol == END:
            symbol = right.before
        by_symbol = {option.symbol: option for option in options}
        found = by_symbol.get(symbol) or by_symbol.get(right.symbol) or options[0]
        at = self.wrong_at
        if name == self.name and at is not None and right.place in (None, at):
            return next((option for option in options if option.symbol != right.symbol), found)
        return found


def response(wire: str, questions: Sequence[str], ids: Sequence[str], chosen: Sequence[str]) -> str:
    """The body of a response that gives all mass to one answer id for each question.

    >>> response("chat", (), ("A", "B"), ["B"])
    '{"A": 0, "B": 1}'
    """
    parts: list[dict[str, object]] = [{one: int(one == picked) for one in ids} for picked in chosen]
    if wire == SYSTEMONE:
        parts = [
            {"type": "choice", "choice": picked, "probabilities": masses}
            for picked, masses in zip(chosen, parts, strict=True)
        ]
        return json.dumps({"answers": dict(zip(questions, parts, strict=True))})
    return json.dumps(dict(zip(questions, parts, strict=True)) if len(parts) > 1 else parts[0])
