"""Files and folders, on this machine or in any file system that pyarrow or fsspec opens.

A `Place` is a `Path`, or a `Remote`: what a URI names, which answers as much of a `Path` as this library
asks. The functions below do for both what `Path` cannot do for a store of objects.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import unquote, urlsplit

import pyarrow as pa
from pyarrow import fs

from worldgen.exact.errors import WorldgenError

# Stores in which a file appears when it is whole and folders are parts of names; elsewhere files are renamed.
_STORES = ("s3", "s3a", "gcs", "gs", "abfs", "abfss", "az", "adl", "oss", "r2", "memory")
_PRIVATE = ("memory",)  # stores of which each process has one of its own
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_CHUNK = 2**23  # far away each is a request
_REMEDIES = {
    "make the bucket, or name another": ("no_such_bucket", "bucket does not exist"),
    "check the endpoint and the network": (
        "network",
        "connect",
        "resolve",
        "timed out",
        "timeout",
        "unreachable",
        "curl",
    ),
    "try again later: the store is busy, or out of order": (
        "slow_down",
        "slow down",
        "internal_failure",
        "unavailable",
        " 500",
        " 503",
    ),
    "check the credentials in the environment, and what they allow": (
        "denied",
        "expired",
        "forbidden",
        "permission",
        "signature",
        "access_key",
        "credential",
        " 401",
        " 403",
    ),
}


class PlaceError(WorldgenError):
    """A file system that cannot be opened, or that does not do what it is asked."""


@dataclass(frozen=True)
class Remote:
    """A file or folder that a URI names: `inner`, parts with slashes between them, below `uri`.

    It stands for the same place in every process, and each opens the file system itself: with the options
    that the URI carries and the credentials of its own environment. Whatever is refused raises PlaceError,
    but what is not there raises FileNotFoundError, as for a `Path`.

    >>> folder = Remote("s3://bucket/cohort?region=eu-north-1")
    >>> str(folder), str(folder / "public" / "README.md")
    ('s3://bucket/cohort?region=eu-north-1', 's3://bucket/cohort/public/README.md')
    >>> (folder / "public").name, str(folder.parent), str(Remote("s3://key:secret@bucket"))
    ('public', 's3://bucket?region=eu-north-1', 's3://key:***@bucket')
    """

    uri: str
    inner: str = ""

    def __truediv__(self, name: str) -> "Remote":
        return replace(self, inner=f"{self.inner}/{name}" if self.inner else name)

    def __str__(self) -> str:
        shown = re.sub(r"(?<=://)([^/?@:]*):[^/?@]*@", r"\1:***@", self.uri)
        return f"{shown.partition('?')[0].rstrip('/')}/{self.inner}" if self.inner else shown

    @property
    def name(self) -> str:
        """The last part."""
        return (self.inner or urlsplit(self.uri).path.rstrip("/")).rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """The ending of the last part, with its dot; empty if it has none."""
        return Path(self.name).suffix

    @property
    def parent(self) -> "Remote":
        """The folder that it lies in."""
        if self.inner:
            return replace(self, inner=self.inner.rpartition("/")[0])
        head, mark, options = self.uri.partition("?")
        return replace(self, uri=head.rstrip("/").rpartition("/")[0] + mark + options)

    def exists(self) -> bool:
        """Whether there is a file or a folder."""
        return not self._is(fs.FileType.NotFound)

    def is_file(self) -> bool:
        """Whether there is a file."""
        return self._is(fs.FileType.File)

    def is_dir(self) -> bool:
        """Whether there is a folder, which in a store of objects is a name that others begin with."""
        return self._is(fs.FileType.Directory)

    def read_bytes(self) -> bytes:
        """The bytes of a file."""
        with self.opened() as file, _told(self, "read"):
            return cast(bytes, file.read())

    def read_text(self, encoding: str = "utf-8") -> str:
        """The text of a file."""
        return self.read_bytes().decode(encoding)

    def write_bytes(self, data: bytes) -> None:
        """Store a file of these bytes here, as `put` does."""
        with tempfile.TemporaryFile() as file:
            file.write(data)
            file.flush()
            self.put(file)

    def opened(self) -> Any:
        """A file, open for reading at any position, as Arrow reads from it."""
        with _told(self, "read"):
            system, path = self.located()
            return system.open_input_file(path)

    def put(self, source: IO[bytes]) -> None:
        """Store what a file of this machine holds. It appears when it is whole; where that fails, what was
        here still is.
        """
        with _told(self, "written"):
            system, path = self.located()
            target = path if self.is_store else _beside(path)
            if not self.is_store:
                system.create_dir(path.rpartition("/")[0], recursive=True)
            # All is handed over in one call, because a stream that is dropped half written is closed, and
            # would then stand under its name as far as it got.
            with system.open_output_stream(target) as stream:
                if os.fstat(source.fileno()).st_size:
                    stream.write(mmap(source.fileno(), 0, access=ACCESS_READ))
            if target != path:
                with suppress(FileNotFoundError):  # not every file system renames onto a file
                    system.delete_file(path)
                system.move(target, path)

    def located(self) -> tuple[Any, str]:
        """The file system, open, and the path in it."""
        system, path = _system(self.uri)
        return system, f"{path}/{self.inner}" if self.inner else path

    @property
    def scheme(self) -> str:
        """What stands before ://, in lower case."""
        return self.uri.partition("://")[0].lower()

    @property
    def is_store(self) -> bool:
        """Whether a file appears here when it is whole."""
        return self.scheme in _STORES

    def info(self) -> Any:
        """What the file system knows of it."""
        with _told(self, "reached"):
            system, path = self.located()
            return system.get_file_info(path)

    def _is(self, kind: object) -> bool:
        return bool(self.info().type == kind)


Place = Path | Remote


def is_uri(text: str) -> bool:
    """Whether a text is a URI and no path.

    >>> is_uri("s3://bucket/cohort"), is_uri("cohorts/s3"), is_uri("C:/cohort")
    (True, False, False)
    """
    return _URI.match(text) is not None


def place(text: str | os.PathLike[str] | Remote) -> Place:
    """The place that a text names: a path, or a URI. Nothing is opened yet.

    >>> place("cohort"), place("file:///data/my%20cohort"), place("s3://bucket/cohort")
    (PosixPath('cohort'), PosixPath('/data/my cohort'), Remote(uri='s3://bucket/cohort', inner=''))
    """
    if isinstance(text, Remote):
        return text
    if not isinstance(text, str) or not is_uri(text):
        return Path(text)
    parts = urlsplit(text)
    if parts.scheme.lower() != "file":
        return Remote(text)
    if parts.netloc not in {"", "localhost"}:
        raise PlaceError(f"{text} names a machine", remedy="write three slashes, as in file:///data/cohort")
    return Path(unquote(parts.path))


def check_shared(folder: Place) -> None:
    """Raise PlaceError for a place of which each process has one of its own.

    >>> check_shared(Path("cohort"))
    >>> check_shared(Remote("memory://cohort/one"))
    Traceback (most recent call last):
    worldgen.exact.places.PlaceError: memory://cohort/one is the memory of one process, which no other sees
      try: let one worker write it, or name a folder that all workers share
    """
    if isinstance(folder, Remote) and folder.scheme in _PRIVATE:
        raise PlaceError(
            f"{folder} is the memory of one process, which no other sees",
            remedy="let one worker write it, or name a folder that all workers share",
        )


@lru_cache(maxsize=64)
def _system(uri: str) -> tuple[Any, str]:
    """The file system of a URI and the path in it: pyarrow's own, else fsspec's. Raises PlaceError."""
    scheme = Remote(uri).scheme
    with _told(Remote(uri), "opened"):
        try:
            system, path = fs.FileSystem.from_uri(_patient(uri))
        except pa.ArrowInvalid as error:
            if "Unrecognized filesystem type" not in str(error):
                raise
            system, path = _by_fsspec(uri, scheme)
    path = path.rstrip("/")
    if not path:
        raise PlaceError(f"{Remote(uri)} names no folder", remedy=f"write {scheme}://NAME/FOLDER")
    return system, path


def _patient(uri: str) -> str:
    """A URI by which a store that does not answer is given up in seconds: for one of Google's, Arrow would
    go on for a quarter of an hour.
    """
    if not uri.lower().startswith(("gs://", "gcs://")) or "retry_limit_seconds=" in uri:
        return uri
    return f"{uri}{'&' if '?' in uri else '?'}retry_limit_seconds=10"


def _by_fsspec(uri: str, scheme: str) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415  # an extra: most never need it
    except ImportError:
        said = f"{Remote(uri)} cannot be opened: pyarrow does not know '{scheme}', and fsspec is missing"
        raise PlaceError(said, remedy="pip install 'worldgen[remote]'") from None
    try:
        system, path = url_to_fs(uri)
    except ImportError as error:  # fsspec says which package it is that opens this scheme
        raise PlaceError(f"{Remote(uri)} cannot be opened: {error}", remedy="install that package") from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


@contextmanager
def _told(remote: Remote, done: str) -> Iterator[None]:
    """Let what a file system raises, each kinds of its own, be a PlaceError that names the place."""
    try:
        yield
    except (FileNotFoundError, PlaceError):
        raise
    except Exception as error:
        reason = _reason(error)
        raise PlaceError(f"{remote} cannot be {done}: {reason}", remedy=_remedy(reason)) from error


def _reason(error: Exception) -> str:
    """What an error says, in a line: of one of S3 the code and its meaning, without what was being done."""
    said = re.sub(r" ?\((?:Request ID|HTTP status)[^)]*\)", "", " ".join(str(error).split()))
    said = re.sub(r"^When .*?AWS Error (\w+) during \w+ operation: ?", r"\1, ", said).rstrip(", ")
    return said[:400] or type(error).__name__


def _remedy(reason: str) -> str:
    return next(
        (remedy for remedy, marks in _REMEDIES.items() if any(mark in reason.lower() for mark in marks)),
        "check the URI and its options",
    )


def _beside(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name}.tmp"


def size_of(file: Place) -> int | None:
    """The bytes of a file; None where there is no file."""
    if isinstance(file, Remote):
        info = file.info()
        return int(info.size) if info.type == fs.FileType.File else None
    return file.stat().st_size if file.is_file() else None


def files_in(folder: Place) -> Iterator[str]:
    """The files below a folder, in order, relative to it: those of a folder before those of its folders.

    They are found one by one, because it may be a whole disk. A folder that is not there has none.
    """
    if isinstance(folder, Remote):
        yield from _listed(folder)
        return
    for here, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(here, name)
            if path.is_file():
                yield path.relative_to(folder).as_posix()


def _listed(folder: Remote, before: str = "") -> Iterator[str]:
    with _told(folder, "listed"):
        system, path = folder.located()
        found = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    names = {info.base_name: info.type for info in found}
    for name in sorted(name for name, kind in names.items() if kind == fs.FileType.File):
        yield f"{before}{name}"
    for name in sorted(name for name, kind in names.items() if kind == fs.FileType.Directory):
        yield from _listed(folder / name, f"{before}{name}/")


def remove(file: Place) -> None:
    """Remove a file, if it is there."""
    if not isinstance(file, Remote):
        file.unlink(missing_ok=True)
        return
    with suppress(FileNotFoundError), _told(file, "removed"):
        system, path = file.located()
        system.delete_file(path)


def remove_folder(folder: Place) -> None:
    """Remove a folder with all that it holds, if it is there."""
    if not isinstance(folder, Remote):
        shutil.rmtree(folder, ignore_errors=True)
        return
    with suppress(FileNotFoundError), _told(folder, "removed"):
        system, path = folder.located()
        system.delete_dir(path)


@contextmanager
def here(file: Place) -> Iterator[Path]:
    """A file on this machine with the bytes of a file: itself, or a copy that is fetched once and removed."""
    if not isinstance(file, Remote):
        yield file
        return
    with tempfile.TemporaryDirectory(prefix="worldgen-") as scratch:
        copy = Path(scratch) / "copy"
        _fetch(file, copy)
        yield copy


@contextmanager
def folder_here(folder: Place) -> Iterator[Path]:
    """A folder on this machine with the files of a folder: itself, or a copy that is removed again."""
    if not isinstance(folder, Remote):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="worldgen-") as scratch:
        for name in files_in(folder):
            if {"", ".", ".."} & set(name.split("/")):  # a store allows such names
                raise PlaceError(f"{folder} holds a file named '{name}'", remedy="remove it")
            copy = Path(scratch, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            _fetch(folder / name, copy)
        yield Path(scratch)


def _fetch(file: Remote, copy: Path) -> None:
    with file.opened() as source:
        chunks = _chunks(file, source)
        try:
            with copy.open("wb") as target:
                for chunk in chunks:
                    target.write(chunk)
        except FileNotFoundError:  # it was removed meanwhile
            raise
        except OSError as error:
            raise PlaceError(
                f"{file} cannot be copied to this machine: {error.strerror or error}",
                remedy=f"make room in {tempfile.gettempdir()}, or let TMPDIR name another folder",
            ) from error


def _chunks(file: Remote, source: Any) -> Iterator[bytes]:
    while True:
        with _told(file, "read"):
            chunk = source.read(_CHUNK)
        if not chunk:
            return
        yield chunk


def sha256_of(file: Place) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    if not isinstance(file, Remote):
        with file.open("rb") as local:
            return hashlib.file_digest(local, "sha256").hexdigest()
    found = hashlib.sha256()
    with file.opened() as source:
        for chunk in _chunks(file, source):
            found.update(chunk)
    return found.hexdigest()
