"""Real processes: streams, pipes, terminals, signals."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import worldgen
from tests.cli.conftest import ASKED
from worldgen.cohort.schemas import TABLES

ROOT = Path(__file__).parents[2]
WORLDGEN = (sys.executable, "-m", "worldgen")


def environment(**more: str) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}
    }
    return kept | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | more


def run(*words: object, **more: str) -> subprocess.CompletedProcess[str]:
    line = [*WORLDGEN, *map(str, words)]
    return subprocess.run(line, env=environment(**more), capture_output=True, text=True, check=False)


def on_terminal(*words: object, **more: str) -> str:
    """What a process writes to a terminal that is its stdout and its stderr."""
    ours, theirs = pty.openpty()
    line = [*WORLDGEN, *map(str, words)]
    with subprocess.Popen(
        line, env=environment(COLUMNS="80", **more), stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 65_536):
                seen += part
        except OSError:  # how Linux says that the last writer has gone
            pass
        assert process.wait() == 0, seen
    os.close(ours)
    return seen.decode()


def test_results_go_to_stdout_and_errors_to_stderr(cohort: Path) -> None:
    done = run("verify", cohort, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["ok"]
    refused = run("verify", cohort / "public")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("Error: ") and "Traceback" not in refused.stderr


def test_a_pipe_carries_plain_text_that_nothing_cut(tmp_path: Path) -> None:
    done = run("emit", ASKED, "--roots", 300, "--seed", 1, "--out", tmp_path / ("long-" * 30))
    assert done.stderr == ""
    assert "\x1b" not in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())
    assert "long-" * 30 + "\n" in done.stdout


def test_a_reader_that_goes_away_is_no_fault() -> None:
    """The pipe is closed before anything is written, so this does not depend on who is faster."""
    ours, theirs = os.pipe()
    os.close(ours)
    line = [*WORLDGEN, "preview", "contracts"]
    done = subprocess.run(
        line, env=environment(), stdout=theirs, stderr=subprocess.PIPE, text=True, check=False
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_is_told_in_a_line() -> None:
    with Path("/dev/full").open("w") as full:
        line = [*WORLDGEN, "worlds"]
        done = subprocess.run(
            line, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("Error: ") and "No space left" in done.stderr
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


@pytest.mark.slow
def test_terminals_get_a_bar_and_colour_unless_they_ask_for_none(tmp_path: Path) -> None:
    shown = on_terminal("emit", ASKED, "--roots", 300, "--seed", 1, "--out", tmp_path / "made")
    assert "\x1b[" in shown and "shards" in shown
    plain = on_terminal("worlds", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*[349][0-9]", plain)
    dumb = on_terminal("show", "noisy-sensor", TERM="dumb")
    assert "\x1b" not in dumb and max(map(len, dumb.splitlines())) <= 80


def test_characters_that_a_locale_lacks_are_escaped() -> None:
    done = run("preview", "contracts", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and done.stdout.isascii()


@pytest.mark.slow
def test_an_interrupted_emission_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Ctrl-C reaches the whole group, the workers too, as from a terminal."""
    folder, roots = tmp_path / "cohort", 4096
    words = (
        "emit",
        str(ASKED),
        "--roots",
        str(roots),
        "--seed",
        "5",
        "--out",
        str(folder),
        "--workers",
        "2",
    )
    process = subprocess.Popen(
        [*WORLDGEN, *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    deadline = time.monotonic() + 60
    while len(TABLES) not in Counter(path.name for path in folder.glob("*/*/0*.parquet")).values():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "interrupted\n")
    assert not (folder / "evaluator" / "manifest.json").exists()
    done = worldgen.emit(worldgen.read_spec(ASKED), roots, 5, folder)
    assert done.found > 0 and done.written > 0
    assert worldgen.open(folder).manifest["roots"] == roots
