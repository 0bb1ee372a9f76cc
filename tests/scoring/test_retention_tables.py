"""The tables of retention against slow twins, and the columns that they are declared with."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.geometry import Candidates
from worldgen.scoring.retention.assembled import assembled
from worldgen.scoring.retention.binomial import retained_interval
from worldgen.scoring.retention.confidence import Confidence
from worldgen.scoring.retention.joint import Joint
from worldgen.scoring.retention.layout import KINDS, TABLES
from worldgen.scoring.retention.outcomes import stopping_outcome
from worldgen.scoring.retention.pairing import pairs_of
from worldgen.scoring.retention.rows import Drawn, Row
from worldgen.scoring.retention.runs import Done, Item, Setting, Talked, native_for
from worldgen.scoring.retention.shown import VIEWS, shown, systems, to_json
from worldgen.scoring.saved import save_tables

DRAWN = Drawn(100, 7)
NATIVE, SERIAL = Setting("m", "native", native=True, paired=False), Setting("m", "serial")


def item(number: int, unit: str = "", domain: str = "d", length: int = 3) -> Item:
    words = tuple(f"{a}{'0' * (length - 2)}{b}" for a in "12" for b in "34")
    name = f"r{number}"
    return Item(name, words[0], Candidates(words, "01234"), unit or name, f"length {length}", domain)


def done(one: Item, right: bool, positions: bool = True) -> Done:
    output = one.gold if right else one.candidates.words[1]
    known = tuple(a == b for a, b in zip(output, one.gold, strict=True))
    return Done(
        one.root_id,
        output,
        right,
        True,
        "complete",
        3,
        0,
        2,
        ("strict correct" if right else "format-valid wrong",) * 3,
        known if positions else None,
    )


def runs(
    items: Mapping[str, Item], rights: Mapping[Setting, Mapping[str, bool]]
) -> dict[Setting, dict[str, Done]]:
    return {
        setting: {name: done(items[name], right) for name, right in known.items()}
        for setting, known in rights.items()
    }


RIGHTS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12)


@given(RIGHTS, st.data())
def test_joint_tables_are_counted_item_by_item(rights: list[tuple[bool, bool]], data: st.DataObject) -> None:
    """Whatever units and lengths items have, figures are of items, undefined where they divide by none."""
    units = data.draw(st.lists(st.sampled_from("abc"), min_size=len(rights), max_size=len(rights)))
    items = {f"r{n}": item(n, unit, length=3 if unit == "a" else 4) for n, unit in enumerate(units)}
    settings = {
        setting: dict(zip(items, column, strict=True))
        for setting, column in zip((NATIVE, SERIAL), zip(*rights, strict=True), strict=True)
    }
    found = assembled(items, runs(items, settings), {}, DRAWN)
    (row,) = found.tables["joint"]
    counts = Counter(rights)
    joint = Joint(*(counts[pair] for pair in ((True, True), (True, False), (False, True), (False, False))))
    names = ("both", "native_only", "built_only", "neither")
    assert tuple(row[name] for name in names) == (
        joint.both, joint.native_only, joint.serial_only, joint.neither
    )  # fmt: skip
    for name, value in (
        ("native", joint.native),
        ("built", joint.serial),
        ("scr", joint.scr),
        ("loss", joint.loss),
        ("gain", joint.gain),
        ("gain_rate", joint.gain_rate),
        ("beyond_independence", joint.beyond_independence),
    ):
        assert row[name] == (None if value is None else float(value))
    exact = retained_interval(joint)
    assert (row["exact_low"], row["exact_high"]) == (
        (float(exact.low), float(exact.high)) if exact else (None, None)
    )
    parts = found.tables["strata"]
    assert sum(int(part["items"] or 0) for part in parts) == len(rights)
    assert sum(int(part["both"] or 0) for part in parts) == joint.both
    (test,) = found.tables["tests"]
    assert test["mcnemar"] == test["mcnemar_holm"]


def test_items_of_one_unit_are_drawn_together() -> None:
    """Two items of each unit, of which native always gets both right and serial both or none: a replicate
    counts pairs, so SCR is a whole number of quarters.
    """
    items = {f"r{n}": item(n, f"u{n // 2}") for n in range(8)}
    rights = {NATIVE: dict.fromkeys(items, True), SERIAL: {name: int(name[1:]) < 2 for name in items}}
    (pair,) = pairs_of(items, runs(items, rights))
    (row,) = assembled(items, runs(items, rights), {}, DRAWN).tables["joint"]
    assert row["scr"] == 0.25 and {4 * float(row[f"scr_{end}"] or 0) % 1 for end in ("low", "high")} == {0}
    alone = {name: replace(one, unit=name) for name, one in items.items()}
    (other,) = assembled(alone, runs(items, rights), {}, DRAWN).tables["joint"]
    assert other["scr"] == 0.25
    assert float(other["scr_high"] or 0) <= float(row["scr_high"] or 0)
    assert pair.signs(7).p_value == Fraction(1, 4)  # three units, all with the same sign
    assert pair.mcnemar == Fraction(2, 2**6)  # six items


def test_partners_of_two_domains_are_compared_along_their_pairs() -> None:
    items = {f"r{n}": item(n, f"p{n % 5}", "sums" if n < 5 else "words") for n in range(10)}
    rights = {
        NATIVE: dict.fromkeys(items, True),
        SERIAL: {name: int(name[1:]) in {0, 1, 5, 6} for name in items},
    }
    first, second, less = assembled(items, runs(items, rights), {}, DRAWN).tables["domains"]
    assert (first["domain"], second["domain"], less["domain"]) == ("sums", "words", "sums - words")
    assert first["scr"] == second["scr"] == 0.4
    # Partners agree, so in every replicate the two domains do.
    assert (less["scr"], less["scr_low"], less["scr_high"]) == (0.0, 0.0, 0.0)


def test_templates_are_held_against_their_own_native_and_their_worst_is_named() -> None:
    items = {f"r{n}": item(n) for n in range(4)}
    other, reworded = replace(NATIVE, wording=1), replace(SERIAL, wording=1)
    rights = {
        NATIVE: dict.fromkeys(items, True),
        other: {name: name != "r3" for name in items},
        SERIAL: {name: name in {"r0", "r1"} for name in items},
        reworded: {name: name in {"r0", "r3"} for name in items},
    }
    assert native_for(reworded, list(rights)) == other
    assert native_for(replace(SERIAL, wording=2), list(rights)) == NATIVE
    assert native_for(Setting("n", "serial"), list(rights)) is None
    (row,) = assembled(items, runs(items, rights), {}, DRAWN).tables["templates"]
    assert (row["templates"], row["mean"], row["worst"]) == (2, float(Fraction(5, 12)), float(Fraction(1, 3)))
    assert row["worst_at"] == "serial, wording 1"


def test_names_that_contradict_their_options_cost_more_than_new_names() -> None:
    """Aligned 4/4, conflicting 1/4, opaque 3/4, remapped 2/4: (4 - 1 - (3 - 2)) / 4."""
    items = {f"r{n}": item(n) for n in range(4)}
    right = {"aligned": 4, "conflicting": 1, "opaque": 3, "remapped": 2}
    rights = {
        Setting("m", "serial", binding=binding): {name: int(name[1:]) < count for name in items}
        for binding, count in right.items()
    }
    (row,) = assembled(items, runs(items, rights), {}, DRAWN).tables["bindings"]
    assert (row["arm"], row["items"], row["extra_loss"]) == ("serial", 4, 0.5)
    assert [row[name] for name in right] == [1.0, 0.25, 0.75, 0.5]
    assert float(row["extra_loss_low"] or 0) <= 0.5 <= float(row["extra_loss_high"] or 0)
    rights.popitem()
    assert not assembled(items, runs(items, rights), {}, DRAWN).tables["bindings"]


def test_systems_meet_on_the_items_that_all_natives_got_right() -> None:
    items = {f"r{n}": item(n) for n in range(4)}
    native, serial = replace(NATIVE, system="n"), replace(SERIAL, system="n")
    rights = {
        NATIVE: {name: name != "r0" for name in items},
        SERIAL: dict.fromkeys(items, True),
        native: {name: name != "r1" for name in items},
        serial: {name: name == "r2" for name in items},
    }
    found = assembled(items, runs(items, rights), {}, DRAWN)
    assert [(row["system"], row["items"], row["scr"]) for row in found.tables["common"]] == [
        ("m", 2, 1.0),
        ("n", 2, 0.5),
    ]
    assert systems(found) == ["m", "n"]


def test_strings_are_held_against_positions_that_are_right_independently() -> None:
    """Two strings of two are right at both ends, two at one: 1/2 of the strings, where 3/4 x 3/4 would be."""
    items = {f"r{n}": item(n) for n in range(4)}
    rows = {
        "r0": (True, True, True),
        "r1": (True, True, True),
        "r2": (False, True, True),
        "r3": (True, True, False),
    }
    built = {name: replace(done(items[name], all(row)), positions=row) for name, row in rows.items()}
    native = runs(items, {NATIVE: dict.fromkeys(items, True)})
    (part,) = assembled(items, {**native, SERIAL: built}, {}, DRAWN).tables["strata"]
    assert (part["built"], part["composed"], part["beyond"]) == (0.5, 0.5625, -0.0625)
    shared = {name: replace(one, unit="u") for name, one in items.items()}
    (part,) = assembled(shared, {**native, SERIAL: built}, {}, DRAWN).tables["strata"]
    assert (part["composed"], part["beyond"]) == (0.5625, None)  # units of several strings have no interval
    unknown = {name: replace(one, positions=None) for name, one in built.items()}
    (part,) = assembled(items, {**native, SERIAL: unknown}, {}, DRAWN).tables["strata"]
    assert part["composed"] is None


def test_only_items_that_both_have_run_are_paired() -> None:
    items = {f"r{n}": item(n) for n in range(4)}
    rights = {NATIVE: {"r0": True, "r1": True}, SERIAL: {"r1": False, "r2": True}}
    (row,) = assembled(items, runs(items, rights), {}, DRAWN).tables["joint"]
    assert (row["items"], row["native_only"]) == (1, 1)
    lonely = {NATIVE: {"r0": True}, SERIAL: {"r1": True}}
    found = assembled(items, runs(items, lonely), {}, DRAWN)
    assert not found.tables["joint"] and len(found.tables["runs"]) == 2


def test_masses_are_compared_and_strings_scored() -> None:
    one = item(0)
    sure = {"1": Fraction(1)}, {"0": Fraction(1)}, {"3": Fraction(1, 2), "2": Fraction(1, 2)}
    native = replace(done(one, True), masses=(Fraction(1), *[Fraction(0)] * 3))
    half = Confidence(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 1)
    built = replace(done(one, True), local=sure, confidence=half)
    wrong = replace(
        done(item(1), False),
        confidence=replace(half, product=Fraction(1, 4), geometric_mean=Fraction(1, 2), steps=2),
    )
    items = {each.root_id: each for each in (one, item(1))}
    found = assembled(items, {NATIVE: {"r0": native}, SERIAL: {"r0": built, "r1": wrong}}, {}, DRAWN)
    (gap,) = found.tables["projection"]
    assert (gap["items"], gap["positions"], gap["whole"]) == (1, 3, 1.0)
    assert gap["total_variation"] == float(Fraction(1, 6)) and gap["unsupported"] == float(Fraction(1, 6))
    scores = {row["score"]: row for row in found.tables["confidence"]}
    assert scores["product"]["value"] == 0.375 and scores["product"]["auroc"] == 1.0
    assert scores["minimum top"]["auroc"] == 0.5


def copying(feedback: str, evidence: str, binding: str = "literal") -> Setting:
    ways = (("interface", "copy"), ("feedback", feedback), ("evidence", evidence))
    arm = f"copy {feedback} {evidence}"
    return Setting("m", arm, copies=True, paired=False, binding=binding, ways=ways)


@pytest.fixture(scope="module")
def full() -> dict[Setting, dict[str, Done]]:
    """Runs that put something into every table."""
    items = {f"r{n}": item(n, f"p{n % 2}", "x" if n < 2 else "y") for n in range(4)}
    found: dict[Setting, dict[str, Done]] = {}
    for system in ("m", "n"):
        settings = (
            replace(NATIVE, system=system),
            replace(SERIAL, system=system),
            Setting(system, "serial", wording=1),
        )
        found |= runs(items, {setting: {name: name != "r1" for name in items} for setting in settings})
    for binding in ("aligned", "conflicting", "opaque", "remapped"):
        setting = Setting("m", "serial", binding=binding)
        found[setting] = {
            name: done(one, binding != "conflicting" or name == "r0") for name, one in items.items()
        }
    for feedback, evidence in product(("own", "none"), ("raw", "indexed")):
        copies = copying(feedback, evidence)
        found[copies] = {name: replace(done(one, False), supplied=one.gold) for name, one in items.items()}
    serial = found[Setting("m", "serial")]
    serial["r0"] = replace(serial["r0"], word="other noun")
    ended = stopping_outcome(["1", "END"], items["r0"].gold, "END", 6)
    found[Setting("m", "stopping")] = {"r0": replace(done(items["r0"], False, False), stopped=ended)}
    masses = {"1": Fraction(1)}, {"0": Fraction(1)}, {"3": Fraction(1)}
    for setting, by_root in found.items():
        if setting.native:
            by_root["r0"] = replace(by_root["r0"], masses=(Fraction(1), *[Fraction(0)] * 3))
        if setting.arm == "serial":
            half = Confidence(Fraction(1, 2), Fraction(1, 2), Fraction(1, 2), 1)
            by_root["r0"] = replace(by_root["r0"], local=masses, confidence=half)
    return found


def test_tables_have_the_columns_and_kinds_that_are_declared(
    full: dict[Setting, dict[str, Done]], tmp_path: Path
) -> None:
    items = {f"r{n}": item(n, f"p{n % 2}", "x" if n < 2 else "y") for n in range(4)}
    talks = {
        Setting("m", "joint", native=True, paired=False): {"t": Talked("t", (True, False), True, 2)},
        Setting("m", "serial"): {"t": Talked("t", (False, True), True, 4)},
    }
    found = assembled(items, full, talks, DRAWN)
    refused: list[Row] = [{"reason": "unknown root", "rows": 1}]
    tables: dict[str, Sequence[Row]] = {**found.tables, "refused": refused}
    assert tables.keys() == TABLES.keys() and all(tables.values())
    for name, rows in tables.items():
        for row in rows:
            assert tuple(row) == TABLES[name]
            for column, value in row.items():
                assert value is None or type(value) is KINDS[column]
    assert KINDS.keys() == {name for columns in TABLES.values() for name in columns}
    assert len(save_tables(tables, tmp_path / "all", TABLES, KINDS)) == 2 * len(TABLES)
    titles = [title for system in systems(found) for title, _ in shown(found, system, strata=True)]
    assert {view.title for view in VIEWS} < set(titles)
    assert to_json(found)["systems"] == ["m", "n"]
