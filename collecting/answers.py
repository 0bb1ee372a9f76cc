"""From a report to the answer of a run: what a system chose, to the letter, and the masses that it reported.

What counts as chosen, the first of these that a report has:

1. `selected`, the pick that the report names in a column of its own;
2. the pick that a valid response names (the `choice` of the wire systemone);
3. the option of greatest mass, of several the one that is displayed first, where the masses are valid;
4. the response itself, to the letter: a system may say just a code or a character.

An answer id stands for its option. Any other text is kept as it is, and the run marks it. Of a request with
several questions each is read on its own; a response that does not answer just these is one text, and the run
marks them all. Where nothing came back the answer is None.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from worldgen.cohort.fields import Contract
from worldgen.cohort.wording import Worded
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.controllers.records import Answer
from worldgen.collecting.filed import Masses
from worldgen.scoring.reports.jsontext import Digits, Repeating, decode
from worldgen.scoring.reports.reader import Rejected, Valid, read_logprobs, read_probabilities, read_response
from worldgen.scoring.reports.report import Report

SYSTEMONE = "systemone"


@dataclass(frozen=True)
class Taken:
    """An answer, and for each question of its request the masses that were reported, None without."""

    answer: Answer
    masses: tuple[Masses | None, ...]


@dataclass(frozen=True)
class Asked:
    """A request that was sent: how it was worded on which wire, and the options of each of its questions."""

    worded: Worded
    wire: str
    options: tuple[tuple[Option, ...], ...]
    contract: Contract = "code"

    def taken(self, report: Report) -> Taken:
        """What a report answers."""
        several = len(self.options) > 1
        if report.status != "answered":
            return Taken(None, (None,) * len(self.options))
        if several:
            return self._several(report.response or "")
        text, masses = self._one(report, self.options[0])
        return Taken(text, (masses,))

    def _one(self, report: Report, options: Sequence[Option]) -> tuple[str | None, Masses | None]:
        """The text that a report chooses for a question, and its masses."""
        ids = self.worded.answer_ids
        if report.probabilities is not None:
            found = read_probabilities(report.probabilities, ids)
        elif report.logprobs is not None:
            found = read_logprobs(report.logprobs, ids)
        else:
            found = read_response(report.response or "", "choice", self.wire, ids)
        masses = found.masses if isinstance(found, Valid) else None
        picked = report.selected if report.selected is not None else _picked(found, report, ids)
        if picked in ids:
            option = options[ids.index(picked)]
            return (option.code if self.contract == "code" else option.symbol), masses
        return picked, masses

    def _several(self, body: str) -> Taken:
        """The texts that a response chooses, one for each question."""
        parts = _parts(body, self.wire, self.worded.questions)
        if parts is None:
            return Taken(body, (None,) * len(self.options))
        found = [
            self._one(Report("", "", response=part), options)
            for part, options in zip(parts, self.options, strict=True)
        ]
        return Taken(tuple(text or "" for text, _ in found), tuple(masses for _, masses in found))


def _picked(found: Valid | Rejected, report: Report, ids: Sequence[str]) -> str | None:
    """What a response chooses by naming it, by its masses, or by being it."""
    if isinstance(found, Rejected):
        return report.response
    if found.misnamed:
        return _choice(report.response or "")
    return found.selected or ids[found.masses.index(max(found.masses))]


def _choice(body: str) -> str:
    """The pick that a valid response names, though it is none of the answer ids."""
    match decode(body)[0]:
        case {"answers": {"q": {"choice": str(named)}}}:
            return named
        case _:
            return body


def _parts(body: str, wire: str, questions: Sequence[str]) -> list[str] | None:
    """The response to each question as if it had been asked alone; None unless just these are answered."""
    try:
        value, rest = decode(body)
    except ValueError:
        return None
    answers = value.get("answers") if wire == SYSTEMONE and isinstance(value, dict) else value
    if rest or not isinstance(answers, dict) or set(answers) != set(questions):
        return None
    alone = [answers[question] for question in questions]
    return [encode({"answers": {"q": part}} if wire == SYSTEMONE else part) for part in alone]


def encode(value: object) -> str:
    """A decoded value as JSON again, every number as it was written.

    >>> encode(decode('{"p": 0.10, "s": ["a"]}')[0])
    '{"p":0.10,"s":["a"]}'
    """
    match value:
        case Digits():
            return value.text
        case Repeating():
            return _object(value.pairs)
        case dict():
            return _object(value.items())
        case list():
            return f"[{','.join(map(encode, value))}]"
        case _:
            return json.dumps(value)


def _object(pairs: Iterable[tuple[str, object]]) -> str:
    return "{" + ",".join(f"{json.dumps(name)}:{encode(value)}" for name, value in pairs) + "}"
