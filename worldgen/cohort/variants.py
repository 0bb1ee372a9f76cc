"""Variants: a question and its presentation, as orthogonal fields and one table of them."""

from dataclasses import dataclass
from typing import Literal

from worldgen.exact.questions import Form

Order = Literal["canonical", "permuted"]
Keys = Literal["names", "opaque"]

PARTITION = "the partition"


@dataclass(frozen=True)
class Variant:
    """One request slot of every root.

    `asks` names an event of the world, or PARTITION for its categories. An event is asked for in the
    form "event", or as a "choice" of yes and no. `given` names the condition, if any. `layout` is the
    position of the layout within the encoding, `order` how the options are displayed, `keys` how they
    are labelled, `metadata` whether the nuisance variables are shown. A variant that repeats another
    names it in `repeats` and shares all its draws.
    """

    name: str
    form: Form
    asks: str
    given: str | None = None
    layout: int = 0
    order: Order = "canonical"
    keys: Keys = "names"
    metadata: bool = False
    repeats: str | None = None

    @property
    def events(self) -> tuple[str, ...]:
        """The named events that a world must have for this variant."""
        named = (self.asks, self.given)
        return tuple(name for name in named if name not in (None, PARTITION))  # type: ignore[misc]


VARIANTS = (
    Variant("canonical", "choice", PARTITION),
    Variant("event", "event", "A"),
    Variant("complement", "event", "not A"),
    Variant("query-b", "event", "B"),
    Variant("intersection", "event", "A and B"),
    Variant("conditional", "event", "A", given="B"),
    Variant("binary-choice", "choice", "A"),
    Variant("permutation", "choice", PARTITION, order="permuted"),
    Variant("rendering", "choice", PARTITION, layout=1),
    Variant("opaque-keys", "choice", PARTITION, keys="opaque"),
    Variant("metadata", "choice", PARTITION, metadata=True),
    Variant("exact-repeat", "event", "A", repeats="event"),
)

BY_NAME = {variant.name: variant for variant in VARIANTS}
