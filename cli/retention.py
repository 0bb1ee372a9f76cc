"""`worldgen retention`."""

from pathlib import Path

import click

from worldgen.cli.arguments import bootstrap_options, folder_argument, json_option
from worldgen.cli.output import counted, print_heading, print_json, print_rows, print_text, stdout


@click.command(short_help="What constructed answers keep of chosen ones.")
@folder_argument
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="A new folder for all tables, CSV and Parquet.",
)
@click.option("--strata", is_flag=True, help="Also show SCR by length.")
@click.option(
    "--variant",
    default="canonical",
    show_default=True,
    help="Which requests of the cohort ask for whole answers, where files hold reports.",
)
@bootstrap_options
@json_option
def retention(
    folder: Path,
    runs: tuple[Path, ...],
    out: Path | None,
    strata: bool,
    variant: str,
    replicates: int,
    seed: int,
    as_json: bool,
) -> None:
    """Hold constructed answers against whole ones that the same system chose for the same items.

    RUNS are files of records, as `worldgen construct` leaves them, and of reports about the cohort's own
    requests. Which of them are native, choices of a whole answer, they say themselves; all other arms are
    held against these, item by item. --out writes every table, --json prints them.

    \b
    Example: worldgen retention cohort native/records.jsonl trie/records.jsonl
    Example: worldgen retention cohort reports.jsonl serial/records.jsonl --out kept
    """
    from worldgen.collecting.doors import retention as retained
    from worldgen.emission.folder import open_cohort
    from worldgen.scoring.retention.layout import KINDS, TABLES
    from worldgen.scoring.retention.shown import shown, systems, to_json
    from worldgen.scoring.saved import check_folder, save_tables

    cohort = open_cohort(folder)
    if out:
        check_folder(out)
    found = retained(cohort, *runs, variant=variant, replicates=replicates, seed=seed)
    files = save_tables(found.tables, out, TABLES, KINDS) if out else []
    if as_json:
        print_json(to_json(found))
        return
    console = stdout()
    for system in systems(found):
        print_heading(console, system)
        for title, rows in shown(found, system, strata=strata):
            print_text(console, title)
            print_rows(console, list(rows[0]), rows)
            console.print()
    for system in found.alone:
        print_text(
            console, f"nothing native of {system} is there, against which the other arms could be held"
        )
    for row in found.tables["refused"]:
        print_text(console, f"refused, {row['reason']}: {row['rows']:,}")
    for fault in found.faults[:10]:
        print_text(console, str(fault))
    if len(found.faults) > 10:
        print_text(console, f"and {len(found.faults) - 10:,} more, all of them with --json")
    if out:
        print_text(console, f"{counted(len(files), 'file')} in {out}")
