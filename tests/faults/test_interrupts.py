"""Ctrl-C and SIGTERM at any moment: the command ends within two seconds, and the folder resumes."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import pytest

from benchmarks.soak import contents, freed, workers_of
from tests.cohorts import sensor
from worldgen import interrupts
from worldgen.cohort.manifests import CohortError
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.interrupts import heed, heeded

ROOT = Path(__file__).parents[2]
SEED = 11
SLOW = pytest.mark.slow
SECONDS = 2

# One draw in a hundred is let in: the first batch of roots is drawn for seconds.
RARE = """\
kind: cohort
name: rare
strata: [{world: noisy-sensor, encoding: joined-tables}]
variants: [event]
relations: []
quota: {of: q(A), bins: [{from: 0, below: 1/100, roots: 1}]}
"""


def started(*words: object, **more: str) -> "subprocess.Popen[str]":
    """A command in a process group of its own, as a shell starts it."""
    return subprocess.Popen(
        [sys.executable, "-m", "worldgen", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT), **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def until(running: "subprocess.Popen[str]", pattern: str, folder: Path) -> None:
    """Wait until a file is there while a command is at work."""
    deadline = time.monotonic() + 30
    while not list(folder.glob(pattern)):
        assert running.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)


def ended(running: "subprocess.Popen[str]", number: signal.Signals) -> tuple[int, str, str]:
    """What becomes of a command and its workers that all get a signal, within two seconds."""
    start = time.monotonic()
    os.killpg(running.pid, number)
    out, err = running.communicate(timeout=30)
    assert time.monotonic() - start < SECONDS
    return running.returncode, out, err


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("reference") / "cohort"
    emit(sensor(), 600, SEED, folder)
    return contents(folder)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")]
)
def test_a_command_ends_in_the_middle_of_a_shard(
    workers: int, number: signal.Signals, code: int, said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "cohort"
    words = ("emit", "contracts", "--roots", 200_000, "--seed", SEED, "--out", folder, "--workers", workers)
    running = started(*words)
    until(running, "public/roots/*", folder)
    time.sleep(0.3)
    assert ended(running, number) == (code, "", said)
    with pytest.raises(CohortError, match="is not a finished cohort"):
        open_cohort(folder)
    freed(folder)


@pytest.mark.slow
def test_a_command_ends_while_roots_are_admitted(tmp_path: Path) -> None:
    (tmp_path / "rare.yaml").write_text(RARE)
    folder = tmp_path / "cohort"
    running = started("emit", tmp_path / "rare.yaml", "--roots", 200_000, "--seed", SEED, "--out", folder)
    until(running, "public/roots/.*", folder)
    time.sleep(0.3)
    assert ended(running, signal.SIGINT) == (130, "", "interrupted\n")


def marked(mark: str) -> list[str]:
    """The processes with a mark in their environment, which they have from whoever started them."""
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):  # it ended, or is another's
            if f"WORLDGEN_TEST={mark}".encode() in file.read_bytes():
                found.append(file.parent.name)
    return found


def gone(mark: str) -> bool:
    """Whether no process with a mark is left, as soon as the kernel has ended those that were killed."""
    deadline = time.monotonic() + SECONDS
    while marked(mark) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not marked(mark)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_command_ends_while_its_cluster_starts_and_leaves_no_worker(
    number: signal.Signals, tmp_path: Path
) -> None:
    """Workers that take a minute to start, as on a busy machine."""
    folder, mark = tmp_path / "cohort", f"cluster-{number}"
    slow = tmp_path / "slow.py"
    slow.write_text(
        f"import pathlib, time\npathlib.Path({str(tmp_path)!r}, 'begun').touch()\ntime.sleep(60)\n"
    )
    names = {
        "DASK_DISTRIBUTED__WORKER__PRELOAD": f'["{slow}"]',
        "WORLDGEN_TEST": mark,
        "TMPDIR": str(tmp_path),
    }
    words = ("emit", "noisy-sensor", "--roots", 600, "--seed", SEED, "--out", folder)
    running = started(*words, "--dask", "local", "--workers", 2, **names)
    until(running, "begun", tmp_path)
    said = (130, "", "interrupted\n") if number == signal.SIGINT else (-number, "", "")
    assert ended(running, number) == said and gone(mark)
    assert not folder.exists()


@pytest.mark.slow
def test_a_command_ends_while_its_cluster_writes_and_leaves_a_folder_that_resumes(tmp_path: Path) -> None:
    folder, mark = tmp_path / "cohort", "writing"
    words = ("emit", "noisy-sensor", "--roots", 20_000, "--seed", SEED, "--out", folder)
    running = started(*words, "--dask", "local", "--workers", 2, WORLDGEN_TEST=mark)
    until(running, "evaluator/relations/0*.parquet", folder)
    assert ended(running, signal.SIGINT) == (130, "", "interrupted\n") and gone(mark)
    done = emit(sensor(), 20_000, SEED, folder, resume="always")
    assert done.found and open_cohort(folder).manifest["roots"] == 20_000


INTERRUPTED = """
import os, signal, sys
from click.testing import CliRunner
from tests.cohorts import sensor
from worldgen.emission.emit import emit

folder, file = sys.argv[1:]
def step(event, args):
    if event == "os.rename" and str(args[1]).endswith(file):
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(step)
emit(sensor(), 600, 11, folder)
"""


@pytest.mark.parametrize(
    "file",
    [
        "requests/00001-of-00003.parquet",
        "public/README.md",
        "public/manifest.json",
        "evaluator/manifest.json",
    ],
)
def test_an_interrupt_while_a_file_gets_its_name_loses_nothing(
    file: str, reference: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "cohort"
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(folder), file],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGINT and done.stderr.endswith("KeyboardInterrupt\n")
    with pytest.raises(CohortError, match="is not a finished cohort"):
        open_cohort(folder)
    assert not list(folder.rglob("*.tmp"))
    emit(sensor(), 600, SEED, folder, resume="always")
    assert contents(folder) == reference


def thrown_away() -> None:
    """Be interrupted inside something that throws exceptions away, as finalisers and some C code do."""
    with suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_that_was_thrown_away_is_heeded(
    workers: int, reference: dict[str, bytes], tmp_path: Path
) -> None:
    told: list[int] = []

    def lose(done: int, total: int) -> None:
        told.append(done)
        if len(told) == 1:
            thrown_away()

    with pytest.raises(KeyboardInterrupt):
        emit(sensor(), 600, SEED, tmp_path / "cohort", progress=lose, workers=workers)
    assert told == [0]
    emit(sensor(), 600, SEED, tmp_path / "cohort")
    assert contents(tmp_path / "cohort") == reference


LOST = """
import os, signal, sys
from contextlib import suppress
import worldgen.emission.planned as planned
from worldgen.cli.main import main

def lost(cohort, roots, before=planned.planned):  # as a signal during an import may be
    with suppress(BaseException):
        os.kill(os.getpid(), int(sys.argv[2]))
    return before(cohort, roots)
planned.planned = lost
main(["emit", "noisy-sensor", "--roots", "600", "--seed", "11", "--out", sys.argv[1]])
"""


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")]
)
def test_a_signal_that_was_thrown_away_before_the_emission_ends_the_command(
    number: signal.Signals, code: int, said: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST, str(tmp_path / "cohort"), str(int(number))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)
    assert not (tmp_path / "cohort").exists()


# A signal at some step of a command: at an import, the first of all or a later one; when everything was done;
# inside code that is run from text, as where a named tuple is made; while C code works that would go on for
# a minute; at a step after which putting things in order takes as long.
EARLY = """
import atexit, hashlib, os, runpy, signal, sys, threading, time
import worldgen.cli.start

number, when = map(int, sys.argv[-2:])
del sys.argv[-2:]
begun = False
def now():
    os.kill(os.getpid(), number)
def step(event, args):
    global begun, when
    if event == "import":
        begun = begun or args[0] == "worldgen.cli.main"
        when -= begun
        if begun and when == 0:
            now()
if when == -1:
    atexit.register(now)
elif when == -2:
    import worldgen.emission.planned as planned
    planned.planned = lambda cohort, roots: exec("now()", {"now": now})
elif when == -4:
    import worldgen.emission.planned as planned
    atexit.register(time.sleep, 60)
    planned.planned = lambda cohort, roots: now()
elif when == -3:
    import worldgen.emission.planned as planned
    def deaf(cohort, roots):
        threading.Timer(0.1, now).start()
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10**8)
    planned.planned = deaf
else:
    sys.addaudithook(step)
runpy.run_module("worldgen", run_name="__main__")
"""


def early(folder: Path, *words: object, ignoring: str = "") -> tuple[int, str, str]:
    """What becomes of `python -m worldgen` where `words` end with a signal and when it comes."""
    (folder / "early.py").write_text(f"{ignoring}\n{EARLY}")
    done = subprocess.run(
        [sys.executable, "-m", "early", *map(str, words)],
        env={**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "when", [1, 2, 30, 60, 120, 400, -1, -2, *(pytest.param(n, marks=SLOW) for n in (-3, -4))]
)
@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")]
)
def test_a_signal_at_the_edges_of_a_command_is_answered(
    number: signal.Signals, code: int, said: str, when: int, tmp_path: Path
) -> None:
    words = ("emit", "noisy-sensor", "--roots", 60, "--seed", 1, "--out", tmp_path / "cohort", "-q")
    assert early(tmp_path, *words, int(number), when) == (code, "", said)


def test_an_interrupt_that_a_command_was_started_to_ignore_does_not_end_it(tmp_path: Path) -> None:
    """As in jobs that a script puts into the background."""
    ignoring = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    code, out, err = early(tmp_path, "worlds", int(signal.SIGINT), 30, ignoring=ignoring)
    assert (code, err) == (0, "") and "noisy-sensor" in out


class Dying:
    """Something whose finaliser is where an interrupt arrives."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_in_a_finaliser_is_raised_afterwards_and_told_once(
    capfd: pytest.CaptureFixture[str],
) -> None:
    def work() -> None:
        Dying()  # Python drops what its finaliser raises
        heed()

    with pytest.raises(KeyboardInterrupt), heeded():
        work()
    assert capfd.readouterr().err == ""


def test_an_interrupt_that_was_thrown_away_comes_again_where_no_step_heeds_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work() -> None:
        thrown_away()
        time.sleep(20)  # as libraries do for long

    monkeypatch.setattr(interrupts, "AGAIN", 0.01)
    with pytest.raises(KeyboardInterrupt), heeded():
        work()
    time.sleep(0.1)  # and not once it was answered


def test_a_signal_comes_again_only_while_work_goes_on_in_spite_of_it(
    handlers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    noted = signal.getsignal(signal.SIGTERM)

    def refuse(number: int, frame: FrameType | None) -> None:
        assert callable(noted)
        noted(number, frame)
        if len(handlers) % 3:  # every third time it is content
            raise KeyboardInterrupt

    monkeypatch.setattr(interrupts, "AGAIN", 0.01)
    signal.signal(signal.SIGTERM, refuse)
    for came in (3, 6):
        deadline = time.monotonic() + 5
        with heeded():
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
            while len(handlers) < came:
                with suppress(KeyboardInterrupt):
                    time.sleep(0.1)
                assert time.monotonic() < deadline
            time.sleep(0.1)
        assert handlers == [signal.SIGTERM] * came


@pytest.fixture
def handlers() -> Iterator[list[int]]:
    """Handlers of our own, that only take down what came, put back afterwards."""
    came: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, frame: came.append(number))
    yield came
    for number, handler in before.items():
        signal.signal(number, handler)


def test_the_handler_that_was_there_answers_and_is_there_again(handlers: list[int]) -> None:
    ours = signal.getsignal(signal.SIGINT)
    with heeded():
        heed()
        assert handlers == []
        signal.raise_signal(signal.SIGTERM)
        assert handlers == [signal.SIGTERM]
        heed()
    heed()
    assert handlers == [signal.SIGTERM], "it raised nothing that could have been lost"
    assert signal.getsignal(signal.SIGINT) is ours


def test_a_handler_that_only_takes_note_is_asked_once_for_each_signal(
    handlers: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interrupts, "AGAIN", 0.01)
    with heeded():
        for count in (1, 2):
            signal.raise_signal(signal.SIGINT)
            time.sleep(0.1)
            heed()
            assert handlers == [signal.SIGINT] * count


def test_a_signal_that_is_ignored_stays_ignored(handlers: list[int]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with heeded():
        signal.raise_signal(signal.SIGINT)
        heed()


@pytest.mark.slow
def test_workers_die_with_a_killed_driver_and_keep_the_folder_until_then(tmp_path: Path) -> None:
    """A second run is refused at once, also while workers write; after the kill nothing stale is left."""
    folder = tmp_path / "cohort"
    words = ("emit", "noisy-sensor", "--roots", 200_000, "--seed", SEED, "--out", folder)
    running = started(*words, "--workers", 2)
    until(running, "public/roots/*", folder)
    start = time.monotonic()
    second = started(*words)
    out, err = second.communicate(timeout=30)
    assert (second.returncode, out) == (1, "") and "another emission is writing to" in err
    assert time.monotonic() - start < 5 and "--force" not in err
    while len(workers := workers_of(running.pid)) < 2:  # a busy machine may take its time to start them
        assert running.poll() is None and time.monotonic() - start < 30
        time.sleep(0.01)
    os.kill(running.pid, signal.SIGKILL)
    running.communicate()
    freed(folder)
    assert not [worker for worker in workers if Path(f"/proc/{worker}/exe").exists()]
