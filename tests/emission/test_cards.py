import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from ruamel.yaml import YAML

from tests.cohorts import SEED
from worldgen.cohort.cards import card, described
from worldgen.cohort.columns import DESCRIPTIONS, KEYS, ROWS
from worldgen.cohort.contents import Contents
from worldgen.cohort.croissant import croissant
from worldgen.cohort.schemas import EVALUATOR, PUBLIC, TABLES
from worldgen.cohort.variants import VARIANTS
from worldgen.emission.emit import emit
from worldgen.exact.arrow import kinds
from worldgen.spec import read_cohort

SIDES = {"public": PUBLIC, "evaluator": EVALUATOR}
OF_TABLE = [(side, table) for side, tables in SIDES.items() for table in tables]


def rows_of(cohort: Path, side: str, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(cohort / side / table, partitioning=None).to_pylist()
    return found


def head_of(page: str) -> dict[str, Any]:
    _, head, _ = page.split("---\n", 2)
    found: dict[str, Any] = YAML(typ="safe", pure=True).load(head)
    return found


def metadata_of(cohort: Path, side: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((cohort / side / "croissant.json").read_text())
    return found


def run(script: str, *arguments: object, home: Path, folder: Path | None = None) -> str:
    """Run Python as a user would, every warning an error, with empty caches and no network."""
    offline = {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=os.environ | offline,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------- what the pages say


@pytest.mark.parametrize("table", TABLES)
def test_every_column_of_every_table_has_a_meaning_and_nothing_else_has(table: str) -> None:
    assert list(DESCRIPTIONS[table]) == list(TABLES[table].names)
    assert set(KEYS[table]) <= set(TABLES[table].names)
    assert set(DESCRIPTIONS) == set(ROWS) == set(KEYS) == set(TABLES)
    for meaning in DESCRIPTIONS[table].values():
        assert meaning.endswith(".")
        assert not set("|<>\n") & set(meaning), "a Markdown table would break"


@pytest.mark.parametrize(("side", "table"), OF_TABLE)
def test_keys_name_one_row_each(small_cohort: Path, side: str, table: str) -> None:
    frame = pd.read_parquet(small_cohort / side / table)
    assert not frame.duplicated(list(KEYS[table])).any()


@pytest.mark.parametrize(("side", "default"), [("public", "requests"), ("evaluator", "targets")])
def test_the_head_of_a_card_has_one_config_a_table(small_cohort: Path, side: str, default: str) -> None:
    head = head_of((small_cohort / side / "README.md").read_text())
    version = json.loads((small_cohort / side / "manifest.json").read_text())["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    assert head["configs"] == [
        {
            "config_name": table,
            **({"default": True} if table == default else {}),
            "version": version,
            "data_files": [{"split": "test", "path": f"{table}/*.parquet"}],
        }
        for table in SIDES[side]
    ]
    assert head["size_categories"] == ["n<1K"]


@pytest.mark.parametrize("side", SIDES)
def test_a_card_names_every_column_stratum_variant_and_row_count(small_cohort: Path, side: str) -> None:
    page = (small_cohort / side / "README.md").read_text()
    cohort = read_cohort("contracts")
    for table, schema in SIDES[side].items():
        assert f"### {table}\n" in page
        assert f"| `{table}` | {len(rows_of(small_cohort, side, table)):,} | " in page
        for column in schema.names:
            assert f"| `{column}` | " in page
            assert DESCRIPTIONS[table][column] in page
    for name in (*(stratum.name for stratum in cohort.strata), *cohort.variants):
        assert f"`{name}`" in page


def test_the_public_pages_know_no_seed_and_no_table_of_the_evaluator(small_cohort: Path) -> None:
    page, *data = (
        (small_cohort / "public" / name).read_text() for name in ("README.md", "croissant.json", "manifest.json")
    )
    assert str(SEED) in (small_cohort / "evaluator" / "manifest.json").read_text()
    for text in (page, *data):
        assert str(SEED) not in text
        assert "event_map" not in text
    for text in data:
        assert not set(re.findall(r"\w+", text)) & {*EVALUATOR, "posterior", "outcome", "q", "q_float"}


def contents(**changes: Any) -> Contents:
    shards = {
        f"{table}/00000-of-00001.parquet": {"bytes": 1, "rows": 1, "sha256": "0" * 64} for table in PUBLIC
    }
    return replace(Contents(read_cohort("contracts"), 1000, "public", "1.2.3", PUBLIC, shards), **changes)


def test_a_title_of_any_text_leaves_the_head_readable() -> None:
    title = 'It\'s "so": #1 | é 🎲\n--- and *more*'
    cohort = replace(read_cohort("contracts"), title=title)
    page = card(contents(cohort=cohort))
    head = head_of(page)
    assert head["pretty_name"] == 'It\'s "so": #1 | é 🎲 --- and *more*, requests'
    assert head["configs"] == head_of(card(contents()))["configs"]
    assert croissant(contents(cohort=cohort))["description"] == title


def test_every_variant_is_described_in_its_own_words() -> None:
    told = [" ".join([*list(described(variant).values())[1:], str(variant.given)]) for variant in VARIANTS]
    assert len(set(told)) == len(VARIANTS)


@pytest.mark.parametrize(
    ("roots", "size"),
    [(333, "n<1K"), (334, "1K<n<10K"), (3_333, "1K<n<10K"), (3_334, "10K<n<100K"), (40_000_000, "100M<n<1B")],
)
def test_the_size_category_counts_requests(roots: int, size: str) -> None:
    assert head_of(card(contents(roots=roots)))["size_categories"] == [size]


def test_another_seed_is_another_version_and_the_same_seed_the_same_pages(
    small_cohort: Path, tmp_path: Path
) -> None:
    emit(read_cohort("contracts"), 40, SEED, tmp_path / "again")
    emit(read_cohort("contracts"), 40, SEED + 1, tmp_path / "other")
    for side in SIDES:
        for name in ("README.md", "croissant.json"):
            page = (small_cohort / side / name).read_bytes()
            assert (tmp_path / "again" / side / name).read_bytes() == page
            assert (tmp_path / "other" / side / name).read_bytes() != page
        assert metadata_of(small_cohort, side)["version"] != metadata_of(tmp_path / "other", side)["version"]


@pytest.mark.parametrize("side", SIDES)
def test_the_snippets_of_a_card_run(small_cohort: Path, side: str, tmp_path: Path) -> None:
    page = (small_cohort / side / "README.md").read_text()
    snippets = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert len(snippets) == 4
    said = run(
        "\n".join([*snippets, "print(len(requests))"]), home=tmp_path, folder=small_cohort
    )
    assert said == "120\n"


# ---------------------------------------------------------------- Croissant


@pytest.mark.parametrize("side", SIDES)
def test_croissant_lists_every_shard_with_its_true_hash_and_size(small_cohort: Path, side: str) -> None:
    listed = {
        item["contentUrl"]: (item["sha256"], item["contentSize"])
        for item in metadata_of(small_cohort, side)["distribution"]
        if item["@type"] == "cr:FileObject"
    }
    shards = sorted((small_cohort / side).glob("*/*.parquet"))
    assert listed == {
        path.relative_to(small_cohort / side).as_posix(): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            f"{path.stat().st_size} B",
        )
        for path in shards
    }


@pytest.mark.parametrize("side", SIDES)
def test_croissant_fields_are_the_columns_with_their_types(small_cohort: Path, side: str) -> None:
    arrow = {"sc:Text": "string", "sc:Boolean": "bool", "cr:Int32": "int32", "cr:Float64": "double"}
    for record_set in metadata_of(small_cohort, side)["recordSet"]:
        table = record_set["name"]
        found = {
            field["source"]["extract"]["column"]: (
                arrow[field["dataType"]],
                len(field["arrayShape"].split(",")) if field.get("isArray") else 0,
            )
            for field in record_set["field"]
        }
        assert found == {name: (kind.item, kind.depth) for name, kind in kinds(SIDES[side][table]).items()}


RECORDS = """
import json, sys, warnings
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # those of its own dependencies
    import mlcroissant
    data = mlcroissant.Dataset(sys.argv[1])
    plain = lambda x: x.decode() if isinstance(x, bytes) else x.item()
    rows = {table: [{key.split("/")[1]: value for key, value in row.items()} for row in data.records(table)]
            for table in sys.argv[2:]}
issues = data.metadata.issues
told = {"errors": sorted(issues.errors), "warnings": sorted(issues.warnings), "rows": rows}
print(json.dumps(told, default=plain))
"""


@pytest.mark.parametrize("side", SIDES)
def test_croissant_validates_and_gives_the_rows(small_cohort: Path, side: str, tmp_path: Path) -> None:
    said = json.loads(run(RECORDS, small_cohort / side / "croissant.json", *SIDES[side], home=tmp_path))
    assert said["errors"] == []
    # What is recommended beyond this changes from day to day, or is for whoever publishes the cohort to say.
    assert [re.findall(r'"\S*/(\w+)" is recommended', warning) for warning in said["warnings"]] == [
        ["citeAs"],
        ["datePublished"],
        ["license"],
    ]
    for table, rows in said["rows"].items():
        assert rows == rows_of(small_cohort, side, table)


# ---------------------------------------------------------------- datasets, pandas, polars

LOAD = """
import json, sys
import datasets
datasets.disable_progress_bars()
for step in json.loads(sys.argv[1]):
    loaded = datasets.load_dataset(step["folder"], step["config"], split="test")
    print(json.dumps({"config": loaded.config_name, "rows": loaded.to_list()}))
"""


def load(steps: list[tuple[Path, str | None]], home: Path) -> Iterator[dict[str, Any]]:
    """What load_dataset gives for folders and configs, one after the other in one process with one cache."""
    told = json.dumps([{"folder": str(folder), "config": config} for folder, config in steps])
    return map(json.loads, run(LOAD, told, home=home).splitlines())


def test_datasets_loads_every_config_and_the_default_ones(small_cohort: Path, tmp_path: Path) -> None:
    defaults: list[tuple[Path, str | None]] = [(small_cohort / side, None) for side in SIDES]
    named: list[tuple[Path, str | None]] = [(small_cohort / side, table) for side, table in OF_TABLE]
    first, second, *rest = load([*defaults, *named], tmp_path)
    assert (first["config"], second["config"]) == ("requests", "targets")
    for (side, table), loaded in zip(OF_TABLE, rest, strict=True):
        assert loaded["config"] == table
        assert loaded["rows"] == rows_of(small_cohort, side, table)
    assert first["rows"] == rows_of(small_cohort, "public", "requests")
    assert second["rows"] == rows_of(small_cohort, "evaluator", "targets")


def python(value: object) -> object:
    """A value of pandas as Python's own: arrays as lists, every kind of missing as None."""
    if isinstance(value, np.ndarray):
        return [python(item) for item in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if value is pd.NA or value != value else value  # noqa: PLR0124  (only NaN differs from itself)


@pytest.mark.parametrize(("side", "table"), OF_TABLE)
def test_pandas_and_polars_give_the_same_rows(small_cohort: Path, side: str, table: str) -> None:
    rows = rows_of(small_cohort, side, table)
    assert pl.read_parquet(small_cohort / side / table / "*.parquet").to_dicts() == rows
    assert pl.scan_parquet(small_cohort / side / table).collect().to_dicts() == rows
    frame = pd.read_parquet(small_cohort / side / table)
    assert [{k: python(v) for k, v in row.items()} for row in frame.to_dict("records")] == rows


def with_line(line: str, folder: Path, target: Path) -> Path:
    """A copy of a side whose card has `line` where it has its version."""
    shutil.copytree(folder, target)
    page = (folder / "README.md").read_text()
    (target / "README.md").write_text(re.sub(r"  version: .*\n", line, page))
    return target


def test_two_cohorts_of_one_folder_name_are_told_apart_by_the_version_and_by_nothing_else(
    small_cohort: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    emit(read_cohort("contracts"), 40, SEED + 1, other)
    sides = {"ours": small_cohort / "public", "theirs": other / "public"}
    ours, theirs = (pq.read_table(side / "requests").to_pylist() for side in sides.values())
    assert ours != theirs
    bare = [with_line("", side, tmp_path / "bare" / name / "public") for name, side in sides.items()]
    equal = [
        with_line("  version: 1.0.0\n", side, tmp_path / "equal" / name / "public")
        for name, side in sides.items()
    ]
    loaded = load([(folder, None) for folder in (*sides.values(), *bare, *equal)], tmp_path / "home")
    found = [one["rows"] for one in loaded]
    assert found[:2] == [ours, theirs]
    # The trap: datasets keys its cache on the name of the folder and the card, and serves the first twice.
    # The day that this fails, datasets looks at the files, and the version has become a courtesy.
    assert found[2:] == [ours, ours, ours, ours]


def test_a_cohort_emitted_over_another_is_not_served_stale(tmp_path: Path) -> None:
    folder, home = tmp_path / "cohort", tmp_path / "home"
    for seed in (SEED, SEED + 1):
        emit(read_cohort("contracts"), 20, seed, folder, force=True)
        [loaded] = load([(folder / "public", None)], home)
        assert loaded["rows"] == rows_of(folder, "public", "requests")
