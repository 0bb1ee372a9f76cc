"""The root folders are the subpackages of worldgen, under no other name, and a wheel holds all of them."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from worldgen.cli.main import main

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUPTOOLS = CONFIG["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETUPTOOLS["package-dir"]
HELP_SECONDS = 0.4


def files_of_the_package() -> set[str]:
    """Every file that an import of worldgen can reach, by its path inside the wheel."""
    found = set()
    for folder, below, names in os.walk(ROOT / "worldgen", followlinks=True):
        below[:] = [name for name in below if name != "__pycache__"]
        found |= {(Path(folder) / name).relative_to(ROOT).as_posix() for name in names}
    return found


def test_every_package_on_disk_is_declared() -> None:
    marks = [Path(name) for name in files_of_the_package() if name.endswith("/__init__.py")]
    assert sorted(SETUPTOOLS["packages"]) == sorted(".".join(mark.parent.parts) for mark in marks)


def test_every_mapped_folder_has_its_link() -> None:
    for package, folder in FOLDERS.items():
        assert package == f"worldgen.{folder}"
        link = ROOT / "worldgen" / folder
        assert link.is_symlink(), f"worldgen/{folder} is no link: clone with core.symlinks=true"
        assert link.readlink() == Path("..") / folder


def test_nothing_else_below_worldgen_is_a_link() -> None:
    links = {path.name for path in (ROOT / "worldgen").rglob("*") if path.is_symlink()}
    assert links == set(FOLDERS.values())


def run(*words: str | Path, cwd: Path) -> str:
    """What a program prints; an AssertionError with all it said where it does not end well."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, words))}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sdist of a copy of this tree, built with the tools at hand, without a network."""
    place = tmp_path_factory.mktemp("build")
    keep_out = shutil.ignore_patterns(".*", "build", "dist", "tests", "docs", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT, place / "tree", symlinks=True, ignore=keep_out)
    run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", place / "dist", place / "tree", cwd=place
    )
    (made,) = (place / "dist").glob("*.whl")
    return made


@pytest.mark.slow
def test_the_wheel_holds_the_files_on_disk_and_nothing_else(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert inside == files_of_the_package()
    assert "worldgen/py.typed" in inside


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The console script of the wheel, in an environment that borrows all but worldgen from this one.

    A folder named in a .pth file is searched, but its own .pth files are not read, so the editable
    install of this environment stays out.
    """
    place = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", "--without-pip", place / "venv", cwd=place)
    python = place / "venv/bin/python"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel, cwd=place)
    borrowed = Path(
        run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=place).strip()
    )
    (borrowed / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    home = Path(run(python, "-c", "import worldgen; print(worldgen.__file__)", cwd=place).strip())
    assert home.is_relative_to(place), "worldgen must come from the wheel"
    return place / "venv/bin/worldgen"


def paths_of(group: click.Command, *path: str) -> Iterator[tuple[str, ...]]:
    """The words that lead to each command of a tree, the root first."""
    yield path
    if isinstance(group, click.Group):
        context = click.Context(group)
        for name in group.list_commands(context):
            child = group.get_command(context, name)
            assert child is not None
            yield from paths_of(child, *path, name)


@pytest.mark.slow
def test_every_help_works_from_the_wheel_far_from_the_tree(command: Path) -> None:
    paths = list(paths_of(main))
    assert len(paths) > 1, "a command line without commands"
    for path in paths:
        text = run(command, *path, "--help", cwd=command.parent)
        assert text.startswith(" ".join(("Usage: worldgen", *path)))
        summary = text.split("\n\n")[1].strip()
        assert summary and not summary.startswith("Options:"), f"{path} does not say what it does"


@pytest.mark.slow
def test_help_comes_at_once(command: Path) -> None:
    """The best of five, since a busy machine only ever makes it slower."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run(command, "--help", cwd=command.parent)
        times.append(time.perf_counter() - start)
    assert min(times) < HELP_SECONDS, f"worldgen --help took {min(times):.2f} s: import libraries where used"
