"""One run at a time in a folder of a file system without locks: by a file that its owner keeps renewing.

A run puts a claim of its own into the folder, then looks for others. Stores list a file as soon as it was
put, so of two runs the later one to look sees the other's. A claim is dead where its process is known to be
gone, or where it was not renewed for `PATIENCE` seconds, which whoever finds it waits for: no two clocks are
compared, and no other process that has its number by now is taken for it.

This refuses a second run while the first is alive and reaches the store. It is no lock: a run that was silent
for longer than that and then goes on is not kept from writing, but it notices before it writes manifests.
What it wrote until then are whole files that say in their footers to which cohort they belong.
"""

import json
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import Any

from worldgen.cohort.manifests import CohortError
from worldgen.exact.places import PlaceError, Remote, files_in, remove

RENEWAL, PATIENCE = 5, 20  # seconds
_OPENING, _ENDING = ".emission-", ".claim"
_ours: set[str] = set()  # the claims of this process


def is_claim(name: str) -> bool:
    """Whether a file of a cohort's folder is a claim, which is no part of the cohort.

    >>> is_claim(".emission-0a1b.claim"), is_claim("public/manifest.json")
    (True, False)
    """
    return name.startswith(_OPENING) and name.endswith(_ENDING)


class Claim:
    """The claim of this run on a folder. It is renewed until it is given up."""

    def __init__(self, folder: Remote) -> None:
        self.name = f"{_OPENING}{token_hex(8)}{_ENDING}"
        self._folder = folder
        self._file = folder / self.name
        self._lost = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="claim", daemon=True)
        self._renewals = 0

    def put(self) -> None:
        """Put the claim into the folder and start to renew it."""
        _ours.add(self.name)
        try:
            self._write()
        except PlaceError as error:  # the first thing that is written, of which its user knows nothing
            message = error.message.replace(str(self._file), str(self._folder))
            raise PlaceError(message, remedy=error.remedy) from error
        self._thread.start()

    def _write(self) -> None:
        self._renewals += 1
        owner = {"machine": _machine(), "process": os.getpid(), "renewals": self._renewals}
        self._file.write_bytes(json.dumps(owner).encode())

    def _renew(self) -> None:
        while not self._over.wait(RENEWAL):
            with suppress(PlaceError):  # a store that does not answer now may do so next time
                if not self._file.is_file():
                    self._lost = True
                    return
                self._write()

    def check(self) -> None:
        """Raise CohortError where another run took this one for dead."""
        if self._lost or not self._file.is_file():
            raise CohortError(
                f"another emission took over {self._folder}, because this one was silent for too long",
                remedy="wait for it, or choose another folder",
            )

    def give_up(self) -> None:
        """Take the claim out of the folder."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        with suppress(PlaceError):
            remove(self._file)
        _ours.discard(self.name)


@contextmanager
def claimed(folder: Remote) -> Iterator[Claim]:
    """Keep other emissions out of a folder. Raises CohortError where another one is alive there."""
    claim = Claim(folder)
    try:
        claim.put()
        for name in [name for name in _claims(folder) if name != claim.name]:
            if _lives(folder / name):
                raise CohortError(
                    f"another emission is writing to {folder}", remedy="wait for it, or choose another folder"
                )
            remove(folder / name)
        yield claim
    finally:
        claim.give_up()


def _claims(folder: Remote) -> list[str]:
    """The claims in a folder, which are listed before what lies in folders below it."""
    found = []
    for name in files_in(folder):
        if "/" in name:
            break
        if is_claim(name):
            found.append(name)
    return found


def _lives(claim: Remote) -> bool:
    """Whether the owner of a claim is alive, which may take `PATIENCE` seconds to find out."""
    said = _said(claim)
    if claim.name in _ours:
        return True
    if said.get("machine") == _machine() and not _runs(said.get("process")):
        return False
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        time.sleep(min(1, PATIENCE))
        now = _said(claim)
        if now != said:
            return bool(now)  # renewed, unless it was given up meanwhile
    return False


def _said(claim: Remote) -> dict[str, Any]:
    """What a claim says; nothing where it is gone or says nothing that can be read."""
    try:
        said = json.loads(claim.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def _runs(process: object) -> bool:
    """Whether a process of this machine runs. One with our own number is an earlier one: ours are known."""
    if not isinstance(process, int) or process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _machine() -> str:
    """A name for all that numbers of processes are told apart in: a container numbers its own."""
    space = ""
    with suppress(OSError):
        space = f"{os.readlink('/proc/self/ns/pid')} {_boot()}"
    return f"{platform.node()} {space}".strip()


def _boot() -> str:
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        return file.read().strip()
