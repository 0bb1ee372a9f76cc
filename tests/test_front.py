"""The front door: every name there is real, typed as it is, and costs nothing until it is used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import worldgen

ROOT = Path(__file__).parents[1]
TREE = ast.parse((ROOT / "worldgen" / "__init__.py").read_text())


def imported_for_checkers() -> dict[str, str]:
    """Name -> module and name there, as the imports for type checkers say."""
    block = next(node for node in TREE.body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_door_is_sorted_and_whole() -> None:
    assert worldgen.__all__ == sorted(set(worldgen.__all__))
    assert dir(worldgen) == worldgen.__all__


def test_checkers_see_the_objects_that_users_get() -> None:
    seen = imported_for_checkers()
    assert sorted(seen) == worldgen.__all__
    for name, place in seen.items():
        module, called = place.split(":")
        assert getattr(worldgen, name) is getattr(import_module(module), called)


def test_an_unknown_name_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match="'emitt'"):
        worldgen.emitt  # type: ignore[attr-defined]  # noqa: B018  (that is the point of it)


def test_the_door_opens_at_once() -> None:
    """The best of five, in a fresh process each; nothing but the standard library comes in."""
    measured = (
        "t = time.perf_counter(); import worldgen; print(time.perf_counter() - t, 'numpy' in sys.modules)"
    )
    code = f"import sys, time; {measured}"
    times = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        )
        taken, heavy = done.stdout.split()
        assert heavy == "False"
        times.append(float(taken))
    assert min(times) < 0.05
