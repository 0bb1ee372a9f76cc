"""The pages under docs/ say what is so: every example on them is read, or refused with the lines shown."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.scoring.slow_results import cohort, key_of
from tests.test_readme import follow
from worldgen.cohort.columns import DESCRIPTIONS, KEYS, ROWS
from worldgen.cohort.grammar import PARTS, spellings
from worldgen.cohort.manifests import side_of
from worldgen.cohort.schemas import SCHEMAS
from worldgen.cohort.variants import BY_NAME
from worldgen.collecting.construction import REFUSALS as CONSTRUCTION_REFUSALS
from worldgen.collecting.scripts import SCRIPTS
from worldgen.collecting.unfiled import KEYS_OF_A_DIALOGUE, KEYS_OF_A_RUN
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.exact.arrow import kinds
from worldgen.faults import SpecError
from worldgen.relations.declared import RELATIONS
from worldgen.renderers.errors import TemplateError
from worldgen.renderers.templates import compile_leaf
from worldgen.scoring.doors import score
from worldgen.scoring.panels.actions import ALL_COSTS
from worldgen.scoring.reports.accounting import Account
from worldgen.scoring.reports.attempts import REFUSALS
from worldgen.scoring.reports.oracle import oracle_reports
from worldgen.scoring.reports.reader import REASONS, Rejected, Valid, read_logprobs, read_response
from worldgen.scoring.reports.report import COLUMNS, REQUIRED
from worldgen.scoring.results import score as score_reports
from worldgen.scoring.retention import layout as retention_layout
from worldgen.scoring.shown import tables
from worldgen.spec import Source, candidates, cohorts, factors, read_spec, transfer, worlds
from worldgen.worlds.candidate_models import VIEWS
from worldgen.worlds.cells import CellWorld

DOCS = Path(__file__).parents[1] / "docs"
REPORTS = (DOCS / "reports.md").read_text(encoding="utf-8")
SCORES = (DOCS / "scores.md").read_text(encoding="utf-8")
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
    found = list(FENCED.finditer(text))
    for place, match in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else None
        refused = following[2] if following and following[1] == "refused" else ""
        if match[1] != "refused":
            yield Example(match[1], match[2], match.start() > start, refused)


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


VIEWED = [one for one in examples("worlds-with-views.md") if one.language == "yaml"]
FORMULAS = [one.text for one in examples("worlds-with-views.md") if one.language == "python"]


@pytest.mark.parametrize("example", VIEWED, ids=lambda one: one.text.split("\n")[0])
def test_a_world_with_views_is_read_or_refused_as_the_page_says(example: Example) -> None:
    base = by_key(next(one.text for one in VIEWED if "kind: factors" in one.text))
    text = example.text if "kind:" in example.text else "".join((base | by_key(example.text)).values())
    said = ""
    try:
        read_spec(Source(text, "world.yaml"), prove=True)
    except SpecError as error:
        said = "\n".join([*(str(fault).split(": ", 1)[1] for fault in error.faults), ""])
    assert said == example.refused


@pytest.mark.parametrize("text", FORMULAS)
def test_the_formulas_of_the_page_are_what_is_computed(text: str) -> None:
    assert text.count("assert ") == 2
    exec(compile(text, "worlds-with-views.md", "exec"), {})


@pytest.mark.parametrize(("heading", "spec"), [("## Factors", factors), ("## Transfer", transfer)])
def test_the_page_on_views_lists_every_key(heading: str, spec: object) -> None:
    listed = {row[0]: row[1] for row in rows("worlds-with-views.md", heading)}
    required, optional = (getattr(spec, name) for name in ("_REQUIRED", "_OPTIONAL"))
    assert listed == dict.fromkeys(required, "yes") | dict.fromkeys(optional, "no")


OFFERED = [one for one in examples("candidates.md") if one.language == "yaml"]


@pytest.mark.parametrize("example", OFFERED, ids=lambda one: one.text.split("\n")[0])
def test_a_world_of_candidates_is_read_or_refused_as_the_page_says(example: Example) -> None:
    text = "".join((by_key(OFFERED[0].text) | by_key(example.text)).values())
    said = ""
    try:
        read_spec(Source(text, "world.yaml"), prove=True)
    except SpecError as error:
        said = "\n".join([*(str(fault).split(": ", 1)[1] for fault in error.faults), ""])
    assert said == example.refused


def test_the_classes_of_constructed_words_are_as_the_page_says(capsys: pytest.CaptureFixture[str]) -> None:
    *_, script = (one.text for one in examples("candidates.md") if one.language == "python")
    exec(script, {})
    said = [line.removeprefix("# ") for line in script.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == said


def test_the_page_on_candidates_lists_every_key_and_view() -> None:
    listed = {row[0]: row[1] for row in rows("candidates.md", "## Keys")}
    assert listed == dict.fromkeys(candidates._REQUIRED, "yes") | dict.fromkeys(candidates._OPTIONAL, "no")
    assert [row[0] for row in rows("candidates.md", "## Views")] == list(VIEWS)


def test_the_page_on_candidates_lists_every_part_of_a_name() -> None:
    listed = rows("candidates.md", "## Fields")
    parts = [part.strip("` ") for row in listed for part in row[1].split(", ")]
    assert set(parts) == {*spellings(single=True), *spellings(single=False)}
    assert [row[0] for row in listed] == [part.field for part in PARTS]


def test_the_commands_and_the_python_of_the_page_on_candidates_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "candidates.md").read_text(encoding="utf-8")
    blocks = (match for match in FENCED.finditer(page) if match[1] in {"console", "python"})
    follow("\n".join(match[0] for match in blocks))


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
    relations = rows("spec-format.md", "### `relations`")
    assert [row[:2] for row in relations] == [[one.name, ", ".join(one.claims)] for one in RELATIONS]
    for row, one in zip(relations, RELATIONS, strict=True):
        assert row[2] == one.condition.replace("p(A | B)", "p(A given B)")


def test_the_page_on_folders_lists_every_column() -> None:
    for table, schema in SCHEMAS.items():
        side = side_of(table)
        expected = [[name, "", DESCRIPTIONS[table][name]] for name in schema.names]
        listed = rows("cohort-folder.md", f"### {side}/{table}")
        assert [[row[0], "", row[2]] for row in listed] == expected
        for row, kind in zip(listed, kinds(schema).values(), strict=True):
            assert (
                row[1].startswith("list of " * kind.depth) and row[1].endswith(", or null") == kind.nullable
            )
        page = (DOCS / "cohort-folder.md").read_text(encoding="utf-8")
        assert f"A row is {ROWS[table]}. Its key: {' and '.join(f'`{key}`' for key in KEYS[table])}." in page


def without_datasets(page: str) -> tuple[str, list[str]]:
    """A page without the blocks that import `datasets`, and these: they run in a process of their own."""
    text = (DOCS / page).read_text(encoding="utf-8")
    apart = [block[0] for block in FENCED.finditer(text) if "import datasets" in block[2]]
    for block in apart:
        text = text.replace(block, "")
    return text, apart


@pytest.mark.parametrize(
    "page",
    ["certificate.md", "cohort-folder.md", "construction.md", "reference.md", "reports.md", "scores.md"],
)
def test_the_page_can_be_followed(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    follow(without_datasets(page)[0])


@pytest.mark.slow
def test_datasets_reads_a_cohort_as_the_page_says(tmp_path: Path) -> None:
    (block,) = without_datasets("cohort-folder.md")[1]
    emit(read_spec("noisy-sensor"), 300, 7, tmp_path / "cohort")
    script = block.removeprefix("```python\n").removesuffix("```")
    home = dict.fromkeys(("HF_HOME", "HOME"), str(tmp_path))
    offline = dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"), "1")
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        cwd=tmp_path,
        env=os.environ | home | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_reports_on_the_page_are_scored(tmp_path: Path) -> None:
    ((block,),) = [re.findall(r"^```json\n(.*?)^```$", REPORTS, re.MULTILINE | re.DOTALL)]
    emit(read_spec("noisy-sensor"), 40, 7, tmp_path / "cohort")
    cohort = open_cohort(tmp_path / "cohort")
    tag = cohort.table("roots").to_pylist()[0]["root_id"].split("-")[0]
    file = tmp_path / "reports.jsonl"
    file.write_text(block.replace("TAG", tag), encoding="utf-8")
    results = score(cohort, file, replicates=100)
    mine, _ = results.systems
    assert (mine.account.valid, mine.account.rejections, mine.account.unavailable) == (2, 1, 1)
    assert mine.account.rejected["invalid JSON"] == 1
    residual = results.figure("residual", "complement", system="logits").exact
    assert residual == abs(Fraction(220, 317) + Fraction("0.31") - 1)


def test_the_csv_on_the_page_is_scored(tmp_path: Path) -> None:
    (block,) = re.findall(r"^```csv\n(.*?)^```$", REPORTS, re.MULTILINE | re.DOTALL)
    emit(read_spec("noisy-sensor"), 40, 7, tmp_path / "cohort")
    cohort = open_cohort(tmp_path / "cohort")
    tag = cohort.table("roots").to_pylist()[0]["root_id"].split("-")[0]
    (tmp_path / "reports").write_text(block.replace("TAG", tag), encoding="utf-8")
    slow, local = score(cohort, tmp_path / "reports").systems
    assert (slow.account.valid, slow.account.earlier, slow.account.unavailable) == (1, 1, 0)
    assert (local.account.valid, local.account.earlier) == (1, 0)


def test_every_reason_has_an_example_that_is_rejected_for_it() -> None:
    listed = rows("reports.md", "## Reading an answer")
    answers, reasons = listed[:4], listed[6:]
    for form, wire, body, read in answers:
        ids = ("true", "false") if form == "event" else ("0", "1") if form == "score" else ("A", "B")
        sent = body if wire == "chat" else '{"answers": {"q": ' + body + "}}"
        valid = read_response(sent, form.replace("any", "choice"), wire, ids)
        assert valid == Valid((Fraction("0.84"), Fraction("0.16"))), read
    assert [row[0] for row in reasons] == list(REASONS)
    for reason, _, body in reasons:
        assert read_response(body, "choice", "chat", ("A", "B")) == Rejected(reason)  # type: ignore[arg-type]  # compared above
    for reason, _, shown in rows("reports.md", "### Log-probabilities"):
        given = json.loads(shown)
        pairs = tuple(
            (name, value if isinstance(value, str) else str(value)) for name, value in given.items()
        )
        assert read_logprobs(pairs, ("A", "B")) == Rejected(reason)  # type: ignore[arg-type]  # a page is text
    assert [row[0] for row in rows("reports.md", "### What is refused")] == list(REFUSALS)
    assert '`{"A": 0.499999, "B": 0.5}` is valid' in REPORTS
    assert isinstance(read_response('{"A": 0.499999, "B": 0.5}', "choice", "chat", ("A", "B")), Valid)


def test_the_page_on_reports_has_the_columns_the_costs_and_the_shares() -> None:
    listed = {row[0]: row[1] == "yes" for row in rows("reports.md", "## The format")}
    assert listed == {name: name in REQUIRED for name in COLUMNS}
    costs = re.search(r"The costs are (.*?)\.\n\n", SCORES, re.DOTALL)
    assert costs and tuple(map(Fraction, re.findall(r"0\.\d+", costs[1]))) == ALL_COSTS
    account = Account(11_913, 11_913, 11_849, {"simplex sum": 62}, 2, 0)
    shares = (account.native_validity, account.service_availability)
    assert [f"{float(share):.4f}" for share in shares if share] == ["0.9946", "0.9998"]


def test_the_page_on_scores_defines_every_metric_and_every_table() -> None:
    named = set(re.findall(r"`([a-z_]+)`", SCORES))
    made = cohort(4, 3, wire="chat")
    for row in made["requests"]:
        if row["variant"] == "canonical":
            row["form"] = "score"
    reports = [replace(report, selected="k0") for report in oracle_reports(made["requests"], made["targets"])]
    held = replace(reports[0], probabilities=None, logprobs=tuple((name, "-1") for name in ("true", "false")))
    results = score_reports(key_of(made), [held, *reports[1:]], replicates=100, full=True)
    metrics = {figure.label.metric for figure in results.figures}
    assert "held_mass" in metrics and "ranked_probability_score" in metrics
    assert metrics <= named
    listed = tables(results)
    assert set(listed) - named <= {
        "accounting",
        "rejections",
        "refused",
        "views",
        "models",
        "roots",
        "figures",
    }
    columns = [row[0] for row in rows("scores.md", "## A figure")]
    assert set(re.findall(r"\w+", " ".join(columns))) == set(listed["figures"][0])


@pytest.mark.parametrize("page", sorted(DOCS.glob("**/*.md")), ids=lambda page: page.name)
def test_every_file_that_a_page_links_to_is_there(page: Path) -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert all((page.parent / path).exists() for path in linked)


def test_the_page_on_construction_lists_what_there_is() -> None:
    assert [row[0] for row in rows("construction.md", "### Tables")] == list(retention_layout.TABLES)
    assert {row[0]: row[1] for row in rows("construction.md", "### Scripts")} == dict(SCRIPTS)
    page = (DOCS / "construction.md").read_text(encoding="utf-8")
    refused = re.search(r"\n\| reason \| when \|\n\| --- \| --- \|\n((?:\|.*\|\n)+)", page)
    assert refused and re.findall(r"^\| `([^`]+)`", refused[1], re.MULTILINE) == list(CONSTRUCTION_REFUSALS)
    keys = [row[0] for row in rows("construction.md", "### Records")]
    assert set(keys) == set(KEYS_OF_A_RUN) | set(KEYS_OF_A_DIALOGUE)
