"""The services that dialogues are about, and what a user can say of each: texts, and what they do."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

LETTERS = "abcdef"
NONE, UNSET, DONTCARE = "no intent", "not set", "no preference"
INTENT = "intent"
ABSENT = "(not yet)"


@dataclass(frozen=True)
class Act:
    """What a turn does: the field named takes a value, given by its text; no field at all is left alone."""

    field: str = ""
    value: str = ""


@dataclass(frozen=True)
class Service:
    """A service: five intents, and one to three slots of four values each."""

    name: str
    intents: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]

    @cached_property
    def fields(self) -> dict[str, tuple[str, ...]]:
        """Each field with its six values in order: the intent first, then the slots."""
        slots = {name: (UNSET, DONTCARE, *values) for name, values in self.slots.items()}
        return {INTENT: (NONE, *self.intents), **slots}

    def schema(self, letters: str = LETTERS) -> str:
        """The fields, in order, and the letter of each value."""
        told = (
            f"{name}: {', '.join(f'{letter} {value}' for letter, value in zip(letters, values, strict=True))}"
            for name, values in self.fields.items()
        )
        return f"{self.name}; {'; '.join(told)}"

    @cached_property
    def acts(self) -> dict[str, tuple[Act, tuple[str, str]]]:
        """Every act by a name, with its two wordings; the name starts with the kind of act."""
        found = {
            f"open {intent}": (
                Act(INTENT, intent),
                (f"USER: I want to {intent}.", f"USER: Help me {intent}."),
            )
            for intent in self.intents
        }
        found["drop"] = (
            Act(INTENT, NONE),
            (
                "USER: I do not want to do anything for now.",
                "USER: Leave it, there is nothing to do for now.",
            ),
        )
        for slot, values in self.slots.items():
            found[f"any {slot}"] = (
                Act(slot, DONTCARE),
                (f"USER: Any {slot} will do.", f"USER: I do not mind which {slot}."),
            )
            found[f"cancel {slot}"] = (
                Act(slot, UNSET),
                (f"USER: Forget what I said about the {slot}.", f"USER: Take back the {slot}."),
            )
            for value in values:
                asked = f"SYSTEM: Would {value} suit as the {slot}?"
                found[f"set {slot} {value}"] = (
                    Act(slot, value),
                    (f"USER: The {slot} should be {value}.", f"USER: Make the {slot} {value}, please."),
                )
                found[f"accept {slot} {value}"] = (
                    Act(slot, value),
                    (f"{asked} USER: Yes, take that.", f"{asked} USER: It would."),
                )
                found[f"decline {slot} {value}"] = (
                    Act(),
                    (
                        f"{asked} USER: No, leave it as it was.",
                        f"{asked} USER: It would not, change nothing.",
                    ),
                )
        return found

    @cached_property
    def said(self) -> dict[str, Act]:
        """What each text does."""
        return {text: act for act, wordings in self.acts.values() for text in wordings}


_TRIP = ("search", "book", "change a booking", "cancel a booking", "ask for the price")
_VISIT = ("search", "reserve", "move a reservation", "cancel a reservation", "write a review")

SERVICES = (
    Service("taxis", _TRIP, {"car": ("a saloon", "an estate", "a van", "an electric car")}),
    Service("weather", ("see a forecast", "set an alert", "clear an alert", "compare two days", "see a map"),
            {"day": ("today", "tomorrow", "Saturday", "Sunday")}),
    Service("parking", _TRIP, {"level": ("the ground floor", "the roof", "the first floor", "the basement")}),
    Service("trains", _TRIP, {"class": ("first", "second", "quiet", "family"),
                              "seat": ("a window", "an aisle", "a table", "a berth")}),
    Service("hotels", _VISIT, {"board": ("breakfast", "half board", "full board", "room only"),
                               "bed": ("single", "double", "twin", "bunk")}),
    Service("films", _VISIT, {"genre": ("comedy", "drama", "horror", "western"),
                              "row": ("front", "middle", "back", "balcony")}),
    Service("museums", _VISIT, {"wing": ("the east wing", "the west wing", "the annexe", "the garden"),
                                "tour": ("guided", "audio", "family", "night")}),
    Service("restaurants", _VISIT, {"cuisine": ("Greek", "Thai", "Peruvian", "Polish"),
                                    "area": ("north", "south", "centre", "harbour"),
                                    "price": ("cheap", "moderate", "high", "set menu")}),
    Service("flights", _TRIP, {"cabin": ("economy", "comfort", "business", "first"),
                               "stop": ("none", "one", "two", "overnight"),
                               "meal": ("vegan", "kosher", "halal", "plain")}),
    Service("rentals", _TRIP, {"gear": ("manual", "automatic", "electric", "hybrid"),
                               "size": ("small", "medium", "large", "minibus"),
                               "cover": ("basic", "full", "roadside", "tyres")}),
)  # fmt: skip
"""Three services of one slot, four of two and three of three."""


@cache
def services_of(slots: int) -> tuple[Service, ...]:
    """The services with so many slots."""
    return tuple(service for service in SERVICES if len(service.slots) == slots)
