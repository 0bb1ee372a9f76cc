"""`worldgen preview`."""

from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import json_option, part_of, part_options, read_seed, spec_argument, through
from worldgen.cli.output import print_fields, print_heading, print_json, print_table, print_text, stdout

if TYPE_CHECKING:
    from rich.console import Console

    from worldgen.cohort.cohorts import Cohort
    from worldgen.emission.preview import Preview
    from worldgen.exact.places import Place
    from worldgen.spec.families import AnyWorld


@click.command(short_help="Show one request with its exact answer.")
@spec_argument
@click.option(
    "--seed",
    callback=read_seed,
    metavar="INTEGER",
    default="0",
    show_default=True,
    help="The seed of the draws.",
)
@click.option(
    "--index", type=click.IntRange(0), default=0, show_default=True, help="Which root of the stratum."
)
@click.option("--stratum", default="", metavar="NAME", help="Which stratum; the first unless named.")
@click.option("--variant", default="", metavar="NAME", help="Which variant; the first unless named.")
@part_options
@click.option("--root", "whole_root", is_flag=True, help="Show the whole root: cells, requests, relations.")
@click.option("--payload", "only_payload", is_flag=True, help="Print the raw payload and nothing else.")
@json_option
def preview(
    spec: "AnyWorld | Cohort",
    seed: int,
    index: int,
    stratum: str,
    variant: str,
    view: str,
    strata: tuple[str, ...],
    variants: tuple[str, ...],
    demos: tuple[int, ...],
    wire: str | None,
    exclude: "tuple[Place, ...]",
    whole_root: bool,
    only_payload: bool,
    as_json: bool,
) -> None:
    """Show one request with its exact answer: WORLD is a shipped name or a spec file.

    The part of a cohort that the options name has the requests of its emission with the same options. With
    --root, show everything about the root that it asks about: the cells with their exact posterior,
    every request with its exact answers, and the relations between them.

    \b
    Example: worldgen preview contracts --seed 7 --variant event
    Example: worldgen preview contracts --seed 7 --root
    """
    from worldgen.emission.preview import preview as preview_of
    from worldgen.emission.preview import to_json

    if only_payload and as_json:
        raise click.UsageError("--payload and --json cannot be combined: the payload is JSON already")
    spec = through(spec, view)
    if strata or variants or demos or wire or exclude:
        spec = part_of(spec, strata, variants, demos, wire, exclude)
    if whole_root:
        if variant or only_payload:
            raise click.UsageError("--root shows every variant, so it takes neither --variant nor --payload")
        _whole(spec, seed, index, stratum, as_json)
        return
    found = preview_of(spec, seed, index=index, stratum=stratum, variant=variant)
    if as_json:
        print_json(to_json(found))
    elif only_payload:
        click.echo((found.payload or "null").encode())
    else:
        _shown(stdout(), found)


def _whole(spec: "AnyWorld | Cohort", seed: int, index: int, stratum: str, as_json: bool) -> None:
    from worldgen.cli.roots import print_root
    from worldgen.emission.preview_root import preview_root, to_json

    root = preview_root(spec, seed, index=index, stratum=stratum)
    if as_json:
        print_json(to_json(root))
    else:
        print_root(stdout(), root)


def _shown(console: "Console", found: "Preview") -> None:
    print_fields(
        console,
        [
            ("request", found.request_id),
            ("stratum", found.stratum),
            ("variant", ", ".join([found.variant, f"asked in the form {found.form}", *found.manner])),
        ],
    )
    if found.payload is None:
        console.print()
        print_text(console, f"This request is never sent: {found.reason}.")
        return
    for heading, text in found.parts.items():
        console.print()
        print_heading(console, heading.capitalize())
        print_text(console, text)
    console.print()
    print_table(
        console,
        ("option", "means", ("exact answer", "right"), ("as a decimal", "right"), "outcome"),
        (
            (
                option.answer_id,
                option.means,
                "" if option.q is None else option.q,
                "" if option.q is None else f"{float(option.q):.6f}",
                "came true" if option.name == found.outcome else "",
            )
            for option in found.options
        ),
    )
