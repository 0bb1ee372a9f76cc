"""Hypothesis profiles, and a guard over everything that the tests import."""

import os
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Both profiles draw the same examples on every run: a failure is a fact about the code, not about luck.
settings.register_profile("fast", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "fast")

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
ROOMS = set(PROJECT["tool"]["setuptools"]["package-dir"].values())


@pytest.fixture(scope="session", autouse=True)
def _no_room_by_its_bare_name() -> Iterator[None]:
    """Imported as `exact`, a room would be a second copy beside `worldgen.exact`; every test process is asked
    when its last test is done.
    """
    yield
    assert not ROOMS & set(sys.modules)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort by node id: every process of a parallel run must find the same order."""
    items.sort(key=lambda item: item.nodeid)
