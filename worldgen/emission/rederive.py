"""Gold from payloads: what a model sees is read back, and q is computed from nothing else, twice.

The integer path sums posterior weights over the events that the phrases of the payload name. The slow
path sums the world's independent posterior as fractions. Both must give the q that stands in the targets.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np

from worldgen.cohort.asking import AnyAsking, Asking
from worldgen.cohort.candidate_asking import CandidateAsking
from worldgen.emission.batches import Batcher
from worldgen.emission.beside import beside_faults, listed_faults
from worldgen.emission.slowly import TOLERANCE, Mask, Places, SlowPath, gathered
from worldgen.exact import arrow
from worldgen.exact.domains import Codes
from worldgen.exact.errors import NumberError
from worldgen.exact.numbers import Integers, nearest_doubles, read_number
from worldgen.exact.pools import lists, numbers, present, rationals, take

Found = tuple[int, str, str]
GOLD = ("event_map", "given", "q", "q_float")


def rederive(
    batcher: Batcher, requests: arrow.Table, targets: arrow.Table, derivable: dict[str, int]
) -> Iterator[Found]:
    """Everything in which targets differ from what the payloads of the same rows say: (row, column,
    message). `derivable` is counted up: a shipped encoding shows all that q depends on, so q follows from
    the payload; what a template of somebody else leaves out is known from the spec only.
    """
    source = "payload" if batcher.shipped else "payload and spec"
    world, variants = batcher.stratum.world, len(batcher.askings)
    payloads = arrow.whole(requests, "payload")
    gold = {name: arrow.whole(targets, name) for name in GOLD}
    shown = [arrow.whole(requests, name) for name in ("options", "answer_ids")]
    read: list[tuple[AnyAsking, Places, dict[str, Codes]]] = []
    for position, asking in enumerate(batcher.askings):
        rows = np.arange(position, len(payloads), variants)
        there = rows[present(take(payloads, rows))]
        derivable["not"] += len(rows) - len(there)
        decoded = asking.plan.decode(take(payloads, there))
        for fault in decoded.faults:
            message = f"it cannot be read at character {fault.offset}: {fault.message}"
            yield int(there[fault.row]), "payload", message
        readable = np.ones(len(there), dtype=np.bool_)
        readable[[fault.row for fault in decoded.faults]] = False
        derivable[source] += int(readable.sum())
        values = {name: codes[readable] for name, codes in decoded.values.items()}
        for row, message in _beside(batcher, asking, values, int(readable.sum())):
            yield int(there[readable][row]), "payload", message
        if isinstance(asking, CandidateAsking):
            listed = (take(column, there[readable]).to_pylist() for column in shown)
            for row, column, message in listed_faults(asking, values, *listed):
                yield int(there[readable][row]), column, message
        read.append((asking, there[readable], values))
    visible = [{v.name: values[v.name] for v in world.view.shown} for _, _, values in read]
    distinct, places = gathered(
        visible, [rows // variants for _, rows, _ in read], len(payloads) // variants + 1
    )
    slow = SlowPath(world, distinct)
    for (asking, rows, values), tables in zip(read, places, strict=True):
        said = {name: take(column, rows) for name, column in gold.items()}
        for row, column, message in _answers(asking, values, said, slow, tables):
            yield int(rows[row]), column, message


def _beside(
    batcher: Batcher, asking: AnyAsking, values: Mapping[str, Codes], rows: int
) -> Iterator[tuple[int, str]]:
    """The rows whose payload shows what no answer depends on, and what the variant does not show."""
    if isinstance(asking, CandidateAsking):
        yield from beside_faults(asking, values)
    else:
        yield from _demonstrations(batcher, asking, values, rows)


def _demonstrations(
    batcher: Batcher, asking: Asking, values: Mapping[str, Codes], rows: int
) -> Iterator[tuple[int, str]]:
    """The rows whose payload demonstrates anything but the first cases of the pool, in order."""
    count = asking.variant.demonstrations
    if asking.cases is None or not count:
        return
    _, shown = asking.cases.parted(values)
    wrong = np.zeros(rows, dtype=np.bool_)
    for name, codes in shown.items():
        wrong |= np.asarray((codes != batcher.demonstrations[name][:count]).any(axis=1), dtype=np.bool_)
    for row in np.flatnonzero(wrong).tolist():
        yield row, "it demonstrates other cases than the pool begins with"


def _answers(
    asking: AnyAsking,
    values: Mapping[str, Codes],
    said: Mapping[str, arrow.Array],
    slow: SlowPath,
    tables: Places,
) -> Iterator[Found]:
    events, given = asking.events_of(values)
    posteriors, positive = slow.world.posterior(values)
    weights = posteriors.numerators
    asked = events & given[:, None, :]
    tops = np.where(asked, weights[:, None, :], 0).sum(axis=2)
    bottoms = np.where(given, weights, 0).sum(axis=1)
    defined = positive & np.asarray(bottoms > 0, dtype=np.bool_)
    right = _columns(asked, given, tops, np.where(defined, bottoms, 1))
    differ = ~defined
    for row in np.flatnonzero(~defined).tolist():
        yield row, "q", "the payload asks for a probability that is not defined"
    for column, expected in right.items():
        if expected.equals(said[column]):
            continue
        pairs = zip(expected.to_pylist(), said[column].to_pylist(), strict=True)
        for row, (value, found) in enumerate(pairs):
            if defined[row] and value != found:
                differ[row] = True
                yield row, column, f"it says {found}, the payload says {value}"
    # Where targets and payload agree in all, the integers stand for both.
    doubtful = np.flatnonzero(defined & (differ | ~slow.agrees(asked, given, tables)))
    gold = {column: take(array, doubtful).to_pylist() for column, array in said.items()}
    for place, row in enumerate(doubtful.tolist()):
        for _, column, message in _slowly(place, slow.weights[tables[row]].tolist(), gold):
            yield row, column, message


def _columns(asked: Mask, given: Mask, tops: Integers, bottoms: Integers) -> dict[str, arrow.Array]:
    """The columns of the targets that hold the gold, from masks and weights: (n, options, K), (n, K),
    (n, options), (n,).
    """
    rows, width = tops.shape
    numerators, denominators = tops.ravel(), cast(Integers, np.repeat(bottoms, width))
    widths = np.full(rows, width)
    events = lists(numbers(np.nonzero(asked)[2]), asked.sum(axis=2).ravel())
    return {
        "event_map": lists(events, widths),
        "given": lists(numbers(np.nonzero(given)[1]), given.sum(axis=1)),
        "q": lists(rationals(numerators, denominators), widths),
        "q_float": lists(numbers(nearest_doubles(numerators, denominators)), widths),
    }


def _slowly(row: int, weights: Sequence[int], gold: Mapping[str, Sequence[Any]]) -> Iterator[Found]:
    """Compare the q of the targets with the slow path over their own event map."""
    event_map, given, q = gold["event_map"][row], gold["given"][row], gold["q"][row]
    whole = sum(weights[atom] for atom in given if atom < len(weights))
    if not whole or q is None or len(q) != len(event_map):
        yield row, "q", f"it says {q}, which the slow path cannot confirm"
        return
    for atoms, text in zip(event_map, q, strict=True):
        slow = Fraction(sum(weights[atom] for atom in atoms if atom < len(weights)), whole)
        try:
            agreed = abs(slow - read_number(text)) <= TOLERANCE
        except NumberError:
            agreed = False
        if not agreed:
            yield row, "q", f"it says {text}, the slow path says {float(slow):.15f}"
