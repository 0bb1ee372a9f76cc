"""`worldgen score`."""

from pathlib import Path

import click

from worldgen.cli.arguments import folder_argument, json_option
from worldgen.cli.output import print_json, print_rows, stdout


@click.command()
@folder_argument
@click.argument(
    "reports", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@json_option
def score(folder: Path, reports: tuple[Path, ...], as_json: bool) -> None:
    """Score files of reports against the cohort that was asked.

    Reports are .jsonl or .parquet files; `worldgen oracle` writes an example. With --json every figure
    is given as an exact fraction beside its decimal.

    \b
    Example: worldgen score cohort reports.jsonl
    """
    from worldgen.cohort.folder import open_cohort
    from worldgen.scoring.doors import score as score_cohort
    from worldgen.scoring.shown import tables, to_json

    summary = score_cohort(open_cohort(folder), *reports)
    if as_json:
        print_json(to_json(summary))
        return
    console = stdout()
    for number, (name, rows) in enumerate(tables(summary).items()):
        if number:
            console.print()
        print_rows(console, name, rows)
