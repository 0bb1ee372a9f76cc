"""Batches: roots of one stratum in, the rows of all tables out, column by column."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
import rfc8785

from worldgen.cohort.asking import AnyAsking, Asking, askings_of
from worldgen.cohort.candidate_asking import CandidateAsking
from worldgen.cohort.case_asking import labelled
from worldgen.cohort.cohorts import Cohort, Stratum
from worldgen.cohort.presenting import Presentation
from worldgen.cohort.roots import Roots, draw_roots
from worldgen.cohort.schemas import FEW, SCHEMAS
from worldgen.emission.asked import Asked, asked_by_root
from worldgen.emission.geometries import geometry_columns
from worldgen.emission.gold import Gold, Mask, Options, Places, answered, masses
from worldgen.emission.soundness import check_written
from worldgen.emission.spelling import Spelling
from worldgen.exact import arrow
from worldgen.exact.numbers import decimal_places, write_number
from worldgen.exact.pools import coded, lists, numbers, numerals, ragged, same, spelled, take, together
from worldgen.renderers.encodings import shipped
from worldgen.renderers.laying import render_together
from worldgen.renderers.plans import Plan
from worldgen.worlds.base import Values
from worldgen.worlds.candidates import CandidateWorld
from worldgen.worlds.cells import CellWorld

UNDEFINED = "the condition has probability zero"
POOL_BLOCK = 1024
CODED = {name: arrow.coded(schema, FEW) for name, schema in SCHEMAS.items()}
PORTABLE_BYTES = 2**20  # the smallest limit on a request body among servers of the systemone wire


Ids = tuple[arrow.Array, arrow.Array]  # of the roots, and of their requests


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
        or the problem with its candidates. A view of factors is judged by the spec, and so is a problem whose
        answer has to be looked up.
        """
        world = self.stratum.world
        return (
            world.family in {CellWorld.family, CandidateWorld.family}
            and world.encodings[self.stratum.encoding] in shipped(world.family).values()
            and not (isinstance(world, CandidateWorld) and world.looked_up)
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

    @cached_property
    def _case(self) -> Plan:
        """A case alone, as the pool shows it."""
        world = self.stratum.world
        layout = world.encodings[self.stratum.encoding].layouts[0]
        return Plan(layout.leaf(world.template_names(metadata=False)), world.view.shown)

    def pool(self, places: range) -> arrow.Table:
        """The rows of the table `pool` at these places. They are made by the block, so that a shard which
        holds a few of them does not pay for a batch of its own.
        """
        first = places.start // POOL_BLOCK
        blocks = [self._block(number) for number in range(first, (places.stop - 1) // POOL_BLOCK + 1)]
        return arrow.joined(blocks).slice(places.start - first * POOL_BLOCK, len(places))

    def _block(self, number: int) -> arrow.Table:
        """A block of the pool; the last one that was asked for is kept."""
        block = self._blocks.get(number)
        if block is None:
            end = min((number + 1) * POOL_BLOCK, self.cohort.pool)
            block = self._pooled(range(number * POOL_BLOCK, end))
            self._blocks.clear()
            self._blocks[number] = block
        return block

    @cached_property
    def _blocks(self) -> dict[int, arrow.Table]:
        return {}

    def _pooled(self, places: range) -> arrow.Table:
        world, cases = self.stratum.world, self.cases(places)
        names = np.full(len(world.atoms), "", dtype=np.object_)
        for name, event in world.partition.items():
            names[list(event.indices)] = name
        written = self._case.render(cases.values, len(cases)).to_pylist()
        columns = {
            "pool_id": self.root_ids(cases),
            "stratum": [self.stratum.name] * len(cases),
            "view": [world.view.name] * len(cases),
            "position": cases.indices,
            "visible": self._visible.spelled(cases.values, len(cases)),
            "case": [json.loads(text) for text in written],
            "outcome": names[cases.outcomes].tolist(),
        }
        return arrow.table(CODED["pool"], columns)

    @cached_property
    def alike(self) -> list[Asking]:
        """The variants that ask every root the same question."""
        return [asking for asking in self.askings if isinstance(asking, Asking)]

    @cached_property
    def by_root(self) -> list[CandidateAsking]:
        """The variants whose options differ by root. A stratum has these or those, never both."""
        return [asking for asking in self.askings if isinstance(asking, CandidateAsking)]

    @cached_property
    def options(self) -> Options:
        """The options of all variants that ask every root the same."""
        return Options(self.alike)

    @cached_property
    def _visible(self) -> Spelling:
        return Spelling(self.stratum.world.view.variables)

    @cached_property
    def _hidden(self) -> Spelling:
        return Spelling(self.stratum.world.hidden)

    def root_ids(self, roots: Roots) -> arrow.Array:
        """The identifier of each root: tag, number of the stratum, index within it."""
        opening, n = arrow.strings([f"{self.tag}-{self.number}-"]), len(roots)
        parts = (opening, np.zeros(n, dtype=np.int64)), (numerals(roots.indices, 6), np.arange(n))
        return spelled(parts)

    def request_ids(self, root_ids: arrow.Array) -> arrow.Array:
        """The identifier of each request: that of its root, then the variant."""
        endings = arrow.strings([f"-{asking.variant.name}" for asking in self.askings])
        numbers = np.arange(len(root_ids) * len(endings))
        return spelled([(root_ids, numbers // len(endings)), (endings, numbers % len(endings))])

    def tables(self, roots: Roots) -> dict[str, arrow.Table]:
        """The rows of every table, roots in order, the requests and relations of a root together.

        Raises RelationError for a relation of the spec that does not hold of the truth.
        """
        check_written(self.cohort, self.askings, roots)
        ids = self.root_ids(roots)
        requests = self.request_ids(ids)
        told = masses(roots.posteriors)
        asked = self._asked(roots, told)
        payload = render_together([asking.plan for asking in self.askings], asked.values, asked.eligible)
        columns: dict[str, Mapping[str, object]] = {
            "roots": self._roots(roots, ids),
            "requests": self._requests((ids, requests), asked, payload),
            "truth": self._truth(roots, ids, told),
            "targets": {"request_id": requests, **asked.targets},
            "relations": self._relations(ids, requests, asked, payload),
        }
        if self.cohort.candidates:
            columns["geometry"] = geometry_columns(self.stratum.world, roots, ids)
        return {name: arrow.table(CODED[name], column) for name, column in columns.items()}

    def _asked(self, roots: Roots, told: arrow.Array) -> Asked:
        """What the roots are asked, and the answers."""
        streams = self.stratum.streams(self.seed)
        if self.by_root:
            return asked_by_root(self.by_root, streams, roots)
        shown = [asking.present(streams, roots.indices, self.demonstrations) for asking in self.alike]
        displayed = self.options.displayed(shown)
        gold = answered(self.options, shown, displayed, roots, told)
        return Asked(
            [{**roots.values, **presentation.values} for presentation in shown],
            gold.defined,
            self._displayed(shown, displayed),
            self._targets(displayed, gold),
        )

    def _fixed(self, n: int) -> dict[str, dict[str, arrow.Array]]:
        """The columns, by table, that are the same for every n roots: made once for each n."""
        if n not in self._made:
            world, relations = self.stratum.world, self.cohort.declared
            variants = [asking.variant for asking in self.askings]
            given = [asking.question.given.indices for asking in self.alike]
            atoms = np.array([atom for indices in given for atom in indices], dtype=np.int64)
            primary = np.array([relation.primary for relation in relations], dtype=np.bool_)
            view = _repeated([world.view.name], n)
            self._made[n] = {
                "roots": {
                    "world": _repeated([world.name], n),
                    "stratum": _repeated([self.stratum.name], n),
                    "view": view,
                },
                "requests": {
                    "variant": _repeated([variant.name for variant in variants], n),
                    "position": numbers(np.tile(np.arange(len(variants)), n)),
                    "form": _repeated([variant.form for variant in variants], n),
                    "wire": _repeated([self.cohort.wire], n * len(variants)),
                },
                "truth": {"view": view},
                "targets": {
                    "given": lists(
                        numbers(np.tile(atoms, n)),
                        np.tile(np.array([len(indices) for indices in given], dtype=np.int64), n),
                    )
                },
                "relations": {
                    "relation": _repeated([relation.name for relation in relations], n),
                    "tolerance": _repeated([_written(relation.tolerance) for relation in relations], n),
                    "primary": numbers(np.tile(primary, n)),
                },
            }
        return self._made[n]

    @cached_property
    def _made(self) -> dict[int, dict[str, dict[str, arrow.Array]]]:
        return {}

    def _roots(self, roots: Roots, ids: arrow.Array) -> dict[str, arrow.Array]:
        n = len(roots)
        return {
            "root_id": ids,
            **self._fixed(n)["roots"],
            "visible": self._visible.spelled(roots.values, n),
            "semantic_digest": roots.digests,
        }

    def _truth(self, roots: Roots, ids: arrow.Array, told: arrow.Array) -> dict[str, arrow.Array]:
        world, n = self.stratum.world, len(roots)
        return {
            "root_id": ids,
            **self._fixed(n)["truth"],
            "posterior": lists(told, np.full(n, len(world.atoms))),
            "hidden": self._hidden.spelled(roots.hidden, n),
            "outcome": numbers(roots.outcomes),
        }

    def _requests(self, ids: Ids, asked: Asked, payload: arrow.Array) -> dict[str, object]:
        roots, requests = ids
        n = len(roots)
        portable = np.tile([asking.portable for asking in self.askings], n)
        return {
            "request_id": requests,
            "root_id": take(roots, np.repeat(np.arange(n), len(self.askings))),
            **self._fixed(n)["requests"],
            "payload": payload,
            **asked.requests,
            "eligible": numbers(asked.eligible.ravel()),
            "portable": numbers(portable & (arrow.byte_lengths(payload) < PORTABLE_BYTES)),
        }

    def _displayed(self, shown: Sequence[Presentation], displayed: Places) -> dict[str, arrow.Array]:
        widths = np.tile(self.options.widths, len(displayed))
        labels, starts = together([arrow.strings(presentation.labels) for presentation in shown])
        label = np.concatenate([p.label + start for p, start in zip(shown, starts, strict=True)], axis=1)
        return {
            "options": lists(coded(self.options.names, displayed.ravel()), widths),
            "answer_ids": lists(take(labels, label.ravel()), widths),
        }

    def _targets(self, displayed: Places, gold: Gold) -> dict[str, arrow.Array]:
        n, defined, true = len(gold.defined), gold.defined.ravel(), gold.true.ravel()
        return {
            "event_map": self._event_map(displayed),
            **self._fixed(n)["targets"],
            **self._answers(gold),
            "outcome": numbers(true, true >= 0),
            "ineligible_reason": coded([UNDEFINED], np.zeros(defined.size, dtype=np.int64), ~defined),
        }

    def _event_map(self, displayed: Places) -> arrow.Array:
        options, shown = self.options, displayed.ravel()
        sizes = options.sizes[shown]
        atoms = options.atoms[ragged(options.starts[shown], sizes)]
        return lists(lists(numbers(atoms), sizes), np.tile(options.widths, len(displayed)))

    def _answers(self, gold: Gold) -> dict[str, arrow.Array]:
        """The columns of q: of a question without an answer, nothing."""
        places = gold.places[np.repeat(gold.defined, self.options.widths, axis=1)]
        defined, widths = gold.defined.ravel(), np.tile(self.options.widths, len(gold.defined))
        lengths = np.where(defined, widths, 0)
        return {
            "q": lists(take(gold.texts, places), lengths, defined),
            "q_float": lists(numbers(gold.doubles[places]), lengths, defined),
        }

    def _relations(
        self, ids: arrow.Array, requests: arrow.Array, asked: Asked, payload: arrow.Array
    ) -> dict[str, arrow.Array]:
        relations, n, eligible = self.cohort.declared, len(ids), asked.eligible
        claims = self._claims
        first = np.arange(n)[:, None] * len(self.askings)  # the first request of each root
        standing = [np.logical_and.reduce(eligible[:, claim], axis=1) for claim in claims]
        one_line = [len({self._shapes[position] for position in claim}) == 1 for claim in claims]
        apart = [first + claim for claim, one in zip(claims, one_line, strict=True) if not one]
        compared = iter(same(payload, apart))
        controls = [
            _alike(asked, claim, self.askings[claim[0]].plan) if one else next(compared)
            for claim, one in zip(claims, one_line, strict=True)
        ]
        judged = _woven(standing, n)
        return {
            "root_id": take(ids, np.repeat(np.arange(n), len(relations))),
            **self._fixed(n)["relations"],
            "request_ids": lists(
                take(requests, (first + np.concatenate([[], *claims]).astype(np.int64)).ravel()),
                np.tile([len(claim) for claim in claims], n),
            ),
            "eligible": numbers(judged),
            "reason": coded([UNDEFINED], np.zeros(judged.size, dtype=np.int64), ~judged),
            "identity_control": numbers(_woven(controls, n)),
        }

    @cached_property
    def _claims(self) -> list[list[int]]:
        """The positions of the variants that each relation compares."""
        return [[self.cohort.variants.index(claim) for claim in r.claims] for r in self.cohort.declared]

    @cached_property
    def _shapes(self) -> list[int]:
        """A number for each variant, one for all whose payloads are of the same line."""
        lines = [asking.plan.line for asking in self.askings]
        return [lines.index(line) for line in lines]


def _alike(asked: Asked, claims: Sequence[int], plan: Plan) -> Mask:
    """The roots whose requests in some variants of one line are the very same texts.

    A plan is injective: two texts of it are the same where the codes are that it shows.
    """
    found: Mask = np.logical_and.reduce(asked.eligible[:, claims], axis=1)
    for name in (variable.name for variable in plan.variables):
        one, *others = (asked.values[claim][name] for claim in claims)
        for other in (each for each in others if each is not one):
            found &= np.asarray(one == other, dtype=np.bool_)
    return found


def _repeated(texts: Sequence[str], times: int) -> arrow.Array:
    """The texts, one after another, so many times."""
    return coded(texts, np.tile(np.arange(len(texts)), times))


def _woven(columns: Sequence[Mask], n: int) -> Mask:
    """Columns of n rows, one per relation, as one column with the rows of a root together."""
    return np.array(columns, dtype=np.bool_).reshape(len(columns), n).T.ravel()


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
