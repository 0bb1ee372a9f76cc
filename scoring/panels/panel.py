"""Panels: one variant's exact answers and one system's reports on it, as integer arrays along the roots.

Options stand in canonical order (`decisions.canonical_order`), so that arrays of different presentations
of a question line up; the levels of a score stand in their own order. Roots with fewer than K options
are filled with options of probability and mass 0, which change no score.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, common_denominator, integers
from worldgen.scoring.figures.columns import Axis, Column, Mask, along, largest
from worldgen.scoring.figures.means import mean
from worldgen.scoring.panels.actions import canonical_order
from worldgen.scoring.panels.controllers import Reported
from worldgen.scoring.reports.accounting import Verdict, Verdicts
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import Request, TablesError

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Truth:
    """The requests of one variant along n roots, and their exact answers.

    `requests[i]` is the request of root i, None where it has none. Option k of root i has probability
    q[i, k] / total[i], q (n, K) and total (n,) integers, where `eligible`; elsewhere q is 0 and total 1.
    `widths` (n,) counts the options, `outcomes` (n,) is the place of the one that came true, -1 where
    that is not known.
    """

    variant: str
    requests: tuple[Request | None, ...]
    orders: tuple[tuple[int, ...], ...]
    q: Integers
    total: Integers
    widths: Places
    outcomes: Places

    @classmethod
    def of(cls, variant: str, requests: Iterable[Request], axis: Axis) -> "Truth":
        """The truth of a variant. Raises TablesError where a root has two requests of it."""
        rows: list[Request | None] = [None] * len(axis)
        positions = axis.positions
        for request in requests:
            place = positions[request.root_id]
            if rows[place] is not None:
                raise TablesError(f"requests: root {request.root_id!r} has two requests {variant!r}")
            rows[place] = request
        orders = tuple(() if row is None else option_order(row) for row in rows)
        found = [
            [] if row is None or row.q is None else [row.q[i] for i in order]
            for row, order in zip(rows, orders, strict=True)
        ]
        q, total = _over_units(found, max(map(len, orders), default=1))
        outcomes = [
            -1 if row is None or row.outcome is None else order.index(row.outcome)
            for row, order in zip(rows, orders, strict=True)
        ]
        widths = np.array(list(map(len, orders)), dtype=np.int64)
        return cls(variant, tuple(rows), orders, q, total, widths, np.array(outcomes, dtype=np.int64))

    @cached_property
    def intended(self) -> Mask:
        """Where there is a request."""
        return np.array([row is not None for row in self.requests], dtype=np.bool_)

    @cached_property
    def eligible(self) -> Mask:
        """Where there is a request with an answer."""
        return np.array([row is not None and row.q is not None for row in self.requests], dtype=np.bool_)

    @cached_property
    def asks(self) -> tuple[tuple[frozenset[int], ...], ...]:
        """What each root is asked: the atoms given, then the event of each option; () without a request."""
        return tuple(
            () if row is None else (row.given, *(row.events[k] & row.given for k in order))
            for row, order in zip(self.requests, self.orders, strict=True)
        )

    @cached_property
    def common(self) -> tuple[int, Integers]:
        """The least common multiple of `total`, and (n,) how often each total goes into it."""
        unit = lcm(*set(self.total.tolist()))
        return unit, unit // integers(self.total, unit + 1)

    @cached_property
    def best(self) -> Integers:
        """(n,) the numerator of max_k q over `total`."""
        return np.asarray(self.q.max(axis=1))

    @cached_property
    def yes(self) -> Places:
        """(n,) the place of yes in a question of yes and no, -1 in any other."""
        said = (None if row is None else _yes(row) for row in self.requests)
        places = [
            -1 if place is None else order.index(place)
            for place, order in zip(said, self.orders, strict=True)
        ]
        return np.array(places, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Panel:
    """What one system reported on one variant: in repeat r of root i, option k got the mass
    masses[i, r, k] / unit[i], where `valid[i, r]`; elsewhere masses are 0. `masses` is (n, R, K) and
    `unit` (n,).

    Repeats are the numbers that the system's reports give them, ascending, the same in all its panels.
    `asked` (n, R) marks the slots: the repeats that were reported, or the first one alone where nothing
    was. Every request has a slot, and a slot that is not valid is a failure.

    `supplied` are the masses that a controller decides from: of a question of yes and no p(yes) and 1 -
    p(yes), otherwise the masses as they stand. `selected` (n, R) is the place of the option that the system
    named as its pick, -1 where it named none; `held` the mean mass that log-probabilities had before they
    were normalised.
    """

    system: str
    truth: Truth
    masses: Integers
    unit: Integers
    asked: Mask
    valid: Mask
    supplied: Integers
    selected: Places
    held: Column

    @classmethod
    def of(cls, system: str, truth: Truth, verdicts: Verdicts) -> "Panel":
        """The panel of a system, from the verdicts on all its reports."""
        numbers = sorted({number for slots in verdicts.values() for number in slots}) or [0]
        column = {number: r for r, number in enumerate(numbers)}
        nothing: Mapping[int, Verdict] = {}
        answers = [
            nothing if row is None else verdicts.get(row.request_id, nothing) for row in truth.requests
        ]
        repeats = len(numbers)
        options = truth.q.shape[1]
        flat: list[list[Fraction]] = []
        asked = np.zeros((len(answers), repeats), dtype=np.bool_)
        valid = np.zeros((len(answers), repeats), dtype=np.bool_)
        selected = np.full((len(answers), repeats), -1, dtype=np.int64)
        for i, slots in enumerate(answers):
            row, order = truth.requests[i], truth.orders[i]
            masses = [Fraction(0)] * (repeats * options)
            asked[i, 0] = row is not None and not slots
            for number, verdict in slots.items():
                r = column[number]
                asked[i, r] = True
                if row is None or not isinstance(verdict, Valid):
                    continue
                valid[i, r] = True
                for k, option in enumerate(order):
                    masses[r * options + k] = verdict.masses[option]
                picked = verdict.selected
                selected[i, r] = -1 if picked is None else order.index(row.answer_ids.index(picked))
            flat.append(masses)
        stacked, unit = _over_units(flat, repeats * options)
        masses_of = stacked.reshape(len(answers), repeats, options)
        supplied = _supplied(masses_of, unit, valid, truth.yes)
        held = Column.of([_held(tuple(slots.values())) for slots in answers])
        return cls(system, truth, masses_of, unit, asked, valid, supplied, selected, held)

    @cached_property
    def reported(self) -> Reported:
        """What a controller may know of it."""
        return Reported(self.supplied, self.unit, self.valid)

    @cached_property
    def answered(self) -> Mask:
        """(n,) where at least one repeat is valid."""
        return np.asarray(self.valid.any(axis=1))

    @cached_property
    def reach(self) -> int:
        """A number that no value of |masses|, supplied, unit, q, total or R exceeds."""
        arrays = (self.masses, self.supplied, self.unit, self.truth.q, self.truth.total)
        return max([int(self.valid.shape[1]), *(largest(array) for array in arrays)])

    def mean(self, numerators: Integers, denominators: Integers, infinite: Mask | None = None) -> Column:
        """The mean over the valid repeats of each root of numerators (n, R) / denominators (n,), infinite
        where a valid repeat is marked infinite.

        The sum over R repeats is bounded R times as high as the numerators are.
        """
        count = along(self.valid.astype(np.int64))
        bound = self.valid.shape[1] * max(largest(numerators), largest(denominators)) + 1
        top, bottom = (integers(array, bound) for array in (numerators, denominators))
        signs = None
        if infinite is not None:
            signs = np.asarray((infinite & self.valid).any(axis=1), dtype=np.int8)
        return Column.ratio(along(np.where(self.valid, top, 0)), bottom * count, self.answered, signs)


def option_order(request: Request) -> tuple[int, ...]:
    """The places of a request's options in the order in which panels hold them."""
    if request.form == "score":
        return tuple(range(len(request.options)))
    return canonical_order(request.events)


def _held(slots: Sequence[Verdict]) -> Fraction | None:
    found = [each.held for each in slots if isinstance(each, Valid) and each.held is not None]
    return mean(found) if found else None


def _yes(request: Request) -> int | None:
    """The place of yes in a question of yes and no; None for any other question."""
    for yes, no in (("true", "false"), ("yes", "no")):
        if set(request.options) == {yes, no}:
            return request.options.index(yes)
    return None


def _supplied(masses: Integers, unit: Integers, valid: Mask, yes: Places) -> Integers:
    """p(yes) and 1 - p(yes) in place of the masses of questions of yes and no."""
    supplied = masses.copy()
    rows = np.flatnonzero(yes >= 0)
    said = masses[rows, :, yes[rows]]
    supplied[rows, :, 1 - yes[rows]] = np.where(valid[rows], unit[rows, None] - said, 0)
    return supplied


def _over_units(rows: Sequence[Sequence[Fraction]], width: int) -> tuple[Integers, Integers]:
    """(n, width) integers and (n,) units so that row i is integers / unit, filled up with zeros."""
    units = [common_denominator(list(row)) for row in rows]
    tops = [
        [value.numerator * (unit // value.denominator) for value in row] + [0] * (width - len(row))
        for row, unit in zip(rows, units, strict=True)
    ]
    bound = max([1, *units, *(abs(top) for row in tops for top in row)]) + 1
    return integers(tops, bound).reshape(len(rows), width), integers(units, bound)
