"""What every variant owes on every world, encoding and wire. A new world or variant is a subject at once."""

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tests.by_hand import masses_of
from tests.composed import COMPOSED
from tests.unshipped import offered, viewed, worlds
from worldgen import catalog
from worldgen.cohort.asking import question_of
from worldgen.cohort.case_asking import LABELS
from worldgen.cohort.cohorts import Cohort
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.variants import BY_NAME, PARTITION, VARIANTS, WIRES, refusal
from worldgen.emission.batches import Batcher
from worldgen.emission.rederive import rederive
from worldgen.exact.decimals import AGREEMENT
from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS, eligibility, relations_among
from worldgen.spec import cohort_of
from worldgen.worlds.base import World
from worldgen.worlds.candidates import CandidateWorld

ROOTS = 24
PARTITIONS = [variant.name for variant in VARIANTS if variant.asks == PARTITION]
B_IMPOSSIBLE = {"lone"}
# Of shipped worlds of candidates one view is enough here: the laws of candidates have them all.
OFFERED = {name: one for name, one in offered().items() if one.states or one.name == "small-products"}
WORLDS: Mapping[str, World] = {**worlds(), **viewed(), **OFFERED}
SUBJECTS = [(name, wire) for name in WORLDS for wire in WIRES]


class Asked:
    """A world on a wire in every variant that it can be asked in, and some roots of each stratum."""

    def __init__(self, world: str, wire: str) -> None:
        spec = WORLDS[world]
        encodings = list(spec.encodings)
        variants = [*VARIANTS, *(BY_NAME[name] for name in COMPOSED)]
        names = [v.name for v in variants if not any(refusal(v, wire, spec, e) for e in encodings)]
        relations = tuple(relation.name for relation in relations_among(names))
        strata = cohort_of(spec, ["canonical"]).strata
        self.cohort = Cohort("law", strata, tuple(names), relations, wire)
        self.batchers = [Batcher(self.cohort, number, 3, "law") for number in range(len(strata))]
        self.roots = [draw_roots(stratum, 3, np.arange(ROOTS)) for stratum in strata]
        self.tables = [
            {name: table.to_pylist() for name, table in batcher.tables(roots).items()}
            for batcher, roots in zip(self.batchers, self.roots, strict=True)
        ]


@pytest.fixture(scope="module", params=SUBJECTS, ids="-".join)
def asked(request: pytest.FixtureRequest) -> Asked:
    return subject(*request.param)


@cache
def subject(world: str, wire: str) -> Asked:
    return Asked(world, wire)


def test_every_shipped_world_is_a_subject() -> None:
    assert set(catalog.worlds()) <= {world.name for world in WORLDS.values()}


def test_every_declared_variant_is_asked_of_some_subject() -> None:
    found = {name for world, wire in SUBJECTS for name in subject(world, wire).cohort.variants}
    assert found == {*BY_NAME, *COMPOSED}
    asked = set(subject("ordered", "chat").cohort.variants)
    assert {"score", "event-recoded", "complement-recoded", "ids-permuted"} <= asked


def test_payloads_read_back_to_what_was_drawn_and_asked(asked: Asked) -> None:
    for batcher, roots, tables in zip(asked.batchers, asked.roots, asked.tables, strict=True):
        for place, asking in enumerate(batcher.askings):
            rows = [row for row in tables["requests"][place :: len(batcher.askings)] if row["eligible"]]
            gold = [row for row in tables["targets"][place :: len(batcher.askings)] if row["q"] is not None]
            decoded = asking.plan.decode([row["payload"] for row in rows])
            assert not decoded.faults
            events, given = asking.events_of(decoded.values)
            for row, target in enumerate(gold):
                masks = events[row] & given[row]
                assert [np.flatnonzero(mask).tolist() for mask in masks] == target["event_map"]
                assert np.flatnonzero(given[row]).tolist() == target["given"]
            kept = [i for i, row in enumerate(tables["targets"][place :: len(batcher.askings)]) if row["q"]]
            shown = [v for v in asking.plan.variables if v.name in roots.values]
            for variable in shown:
                assert decoded.values[variable.name].tolist() == roots.values[variable.name][kept].tolist()


def test_gold_is_the_question_answered_by_the_posterior_of_the_root(asked: Asked) -> None:
    for batcher, roots, tables in zip(asked.batchers, asked.roots, asked.tables, strict=True):
        width = len(batcher.askings)
        for row, (request, target) in enumerate(zip(tables["requests"], tables["targets"], strict=True)):
            variant, index = BY_NAME[request["variant"]], row // width
            world = batcher.stratum.world
            # Worlds of candidates have no condition, so which one of their questions is asked is no matter.
            question = question_of(world, BY_NAME["canonical"] if world.family == "candidates" else variant)
            distribution = roots.posteriors.row(index)
            if distribution.probability(question.given) == 0:
                assert not request["eligible"] and request["payload"] is None and target["q"] is None
                assert target["ineligible_reason"] == "the condition has probability zero"
                continue
            if isinstance(world, CandidateWorld):
                alone = {name: codes[index : index + 1] for name, codes in roots.values.items()}
                beyond = max(variant.at or 0, variant.draft or 0) > len(world.words(alone)[0][0])
                assert request["eligible"] != beyond and (request["payload"] is None) == beyond
                if beyond:
                    assert target["ineligible_reason"] == "the answer has no such position"
                    continue
            if world.family == "candidates":
                # Options differ by root: what each stands for, the laws of candidates say.
                atoms = distribution.atoms
                found = [distribution.probability(atoms.event(each)) for each in target["event_map"]]
            else:
                answers = question.answer(distribution)
                by_name = dict(zip((o.name for o in question.options), answers, strict=True))
                found = [by_name[name] for name in request["options"]]
            assert found == list(map(Fraction, target["q"]))
            assert target["q_float"] == [float(Fraction(text)) for text in target["q"]]
            true = [i for i, atoms in enumerate(target["event_map"]) if int(roots.outcomes[index]) in atoms]
            assert target["outcome"] == (true[0] if true else None)


def test_the_slow_path_confirms_every_root(asked: Asked) -> None:
    for batcher, roots in zip(asked.batchers, asked.roots, strict=True):
        slow = masses_of(batcher.stratum.world.slow_posterior(roots.values))
        for row, masses in enumerate(slow):
            assert masses is not None
            exact = roots.posteriors.row(row).masses
            assert all(abs(x - y) <= Fraction(AGREEMENT) for x, y in zip(masses, exact, strict=True))


def test_residuals_are_zero_on_the_exact_answers_and_not_on_perturbed_ones(asked: Asked) -> None:
    declared = {relation.name: relation for relation in RELATIONS}
    moved: dict[str, set[bool]] = {}
    for tables in asked.tables:
        requests = {row["request_id"]: row for row in tables["requests"]}
        gold = {row["request_id"]: row for row in tables["targets"]}
        for row in tables["relations"]:
            standing = {requests[name]["variant"]: requests[name]["eligible"] for name in row["request_ids"]}
            assert eligibility(declared[row["relation"]], standing)[0] == row["eligible"]
            if not row["eligible"]:
                assert row["reason"]
                continue
            claims = []
            for name in row["request_ids"]:
                step = -1 if requests[name]["options"] == ["false", "true"] else 1
                events = tuple(frozenset(atoms) for atoms in gold[name]["event_map"][::step])
                masses = list(map(Fraction, gold[name]["q"][::step]))
                claims.append((events, frozenset(gold[name]["given"]), masses))
            relation = declared[row["relation"]]
            exact = [Aligned(events, given, tuple(masses)) for events, given, masses in claims]
            assert relation.residual(exact) == 0
            for place, (events, given, masses) in enumerate(claims):
                for certain in range(len(masses) if len(masses) > 1 else 0):
                    corner = tuple(Fraction(int(option == certain)) for option in range(len(masses)))
                    turned = [*exact[:place], Aligned(events, given, corner), *exact[place + 1 :]]
                    moved.setdefault(relation.name, set()).add(relation.residual(turned) > 0)
    assert all(True in found for found in moved.values())
    # With one category nothing but certainty can be reported on it, so nothing else can be compared.
    single = len(asked.cohort.strata[0].world.partition) == 1
    idle = {r.name for r in RELATIONS if single and set(r.claims) <= set(PARTITIONS)}
    if B_IMPOSSIBLE & {asked.cohort.strata[0].world.name}:
        idle |= {"product"}
    assert set(moved) == {relation.name for relation in asked.cohort.declared} - idle


def test_gold_is_derived_from_payloads_alone_by_both_paths(asked: Asked) -> None:
    for batcher, roots in zip(asked.batchers, asked.roots, strict=True):
        tables, derivable = batcher.tables(roots), Counter[str]()
        assert list(rederive(batcher, tables["requests"], tables["targets"], derivable)) == []
        eligible = tables["requests"].column("eligible").to_pylist()
        world = batcher.stratum.world
        shipped = world.family in {"cells", "candidates"}
        if isinstance(world, CandidateWorld) and world.model.task.looked_up and world.seen == "problem":
            shipped = False  # a definition is found in the lexicon, which is part of the spec
        source = "payload" if shipped else "payload and spec"
        assert (derivable[source], derivable["not"]) == (eligible.count(True), eligible.count(False))


def test_requests_are_distinct_but_for_the_repeat_and_identity_controls(asked: Asked) -> None:
    for tables in asked.tables:
        payloads = {row["request_id"]: row["payload"] for row in tables["requests"]}
        for row in tables["relations"]:
            bodies = {payloads[name] for name in row["request_ids"]}
            assert row["identity_control"] == (len(bodies) == 1 and None not in bodies)
            always = row["relation"] == "exact-repeat"
            as_chat = row["relation"] == "event-choice" and asked.cohort.wire == "chat"
            assert row["identity_control"] == (always or as_chat)


def test_labels_and_places_are_those_that_the_payload_displays(asked: Asked) -> None:
    for tables in asked.tables:
        for row in tables["requests"]:
            if not row["eligible"]:
                continue
            body = json.loads(row["payload"])
            if BY_NAME[row["variant"]].cases is not None:
                assert row["answer_ids"] == list(LABELS[row["wire"]])
                assert row["wire"] == "systemone" or row["answer_ids"][0] in body["messages"][0]["content"]
            elif row["wire"] == "chat":
                lines = body["messages"][1]["content"].split("\n")[-len(row["options"]) :]
                side = 1 if BY_NAME[row["variant"]].contract == "character" else 0
                assert [line.split(": ")[side] for line in lines] == row["answer_ids"]
            elif row["form"] == "score":
                assert row["answer_ids"] == [str(place) for place in range(len(row["options"]))]
                assert len(body["questions"]["q"]["criteria"]) == len(row["options"])
            elif row["form"] == "choice":
                assert list(body["questions"]["q"]["criteria"]) == row["answer_ids"]
            else:
                assert row["answer_ids"] == ["true", "false"]


def test_a_root_drawn_alone_is_the_root_of_the_batch(asked: Asked) -> None:
    for batcher, roots, tables in zip(asked.batchers, asked.roots, asked.tables, strict=True):
        for index in (0, 7, ROOTS - 1):
            alone = draw_roots(batcher.stratum, 3, np.array([index]))
            again = {name: table.to_pylist() for name, table in batcher.tables(alone).items()}
            for name, rows in again.items():
                assert rows == tables[name][index * len(rows) : (index + 1) * len(rows)]
            assert alone.attempts.tolist() == [roots.attempts[index]]
