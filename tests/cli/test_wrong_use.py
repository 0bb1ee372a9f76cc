"""Bad input to every command: the exit code, a message that helps, nothing on stdout, never a traceback."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.conftest import ASKED, ROOTS, SEED
from worldgen.cli.main import main

Places = dict[str, str]

BAD: list[tuple[str, int, str]] = [
    ("", 2, "Usage: worldgen"),
    ("shwo noisy-sensor", 2, "No such command 'shwo'"),
    ("--jsno", 2, "No such option"),
    ("worlds extra", 2, "unexpected extra argument"),
    ("worlds --yaml", 2, "No such option"),
    ("worlds --json --json=1", 2, "does not take a value"),
    ("worlds -x", 2, "No such option"),
    ("worlds noisy-sensor contracts", 2, "unexpected extra argument"),
    ("show", 2, "Missing argument 'WORLD'"),
    ("show noisy-sensr", 2, "did you mean 'noisy-sensor'?"),
    ("show {spec} {spec}", 2, "unexpected extra argument"),
    ("show {empty}", 1, "the file is empty"),
    ("show {folder}", 1, "this is a folder"),
    ("show {binary}", 1, "this is a binary file"),
    ("preview", 2, "Missing argument 'WORLD'"),
    ("preview nothing", 2, "neither a file nor a world that ships"),
    ("preview {bad}", 1, "there is no category 'bleu'"),
    ("preview contracts --variant evnt", 1, "did you mean 'event'?"),
    ("preview contracts --stratum urn", 1, "contracts has no stratum 'urn'"),
    ("preview contracts --index -1", 2, "Invalid value for '--index'"),
    ("preview contracts --index 4611686018427387904", 1, "there is no root"),
    ("preview contracts --seed 1.5", 2, "a seed is a whole number"),
    ("preview contracts --payload --json", 2, "cannot be combined"),
    ("preview contracts --root --variant event", 2, "takes neither --variant nor --payload"),
    ("preview contracts --root --payload", 2, "takes neither --variant nor --payload"),
    ("preview contracts --root --stratum urn", 1, "contracts has no stratum 'urn'"),
    ("preview contracts --variants event,", 2, "write names with commas between them"),
    ("check", 2, "Missing argument 'SPEC'"),
    ("check nothing.yaml", 2, "neither a file nor a world that ships"),
    ("check {bad}", 1, "there is no category 'bleu'"),
    ("check {empty}", 1, "the file is empty"),
    ("check {folder}", 1, "this is a folder"),
    ("check {binary}", 1, "this is a binary file"),
    ("emit contracts --seed 1", 2, "Missing option '--out'"),
    ("emit contracts --out {new}", 2, "Missing option '--seed'"),
    ("emit contracts --seed -1 --out {new}", 2, "a seed is a whole number"),
    ("emit contracts --seed ٣ --out {new}", 2, "a seed is a whole number"),
    ("emit contracts --seed 1 --roots 0 --out {new}", 2, "Invalid value for '--roots'"),
    ("emit contracts --seed 1 --resume maybe --out {new}", 2, "Invalid value for '--resume'"),
    ("emit contracts --seed 1 --resume always --out {new}", 1, "holds nothing to resume"),
    ("emit {asked} --seed 1 --roots {roots} --resume never --out {cohort}", 1, "is not empty"),
    ("emit contracts --seed 1 --out {folder}", 1, "files that are not of a cohort"),
    ("emit contracts --seed 1 --roots 1 --out {bad}/x", 1, "Not a directory"),
    ("emit contracts --seed 1 --out {new} --strata noisy-sensr.*", 1, "no stratum 'noisy-sensr.*'"),
    ("emit contracts --seed 1 --out {new} --variants event,evnt", 1, "did you mean 'event'?"),
    ("emit contracts --seed 1 --out {new} --wire post", 2, "Invalid value for '--wire'"),
    ("emit recoding --seed 1 --out {new} --wire systemone", 1, "use the wire chat"),
    ("emit {spec} --seed 1 --out {new} --variants metadata", 1, "urn has no metadata to show"),
    ("emit contracts --seed 1 --out {new} --exclude {new}", 2, "does not exist"),
    ("emit contracts --seed 1 --out {new} --exclude {binary}", 1, "which is no digest"),
    ("emit contracts --seed 1 --out {new} --exclude {folder}", 1, "is not a finished cohort"),
    ("emit contracts --seed 1 --out nowhere://host/cohort", 1, "Protocol not known"),
    ("emit contracts --seed 1 --out file://host/cohort", 1, "names a machine"),
    ("emit contracts --seed 1 --out {new} --exclude nowhere://host/cohort", 1, "Protocol not known"),
    ("verify nowhere://host/cohort", 1, "Protocol not known"),
    ("verify file:///no/such/folder", 2, "does not exist"),
    ("oracle {cohort} --out s3://bucket/reports.jsonl", 2, "is a URI"),
    ("reference credit-risk --inputs 9 --seed 1 --out s3://bucket/inputs", 2, "is a URI"),
    ("verify", 2, "Missing argument 'DIR'"),
    ("verify {new}", 2, "does not exist"),
    ("verify {bad}", 2, "is a file"),
    ("verify {folder}", 1, "is not a finished cohort"),
    ("verify {cohort}/public", 1, "is not a finished cohort"),
    ("oracle {cohort}", 2, "Missing option '--out'"),
    ("oracle {new} --out {new}.jsonl", 2, "does not exist"),
    ("oracle {folder} --out {new}.jsonl", 1, "is not a finished cohort"),
    ("oracle {cohort} --out {new}.xlsx", 1, "written as .jsonl, .parquet, .csv"),
    ("oracle {cohort} --out {new}/x.jsonl", 1, "No such file or directory"),
    ("oracle {cohort} --out {folder}", 2, "is a directory"),
    ("score {cohort}", 2, "Missing argument"),
    ("score {new} {reports}", 2, "does not exist"),
    ("score {folder} {reports}", 1, "is not a finished cohort"),
    ("score {cohort} {new}", 2, "does not exist"),
    ("score {cohort} {bad}", 1, "neither Parquet, JSONL nor CSV"),
    ("score {cohort} {strange}", 1, "status is 'lost'"),
    ("score {cohort} {strange} --out {new}", 1, "status is 'lost'"),
    ("score {cohort} {strange} --out {folder}", 1, "is not empty"),
    ("score {cohort} {reports} --out {bad}", 2, "is a file"),
    ("score {cohort} {reports} --out {bad}/x", 1, "is no folder that can be written"),
    ("score {cohort} {reports} --replicates 0", 2, "is not in the range"),
    ("score {cohort} {reports} --replicates 1000000000000", 2, "is not in the range"),
    ("score {cohort} {reports} --seed text", 2, "a seed is a whole number"),
]


@pytest.fixture
def places(cohort: Path, reports: Path, spec: Path, tmp_path: Path) -> Places:
    """Files and folders of every kind, by the names that the words above use."""
    bad, empty, binary = tmp_path / "bad.yaml", tmp_path / "empty.yaml", tmp_path / "binary.yaml"
    bad.write_text(spec.read_text().replace("category: blue", "category: bleu"))
    empty.write_text("")
    binary.write_bytes(b"\0\1\2")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "mine.txt").write_text("precious")
    strange = tmp_path / "strange.jsonl"
    strange.write_text('{"system": "s", "request_id": "none", "status": "lost"}\n')
    named = {"bad": bad, "empty": empty, "binary": binary, "folder": folder, "strange": strange}
    named |= {"cohort": cohort, "reports": reports, "spec": spec, "new": tmp_path / "new", "asked": ASKED}
    return {name: str(path) for name, path in named.items()} | {"roots": str(ROOTS)}


@pytest.mark.parametrize(("words", "code", "said"), BAD, ids=[words or "nothing" for words, _, _ in BAD])
def test_bad_input_is_refused_with_help(places: Places, words: str, code: int, said: str) -> None:
    line = [word.format(**places) for word in words.split()]
    result = CliRunner().invoke(main, line, prog_name="worldgen")
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr.replace("\n", " ")
    assert isinstance(result.exception, SystemExit)
    assert not Path(places["new"]).exists()
    assert (Path(places["folder"]) / "mine.txt").read_text() == "precious"


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (
            OSError(28, "No space left on device", "cohort/x.parquet"),
            1,
            "cohort/x.parquet: No space left on device",
        ),
        (OSError("a full disk, as Arrow says it"), 1, "a full disk, as Arrow says it"),
        (PermissionError(13, "Permission denied", "cohort"), 1, "cohort: Permission denied"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_what_the_machine_refuses_is_told_in_a_line(
    monkeypatch: pytest.MonkeyPatch, places: Places, raised: BaseException, code: int, said: str
) -> None:
    def fail(*_: object, **__: object) -> Callable[..., object]:
        raise raised

    monkeypatch.setattr("worldgen.emission.emit.emit", fail)
    line = ["emit", "contracts", "--seed", str(SEED), "--out", places["new"]]
    result = CliRunner().invoke(main, line, prog_name="worldgen")
    assert (result.exit_code, result.stdout) == (code, "")
    assert result.stderr.removeprefix("Error: ") == f"{said}\n"


def test_a_fault_of_this_library_is_not_hidden(monkeypatch: pytest.MonkeyPatch, places: Places) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("worldgen.emission.emit.emit", fail)
    line = ["emit", "contracts", "--seed", str(SEED), "--out", places["new"]]
    result = CliRunner().invoke(main, line, prog_name="worldgen")
    assert isinstance(result.exception, ZeroDivisionError)
