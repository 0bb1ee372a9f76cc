"""The pages under docs/ say what is so: every example on them is read, or refused with the lines shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from worldgen.cohort.variants import BY_NAME
from worldgen.faults import SpecError
from worldgen.relations.declared import RELATIONS
from worldgen.renderers.errors import TemplateError
from worldgen.renderers.templates import compile_leaf
from worldgen.spec import Source, cohorts, read_spec, worlds
from worldgen.worlds.cells import CellWorld

DOCS = Path(__file__).parents[1] / "docs"
FENCED = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A block of a page: its language, its text, whether it speaks of cohorts, and why it is refused."""

    language: str
    text: str
    of_cohorts: bool
    refused: str


def examples(page: str) -> Iterator[Example]:
    text = (DOCS / page).read_text(encoding="utf-8")
    start = text.find("\n## Cohorts")
    found = [(*match.groups(), match.start() > start) for match in FENCED.finditer(text)]
    for place, (language, block, of_cohorts) in enumerate(found):
        if language != "refused":
            following = found[place + 1][:2] if place + 1 < len(found) else ("", "")
            yield Example(language, block, of_cohorts, following[1] if following[0] == "refused" else "")


SPECS = list(examples("spec-format.md"))
YAML = [example for example in SPECS if example.language == "yaml"]
JINJA = [example for example in SPECS if example.language == "jinja"]
WORLD = next(example.text for example in YAML if not example.of_cohorts)
COHORT = next(example.text for example in YAML if example.of_cohorts)


def by_key(text: str) -> dict[str, str]:
    """The text of every key of the outermost mapping."""
    parts = re.split(r"^(?=\w)", text, flags=re.MULTILINE)
    return {part.split(":")[0]: part for part in parts if part}


def whole(example: Example) -> str:
    base = by_key(COHORT if example.of_cohorts else WORLD)
    return "".join((base | by_key(example.text)).values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("specs")
    (found / "parcels.yaml").write_text(WORLD, encoding="utf-8")
    (found / "memo.j2").write_text(JINJA[0].text, encoding="utf-8")
    return found


def number(example: Example) -> str:
    return f"{example.language}-{SPECS.index(example)}"


@pytest.mark.parametrize("example", YAML, ids=number)
def test_a_spec_is_read_or_refused_as_the_page_says(example: Example, folder: Path) -> None:
    source = Source(whole(example), "world.yaml", folder)
    said = ""
    try:
        read_spec(source, prove=True)
    except SpecError as error:
        lines = [str(fault).split(": ", 1)[1] for fault in error.faults]
        said = "\n".join([*lines, ""]).replace(f"{folder}/", "")
    assert said == example.refused


@pytest.mark.parametrize("example", JINJA, ids=number)
def test_a_template_is_compiled_or_refused_as_the_page_says(example: Example) -> None:
    world = read_spec(Source(WORLD))
    assert isinstance(world, CellWorld)
    said = ""
    try:
        compile_leaf(example.text, world.template_names(metadata=True), "t")
    except TemplateError as error:
        said = f"{error.message.removeprefix('t, ')}; {error.remedy}\n"
    assert said == example.refused


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table under a heading."""
    _, _, rest = (DOCS / page).read_text(encoding="utf-8").partition(f"\n{heading}\n")
    table = re.findall(r"^\|.*\|$", rest.split("\n#")[0], re.MULTILINE)
    return [[cell.strip(" `") for cell in row.strip("|").split(" | ")] for row in table[2:]]


@pytest.mark.parametrize(("heading", "spec"), [("## Worlds", worlds), ("## Cohorts", cohorts)])
def test_the_page_lists_every_key_and_whether_it_is_needed(heading: str, spec: object) -> None:
    listed = {row[0]: row[1] for row in rows("spec-format.md", heading)}
    required, optional = (getattr(spec, name) for name in ("_REQUIRED", "_OPTIONAL"))
    assert listed == dict.fromkeys(required, "yes") | dict.fromkeys(optional, "no")


def test_the_page_lists_every_variant_and_relation() -> None:
    variants = [row[:2] for row in rows("spec-format.md", "### `variants`")]
    assert variants == [[variant.name, variant.form] for variant in BY_NAME.values()]
    relations = [row for row in rows("spec-format.md", "### `relations`")]
    assert [row[:2] for row in relations] == [[one.name, ", ".join(one.claims)] for one in RELATIONS]
    for row, one in zip(relations, RELATIONS, strict=True):
        assert row[2] == one.condition.replace("p(A | B)", "p(A given B)")
