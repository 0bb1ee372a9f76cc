"""Dialogues in which a state is set, changed and taken back, turn by turn; the answer is the state.

A state has a letter for each field of a service: the intent, then its slots. Before the first turn it is no
intent and no slot set. A turn gives one field a value, or none: suggestions of the system count only where
the user accepts them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from worldgen.exact.domains import Phrases
from worldgen.exact.geometry import Candidates
from worldgen.exact.variables import Variable
from worldgen.faults import Fault
from worldgen.worlds.items import Called, Item, Slot, Source, Texts, crossed_choices
from worldgen.worlds.services import ABSENT, LETTERS, SERVICES, Service, services_of

LONGEST = 16
PARAPHRASED, PERMUTED = 8, 16
KINDS = ("open", "drop", "set", "set", "set", "any", "cancel", "accept", "accept", "decline")
TURNED = LETTERS[::-1]  # no letter stays what it was


@dataclass(frozen=True)
class Dialogue:
    """One dialogue: its slot, its service, and the names of its acts in order."""

    slot: Slot
    service: Service
    acts: tuple[str, ...]


@dataclass(frozen=True)
class Dialogues:
    """The task of telling the state of a dialogue after each of its turns.

    The slots, a dialogue each, are cut into as many equal runs as `turns` has numbers: those of the first
    run have so many user turns as the first number says, and so on. Slots of length L take the services with
    L - 1 slots in turn. Items are the turns of all dialogues; then those of every eighth dialogue in other
    words; then those of every sixteenth with the letters of all values permuted.
    """

    name: ClassVar[str] = "dialogue"
    says: ClassVar[str] = (
        "Tell the state after the last turn, as a letter for each field of the schema, in its order. What "
        "the user said of a field holds until the user changes it or takes it back; what the system suggests "
        "holds only once the user accepts it."
    )
    alphabet: ClassVar[str] = LETTERS
    symbols: ClassVar[int] = len(LETTERS)
    crossed: ClassVar[bool] = True
    looked_up: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = ("dialogue", "turn", "turns", "service", "presentation")

    turns: tuple[int, ...]

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """The schema, then the turns, of which those to come are not shown."""
        schemas = tuple(service.schema(letters) for letters in (LETTERS, TURNED) for service in SERVICES)
        said = dict.fromkeys(text for service in SERVICES for text in service.said)
        turn = Phrases((ABSENT, *said))
        count = max(self.turns)
        return Variable("schema", Phrases(schemas)), *(Variable(f"turn_{i + 1}", turn) for i in range(count))

    def dialogues(self, slots: Sequence[Slot], source: Source) -> tuple[Dialogue, ...]:
        """The dialogues, one for each slot."""
        seen: dict[int, int] = {}
        found = []
        for number, slot in enumerate(slots):
            services = services_of(slot.length - 1)
            service = services[seen.get(slot.length, 0) % len(services)]
            seen[slot.length] = seen.get(slot.length, 0) + 1
            count = self.turns[number * len(self.turns) // len(slots)]
            found.append(Dialogue(slot, service, _acts(service, slot, count, source)))
        return tuple(found)

    def _shown(self, dialogues: Sequence[Dialogue]) -> Iterator[tuple[str, Dialogue, int]]:
        """The presentation, the dialogue and the number of turns of each item."""
        for presentation, step in (("plain", 1), ("paraphrased", PARAPHRASED), ("permuted", PERMUTED)):
            for one in dialogues[::step]:
                yield from ((presentation, one, turn) for turn in range(1, len(one.acts) + 1))

    def unions(self, widths: Sequence[int]) -> tuple[int | None, ...]:
        """The widths: candidates are all words that have one of so many characters at each branch."""
        return tuple(widths)

    def size(self, slots: Sequence[Slot]) -> int:
        """The number of turns, and of turns shown again."""
        counts = [self.turns[number * len(self.turns) // len(slots)] for number in range(len(slots))]
        return sum(sum(counts[::step]) for step in (1, PARAPHRASED, PERMUTED))

    def items(self, slots: Sequence[Slot], widths: Sequence[int], source: Source) -> tuple[Item, ...]:
        """The items, by presentation, dialogue and turn."""
        return tuple(
            self._item(presentation, one, turn, widths, source)
            for presentation, one, turn in self._shown(self.dialogues(slots, source))
        )

    def _item(
        self, presentation: str, one: Dialogue, turn: int, widths: Sequence[int], source: Source
    ) -> Item:
        letters = TURNED if presentation == "permuted" else LETTERS
        wording = 1 if presentation == "paraphrased" else 0
        texts = [one.service.acts[act][1][wording] for act in one.acts[:turn]]
        texts += [ABSENT] * (max(self.turns) - turn)
        problem = {"schema": one.service.schema(letters)}
        problem |= {f"turn_{number}": text for number, text in enumerate(texts, 1)}
        plain = _forward(one.service, LETTERS, [one.service.acts[act][1][0] for act in one.acts[:turn]])
        slot = replace(one.slot, name=f"{one.slot.name}-{turn}")
        # Presentations of a turn share their candidates, in other letters where these are permuted.
        choices = crossed_choices(plain, slot, widths, [LETTERS] * len(widths), source)
        turned = str.maketrans(LETTERS, letters)
        notes = {
            "dialogue": one.slot.name,
            "turn": str(turn),
            "turns": str(len(one.acts)),
            "service": one.service.name,
            "presentation": presentation,
        }
        shown = {at: text.translate(turned) for at, text in choices.items()}
        gold = plain.translate(turned)
        return Item(slot.name, problem, gold, Candidates.crossed(gold, shown, LETTERS), notes)

    def faults(self, slots: Sequence[Slot], widths: Sequence[int]) -> Iterator[Fault]:
        """Numbers of turns that cannot be, and slots that no service has the fields for."""
        for i, turns in enumerate(self.turns):
            if not 1 <= turns <= LONGEST:
                message = f"there is no dialogue of {turns} user turns"
                yield Fault(("task", self.name, "turns", i), message, f"use 1 to {LONGEST}")
        for slot in slots:
            if not 2 <= slot.length <= 4:
                message = f"no service has {slot.length} fields"
                yield Fault(("geometry", "slots", slot.name), message, "use the length 2, 3 or 4")

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """The fields of all services."""
        return tuple(dict.fromkeys(name for service in SERVICES for name in service.fields))

    @cached_property
    def meanings(self) -> tuple[str, ...]:
        """The values of all fields."""
        every = (values for service in SERVICES for values in service.fields.values())
        return tuple(dict.fromkeys(value for values in every for value in values))

    def called(self, problems: Texts) -> list[Called]:
        """The fields of the service, and the value of each letter."""
        return [
            tuple((name, dict(zip(letters, values, strict=True))) for name, values in service.fields.items())
            for service, letters, _ in self._read(problems)
        ]

    def answers(self, problems: Texts) -> list[str]:
        """The states, by going through the turns."""
        return [_forward(*row) for row in self._read(problems)]

    def slow_answers(self, problems: Texts) -> list[str]:
        """The states, by looking back for the last turn that says anything of a field."""
        return [_backward(*row) for row in self._read(problems)]

    def _read(self, problems: Texts) -> Iterator[tuple[Service, str, list[str]]]:
        """The service, the letters and the turns of each problem."""
        known = {service.schema(way): (service, way) for service in SERVICES for way in (LETTERS, TURNED)}
        columns = [problems[one.name] for one in self.variables[1:]]
        for schema, texts in zip(problems["schema"], zip(*columns, strict=True), strict=True):
            yield *known[schema], [text for text in texts if text != ABSENT]


def _forward(service: Service, letters: str, texts: Sequence[str]) -> str:
    """The state after these turns; none where a turn is of another service."""
    state = {name: values[0] for name, values in service.fields.items()}
    for text in texts:
        act = service.said.get(text)
        if act is None:
            return ""
        if act.field:
            state[act.field] = act.value
    return "".join(letters[values.index(state[name])] for name, values in service.fields.items())


def _backward(service: Service, letters: str, texts: Sequence[str]) -> str:
    """The same, field by field from the last turn back."""
    if any(text not in service.said for text in texts):
        return ""
    written = ""
    for name, values in service.fields.items():
        acts = (service.said[text] for text in reversed(texts))
        last = next((act.value for act in acts if act.field == name), values[0])
        written += dict(zip(values, letters, strict=True))[last]
    return written


def _acts(service: Service, slot: Slot, count: int, source: Source) -> tuple[str, ...]:
    """The acts of a dialogue: an intent is opened, a slot is set, and then acts of drawn kinds follow."""
    by_kind: Mapping[str, list[str]] = {
        kind: [name for name in service.acts if name.split(" ", 1)[0] == kind] for kind in KINDS
    }
    lanes = np.arange(count)
    kinds = source.stream(f"kinds {slot.name}").below(lanes, source.attempt, len(KINDS)).tolist()
    chosen = ["open", "set", *(KINDS[kind] for kind in kinds[2:])][:count]
    sizes = np.array([len(by_kind[kind]) for kind in chosen], dtype=np.int64)
    places = source.stream(f"acts {slot.name}").below(lanes, source.attempt, sizes).tolist()
    return tuple(by_kind[kind][place] for kind, place in zip(chosen, places, strict=True))
