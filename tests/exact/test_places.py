"""Places: what a text names, and drafts that stand under their name only when they are whole."""

import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.drafts import Draft, write_whole
from worldgen.exact.places import (
    PlaceError,
    Remote,
    files_in,
    folder_here,
    here,
    is_uri,
    place,
    remove,
    remove_folder,
    sha256_of,
    size_of,
)

NAMES = st.text("abc-._ 0", min_size=1, max_size=5)
MEMORY = Remote("memory://places/here")


@given(st.lists(NAMES, min_size=1, max_size=4), st.sampled_from(["", "?region=x", "?scheme=http&a=b"]))
def test_a_remote_has_the_parts_that_were_put_to_it(parts: list[str], options: str) -> None:
    root = Remote(f"s3://bucket/folder{options}")
    remote = root
    for part in parts:
        remote = remote / part
    assert str(remote) == f"s3://bucket/folder/{'/'.join(parts)}"
    assert remote.name == parts[-1] and remote.parent / parts[-1] == remote
    for _ in parts:
        remote = remote.parent
    assert remote == root and str(root) == root.uri


@pytest.mark.parametrize("text", ["cohort", "a/b", "C:/cohort", "s3:/bucket", "://x", "a b://c"])
def test_what_has_no_scheme_is_a_path(text: str) -> None:
    assert not is_uri(text) and place(text) == Path(text)


def test_a_file_on_another_machine_is_refused() -> None:
    with pytest.raises(PlaceError, match="names a machine"):
        place("file://host/cohort")
    assert place(Path("x")) == Path("x") and place(MEMORY) is MEMORY


@pytest.mark.parametrize(
    ("uri", "shown"),
    [
        ("s3://key:secret@bucket/a?x=y", "s3://key:***@bucket/a?x=y"),
        ("s3://key@bucket/a", "s3://key@bucket/a"),
        ("s3://bucket/a:b@c", "s3://bucket/a:b@c"),
    ],
)
def test_a_secret_in_a_uri_is_not_shown(uri: str, shown: str) -> None:
    assert str(Remote(uri)) == shown
    assert str(Remote(uri) / "b").startswith(shown.partition("?")[0])


@pytest.fixture(params=["path", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path | Remote:
    if request.param == "path":
        return tmp_path / "here"
    remove_folder(MEMORY)
    return MEMORY


def test_both_kinds_of_place_answer_alike(folder: Path | Remote) -> None:
    assert not folder.exists() and list(files_in(folder)) == [] and size_of(folder / "b") is None
    for name in ("b", "a/d/e", "a/c", "z"):
        write_whole(folder / name, name.encode())
    assert list(files_in(folder)) == ["b", "z", "a/c", "a/d/e"]
    assert folder.is_dir() and not folder.is_file() and (folder / "a" / "c").is_file()
    assert (folder / "a/c").read_text() == "a/c" and size_of(folder / "a/c") == 3
    assert size_of(folder) is None
    assert sha256_of(folder / "z") == hashlib.sha256(b"z").hexdigest()
    with folder_here(folder) as local, here(folder / "z") as file:
        assert (list(files_in(local)), file.read_bytes()) == (list(files_in(folder)), b"z")
    remove(folder / "z")
    remove(folder / "z")
    remove_folder(folder / "a")
    remove_folder(folder / "a")
    assert list(files_in(folder)) == ["b"]
    with pytest.raises(FileNotFoundError):
        (folder / "z").read_bytes()


@pytest.mark.parametrize("whole", [b"", b"new"])
def test_a_draft_is_there_once_it_is_finished_and_leaves_nothing_once_abandoned(
    folder: Path | Remote, whole: bytes
) -> None:
    file = folder / "file"
    write_whole(file, b"old")
    abandoned = Draft(file)
    abandoned.write(b"half")
    assert file.read_bytes() == b"old"
    abandoned.abandon()
    abandoned.abandon()
    assert file.read_bytes() == b"old" and list(files_in(folder)) == ["file"]
    draft = Draft(file)
    draft.write(whole)
    draft.finish()
    assert (file.read_bytes(), draft.size, draft.tell()) == (whole, len(whole), len(whole))
    assert draft.hexdigest() == hashlib.sha256(whole).hexdigest()
    assert list(files_in(folder)) == ["file"]


def test_drafts_of_one_file_share_nothing_before_they_are_whole(tmp_path: Path) -> None:
    first, second = Draft(tmp_path / "file"), Draft(tmp_path / "file")
    first.write(b"much longer than what follows")
    second.write(b"whole")
    assert len(os.listdir(tmp_path)) == 2
    first.finish()
    second.finish()
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_bytes() == b"whole"
