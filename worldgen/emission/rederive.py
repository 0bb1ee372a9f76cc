"""Gold from payloads: what a model sees is read back, and q is computed from nothing else, twice.

The integer path sums posterior weights over the events that the phrases of the payload name. The slow
path sums the world's independent posterior as fractions. Both must give the q that stands in the targets.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from worldgen.cohort.asking import AnyAsking, Asking
from worldgen.emission.batches import Batcher
from worldgen.exact import arrow
from worldgen.exact.decimals import AGREEMENT
from worldgen.exact.domains import Codes
from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import nearest_doubles, read_number, write_rationals
from worldgen.worlds.base import World

Found = tuple[int, str, str]
TOLERANCE = Fraction(AGREEMENT)


def rederive(
    batcher: Batcher, requests: arrow.Table, targets: arrow.Table, derivable: dict[str, int]
) -> Iterator[Found]:
    """Everything in which targets differ from what the payloads of the same rows say: (row, column,
    message). `derivable` is counted up: a shipped encoding shows all that q depends on, so q follows from
    the payload; what a template of somebody else leaves out is known from the spec only.
    """
    source = "payload" if batcher.shipped else "payload and spec"
    variants = len(batcher.askings)
    payloads = requests.column("payload").to_pylist()
    gold = {name: targets.column(name).to_pylist() for name in ("event_map", "given", "q", "q_float")}
    for position, asking in enumerate(batcher.askings):
        rows = [row for row in range(position, len(payloads), variants) if payloads[row] is not None]
        derivable["not"] += len(range(position, len(payloads), variants)) - len(rows)
        if not rows:
            continue
        decoded = asking.plan.decode([payloads[row] for row in rows])
        unreadable = {fault.row for fault in decoded.faults}
        for fault in decoded.faults:
            yield (
                rows[fault.row],
                "payload",
                f"it cannot be read at character {fault.offset}: {fault.message}",
            )
        derivable[source] += len(rows) - len(unreadable)
        for row, message in _demonstrations(batcher, asking, decoded.values, len(rows)):
            if row not in unreadable:
                yield rows[row], "payload", message
        chosen = {name: [column[row] for row in rows] for name, column in gold.items()}
        for row, column, message in _answers(batcher.stratum.world, asking, decoded.values, chosen):
            if row not in unreadable:
                yield rows[row], column, message


def _demonstrations(
    batcher: Batcher, asking: AnyAsking, values: Mapping[str, Codes], rows: int
) -> Iterator[tuple[int, str]]:
    """The rows whose payload demonstrates anything but the first cases of the pool, in order."""
    count = asking.variant.demonstrations
    if not isinstance(asking, Asking) or asking.cases is None or not count:
        return
    _, shown = asking.cases.parted(values)
    wrong = np.zeros(rows, dtype=np.bool_)
    for name, codes in shown.items():
        wrong |= np.asarray((codes != batcher.demonstrations[name][:count]).any(axis=1), dtype=np.bool_)
    for row in np.flatnonzero(wrong).tolist():
        yield row, "it demonstrates other cases than the pool begins with"


def _answers(
    world: World, asking: AnyAsking, values: Mapping[str, Codes], gold: Mapping[str, Sequence[Any]]
) -> Iterator[Found]:
    events, given = asking.events_of(values)
    posteriors, positive = world.posterior(values)
    weights = posteriors.numerators
    asked = events & given[:, None, :]
    tops = np.where(asked, weights[:, None, :], 0).sum(axis=2)
    bottoms = np.where(given, weights, 0).sum(axis=1)
    defined = positive & np.asarray(bottoms > 0, dtype=np.bool_)
    bottoms = np.where(defined, bottoms, 1)
    texts = np.array([write_rationals(top, bottoms) for top in tops.T], dtype=np.object_).T.tolist()
    doubles = np.array([nearest_doubles(top, bottoms) for top in tops.T]).T.tolist()
    slow = world.slow_posterior(values)
    for row in range(len(given)):
        if not defined[row]:
            yield row, "q", "the payload asks for a probability that is not defined"
            continue
        event_map = [np.flatnonzero(event).tolist() for event in asked[row]]
        right = {
            "event_map": event_map,
            "given": np.flatnonzero(given[row]).tolist(),
            "q": texts[row],
            "q_float": doubles[row],
        }
        for column, value in right.items():
            if gold[column][row] != value:
                yield row, column, f"it says {gold[column][row]}, the payload says {value}"
        yield from _slowly(row, slow[row], gold)


def _slowly(
    row: int, masses: Sequence[Fraction] | None, gold: Mapping[str, Sequence[Any]]
) -> Iterator[Found]:
    """Compare the q of the targets with the slow path over their own event map."""
    event_map, given, q = gold["event_map"][row], gold["given"][row], gold["q"][row]
    whole = (
        sum((masses[atom] for atom in given if atom < len(masses)), Fraction(0)) if masses else Fraction(0)
    )
    if masses is None or not whole or q is None or len(q) != len(event_map):
        yield row, "q", f"it says {q}, which the slow path cannot confirm"
        return
    for atoms, text in zip(event_map, q, strict=True):
        part = sum((masses[atom] for atom in atoms if atom < len(masses)), Fraction(0))
        try:
            agreed = abs(part / whole - read_number(text)) <= TOLERANCE
        except NumberError:
            agreed = False
        if not agreed:
            yield row, "q", f"it says {text}, the slow path says {float(part / whole):.15f}"
