"""Trees read back as filed runs, strictly: nothing is filled in, and nothing that a tree says is believed."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar, cast

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import WAYS, Dialogue, DialogueRecord, Field
from worldgen.collecting.controllers.options import ControllerError, Naming
from worldgen.collecting.controllers.records import Answer
from worldgen.collecting.controllers.tasks import Task
from worldgen.collecting.filed import FORMAT, Filed, Masses, Tree, again, tree_of
from worldgen.exact.errors import NumberError, WorldgenError
from worldgen.exact.numbers import read_number
from worldgen.names import nearest
from worldgen.scoring.reports.jsontext import Digits, Repeating, decode

T = TypeVar("T")
Readers = Mapping[str, Callable[[object, str], Any]]

_RATIO = re.compile(r"[0-9]+(/[0-9]+)?", re.ASCII)
_WHOLE = re.compile(r"-?[0-9]{1,9}", re.ASCII)
KEYS_OF_A_RUN = (
    "format",
    "system",
    "roots",
    "arm",
    "task",
    "requests",
    "steps",
    "output",
    "ending",
    "fills",
    "calls",
)
KEYS_OF_A_DIALOGUE = ("format", "system", "roots", "arm", "dialogue", "requests", "states", "calls")


class TreeError(WorldgenError):
    """A tree that is no filed run."""


def filed_of(value: object) -> Filed:
    """The filed run that a tree of JSON values says, as `tree_in` or `decode` of `scoring` gives them.

    Raises TreeError where a key is missing, unknown or of another kind, where the arm does not fit the task,
    and where the answers do not lead to what the tree says came of them.
    """
    tree = native(value)
    if not isinstance(tree, dict):
        raise TreeError("it is not a JSON object", remedy="write one finished run a line")
    known = KEYS_OF_A_DIALOGUE if "dialogue" in tree else KEYS_OF_A_RUN
    _keys(tree, known, known, "a run")
    if tree["format"] != FORMAT:
        raise TreeError(f"its format is {tree['format']!r}", remedy=f"this version reads {FORMAT}")
    about, arm = _about(tree)
    requests = _list(tree["requests"], "requests")
    for number, request in enumerate(requests):
        if not isinstance(request, dict) or not {"answer", "probabilities"} <= request.keys():
            raise TreeError(f"requests[{number}] has no answer and probabilities")
    try:
        record = again(arm, about, [read_answer(request["answer"]) for request in requests])
        found = Filed(
            _text(tree["system"], "system"),
            _texts(tree["roots"], "roots"),
            record,
            tuple(read_masses(request["probabilities"]) for request in requests),
        )
        said = tree_of(found)
    except ControllerError as error:
        raise TreeError(error.message, remedy=error.remedy) from error
    _same(tree, said)
    _sound(found, requests)
    return found


def tree_in(line: bytes) -> Any:
    """The JSON value of a line of a file, with whole numbers as such. Raises TreeError."""
    try:
        value, rest = decode(line.decode())
    except ValueError as error:
        raise TreeError(f"it is not a line of JSON ({error})") from error
    if rest:
        raise TreeError("it goes on after its JSON object", remedy="write one to a line")
    return native(value)


def native(value: object) -> Any:
    """A decoded value with whole numbers as such. Raises TreeError for other numbers, and for keys that stand
    twice.
    """
    if isinstance(value, Digits):
        if not _WHOLE.fullmatch(value.text):
            said = value.text if len(value.text) <= 20 else f"{value.text[:20]}..."
            raise TreeError(f"{said} is no whole number", remedy="write probabilities as texts")
        return int(value.text)
    if isinstance(value, Repeating):
        raise TreeError("a key stands twice in one object", remedy="keep one of them")
    if isinstance(value, Mapping):
        return {name: native(part) for name, part in value.items()}
    return [native(part) for part in value] if isinstance(value, list) else value


def _keys(tree: Mapping[str, object], known: Sequence[str], needed: Iterable[str], what: str) -> None:
    for name in tree:
        if name not in known:
            raise TreeError(f"{what} has no key {name!r}", remedy=nearest(name, known))
    for name in needed:
        if name not in tree:
            raise TreeError(f"{what} lacks the key {name!r}")


def _about(tree: Tree) -> tuple[Task | Dialogue, Arm | str]:
    """What the run is about, and its arm."""
    try:
        if "dialogue" in tree:
            return _dialogue(tree["dialogue"]), _dialogue_arm(tree["arm"])
        arm = _built(Arm, tree["arm"], dict.fromkeys((field.name for field in fields(Arm)), _scalar), "arm")
        return _built(Task, tree["task"], _TASK, "task"), arm
    except ControllerError as error:
        raise TreeError(error.message, remedy=error.remedy) from error


def _dialogue(said: object) -> Dialogue:
    if not isinstance(said, dict):
        raise TreeError("dialogue is not an object")
    names = ("fields", "turns", "gold")
    _keys(said, names, names, "dialogue")
    rows = [_built(Field, row, _FIELD, "a field") for row in _list(said["fields"], "fields")]
    gold = said["gold"]
    states = None if gold is None else tuple(_texts(row, "gold") for row in _list(gold, "gold"))
    count = _number(said["turns"], "turns")
    return Dialogue(tuple(rows), states, count if states is None else None)


def _dialogue_arm(said: object) -> str:
    if not isinstance(said, str) or said not in WAYS:
        raise TreeError(f"no arm of a dialogue is called {said!r}", remedy=f"one of {', '.join(WAYS)}")
    return said


def _built(kind: Callable[..., T], said: object, read: Readers, what: str) -> T:
    """A value from an object that names its fields; those left out have their defaults."""
    if not isinstance(said, dict):
        raise TreeError(f"{what} is not an object")
    needed = [each.name for each in fields(cast(Any, kind)) if each.default is MISSING]
    _keys(said, tuple(read), needed, what)
    return kind(**{name: read[name](value, name) for name, value in said.items()})


def _scalar(value: object, name: str) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TreeError(f"{name} is neither a text nor a whole number")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str) or not value:
        raise TreeError(f"{name} is no text of at least one character")
    return value


def _maybe(value: object, name: str) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TreeError(f"{name} is neither a text nor null")
    return value


def _number(value: object, name: str) -> int:
    if type(value) is not int:
        raise TreeError(f"{name} is no whole number")
    return value


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise TreeError(f"{name} is neither true nor false")
    return value


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise TreeError(f"{name} is no list")
    return value


def _texts(value: object, name: str) -> tuple[str, ...]:
    return tuple(_text(part, name) for part in _list(value, name))


def _numbers(value: object, name: str) -> tuple[int, ...]:
    return tuple(_number(part, name) for part in _list(value, name))


def _naming(value: object, name: str) -> Naming:
    return _built(Naming, value, {"opaque": _texts, "readable": _texts, "derangement": _numbers}, name)


def _orders(value: object, name: str) -> tuple[tuple[int, ...], ...]:
    return tuple(_numbers(part, name) for part in _list(value, name))


_TASK: Readers = {
    "gold": _maybe,
    "candidates": _texts,
    "symbols": _texts,
    "supplied": _maybe,
    "positions": _numbers,
    "listed": _numbers,
    "draft": _maybe,
    "claimed": _maybe,
    "naming": _naming,
    "orders": _orders,
    "labels": _texts,
    "named": _flag,
}
_FIELD: Readers = {
    "name": _text,
    "values": _texts,
    "initial": _text,
    "codes": _texts,
}


def read_answer(value: object) -> Answer:
    """An answer from a JSON value. Raises TreeError."""
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    if value is None or isinstance(value, str):
        return value
    raise TreeError("an answer is a text, a list of texts, or null")


def read_masses(value: object) -> tuple[Masses | None, ...]:
    """The masses of each question of a request from a JSON value. Raises TreeError."""
    return tuple(
        None if row is None else tuple(_mass(text) for text in _texts(row, "probabilities"))
        for row in _list(value, "probabilities")
    )


def _mass(text: str) -> Fraction:
    try:
        mass = _long(text) if _RATIO.fullmatch(text) else read_number(text)
    except (NumberError, ZeroDivisionError) as error:
        remedy = "write a decimal or a ratio, as a text"
        raise TreeError(f"{text[:40]!r} is no probability", remedy=remedy) from error
    if not 0 <= mass <= 1:
        raise TreeError(f"{text[:40]!r} is no probability", remedy="write a number from 0 to 1")
    return mass


def _long(text: str) -> Fraction:
    """A ratio of whole numbers of any length, as `exact_text` writes it: Decimal reads what int refuses."""
    top, _, bottom = text.partition("/")
    return Fraction(int(Decimal(top)), int(Decimal(bottom or 1)))


def _same(tree: Tree, said: Tree) -> None:
    """Refuse a tree that says anything else than what its own answers lead to. Of probabilities, which lead
    to nothing, only the writing may differ.
    """
    written = [row["probabilities"] for row in said["requests"]]
    rows = [{**row, "probabilities": own} for row, own in zip(tree["requests"], written, strict=True)]
    for name, value in {**tree, "requests": rows}.items():
        if value != said[name]:
            message = f"its {name!r} is not what its arm, its task and its answers lead to"
            raise TreeError(message, remedy="keep lines as they were written")


def _sound(found: Filed, requests: Sequence[Tree]) -> None:
    """Refuse masses that are not one for each option, and roots that are not one for each turn."""
    for number, (rows, request) in enumerate(zip(found.masses, requests, strict=True)):
        asked = request.get("fields", request.get("positions")) or [None]
        options = request["options"]
        sizes = [len(options[name]) if "fields" in request else len(options) for name in asked]
        if len(rows) != len(sizes) or any(
            row is not None and len(row) != size for row, size in zip(rows, sizes, strict=True)
        ):
            raise TreeError(f"requests[{number}] has not a probability for each option")
    turns = len(found.record.states) if isinstance(found.record, DialogueRecord) else 1
    if len(found.roots) != turns or len(set(found.roots)) != turns:
        raise TreeError(f"a run about {turns} root(s) names {len(found.roots)}", remedy="name each root once")
