"""Laws of random worlds of covert transfer, against every report that there is."""

import json
import pickle
from collections import defaultdict
from fractions import Fraction
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.by_hand import masses_of
from tests.random_factors import transfer_worlds
from worldgen.cohort.asking import askings_of
from worldgen.spec import Source, cohort_of, read_cohort, read_transfer, spec_digest, world_data, write_spec
from worldgen.worlds.base import Streams, Values
from worldgen.worlds.spreads import mean, spread
from worldgen.worlds.transfer import TransferWorld

Shown = tuple[str, str, str]


def counted(world: TransferWorld) -> dict[Shown, list[Fraction]]:
    """(type, identifier, range) -> the mass of either class, one report after the other."""
    model = world.model
    found: defaultdict[Shown, list[Fraction]] = defaultdict(lambda: [Fraction(0), Fraction(0)])
    ranges = world.tag_view.parts(model.alphabet)
    each = Fraction(1, len(model.reports) * len(model.alphabet) ** (model.length + 1))
    for report, tag in product(model.reports, model.alphabet):
        (held,) = (text for text, letters in ranges.items() if tag in letters)
        for letters in product(model.alphabet, repeat=model.length):
            found[report, "".join(letters), held][0] += each * (1 - model.encoding)
            place = model.reports[report] - 1
            written = "".join((*letters[:place], tag, *letters[place + 1 :]))
            found[report, written, held][1] += each * model.encoding
    return found


def codes(world: TransferWorld, shown: Shown) -> Values:
    report, identifier, held = shown
    texts = dict(zip((one.name for one in world.letters), identifier, strict=True))
    texts |= {"report_type": report, world.tag_view.shows: held}
    domains = {one.name: one.domain for one in world.view.shown}
    return {name: np.array([domains[name].code(text)]) for name, text in texts.items()}


@settings(max_examples=40)
@given(transfer_worlds())
def test_the_posterior_counts_every_report(world: TransferWorld) -> None:
    law = counted(world)
    assert sum(map(sum, law.values())) == 1
    assert world.model.bayes_error(world.seen) == sum(min(masses) for masses in law.values())
    sure: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for shown, masses in law.items():
        posteriors, possible = world.posterior(codes(world, shown))
        whole = sum(masses)
        assert possible.tolist() == [whole > 0]
        (slow,) = masses_of(world.slow_posterior(codes(world, shown)))
        if whole:
            exact = tuple(mass / whole for mass in masses)
            assert posteriors.row(0).masses == exact == slow
            sure[exact[1]] += whole
        else:
            assert slow is None
    assert spread(world) == dict(sorted(sure.items()))
    assert mean(spread(world)) == world.model.encoding


@given(transfer_worlds())
def test_a_world_that_is_written_reads_back(world: TransferWorld) -> None:
    for text in (write_spec(world), write_spec(world, "yaml"), json.dumps(world_data(world))):
        read = read_transfer(Source(text))
        assert read.model == world.model
        assert spec_digest(world_data(read)) == spec_digest(world_data(world))
    assert pickle.loads(pickle.dumps(world)) == world
    cohort = cohort_of(world, ["canonical"])
    assert read_cohort(Source(write_spec(cohort))) == cohort


@given(transfer_worlds(), st.integers(0, 3))
def test_a_draw_is_a_report_that_can_be(world: TransferWorld, attempt: int) -> None:
    indices = np.arange(12, dtype=np.int64)
    streams = Streams(3, world.name, "all")
    draw = world.draw(streams, indices, attempt)
    assert draw.possible.all() and world.posterior(draw.values)[1].all()
    assert world.disagreements(draw.values, world.posterior(draw.values)[0]) == []
    for view in world.views:
        other = world.through(view).draw(streams, indices, attempt)
        assert other.outcomes.tolist() == draw.outcomes.tolist()
        assert other.hidden["tag"].tolist() == draw.hidden["tag"].tolist()
        assert [other.values[v.name].tolist() for v in world.letters] == [
            draw.values[v.name].tolist() for v in world.letters
        ]
    alone = world.draw(streams, indices[[7]], attempt)
    assert {k: v[0] for k, v in alone.values.items()} == {k: v[7] for k, v in draw.values.items()}
    ranges = list(world.tag_view.parts(world.model.alphabet).values())
    positions = list(world.model.reports.values())
    for row in range(len(indices)):
        tag = int(draw.hidden["tag"][row])
        assert world.model.alphabet[tag] in ranges[draw.values[world.tag_view.shows][row]]
        if draw.outcomes[row]:
            position = positions[draw.values["report_type"][row]]
            assert draw.values[f"letter_{position}"][row] == tag
    names = ["report_type", *(one.name for one in world.letters), world.tag_view.shows]
    domains = {one.name: one.domain for one in world.view.shown}
    positions_of = {name: str(position) for name, position in world.model.reports.items()}
    law = [world.model.alphabet, str(world.model.encoding), positions_of]
    for row, digest in enumerate(world.digests(draw.values).to_pylist()):
        shown = {name: domains[name].text(draw.values[name].tolist()[row]) for name in names}
        content: Any = {"law": law, "classes": [*world.model.classes.values()], "shown": shown}
        assert digest == sha256(rfc8785.dumps(content)).hexdigest()


@given(transfer_worlds())
def test_every_view_renders(world: TransferWorld) -> None:
    cohort = cohort_of(world, ["canonical", "event"])
    for asking in askings_of(cohort, cohort.strata[0]):
        assert set(world.view.names) <= {one.name for one in asking.plan.variables}
