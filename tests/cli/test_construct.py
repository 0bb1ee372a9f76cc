"""`worldgen construct` and `worldgen retention`: the road in commands, and what is wrong use."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.test_commands import parsed, run
from worldgen.emission.folder import open_cohort
from worldgen.scoring.retention.layout import TABLES


@pytest.fixture(scope="module")
def sums(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve sums. Nothing may be written there."""
    folder = tmp_path_factory.mktemp("sums") / "cohort"
    run(
        "emit",
        "arithmetic",
        "--roots",
        12,
        "--seed",
        1,
        "--variants",
        "canonical,at-1",
        "--out",
        folder,
        "-q",
    )
    return folder


def test_the_whole_road(sums: Path, tmp_path: Path) -> None:
    native, serial = tmp_path / "native", tmp_path / "serial"
    chosen = parsed("construct", sums, "--arm", "native", "--runs", native, "--oracle")
    assert (chosen["over"], chosen["of"], chosen["requests"], chosen["taken"]) == (12, 12, 0, 12)
    begun = parsed(
        "construct", sums, "--arm", "serial", "--support", "union", "--filling", "fill", "--runs", serial
    )
    assert (begun["over"], begun["requests"], begun["taken"], begun["refused"]) == (0, 12, 0, {})
    assert len((serial / "requests.jsonl").read_text().splitlines()) == 12
    done = parsed(
        "construct", sums, "--runs", serial, "--script", "wrong-at-1", "--every", 2, "--system", "perfect"
    )
    assert (done["over"], done["taken"]) == (12, 24)
    files = (native / "records.jsonl", serial / "records.jsonl")
    found = parsed("retention", sums, *files, "--replicates", 100)
    (row,) = found["joint"]
    assert (row["both"], row["native_only"], row["scr"]) == (6, 6, 0.5)
    assert found["systems"] == ["perfect"] and not found["refused"]
    out = tmp_path / "kept"
    text = run("retention", sums, *files, "--strata", "--replicates", 100, "--out", out).stdout
    assert f"{2 * len(TABLES)} files in {out}" in " ".join(text.split())
    assert {path.stem for path in out.iterdir()} == set(TABLES)
    assert "By stratum" in text and "0.5000 [" in text


def test_reports_on_the_cohort_are_native(sums: Path, tmp_path: Path) -> None:
    reports, runs = tmp_path / "oracle.jsonl", tmp_path / "runs"
    run("oracle", sums, "--out", reports)
    run("construct", sums, "--arm", "serial", "--runs", runs, "--oracle", "--system", "oracle")
    (row,) = parsed("retention", sums, reports, runs / "records.jsonl", "--replicates", 100)["joint"]
    assert (row["both"], row["scr"], row["against"]) == (12, 1.0, "native")


def test_lines_and_rows_that_do_not_fit_are_told(sums: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    run("construct", sums, "--arm", "native", "--runs", runs, "--oracle")
    lines = (runs / "records.jsonl").read_text().splitlines()
    tag = json.loads(lines[1])["roots"][0].split("-")[0]
    lines[0] = lines[0].replace('"output"', '"out"')
    lines[1] = lines[1].replace(f"{tag}-0-000001", f"{tag}-0-999999")
    file = tmp_path / "records.jsonl"
    file.write_text("\n".join([*lines, lines[5]]))
    text = run("retention", sums, file, "--replicates", 100).stdout
    for said in (
        "refused, unknown root: 1",
        "refused, several runs of one root: 2",
        "refused, a line that is no record: 1",
        f"{file}:1: a run has no key 'out'",
    ):
        assert said in " ".join(text.split())


MISUSED = {
    "--support trie": "name it with --arm",
    "--slip": "name it with --arm",
    "--arm native --oracle --script codes": "takes no --script beside it",
    "--arm serial --filling listed --listed 0,1": "write positions from 1",
}


@pytest.mark.parametrize("words", MISUSED)
def test_wrong_use_is_said(sums: Path, tmp_path: Path, words: str) -> None:
    failed = run("construct", sums, "--runs", tmp_path / "runs", *words.split(), code=2)
    assert MISUSED[words] in " ".join(failed.stderr.split())
    assert not (tmp_path / "runs").exists()


REFUSED = {
    "--arm cereal": "no interface is called cereal",
    "--arm serial --support tree": "the interface serial has no support tree",
    "--arm native --script prefect": "there is no script 'prefect'",
    "--arm self-plan-spell": "strings that a system chose before",
    "--arm joint": "the arm joint asks for the states of dialogues",
    "--arm serial --slip": "the arm serial makes nothing of slip",
    "--arm serial --listed 1,2": "the arm serial makes nothing of listed",
    "--arm serial --filling listed --listed 9": "no answer of the cohort has a position 9",
    "": "holds no runs yet",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_asked_is_said(sums: Path, tmp_path: Path, words: str) -> None:
    failed = run("construct", sums, "--runs", tmp_path / "runs", *words.split(), code=1)
    assert REFUSED[words] in " ".join(failed.stderr.split())


def test_a_public_side_alone_is_judged_by_no_one(sums: Path, tmp_path: Path) -> None:
    alone, runs = tmp_path / "alone", tmp_path / "runs"
    shutil.copytree(sums / "public", alone / "public")
    run("construct", alone, "--arm", "serial", "--runs", runs)
    failed = run("construct", alone, "--runs", runs, "--oracle", code=1)
    assert "keep evaluator/ beside public/" in failed.stderr
    run("construct", sums, "--runs", runs, "--oracle")
    failed = run("retention", alone, runs / "records.jsonl", code=1)
    assert "evaluator" in failed.stderr
    assert open_cohort(alone).manifest["content"] == open_cohort(sums).manifest["content"]


def test_systems_without_native_answers_are_named(sums: Path, tmp_path: Path) -> None:
    run("construct", sums, "--arm", "native", "--runs", tmp_path / "n", "--oracle", "--system", "one")
    run("construct", sums, "--arm", "serial", "--runs", tmp_path / "s", "--oracle", "--system", "two")
    files = [tmp_path / name / "records.jsonl" for name in "ns"]
    text = run("retention", sums, *files, "--replicates", 100).stdout
    assert "nothing native of two is there" in " ".join(text.split())
    found = parsed("retention", sums, *files, "--replicates", 100)
    assert found["alone"] == ["two"] and not found["joint"] and len(found["runs"]) == 2


def test_a_world_without_candidates_is_refused(tmp_path: Path) -> None:
    run("emit", "contracts", "--roots", 8, "--seed", 1, "--out", tmp_path / "cells", "-q")
    failed = run("construct", tmp_path / "cells", "--arm", "serial", "--runs", tmp_path / "runs", code=1)
    assert "has no candidates to construct" in failed.stderr
    (tmp_path / "records.jsonl").write_text("{}")
    failed = run("retention", tmp_path / "cells", tmp_path / "records.jsonl", code=1)
    assert "this cohort has no candidates" in failed.stderr


def test_records_of_another_cohort_are_refused(sums: Path, tmp_path: Path) -> None:
    other, runs = tmp_path / "other", tmp_path / "runs"
    run("emit", "arithmetic", "--roots", 3, "--seed", 2, "--out", other, "-q")
    run("construct", other, "--arm", "native", "--runs", runs, "--oracle")
    failed = run("retention", sums, runs / "records.jsonl", code=1)
    assert "no run is about this cohort" in failed.stderr
