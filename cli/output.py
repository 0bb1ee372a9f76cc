"""How results look: consoles, tables, JSON.

Everything readable goes through rich, which drops colours in a pipe, under NO_COLOR and for
TERM=dumb. A table is as wide as the terminal allows; in a pipe nothing is wrapped or cut.
"""

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Justify = Literal["left", "right"]


def stdout() -> "Console":
    """The console for results."""
    from worldgen.cli.consoles import PlainConsole

    return PlainConsole()


def stderr() -> "Console":
    """The console for progress."""
    from worldgen.cli.consoles import PlainConsole

    return PlainConsole(stderr=True)


def visible(text: str) -> str:
    r"""A text with control characters spelled out, but for line ends and tabs: what a file or a report holds
    must not steer the terminal.

    >>> print(visible("red \x1b[31m\nnext"))
    red \x1b[31m
    next
    """
    return "".join(
        mark if mark in "\n\t" or not unicodedata.category(mark).startswith("C") else ascii(mark)[1:-1]
        for mark in text
    )


def print_json(data: object) -> None:
    """One JSON value, in ASCII so that no locale can spoil it."""
    click.echo(json.dumps(data, indent=2))


def print_heading(console: "Console", text: str) -> None:
    """A line that opens a part of the output."""
    console.print(visible(text), style="bold", soft_wrap=True)


def print_fields(console: "Console", fields: Iterable[tuple[str, object]]) -> None:
    """Names and values, one pair a line, the values aligned and wrapped beside their names."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column(overflow="fold")
    for name, value in fields:
        grid.add_row(name, Text(visible(str(value))))
    _put(console, grid)


def print_table(
    console: "Console", columns: Sequence[str | tuple[str, Justify]], rows: Iterable[Sequence[object]]
) -> None:
    """A table under its header line. Nothing in it is cut: what does not fit is folded.

    No interval is: it goes below its value, and then the columns go into two tables, one below the other.
    Both begin with the first column, and with the second where it takes two to tell rows apart.
    """
    cells = [[visible(str(value)) for value in row] for row in rows]
    keys = 1 + (len({row[0] for row in cells}) < len({tuple(row[:2]) for row in cells}) == len(cells))
    table = _table(columns, cells)
    if _too_wide(console, table) and any(" [" in cell for row in cells for cell in row):
        cells = [[cell.replace(" [", "\n[") for cell in row] for row in cells]
        table = _table(columns, cells)
        if _too_wide(console, table) and len(columns) > keys + 2:
            half = (len(columns) + keys + 1) // 2
            _put(console, _table(columns[:half], [row[:half] for row in cells]))
            console.print()
            below = [[*row[:keys], *row[half:]] for row in cells]
            table = _table([*columns[:keys], *columns[half:]], below)
    _put(console, table)


def _too_wide(console: "Console", table: "Table") -> bool:
    return console.measure(table, options=console.options.update(width=10_000)).maximum > console.width


def _table(columns: Sequence[str | tuple[str, Justify]], rows: Iterable[Sequence[str]]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        if isinstance(column, str):
            table.add_column(column, overflow="fold")
        else:
            table.add_column(column[0], justify=column[1], overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _put(console: "Console", table: "Table") -> None:
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as capture:
        console.print(table)
    # Tables are padded to their width, which helps on a screen and nowhere else.
    for line in capture.get().splitlines():
        console.print(line.rstrip(), soft_wrap=True)


def print_text(console: "Console", text: str) -> None:
    """A text, its lines as they are; on a screen they are wrapped between words."""
    console.print(visible(text), soft_wrap=not console.is_terminal)


def print_rows(console: "Console", columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> None:
    """Columns of plain rows as a table; a column in which no row says anything is left out."""
    shown = [name for name in columns if any(row.get(name) not in (None, "") for row in rows)]
    numeric = {name for name in shown if any(isinstance(row.get(name), int | float) for row in rows)}
    print_table(
        console,
        [(name.replace("_", " "), "right") if name in numeric else name.replace("_", " ") for name in shown],
        ([cell_text(row.get(name)) for name in shown] for row in rows),
    )


def cell_text(value: object) -> str:
    """A value as it stands in a table: six places for floats, a blank where there is none.

    >>> cell_text(0.25), cell_text(12000), cell_text(True), cell_text(None)
    ('0.250000', '12,000', 'yes', '')
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6f}"
        case int():
            return f"{value:,}"
        case _:
            return str(value)


@contextmanager
def emission_progress(*, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar of roots on stderr with their rate and the time left, if a person is there to see it."""
    console = stderr()
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield lambda done, total: None
        return
    from worldgen.cli.bars import RootsBar

    with RootsBar(console) as bar:
        yield bar.update


def decimal(size: int) -> str:
    """A number of bytes in its largest unit, rounded up.

    >>> decimal(999), decimal(34_000), decimal(1_210_000_000)
    ('999 bytes', '34 kB', '1.3 GB')
    """
    power = min((len(str(size)) - 1) // 3, 5)
    if not power:
        return counted(size, "byte")
    tenths = -(-size * 10 // 1000**power)
    figure = f"{-(-tenths // 10)}" if tenths >= 100 or not tenths % 10 else f"{tenths // 10}.{tenths % 10}"
    return f"{figure} {('kB', 'MB', 'GB', 'TB', 'PB')[power - 1]}"


def lasting(seconds: int) -> str:
    """A time in its largest unit, rounded up.

    >>> lasting(1), lasting(90), lasting(100_000)
    ('1 s', '90 s', '28 h')
    """
    if seconds < 120:
        return f"{seconds} s"
    return f"{-(-seconds // 60)} min" if seconds < 7200 else f"{-(-seconds // 3600):,} h"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "finding"), counted(12000, "request")
    ('1 finding', '12,000 requests')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
