"""Asking about a case of one of two classes: its state with demonstrations, and where these come from."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.variants import Variant
from worldgen.exact.domains import Codes
from worldgen.renderers.cases import ANSWER_KEY, OUTCOME, Cases, Classes
from worldgen.renderers.lines import Leaf, Tree
from worldgen.worlds.base import Values, World

# What the payload calls the options, true and false: on chat it asks for one number and names no other.
LABELS = {"systemone": ("true", "false"), "chat": (ANSWER_KEY, "otherwise")}


def classes_of(world: World) -> Classes:
    """The two classes of a world, the one that A stands for as the positive one."""
    event = world.events["A"]
    (positive,) = (name for name, each in world.partition.items() if each == event)
    (negative,) = (name for name in world.partition if name != positive)
    other = world.partition[negative]
    return Classes(positive, world.partition[positive].label, negative, other.label)


def cases_of(world: World, variant: Variant, memo: Leaf) -> Cases:
    """The cases that a variant shows of a world, each as `memo` writes it."""
    view = world.view
    variables = view.variables if variant.metadata else view.shown
    return Cases(memo, variables, classes_of(world), variant.demonstrations)


def payload(cases: Cases, wire: str, model: str) -> Tree:
    """The payload of a case on a wire."""
    return cases.chat(model) if wire == "chat" else cases.systemone(model)


def labelled(world: World, values: Values, outcomes: NDArray[np.int64]) -> dict[str, Codes]:
    """Cases as `Cases` demonstrates them: the codes of their variables, and 1 where A came true."""
    event = np.zeros(len(world.atoms), dtype=np.int64)
    event[list(world.events["A"].indices)] = 1
    return {**values, OUTCOME: event[outcomes]}


def demonstrated(cases: Cases, pool: Values, rows: int) -> Mapping[str, Codes]:
    """The codes of what `rows` requests demonstrate, the same in each: the first cases of the pool."""
    return {
        name: codes
        for name, codes in cases.joined(pool, pool, rows).items()
        if name not in {variable.name for variable in cases.variables}
    }
