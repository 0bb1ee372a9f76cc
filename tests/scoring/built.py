"""Small axes, truths and panels, written by hand."""

import hashlib
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from worldgen.scoring.figures.bootstrap import Replicates
from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.panels.panel import Panel, Truth
from worldgen.scoring.reports.accounting import Verdict
from worldgen.scoring.reports.reader import Valid
from worldgen.scoring.reports.tables import Request

Masses = Sequence[Fraction | int | str]
OPTIONS = {"event": ("true", "false"), "binary-choice": ("yes", "no")}


def fractions(values: Masses) -> tuple[Fraction, ...]:
    """Numbers as written."""
    return tuple(Fraction(value) for value in values)


def axis_of(*sizes: int) -> Axis:
    """Roots "0", "1", ... in strata "a", "b", ... of these sizes."""
    names = [chr(ord("a") + place) for place, size in enumerate(sizes) for _ in range(size)]
    return Axis.of({str(root): name for root, name in enumerate(names)})


def asked(root: str, q: Masses | None, variant: str = "event", outcome: int | None = None) -> Request:
    """A request whose option k is the atom k; None for q makes it ineligible."""
    width = 2 if q is None else len(q)
    options = OPTIONS.get(variant, tuple(f"type_{k}" for k in range(width)))
    return Request(
        f"{root}-{variant}",
        root,
        "a",
        variant,
        "event" if variant == "event" else "choice",
        "systemone",
        options,
        options,
        q is not None,
        tuple(frozenset({k}) for k in range(width)),
        frozenset(range(width)),
        None if q is None else fractions(q),
        outcome,
    )


def truth_of(
    axis: Axis,
    answers: Sequence[Masses | None],
    variant: str = "event",
    outcomes: Sequence[int | None] | None = None,
) -> Truth:
    """The truth of one variant, root by root."""
    came = outcomes or [None] * len(axis)
    rows = zip(axis.roots, answers, came, strict=True)
    return Truth.of(variant, [asked(root, q, variant, outcome) for root, q, outcome in rows], axis)


def panel_of(
    truth: Truth,
    reports: Sequence[Masses | None],
    selected: Sequence[int | None] | None = None,
    system: str = "mine",
) -> Panel:
    """The panel of one report a root, None where there is none; `selected` are places of options."""
    named = selected or [None] * len(reports)
    verdicts: dict[str, Mapping[int, Verdict]] = {}
    for request, masses, pick in zip(truth.requests, reports, named, strict=True):
        assert request is not None
        if masses is not None:
            answer = None if pick is None else request.answer_ids[pick]
            verdicts[request.request_id] = {0: Valid(fractions(masses), answer)}
    return Panel.of(system, truth, verdicts)


def macro_mean(groups: Mapping[str, Sequence[Fraction]]) -> Fraction | None:
    """The mean over strata with values of their means, None without any."""
    means = [sum(values, Fraction(0)) / len(values) for values in groups.values() if values]
    return sum(means, Fraction(0)) / len(means) if means else None


def mean_of(column: Column, axis: Axis) -> Fraction | None:
    """The macro mean of the finite values of a column."""
    parts = zip(axis.strata, axis.slices, strict=True)
    return macro_mean(
        {name: [value for value in column.values[part] if value is not None] for name, part in parts}
    )


def random_columns(axis: Axis, count: int) -> list[Column]:
    """Columns on different grids, some with gaps, one infinite."""
    random, found = np.random.default_rng(3), []
    for c in range(count):
        bottoms = random.integers(1, 5000, len(axis)) if c % 2 else np.full(len(axis), 1000)
        valid = random.random(len(axis)) < (1 if c % 3 else 0.9)
        signs = (random.random(len(axis)) < 0.001 * (c == 5)).astype(np.int8)
        found.append(Column.ratio(random.integers(0, 1001, len(axis)), bottoms, valid, signs))
    return found


def digest(replicates: Replicates, order: Sequence[int]) -> str:
    """A hash of the bits, columns put into their first order."""
    place = np.argsort(order)
    arrays = [each[:, place] for each in (*replicates.strata, replicates.macro)]
    return hashlib.sha256(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays)).hexdigest()
