"""Hypothesis profiles, and an order that lets the import guard see the whole run."""

import os

import pytest
from hypothesis import settings

# Both profiles draw the same examples on every run: a failure is a fact about the code, not about luck.
settings.register_profile("fast", max_examples=40, deadline=None, derandomize=True)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "fast")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort by node id, the guard on imported modules last: it judges what all others imported."""
    items.sort(key=lambda item: (item.name == "test_no_room_was_imported_by_its_bare_name", item.nodeid))
