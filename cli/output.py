"""How results look: consoles, tables, JSON.

Everything readable goes through rich, which drops colours in a pipe, under NO_COLOR and for
TERM=dumb. A table is as wide as the terminal allows; in a pipe nothing is wrapped or cut.
"""

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from rich.console import Console

UNBOUNDED = 10_000

Justify = Literal["left", "right"]


def stdout() -> "Console":
    """The console for results."""
    from rich.console import Console

    console = Console(emoji=False, markup=False, highlight=False)
    return console if console.is_terminal else Console(emoji=False, markup=False, highlight=False, width=UNBOUNDED)


def stderr() -> "Console":
    """The console for progress and messages."""
    from rich.console import Console

    return Console(stderr=True, emoji=False, markup=False, highlight=False)


def print_json(data: object) -> None:
    """One JSON value, in ASCII so that no locale can spoil it."""
    click.echo(json.dumps(data, indent=2))


def print_heading(console: "Console", text: str) -> None:
    """A line that opens a part of the output."""
    console.print(text, style="bold", soft_wrap=True)


def print_fields(console: "Console", fields: Iterable[tuple[str, object]]) -> None:
    """Names and values, one pair a line, the values aligned and wrapped beside their names."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, value in fields:
        grid.add_row(name, Text(str(value)))
    console.print(grid)


def print_table(
    console: "Console", columns: Sequence[str | tuple[str, Justify]], rows: Iterable[Sequence[object]]
) -> None:
    """A table under its header line. Nothing in it is cut: what does not fit is folded."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1))
    for column in columns:
        name, justify = (column, "left") if isinstance(column, str) else column
        table.add_column(name, justify=justify, overflow="fold")
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row))
    console.print(table)


def print_text(console: "Console", text: str) -> None:
    """A text as it is: the terminal wraps it, so that it can be copied whole."""
    console.print(text, soft_wrap=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "finding"), counted(12000, "request")
    ('1 finding', '12,000 requests')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
