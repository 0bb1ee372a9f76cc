"""`worldgen score`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import folder_argument, json_option
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
    from rich.console import Console

    from worldgen.scoring.summary import SystemSummary

TABLES = (
    (
        "accounting",
        "What became of the requests",
        ("variant", "intended", "eligible", "valid", "rejected", "unavailable", "missing"),
    ),
    ("rejections", "Why answers were rejected", ("variant", "reason", "reports")),
    (
        "accuracy",
        "How far valid reports are from the truth, strata weighing equally",
        ("variant", "requests", "total_variation", "expected_brier", "empty_strata"),
    ),
    ("strata", "The same by stratum", ("variant", "stratum", "requests", "total_variation")),
    (
        "relations",
        "How far answers contradict each other, and the share within tolerance",
        ("relation", "primary", "intended", "eligible", "valid", "residual", "pass_rate", "empty_strata"),
    ),
)
LOSSES = "Expected loss of deciding from the reports, where deferring instead costs"


@click.command(short_help="Score reports against a cohort.")
@folder_argument
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--strata", is_flag=True, help="Also show the distances stratum by stratum.")
@click.option("--costs", is_flag=True, help="Show the losses at every cost of deferring, not at 0.10 alone.")
@json_option
def score(folder: Path, reports: tuple[Path, ...], strata: bool, costs: bool, as_json: bool) -> None:
    """Score files of reports against the cohort that was asked.

    Reports are .jsonl, .parquet or .csv files; `worldgen oracle` writes an example. Rows that do not fit
    the cohort or each other are refused and counted by reason. With --json every figure is given as an
    exact fraction beside its decimal.

    \b
    Example: worldgen score cohort reports.jsonl
    """
    from worldgen.emission.folder import open_cohort
    from worldgen.scoring.decisions import COSTS, PRIMARY_COST
    from worldgen.scoring.doors import score as score_cohort
    from worldgen.scoring.shown import tables, to_json

    summary = score_cohort(open_cohort(folder), *reports)
    if as_json:
        print_json(to_json(summary))
        return
    console, shown = stdout(), tables(summary)
    for system in summary.systems:
        _headline(console, system)
        for table, title, columns in TABLES:
            rows = [row for row in shown[table] if row["system"] == system.system]
            if rows and (strata or table != "strata"):
                console.print()
                print_text(console, title)
                print_rows(console, columns, rows)
        for cost in COSTS if costs else [PRIMARY_COST]:
            losses = [
                row
                for row in shown["losses"]
                if row["system"] == system.system and row["cost"] == float(cost)
            ]
            console.print()
            print_text(console, f"{LOSSES} {float(cost):.2f}")
            print_rows(console, ("variant", "loss", "always_defer", "oracle", "deferred"), losses)
        console.print()


def _headline(console: "Console", system: "SystemSummary") -> None:
    from worldgen.scoring.decisions import PRIMARY_COST
    from worldgen.scoring.headlines import headline

    found, account = headline(system), system.account
    counts = (
        (account.intended, "intended"),
        (account.eligible, "eligible"),
        (account.valid, "answered validly"),
    )
    shares = {"native validity": account.native_validity, "availability": account.service_availability}
    worst = {
        "total variation": ("at most", found.distance, ""),
        "primary pass rate": ("at least", found.pass_rate, ""),
        "regret": ("at most", found.regret, f", where deferring costs {float(PRIMARY_COST):.2f}"),
    }
    print_heading(console, system.system)
    print_fields(
        console,
        [
            ("requests", ", ".join(f"{count:,} {what}" for count, what in counts)),
            *((f"refused, {reason}", counted(n, "row")) for reason, n in system.refused.items() if n),
            *((name, cell_text(float(share))) for name, share in shares.items() if share is not None),
            *((name, f"{how} {figure}{where}") for name, (how, figure, where) in worst.items() if figure),
        ],
    )
