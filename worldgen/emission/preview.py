"""One request as a person wants to see it, with its exact answer."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from worldgen.cohort.asking import AnyAsking, Asking
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.cohort.variants import BY_NAME, refusal, unknown
from worldgen.emission.batches import Batcher, cohort_tag, seed_digest
from worldgen.exact.arrow import Table
from worldgen.exact.errors import WorldgenError
from worldgen.exact.numbers import read_number
from worldgen.names import nearest
from worldgen.spec.cohorts import as_cohort
from worldgen.spec.describe import askable
from worldgen.spec.write import cohort_data, spec_digest
from worldgen.worlds.base import World

Row = Mapping[str, Any]


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

    `asks` says what is asked by the names of events, such as "A given B", `given` the condition in words,
    None where there is none; `manner` lists what sets the request apart from the plain one. `parts` are the
    texts of the payload, unescaped, each under its heading. `outcome` is the name of the option that came
    true, None where none of them did or where the request has no answer, for `reason`.
    The same request has the same `request_id` in every cohort that is emitted from this spec and seed.
    """

    request_id: str
    stratum: str
    variant: str
    form: str
    asks: str
    given: str | None
    manner: tuple[str, ...]
    payload: str | None
    parts: Mapping[str, str]
    options: tuple[PreviewOption, ...]
    outcome: str | None
    reason: str | None


def preview(
    spec: World | Cohort, seed: int, *, index: int = 0, stratum: str = "", variant: str = ""
) -> Preview:
    """The request of one root: the root at `index` of a stratum, asked in one variant.

    Stratum and variant are the first of the cohort unless they are named; a world alone can be asked in any
    variant that it supports. Raises PreviewError for names that the cohort does not have, SpecError for more
    demonstrations than its pool has.

    >>> from worldgen.spec import read_spec
    >>> shown = preview(read_spec("contracts"), seed=7)
    >>> sum(option.q for option in shown.options)
    Fraction(1, 1)
    """
    cohort = as_cohort(spec)
    known = list(cohort.variants)
    if not isinstance(spec, Cohort):
        # Variants that are named by a number are known once they are asked for.
        known += [each for each in askable(spec, variant) if each not in known]
        if (
            "case" in known
            and variant in BY_NAME
            and BY_NAME[variant].demonstrations
            and variant not in known
        ):
            known.append(variant)
        if variant and variant not in known:
            raise _unasked(spec, variant, known)
    name = known[_place("variant", variant, known, cohort.name)]
    batcher = batcher_at(cohort, seed, index, stratum)
    # The tag stays that of the whole cohort, so that the identifiers are those of its emission.
    alone = replace(batcher, cohort=replace(cohort, variants=(name,), relations=()))
    (shown,) = requests_shown(alone, alone.tables(root_at(alone, index)))
    return shown


def batcher_at(cohort: Cohort, seed: int, index: int, stratum: str) -> Batcher:
    """The stratum of that name, the first unless it is named, compiled for a seed. Raises PreviewError for
    a name that the cohort does not have, and for an index or a seed that no root can have.
    """
    if seed < 0:
        raise PreviewError(f"{seed} is no seed", remedy="take any whole number from 0")
    if not 0 <= index < 2**62:
        raise PreviewError(f"there is no root {index}", remedy="count roots from 0")
    number = _place("stratum", stratum, [each.name for each in cohort.strata], cohort.name)
    return Batcher(cohort, number, seed, cohort_tag(spec_digest(cohort_data(cohort)), seed_digest(seed)))


def root_at(batcher: Batcher, index: int) -> Roots:
    """The one root at an index of the stratum, those of the pool left out, as the cohort admits it."""
    place = batcher.cohort.pool + index
    return draw_roots(batcher.stratum, batcher.seed, np.array([place]), batcher.cohort.admission)


def requests_shown(batcher: Batcher, tables: Mapping[str, Table]) -> tuple[Preview, ...]:
    """The requests of one root, from its rows, in the order of the cohort."""
    rows = zip(batcher.askings, tables["requests"].to_pylist(), tables["targets"].to_pylist(), strict=True)
    return tuple(_shown(batcher.stratum, *row) for row in rows)


def _shown(stratum: Stratum, asking: AnyAsking, request: Row, target: Row) -> Preview:
    variant = asking.variant
    given = asking.question.given.label if isinstance(asking, Asking) and variant.given else None
    golds = [None] * len(request["options"]) if target["q"] is None else map(read_number, target["q"])
    layouts = [layout.name for layout in stratum.world.encodings[stratum.encoding].layouts]
    return Preview(
        request_id=request["request_id"],
        stratum=stratum.name,
        variant=variant.name,
        form=variant.form,
        asks=variant.asked,
        given=given,
        manner=variant.manner(layouts),
        payload=request["payload"],
        parts=_parts(request["wire"], request["payload"]),
        options=tuple(
            PreviewOption(answer_id, option, asking.meaning(option), q)
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


def _unasked(world: World, variant: str, known: list[str]) -> PreviewError:
    """Why a world cannot be asked in a variant."""
    if variant not in BY_NAME:
        remedy = unknown(variant) if "+" in variant else nearest(variant, known)
        return PreviewError(f"{world.name} has no variant '{variant}'", remedy=remedy)
    refused = (refusal(BY_NAME[variant], Cohort.wire, world, encoding) for encoding in world.encodings)
    message, remedy = next((why for why in refused if why), ("it needs a pool", "take a cohort with one"))
    return PreviewError(f"'{variant}' cannot be asked of {world.name}: {message}", remedy=remedy)


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
    return {**_told(tree["state"]), "question": question["instructions"]}


def _told(state: str | Mapping[str, Any]) -> dict[str, str]:
    """A state of one text, or the demonstrations of a case, each with its outcome, and the case."""
    if isinstance(state, str):
        return {"state": state}
    pairs = enumerate(state["demonstrations"], 1)
    told = {f"demonstration {n}": f"{each['case']}\n\nOutcome: {each['outcome']}" for n, each in pairs}
    return {**told, "case": state["case"]}
