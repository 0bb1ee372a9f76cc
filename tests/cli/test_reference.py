"""`worldgen reference`: what it writes and says, that `verify` takes the folder, and what is wrong use."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.test_commands import parsed, run

DRAW = ("reference", "covert-transfer", "--view", "medium", "--inputs", 500, "--seed", 7)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run(*DRAW, "--snapshots", "1,2,5", "--out", tmp_path / "r", "--quiet")
    return tmp_path / "r"


def test_it_says_what_it_wrote(tmp_path: Path) -> None:
    text = run(*DRAW, "--out", tmp_path / "a").stdout
    assert "medium of covert-transfer" in text and "500 in 1 file" in text
    assert "snapshots  none" in text and f"worldgen verify {tmp_path / 'a'}" in text
    found = parsed(*DRAW, "--snapshots", "2,1", "--out", tmp_path / "b")
    assert found == {
        "folder": str(tmp_path / "b"),
        "world": "covert-transfer",
        "view": "medium",
        "inputs": 500,
        "snapshots": [2, 1],
        "encoding": "",
        "files": 1,
    }
    names = pq.read_table(tmp_path / "b" / "inputs").column_names
    assert names == ["position", "visible", "p", "p_float", "positives_2", "positives_1"]
    assert pq.read_table(tmp_path / "a" / "inputs").column_names == names[:4]


def test_quiet_says_nothing_and_the_first_view_is_taken(tmp_path: Path) -> None:
    words = ("reference", "covert-transfer", "--inputs", 3, "--seed", 1, "--out", tmp_path / "r", "-q")
    assert run(*words).stdout == ""
    assert json.loads((tmp_path / "r" / "manifest.json").read_text())["view"] == "low"


def test_verify_takes_the_folder(folder: Path) -> None:
    found = parsed("verify", folder)
    assert found["ok"] and found["rows"] == {"inputs": 500} and found["files"] == 2
    assert found["derivable"] == {"the literal sum": 500, "not": 0}
    assert "q from the literal sum  500" in run("verify", folder).stdout


def test_verify_ends_with_one_where_something_differs(folder: Path) -> None:
    (folder / "inputs" / "more.txt").write_text("more")
    text = run("verify", folder, code=1).stdout
    assert "inputs/more.txt" in text and "the manifest does not list this file" in text


def test_a_folder_that_is_there_is_refused(folder: Path) -> None:
    text = run(*DRAW, "--out", folder, code=1).stderr
    assert "is there already" in text and "name a folder that is not there yet" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("contracts",), "reference draws from one world, not from a cohort"),
        (("covert-transfer", "--view", "top"), "covert-transfer has no view 'top'; its views are low"),
        (("covert-transfer", "--encoding", "mmo"), "has no encoding 'mmo'; its encodings are memo"),
        (("covert-transfer", "--inputs", 0), "0 is not in the range x>=1"),
        (("covert-transfer", "--snapshots", "1,two"), "write whole numbers with commas between them"),
    ],
)
def test_wrong_use(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    text = run("reference", *words, "--seed", 1, "--out", tmp_path / "r", code=2).stderr
    assert said in " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("noisy-sensor",), "noisy-sensor is no world with views"),
        (("covert-transfer", "--snapshots", "0"), "there is no snapshot of 0 labels"),
        (("covert-transfer", "--inputs", 10**10), "there is no reference draw of 10,000,000,000 inputs"),
    ],
)
def test_what_cannot_be_drawn_is_refused(words: tuple[object, ...], said: str, tmp_path: Path) -> None:
    assert said in run("reference", *words, "--seed", 1, "--out", tmp_path / "r", code=1).stderr
    assert not (tmp_path / "r").exists()
