"""Layouts whose text leaves out what a reader would need are noted, not refused."""

from dataclasses import replace

import pytest

from worldgen.catalog import worlds
from worldgen.renderers.encodings import Encoding, Layout
from worldgen.spec import read_spec, read_world
from worldgen.spec.checking import notes

COUNTS = "{% for c in cells %}{{ c.count }} x {{ c.likelihood }}; {% endfor %}end"
CATEGORIES = "{% for c in cells %}{{ c.category }} {{ c.count }} x {{ c.likelihood }}; {% endfor %}end"
WORDED = (
    "{% for c in cells %}{{ 'odd' if c['values'][0] == 'True' else 'even' }}, {{ c['values'][1] }}: "
    "{{ c.category }} {{ c.count }} x {{ c.likelihood }}; {% endfor %}end"
)


@pytest.mark.parametrize("name", worlds())
def test_shipped_layouts_show_everything(name: str) -> None:
    assert notes(read_spec(name)) == []


@pytest.mark.parametrize(
    ("source", "missing"), [(COUNTS, ["a", "b", "category"]), (CATEGORIES, ["a", "b"]), (WORDED, [])]
)
def test_what_no_text_depends_on_is_noted(source: str, missing: list[str]) -> None:
    mine = Encoding("mine", (Layout("short", source),))
    world = replace(read_world("noisy-sensor"), encodings={"mine": mine})
    place = "noisy-sensor, mine.short: the text does not depend on the"
    assert notes(world) == [f"{place} {what} of any cell" for what in missing]
