"""Paired contrasts: of two interfaces to one question, and of two systems.

Every measure that is a mean is contrasted, on the roots where both sides have a value and with the weights
that every other figure has. Decisions have a value on every intended root, so their contrasts keep them all.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from worldgen.relations.declared import Relation
from worldgen.scoring.measures import Mean, Measure, contrast
from worldgen.scoring.panels import Truth


def interfaces(relations: Sequence[Relation], truths: "dict[str, Truth]") -> Iterator[tuple[str, str]]:
    """The pairs of variants that ask one question in two ways: those that a relation of two claims compares
    and whose options are the same events on every root.
    """
    for relation in relations:
        if len(relation.claims) == 2 and all(name in truths for name in relation.claims):
            first, second = relation.claims
            if _same_question(truths[first], truths[second]):
                yield first, second


def _same_question(first: Truth, second: Truth) -> bool:
    def asked(truth: Truth) -> list[object]:
        return [
            None if row is None else (row.given, [row.events[k] for k in order])
            for row, order in zip(truth.requests, truth.orders, strict=True)
        ]

    return asked(first) == asked(second)


def between_interfaces(measures: Sequence[Measure], pairs: Sequence[tuple[str, str]]) -> Iterator[Mean]:
    """For each pair of variants and each measure that both have, the second less the first."""
    known = _by_key(measures)
    for first, second in pairs:
        for measure in known.values():
            label = measure.label
            if label.subject != first:
                continue
            other = known.get((label.family, label.metric, second, label.system, label.at))
            if other is not None:
                yield contrast(other, measure, subject=f"{second} - {first}")


def between_systems(measures: Sequence[Measure], systems: Sequence[str]) -> Iterator[Mean]:
    """For each pair of systems and each measure that both have, the first less the second."""
    known = _by_key(measures)
    for first, second in combinations(systems, 2):
        for measure in known.values():
            label = measure.label
            if label.system != first:
                continue
            other = known.get((label.family, label.metric, label.subject, second, label.at))
            if other is not None:
                yield contrast(measure, other, against=second)


def _by_key(measures: Sequence[Measure]) -> dict[tuple[object, ...], Mean]:
    means = (measure for measure in measures if isinstance(measure, Mean))
    return {(m.label.family, m.label.metric, m.label.subject, m.label.system, m.label.at): m for m in means}
