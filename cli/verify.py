"""`worldgen verify`."""

from dataclasses import asdict
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import folder_argument, json_option
from worldgen.cli.output import counted, print_fields, print_heading, print_json, print_table, stdout

if TYPE_CHECKING:
    from worldgen.exact.places import Place


@click.command(short_help="Derive a cohort again; report what differs.")
@folder_argument
@json_option
def verify(folder: "Place", as_json: bool) -> None:
    """Derive everything in a cohort, or in a folder of reference inputs, again; report whatever differs.

    Hashes and manifests, every drawn row, and every answer from its payload by two independent paths.
    The exit code is 1 if anything was found.

    \b
    Example: worldgen verify cohort
    Example: worldgen verify s3://bucket/cohort
    """
    from worldgen.emission.verify import verify as verify_cohort
    from worldgen.emission.verify_references import holds_reference, verify_reference

    done = (verify_reference if holds_reference(folder) else verify_cohort)(folder)
    if as_json:
        print_json({"ok": done.ok, **asdict(done)})
    else:
        console = stdout()
        for file, found in groupby(done.findings, key=attrgetter("file")):
            print_heading(console, file)
            rows = (("" if f.row is None else f.row, f.column, f.message) for f in found)
            print_table(console, (("row", "right"), "column", "finding"), rows)
            console.print()
        derived = [
            (f"q from {source}", f"{count:,}") for source, count in done.derivable.items() if source != "not"
        ]
        print_fields(
            console,
            [
                ("files", f"{done.files:,} hashed"),
                *((table, f"{rows:,} rows redrawn") for table, rows in done.rows.items()),
                *derived,
                ("no q", f"{done.derivable['not']:,}"),
                ("result", counted(len(done.findings), "finding") if done.findings else "no finding"),
            ],
        )
    if not done.ok:
        click.get_current_context().exit(1)
