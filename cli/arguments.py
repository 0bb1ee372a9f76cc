"""Arguments and options that several commands share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from worldgen.cohort.cohorts import Cohort
    from worldgen.exact.places import Place
    from worldgen.spec.families import AnyWorld

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def known_spec(_: click.Context, param: click.Parameter, value: str) -> str:
    """The name of a shipped spec, or the path of a file that is there; anything else is wrong use."""
    from worldgen.catalog import specs
    from worldgen.names import nearest

    if value not in specs() and not Path(value).exists():
        message = f"'{value}' is neither a file nor a world that ships; {nearest(value, specs())}"
        raise click.BadParameter(message, param=param)
    return value


def read_known_spec(ctx: click.Context, param: click.Parameter, value: str) -> "AnyWorld | Cohort":
    """What a known spec says, or the spec of a finished cohort in a folder. A file that is refused is no
    wrong use, but an error of its own.
    """
    from worldgen.emission.folder import open_cohort
    from worldgen.spec import read_spec

    known = Path(known_spec(ctx, param, value))
    if any((known / side).is_dir() for side in ("public", "evaluator")):
        return open_cohort(known).spec
    return read_spec(value)


def read_names(_: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Names with commas between them."""
    names = tuple(name.strip() for name in value.split(",")) if value else ()
    if not all(names):
        raise click.BadParameter("write names with commas between them, such as canonical,event", param=param)
    return names


def read_counts(_: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """Whole numbers from 0 with commas between them."""
    counts = tuple(name.strip() for name in value.split(",")) if value else ()
    if not all(re.fullmatch(r"\d{1,6}", count, re.ASCII) for count in counts):
        raise click.BadParameter("write whole numbers with commas between them, such as 0,10", param=param)
    return tuple(dict.fromkeys(map(int, counts)))


def read_places(_: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """Positions from 1 with commas between them, as positions from 0."""
    places = tuple(part.strip() for part in value.split(",")) if value else ()
    if not all(re.fullmatch(r"[1-9]\d?", place, re.ASCII) for place in places):
        raise click.BadParameter("write positions from 1 with commas between them, such as 1,4", param=param)
    return tuple(int(place) - 1 for place in places)


def read_seed(_: click.Context, param: click.Parameter, value: str) -> int:
    """A seed: up to 4,000 ASCII digits."""
    if not re.fullmatch(r"\d{1,4000}", value, re.ASCII):
        message = "a seed is a whole number from 0, of at most 4,000 digits"
        raise click.BadParameter(message, param=param)
    return int(value)


json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")

spec_argument: Decorator = click.argument("spec", metavar="WORLD", callback=read_known_spec)


class Somewhere(click.Path):
    """A path, or a URI, which is opened when it is used and not before."""

    def __init__(self, *, exists: bool = False, file_okay: bool = True) -> None:
        super().__init__(exists=exists, file_okay=file_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The place that a word of the command line names."""
        if "://" not in str(value):
            return super().convert(value, param, ctx)
        from worldgen.exact.places import place

        found = place(value)
        return super().convert(found, param, ctx) if isinstance(found, Path) else found


class Here(click.Path):
    """A path of this machine, and no URI."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; what looks like a URI is wrong use."""
        if "://" in str(value):
            self.fail(f"'{value}' is a URI, and this is written to a path of this machine", param, ctx)
        return super().convert(value, param, ctx)


folder_argument: Decorator = click.argument(
    "folder", metavar="DIR", type=Somewhere(exists=True, file_okay=False)
)

_PART_OPTIONS = (
    click.option("--view", default="", metavar="NAME", help="Through which view of a world; the first one."),
    click.option(
        "--strata",
        multiple=True,
        metavar="PATTERN",
        help="Only strata of this name, or of such names as 'urn.*'; repeatable.",
    ),
    click.option(
        "--variants",
        default="",
        callback=read_names,
        metavar="A,B",
        help="Only these variants, by name; what asks about candidates may have parts, as in "
        "at-3+indexed+opaque (`worldgen show WORLD` lists them).",
    ),
    click.option(
        "--demos",
        default="",
        callback=read_counts,
        metavar="0,10",
        help="Ask about cases, after so many of the pool with their outcomes; stands in place of --variants.",
    ),
    click.option(
        "--wire", type=click.Choice(["systemone", "chat"]), help="The wire; that of the spec unless given."
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="PATH",
        type=Somewhere(exists=True),
        help="A cohort, or a file of digests, with which no root is shared; repeatable.",
    ),
)


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that take a part of a cohort: view, strata, variants, demos, wire and exclude, for
    `through` and `part_of`.
    """
    for option in reversed(_PART_OPTIONS):
        command = option(command)
    return command


def bootstrap_options(command: Callable[..., None]) -> Callable[..., None]:
    """How many times roots are drawn anew, and from which seed."""
    seed = click.option(
        "--seed", default="20261130", show_default=True, callback=read_seed, help="Of the bootstrap."
    )
    replicates = click.option(
        "--replicates",
        default=5000,
        show_default=True,
        type=click.IntRange(100, 100_000),
        help="Of the bootstrap.",
    )
    return replicates(seed(command))


def through(spec: "AnyWorld | Cohort", view: str) -> "AnyWorld | Cohort":
    """The world seen through a view; a spec as it is where none is named."""
    from worldgen.cohort.cohorts import Cohort

    if not view:
        return spec
    if isinstance(spec, Cohort):
        raise click.UsageError("--view looks at a world; the strata of a cohort name their views themselves")
    if view not in spec.views:
        raise click.UsageError(f"{spec.name} has no view '{view}'; its views are {', '.join(spec.views)}")
    return spec.through(view)


def part_of(
    spec: "AnyWorld | Cohort",
    strata: tuple[str, ...],
    variants: tuple[str, ...],
    demos: tuple[int, ...],
    wire: str | None,
    exclude: "tuple[Place, ...]",
) -> "Cohort":
    """The cohort that these options leave of a spec."""
    from worldgen.cohort.exclusion import digests_in
    from worldgen.cohort.variants import cases_named
    from worldgen.spec.cohorts import narrowed

    if demos and variants:
        raise click.UsageError("--demos names the variants, so it takes no --variants beside it")
    variants = variants or tuple(map(cases_named, demos))
    excluded = frozenset[str]().union(*map(digests_in, exclude))
    return narrowed(spec, strata=strata, variants=variants, wire=wire or "", excluded=excluded)
