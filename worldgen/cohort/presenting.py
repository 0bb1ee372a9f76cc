"""How a question is displayed: the order and the labels of its options, and the payload."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.fields import Order
from worldgen.exact.domains import Codes, Identifiers
from worldgen.exact.permutations import permutations
from worldgen.exact.questions import Form
from worldgen.exact.streams import Indices
from worldgen.renderers import chat, systemone
from worldgen.renderers.lines import Leaf, Tree
from worldgen.worlds.base import Streams, Values

NO_POOL: Values = MappingProxyType({})
OPAQUE = Identifiers("bcdfghjkmnpqrstvwxz23456789", 6, 6)


@dataclass(frozen=True)
class Presentation:
    """How n roots see one question.

    `values` are the codes of the question's variables, `order` (n, options) the canonical position of
    the option displayed at each place; its answer id is labels[label] with `label` (n, options).
    """

    values: Mapping[str, Codes]
    order: NDArray[np.int64]
    labels: Sequence[str]
    label: NDArray[np.int64]


def written(  # noqa: PLR0913  (a request has that many parts)
    wire: str,
    model: str,
    form: Form,
    *,
    state: Leaf,
    instructions: Leaf,
    options: Sequence[tuple[Leaf, Leaf]],
    preamble: str = chat.PREAMBLE,
) -> tuple[Tree, bool]:
    """The payload of a question on a wire, options with label and description, and whether it is portable.
    A chat begins with the preamble, which says how to answer.
    """
    if wire == "chat":
        tree = chat.payload(state, model, instructions, options, preamble)
        return tree, len(options) <= chat.PORTABLE_OPTIONS
    asked: systemone.Asked
    if form == "event":
        asked = systemone.Noul(instructions)
    elif form == "score":
        asked = systemone.Score(instructions, tuple(description for _, description in options))
    else:
        asked = systemone.Choice(instructions, tuple(options))
    return systemone.payload(state, model, asked), not systemone.portable(asked)


def arranged(how: Order, streams: Streams, purpose: str, indices: Indices, width: int) -> NDArray[np.int64]:
    """An arrangement of 0 .. width - 1 for each root, (n, width): canonical, reversed, or any other than
    the canonical one with equal chance.
    """
    identity = np.broadcast_to(np.arange(width), (len(indices), width))
    if how == "canonical" or width == 1:
        return identity
    if how == "reversed":
        return identity[:, ::-1]
    ranks = streams.purpose(purpose).below(indices, 0, factorial(width) - 1) + 1
    return permutations(ranks, width)


def distinct_keys(streams: Streams, purpose: str, indices: Indices, width: int) -> NDArray[np.object_]:
    """`width` distinct opaque identifiers for each root, every ordered choice equally likely, (n, width)."""
    ranks = np.empty((len(indices), width), dtype=np.int64)
    for place in range(width):
        rank = streams.purpose(f"{purpose} {place}").below(indices, 0, OPAQUE.count - place)
        for taken in np.sort(ranks[:, :place], axis=1).T:
            rank = rank + (rank >= taken)
        ranks[:, place] = rank
    return OPAQUE.nths(ranks.ravel()).reshape(ranks.shape)
