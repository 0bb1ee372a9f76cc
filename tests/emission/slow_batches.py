"""The rows of all tables made one by one from fractions and dictionaries: the slow twin of batches."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from worldgen.cohort.asking import Asking
from worldgen.cohort.roots import Roots
from worldgen.emission.batches import PORTABLE_BYTES, UNDEFINED, Batcher
from worldgen.exact.domains import Code
from worldgen.exact.errors import ZeroMassError
from worldgen.worlds.base import Streams

Rows = dict[str, list[dict[str, Any]]]


def rows_of(batcher: Batcher, roots: Roots) -> Rows:
    """The rows of every table, root by root."""
    found: Rows = {name: [] for name in ("roots", "requests", "truth", "targets", "relations")}
    for place in range(len(roots)):
        _root(batcher, roots, place, found)
    return found


def _root(batcher: Batcher, roots: Roots, place: int, found: Rows) -> None:
    world, stratum, cohort = batcher.stratum.world, batcher.stratum, batcher.cohort
    root = f"{batcher.tag}-{batcher.number}-{int(roots.indices[place]):06d}"
    shown = {name: codes.tolist()[place] for name, codes in roots.values.items()}
    law = roots.posteriors.row(place)
    found["roots"].append(
        {
            "root_id": root,
            "world": world.name,
            "stratum": stratum.name,
            "view": world.view.name,
            "visible": [v.domain.text(shown[v.name]) for v in world.view.variables],
            "semantic_digest": roots.digests.to_pylist()[place],
        }
    )
    found["truth"].append(
        {
            "root_id": root,
            "view": world.view.name,
            "posterior": list(map(str, law.masses)),
            "hidden": [v.domain.text(roots.hidden[v.name].tolist()[place]) for v in world.hidden],
            "outcome": int(roots.outcomes[place]),
        }
    )
    payloads: dict[str, str | None] = {}
    for position, asking in enumerate(batcher.alike):
        request, target = _asked(batcher, asking, roots, place, shown)
        name = asking.variant.name
        payloads[name] = request["payload"]
        first = {"request_id": f"{root}-{name}"}
        found["requests"].append({**first, "root_id": root, "variant": name, "position": position} | request)
        found["targets"].append(first | target)
    for relation in cohort.declared:
        compared = [payloads[claim] for claim in relation.claims]
        standing = None not in compared
        tolerance = relation.tolerance
        found["relations"].append(
            {
                "root_id": root,
                "relation": relation.name,
                "request_ids": [f"{root}-{claim}" for claim in relation.claims],
                "eligible": standing,
                "reason": None if standing else UNDEFINED,
                "tolerance": {Fraction(1, 20): "0.05", Fraction(1, 50): "0.02"}[tolerance],
                "primary": relation.primary,
                "identity_control": standing and len(set(compared)) == 1,
            }
        )


def _asked(
    batcher: Batcher, asking: Asking, roots: Roots, place: int, shown: Mapping[str, Code]
) -> tuple[dict[str, Any], dict[str, Any]]:
    world = batcher.stratum.world
    streams = Streams(batcher.seed, world.name, batcher.stratum.name)
    seen = asking.present(streams, roots.indices[[place]])
    order = seen.order[0].tolist()
    question, law = asking.question, roots.posteriors.row(place)
    try:
        q = [question.answer(law)[option] for option in order]
    except ZeroMassError:
        q = None
    codes = dict(shown) | {name: column.tolist()[0] for name, column in seen.values.items()}
    payload = None if q is None else asking.plan.line.write(codes)
    events = [question.events[option].indices for option in order]
    came = [number for number, atoms in enumerate(events) if roots.outcomes[place] in atoms]
    request = {
        "form": asking.variant.form,
        "wire": batcher.cohort.wire,
        "payload": payload,
        "options": [question.options[option].name for option in order],
        "answer_ids": [seen.labels[label] for label in seen.label[0]],
        "eligible": q is not None,
        "portable": asking.portable and len((payload or "").encode()) < PORTABLE_BYTES,
    }
    target = {
        "event_map": [list(atoms) for atoms in events],
        "given": list(question.given.indices),
        "q": None if q is None else list(map(str, q)),
        "q_float": None if q is None else list(map(float, q)),
        "outcome": came[0] if came and q is not None else None,
        "ineligible_reason": UNDEFINED if q is None else None,
    }
    return request, target
