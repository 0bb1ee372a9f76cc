"""One request as a person wants to see it, with its exact answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction

import numpy as np

from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.emission.batches import Batcher, cohort_tag, seed_digest
from worldgen.exact.errors import WorldgenError
from worldgen.exact.numbers import read_number
from worldgen.names import nearest
from worldgen.spec.cohorts import as_cohort
from worldgen.spec.describe import askable
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.cells import CellWorld


class PreviewError(WorldgenError):
    """A stratum or variant that the cohort does not have, or an index that cannot be."""


@dataclass(frozen=True)
class PreviewOption:
    """One option of a request: how it is written and what it means, and its exact probability.

    `q` is None where the request has no answer.
    """

    answer_id: str
    name: str
    means: str
    q: Fraction | None


@dataclass(frozen=True)
class Preview:
    """One request of a cohort and what the evaluator knows of it.

    `parts` are the texts of the payload, unescaped, each under its heading. `outcome` is the name of the
    option that came true, None where none of them did or where the request has no answer, for `reason`.
    The same request has the same `request_id` in every cohort that is emitted from this spec and seed.
    """

    request_id: str
    stratum: str
    variant: str
    form: str
    payload: str | None
    parts: Mapping[str, str]
    options: tuple[PreviewOption, ...]
    outcome: str | None
    reason: str | None


def preview(
    spec: CellWorld | Cohort, seed: int, *, index: int = 0, stratum: str = "", variant: str = ""
) -> Preview:
    """The request of one root: the root at `index` of a stratum, asked in one variant.

    Stratum and variant are the first of the cohort unless they are named. Raises PreviewError for names
    that the cohort does not have.

    >>> from worldgen.spec import read_spec
    >>> shown = preview(read_spec("contracts"), seed=7)
    >>> sum(option.q for option in shown.options)
    Fraction(1, 1)
    """
    cohort = as_cohort(spec)
    if not 0 <= index < 2**62:
        raise PreviewError(f"there is no root {index}", remedy="count roots from 0")
    strata = [each.name for each in cohort.strata]
    number = _place("stratum", stratum, strata, cohort.name)
    known = list(cohort.variants)
    if isinstance(spec, CellWorld):
        known += [each for each in askable(spec) if each not in known]
    name = known[_place("variant", variant, known, cohort.name)]
    # The tag is that of the whole cohort, so that the identifiers are those of its emission.
    tag = cohort_tag(spec_digest(cohort_data(cohort)), seed_digest(seed))
    batcher = Batcher(replace(cohort, variants=(name,), relations=()), number, seed, tag)
    tables = batcher.tables(draw_roots(cohort.strata[number], seed, np.array([index])))
    (request,), (target,) = tables["requests"].to_pylist(), tables["targets"].to_pylist()
    means = {option.name: option.event.label for option in batcher.askings[0].question.options}
    golds = [None] * len(request["options"]) if target["q"] is None else map(read_number, target["q"])
    return Preview(
        request_id=request["request_id"],
        stratum=strata[number],
        variant=name,
        form=request["form"],
        payload=request["payload"],
        parts=_parts(request["wire"], request["payload"]),
        options=tuple(
            PreviewOption(answer_id, option, means[option], q)
            for answer_id, option, q in zip(request["answer_ids"], request["options"], golds, strict=True)
        ),
        outcome=None if target["outcome"] is None else request["options"][target["outcome"]],
        reason=target["ineligible_reason"],
    )


def to_json(found: Preview) -> dict[str, object]:
    """The preview as plain JSON values: each q as its exact text and the nearest double."""
    plain = asdict(found)
    for option in plain["options"]:
        option["q_float"] = None if option["q"] is None else float(option["q"])
        option["q"] = None if option["q"] is None else str(option["q"])
    return plain


def _place(kind: str, wanted: str, known: list[str], cohort: str) -> int:
    if not wanted:
        return 0
    if wanted not in known:
        raise PreviewError(f"{cohort} has no {kind} '{wanted}'", remedy=nearest(wanted, known))
    return known.index(wanted)


def _parts(wire: str, payload: str | None) -> dict[str, str]:
    if payload is None:
        return {}
    tree = json.loads(payload)
    if wire == "chat":
        return {message["role"]: message["content"] for message in tree["messages"]}
    (question,) = tree["questions"].values()
    return {"state": tree["state"], "question": question["instructions"]}
