"""Arguments and options that several commands share."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from worldgen.cohort.cohorts import Cohort
    from worldgen.worlds.cells import CellWorld


class SpecType(click.ParamType):
    """The name of a shipped world or cohort, or the path of a spec file."""

    name = "spec"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "CellWorld | Cohort":
        """What the spec says. A name that nothing has is wrong use; a file that is refused is not."""
        from worldgen.catalog import specs
        from worldgen.names import nearest
        from worldgen.spec import read_spec

        if value not in specs() and not Path(value).exists():
            self.fail(
                f"'{value}' is neither a shipped world nor a file; {nearest(value, specs())}", param, ctx
            )
        return read_spec(value)


class SeedType(click.ParamType):
    """A non-negative integer of up to 4,000 digits."""

    name = "integer"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, written in ASCII digits and nothing else."""
        if isinstance(value, int):
            return value
        if not re.fullmatch(r"\d{1,4000}", value, re.ASCII):
            self.fail("a seed is a whole number from 0, of at most 4,000 digits", param, ctx)
        return int(value)


Decorator = Callable[[Callable[..., None]], Callable[..., None]]

json_option: Decorator = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")

folder_argument: Decorator = click.argument(
    "folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path)
)


def spec_argument(metavar: str) -> Decorator:
    """The positional argument that names a spec."""
    return click.argument("spec", metavar=metavar, type=SpecType())
