"""Results written out as plain rows, one list a table, and as JSON."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite

from worldgen.scoring.figures.estimates import Figure
from worldgen.scoring.figures.means import exact_text
from worldgen.scoring.reports.accounting import Account
from worldgen.scoring.results import Results

Cell = str | int | float | bool | None
Row = dict[str, Cell]

EXACT = ("accuracy", "coherence", "certificate", "pairs")
"""The families whose macro means are written as fractions too; over 1,000 roots one has some 6,000 digits."""


def tables(results: Results) -> dict[str, list[Row]]:
    """Every table of the results by name, each a list of rows with the columns of `scoring.layout`.

    `figures` has one row per number (`scoring.figures.estimates.Figure`). `accounting` and `rejections` say
    what became of the requests of every system and variant (None for all), `refused` counts rows, `views` the
    populations, `models` the models that were asked for and that answered. `criterion` lists the conditions
    of the operational criterion, `leakage` the evidence that picks knew outcomes, `roots` the certificates,
    and `policies`, `optimality`, `helps_and_harms`, `penalties` and `margins` what binary decisions come to.
    Full results also have `loss_curves`, `loss_breakpoints`, `loss_signs`, `murphy_curves`,
    `murphy_breakpoints` and `differing_roots`.
    """
    return {
        "figures": [figure_row(figure) for figure in results.figures],
        "accounting": [
            {"system": system.name, "variant": variant, **_counts(found)}
            for system in results.systems
            for variant, found in ((None, system.account), *system.accounts.items())
        ],
        "rejections": [
            {"system": system.name, "variant": variant, "reason": reason, "reports": count}
            for system in results.systems
            for variant, found in system.accounts.items()
            for reason, count in found.rejected.items()
            if count
        ],
        "refused": [
            {"system": system.name, "reason": reason, "rows": count}
            for system in results.systems
            for reason, count in system.refused.items()
            if count
        ],
        "criterion": [
            {
                "system": system.name,
                "condition": condition.name,
                "value": None if condition.value is None else float(condition.value),
                "bound": float(condition.bound),
                "met": condition.met,
            }
            for system in results.systems
            for condition in system.criterion
        ],
        **{name: [dict(row) for row in rows] for name, rows in results.rows.items()},
    }


def figure_row(figure: Figure) -> Row:
    """A figure as one row; numbers that are undefined are None."""
    label = figure.label
    exact = figure.exact if label.family in EXACT and not figure.stratum else None
    return {
        "system": label.system,
        "against": label.against or None,
        "family": label.family,
        "metric": label.metric,
        "subject": label.subject,
        "at": None if label.at is None else float(label.at),
        "coverage": None if label.coverage is None else float(label.coverage),
        "stratum": figure.stratum or None,
        "view": label.view,
        "value": figure.value,
        "low": figure.slots.low if figure.slots else None,
        "high": figure.slots.high if figure.slots else None,
        "low_support": figure.support.low if figure.support else None,
        "high_support": figure.support.high if figure.support else None,
        "valid": figure.valid,
        "eligible": figure.eligible,
        "infinite": figure.infinite,
        "empty_strata": " ".join(figure.empty),
        "emptied": figure.emptied,
        "exact": None if exact is None else exact_text(exact),
    }


def to_json(results: Results, made: Mapping[str, Sequence[Row]] | None = None) -> dict[str, object]:
    """The results as one tree of JSON values: the tables (`made`, where they are at hand), and how the
    intervals were drawn.

    JSON has no infinities: an infinite figure is the text "inf" or "-inf".
    """
    bootstrap = results.bootstrap
    return {
        "systems": [system.name for system in results.systems],
        "bootstrap": {"replicates": bootstrap.replicates, "seed": bootstrap.seed, "level": 0.95},
        **{name: [_plain(row) for row in rows] for name, rows in (made or tables(results)).items()},
    }


def _plain(row: Row) -> Row:
    return {
        name: str(value) if isinstance(value, float) and not isfinite(value) else value
        for name, value in row.items()
    }


def _counts(account: Account) -> Row:
    shares = {
        "native_validity": account.native_validity,
        "service_availability": account.service_availability,
    }
    return {
        "intended": account.intended,
        "eligible": account.eligible,
        "valid": account.valid,
        "rejected": account.rejections,
        "unavailable": account.unavailable,
        "missing": account.missing,
        "unfinished": account.unfinished,
        "earlier": account.earlier,
        "selected": account.selected,
        "misnamed": account.misnamed,
        **{name: None if share is None else float(share) for name, share in shares.items()},
    }


def pivot(
    results: Results,
    system: str,
    metrics: Mapping[str, str],
    *,
    at: Fraction | None = None,
    against: str = "",
) -> list[Row]:
    """One row per subject with its roots and some metrics, for people: metric -> heading.

    `roots` counts the roots with a value of the first metric, "n of m" where there could be more.
    """
    rows: dict[str, Row] = {}
    for figure in results.figures:
        label = figure.label
        if (label.system, label.against, label.at, figure.stratum) != (system, against, at, ""):
            continue
        if label.metric not in metrics:
            continue
        row = rows.setdefault(label.subject, {"subject": label.subject, "roots": roots(figure)})
        row[metrics[label.metric]] = estimate(figure)
    return list(rows.values())


def roots(figure: Figure) -> str:
    """On how many roots a figure stands, and how many strata have none of them.

    >>> from worldgen.scoring.figures.estimates import Interval
    >>> from worldgen.scoring.figures.measures import Label
    >>> label = Label("accuracy", "total_variation", "event", "mine", "natively valid")
    >>> nowhere = Interval(0.5, 0.5)
    >>> roots(Figure(label, "", 0.5, None, nowhere, nowhere, 990, 1000, 0, (), 0))
    '990 of 1,000'
    >>> roots(Figure(label, "", 0.5, None, nowhere, nowhere, 30, 1000, 0, ("wide", "high"), 0))
    '30 of 1,000, 2 strata empty'
    """
    if figure.valid == figure.eligible:
        return f"{figure.valid:,}"
    found = f"{figure.valid:,} of {figure.eligible:,}"
    empty = len(figure.empty) if figure.valid else 0
    return f"{found}, {empty} {'stratum' if empty == 1 else 'strata'} empty" if empty else found


def estimate(figure: Figure) -> str:
    """A value with its interval, four places each; with infinite values, on how many roots they stand."""
    if figure.value is None or figure.slots is None:
        return "undefined"
    if figure.infinite:
        return f"{figure.value} on {figure.infinite}"
    return f"{figure.value:.4f} [{figure.slots.low:.4f}, {figure.slots.high:.4f}]"
