"""Tables of intervals on lines that are short."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cli.consoles import PlainConsole
from worldgen.cli.output import print_table

INTERVAL = "[-0.0938, 0.1040]"
NAMES = ("subject", "roots", "total variation", "expected Brier", "expected log loss", "best possible")


def printed(width: int, names: tuple[str, ...]) -> list[str]:
    console = PlainConsole()
    console.width = width
    with console.capture() as capture:
        print_table(
            console, names, [["canonical", "1,000", *([f"0.0986 {INTERVAL}"] * (len(names) - 2))]] * 2
        )
    return capture.get().splitlines()


@given(width=st.integers(75, 200), columns=st.integers(3, 6))
def test_no_interval_is_broken_and_no_line_is_too_long(width: int, columns: int) -> None:
    lines = printed(width, NAMES[:columns])
    assert max(map(len, lines)) <= width
    assert sum(line.count(INTERVAL) for line in lines) == 2 * (columns - 2)


@pytest.mark.parametrize(("width", "beside", "tables"), [(200, True, 1), (100, False, 1), (76, False, 2)])
def test_what_gives_way_first(width: int, beside: bool, tables: int) -> None:
    lines = printed(width, NAMES)
    assert any(re.search(r"0\.0986 \[", line) for line in lines) is beside
    assert sum(line.startswith("subject") for line in lines) == tables


def test_both_tables_say_what_a_row_is_about() -> None:
    console = PlainConsole()
    console.width = 76
    rows = [["serial", f"length {n}", *([f"0.0986 {INTERVAL}"] * 4)] for n in (3, 4)]
    with console.capture() as capture:
        print_table(console, ("arm", "stratum", *NAMES[2:]), rows)
    lines = capture.get().splitlines()
    assert [line.split()[:2] for line in lines if line.startswith("arm")] == [["arm", "stratum"]] * 2
    assert sum(line.startswith("serial  length 3") for line in lines) == 2
