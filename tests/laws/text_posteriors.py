"""The law that a text tells exactly as much of the outcome as what it shows: P(Y | text) = P(Y | visible).

A subject is a finite joint law, every state of it listed: codes of the variables that are visible, a class,
a weight. The law is checked by adding up, in Fractions, over all states with one text and over all states
that look alike. It says nothing of how the texts came about, so that texts which lose or leak can be tried.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from worldgen.renderers.plans import Plan


@dataclass(frozen=True)
class Listed:
    """Every state of a joint law: `visible` name -> codes (n,), `classes` (n,), exact `weights` (n,)."""

    visible: Mapping[str, Sequence[int]]
    classes: Sequence[int]
    weights: Sequence[Fraction]

    @property
    def looks(self) -> list[Hashable]:
        """What is visible of each state."""
        return list(zip(*self.visible.values(), strict=True))

    @property
    def values(self) -> dict[str, Any]:
        """The same as arrays of codes."""
        return {name: np.array(codes, dtype=np.int64) for name, codes in self.visible.items()}

    def texts(self, plan: Plan) -> list[str]:
        """What the plan writes of each state."""
        written: list[str] = plan.render(self.values, len(self.classes)).to_pylist()
        return written


def given(keys: Sequence[Hashable], listed: Listed) -> dict[Hashable, dict[int, Fraction]]:
    """P(class | key) for each key of positive weight, classes without weight left out."""
    mass: defaultdict[Hashable, defaultdict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for key, label, weight in zip(keys, listed.classes, listed.weights, strict=True):
        if weight:
            mass[key][label] += weight
    return {
        key: {label: part / sum(found.values()) for label, part in found.items()}
        for key, found in mass.items()
    }


def disagreements(texts: Sequence[str], listed: Listed) -> list[int]:
    """The states of positive weight at which P(Y | text) is not P(Y | visible)."""
    by_text, by_look = given(texts, listed), given(listed.looks, listed)
    return [
        state
        for state, (text, look) in enumerate(zip(texts, listed.looks, strict=True))
        if listed.weights[state] and by_text[text] != by_look[look]
    ]
