"""Whether a world can be rendered: every layout of its encodings compiled and proved, faults in one list."""

from collections.abc import Iterator
from typing import Any, cast

from worldgen.faults import Fault
from worldgen.renderers.encodings import Layout
from worldgen.renderers.errors import PlanError, TemplateError
from worldgen.renderers.plans import Plan
from worldgen.renderers.unrolling import Constant
from worldgen.worlds.base import World


def layout_faults(world: World) -> Iterator[Fault]:
    """One fault for each layout that cannot show some view of the world without loss or leak.

    Views are tried from the first to the last, each without the metadata, then with them. Templates say for
    themselves in which file and on which line they are wrong.
    """
    for name, encoding in world.encodings.items():
        for layout in encoding.layouts:
            for view in world.views:
                try:
                    _prove(world.through(view), layout)
                except (TemplateError, PlanError) as error:
                    where = f"in the view {view}: " if len(world.views) > 1 else ""
                    yield Fault(("encodings", name, layout.name), f"{where}{error.message}", error.remedy)
                    break


def _prove(world: World, layout: Layout) -> None:
    view = world.view
    for metadata in (False, True) if view.nuisance else (False,):
        leaf = layout.leaf(world.template_names(metadata=metadata))
        Plan(leaf, view.variables if metadata else view.shown)


def unshown(world: World, layout: Layout) -> Iterator[str]:
    """What of the cells makes no difference to a layout: "category", or an attribute.

    Every cell is given the next value of the attribute, and the text stays what it was. An attribute of
    which all cells have one value tells nothing, and is passed over.
    """
    names = world.template_names(metadata=False)
    cells = cast(list[dict[str, Any]], names.get("cells", []))
    attributes = cast(list[str], names.get("attributes", []))
    before = layout.leaf(names)
    for place, what in enumerate([*attributes, "category"]):
        owned = [cell["category"] if what == "category" else cell["values"][place] for cell in cells]
        known = sorted(set(owned))
        turned = [known[(known.index(value) + 1) % len(known)] for value in owned]
        if len(known) > 1 and layout.leaf({**names, "cells": _given(cells, place, what, turned)}) == before:
            yield what


def _given(cells: list[Any], place: int, what: str, values: list[Any]) -> list[Constant]:
    """The cells with other values of one attribute, or other categories."""
    if what == "category":
        return [{**cell, "category": value} for cell, value in zip(cells, values, strict=True)]
    return [
        {**cell, "values": [*cell["values"][:place], value, *cell["values"][place + 1 :]]}
        for cell, value in zip(cells, values, strict=True)
    ]
