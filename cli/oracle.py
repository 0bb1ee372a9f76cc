"""`worldgen oracle`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import Here, folder_argument, json_option
from worldgen.cli.output import counted, print_json, stdout

if TYPE_CHECKING:
    from worldgen.exact.places import Place


@click.command(short_help="Write reports that equal the truth.")
@folder_argument
@click.option(
    "--out",
    type=Here(dir_okay=False, path_type=Path),
    required=True,
    metavar="FILE",
    help="A .jsonl, .parquet or .csv file.",
)
@json_option
def oracle(folder: "Place", out: Path, as_json: bool) -> None:
    """Write the reports of a system that knows the truth, one for every eligible request.

    They show the format that `worldgen score` reads, and score exactly 0.

    \b
    Example: worldgen oracle cohort --out oracle.jsonl
    """
    from worldgen.emission.folder import open_cohort
    from worldgen.scoring.doors import oracle_reports, write_reports

    reports = oracle_reports(open_cohort(folder))
    write_reports(reports, out)
    if as_json:
        print_json({"file": str(out), "reports": len(reports)})
    else:
        stdout().print(f"{counted(len(reports), 'report')} in {out}")
