"""Disks that are full and folders that may not be written: a line that names the file, and nothing lost."""

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak import contents
from tests.cohorts import sensor
from worldgen.emission.emit import emit
from worldgen.emission.verify import verify
from worldgen.exact.drafts import Draft
from worldgen.exact.places import PlaceError

ROOT = Path(__file__).parents[2]
ROOTS, SEED = 600, 11  # three shards

# The command line with a limit on the size of files, which its workers inherit; the kernel then refuses
# a write in the middle of a file, as it does when a disk is full.
LIMITED = """
import resource, sys
from worldgen.cli.main import main
if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
    main()
"""

# The command line as somebody who may not write everywhere. What is imported late is imported before.
POWERLESS = """
import os, sys
from click.testing import CliRunner
from worldgen.cli.main import main
warm = sys.argv.pop(1)
for roots in "22", "3":
    CliRunner().invoke(main, ["emit", "noisy-sensor", "--roots", roots, "--seed", "1", "--out", warm])
if os.geteuid() == 0:
    os.setuid(65534)
main()
"""


def run(code: str, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def words_of(folder: Path) -> list[object]:
    return ["emit", "noisy-sensor", "--roots", ROOTS, "--seed", SEED, "--out", folder]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_disk_that_is_full_is_told_with_the_file_and_costs_nothing(workers: int, tmp_path: Path) -> None:
    folder = tmp_path / "cohort"
    undisturbed = run(LIMITED, 10**9, *words_of(tmp_path / "undisturbed"))
    assert undisturbed.returncode == 0
    largest = max(map(len, contents(tmp_path / "undisturbed").values()))
    done = run(LIMITED, largest // 2, *words_of(folder), "--workers", workers)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"Error: {folder}/") and "Traceback" not in done.stderr
    assert ".parquet cannot be written: File too large\n  try: make room; the same command" in done.stderr
    assert not [name for name in contents(folder) if not name.endswith(".parquet")]
    finished = run(LIMITED, 10**9, *words_of(folder), "--workers", 1)
    assert finished.returncode == 0, finished.stderr
    assert contents(folder) == contents(tmp_path / "undisturbed")


@contextmanager
def full_after(room: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the disk be full after so many bytes, which only this process writes."""
    written = 0

    class Stream:
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def write(self, data: bytes) -> None:
            nonlocal written
            written += len(data)
            if written > room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._stream.write(data)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

    make = Draft.__init__

    def made(self: Draft, *args: Any) -> None:
        make(self, *args)
        self._stream = Stream(self._stream)  # type: ignore[assignment]  # as much of a file as a draft needs

    with monkeypatch.context() as patch:
        patch.setattr(Draft, "__init__", made)
        yield


def test_wherever_the_disk_is_full_the_same_call_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full after ever more bytes, from the first shard to the last manifest."""
    emit(sensor(), ROOTS, SEED, tmp_path / "undisturbed")
    reference = contents(tmp_path / "undisturbed")
    whole = sum(map(len, reference.values()))
    named = set()
    for part in range(10):
        folder = tmp_path / f"cohort-{part}"
        with full_after(whole * part // 10 + part % 2, monkeypatch), pytest.raises(PlaceError) as caught:
            emit(sensor(), ROOTS, SEED, folder)
        file, said = caught.value.message.split(" cannot be written: ")
        assert said == "No space left on device" and caught.value.remedy.startswith("make room; ")
        assert not list(folder.rglob("*.tmp")) and not (folder / "evaluator" / "manifest.json").exists()
        named.add(Path(file).relative_to(folder).as_posix())
        emit(sensor(), ROOTS, SEED, folder)
        assert contents(folder) == reference
    assert len(named) > 3


@pytest.fixture
def for_all() -> Iterator[Path]:
    """A folder that anybody may enter, which those of pytest are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("standing", ["nothing", "a part", "another cohort", "something hidden"])
def test_a_folder_that_may_not_be_written_stays_as_it_is(standing: str, force: bool, for_all: Path) -> None:
    place, mode = for_all / "place", 0o555
    folder = place / "cohort"
    if standing in {"nothing", "something hidden"}:
        place.mkdir()
        mode = 0o555 if standing == "nothing" else 0o000
    else:
        folder = place
        emit(sensor(), ROOTS if standing == "a part" else ROOTS + 1, SEED, place)
        (place / "public" / "manifest.json").unlink()
    before = contents(place)
    folders = [place, *(path for path in place.rglob("*") if path.is_dir())]
    for path in reversed(folders):
        path.chmod(mode)
    try:
        done = run(POWERLESS, for_all / "warm", *words_of(folder), *(["--force"] if force else []))
    finally:
        for path in folders:
            path.chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: ") and "Traceback" not in done.stderr
    assert str(place) in done.stderr and "\n  try: " in done.stderr
    assert contents(place) == before


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(PlaceError, match=r"taken/cohort cannot be written: Not a directory"):
        emit(sensor(), 2, SEED, tmp_path / "taken" / "cohort")
    emit(sensor(), 2, SEED, tmp_path / "cohort")
    assert verify(tmp_path / "cohort").ok
