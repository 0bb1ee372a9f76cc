"""`worldgen show`."""

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import json_option, spec_argument
from worldgen.cli.output import counted, print_fields, print_heading, print_json, print_table, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from worldgen.cohort.cohorts import Cohort
    from worldgen.spec.describe import CohortDescription, WorldDescription
    from worldgen.worlds.cells import CellWorld


@click.command(short_help="Show what a world or cohort is.")
@spec_argument
@json_option
def show(spec: "CellWorld | Cohort", as_json: bool) -> None:
    """Show what a world or cohort is: WORLD is a shipped name or a spec file.

    \b
    Example: worldgen show noisy-sensor
    """
    from worldgen.spec.describe import WorldDescription, describe

    found = describe(spec)
    if as_json:
        print_json(asdict(found))
    elif isinstance(found, WorldDescription):
        _world(stdout(), found)
    else:
        _cohort(stdout(), found)


def _world(console: "Console", world: "WorldDescription") -> None:
    print_heading(console, f"{world.name}: {world.title}" if world.title else world.name)
    print_fields(
        console,
        [
            ("kind", world.kind),
            ("rule", world.rule),
            *((f"attribute {name}", ", ".join(values)) for name, values in world.attributes.items()),
            ("categories", ", ".join(world.categories)),
            *((f"observed {name}", f"with chance {chance}") for name, chance in world.observed.items()),
            *((f"metadata {name}", values) for name, values in world.metadata.items()),
            *((f"encoding {name}", f"layouts {', '.join(ls)}") for name, ls in world.encodings.items()),
            ("variants", ", ".join(world.variants)),
            ("tables", f"{int(world.tables):,} different ones can be shown"),
            ("spec digest", world.spec_digest),
        ],
    )
    console.print()
    print_table(
        console,
        (("cell", "right"), *world.attributes, "category", "count", "likelihood"),
        (
            (number, *cell.attributes.values(), cell.category, cell.count, cell.likelihood)
            for number, cell in enumerate(world.cells)
        ),
    )
    console.print()
    print_table(
        console,
        ("event", "means", "cells"),
        ((name, event.means, ", ".join(map(str, event.cells))) for name, event in world.events.items()),
    )


def _cohort(console: "Console", cohort: "CohortDescription") -> None:
    print_heading(console, f"{cohort.name}: {cohort.title}" if cohort.title else cohort.name)
    print_fields(
        console,
        [
            ("kind", cohort.kind),
            ("variants", ", ".join(cohort.variants)),
            ("relations", ", ".join(cohort.relations) or "none"),
            ("wire", cohort.wire),
            (
                "by default",
                f"{counted(cohort.roots, 'root')}, {counted(cohort.roots * len(cohort.variants), 'request')}",
            ),
            ("spec digest", cohort.spec_digest),
        ],
    )
    console.print()
    print_table(
        console, ("stratum", "world", "encoding"), ((s.name, s.world, s.encoding) for s in cohort.strata)
    )
