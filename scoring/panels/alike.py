"""Two requests that ask the same question in different words: which roots have both, and what they share."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.figures.columns import Column, Mask, largest
from worldgen.scoring.figures.measures import Label, Mean
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.panels.controllers import DEFER, Reported, Stances, stances
from worldgen.scoring.panels.losses import mean_over_slots
from worldgen.scoring.panels.panel import Panel, Places, Truth


def alike(left: Truth, right: Truth) -> Mask:
    """(n,) where the two requests of a root partition the same atoms into the same events, so that option
    k of one is option k of the other in canonical order, and their exact answers agree.
    """
    pairs = zip(left.asks, right.asks, strict=True)
    return np.array([bool(one) and one == two for one, two in pairs], dtype=np.bool_)


def aligned(panel: Panel, truth: Truth) -> tuple[Reported, Places]:
    """The reports of a panel as answers to the requests of `truth`, and the weights of their slots.

    Where a root was not asked alike, the request that `truth` has there counts as one that failed.
    """
    same = alike(panel.truth, truth)
    supplied = _fitted(panel.supplied, truth.q.shape[1])
    asked = np.where(same[:, None], panel.asked, False)
    asked[:, 0] |= truth.intended & ~same
    return Reported(supplied, panel.unit, panel.valid & same[:, None]), asked.astype(np.int64)


def paired(left: Panel, right: Panel) -> tuple[Reported, Reported, Mask]:
    """The reports of two panels on the requests of the first, and (n, R) where both are valid and alike."""
    other, _ = aligned(right, left.truth)
    return left.reported, other, left.valid & other.valid


def action_changes(
    relation: str, left: Panel, right: Panel, costs: Sequence[Fraction] = ALL_COSTS
) -> Iterator[Mean]:
    """The share of paired-valid roots whose action changes from one request of a question to the other, and
    its two parts: between a class and deferring, and between two classes.

    `relation` names the pair. Repeats of a root are averaged.
    """
    one, two, valid = paired(left, right)
    eligible = left.truth.eligible & alike(left.truth, right.truth)
    first, second = stances(one), stances(two)
    for cost in costs:
        for metric, column in _changes(first, second, valid, cost):
            label = Label("decisions", metric, relation, left.system, "paired valid", cost)
            yield Mean(label, column, eligible)


def _changes(first: Stances, second: Stances, valid: Mask, cost: Fraction) -> Iterator[tuple[str, Column]]:
    a, b = first.actions(cost), second.actions(cost)
    crossed = (a == DEFER) != (b == DEFER)
    for metric, changed in (
        ("action_change", a != b),
        ("act_defer_change", crossed),
        ("class_change", (a != b) & ~crossed),
    ):
        ones = np.ones(len(a), dtype=np.int64)
        yield metric, mean_over_slots(changed.astype(np.int64), ones, valid.astype(np.int64))


def _fitted(masses: Integers, options: int) -> Integers:
    """Masses of a number of options: columns that no alike root fills are left out, or added as zeros."""
    fitted = np.zeros((*masses.shape[:2], options), dtype=masses.dtype)
    shared = min(options, masses.shape[2])
    fitted[:, :, :shared] = masses[:, :, :shared]
    return integers(fitted, largest(masses) + 1)
