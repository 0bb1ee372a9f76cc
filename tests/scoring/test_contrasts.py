"""Contrasts of two arms and of their contrasts, against loops over items."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.test_retention_tables import copying, done, item
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention.assembled import assembled
from worldgen.scoring.retention.contrasts import family_of
from worldgen.scoring.retention.interactions import CROSSED
from worldgen.scoring.retention.paired import mcnemar
from worldgen.scoring.retention.rows import Drawn
from worldgen.scoring.retention.runs import Done, Item, Setting

DRAWN = Drawn(100, 7)
CELLS = ("independent_raw", "independent_indexed", "serial_raw", "serial_indexed")
SETTINGS = {name: copying(CROSSED[name]["feedback"], CROSSED[name]["evidence"]) for name in CELLS}
RIGHTS = st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=8)


def filed(items: Mapping[str, Item], rights: Sequence[tuple[bool, ...]]) -> dict[Setting, dict[str, Done]]:
    """Copies of right answers, some of which came back."""
    return {
        setting: {
            name: replace(done(one, row[cell]), supplied=one.gold)
            for (name, one), row in zip(items.items(), rights, strict=True)
        }
        for cell, setting in enumerate(SETTINGS.values())
    }


@given(RIGHTS, st.data())
def test_contrasts_and_interactions_are_sums_over_items(
    rights: list[tuple[bool, bool, bool, bool]], data: st.DataObject
) -> None:
    units = data.draw(st.lists(st.sampled_from("abc"), min_size=len(rights), max_size=len(rights)))
    items = {f"r{n}": item(n, unit, length=3 if unit == "a" else 4) for n, unit in enumerate(units)}
    found = assembled(items, filed(items, rights), {}, DRAWN)
    rows = found.tables["contrasts"]
    assert len(rows) == 8 and {row["measure"] for row in rows} == {"exact match", "fidelity"}
    places = {setting.name: cell for cell, setting in enumerate(SETTINGS.values())}
    tests: dict[object, list[tuple[Fraction, object]]] = {}
    for row in rows:
        arm, against = (places[str(row[side])] for side in ("arm", "against"))
        assert arm > against
        assert row["family"] == ("evidence" if CELLS[arm][:3] == CELLS[against][:3] else "controller")
        seen = [(one[arm], one[against]) for one in rights]
        counts = [seen.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
        assert [row[name] for name in ("both", "arm_only", "against_only", "neither")] == counts
        assert row["difference"] == float(Fraction(counts[1] - counts[2], len(rights)))
        p_value = mcnemar(counts[1], counts[2])
        assert row["mcnemar"] == float(p_value)
        tests.setdefault((row["family"], row["measure"]), []).append((p_value, row["mcnemar_holm"]))
    for pairs in tests.values():
        assert [adjusted for _, adjusted in pairs] == [float(one) for one in holm([p for p, _ in pairs])]
    for row in found.tables["interactions"]:
        cells = [sum(one[cell] for one in rights) for cell in range(4)]
        assert [row[name] for name in CELLS] == [float(Fraction(cell, len(rights))) for cell in cells]
        figure = Fraction(cells[3] - cells[2] - (cells[1] - cells[0]), len(rights))
        assert (row["interaction"], row["items"]) == (float(figure), len(rights))
    assert len(found.tables["interactions"]) == 2


def test_partners_are_drawn_together() -> None:
    """Two items of one unit cancel in every replicate; apart they do not."""
    rights = [(False, False, True, False), (False, False, False, True)] * 4
    for units, ends in (("aabbccdd", (0.0, 0.0)), ("abcdefgh", None)):
        items = {f"r{n}": item(n, unit) for n, unit in enumerate(units)}
        found = assembled(items, filed(items, rights), {}, DRAWN)
        (row, _) = found.tables["interactions"]
        assert row["interaction"] == 0.0 and row["signs"] == 1.0
        low, high = row["interaction_low"], row["interaction_high"]
        assert (low, high) == ends if ends else float(low or 0) < 0 < float(high or 0)


def test_a_wrong_string_that_came_back_is_faithful_and_not_right() -> None:
    items = {f"r{n}": item(n) for n in range(4)}
    runs = filed(items, [(True,) * 4] * 4)
    for name, one in items.items():
        wrong = one.candidates.words[1]
        for place, setting in enumerate(SETTINGS.values()):
            runs[setting][name] = replace(done(one, False), supplied=wrong, output=wrong if place else None)
    found = assembled(items, runs, {}, DRAWN)
    exact, faithful = found.tables["interactions"]
    assert (exact["measure"], exact["interaction"], exact["serial_indexed"]) == ("exact match", 0.0, 0.0)
    assert (faithful["interaction"], faithful["independent_raw"], faithful["signs"]) == (-1.0, 0.0, 0.125)


def test_only_copies_of_one_string_are_held_against_each_other() -> None:
    items = {f"r{n}": item(n) for n in range(2)}
    runs = filed(items, [(True,) * 4] * 2)
    last = runs[SETTINGS["serial_indexed"]]
    last["r0"] = replace(last["r0"], supplied="other")
    found = assembled(items, runs, {}, DRAWN)
    assert {row["items"] for row in found.tables["interactions"]} == {1}
    assert {row["items"] for row in found.tables["contrasts"] if row["arm"] == "copy own indexed"} == {1}
    del last["r1"]
    assert not assembled(items, runs, {}, DRAWN).tables["interactions"]


def test_which_arm_is_first_does_not_depend_on_what_was_filed_first() -> None:
    items = {f"r{n}": item(n) for n in range(3)}
    runs = filed(items, [(False, True, False, True)] * 3)
    runs |= {replace(setting, wording=one): runs[setting] for setting in [*runs] for one in (1, 10, 2)}
    back = dict(reversed(runs.items()))
    found, again = (assembled(items, one, {}, DRAWN).tables["contrasts"] for one in (runs, back))
    assert sorted(map(repr, found)) == sorted(map(repr, again))
    arms = {(row["arm"], row["against"]) for row in found if row["family"] == "wording"}
    assert ("copy none raw, wording 10", "copy none raw, wording 2") in arms and len(arms) == 24


SERIAL = Setting("m", "serial", ways=(("interface", "serial"), ("feedback", "own"), ("answers", "string")))


@pytest.mark.parametrize(
    ("other", "family"),
    [
        (replace(SERIAL, arm="independent", ways=(("interface", "i"), *SERIAL.ways[1:])), "controller"),
        (replace(SERIAL, binding="opaque"), "binding"),
        (replace(SERIAL, wording=1), "wording"),
        (replace(SERIAL, wording=1, binding="opaque"), None),
        (replace(SERIAL, system="n", wording=1), None),
        (replace(SERIAL, native=True, wording=1), None),
        (replace(SERIAL, copies=True, wording=1), None),
        (replace(SERIAL, ways=(*SERIAL.ways[:2], ("answers", "position"))), None),
        (SERIAL, None),
    ],
)
def test_contrasts_are_of_arms_that_differ_in_one_way(other: Setting, family: str | None) -> None:
    assert family_of(SERIAL, other) == family == family_of(other, SERIAL)
