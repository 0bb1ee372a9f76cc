"""Kill emissions at random moments, and see that nothing is lost.

    python benchmarks/soak.py [--kills N] [--roots N] [--seed N] [SPEC]

Every round runs `worldgen emit` in a process group of its own, with one worker or with two, and kills with
SIGKILL, at a moment drawn evenly from the time that an undisturbed run takes: the whole group, the process
that was started alone, or one of its workers alone. Then every command must call the folder unfinished and
`--resume never` must refuse it, without a byte changed, and `--resume always` must end with the bytes of an
undisturbed run. Where only a worker was killed, the run itself must end so. Prints one line a round, and
exits with 1 at the first thing that is not as it should be.
"""

import argparse
import fcntl
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from click.testing import CliRunner

import worldgen
from worldgen.cli.main import main as command_line

VICTIMS = ("group", "driver", "worker")
SEED = 7


def expect(holds: bool, otherwise: str) -> None:
    """End with 1 unless something holds."""
    if not holds:
        sys.exit(otherwise)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, by relative path."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def command(spec: str, roots: int, folder: Path, *more: str) -> list[str]:
    """The words of `worldgen emit`."""
    return ["emit", spec, "--roots", str(roots), "--seed", str(SEED), "--out", str(folder), *more]


def started(words: list[str]) -> "subprocess.Popen[bytes]":
    """A command in a process group of its own."""
    line = [sys.executable, "-m", "worldgen", *words]
    return subprocess.Popen(
        line, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def workers_of(pid: int) -> list[int]:
    """The processes that another started to write shards."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    told = ((int(child), Path(f"/proc/{child}/cmdline").read_bytes()) for child in children)
    return [child for child, line in told if b"spawn_main" in line]


def kill(process: "subprocess.Popen[bytes]", victim: str) -> bool:
    """Kill a process, one of its workers, or both; whether there was anything to kill."""
    if process.poll() is not None:
        return False
    if victim == "worker":
        workers = workers_of(process.pid)
        if workers:
            os.kill(random.choice(workers), signal.SIGKILL)
        return bool(workers)
    (os.killpg if victim == "group" else os.kill)(process.pid, signal.SIGKILL)
    process.wait()
    return True


def freed(folder: Path) -> None:
    """Wait for workers that outlived their driver to notice. End with 1 if they do not."""
    handle, deadline = os.open(folder, os.O_RDONLY), time.monotonic() + 5
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            expect(time.monotonic() < deadline, "orphans hold the folder")
            time.sleep(0.01)
    os.close(handle)


def refused(words: list[str], said: str) -> None:
    """End with 1 unless a command exits with 1, no traceback, and says so."""
    done = CliRunner().invoke(command_line, words)
    expect(done.exit_code == 1 and said in done.stderr, f"{words}: {done.exit_code}, {done.output}")


def unfinished(folder: Path, report: Path) -> None:
    """End with 1 unless every command calls the folder unfinished and leaves it as it is."""
    before = contents(folder)
    for words in (
        ["verify", str(folder)],
        ["oracle", str(folder), "--out", str(report)],
        ["score", str(folder), __file__],
        *([["show", str(folder)]] if before else []),
        ["emit", "contracts", "--seed", "1", "--out", str(report), "--exclude", str(folder)],
    ):
        refused(words, "is not a finished cohort")
    said = ""
    with suppress(worldgen.WorldgenError):
        worldgen.open(folder)
        said = "it opens"
    expect(not said and contents(folder) == before and not report.exists(), said or "something was written")


def finished_again(spec: str, roots: int, folder: Path, report: Path) -> str:
    """Take a folder after a kill to its end; in what state it was."""
    if not folder.exists():
        refused(command(spec, roots, folder, "--resume", "always"), "nothing to resume")
        expect(not folder.exists(), "a folder was made")
        state = "nothing"
    else:
        freed(folder)
        files = contents(folder)
        if "evaluator/manifest.json" in files:
            return "whole"
        unfinished(folder, report)
        if files:
            refused(command(spec, roots, folder, "--resume", "never"), "is not empty")
            expect(contents(folder) == files, "a refusal changed something")
        else:
            refused(command(spec, roots, folder, "--resume", "always"), "nothing to resume")
        shards = sum(name.startswith("evaluator/relations/0") for name in files)
        state = "pages" if "public/README.md" in files else f"{shards} shards" if files else "nothing"
        if any(name.endswith(".tmp") for name in files):
            state += ", mid-file"
    resume = "if-possible" if state == "nothing" else random.choice(["always", "if-possible"])
    done = CliRunner().invoke(command_line, command(spec, roots, folder, "--resume", resume))
    expect(done.exit_code == 0, done.output)
    return state


def main() -> None:
    """Run the rounds."""
    parser = argparse.ArgumentParser(description="Kill emissions at random moments, lose nothing.")
    parser.add_argument("spec", nargs="?", default="contracts")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--roots", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    chosen = parser.parse_args()
    random.seed(chosen.seed)
    met: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as scratch:
        undisturbed, lasting = {}, {}
        for workers in (1, 2):
            start = time.monotonic()
            folder = Path(scratch) / f"by-{workers}"
            assert started(command(chosen.spec, chosen.roots, folder, "--workers", str(workers))).wait() == 0
            undisturbed[workers], lasting[workers] = contents(folder), time.monotonic() - start
        expect(undisturbed[1] == undisturbed[2], "two workers wrote other bytes than one")
        print(f"undisturbed: {lasting[1]:.1f} s by one worker, {lasting[2]:.1f} s by two", flush=True)
        number = 0
        while met.total() - met["too late"] < chosen.kills:
            number += 1
            workers = random.choice([1, 2, 2])
            victim = random.choice(VICTIMS if workers == 2 else VICTIMS[:2])
            folder, report = Path(scratch) / f"cohort-{number}", Path(scratch) / "report.jsonl"
            process = started(command(chosen.spec, chosen.roots, folder, "--workers", str(workers)))
            moment = random.uniform(0, lasting[workers])
            time.sleep(moment)
            killed = kill(process, victim)
            if victim == "worker" or not killed:
                expect(process.wait() == 0, "a killed worker was not replaced")
                state = "went on" if killed else "too late"
            else:
                state = finished_again(chosen.spec, chosen.roots, folder, report)
            expect(contents(folder) == undisturbed[1], f"round {number}, {state}: other bytes")
            met[state] += 1
            print(f"{number:4}  {workers} workers, {victim} killed at {moment:.2f} s: {state}", flush=True)
    print(", ".join(f"{state}: {times}" for state, times in met.most_common()))


if __name__ == "__main__":
    main()
