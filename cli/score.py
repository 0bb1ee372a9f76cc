"""`worldgen score`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import Here, bootstrap_options, folder_argument, json_option
from worldgen.cli.output import (
    cell_text,
    counted,
    print_fields,
    print_heading,
    print_json,
    print_rows,
    print_text,
    stdout,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rich.console import Console

    from worldgen.exact.places import Place
    from worldgen.scoring.results import Results, System
    from worldgen.scoring.shown import Row

ACCURACY = {
    "total_variation": "total variation",
    "expected_brier": "expected Brier",
    "expected_log_loss": "expected log loss",
    "expected_accuracy": "expected accuracy",
    "bayes_accuracy": "best possible",
}
DECISIONS = {
    "expected_loss": "expected loss",
    "regret": "regret",
    "oracle_loss": "oracle loss",
    "coverage": "coverage",
}
POLICIES = {
    "policy_loss": "expected loss",
    "policy_coverage": "coverage",
    "headroom_captured": "headroom captured",
}
CERTIFICATE = {
    "mean_error": "mean error",
    "certificate": "certified",
    "hidden_error": "hidden",
    "certified_share": "certified share",
}
COHERENCE = {"residual": "residual", "pass_rate": "pass rate"}
CONTRASTS = {"total_variation": "total variation", "expected_brier": "expected Brier"}


@click.command(short_help="Score reports against a cohort.")
@folder_argument
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option(
    "--out",
    type=Here(file_okay=False, path_type=Path),
    help="A new folder for all tables, CSV and Parquet.",
)
@click.option("--strata", is_flag=True, help="Also show the distances stratum by stratum.")
@click.option("--costs", is_flag=True, help="Show decisions at every cost of deferring, not at 0.10 alone.")
@bootstrap_options
@json_option
def score(
    folder: "Place",
    reports: tuple[Path, ...],
    out: Path | None,
    strata: bool,
    costs: bool,
    replicates: int,
    seed: int,
    as_json: bool,
) -> None:
    """Score files of reports against the cohort that was asked.

    Reports are .jsonl, .csv or .parquet files; `worldgen oracle` writes an example. Every figure is the mean
    over strata of the means over roots, with a 95 % interval from resampled roots. --out writes all of them,
    down to every cost and stratum; --json prints the same tables.

    \b
    Example: worldgen score cohort reports.jsonl --out scores
    """
    from worldgen.emission.folder import open_cohort
    from worldgen.scoring.doors import score as score_cohort
    from worldgen.scoring.panels.actions import ALL_COSTS, PRIMARY_COST
    from worldgen.scoring.saved import check_folder, save_tables
    from worldgen.scoring.shown import tables, to_json

    cohort = open_cohort(folder)
    if out:
        check_folder(out)
    results = score_cohort(cohort, *reports, replicates=replicates, seed=seed, full=out is not None)
    rows = tables(results)
    files = save_tables(rows, out) if out else []
    if as_json:
        print_json(to_json(results, rows))
        return
    console = stdout()
    for system in results.systems:
        _system(console, results, system, rows, strata=strata)
        for cost in ALL_COSTS if costs else [PRIMARY_COST]:
            _decisions(console, results, system, cost)
        _leakage(console, system, rows)
    for number, first in enumerate(results.systems):
        for second in results.systems[number + 1 :]:
            _contrast(console, results, first, second)
    if out:
        print_text(console, f"{counted(len(files), 'file')} in {out}")


def _system(
    console: "Console", results: "Results", system: "System", rows: "dict[str, list[Row]]", *, strata: bool
) -> None:
    from worldgen.scoring.shown import pivot

    _headline(console, results, system)

    def own(table: str) -> "list[Row]":
        return [
            {**row, "variant": row.get("variant") or "all"}
            for row in rows[table]
            if row["system"] == system.name
        ]

    counts = ("variant", "intended", "eligible", "valid", "rejected", "unavailable", "missing")
    _show(console, "What became of the requests", own("accounting"), counts)
    _show(console, "Why answers were rejected", own("rejections"), ("variant", "reason", "reports"))
    accuracy = [row for row in pivot(results, system.name, ACCURACY) if row["subject"] in system.accounts]
    title = "How far valid reports are from the truth: means with 95 % intervals, strata weighing equally"
    _show(console, title, accuracy, ("subject", "roots", *ACCURACY.values()))
    if strata:
        by_stratum = [
            row
            for row in rows["figures"]
            if (row["system"], row["against"], row["metric"]) == (system.name, None, "total_variation")
            and row["stratum"]
            and row["subject"] in system.accounts
        ]
        columns = ("subject", "stratum", "valid", "eligible", "value", "low", "high")
        _show(console, "Total variation by stratum", by_stratum, columns)
    coherence = pivot(results, system.name, COHERENCE)
    title = "How far answers contradict each other, and the share within tolerance"
    _show(console, title, coherence, ("subject", "roots", *COHERENCE.values()))
    title = "How much of the mean error contradictions alone prove, and how much they hide"
    _show(console, title, pivot(results, system.name, CERTIFICATE), ("roots", *CERTIFICATE.values()))
    pairs = [row for row in pivot(results, system.name, CONTRASTS) if row["subject"] not in system.accounts]
    title = "One question asked in two ways: the first way less the second, on roots valid in both"
    _show(console, title, pairs, ("subject", "roots", *CONTRASTS.values()))


def _show(console: "Console", title: str, rows: "Sequence[Row]", columns: tuple[str, ...]) -> None:
    if rows:
        console.print()
        print_text(console, title)
        print_rows(console, columns, rows)


def _decisions(console: "Console", results: "Results", system: "System", cost: "Fraction") -> None:
    from worldgen.scoring.shown import pivot

    where = f"where deferring costs {float(cost):.2f}"
    oracle = {row["subject"]: row for row in pivot(results, "", DECISIONS, at=cost)}
    found = pivot(results, system.name, DECISIONS, at=cost)
    decisions = [{**oracle[row["subject"]], **row} for row in found if row["subject"] in system.accounts]
    title = f"Deciding from the reports {where}; a failure defers"
    _show(console, title, decisions, ("subject", "roots", *DECISIONS.values()))
    policies = pivot(results, system.name, POLICIES, at=cost)
    plain = [row for row in policies if " - " not in str(row["subject"])]
    _show(console, f"Policies on the event {where}", plain, ("subject", "roots", *POLICIES.values()))


def _leakage(console: "Console", system: "System", rows: "dict[str, list[Row]]") -> None:
    leaked = [row for row in rows["leakage"] if row["system"] == system.name and row["flagged"]]
    title = "Picks that were right more often than the world allows: they may have known outcomes"
    _show(console, title, leaked, ("variant", "cases", "correct", "bayes_expected", "p_text"))
    console.print()


def _contrast(console: "Console", results: "Results", first: "System", second: "System") -> None:
    from worldgen.scoring.shown import pivot

    print_heading(console, f"{first.name} less {second.name}, on roots valid for both")
    for title, metrics in (("How far from the truth", CONTRASTS), ("How far from each other", COHERENCE)):
        found = [
            row
            for row in pivot(results, first.name, metrics, against=second.name)
            if row["subject"] in (*first.accounts, *first.relations)
        ]
        _show(console, title, found, ("subject", "roots", *metrics.values()))
    console.print()


def _headline(console: "Console", results: "Results", system: "System") -> None:
    from worldgen.scoring.headlines import headline
    from worldgen.scoring.panels.actions import PRIMARY_COST

    found, account = headline(results, system), system.account
    counts = (
        (account.intended, "intended"),
        (account.eligible, "eligible"),
        (account.valid, "answered validly"),
    )
    shares = {"native validity": account.native_validity, "availability": account.service_availability}
    met = "met" if system.operational else f"not met: {'; '.join(_unmet(system))}"
    worst = {
        "total variation": ("at most", found.distance, ""),
        "primary pass rate": ("at least", found.pass_rate, ""),
        "regret": ("at most", found.regret, f", where deferring costs {float(PRIMARY_COST):.2f}"),
    }
    print_heading(console, system.name)
    print_fields(
        console,
        [
            ("requests", ", ".join(f"{count:,} {what}" for count, what in counts)),
            *((f"refused, {reason}", counted(n, "row")) for reason, n in system.refused.items() if n),
            *((name, cell_text(float(share))) for name, share in shares.items() if share is not None),
            *((name, f"{how} {figure}{where}") for name, (how, figure, where) in worst.items() if figure),
            ("criterion", met),
        ],
    )


def _unmet(system: "System") -> list[str]:
    failed = [condition for condition in system.criterion if not condition.met]
    rates = [condition.name for condition in failed if condition.name in system.relations]
    found = [f"{each.name} below {float(each.bound)}" for each in failed if each.name not in rates]
    if rates:
        where = f"all {len(rates)}" if len(rates) == len(system.criterion) - 1 else ", ".join(rates)
        found.append(f"lower bound of the pass rate below {float(failed[-1].bound)} in {where}")
    return found
