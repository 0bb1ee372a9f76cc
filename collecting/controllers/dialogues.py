"""States of dialogues: after every turn of a user, the value of each field, asked for in six ways."""

from dataclasses import dataclass, replace
from typing import Literal

from worldgen.collecting.controllers.driving import given
from worldgen.collecting.controllers.options import ControllerError, Option, resolve
from worldgen.collecting.controllers.records import Answer

DialogueArm = Literal["joint", "independent", "serial", "history-recompute", "rollout", "oracle"]
History = Literal["all", "latest"]
State = tuple[str | None, ...]
"""A value for each field, in their order; None marks an invalid answer."""

NONE, UNSET, DONTCARE = "NONE", "UNSET", "DONTCARE"
"""No intent yet; a slot without a value; a slot of which the user said that any value will do."""


@dataclass(frozen=True)
class Way:
    """What requests of an arm show, and how many of them a turn takes.

    `by_field` asks for one field at a time, `partial` shows what was answered for this turn before. `prior`
    is the state before the turn that stands in for the earlier turns: the run's own, the right one, or none.
    """

    by_field: bool = False
    partial: bool = False
    prior: Literal["none", "own", "gold"] = "none"

    @property
    def history(self) -> History:
        """Which turns are shown."""
        return "all" if self.prior == "none" else "latest"


WAYS: dict[DialogueArm, Way] = {
    "joint": Way(),
    "independent": Way(by_field=True),
    "serial": Way(by_field=True, partial=True),
    "history-recompute": Way(),
    "rollout": Way(prior="own"),
    "oracle": Way(prior="gold"),
}


@dataclass(frozen=True)
class Field:
    """One field of a state: its name, the values it may have, and the one it has before the first turn.
    An answer gives a value by its code, which is the value itself unless `codes` names others.

    Raises ControllerError for no values, one that stands twice, an `initial` one that is not among them, or
    codes that are not one for each.
    """

    name: str
    values: tuple[str, ...]
    initial: str = UNSET
    codes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.values)) != len(self.values) or self.initial not in self.values:
            raise ControllerError(
                f"the field {self.name} needs distinct values with {self.initial} among them"
            )
        if self.codes and not len(set(self.codes)) == len(self.codes) == len(self.values):
            raise ControllerError(f"the field {self.name} needs a code of its own for each value")

    @property
    def options(self) -> tuple[Option, ...]:
        """The values with their codes."""
        return tuple(map(Option, self.codes or self.values, self.values))


@dataclass(frozen=True)
class Dialogue:
    """The fields of a dialogue in the order in which they are asked for, and the right state after each turn;
    where these are not known, `gold` is None and `count` says how many turns there are.

    Raises ControllerError for no fields or turns, a name that stands twice, or a state that does not fit.
    """

    fields: tuple[Field, ...]
    gold: tuple[tuple[str, ...], ...] | None
    count: int | None = None

    def __post_init__(self) -> None:
        names = [field.name for field in self.fields]
        if not names or self.turns < 1 or len(set(names)) < len(names):
            raise ControllerError("a dialogue needs fields with distinct names, and a turn")
        if self.count not in (None, self.turns):
            raise ControllerError(f"a dialogue of {self.turns} states has no {self.count} turns")
        for turn, state in enumerate(self.gold or ()):
            if len(state) != len(names):
                raise ControllerError(f"turn {turn} has {len(state)} values for {len(names)} fields")
            for field, value in zip(self.fields, state, strict=True):
                if value not in field.values:
                    raise ControllerError(f"turn {turn}: the field {field.name} has no value {value}")

    @property
    def turns(self) -> int:
        """The number of turns."""
        return (self.count or 0) if self.gold is None else len(self.gold)

    @property
    def known(self) -> tuple[tuple[str, ...], ...]:
        """The right states. Raises ControllerError where they are not known."""
        if self.gold is None:
            raise ControllerError("the right states are not known", remedy="give the dialogue its gold")
        return self.gold

    @property
    def initial(self) -> tuple[str, ...]:
        """The state before the first turn."""
        return tuple(field.initial for field in self.fields)


@dataclass(frozen=True)
class DialogueRequest:
    """One request about a turn: for which fields, with which turns shown, the state before them where only
    the latest is, and where they are shown (name, value) of the fields of this turn answered before.
    """

    arm: DialogueArm
    turn: int
    fields: tuple[Field, ...]
    history: History
    prior: State | None
    partial: tuple[tuple[str, str | None], ...] | None


@dataclass(frozen=True)
class DialogueRecord:
    """A run that is over: every answer as it came, and the state after each turn."""

    arm: DialogueArm
    dialogue: Dialogue
    answers: tuple[Answer, ...]
    states: tuple[State, ...]

    @property
    def calls(self) -> int:
        """The number of requests."""
        return len(self.answers)

    @property
    def right(self) -> tuple[bool, ...]:
        """Whether the state after each turn is the right one. Raises ControllerError where none is known."""
        return tuple(given == gold for given, gold in zip(self.states, self.dialogue.known, strict=True))


@dataclass(frozen=True)
class DialogueRun:
    """A run of an arm on a dialogue, up to some answer; as immutable as `running.Run`.

    Raises ControllerError for an arm that shows the right state of a dialogue whose states are not known.

    >>> size = Field("size", ("UNSET", "small", "large"))
    >>> run = DialogueRun("rollout", Dialogue((size,), (("small",), ("large",))))
    >>> run.give(("small",)).request.prior
    ('small',)
    """

    arm: DialogueArm
    dialogue: Dialogue
    answers: tuple[Answer, ...] = ()
    states: tuple[State, ...] = ()
    given: State = ()

    def __post_init__(self) -> None:
        if WAYS[self.arm].prior == "gold":
            self.dialogue.known  # noqa: B018  (raises where they are not)

    @property
    def record(self) -> DialogueRecord | None:
        """What became of a run that is over, None for one that is not."""
        if len(self.states) < self.dialogue.turns:
            return None
        return DialogueRecord(self.arm, self.dialogue, self.answers, self.states)

    @property
    def request(self) -> DialogueRequest:
        """What to ask next. Raises ControllerError where the run is over."""
        self._goes_on()
        turn, dialogue, way = len(self.states), self.dialogue, WAYS[self.arm]
        named = zip((field.name for field in dialogue.fields), self.given, strict=False)
        partial = tuple(named) if way.partial else None
        return DialogueRequest(self.arm, turn, self._asked, way.history, self._prior, partial)

    def give(self, answer: Answer) -> "DialogueRun":
        """The run with one more answer, to the letter: one text for each field that was asked for, as a tuple
        where several may be. What is no value of its field is marked. Raises ControllerError if nothing is
        asked any more.
        """
        self._goes_on()
        pairs = zip(self._asked, self._texts(answer), strict=True)
        legal = (resolve(field.options, "code", text) for field, text in pairs)
        run = replace(self, answers=(*self.answers, answer), given=(*self.given, *legal))
        if len(run.given) == len(self.dialogue.fields):
            run = replace(run, states=(*run.states, run.given), given=())
        return run

    def _goes_on(self) -> None:
        if len(self.states) == self.dialogue.turns:
            raise ControllerError("the run is over", remedy="take its record")

    def _texts(self, answer: Answer) -> State:
        """The text for each field that was asked for; where they do not match one to one there is none."""
        if WAYS[self.arm].by_field:
            return (answer if isinstance(answer, str) else None,)
        if isinstance(answer, tuple) and len(answer) == len(self._asked):
            return answer
        return (None,) * len(self._asked)

    @property
    def _asked(self) -> tuple[Field, ...]:
        fields = self.dialogue.fields
        return fields[len(self.given) :][:1] if WAYS[self.arm].by_field else fields

    @property
    def _prior(self) -> State | None:
        turn, prior = len(self.states), WAYS[self.arm].prior
        if prior == "none":
            return None
        states: tuple[State, ...] = self.states if prior == "own" else self.dialogue.known
        return states[turn - 1] if turn else self.dialogue.initial


def replay_dialogue(record: DialogueRecord) -> DialogueRecord:
    """The record of the same arm on the same dialogue, given the same answers: equal to the record of a run,
    and to no other. Raises ControllerError where the run would be over before the last answer, or goes on.
    """
    return given(DialogueRun(record.arm, record.dialogue), record.answers)
