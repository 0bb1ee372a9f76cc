"""`worldgen reference`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import Here, json_option, read_counts, read_seed, spec_argument
from worldgen.cli.output import counted, print_fields, print_json, stdout

if TYPE_CHECKING:
    from worldgen.cohort.cohorts import Cohort
    from worldgen.spec.families import AnyWorld


@click.command(short_help="Draw inputs with their exact probabilities.")
@spec_argument
@click.option("--view", default="", metavar="NAME", help="Through which view; the first one.")
@click.option(
    "--inputs", type=click.IntRange(1), default=1_000_000, show_default=True, help="How many inputs."
)
@click.option(
    "--snapshots",
    default="",
    callback=read_counts,
    metavar="1,2,5",
    help="Draw so many labels of each input, and count them.",
)
@click.option(
    "--encoding",
    default="",
    metavar="NAME",
    help="Write each input out as a case, too, in this encoding; none unless given.",
)
@click.option(
    "--seed", callback=read_seed, metavar="INTEGER", required=True, help="The seed: any whole number from 0."
)
@click.option("--out", type=Here(path_type=Path), required=True, metavar="DIR", help="The folder to write.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
@json_option
def reference(
    spec: "AnyWorld | Cohort",
    view: str,
    inputs: int,
    snapshots: tuple[int, ...],
    encoding: str,
    seed: int,
    out: Path,
    quiet: bool,
    as_json: bool,
) -> None:
    """Draw independent inputs from the law of a view, each with its exact probability.

    They are for integrals over what a view shows; nothing is asked about them, and no root and no case of
    a pool is among them by its draw. Of k labels drawn anew from the exact probability of an input,
    --snapshots stores how many were positive. `worldgen verify DIR` draws all of it again.

    \b
    Example: worldgen reference credit-risk --view medium --snapshots 1,2,5 --seed 7 --out reference
    """
    from worldgen.cohort.cohorts import Cohort
    from worldgen.emission.references import write_reference

    if isinstance(spec, Cohort):
        raise click.UsageError("reference draws from one world, not from a cohort")
    if view and view not in spec.views:
        raise click.UsageError(f"{spec.name} has no view '{view}'; its views are {', '.join(spec.views)}")
    if encoding and encoding not in spec.encodings:
        known = ", ".join(spec.encodings)
        raise click.UsageError(f"{spec.name} has no encoding '{encoding}'; its encodings are {known}")
    done = write_reference(spec, inputs, seed, out, view=view, snapshots=snapshots, encoding=encoding)
    files = len(done.shards)
    if as_json:
        print_json(
            {
                "folder": str(done.folder),
                "world": done.world.name,
                "view": done.world.seen,
                "inputs": done.inputs,
                "snapshots": list(done.snapshots),
                "encoding": done.encoding,
                "files": files,
            }
        )
    elif not quiet:
        print_fields(
            stdout(),
            [
                ("reference", done.folder),
                ("view", f"{done.world.seen} of {done.world.name}"),
                ("inputs", f"{done.inputs:,} in {counted(files, 'file')}"),
                ("snapshots", ", ".join(map(str, done.snapshots)) or "none"),
                *([("cases", f"in the encoding {done.encoding}")] if done.encoding else []),
                ("next", f"worldgen verify {done.folder}"),
            ],
        )
