"""Whether a world can be rendered: every layout of its encodings compiled and proved, faults in one list."""

from collections.abc import Iterator

from worldgen.faults import Fault
from worldgen.renderers.encodings import Layout
from worldgen.renderers.errors import PlanError, TemplateError
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import World


def layout_faults(world: World) -> Iterator[Fault]:
    """One fault for each layout that cannot show the view of the world without loss or leak.

    Each is tried without the metadata, then with them. Templates say for themselves in which file and
    on which line they are wrong.
    """
    for name, encoding in world.encodings.items():
        for layout in encoding.layouts:
            try:
                _prove(world, layout)
            except (TemplateError, PlanError) as error:
                yield Fault(("encodings", name, layout.name), error.message, error.remedy)


def _prove(world: World, layout: Layout) -> None:
    view = world.view
    for metadata in (False, True) if view.nuisance else (False,):
        leaf = layout.leaf(world.template_names(metadata=metadata))
        Plan(leaf, view.variables if metadata else view.shown)
