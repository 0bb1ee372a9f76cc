"""The accuracy of whole panels, in integers over one denominator a root.

Every kernel is the definition of `scoring.accuracy.scores` (or, for classes, of `scoring.panels.actions`)
applied to each repeat of each root. With masses P/U, answers Q/T and every absolute value at most M, no
intermediate exceeds 4 (K + 2) M^3; `_arrays` picks int64 where that is below 2**63 and Python integers
otherwise.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.numbers import Integers, integers
from worldgen.scoring.accuracy.scores import CLIP
from worldgen.scoring.figures.columns import Column, Mask, along
from worldgen.scoring.figures.logs import UNIT, scaled_ln
from worldgen.scoring.figures.measures import Label, Mean
from worldgen.scoring.panels.panel import Panel, Places


class _Arrays(NamedTuple):
    """P (n, R, K), U (n, 1), Q (n, 1, K), T (n, 1)."""

    p: Integers
    u: Integers
    q: Integers
    t: Integers


def _arrays(panel: Panel) -> _Arrays:
    bound = 4 * (panel.masses.shape[2] + 2) * panel.reach**3 + 1
    truth = panel.truth
    p, u, q, t = (integers(array, bound) for array in (panel.masses, panel.unit, truth.q, truth.total))
    return _Arrays(p, u[:, None], q[:, None, :], t[:, None])


def total_variation(panel: Panel) -> Column:
    """1/2 sum_k |P_k T - Q_k U| / (U T)."""
    p, u, q, t = _arrays(panel)
    return panel.mean(along(abs(p * t[..., None] - q * u[..., None])), (2 * u * t)[:, 0])


def expected_brier(panel: Panel) -> Column:
    """(sum_k P_k (P_k T - 2 Q_k U) + U^2 T) / (U^2 T)."""
    p, u, q, t = _arrays(panel)
    whole = u * u * t
    return panel.mean(along(p * (p * t[..., None] - 2 * q * u[..., None])) + whole, whole[:, 0])


def realised_brier(panel: Panel) -> Column:
    """(sum_k P_k^2 - 2 P_y U + U^2) / U^2 of the option y that came true."""
    p, u, *_ = _arrays(panel)
    numerators = along(p * p) - 2 * _came_true(panel, p) * u + u * u
    return panel.mean(numerators, (u * u)[:, 0]).where(panel.truth.outcomes >= 0)


def ranked_probability_score(panel: Panel) -> Column:
    """Of ordered options: sum over k < K of F_k (F_k T - 2 G_k U) + G_k U^2, over U^2 T (K - 1).

    F exceeds U by the tolerance of a report's sum at most, so every term stays below 4 M^3.
    """
    return _ranked(panel, _arrays(panel))


def realised_ranked_probability_score(panel: Panel) -> Column:
    """The same where the option that came true has all of Q / T."""
    outcomes, arrays = panel.truth.outcomes, _arrays(panel)
    true = (np.arange(panel.masses.shape[2]) == outcomes[:, None, None]).astype(arrays.q.dtype)
    return _ranked(panel, arrays._replace(q=true, t=np.ones_like(arrays.t))).where(outcomes >= 0)


def _ranked(panel: Panel, arrays: _Arrays) -> Column:
    p, u, q, t = arrays
    f, g = p.cumsum(axis=2), q.cumsum(axis=2)
    terms = f * (f * t[..., None] - 2 * g * u[..., None]) + g * (u * u)[..., None]
    inner = np.arange(p.shape[2]) < (panel.truth.widths - 1)[:, None, None]
    return panel.mean(
        np.where(inner, terms, 0).sum(axis=2), (u * u * t)[:, 0] * np.maximum(panel.truth.widths - 1, 1)
    )


def expected_log_loss(panel: Panel) -> Column:
    """-sum_k Q_k ln(P_k / U) / T to 30 places; infinite where some Q_k > 0 has P_k = 0."""
    q = panel.truth.q[:, None, :]
    logs, lost = _logs(panel, np.broadcast_to(q > 0, panel.masses.shape))
    return _averaged(
        panel, -(q.astype(np.object_) * logs).sum(axis=2), panel.truth.total, np.asarray(lost.any(axis=2))
    )


def realised_log_loss(panel: Panel) -> Column:
    """-ln(P_y / U) to 30 places of the option y that came true; infinite where P_y = 0."""
    outcomes = panel.truth.outcomes
    true = np.arange(panel.masses.shape[2]) == outcomes[:, None, None]
    logs, lost = _logs(panel, np.broadcast_to(true, panel.masses.shape))
    ones = np.ones_like(panel.truth.total)
    return _averaged(panel, -logs.sum(axis=2), ones, np.asarray(lost.any(axis=2))).where(outcomes >= 0)


def clipped_divergence(panel: Panel) -> tuple[Column, Column]:
    """sum_k Q_k (ln(Q_k / T) - ln p'_k) / T to 30 places, p' clipped, and whether a mass was moved."""
    low, high = CLIP
    moved = np.zeros(panel.valid.shape, dtype=np.bool_)
    numerators = np.zeros(panel.valid.shape, dtype=np.object_)
    q, totals, units = panel.truth.q.tolist(), panel.truth.total.tolist(), panel.unit.tolist()
    ends = {-1: (low.numerator, low.denominator), 1: (high.numerator, high.denominator)}
    masses = panel.masses.tolist()
    for i, r in zip(*np.nonzero(panel.valid), strict=True):
        unit, value = units[i], 0
        for k in range(panel.truth.widths[i]):
            mass = masses[i][r][k]
            side = (mass * high.denominator > high.numerator * unit) - (
                mass * low.denominator < low.numerator * unit
            )
            moved[i, r] |= side != 0
            if q[i][k]:
                top, bottom = ends.get(side, (mass, unit))
                value += q[i][k] * (scaled_ln(q[i][k], totals[i]) - scaled_ln(top, bottom))
        numerators[i, r] = value
    shares = panel.mean(moved.astype(np.int64), np.ones(len(units), dtype=np.int64))
    return _averaged(panel, numerators, panel.truth.total), shares


def best_class(panel: Panel) -> Places:
    """(n, R) the option of greatest supplied mass, the first of several; what a controller would answer."""
    return np.asarray(panel.supplied.argmax(axis=2)) if panel.supplied.dtype != np.object_ else _argmax(panel)


def _argmax(panel: Panel) -> Places:
    best = panel.supplied.max(axis=2, keepdims=True)
    return np.asarray((panel.supplied == best).argmax(axis=2))


def expected_accuracy(panel: Panel, picks: Places) -> Column:
    """Q of the picked option, where one is picked (>= 0)."""
    picked: Integers = np.take_along_axis(panel.truth.q, np.maximum(picks, 0), axis=1)  # type: ignore[assignment]  # of q's own type
    return _of_picks(panel, picks, picked, panel.truth.total)


def realised_accuracy(panel: Panel, picks: Places) -> Column:
    """Whether the picked option came true."""
    hits = (picks == panel.truth.outcomes[:, None]).astype(np.int64)
    ones = np.ones(len(hits), dtype=np.int64)
    return _of_picks(panel, picks, hits, ones).where(panel.truth.outcomes >= 0)


def bayes_accuracy(panel: Panel) -> Column:
    """max_k q_k, on the roots with a valid report."""
    return Column.ratio(panel.truth.best, panel.truth.total, panel.answered)


def _of_picks(panel: Panel, picks: Places, numerators: Integers, denominators: Integers) -> Column:
    made = panel.valid & (picks >= 0)
    count = made.sum(axis=1)
    bound = picks.shape[1] * panel.reach + 1
    top, bottom = integers(numerators, bound), integers(denominators, bound)
    return Column.ratio(np.where(made, top, 0).sum(axis=1), bottom * count, count > 0)


def _came_true(panel: Panel, p: Integers) -> Integers:
    places = np.maximum(panel.truth.outcomes, 0)[:, None, None]
    return np.asarray(np.take_along_axis(p, places, axis=2)[:, :, 0])


def _logs(panel: Panel, wanted: Mask) -> tuple[NDArray[np.object_], Mask]:
    """ln(P / U) in units of 10**-30 where wanted and P > 0, and where wanted and P = 0 in a valid repeat."""
    wanted = wanted & panel.valid[:, :, None]
    lost = wanted & (panel.masses == 0)
    logs = np.zeros(panel.masses.shape, dtype=np.object_)
    places = np.nonzero(wanted & ~lost)
    tops, units = panel.masses[places].tolist(), panel.unit[places[0]].tolist()
    found = [scaled_ln(top, unit) for top, unit in zip(tops, units, strict=True)]
    logs[places] = np.array(found, dtype=np.object_)
    return logs, np.asarray(lost)


def _averaged(
    panel: Panel, numerators: NDArray[np.object_], totals: Integers, infinite: Mask | None = None
) -> Column:
    return panel.mean(numerators, totals.astype(np.object_) * UNIT, infinite)


def accuracy_measures(panel: Panel) -> Iterator[Mean]:
    """Every score of the panel as a measure over requests with a valid report.

    Total variation, the expected Brier score and log loss, the clipped divergence and the share of reports
    that its clip moved; expected accuracy of the best class against the Bayes accuracy, and of the options
    that the system named itself; with outcomes the realised counterparts; for a score the ranked
    probability score; for log-probabilities the mass that they held.
    """
    truth = panel.truth
    form = next((row.form for row in truth.requests if row is not None), "")
    picks = best_class(panel)
    divergence, moved = clipped_divergence(panel)
    columns = {
        "total_variation": total_variation(panel),
        "expected_brier": expected_brier(panel),
        "expected_log_loss": expected_log_loss(panel),
        "clipped_divergence": divergence,
        "clipped": moved,
        "expected_accuracy": expected_accuracy(panel, picks),
        "bayes_accuracy": bayes_accuracy(panel),
    }
    if form == "score":
        columns["ranked_probability_score"] = ranked_probability_score(panel)
    if (panel.selected >= 0).any():
        columns["selected_expected_accuracy"] = expected_accuracy(panel, panel.selected)
    if (truth.outcomes >= 0).any():
        columns["realised_brier"] = realised_brier(panel)
        columns["realised_log_loss"] = realised_log_loss(panel)
        columns["realised_accuracy"] = realised_accuracy(panel, picks)
        if form == "score":
            columns["realised_ranked_probability_score"] = realised_ranked_probability_score(panel)
        if (panel.selected >= 0).any():
            columns["selected_realised_accuracy"] = realised_accuracy(panel, panel.selected)
    if panel.held.valid.any():
        columns["held_mass"] = panel.held
    for metric, column in columns.items():
        label = Label("accuracy", metric, truth.variant, panel.system, "natively valid")
        yield Mean(label, column, truth.eligible)
