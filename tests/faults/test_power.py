"""The machine stops: whatever a disk had not yet written is gone, and no manifest speaks of what is gone."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cohorts import sensor
from worldgen import read_spec
from worldgen.emission.emit import emit
from worldgen.emission.references import write_reference
from worldgen.exact.drafts import settle, write_whole
from worldgen.exact.places import PlaceError

SEED = 11
Event = tuple[str, Path, Path]


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """What is done to files, in order: ("sync", file or folder, the same), ("name", from, to) and ("remove",
    file, the same).
    """
    seen: list[Event] = []
    fsync, replace, unlink = os.fsync, os.replace, os.unlink

    def synced(handle: int) -> None:
        fsync(handle)
        path = Path(f"/proc/self/fd/{handle}").readlink()
        seen.append(("sync", path, path))

    def named(source: Any, target: Any) -> None:
        replace(source, target)
        seen.append(("name", Path(source), Path(target)))

    def removed(path: Any, **more: Any) -> None:
        unlink(path, **more)
        seen.append(("remove", Path(path), Path(path)))

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", named)
    monkeypatch.setattr(os, "unlink", removed)
    return seen


def surviving(events: list[Event]) -> set[Path]:
    """The files that are there with their bytes if the machine stops now, at the least."""
    written, named, lasting = set[Path](), dict[Path, bool](), set[Path]()
    for kind, source, target in events:
        if kind == "sync":
            written.add(source)
            lasting |= {file for file, whole in named.items() if whole and file.parent == source}
        elif kind == "name":
            named[target] = source in written
            lasting.discard(target)
    return lasting


def promised(folder: Path) -> set[Path]:
    files = json.loads((folder / "manifest.json").read_text())["files"]
    return {folder / name for name in files}


def test_what_a_manifest_lists_is_on_the_disk_before_it_has_its_name(
    events: list[Event], tmp_path: Path
) -> None:
    folder = tmp_path / "cohort"
    emit(sensor(), 600, SEED, folder)
    for side in ("public", "evaluator"):
        manifest = folder / side / "manifest.json"
        (at,) = (i for i, (kind, _, target) in enumerate(events) if (kind, target) == ("name", manifest))
        assert len(promised(folder / side)) > 6 and promised(folder / side) <= surviving(events[:at])
        assert manifest in surviving(events)


def test_a_manifest_is_gone_from_the_disk_before_what_it_lists_is_replaced(
    events: list[Event], tmp_path: Path
) -> None:
    folder = tmp_path / "cohort"
    emit(sensor(), 20, SEED, folder)
    events.clear()
    emit(sensor(), 20, SEED + 1, folder, force=True)
    first = next(i for i, (kind, _, _) in enumerate(events) if kind == "name")
    for side in ("public", "evaluator"):
        removal = events.index(("remove", folder / side / "manifest.json", folder / side / "manifest.json"))
        assert events.index(("sync", folder / side, folder / side)) in range(removal, first)


def test_reference_inputs_are_on_the_disk_before_their_folder_has_its_name(
    events: list[Event], tmp_path: Path
) -> None:
    folder = tmp_path / "inputs"
    world = read_spec("credit-risk")
    write_reference(world, 100, SEED, folder)  # type: ignore[arg-type]  # the shipped one is a world
    *before, last = events
    assert last == ("name", tmp_path / ".inputs.tmp", folder)
    beside = {last[1] / file.relative_to(folder) for file in promised(folder)}
    assert beside | {last[1] / "manifest.json"} <= surviving(before)


def test_a_file_system_that_cannot_settle_folders_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(number: int) -> Any:
        def refusing(handle: int) -> None:
            raise OSError(number, os.strerror(number))

        return refusing

    monkeypatch.setattr(os, "fsync", refuse(errno.EINVAL))
    settle(tmp_path)
    settle(tmp_path / "nowhere", below=True)
    monkeypatch.setattr(os, "fsync", refuse(errno.EIO))
    with pytest.raises(PlaceError, match="cannot be written: Input/output error"):
        settle(tmp_path)
    with pytest.raises(PlaceError, match="file cannot be written: Input/output error"):
        write_whole(tmp_path / "file", b"all")
    assert not list(tmp_path.iterdir())
