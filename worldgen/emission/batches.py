"""Batches: roots of one stratum in, the rows of all five tables out."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.cohort.asking import AnyAsking, askings_of
from worldgen.cohort.case_asking import labelled
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.presenting import Presentation
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.cohort.schemas import POOL, SCHEMAS
from worldgen.emission.geometries import geometry_columns
from worldgen.emission.gold import UNDEFINED, Answers, answers_of
from worldgen.emission.soundness import check_written
from worldgen.exact import arrow
from worldgen.exact.domains import Codes
from worldgen.exact.numbers import decimal_places, write_number, write_rationals
from worldgen.exact.variables import Variable
from worldgen.renderers.encodings import shipped
from worldgen.renderers.plans import Plan, render_together
from worldgen.worlds.base import Values
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld

PORTABLE_BYTES = 2**20  # the smallest limit on a request body among servers of the systemone wire


@dataclass(frozen=True)
class Batcher:
    """A stratum of a cohort with a seed, compiled: every root of it becomes rows by `tables`.

    `tag` opens every identifier of the cohort and differs between specs and seeds, so that reports of
    one cohort are never scored against another.
    """

    cohort: Cohort
    number: int
    seed: int
    tag: str

    @property
    def stratum(self) -> Stratum:
        """The stratum."""
        return self.cohort.strata[self.number]

    @cached_property
    def askings(self) -> list[AnyAsking]:
        """The variants, compiled, in the order of the cohort."""
        return askings_of(self.cohort, self.stratum)

    @cached_property
    def shipped(self) -> bool:
        """Whether the encoding is one that ships and shows all that q depends on: the whole table of cells,
        or the problem with its candidates. A view of factors is judged by the spec.
        """
        world = self.stratum.world
        return (
            world.family in {CellWorld.family, CandidateWorld.family}
            and world.encodings[self.stratum.encoding] in shipped(world.family).values()
        )

    @cached_property
    def demonstrations(self) -> Values:
        """The cases of the pool that some request demonstrates."""
        most = max((asking.variant.demonstrations for asking in self.askings), default=0)
        if not most:
            return {}
        cases = self.cases(range(most))
        return labelled(self.stratum.world, cases.values, cases.outcomes)

    def cases(self, places: range) -> Roots:
        """The cases at these places of the pool. Nothing is asked of them, and none is excluded."""
        return draw_roots(self.stratum, self.seed, np.arange(places.start, places.stop))

    def pool(self, places: range) -> arrow.Table:
        """The rows of the table `pool` at these places."""
        world, cases = self.stratum.world, self.cases(places)
        encoding = world.encodings[self.stratum.encoding]
        memo = encoding.layouts[0].leaf(world.template_names(metadata=False))
        names = np.full(len(world.atoms), "", dtype=np.object_)
        for name, event in world.partition.items():
            names[list(event.indices)] = name
        written = Plan(memo, world.view.shown).render(cases.values, len(cases)).to_pylist()
        columns = {
            "pool_id": self.root_ids(cases),
            "stratum": [self.stratum.name] * len(cases),
            "view": [world.view.name] * len(cases),
            "position": cases.indices,
            "visible": _texts(world.view.variables, cases.values, len(cases)),
            "case": [json.loads(text) for text in written],
            "outcome": names[cases.outcomes].tolist(),
        }
        return arrow.table(POOL, columns)

    def root_ids(self, roots: Roots) -> list[str]:
        """The identifier of each root: tag, number of the stratum, index within it."""
        return [f"{self.tag}-{self.number}-{index:06d}" for index in roots.indices.tolist()]

    def tables(self, roots: Roots) -> dict[str, arrow.Table]:
        """The rows of every table, roots in order, the requests and relations of a root together.

        Raises RelationError for a relation of the spec that does not hold of the truth.
        """
        check_written(self.cohort, self.askings, roots)
        ids = self.root_ids(roots)
        streams = self.stratum.streams(self.seed)
        known = {**roots.values, **roots.hidden}
        shown = [
            asking.present(streams, roots.indices, self.demonstrations, known) for asking in self.askings
        ]
        answered = answers_of(self.askings, shown, roots)
        eligible = np.stack([answers.defined for answers in answered], axis=1)
        values = [{**roots.values, **presentation.values} for presentation in shown]
        payload = render_together([asking.plan for asking in self.askings], values, eligible)
        columns = {
            "roots": self._roots(roots, ids),
            "requests": self._requests(ids, shown, eligible, payload),
            "truth": self._truth(roots, ids),
            "targets": self._targets(ids, answered),
            "relations": self._relations(ids, eligible, payload),
        }
        if self.cohort.candidates:
            columns["geometry"] = geometry_columns(self.stratum.world, roots, ids)
        return {name: arrow.table(SCHEMAS[name], column) for name, column in columns.items()}

    def _roots(self, roots: Roots, ids: list[str]) -> dict[str, object]:
        world = self.stratum.world
        return {
            "root_id": ids,
            "world": [world.name] * len(ids),
            "stratum": [self.stratum.name] * len(ids),
            "view": [world.view.name] * len(ids),
            "visible": _texts(world.view.variables, roots.values, len(ids)),
            "semantic_digest": roots.digests,
        }

    def _truth(self, roots: Roots, ids: list[str]) -> dict[str, object]:
        world, posteriors = self.stratum.world, roots.posteriors
        masses = [write_rationals(column, posteriors.denominators) for column in posteriors.numerators.T]
        return {
            "root_id": ids,
            "view": [world.view.name] * len(ids),
            "posterior": list(zip(*masses, strict=True)),
            "hidden": _texts(world.hidden, roots.hidden, len(ids)),
            "outcome": roots.outcomes,
        }

    def _requests(
        self, ids: list[str], shown: list[Presentation], eligible: NDArray[np.bool_], payload: arrow.Array
    ) -> dict[str, object]:
        count, variants = len(ids), [asking.variant for asking in self.askings]
        return {
            "request_id": [f"{root}-{variant.name}" for root in ids for variant in variants],
            "root_id": [root for root in ids for _ in variants],
            "variant": [variant.name for variant in variants] * count,
            "position": list(range(len(variants))) * count,
            "form": [variant.form for variant in variants] * count,
            "wire": [self.cohort.wire] * (count * len(variants)),
            "payload": payload,
            "options": _woven([presentation.options for presentation in shown]),
            "answer_ids": _woven([presentation.answer_ids for presentation in shown]),
            "eligible": eligible.ravel(),
            "portable": np.tile([asking.portable for asking in self.askings], count)
            & (arrow.byte_lengths(payload) < PORTABLE_BYTES),
        }

    def _targets(self, ids: list[str], answered: list[Answers]) -> dict[str, object]:
        variants = [asking.variant for asking in self.askings]
        reasons = [[None if ok else answers.reason for ok in answers.defined] for answers in answered]
        return {
            "request_id": [f"{root}-{variant.name}" for root in ids for variant in variants],
            "event_map": _woven([answers.event_map for answers in answered]),
            "given": _woven([answers.given for answers in answered]),
            "q": _woven([answers.texts for answers in answered]),
            "q_float": _woven([answers.floats for answers in answered]),
            "outcome": _woven([answers.outcomes for answers in answered]),
            "ineligible_reason": _woven(reasons),
        }

    def _relations(
        self, ids: list[str], eligible: NDArray[np.bool_], payload: arrow.Array
    ) -> dict[str, object]:
        payloads = [arrow.every(payload, start, len(self.askings)) for start in range(len(self.askings))]
        relations = self.cohort.declared
        places = [[self.cohort.variants.index(claim) for claim in r.claims] for r in relations]
        claims = [[tuple(f"{root}-{claim}" for claim in r.claims) for root in ids] for r in relations]
        standing = [np.logical_and.reduce(eligible[:, place], axis=1).tolist() for place in places]
        reasons = [[None if ok else UNDEFINED for ok in column] for column in standing]
        controls = [arrow.all_equal([payloads[i] for i in place]) for place in places]
        return {
            "root_id": [root for root in ids for _ in relations],
            "relation": [relation.name for relation in relations] * len(ids),
            "request_ids": _woven(claims),
            "eligible": _woven(standing),
            "reason": _woven(reasons),
            "tolerance": [_written(relation.tolerance) for relation in relations] * len(ids),
            "primary": [relation.primary for relation in relations] * len(ids),
            "identity_control": _woven(controls),
        }


def _woven(columns: Sequence[Sequence[Any]]) -> list[Any]:
    """Columns of n rows, one per variant or relation, as one column with the rows of a root together."""
    return [value for row in zip(*columns, strict=True) for value in row]


def _texts(variables: Iterable[Variable], values: dict[str, Codes], rows: int) -> list[tuple[str, ...]]:
    """The text of every variable, row by row."""
    columns = []
    for variable in variables:
        distinct, places = np.unique(values[variable.name], return_inverse=True)
        texts = [variable.domain.text(code) for code in distinct.tolist()]
        columns.append([texts[place] for place in places.tolist()])
    return list(zip(*columns, strict=True)) if columns else [()] * rows


def _written(value: Fraction) -> str:
    """A number as people write it: a decimal if it is one, else a ratio."""
    places = decimal_places(value)
    return str(value) if places is None else write_number(value, "decimal", places)


def cohort_tag(spec_digest: str, seed_digest: str) -> str:
    """Eight hexadecimal digits that differ between specs and seeds."""
    return hashlib.sha256(rfc8785.dumps([spec_digest, seed_digest])).hexdigest()[:8]


def seed_digest(seed: int) -> str:
    """A name for the seed that does not state it. A short seed can be guessed: use a long one where
    outcomes must stay unknown.
    """
    return hashlib.sha256(rfc8785.dumps(["worldgen seed", str(seed)])).hexdigest()
