"""Endpoints of dialogues: right states turn by turn, at the end, throughout, and again after an error."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.scoring.figures.means import mean, total

Turns = Sequence[bool]
"""Whether the state after each turn of a dialogue is right; at least one turn."""


@dataclass(frozen=True)
class Endpoints:
    """What became of dialogues, each weighing the same.

    `mean_turn` is the mean over dialogues of the share of right turns, `final_state` the share whose last
    state is right, `trajectory` the share that is right throughout; None without dialogues. Of the `failed`
    ones, which have a wrong turn, `recovered` are right at some later turn, `recovered_finally` at the last.
    """

    dialogues: int
    mean_turn: Fraction | None
    final_state: Fraction | None
    trajectory: Fraction | None
    failed: int
    recovered: int
    recovered_finally: int


def endpoints(dialogues: Sequence[Turns]) -> Endpoints:
    """The endpoints of dialogues. ValueError for one without turns.

    >>> found = endpoints([[True, False, True, False], [True, True]])
    >>> found.mean_turn, found.final_state, found.failed, found.recovered, found.recovered_finally
    (Fraction(3, 4), Fraction(1, 2), 1, 1, 0)
    """
    rows = [tuple(map(bool, turns)) for turns in dialogues]
    if not all(rows):
        raise ValueError("a dialogue has at least one turn")
    failed = [turns for turns in rows if not all(turns)]
    return Endpoints(
        len(rows),
        mean([mean_turn(turns) for turns in rows]) if rows else None,
        Fraction(sum(turns[-1] for turns in rows), len(rows)) if rows else None,
        Fraction(sum(map(all, rows)), len(rows)) if rows else None,
        len(failed),
        sum(any(turns[turns.index(False) :]) for turns in failed),
        sum(turns[-1] for turns in failed),
    )


def mean_turn(turns: Turns) -> Fraction:
    """The share of right turns of a dialogue.

    >>> mean_turn([True, False])
    Fraction(1, 2)
    """
    return Fraction(sum(map(bool, turns)), len(turns))


def state_retention(joint: Sequence[Turns], local: Sequence[Turns]) -> Fraction | None:
    """Of the states that are right when all fields are asked for together, the share that local construction
    gets right too, dialogues weighing the same: the sum over dialogues of the share of turns right in both,
    over that of the share right in `joint`. None where that is 0.

    ValueError where dialogues or turns do not match.

    >>> state_retention([[True, True], [True, True, True, False]], [[True, False], [True, True, True, True]])
    Fraction(5, 7)
    """
    both = [
        [first and second for first, second in zip(left, right, strict=True)]
        for left, right in zip(joint, local, strict=True)
    ]
    whole = total(mean_turn(turns) for turns in joint)
    return total(mean_turn(turns) for turns in both) / whole if whole else None
