"""`worldgen score`."""

from pathlib import Path

import click

from worldgen.cli.arguments import folder_argument, json_option
from worldgen.cli.output import print_heading, print_json, print_rows, print_text, stdout

TABLES = (
    (
        "accounting",
        "What became of the requests",
        ("variant", "intended", "eligible", "valid", "rejected", "unavailable", "missing"),
    ),
    (
        "accounting",
        "Shares of the eligible requests: answered validly, answered at all",
        ("variant", "native_validity", "service_availability"),
    ),
    ("rejections", "Why answers were refused", ("variant", "reason", "reports")),
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
    (
        "losses",
        "Expected loss of deciding from the reports, by the cost of deferring instead",
        ("variant", "cost", "loss", "oracle", "deferred"),
    ),
)


@click.command(short_help="Score reports against a cohort.")
@folder_argument
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--strata", is_flag=True, help="Also show the distances stratum by stratum.")
@json_option
def score(folder: Path, reports: tuple[Path, ...], strata: bool, as_json: bool) -> None:
    """Score files of reports against the cohort that was asked.

    Reports are .jsonl or .parquet files; `worldgen oracle` writes an example. With --json every figure
    is given as an exact fraction beside its decimal.

    \b
    Example: worldgen score cohort reports.jsonl
    """
    from worldgen.emission.folder import open_cohort
    from worldgen.scoring.doors import score as score_cohort
    from worldgen.scoring.shown import tables, to_json

    summary = score_cohort(open_cohort(folder), *reports)
    if as_json:
        print_json(to_json(summary))
        return
    console, shown = stdout(), tables(summary)
    for system in summary.systems:
        print_heading(console, system.system)
        for table, title, columns in TABLES:
            rows = [row for row in shown[table] if row["system"] == system.system]
            if rows and (strata or table != "strata"):
                console.print()
                print_text(console, title)
                print_rows(console, columns, rows)
        console.print()
