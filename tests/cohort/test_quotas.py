"""Quotas: the bin of an index, what a quantity is, and that every root is the first draw in its bin."""

import json
import pickle
from bisect import bisect_right
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort import roots as drawing
from worldgen.cohort.quotas import Admission, Bin, Quantity, Quota
from worldgen.cohort.roots import Roots, UnreachableError, draw_roots
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.verify import verify
from worldgen.exact.distributions import Distribution
from worldgen.exact.expressions import ExpressionError
from worldgen.spec import Source, cohort_of, read_cohort, read_world, write_spec
from worldgen.worlds.base import Streams, World

SENSOR = read_world("noisy-sensor")
COUNTED = read_world("finite-population")
HALF = Fraction(1, 2)
SEED = 20


def quota(text: str, *bins: tuple[object, object, int]) -> Admission:
    return Admission(
        Quota(Quantity(text), tuple(Bin(Fraction(str(a)), Fraction(str(b)), n) for a, b, n in bins))
    )


def sampled(world: World, admission: Admission = Admission(), roots: int = 60) -> Roots:  # noqa: B008  (it is frozen)
    return draw_roots(cohort_of(world).strata[0], SEED, np.arange(roots), admission)


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.lists(st.integers(0, 10**12), max_size=30))
def test_the_bin_of_an_index_is_where_it_falls_in_its_round(sizes: list[int], indices: list[int]) -> None:
    bins = tuple(Bin(Fraction(0), Fraction(1), size) for size in sizes)
    own = Quota(Quantity("q(A)"), bins)
    slots = [place for place, size in enumerate(sizes) for _ in range(size)]
    assert own.round == len(slots)
    found = own.bin_of(np.array(indices, dtype=np.int64)).tolist()
    assert found == [slots[index % len(slots)] for index in indices]
    assert found == [bisect_right(list(accumulate(sizes)), index % own.round) for index in indices]


def by_hand(distribution: Distribution, world: World, text: str) -> Fraction | None:
    """The quantities of the test below, each computed from the masses of the cells."""

    def q(*cells: int, given: tuple[int, ...] = (0, 1, 2, 3)) -> Fraction:
        total = sum(distribution.masses[i] for i in given)
        return Fraction(sum(distribution.masses[i] for i in cells if i in given)) / total

    try:
        return {
            "q(A)": lambda: q(0, 1),
            "q(not A)": lambda: q(2, 3),
            "q('not A')": lambda: q(2, 3),
            "q(A and not B)": lambda: q(0),
            "q(A or B)": lambda: q(0, 1, 3),
            "q(not (A or B) or type_1)": lambda: q(1, 2),
            "q(A or B, given=B)": lambda: q(1, 3, given=(1, 3)),
            "q(A, given=B)": lambda: q(1, given=(1, 3)),
            "q(type_3, given=not A)": lambda: q(3, given=(2, 3)),
            "q(A, given=type_2 or type_3)": lambda: q(given=(2, 3)),
            "max(q(A), 1 - q(A))": lambda: max(q(0, 1), q(2, 3)),
            "min(q(type_0), q(type_1), 0.3)": lambda: min(q(0), q(1), Fraction(3, 10)),
            "abs(q(A) - q(B)) * 2": lambda: abs(q(0, 1) - q(1, 3)) * 2,
            "q(A) / q(B)": lambda: q(0, 1) / q(1, 3),
        }[text]()
    except ZeroDivisionError:
        return None


QUANTITIES = [
    "q(A)",
    "q(not A)",
    "q('not A')",
    "q(A and not B)",
    "q(A or B)",
    "q(not (A or B) or type_1)",
    "q(A or B, given=B)",
    "q(A, given=B)",
    "q(type_3, given=not A)",
    "q(A, given=type_2 or type_3)",
    "max(q(A), 1 - q(A))",
    "min(q(type_0), q(type_1), 0.3)",
    "abs(q(A) - q(B)) * 2",
    "q(A) / q(B)",
]


@pytest.mark.parametrize("text", QUANTITIES)
@pytest.mark.parametrize("world", [SENSOR, COUNTED], ids=["sensor", "counted"])
def test_a_quantity_is_what_the_masses_say(world: World, text: str) -> None:
    roots = sampled(world)
    found = Quantity(text).of(world, roots.values, roots.posteriors).fractions()
    expected = [by_hand(roots.posteriors.row(row), world, text) for row in range(len(roots))]
    assert found == expected
    assert any(value is not None for value in found)
    if world is COUNTED and text in {"q(A, given=B)", "q(A) / q(B)"}:
        assert None in found


def test_numbers_that_a_root_shows_are_quantities_too() -> None:
    roots = sampled(SENSOR)
    found = Quantity("count_0 - 2 * likelihood_3").of(SENSOR, roots.values, roots.posteriors).fractions()
    counts = [code + 1 for code in roots.values["count_0"].tolist()]
    tenths = [Fraction(code, 10) for code in roots.values["likelihood_3"].tolist()]
    assert found == [count - 2 * tenth for count, tenth in zip(counts, tenths, strict=True)]


REFUSED = {
    "q()": "column 1: q takes one event",
    "1 - q(A, B)": "column 5: q takes one event",
    "q(A, when=B)": "q takes one event",
    "q(A, **B)": "q takes one event",
    "q(A, given=B, given=A)": "q takes one event",
    "f(q(A))": "column 1: 'f",
    "q(A) > 1": "column 1: 'q(A) > 1' is not allowed here",
    "q(A) ** 2": "is not allowed here",
    "q(A)[0]": "is not allowed here",
    "-" * 900 + "q(A)": "nested",
    "max(q(A))": "max takes two values or more",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_text_outside_the_language_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        Quantity(text)
    assert REFUSED[text] in caught.value.message


MISSING = {
    "q(C)": "column 3: noisy-sensor has no event 'C'",
    "q(A and not red)": "column 13: noisy-sensor has no event 'red'",
    "q(A, given=D)": "column 12: noisy-sensor has no event 'D'",
    "q(A + B)": "an event is a name, or not, and, or of events",
    "q(q(A))": "an event is a name, or not, and, or of events",
    "q(A < B)": "an event is a name, or not, and, or of events",
    "count_9": "noisy-sensor shows no number 'count_9'",
    "site": "noisy-sensor shows no number 'site'",
    "q + q(A)": "noisy-sensor shows no number 'q'",
    "A": "noisy-sensor shows no number 'A'",
}


@pytest.mark.parametrize("text", MISSING)
def test_what_a_world_lacks_is_told(text: str) -> None:
    assert MISSING[text] in Quantity(text).fault(SENSOR)


@pytest.mark.parametrize("text", [*QUANTITIES, "count_0 / likelihood_1"])
def test_what_a_world_has_is_no_fault_and_travels_to_other_processes(text: str) -> None:
    quantity = Quantity(text)
    assert quantity.fault(SENSOR) == ""
    assert pickle.loads(pickle.dumps(quantity)) == quantity


def test_nothing_undefined_is_admitted() -> None:
    for text in ("q(A, given=B)", "1 / q(B)"):
        roots = sampled(COUNTED, quota(text, (-1000, 10**9, 1)))
        assert all(
            roots.posteriors.row(row).probability(COUNTED.events["B"]) > 0 for row in range(len(roots))
        )
        assert (roots.attempts > 1).any()


@pytest.mark.parametrize(
    "asked", [quota("q(A)", (0, 2, 1)), Admission(excluded=frozenset({"no digest"})), Admission()]
)
def test_a_table_without_mass_is_no_root(asked: Admission) -> None:
    """Its posterior reads as if the first cell were certain."""
    text = write_spec(SENSOR).replace("1..99", "0..1").replace("0..1 by 1/10", "0..1 by 1")
    scarce = read_world(Source(text))
    roots = sampled(scarce, asked)
    drawn = scarce.draw(cohort_of(scarce).strata[0].streams(SEED), roots.indices, 0)
    assert not drawn.possible.all() and (roots.attempts > 1).tolist() == (~drawn.possible).tolist()
    assert scarce.posterior(roots.values)[1].all()


def test_every_root_is_in_its_bin_and_bins_are_half_open() -> None:
    admission = quota("q(A)", (0, "1/4", 2), ("1/4", "1/2", 1), ("1/2", 1, 3), (1, 2, 1))
    assert admission.quota is not None
    roots = sampled(SENSOR, admission, 210)
    for row, index in enumerate(roots.indices.tolist()):
        own = admission.quota.bins[[0, 0, 1, 2, 2, 2, 3][index % 7]]
        q = roots.posteriors.row(row).probability(SENSOR.events["A"])
        assert own.low <= q < own.high
        assert (q == 1) == (index % 7 == 6)


@pytest.mark.parametrize(
    ("low", "high", "wanted"), [("1/2", 1, True), (0, "1/2", False), ("1/2", "1/2", False)]
)
def test_the_lower_end_is_in_and_the_upper_end_is_out(low: object, high: object, wanted: bool) -> None:
    text = write_spec(SENSOR).replace("1..99", "1").replace("0..1 by 1/10", "1/2")
    even = read_world(Source(text))
    draw = even.draw(Streams(SEED, "w", "s"), np.arange(3), 0)
    admitted = quota("q(A)", (low, high, 1)).admits(even, draw.values, np.arange(3))
    assert admitted.tolist() == [wanted] * 3


def first_admitted(
    world: World, stratum: str, index: int, admission: Admission
) -> tuple[int, list[Fraction]]:
    """The slow twin: one draw at a time, judged with fractions."""
    streams = Streams(SEED, world.name, stratum)
    own = admission.quota
    assert own is not None
    slots = [each for each in own.bins for _ in range(each.roots)]
    for attempt in range(2000):
        draw = world.draw(streams, np.array([index]), attempt)
        if not draw.possible[0]:
            continue
        masses = list(world.posterior(draw.values)[0].row(0).masses)
        value = max(masses[0] + masses[1], masses[2] + masses[3])
        wanted = slots[index % len(slots)]
        (digest,) = world.digests(draw.values).to_pylist()
        if wanted.low <= value < wanted.high and digest not in admission.excluded:
            return attempt + 1, masses
    raise AssertionError


def test_a_root_is_the_first_draw_that_may_stand_alone_as_in_the_batch() -> None:
    shares = (("1/2", "3/4", 2), ("3/4", "19/20", 2), ("19/20", 1, 2))
    admission = quota("max(q(A), 1 - q(A))", *shares)
    (stratum, _) = cohort_of(SENSOR).strata
    free = draw_roots(stratum, SEED, np.arange(30), admission)
    # Some of these roots are then excluded, so that they must be drawn on.
    before = free.digests.to_pylist()
    admission = replace(admission, excluded=frozenset(before[::4]))
    batch = draw_roots(stratum, SEED, np.arange(30), admission)
    digests = batch.digests.to_pylist()
    for index in range(30):
        attempts, masses = first_admitted(SENSOR, stratum.name, index, admission)
        assert (int(batch.attempts[index]), list(batch.posteriors.row(index).masses)) == (attempts, masses)
        alone = draw_roots(stratum, SEED, np.array([index]), admission)
        assert alone.digests.to_pylist() == [digests[index]]
        assert alone.attempts.tolist() == [attempts]
        assert alone.outcomes.tolist() == [batch.outcomes[index]]
        assert (digests[index] == before[index]) == (index % 4 != 0)
    assert (batch.attempts >= free.attempts).all()


@pytest.mark.parametrize("name", ["noisy-sensor", "missing-rule"])
def test_a_root_is_its_attempt_in_all_that_is_drawn(name: str) -> None:
    """What no admission looks at is of the same attempt: outcome, observations, metadata."""
    world = read_world(name)
    stratum = cohort_of(world).strata[0]
    indices = np.arange(100, 160)
    roots = draw_roots(
        stratum, SEED, indices, quota("max(q(A), 1 - q(A))", ("1/2", "3/4", 1), ("9/10", 1, 1))
    )
    assert 1 in roots.attempts and roots.attempts.max() > 9
    for row, index in enumerate(indices.tolist()):
        draw = world.draw(stratum.streams(SEED), np.array([index]), int(roots.attempts[row]) - 1)
        assert {name: codes[row] for name, codes in roots.values.items()} == {
            name: codes[0] for name, codes in draw.values.items()
        }
        assert {name: codes[row] for name, codes in roots.hidden.items()} == {
            name: codes[0] for name, codes in draw.hidden.items()
        }
        assert roots.outcomes[row] == draw.outcomes[0]
    assert set(roots.values) == set(world.view.names)


def test_rare_roots_are_found_as_if_each_were_drawn_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    admission = quota("max(q(A), 1 - q(A))", ("1/2", 1, 20), ("99/100", 1, 2))
    stratum = cohort_of(SENSOR).strata[0]
    patient = draw_roots(stratum, SEED, np.arange(66), admission)
    assert patient.attempts.max() > drawing.PATIENCE
    monkeypatch.setattr(drawing, "PATIENCE", 2)
    monkeypatch.setattr(drawing, "RARE", 10)
    again = draw_roots(stratum, SEED, np.arange(66), admission)
    assert again.digests == patient.digests
    assert again.attempts.tolist() == patient.attempts.tolist()


def test_an_unreachable_bin_is_refused_with_its_rate_and_not_that_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "MOST_ATTEMPTS", 300)
    stratum = cohort_of(SENSOR).strata[0]
    with pytest.raises(UnreachableError) as caught:
        draw_roots(stratum, SEED, np.arange(40), quota("q(A)", (0, 2, 9), (2, 3, 1)))
    # The four roots of the second bin are drawn until patience ends, and then the first of them alone.
    assert caught.value.rate == (0, 4 * drawing.PATIENCE + 300)
    assert "root 9 must have q(A) in [2, 3), and no draw of 300 had it" in caught.value.message
    assert f"of {4 * drawing.PATIENCE + 300:,} draws made for roots of this kind, 0" in caught.value.message
    assert caught.value.remedy
    with pytest.raises(UnreachableError) as caught:
        draw_roots(stratum, SEED, np.array([9]), quota("q(A)", (0, 2, 9), (2, 3, 1)))
    assert caught.value.rate == (0, 300)


def test_a_bin_that_runs_out_of_attempts_is_refused_with_what_was_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(drawing, "MOST_ATTEMPTS", 40)
    monkeypatch.setattr(drawing, "RARE", 1)
    with pytest.raises(UnreachableError) as caught:
        draw_roots(cohort_of(SENSOR).strata[0], SEED, np.arange(200), quota("q(A)", ("49/100", "51/100", 1)))
    kept, made = caught.value.rate
    assert 0 < kept < 200 and 0 < kept / made < 1 / 20


@pytest.mark.slow
def test_a_quota_that_cannot_be_met_is_refused_in_the_time_of_one_root() -> None:
    with pytest.raises(UnreachableError) as caught:
        draw_roots(cohort_of(SENSOR).strata[0], SEED, np.arange(8192), quota("q(A)", (0, 2, 255), (2, 3, 1)))
    assert caught.value.rate == (0, 32 * drawing.PATIENCE + drawing.MOST_ATTEMPTS)


def test_attempts_are_counted_in_the_manifest_of_the_evaluator_and_all_is_derived_again(
    tmp_path: Path,
) -> None:
    cohort = replace(read_cohort("headroom"), strata=read_cohort("headroom").strata[2:4])
    emit(cohort, 100, SEED, tmp_path)
    drawn = [draw_roots(stratum, SEED, np.arange(50), cohort.admission) for stratum in cohort.strata]
    manifest = json.loads((tmp_path / "evaluator" / "manifest.json").read_text())
    assert manifest["attempts"] == sum(int(roots.attempts.sum()) for roots in drawn) > 200
    digests = open_cohort(tmp_path).table("roots").column("semantic_digest").to_pylist()
    assert digests == [digest for roots in drawn for digest in roots.digests.to_pylist()]
    assert verify(tmp_path).findings == []
