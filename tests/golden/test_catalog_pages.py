"""The figures on the pages of the catalog, each recomputed here from what its spec says."""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

from worldgen import catalog
from worldgen.cohort.roots import draw_roots
from worldgen.cohort.variants import BY_NAME
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.emission.preview import preview
from worldgen.relations.declared import RELATIONS
from worldgen.spec import cohort_of, read_cohort, read_world

HALF = Fraction(1, 2)
BINS = ((HALF, Fraction(3, 4)), (Fraction(3, 4), Fraction(19, 20)), (Fraction(19, 20), Fraction(1)))
UNDEFINED = {
    "finite-population": Fraction(7, 20),
    "noisy-sensor": Fraction(1, 122),
    "joint-attributes": Fraction(0),
    "missing-rule": Fraction(0),
}
HAND = {"finite-population": "b", "missing-rule": "a"}


def page(name: str) -> str:
    folder = (catalog.cohorts() | catalog.worlds())[name].parent
    return " ".join((folder / "README.md").read_text(encoding="utf-8").split())


def sums(first: Mapping[int, int], second: Mapping[int, int]) -> Counter[int]:
    found: Counter[int] = Counter()
    for a, ways in first.items():
        for b, others in second.items():
            found[a + b] += ways * others
    return found


def bin_of(top: int, rest: int) -> int:
    sure = Fraction(max(top, rest), top + rest)
    return next((number for number, (low, high) in enumerate(BINS) if low <= sure < high), len(BINS))


COUNTS = Counter(range(1, 100))
PAIRS = sums(COUNTS, COUNTS)


@cache
def unread() -> tuple[Fraction, ...]:
    """The chance of each bin where A holds two of four cells and nothing is read off."""
    found = [0] * 4
    for inside, ways in PAIRS.items():
        for outside, others in PAIRS.items():
            found[bin_of(inside, outside)] += ways * others
    return tuple(Fraction(ways, 99**4) for ways in found)


@cache
def read() -> tuple[Fraction, ...]:
    """The same where an attribute is read off, so that one of the two cells left is in A.

    The pair with total s is left with chance s / (s + t), t the total of the other; either pair can be.
    """
    split: defaultdict[int, list[int]] = defaultdict(lambda: [0] * 4)
    for inside in COUNTS:
        for outside in COUNTS:
            split[inside + outside][bin_of(inside, outside)] += 1
    found = [Fraction(0)] * 4
    for left, ways in split.items():
        picked = sum((Fraction(n * left, left + other) for other, n in PAIRS.items()), Fraction(0))
        found = [old + 2 * picked * new for old, new in zip(found, ways, strict=True)]
    return tuple(value / 99**4 for value in found)


@cache
def sensed() -> tuple[Fraction, ...]:
    """The same for noisy-sensor: masses count * likelihood, in tenths, given that some mass is positive."""
    masses = Counter(count * tenths for count in COUNTS for tenths in range(11))
    pairs = sums(masses, masses)
    totals = sorted(pairs)
    ends = [0, *accumulate(pairs[total] for total in totals)]
    found = [0] * 4
    for larger, ways in pairs.items():
        if larger == 0:
            continue
        for number, (low, high) in enumerate(BINS):
            # larger / (larger + t) is from low on, below high, for t in this interval; either side may win.
            most, least = larger * (1 - low) / low, larger * (1 - high) / high
            found[number] += 2 * ways * (ends[bisect_right(totals, most)] - ends[bisect_right(totals, least)])
        found[0] -= ways * ways  # ties were counted from both sides
    whole = ends[-1] ** 2 - pairs[0] ** 2
    found[3] = 2 * pairs[0] * (ends[-1] - pairs[0])
    assert sum(found) == whole and ends[bisect_left(totals, 1)] == pairs[0]
    return tuple(Fraction(ways, whole) for ways in found)


def mixed(chance: Fraction) -> tuple[Fraction, ...]:
    pairs = zip(read(), unread(), strict=True)
    return tuple(chance * seen + (1 - chance) * unseen for seen, unseen in pairs)


def chances() -> dict[str, tuple[Fraction, ...]]:
    return {
        "finite-population": mixed(Fraction(7, 10)),
        "noisy-sensor": sensed(),
        "joint-attributes": unread(),
        "missing-rule": mixed(HALF),
    }


def draws(found: tuple[Fraction, ...]) -> Fraction:
    return 10 / found[0] + 10 / found[1] + 30 / found[2]


def test_the_page_of_headroom_states_the_chance_of_every_bin() -> None:
    text = page("headroom")
    for world, found in chances().items():
        assert sum(found) == 1
        figures = " | ".join(f"{float(chance):.6f}" for chance in found[:3])
        assert f"| {world} | {figures} | {float(draws(found) / 50):.2f} |" in text
    assert sensed()[3] == Fraction(1, 61)
    assert f"{round(2 * sum(map(draws, chances().values()))):,} draws are expected" in text


@pytest.mark.parametrize("world", ["finite-population", "noisy-sensor", "joint-attributes", "missing-rule"])
def test_the_bins_fill_as_the_page_says(world: str) -> None:
    n = 4_000
    stratum = cohort_of(read_world(world)).strata[0]
    law = draw_roots(stratum, 3, np.arange(n)).posteriors
    tops, bottoms = law.weight(stratum.world.events["A"]).tolist(), law.denominators.tolist()
    found = Counter(bin_of(top, bottom - top) for top, bottom in zip(tops, bottoms, strict=True))
    for number, chance in enumerate(chances()[world]):
        assert (found[number] - n * chance) ** 2 <= 25 * n * chance * (1 - chance)


@pytest.mark.slow
def test_headroom_took_as_many_draws_as_its_page_says() -> None:
    cohort = read_cohort("headroom")
    attempts = [
        draw_roots(stratum, 7, np.arange(50), cohort.admission).attempts.sum() for stratum in cohort.strata
    ]
    assert f"with seed 7 there are {sum(attempts):,}" in page("headroom")


def test_the_page_of_contracts_lists_what_the_spec_has() -> None:
    cohort, text = read_cohort("contracts"), page("contracts")
    for name in cohort.variants:
        assert f"| {name} | {BY_NAME[name].form} |" in text
    for relation in RELATIONS:
        assert f"| {relation.name} | {', '.join(relation.claims)} |" in text
        row = text.split(f"| {relation.name} | {', '.join(relation.claims)} |")[1]
        assert f"| {float(relation.tolerance):.2f} |" in row[:200]
    assert [r.name for r in RELATIONS if not r.primary] == ["intersection"]
    assert (len(cohort.strata), len(cohort.variants), len(cohort.relations)) == (8, 12, 10)


def test_as_many_conditions_cannot_be_met_as_the_page_derives(tmp_path: Path) -> None:
    emit(read_cohort("contracts"), 1000, 7, tmp_path / "cohort")
    opened = open_cohort(tmp_path / "cohort")
    world_of = {row["root_id"]: row["world"] for row in opened.table("roots").to_pylist()}
    found = Counter(
        world_of[row["root_id"]] for row in opened.table("requests").to_pylist() if not row["eligible"]
    )
    likelihoods = Fraction(1, 11)
    assert UNDEFINED["noisy-sensor"] == (likelihoods**2 - likelihoods**4) / (1 - likelihoods**4)
    for world, chance in UNDEFINED.items():
        assert (found[world] - 250 * chance) ** 2 <= 25 * 250 * chance * (1 - chance)
        assert f"| {world} | {chance} |" in page("contracts")
    expected = 250 * sum(UNDEFINED.values())
    deviation = float(250 * sum(chance * (1 - chance) for chance in UNDEFINED.values())) ** 0.5
    text = page("contracts")
    assert f"= {expected}, or about {float(expected):.2f}, are" in text
    assert f"a standard deviation of {deviation:.2f}. With seed 7 there are {found.total()}." in text


@pytest.mark.parametrize("name", ["finite-population", "missing-rule", "joint-attributes"])
def test_the_table_to_check_by_hand(name: str) -> None:
    """Counts 40, 25, 15, 20 on the pages: A as it stands, then with each value read off."""
    world, text = read_world(name), page(name)
    codes = {f"count_{i}": np.array([count - 1] * 3) for i, count in enumerate((40, 25, 15, 20))}
    attribute = list(world.attributes).index(HAND[name]) if name in HAND else 0
    shown = {variable.name: variable.domain for variable in world.view.shown}
    for i, cell in enumerate(world.cells):
        domain = shown[f"likelihood_{i}"]
        likelihoods = [Fraction(1)] * 3
        if name in HAND:
            likelihoods[1:] = [Fraction(cell.values[attribute] == value) for value in ("False", "True")]
        codes[f"likelihood_{i}"] = np.array([domain.code_of(one) for one in likelihoods])  # type: ignore[union-attr]  # a number
    law, possible = world.posterior(codes)
    assert possible.all()
    tops = law.weight(world.events["A"]).tolist()
    a, false, true = (Fraction(top, int(bottom)) for top, bottom in zip(tops, law.denominators, strict=True))
    for value in (a, false, true):
        assert f"= {value}" in text
    if name in HAND:
        held = Fraction(65, 100) if HAND[name] == "a" else Fraction(55, 100)
        assert held * false + (1 - held) * true == a


def test_recoding_turns_the_lines_and_the_letters_and_nothing_else() -> None:
    asked = replace(cohort_of(read_world("noisy-sensor"), ["event", "complement"]), wire="chat", relations=())
    recoded = replace(asked, variants=("event-recoded", "complement-recoded"))
    text = page("recoding")
    for one, other in zip(recoded.variants, asked.variants, strict=True):
        before, after = preview(asked, 5, variant=other), preview(recoded, 5, variant=one)
        turned = (before.payload or "").replace("\\n\\nA: no\\nB: yes", "\\n\\nA: yes\\nB: no")
        assert before.payload != after.payload == turned
        assert f"`{one}`" in text
    first = preview(recoded, 5, variant="event-recoded").options[0]
    assert (first.answer_id, first.name) == ("A", "true")


def test_on_the_chat_wire_an_event_and_the_choice_of_it_are_one_request() -> None:
    asked = replace(cohort_of(read_world("noisy-sensor"), ["event", "binary-choice"]), wire="chat")
    first, second = (preview(asked, 5, variant=name).payload for name in asked.variants)
    assert first == second
