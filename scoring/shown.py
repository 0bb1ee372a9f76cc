"""A summary written out: as JSON with exact texts, and as plain rows for a table."""

from collections.abc import Mapping
from fractions import Fraction

from worldgen.scoring.accounting import Account
from worldgen.scoring.means import MacroMean, exact_text
from worldgen.scoring.summary import Summary, SystemSummary

Cell = str | int | float | bool | None
Row = dict[str, Cell]


def figure(value: Fraction | None) -> dict[str, object] | None:
    """A figure as its exact text and the double nearest to it; None stays None.

    >>> figure(Fraction(1, 3))
    {'exact': '1/3', 'float': 0.3333333333333333}
    """
    return None if value is None else {"exact": exact_text(value), "float": float(value)}


def to_json(summary: Summary) -> dict[str, object]:
    """The whole summary as a tree of plain JSON values, every figure exact and as a float."""
    return {"systems": [_system(system) for system in summary.systems]}


def _system(system: SystemSummary) -> dict[str, object]:
    return {
        "system": system.system,
        "refused": {reason: count for reason, count in system.refused.items() if count},
        "account": _account(system.account),
        "accounts": {name: _account(found) for name, found in system.accounts.items()},
        "accuracy": {
            name: {
                "total_variation": _macro(found.total_variation),
                "expected_brier": _macro(found.expected_brier),
            }
            for name, found in system.accuracy.items()
        },
        "relations": {
            name: {
                "condition": found.relation.condition,
                "tolerance": figure(found.relation.tolerance),
                "primary": found.relation.primary,
                "intended": found.intended,
                "eligible": found.eligible,
                "valid": found.valid,
                "identity_controls": found.identity_controls,
                "residual": _macro(found.residual),
                "pass_rate": _macro(found.pass_rate),
            }
            for name, found in system.relations.items()
        },
        "losses": {
            name: [
                {
                    "cost": figure(found.cost),
                    "always_defer": figure(found.cost),
                    "loss": _macro(found.loss),
                    "oracle": _macro(found.oracle),
                    "deferred": _macro(found.deferred),
                }
                for found in losses
            ]
            for name, losses in system.losses.items()
        },
    }


def _account(account: Account) -> dict[str, object]:
    return {
        "intended": account.intended,
        "eligible": account.eligible,
        "valid": account.valid,
        "rejected": dict(account.rejected),
        "unavailable": account.unavailable,
        "missing": account.missing,
        "unfinished": account.unfinished,
        "earlier": account.earlier,
        "selected": account.selected,
        "misnamed": account.misnamed,
        "native_validity": figure(account.native_validity),
        "service_availability": figure(account.service_availability),
    }


def _macro(found: MacroMean) -> dict[str, object]:
    return {
        "mean": figure(found.value),
        "count": found.count,
        "strata": {each.stratum: {"mean": figure(each.value), "count": each.count} for each in found.strata},
        "empty": list(found.empty),
    }


def tables(summary: Summary) -> dict[str, list[Row]]:
    """Plain rows for people: the tables accounting, rejections (reasons that occurred), accuracy,
    strata, relations and losses. Figures are floats, None where there is nothing to average.
    """
    names = ("accounting", "rejections", "accuracy", "strata", "relations", "losses")
    shown: dict[str, list[Row]] = {name: [] for name in names}
    for system in summary.systems:
        name: Mapping[str, Cell] = {"system": system.system}
        every = [("all", system.account), *system.accounts.items()]
        shown["accounting"] += [{**name, "variant": v, **_counts(found)} for v, found in every]
        shown["rejections"] += [
            {**name, "variant": variant, "reason": reason, "reports": count}
            for variant, account in system.accounts.items()
            for reason, count in account.rejected.items()
            if count
        ]
        for variant, accuracy in system.accuracy.items():
            where = {**name, "variant": variant}
            errors = accuracy.total_variation
            shown["accuracy"].append(
                {
                    **where,
                    "requests": errors.count,
                    "total_variation": _float(errors.value),
                    "expected_brier": _float(accuracy.expected_brier.value),
                    "empty_strata": ", ".join(errors.empty),
                }
            )
            shown["strata"] += [
                {**where, "stratum": s.stratum, "requests": s.count, "total_variation": _float(s.value)}
                for s in errors.strata
            ]
        shown["relations"] += [
            {
                **name,
                "relation": relation,
                "primary": found.relation.primary,
                "intended": found.intended,
                "eligible": found.eligible,
                "valid": found.valid,
                "residual": _float(found.residual.value),
                "pass_rate": _float(found.pass_rate.value),
                "empty_strata": ", ".join(found.residual.empty),
            }
            for relation, found in system.relations.items()
        ]
        shown["losses"] += [
            {
                **name,
                "variant": variant,
                "cost": float(loss.cost),
                "loss": _float(loss.loss.value),
                "always_defer": float(loss.cost),
                "oracle": _float(loss.oracle.value),
                "deferred": _float(loss.deferred.value),
            }
            for variant, losses in system.losses.items()
            for loss in losses
        ]
    return shown


def _counts(account: Account) -> Row:
    return {
        "intended": account.intended,
        "eligible": account.eligible,
        "valid": account.valid,
        "rejected": account.rejections,
        "unavailable": account.unavailable,
        "missing": account.missing,
        "native_validity": _float(account.native_validity),
        "service_availability": _float(account.service_availability),
    }


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)
