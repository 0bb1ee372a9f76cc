"""`worldgen worlds`."""

from dataclasses import asdict

import click

from worldgen.cli.arguments import json_option
from worldgen.cli.output import print_json, print_table, stdout


@click.command(short_help="List the worlds and cohorts that ship.")
@json_option
def worlds(as_json: bool) -> None:
    """List the worlds and cohorts that ship with the library.

    \b
    Example: worldgen worlds
    """
    from worldgen.spec.describe import shipped_specs

    found = shipped_specs()
    if as_json:
        print_json([asdict(spec) for spec in found])
    else:
        print_table(stdout(), ("name", "kind", "what it is"), ((s.name, s.kind, s.title) for s in found))
