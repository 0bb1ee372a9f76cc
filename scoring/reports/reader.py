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
ratio like 220/317; the others are the same.

Where natural log-probabilities l_i were read out, checks 1 and 2 are void, and `scoring.reports.logprobs`
defines exp. A value is a decimal or -inf; `out of range` is one above 0, below -10,000 or written at that
length, and then a held mass sum_i exp(l_i) above 1 by more than 1e-6; `simplex sum` is a held mass of 0. The
masses are exp(l_i) / held mass and sum to exactly 1.

Masses are judged by the fields that hold them alone: token counts, confidence and legend beside them are
ignored. Two fields beside them are kept as they were said, and never decide whether a report is valid: the
label that a choice names as its pick, and the name of the model. The `score` of a score answer is not such
a label: it is the mean of the levels.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal, cast, get_args

from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import read_number
from worldgen.scoring.reports.jsontext import DECIMAL, Digits, decode
from worldgen.scoring.reports.logprobs import Scaled, exp, normalise
from worldgen.scoring.reports.report import Report, Written
from worldgen.scoring.reports.tables import Request

Reason = Literal[
    "invalid JSON", "trailing content", "wrong key support", "non-numeric", "out of range", "simplex sum"
]
REASONS: tuple[Reason, ...] = get_args(Reason)

SUM_TOLERANCE = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class Valid:
    """A report that passed every check.

    `masses` are aligned with the request's options and taken as they stand: their sum may differ from 1
    by up to 1e-6. `selected` is the answer id that the system itself named as its pick, None where it named
    none or, which `misnamed` tells, something that is no answer id of the request. It need not have the
    greatest mass, and is never derived from the masses. `held` is the mass that log-probabilities held
    before normalising, None for other reports. `model` is the name of the model that answered, as the
    system reported it.
    """

    masses: tuple[Fraction, ...]
    selected: str | None = None
    misnamed: bool = False
    held: Fraction | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Rejected:
    """The first check that a report failed."""

    reason: Reason


POSITIVE = "probability_positive"  # the key of the one number that a chat about a case asks for


def read_report(report: Report, request: Request) -> Valid | Rejected:
    """An answered report read against its request. What its own columns say of the pick and the model goes
    before what the response says.

    >>> request = Request("r", "0", "s", "event", "event", "systemone", ("true", "false"),
    ...     ("true", "false"), True, (frozenset({0}), frozenset({1})), frozenset({0, 1}), None)
    >>> body = '{"model": "m-2", "answers": {"q": {"type": "noul", "noul": 0.84}}}'
    >>> found = read_report(Report("m", "r", response=body, selected="true"), request)
    >>> found.masses, found.selected, found.model
    ((Fraction(21, 25), Fraction(4, 25)), 'true', 'm-2')
    >>> read_report(Report("m", "r", response="0.84"), request)
    Rejected(reason='wrong key support')
    """
    if report.probabilities is not None:
        found = read_probabilities(report.probabilities, request.answer_ids)
    elif report.logprobs is not None:
        found = read_logprobs(report.logprobs, request.answer_ids)
    else:
        found = read_response(report.response or "", request.form, request.wire, request.answer_ids)
    if isinstance(found, Valid):
        if report.selected is not None:
            selected, misnamed = _pick(report.selected, request.answer_ids)
            found = replace(found, selected=selected, misnamed=misnamed)
        if report.model_reported is not None:
            found = replace(found, model=report.model_reported)
    return found


def read_probabilities(written: Written, answer_ids: Sequence[str]) -> Valid | Rejected:
    """Masses from pairs (answer id, number as text), in any order.

    >>> read_probabilities((("b", "97/317"), ("a", "220/317")), ("a", "b")).masses
    (Fraction(220, 317), Fraction(97, 317))
    """
    values = _by_id(written, answer_ids)
    if values is None:
        return Rejected("wrong key support")
    found = _simplex(values)
    return Rejected(found) if isinstance(found, str) else Valid(found)


def read_logprobs(written: Written, answer_ids: Sequence[str]) -> Valid | Rejected:
    """Masses from pairs (answer id, natural log-probability as text), in any order.

    >>> found = read_logprobs((("a", "-0.5"), ("b", "-inf")), ("a", "b"))
    >>> found.masses, f"{float(found.held):.6f}"
    ((Fraction(1, 1), Fraction(0, 1)), '0.606531')
    >>> read_logprobs((("a", "-0.1"), ("b", "-0.1")), ("a", "b"))
    Rejected(reason='out of range')
    """
    texts = _by_id(written, answer_ids)
    if texts is None:
        return Rejected("wrong key support")
    exps = [exp(text) for text in texts]
    reason = _first(exps)
    if reason is not None:
        return Rejected(reason)
    masses, held = normalise(cast(list[Scaled], exps))
    if held > 1 + SUM_TOLERANCE:
        return Rejected("out of range")
    return Valid(masses, held=held) if held else Rejected("simplex sum")


def read_response(body: str, form: str, wire: str, answer_ids: Sequence[str]) -> Valid | Rejected:
    """Masses from a response body.

    On the chat wire the body is one object {answer id: number}. On the systemone wire it is
    {"answers": {"q": answer}}, where the answer to an event is {"type": "noul", "noul": p}, read as
    (p, 1 - p) on true and false, and a choice or score answers with its type and "probabilities". There
    the "model" beside the answers and the "choice" of a choice are kept. A chat of which one answer id is
    probability_positive asks for one number: {"probability_positive": p} leaves 1 - p to the other.

    >>> thirds = '{"A": 0.333333, "B": 0.333333, "C": 0.333333}'
    >>> read_response(thirds, "choice", "chat", ("A", "B", "C")).masses
    (Fraction(333333, 1000000), Fraction(333333, 1000000), Fraction(333333, 1000000))
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
        return _systemone(value, form, answer_ids)
    found = _one_number(value, answer_ids) if POSITIVE in answer_ids else _masses(value, answer_ids)
    return Rejected(found) if isinstance(found, str) else Valid(found)


def _systemone(body: object, form: str, answer_ids: Sequence[str]) -> Valid | Rejected:
    answers = body.get("answers") if isinstance(body, dict) else None
    answer = answers.get("q") if isinstance(answers, dict) and len(answers) == 1 else None
    kind = "noul" if form == "event" else form
    if not isinstance(body, dict) or not isinstance(answer, dict) or answer.get("type") != kind:
        return Rejected("wrong key support")
    found = _noul(answer, answer_ids) if kind == "noul" else _masses(answer.get("probabilities"), answer_ids)
    if isinstance(found, str):
        return Rejected(found)
    picked = _pick(answer.get("choice") if kind == "choice" else None, answer_ids)
    model = body.get("model")
    return Valid(found, *picked, None, model if isinstance(model, str) else None)


def _pick(named: object, answer_ids: Sequence[str]) -> tuple[str | None, bool]:
    """What a system named as its pick: (answer id, False), or (None, whether something else was named)."""
    if isinstance(named, str) and named in answer_ids:
        return named, False
    return None, named is not None


def _one_number(value: object, answer_ids: Sequence[str]) -> tuple[Fraction, ...] | Reason:
    """Masses of two options from an object that holds the one number asked for, and nothing else."""
    if not isinstance(value, dict) or list(value) != [POSITIVE]:
        return "wrong key support"
    found = _both(_digits(value[POSITIVE]))
    if isinstance(found, str):
        return found
    return found if answer_ids[0] == POSITIVE else found[::-1]


def _noul(answer: dict[str, object], answer_ids: Sequence[str]) -> tuple[Fraction, ...] | Reason:
    if "noul" not in answer:
        return "wrong key support"
    found = _both(_digits(answer["noul"]))
    if isinstance(found, str):
        return found
    return found if answer_ids[0] == "true" else found[::-1]


def _masses(value: object, answer_ids: Sequence[str]) -> tuple[Fraction, ...] | Reason:
    """Masses from an object {answer id: number}."""
    if not isinstance(value, dict) or value.keys() != set(answer_ids):
        return "wrong key support"
    return _simplex([_digits(value[answer]) for answer in answer_ids])


def _digits(value: object) -> str | None:
    return value.text if isinstance(value, Digits) else None


def _by_id(written: Written, answer_ids: Sequence[str]) -> list[str] | None:
    """The texts in the order of the answer ids; None unless each stands there once, and nothing else."""
    values = dict(written)
    if len(values) != len(written) or values.keys() != set(answer_ids):
        return None
    return [values[answer] for answer in answer_ids]


@lru_cache(maxsize=2**12)
def _value(text: str | None) -> Fraction | Reason:
    """The number in [0, 1] that a text writes, or what is wrong with it. None is no number."""
    if text is None:
        return "non-numeric"
    try:
        value = read_number(text)
    except NumberError:
        return "out of range" if DECIMAL.fullmatch(text) else "non-numeric"
    return value if 0 <= value <= 1 else "out of range"


@lru_cache(maxsize=2**12)
def _both(text: str | None) -> tuple[Fraction, Fraction] | Reason:
    """The number in [0, 1] that a text writes with its complement, or what is wrong with it."""
    value = _value(text)
    return value if isinstance(value, str) else (value, 1 - value)


def _first(values: Sequence[object]) -> Reason | None:
    """The first of the checks on single values that one of them failed; what passed is no text."""
    failed = [value for value in values if isinstance(value, str)]
    return ("non-numeric" if "non-numeric" in failed else "out of range") if failed else None


def _simplex(texts: Sequence[str | None]) -> tuple[Fraction, ...] | Reason:
    values = [_value(text) for text in texts]
    reason = _first(values)
    if reason is not None:
        return reason
    masses = tuple(cast(list[Fraction], values))
    # |sum - 1| <= tolerance over one denominator: sums of fractions would be reduced at every step.
    bottom = lcm(*(mass.denominator for mass in masses))
    excess = abs(sum(mass.numerator * (bottom // mass.denominator) for mass in masses) - bottom)
    within = excess * SUM_TOLERANCE.denominator <= bottom * SUM_TOLERANCE.numerator
    return masses if within else "simplex sum"
