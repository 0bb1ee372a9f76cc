"""Asked: what a batch of roots is asked, and the answers; here, row by row, where options differ by root."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worldgen.cohort.candidate_asking import CandidateAsking, Presentation
from worldgen.cohort.roots import Roots
from worldgen.emission.gold import Mask
from worldgen.exact.errors import PartitionError
from worldgen.exact.numbers import nearest_doubles
from worldgen.exact.pools import rationals
from worldgen.worlds.base import Streams, Values

BEYOND = "the answer has no such position"


@dataclass(frozen=True)
class Asked:
    """The requests of n roots in V variants, requests of a root together.

    `values` are the codes that the payloads of each variant show, `eligible` (n, V) says which questions have
    an answer. `requests` holds the columns `options` and `answer_ids` of that table, `targets` those of the
    gold: `event_map`, `given`, `q`, `q_float`, `outcome` and `ineligible_reason`.
    """

    values: Sequence[Values]
    eligible: Mask
    requests: Mapping[str, object]
    targets: Mapping[str, object]


@dataclass(frozen=True)
class _Answers:
    """The gold of one variant, row by row, options in displayed order."""

    event_map: list[list[list[int]]]
    q: list[list[str] | None]
    q_float: list[list[float] | None]
    outcome: list[int | None]
    defined: Mask


def asked_by_root(askings: Sequence[CandidateAsking], streams: Streams, roots: Roots) -> Asked:
    """What is asked of a batch of roots of candidates.

    Raises PartitionError where no option holds a candidate that is possible.
    """
    known = {**roots.values, **roots.hidden}
    shown = [asking.present(streams, roots.indices, known) for asking in askings]
    gold = [_answers(*each, roots) for each in zip(askings, shown, strict=True)]
    eligible = np.stack([answers.defined for answers in gold], axis=1)
    everything = list(range(len(roots.posteriors.atoms)))
    return Asked(
        [{**roots.values, **presentation.values} for presentation in shown],
        eligible,
        {
            "options": _woven([presentation.names.tolist() for presentation in shown]),
            "answer_ids": _woven([presentation.labels.tolist() for presentation in shown]),
        },
        {
            "event_map": _woven([answers.event_map for answers in gold]),
            "given": [everything] * eligible.size,
            "q": _woven([answers.q for answers in gold]),
            "q_float": _woven([answers.q_float for answers in gold]),
            "outcome": _woven([answers.outcome for answers in gold]),
            "ineligible_reason": [None if ok else BEYOND for ok in eligible.ravel().tolist()],
        },
    )


def _answers(asking: CandidateAsking, presentation: Presentation, roots: Roots) -> _Answers:
    """The gold of one variant; there is none at a position that the answer does not have."""
    events, _ = asking.events_of({**roots.values, **presentation.values})
    weights, totals = roots.posteriors.numerators, roots.posteriors.denominators
    tops = np.where(events, weights[:, None, :], 0).sum(axis=2)
    place = max(asking.variant.at or 0, asking.variant.draft or 0)
    words = asking.world.words(roots.values)
    defined = np.array([len(candidates[0]) >= place for candidates in words], dtype=np.bool_)
    missed = np.flatnonzero(defined & (tops.sum(axis=1) != totals))
    if len(missed):
        index = int(roots.indices[missed[0]])
        raise PartitionError(f"the options of {asking.variant.name} do not part what is possible at {index}")
    texts = [rationals(top, totals).to_pylist() for top in tops.T]
    doubles = [nearest_doubles(top, totals).tolist() for top in tops.T]
    came = events[np.arange(len(events)), :, roots.outcomes]
    return _Answers(
        [[np.flatnonzero(event).tolist() for event in row] for row in events],
        _where(defined, texts),
        _where(defined, doubles),
        [int(row.argmax()) if row.any() else None for row in came],
        defined,
    )


def _where(defined: NDArray[np.bool_], columns: Sequence[Sequence[Any]]) -> list[Any]:
    """The rows of columns, None where not defined."""
    rows = zip(*columns, strict=True)
    return [list(row) if ok else None for row, ok in zip(rows, defined.tolist(), strict=True)]


def _woven(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Columns of n rows, one per variant, as one column with the rows of a root together."""
    return [value for row in zip(*columns, strict=True) for value in row]
