"""The strict reader: one report against its request, into masses or into one reason.

Nothing is repaired, rounded or guessed. Six checks are made in one fixed order, and the first that fails
is the reason:

1. `invalid JSON`: the body does not begin with a JSON value (white space may stand before it), or nests
   deeper than 64 levels. A byte order mark, single quotes and an empty body fail here.
2. `trailing content`: something other than white space follows that value.
3. `wrong key support`: the value is not an object of the shape that the wire prescribes, a key of that
   shape stands twice, the answer is of another type, or its keys are not exactly the answer ids.
4. `non-numeric`: a value is not a JSON number; NaN and infinities, booleans and strings are none.
5. `out of range`: a value is below 0 or above 1, or is written with more than three digits of exponent
   or more than 1,000 characters, which nobody means and no exact arithmetic should be made to hold.
6. `simplex sum`: the values do not sum to 1 within 1e-6, the bound included, in exact arithmetic on the
   decimals as written.

Where probabilities were read out without a body, checks 1 and 2 are void and a number may also be a
ratio like 220/317; the others are the same. Only the fields that hold the answer are judged: the model
name, token counts, confidence, legend and selected label beside them are ignored.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal, cast, get_args

from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import read_number
from worldgen.scoring.jsontext import Digits, Object, decode
from worldgen.scoring.reports import Report, Written
from worldgen.scoring.tables import Request

Reason = Literal[
    "invalid JSON", "trailing content", "wrong key support", "non-numeric", "out of range", "simplex sum"
]
REASONS: tuple[Reason, ...] = get_args(Reason)

SUM_TOLERANCE = Fraction(1, 10**6)

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Valid:
    """The masses of a report that passed every check, aligned with the request's options and taken as
    they stand: their sum may differ from 1 by up to 1e-6.
    """

    masses: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """The first check that a report failed."""

    reason: Reason


POSITIVE = "probability_positive"  # the key of the one number that a chat about a case asks for
_ABSENT = object()  # no field to be had


def read_report(report: Report, request: Request) -> Valid | Rejected:
    """An answered report read against its request.

    >>> request = Request("r", "0", "s", "event", "event", "systemone", ("true", "false"),
    ...     ("true", "false"), True, (frozenset({0}), frozenset({1})), frozenset({0, 1}), None)
    >>> body = '{"model": "m", "answers": {"q": {"type": "noul", "noul": 0.84}}}'
    >>> read_report(Report("m", "r", response=body), request)
    Valid(masses=(Fraction(21, 25), Fraction(4, 25)))
    >>> read_report(Report("m", "r", response="0.84"), request)
    Rejected(reason='wrong key support')
    """
    if report.probabilities is not None:
        return read_probabilities(report.probabilities, request.answer_ids)
    return read_response(report.response or "", request.form, request.wire, request.answer_ids)


def read_probabilities(written: Written, answer_ids: Sequence[str]) -> Valid | Rejected:
    """Masses from pairs (answer id, number as text), in any order.

    >>> read_probabilities((("b", "97/317"), ("a", "220/317")), ("a", "b"))
    Valid(masses=(Fraction(220, 317), Fraction(97, 317)))
    """
    values = dict(written)
    if len(values) != len(written) or values.keys() != set(answer_ids):
        return Rejected("wrong key support")
    return _simplex([values[answer] for answer in answer_ids])


def read_response(body: str, form: str, wire: str, answer_ids: Sequence[str]) -> Valid | Rejected:
    """Masses from a response body.

    On the chat wire the body is one object {answer id: number}. On the systemone wire it is
    {"answers": {"q": answer}}, where the answer to an event is {"type": "noul", "noul": p}, read as
    (p, 1 - p) on true and false, and a choice or score answers with its type and "probabilities". A chat
    whose options are true and false asks for one number: {"probability_positive": p} is read in the same way.

    >>> read_response('{"A": 0.333333, "B": 0.333333, "C": 0.333333}', "choice", "chat", ("A", "B", "C"))
    Valid(masses=(Fraction(333333, 1000000), Fraction(333333, 1000000), Fraction(333333, 1000000)))
    >>> read_response('{"A": 0.5, "B": 0.4}', "choice", "chat", ("A", "B"))
    Rejected(reason='simplex sum')
    """
    try:
        value, rest = decode(body)
    except ValueError:
        return Rejected("invalid JSON")
    if rest:
        return Rejected("trailing content")
    if wire == "systemone":
        answer = _field(_field(value, "answers"), "q", only=True)
        if _field(answer, "type") != ("noul" if form == "event" else form):
            return Rejected("wrong key support")
        value = _field(answer, "noul" if form == "event" else "probabilities")
    elif set(answer_ids) == {"true", "false"}:
        value = _field(value, POSITIVE, only=True)
    if set(answer_ids) == {"true", "false"} and form == "event":
        return _one_number(value, answer_ids)
    found = value.as_dict() if isinstance(value, Object) else None
    if found is None or found.keys() != set(answer_ids):
        return Rejected("wrong key support")
    return _simplex([_digits(found[answer]) for answer in answer_ids])


def _field(value: object, name: str, *, only: bool = False) -> object:
    """A field of an object, or _ABSENT where there is none: no object, a key that stands twice in it,
    no such key, or (with `only`) another key beside it.
    """
    found = value.as_dict() if isinstance(value, Object) else None
    if found is None or name not in found or (only and len(found) > 1):
        return _ABSENT
    return found[name]


def _one_number(value: object, answer_ids: Sequence[str]) -> Valid | Rejected:
    """The probability of true, and what it leaves to false."""
    if value is _ABSENT:
        return Rejected("wrong key support")
    chance = _value(_digits(value))
    if not isinstance(chance, Fraction):
        return Rejected(chance)
    return Valid(tuple(chance if answer == "true" else 1 - chance for answer in answer_ids))


def _digits(value: object) -> str | None:
    return value.text if isinstance(value, Digits) else None


@lru_cache(maxsize=2**12)
def _value(text: str | None) -> Fraction | Reason:
    """The number in [0, 1] that a text writes, or what is wrong with it. None is no number."""
    if text is None:
        return "non-numeric"
    try:
        value = read_number(text)
    except NumberError:
        return "out of range" if _NUMBER.fullmatch(text) else "non-numeric"
    return value if 0 <= value <= 1 else "out of range"


def _simplex(texts: Sequence[str | None]) -> Valid | Rejected:
    values = [_value(text) for text in texts]
    for reason in ("non-numeric", "out of range"):
        if reason in values:
            return Rejected(reason)
    masses = tuple(cast(Fraction, value) for value in values)
    if abs(sum(masses, Fraction(-1))) > SUM_TOLERANCE:
        return Rejected("simplex sum")
    return Valid(masses)
