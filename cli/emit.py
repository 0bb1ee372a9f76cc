"""`worldgen emit`."""

from contextlib import nullcontext
from dataclasses import asdict
from shlex import quote
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import (
    Somewhere,
    json_option,
    part_of,
    part_options,
    read_seed,
    spec_argument,
    through,
)
from worldgen.cli.output import (
    counted,
    decimal,
    emission_progress,
    lasting,
    print_fields,
    print_json,
    print_table,
    stdout,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from worldgen.cohort.cohorts import Cohort
    from worldgen.emission.emit import Resume
    from worldgen.emission.estimates import About
    from worldgen.emission.planned import Planned
    from worldgen.exact.places import Place
    from worldgen.spec.families import AnyWorld


LISTED = 32  # shards of which each has a line


@click.command(short_help="Write a cohort of requests and answers.")
@spec_argument
@click.option("--roots", type=click.IntRange(1), help="How many roots; what the spec says unless given.")
@part_options
@click.option(
    "--seed", callback=read_seed, metavar="INTEGER", required=True, help="The seed: any whole number from 0."
)
@click.option(
    "--out",
    type=Somewhere(),
    required=True,
    metavar="DIR",
    help="The folder to write: a path, or a URI such as s3://bucket/cohort.",
)
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="How many processes.")
@click.option(
    "--dask",
    default="",
    metavar="ADDRESS",
    help="Write by the Dask cluster whose scheduler is at tcp://host:8786; or 'local'.",
)
@click.option(
    "--resume",
    type=click.Choice(["never", "always", "if-possible"]),
    default="if-possible",
    show_default=True,
    help="Whether finished shards of this very cohort in DIR are kept.",
)
@click.option("--force", is_flag=True, help="Remove the cohort that is in DIR first.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Say what would be written, about how many bytes and how long; write nothing.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress and no summary.")
@json_option
def emit(
    spec: "AnyWorld | Cohort",
    roots: int | None,
    view: str,
    strata: tuple[str, ...],
    variants: tuple[str, ...],
    demos: tuple[int, ...],
    wire: str | None,
    exclude: "tuple[Place, ...]",
    seed: int,
    out: "Place",
    workers: int,
    dask: str,
    resume: "Resume",
    force: bool,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Write a cohort: WORLD is a shipped name or a spec file.

    The same spec, seed and number of roots give the same bytes with any number of workers. After an
    interruption, a kill or a full disk the same command goes on where it stopped. A part of a cohort has
    the roots that the whole has, unless they are excluded.

    \b
    Example: worldgen emit contracts --roots 1000 --seed 7 --out cohort
    Example: worldgen emit contracts --roots 1000000 --seed 7 --out s3://bucket/cohort --workers 8
    Example: worldgen emit contracts --roots 1000000 --seed 7 --out cohort --dask tcp://host:8786
    Example: worldgen emit contracts --strata 'noisy-sensor.*' --variants canonical,event --seed 7 --out part
    """
    from worldgen.emission.emit import emit as emit_cohort
    from worldgen.emission.planned import planned

    cohort = part_of(through(spec, view), strata, variants, demos, wire, exclude)
    roots = cohort.roots if roots is None else roots
    plan = planned(cohort, roots)
    if dry_run:
        from worldgen.emission.estimates import about

        estimate = about(cohort, roots, seed)
        if as_json:
            print_json({**asdict(plan), "about": asdict(estimate)})
        else:
            _plan(plan, estimate, workers)
        return
    with _executor(dask, workers, out) as executor, emission_progress(quiet=quiet or as_json) as progress:
        done = emit_cohort(
            cohort,
            roots,
            seed,
            out,
            workers=workers,
            resume=resume,
            force=force,
            executor=executor,
            progress=progress,
        )
    if as_json:
        shards = {"written": done.written, "found": done.found}
        print_json({"folder": str(done.folder), "shards": shards, "rows": plan.rows, "strata": plan.strata})
    elif not quiet:
        _summary(plan, done.folder, done.written, done.found)


def _executor(dask: str, workers: int, out: "Place") -> "AbstractContextManager[Executor | None]":
    if not dask:
        return nullcontext()
    from worldgen.emission.clusters import dask as cluster
    from worldgen.exact.places import check_shared

    check_shared(out)  # before a cluster starts
    return cluster(dask, workers)


def _plan(plan: "Planned", estimate: "About", workers: int) -> None:
    console = stdout()
    print_fields(
        console,
        [
            ("cohort", plan.cohort),
            ("wire", plan.wire),
            ("variants", ", ".join(plan.variants)),
            ("relations", ", ".join(plan.relations) or "none"),
            ("excluded", counted(plan.excluded, "digest")),
        ],
    )
    console.print()
    print_table(
        console, ("stratum", ("roots", "right")), ((name, f"{n:,}") for name, n in plan.strata.items())
    )
    console.print()
    print_table(console, ("table", ("rows", "right")), ((name, f"{n:,}") for name, n in plan.rows.items()))
    console.print()
    if len(plan.shards) <= LISTED:
        print_table(
            console,
            ("shard of every table", ("roots", "right")),
            ((file, f"{n:,}") for file, n in plan.shards.items()),
        )
        console.print()
    time = lasting(-(-estimate.seconds // workers))
    print_fields(
        console,
        [
            ("shards", f"{len(plan.shards):,} of every table"),
            ("bytes", f"about {decimal(estimate.bytes)}"),
            ("time", f"about {time} by {counted(workers, 'worker')}, and what the disk takes"),
            ("measured", f"{counted(estimate.sampled, 'root')}, made in memory"),
        ],
    )
    console.print("nothing was written")


def _summary(plan: "Planned", folder: "Place", written: int, found: int) -> None:
    kept = f", {found:,} found finished" if found else ""
    print_fields(
        stdout(),
        [
            ("cohort", folder),
            ("roots", f"{plan.roots:,} in {counted(len(plan.strata), 'stratum', 'strata')}"),
            ("requests", f"{plan.rows['requests']:,}"),
            ("relations", f"{plan.rows['relations']:,}"),
            ("shards", f"{written:,} written{kept}"),
            ("next", f"worldgen verify {quote(str(folder))}"),
        ],
    )
