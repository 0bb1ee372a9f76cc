"""Reference inputs: independent draws with exact probabilities, and labels with exactly their law."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, factorial, gcd, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.by_hand import masses_of
from tests.unshipped import harbour, viewed
from worldgen.cohort import references
from worldgen.cohort.cohorts import Stratum
from worldgen.cohort.references import BATCH, STRATUM, DrawError, Inputs, inputs_at, reference
from worldgen.exact.errors import DomainError
from worldgen.exact.numbers import Integers
from worldgen.exact.streams import Attempts, Indices, Stream
from worldgen.names import is_name
from worldgen.spec import read_cohort, read_world
from worldgen.worlds.base import Streams
from worldgen.worlds.factor_parts import Residual
from worldgen.worlds.factors import FactorWorld

SEED = 20_321
VIEWS = list(viewed())
TINY = Fraction(1, 3**60)


@cache
def world(name: str) -> Any:
    return viewed()[name]


def minute() -> FactorWorld:
    """A world whose probabilities need integers beyond 64 bits."""
    residual = Residual((Fraction(0), Fraction(2)), (1 - TINY, TINY))
    return FactorWorld(replace(harbour(), residual=residual), "some")


def joined(batches: Sequence[Inputs]) -> dict[str, Any]:
    """Batches as one, as lists."""
    columns = {name: [batch.values[name] for batch in batches] for name in batches[0].values}
    columns |= {
        "index": [batch.indices for batch in batches],
        "numerators": [batch.numerators for batch in batches],
        "denominators": [batch.denominators for batch in batches],
        "labels": [batch.snapshots((1, 4)) for batch in batches],
    }
    return {name: np.concatenate(parts).tolist() for name, parts in columns.items()}


@given(st.sampled_from(VIEWS), st.integers(1, 60), st.integers(1, 70))
def test_inputs_are_the_same_in_every_batch_size_and_number(name: str, inputs: int, batch: int) -> None:
    one, view = world(name), name.split(".")[1]
    whole = joined(list(reference(one, view, 64, SEED)))
    parts = joined(list(reference(one, view, inputs, SEED, batch=batch)))
    assert parts == {column: values[:inputs] for column, values in whole.items()}


@given(st.sampled_from(VIEWS), st.lists(st.integers(0, 10**9), min_size=1, max_size=5))
def test_any_input_can_be_drawn_alone(name: str, indices: list[int]) -> None:
    together = joined([inputs_at(world(name), SEED, np.array(indices))])
    alone = joined([inputs_at(world(name), SEED, np.array([index])) for index in indices])
    assert together == alone


@pytest.mark.parametrize("one", [*map(world, VIEWS), minute()], ids=[*VIEWS, "minute"])
def test_every_probability_is_that_of_the_world_in_lowest_terms(one: Any) -> None:
    (drawn,) = reference(one, one.seen, 200, SEED)
    slow = masses_of(one.slow_posterior(drawn.values))
    positive = one.events["A"].indices
    for row in range(len(drawn)):
        tops, bottom = drawn.numerators[row].tolist(), int(drawn.denominators[row])
        assert tuple(Fraction(top, bottom) for top in tops) == slow[row]
        assert gcd(*tops) == 1 and sum(tops) == bottom
        assert Fraction(int(drawn.positives[row]), bottom) == sum((slow[row] or ())[i] for i in positive)


def test_integers_beyond_64_bits_stay_exact() -> None:
    (drawn,) = reference(minute(), "some", 300, SEED)
    assert drawn.numerators.dtype == np.object_
    assert max(drawn.denominators.tolist()) > 2**64
    counts = drawn.snapshots((3,))[:, 0].tolist()
    assert counts == labelled(drawn, 3)


def labelled(drawn: Inputs, size: int) -> list[list[int]]:
    """The slow twin: every label chosen by `Stream.choose`, then counted."""
    stream = Streams(drawn.seed, drawn.world.name, STRATUM).purpose(f"labels {drawn.world.view.name}")
    chosen = [
        stream.choose(drawn.indices, label, drawn.numerators, drawn.denominators) for label in range(size)
    ]
    classes = range(drawn.numerators.shape[1])
    return [[sum(int(each[row] == k) for each in chosen) for k in classes] for row in range(len(drawn))]


@pytest.mark.parametrize("name", VIEWS)
def test_a_snapshot_counts_the_first_labels_so_that_snapshots_nest(name: str) -> None:
    (drawn,) = reference(world(name), world(name).seen, 90, SEED)
    sizes = (5, 1, 2, 20)
    found = drawn.snapshots(sizes)
    for place, size in enumerate(sizes):
        assert found[:, place].tolist() == labelled(drawn, size)
    assert (found.sum(axis=2) == sizes).all()
    more = found[:, 3] - found[:, 0]
    assert (more >= 0).all() and (more <= 15).all()
    assert drawn.snapshots(()).shape == (90, 0, len(drawn.world.atoms))


class Every(Stream):
    """Marks that run through all that can be, so that counting rows gives the law itself: row r has digit
    j of r, in the base of the denominator, as the mark of its label j.
    """

    def below(self, indices: Indices, attempt: Attempts, sizes: Integers | int) -> Integers:
        """The digit of each row."""
        return np.asarray(indices // np.asarray(sizes) ** attempt % np.asarray(sizes))


def law(monkeypatch: pytest.MonkeyPatch, one: Any, weights: Sequence[int], size: int) -> dict[Any, Fraction]:
    """The exact law of the counts of a snapshot, where the classes have these weights."""
    monkeypatch.setattr(references, "_labels", lambda world, seed: Every(0))
    rows = sum(weights) ** size
    numerators = np.tile(np.array(weights, dtype=np.int64), (rows, 1))
    drawn = Inputs(one, SEED, np.arange(rows), {}, numerators, numerators.sum(axis=1))
    counted = Counter(map(tuple, drawn.snapshots((size,))[:, 0].tolist()))
    return {counts: Fraction(times, rows) for counts, times in counted.items()}


def test_two_labels_of_a_fair_input_as_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """A 2-snapshot of p* = 1/2 is 0, 1/2, 1 with chances 1/4, 1/2, 1/4: from the point mass at 1/2 its
    Wasserstein distance is 1/4.
    """
    found = law(monkeypatch, world("credit-risk.medium"), (1, 1), 2)
    shares = {Fraction(positive, 2): chance for (_, positive), chance in found.items()}
    half = Fraction(1, 2)
    assert shares == {Fraction(0): half / 2, half: half, Fraction(1): half / 2}
    # All mass must travel to one point, so the distance is the mean way there.
    assert sum(abs(share - half) * chance for share, chance in shares.items()) == Fraction(1, 4)


@pytest.mark.parametrize(("weights", "size"), [((2, 1), 6), ((3, 4), 4), ((1, 0), 5), ((0, 7), 3)])
def test_the_positives_of_a_snapshot_are_binomial(
    weights: tuple[int, int], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = law(monkeypatch, world("credit-risk.low"), weights, size)
    p = Fraction(weights[1], sum(weights))
    expected = {(size - k, k): comb(size, k) * p**k * (1 - p) ** (size - k) for k in range(size + 1)}
    assert found == {counts: chance for counts, chance in expected.items() if chance}


def test_labels_of_three_classes_are_multinomial(monkeypatch: pytest.MonkeyPatch) -> None:
    found = law(monkeypatch, world("harbour.some"), (1, 2, 3), 4)
    chances = [Fraction(weight, 6) for weight in (1, 2, 3)]
    assert len(found) == comb(4 + 2, 2)
    for counts, chance in found.items():
        ways = factorial(4) // prod(map(factorial, counts))
        assert chance == ways * prod(p**k for p, k in zip(chances, counts, strict=True))


def test_drawn_labels_have_that_law_too() -> None:
    """Pearson's statistic with two degrees of freedom exceeds 30 once in three million seeds."""
    rows = 40_000
    ones = np.ones((rows, 2), dtype=np.int64)
    drawn = Inputs(world("credit-risk.medium"), SEED, np.arange(rows), {}, ones, ones.sum(axis=1))
    seen = np.bincount(drawn.snapshots((2,))[:, 0, 1], minlength=3).tolist()
    expected = (rows // 4, rows // 2, rows // 4)
    assert sum(Fraction((n - e) ** 2, e) for n, e in zip(seen, expected, strict=True)) < 30
    assert seen != list(expected)


@pytest.mark.parametrize("name", VIEWS)
def test_the_mean_is_near_the_prior(name: str) -> None:
    """Within six standard errors, of a variable in [0, 1], of the exact prior."""
    one, rows = world(name), 20_000
    (drawn,) = reference(one, one.seen, rows, SEED)
    if isinstance(one, FactorWorld):
        prior = one.joint.prior.probability(one.events["A"])
    else:
        prior = one.model.encoding
    shares = Counter(zip(drawn.positives.tolist(), drawn.denominators.tolist(), strict=True))
    mean = sum(Fraction(top, bottom) * times for (top, bottom), times in shares.items()) / rows
    counts = drawn.snapshots((3,))[:, 0, list(one.events["A"].indices)]
    for estimate in (mean, Fraction(int(counts.sum()), 3 * rows)):
        assert (estimate - prior) ** 2 <= Fraction(36, 4 * rows)
    assert mean != prior


@pytest.mark.parametrize("name", VIEWS)
def test_no_stratum_reads_the_streams_of_the_reference(name: str) -> None:
    one = world(name)
    assert not is_name(STRATUM)
    roots = Stratum(one.name, one, "table").streams(SEED)
    ours = Streams(SEED, one.name, STRATUM)
    for purpose in ("factor cash_generation", "report", f"labels {one.seen}"):
        assert ours.purpose(purpose) != roots.purpose(purpose)
    (drawn,) = reference(one, one.seen, 2000, SEED)
    cases = one.draw(roots, np.arange(2000), 0)
    same = np.ones(2000, dtype=np.bool_)
    for variable in one.view.variables:
        same &= np.asarray(drawn.values[variable.name] == cases.values[variable.name], dtype=np.bool_)
    # The 2,000 cases that begin the stream hold the pool; harbour has so few inputs that some agree.
    assert not same.all() if one.name == "harbour" else not same.any()


def test_views_share_their_inputs_and_not_their_labels() -> None:
    low, high = (next(reference(world(f"credit-risk.{v}"), v, 500, SEED)) for v in ("low", "high"))
    assert all((low.values[name] == codes).all() for name, codes in high.values.items())
    certain = replace(low, numerators=np.ones_like(low.numerators), denominators=low.denominators * 0 + 2)
    other = replace(certain, world=high.world)
    assert not (certain.snapshots((9,)) == other.snapshots((9,))).all()


def refused(match: str, error: type[Exception] = DrawError) -> Any:
    return pytest.raises(error, match=match)


def test_what_cannot_be_drawn_is_refused() -> None:
    credit = world("credit-risk.low")
    with refused("noisy-sensor is no world with views"):
        reference(read_world("noisy-sensor"), "", 10, SEED)
    with refused("contracts is no world with views"):
        reference(read_cohort("contracts"), "", 10, SEED)  # type: ignore[arg-type]  # what a user may try
    with refused("credit-risk has no view 'hihg'", DomainError):
        reference(credit, "hihg", 10, SEED)
    for inputs in (0, -1, 10**9 + 1):
        with refused("there is no reference draw of"):
            reference(credit, "low", inputs, SEED)
    with refused("-1 is no seed"):
        reference(credit, "low", 10, -1)
    with refused("a batch of 0 inputs holds nothing"):
        reference(credit, "low", 10, SEED, batch=0)
    (drawn,) = reference(credit, "", 1, SEED)
    for size in (0, 10_001):
        with refused("there is no snapshot of"):
            drawn.snapshots((size,))
    with refused("the snapshot of 2 labels stands twice"):
        drawn.snapshots((2, 1, 2))
    assert drawn.world.view.name == "low" and BATCH == 65_536
