"""The README does what it says: its files are written, its commands and its Python run, in order."""

import doctest
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from worldgen.cli.main import main
from worldgen.cohort.variants import BY_NAME
from worldgen.relations.declared import RELATIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
DEMO, TOUR = README.split("## Install")


def blocks(text: str, *languages: str) -> Iterator[tuple[str, str]]:
    for language, block in FENCED.findall(text):
        if language in languages:
            yield language, block


def commands(block: str) -> Iterator[tuple[list[str], str]]:
    """The words of each command of a console block, and what should come out: `...` stands for anything."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, expected = part.partition("\n")
        program, *words = shlex.split(line)
        assert program == "worldgen"
        yield words, expected


def follow(text: str) -> None:
    """Do what a reader does who types everything in, in the folder that is current."""
    names: dict[str, object] = {}
    for language, block in blocks(text, "yaml", "console", "python"):
        if language == "yaml":
            Path(block.split("\n")[0].removeprefix("# ")).write_text(block, encoding="utf-8")
        elif language == "python":
            exec(compile(block, "README.md", "exec"), names)
        else:
            for words, expected in commands(block):
                done = CliRunner().invoke(main, words, prog_name="worldgen")
                assert done.exit_code == 0, done.output
                same = doctest.OutputChecker().check_output(expected, done.stdout, doctest.ELLIPSIS)
                assert same, f"worldgen {' '.join(words)} says\n{done.stdout}"


def test_the_tour_can_be_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    follow(TOUR)
    assert (tmp_path / "clinic.yaml").is_file() and (tmp_path / "same-cohort").is_dir()


@pytest.mark.slow
def test_the_demo_says_what_the_first_screen_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    follow(DEMO)


def test_the_first_screen_shows_what_make_demo_runs() -> None:
    shown = [words for _, block in blocks(DEMO, "console") for words, _ in commands(block)]
    run = re.findall(r"^\tworldgen (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [" ".join(words) for words in shown] == run


def test_the_reports_shown_have_the_format_that_is_read(tmp_path: Path) -> None:
    """They are refused for nothing but that no cohort here has these requests."""
    ((_, block),) = blocks(TOUR, "json")
    file, cohort = tmp_path / "reports.jsonl", tmp_path / "cohort"
    file.write_text(block, encoding="utf-8")
    emit = ["emit", "noisy-sensor", "--roots", "1", "--seed", "1", "--out", str(cohort), "--quiet"]
    assert CliRunner().invoke(main, emit).exit_code == 0
    done = CliRunner().invoke(main, ["score", str(cohort), str(file), "--json"])
    (refused,) = json.loads(done.stdout)["refused"]
    assert (refused["reason"], refused["rows"]) == ("unknown request", len(block.splitlines()))
    assert all(json.loads(json.loads(line).get("response", "{}")) is not None for line in block.splitlines())


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading; a bar inside a cell is escaped."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines
    ]


def test_the_tables_list_every_variant_and_every_relation() -> None:
    assert [row[0] for row in rows("Variants")] == list(BY_NAME)
    assert rows("Relations") == [[r.name, ", ".join(r.claims), f"`{r.formula}`"] for r in RELATIONS]


def test_every_file_that_is_linked_is_there() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", README)
    assert linked and all((ROOT / path).exists() for path in linked)
