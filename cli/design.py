"""`worldgen design`."""

from fractions import Fraction
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import json_option, spec_argument, through
from worldgen.cli.output import print_fields, print_json, print_table, stdout

if TYPE_CHECKING:
    from worldgen.cohort.cohorts import Cohort
    from worldgen.spec.families import AnyWorld
    from worldgen.worlds.factors import FactorWorld


def read_probability(_: click.Context, param: click.Parameter, value: str) -> Fraction:
    """An exact number from 0 to 1, as specs write them."""
    from worldgen.exact.errors import NumberError
    from worldgen.exact.numbers import read_number

    try:
        number = read_number(value)
    except NumberError as error:
        raise click.BadParameter(f"{error.message}; {error.remedy}", param=param) from None
    if not 0 <= number <= 1:
        raise click.BadParameter("a Bayes error is a probability; write one from 0 to 1", param=param)
    return number


@click.command(short_help="Find the residual, or what to hide, for a Bayes error.")
@spec_argument
@click.option("--view", default="", metavar="NAME", help="The view that is designed; the first one.")
@click.option(
    "--bayes-error",
    "target",
    required=True,
    callback=read_probability,
    metavar="X",
    help="The error that the best guess shall have, like 1/10 or 0.1.",
)
@click.option(
    "--by",
    type=click.Choice(["residual", "hiding"]),
    default="residual",
    show_default=True,
    help="Scale the residual, or hide further factors.",
)
@click.option(
    "--most", type=click.IntRange(1), default=2, show_default=True, help="Hide at most so many more."
)
@click.option(
    "--shown", type=click.IntRange(1), default=10, show_default=True, help="Show so many ways to hide."
)
@json_option
def design(
    spec: "AnyWorld | Cohort", view: str, target: Fraction, by: str, most: int, shown: int, as_json: bool
) -> None:
    """Find what gives a view of a world of factors the Bayes error X, exactly.

    The Bayes error is how often the best guess from what a view shows is wrong. Scaling the residual
    multiplies the probability of each of its numbers but 0, which takes the rest.

    \b
    Example: worldgen design credit-risk --view low --bayes-error 1/10
    Example: worldgen design credit-risk --bayes-error 1/10 --by hiding
    """
    from worldgen.worlds.factors import FactorWorld

    world = through(spec, view)
    if not isinstance(world, FactorWorld):
        raise click.UsageError(f"design works on a world of factors, and {spec.name} is none")
    if by == "residual":
        _residual(world, target, as_json)
    else:
        _hiding(world, target, most, shown, as_json)


def _residual(world: "FactorWorld", target: Fraction, as_json: bool) -> None:
    from worldgen.worlds.designs import design_residual

    found = design_residual(world, target)
    if as_json:
        masses = {level: str(mass) for level, mass in found.masses.items()}
        reachable = [str(found.lowest), str(found.highest)]
        print_json(
            {
                "world": world.name,
                "view": world.seen,
                "bayes_error": str(target),
                "scale": str(found.scale),
                "scale_float": float(found.scale),
                "largest_scale": str(found.largest),
                "residual": masses,
                "reachable": reachable,
            }
        )
        return
    print_fields(
        stdout(),
        [
            ("view", f"{world.seen} of {world.name}"),
            (
                "Bayes error",
                f"{target}; now {world.joint.bayes_error}, or {float(world.joint.bayes_error):.5f}",
            ),
            ("scale", f"{found.scale}, or {float(found.scale):.5f}, of at most {found.largest}"),
            ("reachable", f"from {float(found.lowest):.5f} to {float(found.highest):.5f}"),
        ],
    )
    stdout().print()
    print_table(
        stdout(),
        ("residual", ("probability", "right"), ("decimal", "right")),
        ((level, mass, f"{float(mass):.6f}") for level, mass in found.masses.items()),
    )


def _hiding(world: "FactorWorld", target: Fraction, most: int, shown: int, as_json: bool) -> None:
    from worldgen.worlds.designs import design_hiding

    found = design_hiding(world, target, most)
    if as_json:
        listed = [
            {
                "hide": list(one.hidden),
                "bayes_error": str(one.bayes_error),
                "bayes_error_float": float(one.bayes_error),
            }
            for one in found
        ]
        print_json({"world": world.name, "view": world.seen, "bayes_error": str(target), "ways": listed})
        return
    print_table(
        stdout(),
        ("hide", ("Bayes error", "right"), ("decimal", "right"), ("off by", "right")),
        (
            (
                ", ".join(one.hidden) or "nothing",
                one.bayes_error,
                f"{float(one.bayes_error):.5f}",
                f"{float(one.bayes_error - target):+.5f}",
            )
            for one in found[:shown]
        ),
    )
