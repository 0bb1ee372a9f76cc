"""`worldgen show`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import json_option, spec_argument
from worldgen.cli.output import counted, print_fields, print_heading, print_json, print_table, stdout
from worldgen.cli.views import print_candidates, print_factors, print_transfer

if TYPE_CHECKING:
    from rich.console import Console

    from worldgen.cohort.cohorts import Cohort
    from worldgen.spec.describe import CohortDescription, WorldDescription
    from worldgen.spec.families import AnyWorld


@click.command(short_help="Show what a world or cohort is.")
@spec_argument
@click.option(
    "--plot",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Draw how sure each view of a world makes of the event A, as SVG.",
)
@json_option
def show(spec: "AnyWorld | Cohort", plot: Path | None, as_json: bool) -> None:
    """Show what a world or cohort is: WORLD is a shipped name or a spec file.

    Of a world with views: the prior, the Bayes error of each view, and what each factor is worth.

    \b
    Example: worldgen show noisy-sensor
    Example: worldgen show credit-risk --plot credit-risk.svg
    """
    from worldgen.spec.describe import WorldDescription, describe
    from worldgen.spec.describe_candidates import CandidateDescription
    from worldgen.spec.describe_factors import FactorWorldDescription, TransferDescription

    if plot is not None:
        _draw(spec, plot)
    found = describe(spec)
    if as_json:
        print_json(asdict(found))
    elif isinstance(found, WorldDescription):
        _world(stdout(), found)
    elif isinstance(found, FactorWorldDescription):
        print_factors(stdout(), found)
    elif isinstance(found, TransferDescription):
        print_transfer(stdout(), found)
    elif isinstance(found, CandidateDescription):
        print_candidates(stdout(), found)
    else:
        _cohort(stdout(), found)


def _draw(spec: "AnyWorld | Cohort", plot: Path) -> None:
    from worldgen.cli.spreads import picture
    from worldgen.worlds.factors import FactorWorld
    from worldgen.worlds.spreads import spread
    from worldgen.worlds.transfer import TransferWorld

    if not isinstance(spec, FactorWorld | TransferWorld):
        raise click.UsageError("--plot draws the views of a world of factors or of covert transfer")
    spreads = {view: spread(spec.through(view)) for view in spec.views}
    drawn = picture(spec.title or spec.name, spec.events["A"].label, spreads)
    plot.write_text(drawn, encoding="utf-8")


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
