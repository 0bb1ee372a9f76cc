"""Files of weights: for each name, how a number is drawn, in the notation of numbers in specs."""

from collections.abc import Mapping
from pathlib import Path

from worldgen.spec.fields import Fields
from worldgen.spec.nodes import read_tree
from worldgen.spec.numbers import drawn
from worldgen.spec.sources import Source, read_source
from worldgen.worlds.parts import Drawn


def read_weights(source: Path | Source) -> Mapping[str, Drawn]:
    """The numbers of a file, by name. Raises SpecError with everything that is wrong with it.

    >>> read_weights(Source("sites: {1: 3, 2: 1}"))["sites"].weights
    (3, 1)
    """
    if isinstance(source, Path):
        source = read_source(source)
    root, faults = read_tree(source.text, source.file)
    fields = Fields(source, faults)
    pairs = fields.pairs(root, "write the name of each number with its weights, like sites: {1: 3, 2: 1}")
    read = {name: drawn(fields, node) for name, (_, node) in (pairs or {}).items()}
    fields.raise_all()
    return {name: number for name, number in read.items() if number is not None}
