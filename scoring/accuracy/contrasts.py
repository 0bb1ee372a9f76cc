"""Paired contrasts: of two interfaces to one question, and of two systems.

Means and ratios of means are contrasted on the roots where both sides have a value, with the weights that
every other figure has. Decisions have a value on every intended root, so their contrasts keep them all.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from worldgen.scoring.figures.measures import Mean, Measure, Ratio, RatioDifference, contrast, ratio_contrast

Key = tuple[object, ...]


def between_interfaces(measures: Sequence[Measure], pairs: Sequence[tuple[str, str]]) -> Iterator[Mean]:
    """For each pair of variants that ask one question, and each mean that both have, the second less the
    first.
    """
    known = _by_key(measures)
    for first, second in pairs:
        for measure in known.values():
            label = measure.label
            if label.subject != first or not isinstance(measure, Mean):
                continue
            other = known.get((label.family, label.metric, second, label.system, label.at))
            if isinstance(other, Mean):
                yield contrast(other, measure, subject=f"{second} - {first}")


def between_systems(measures: Sequence[Measure], systems: Sequence[str]) -> Iterator[Mean | RatioDifference]:
    """For each pair of systems and each mean or ratio that both have, the first less the second."""
    known = _by_key(measures)
    for first, second in combinations(systems, 2):
        for measure in known.values():
            label = measure.label
            if label.system != first:
                continue
            other = known.get((label.family, label.metric, label.subject, second, label.at))
            if isinstance(measure, Mean) and isinstance(other, Mean):
                yield contrast(measure, other, against=second)
            elif isinstance(measure, Ratio) and isinstance(other, Ratio):
                yield ratio_contrast(measure, other, against=second)


def _by_key(measures: Sequence[Measure]) -> dict[Key, Mean | Ratio]:
    named = (measure for measure in measures if isinstance(measure, Mean | Ratio))
    return {(m.label.family, m.label.metric, m.label.subject, m.label.system, m.label.at): m for m in named}
