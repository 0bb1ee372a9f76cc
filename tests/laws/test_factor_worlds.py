"""Laws of random worlds of factors: read back as written, one posterior by every path, one case."""

import json
import pickle
from collections import defaultdict
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.by_hand import masses_of, outcome_of
from tests.random_factors import factor_worlds, models
from worldgen.cohort.asking import askings_of
from worldgen.exact.distributions import Posteriors
from worldgen.exact.joints import Joint
from worldgen.exact.rules import Rule
from worldgen.spec import Source, cohort_of, read_cohort, read_factors, spec_digest, world_data, write_spec
from worldgen.spec.describe import describe
from worldgen.worlds.base import Streams, Values
from worldgen.worlds.factor_models import FactorModel
from worldgen.worlds.factors import FactorWorld
from worldgen.worlds.literal_sums import literal_sums
from worldgen.worlds.spreads import mean, spread

State = dict[str, int]


def states(model: FactorModel) -> list[tuple[State, Fraction]]:
    """Every state with its probability, straight from the parts as they are written."""
    rows = {
        part.name: {tuple(codes.values()): row for codes, row in part.rows(model.levels)}
        for part in model.parts
    }
    found = []
    for codes in product(*(range(len(levels)) for levels in model.levels.values())):
        state = dict(zip(model.levels, codes, strict=True))
        places = {part.name: tuple(state[parent] for parent in part.parents) for part in model.parts}
        found.append(
            (state, prod((rows[name][places[name]][state[name]] for name in state), start=Fraction(1)))
        )
    return found


def counted(world: FactorWorld) -> dict[tuple[int, ...], dict[int, Fraction]]:
    """P(pattern, class) by adding up all states."""
    found: defaultdict[tuple[int, ...], defaultdict[int, Fraction]] = defaultdict(
        lambda: defaultdict(Fraction)
    )
    shown = [part.name for part in world.model.factors if part.name not in world.hides]
    for state, mass in states(world.model):
        found[tuple(state[name] for name in shown)][outcome_of(world.model.decision, state)] += mass
    return {pattern: dict(law) for pattern, law in found.items()}


SOME = settings(max_examples=25)


@SOME
@given(factor_worlds())
def test_a_world_that_is_written_reads_back(world: FactorWorld) -> None:
    for text in (write_spec(world), write_spec(world, "yaml"), json.dumps(world_data(world))):
        read = read_factors(Source(text))
        assert read.model == world.model
        assert world_data(read) == world_data(world)
        assert spec_digest(world_data(read)) == spec_digest(world_data(world))
    assert pickle.loads(pickle.dumps(world)) == world


@SOME
@given(models())
def test_a_cohort_of_every_view_reads_back(model: FactorModel) -> None:
    for view in model.views:
        cohort = cohort_of(FactorWorld(model, view), ["canonical"])
        read = read_cohort(Source(write_spec(cohort)))
        assert read == cohort
        assert [stratum.world.view.name for stratum in read.strata] == [view]


@SOME
@given(models())
def test_the_rule_is_one_function_in_fractions_and_in_integers(model: FactorModel) -> None:
    sizes = [len(levels) for levels in model.levels.values()]
    grids = dict(zip(model.levels, np.ogrid[tuple(slice(size) for size in sizes)], strict=True))
    batch, again = (
        np.broadcast_to(meaning(grids), sizes)
        for meaning in (model.decision.outcomes, model.decision.slow_outcomes)
    )
    for codes in np.ndindex(*sizes):
        expected = outcome_of(model.decision, dict(zip(model.levels, codes, strict=True)))
        assert batch[codes] == again[codes] == expected
    assert pickle.loads(pickle.dumps(model.decision)) == model.decision
    assert isinstance(model.decision, Rule)


@SOME
@given(factor_worlds())
def test_the_posterior_is_the_sum_over_all_states(world: FactorWorld) -> None:
    law = counted(world)
    assert sum(mass for classes in law.values() for mass in classes.values()) == 1
    joint = world.joint
    error = sum(sum(classes.values()) - max(classes.values()) for classes in law.values())
    assert joint.bayes_error == error
    patterns = list(product(*map(range, joint.sizes)))
    model = world.model
    sums = literal_sums(model.network.factors, model.decision, joint.names, np.array(patterns))
    literal = masses_of(sums)
    for place, pattern in enumerate(patterns):
        total = sum(law[pattern].values())
        assert joint.possible[place] == (total > 0)
        slow = literal[place]
        if total:
            exact = tuple(law[pattern].get(k, Fraction(0)) / total for k in range(len(world.atoms)))
            numerators = joint.numerators[place].tolist()
            assert tuple(Fraction(top, int(joint.totals[place])) for top in numerators) == exact
            assert slow == exact
        else:
            assert slow is None


@SOME
@given(factor_worlds())
def test_how_sure_a_view_makes_is_the_law_of_its_posterior(world: FactorWorld) -> None:
    event = world.events["A"].indices
    expected: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for classes in counted(world).values():
        total = sum(classes.values())
        if total:
            expected[sum((classes.get(k, Fraction(0)) for k in event), Fraction(0)) / total] += total
    assert spread(world) == dict(sorted(expected.items()))
    assert mean(spread(world)) == world.model.joint().prior.probability(world.events["A"])


@SOME
@given(factor_worlds(), st.integers(0, 3))
def test_a_draw_is_a_case_with_the_outcome_of_its_state(world: FactorWorld, attempt: int) -> None:
    indices = np.arange(9, dtype=np.int64)
    streams = Streams(3, world.name, "all")
    draw = world.draw(streams, indices, attempt)
    assert set(draw.values) == set(world.view.names)
    assert set(draw.hidden) == {variable.name for variable in world.hidden}
    assert draw.possible.all()
    posteriors, possible = world.posterior(draw.values)
    assert possible.all() and world.disagreements(draw.values, posteriors) == []
    masses = {tuple(state.values()): mass for state, mass in states(world.model)}
    for row in range(len(indices)):
        codes = {name: int(column[row]) for name, column in draw.hidden.items()}
        for part in world.model.factors:
            measured = world.model.measured.get(part.name)
            if part.name in draw.values:
                codes[part.name] = int(draw.values[part.name][row])
            elif measured and measured.name in draw.values:
                codes[part.name] = int(measured.level(draw.values[measured.name][row : row + 1])[0])
        state = {name: codes[name] for name in world.model.levels}
        assert masses[tuple(state.values())] > 0
        assert outcome_of(world.model.decision, state) == draw.outcomes[row]
    rows = zip(*levels_shown(world, draw.values), strict=True)
    assert len(set(world.digests(draw.values).to_pylist())) == len(set(rows))


@SOME
@given(factor_worlds())
def test_a_digest_is_that_of_the_levels_shown_written_one_by_one(world: FactorWorld) -> None:
    draw = world.draw(Streams(3, world.name, "all"), np.arange(9, dtype=np.int64), 0)
    rows = zip(*levels_shown(world, draw.values), strict=True) if world.joint.names else [()] * 9
    names = world.joint.names
    for digest, row in zip(world.digests(draw.values).to_pylist(), rows, strict=True):
        levels = {name: world.model.levels[name][code] for name, code in zip(names, row, strict=True)}
        content: Any = {"law": world.model.law, "classes": [*world.model.classes.values()], "shown": levels}
        assert digest == sha256(rfc8785.dumps(content)).hexdigest()


@SOME
@given(factor_worlds(), st.data())
def test_a_posterior_that_is_another_is_seen(world: FactorWorld, data: st.DataObject) -> None:
    draw = world.draw(Streams(3, world.name, "all"), np.arange(9, dtype=np.int64), 0)
    right, _ = world.posterior(draw.values)
    row, atom = data.draw(st.integers(0, 8)), data.draw(st.integers(0, len(world.atoms) - 1))
    numerators, denominators = right.numerators * 2, right.denominators * 2
    assert world.disagreements(draw.values, Posteriors(world.atoms, numerators, denominators)) == []
    numerators[row, atom] += 1
    assert world.disagreements(draw.values, Posteriors(world.atoms, numerators, denominators)) == [row]


def test_a_slip_in_the_places_of_patterns_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The literal sum finds its pattern by itself."""
    world = read_factors("peer-review")
    draw = world.draw(Streams(3, world.name, "all"), np.arange(99, dtype=np.int64), 0)
    assert world.disagreements(draw.values, world.posterior(draw.values)[0]) == []
    right = Joint.index
    monkeypatch.setattr(Joint, "index", lambda self, codes: (right(self, codes) + 1) % len(self))
    fresh = read_factors("peer-review")
    for one in (world, fresh):
        assert one.disagreements(draw.values, one.posterior(draw.values)[0])


def test_a_slip_in_the_fast_meaning_of_a_rule_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is made of the rule in advance, the literal sum reads it by itself."""
    right = Rule.outcomes
    monkeypatch.setattr(Rule, "outcomes", lambda self, codes: 1 - right(self, codes))
    world = read_factors("credit-risk")
    draw = world.draw(Streams(3, world.name, "all"), np.arange(99, dtype=np.int64), 0)
    assert len(world.disagreements(draw.values, world.posterior(draw.values)[0])) == 99


def levels_shown(world: FactorWorld, values: Values) -> list[list[int]]:
    """The level of each factor that is shown, column by column."""
    measured = world.model.measured
    return [
        measured[name].level(values[measured[name].name]).tolist()
        if name in measured
        else values[name].tolist()
        for name in world.joint.names
    ]


@SOME
@given(models(), st.sets(st.integers(0, 10**6), min_size=1, max_size=4))
def test_one_case_in_every_view_and_in_any_company(model: FactorModel, chosen: set[int]) -> None:
    indices = np.array(sorted(chosen), dtype=np.int64)
    streams = Streams(11, model.name, "all")
    draws = {view: FactorWorld(model, view).draw(streams, indices, 1) for view in model.views}
    first = next(iter(draws.values()))
    for view, draw in draws.items():
        assert draw.outcomes.tolist() == first.outcomes.tolist()
        for name, codes in draw.values.items():
            assert codes.tolist() == first.values[name].tolist()
        for row, index in enumerate(indices):
            alone = FactorWorld(model, view).draw(streams, np.array([index]), 1)
            assert alone.outcomes[0] == draw.outcomes[row]
            assert {k: v[0] for k, v in alone.values.items()} == {k: v[row] for k, v in draw.values.items()}


@SOME
@given(models())
def test_every_view_is_described_and_renders(model: FactorModel) -> None:
    world = FactorWorld(model)
    found = describe(world)
    errors = [Fraction(view.bayes_error.exact) for view in found.views.values()]  # type: ignore[union-attr]  # a world
    assert errors == sorted(errors)
    for view in model.views:
        cohort = cohort_of(world.through(view), ["canonical", "event"])
        for asking in askings_of(cohort, cohort.strata[0]):
            assert set(world.through(view).view.names) <= {one.name for one in asking.plan.variables}
