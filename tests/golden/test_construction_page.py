"""The table of arms in docs/construction.md is the table of arms."""

import re
from pathlib import Path

from worldgen.cohort.fields import FILLINGS, INTERFACES

PAGE = (Path(__file__).parents[2] / "docs" / "construction.md").read_text(encoding="utf-8")
TABLE = PAGE[PAGE.index("| interface |") :].partition("\n\n")[0]


def test_the_table_of_arms_is_the_one_that_refuses() -> None:
    rows = [line.strip("| ").split(" | ") for line in re.findall(r"^\| .*\|$", TABLE, re.MULTILINE)]
    expected = [["interface", "support", "feedback", "shows"]]
    for name, allowed in INTERFACES.items():
        shows = {
            "problem": allowed.problem,
            "candidates": allowed.candidates,
            "supplied string": allowed.supplied,
        }
        parts = (allowed.supports, allowed.feedbacks, [what for what, here in shows.items() if here])
        expected.append([name, *(", ".join(part) for part in parts)])
    assert [row for row in rows if row[0] != "---"] == expected


def test_every_filling_is_described() -> None:
    described = PAGE.partition("*Filling*")[2].partition("*Feedback*")[0]
    for filling in {filling for fillings in FILLINGS.values() for filling in fillings}:
        assert f"({filling})" in described or filling == "listed"
