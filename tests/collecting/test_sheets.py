"""Sheets: what an arm asks, worded as the cohort itself words the same question."""

from pathlib import Path

import pytest

from worldgen.collecting.chance import Chance
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.running import Run
from worldgen.collecting.controllers.symbols import LETTERS
from worldgen.collecting.doors import construct
from worldgen.collecting.roots import Roots, SheetError, roots_of
from worldgen.collecting.scripts import Script
from worldgen.collecting.sheets import Extras, sheet
from worldgen.emission.emit import emit
from worldgen.emission.folder import open_cohort
from worldgen.spec import cohort_of, read_candidates, read_world

WIRES = ("systemone", "chat")
PLAIN = ("canonical", "full-1", "union-1", "full-2", "union-2", "trie-2", "at-1", "at-2", "at-3")
COPIED = ("canonical", "at-1+indexed", "at-2+indexed", "at-2+direct", "at-2+padded", "at-2+wording-1")


def emitted(folder: Path, world: str, variants: tuple[str, ...], view: str, wire: str) -> Roots:
    place = folder / f"{world}-{view}-{wire}"
    if not place.exists():
        emit(cohort_of(read_candidates(world).through(view), variants, wire=wire), 6, 3, place)
    return roots_of(open_cohort(place))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sheets")


def payloads(roots: Roots) -> dict[tuple[str, str], str]:
    """The payloads that the cohort itself has, by root and variant."""
    rows = roots.folder.table("requests").to_pylist()
    return {(row["root_id"], row["variant"]): row["payload"] for row in rows if row["eligible"]}


def runs(roots: Roots, arm: Arm, extras: Extras = Extras()) -> dict[tuple[str, int], str]:  # noqa: B008  (a frozen value)
    """What runs that are right at every step send, by root and position; -1 for a whole answer."""
    asked = sheet(roots, arm, extras)
    found = {}
    for root_id in asked.names:
        run: Run = asked.start(root_id)
        while run.record is None:
            request = run.request
            worded = asked.word(root_id, request)
            found[root_id, *(request.positions or (-1,))] = worded.payload
            right = {option.symbol: option for option in request.options}
            wanted = asked.right(root_id, request)[0].symbol
            run = run.give(right[wanted].code if arm.contract == "code" else wanted)
    return found  # type: ignore[return-value]  # one position each


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("world", ["arithmetic", "facts", "symbols", "dialogue"])
def test_a_driven_request_has_the_payload_of_its_static_twin(folder: Path, world: str, wire: str) -> None:
    roots = emitted(folder, world, PLAIN, "problem", wire)
    static = payloads(roots)
    native = runs(roots, Arm("native"))
    independent = runs(roots, Arm("independent"))
    unions = runs(roots, Arm("independent", "union"))
    serial, tries = runs(roots, Arm("serial", "union")), runs(roots, Arm("serial", "trie"))
    compared = 0
    for root_id, root in roots.by_id.items():
        first, second, *_ = sheet(roots, Arm("native")).tasks[root_id].geometry.open_positions
        assert native[root_id, -1] == static[root_id, "canonical"]
        for at in range(3):
            if (root_id, f"at-{at + 1}") in static:
                assert independent[root_id, at] == static[root_id, f"at-{at + 1}"]
                compared += 1
        assert independent[root_id, first] == static[root_id, "full-1"]
        assert unions[root_id, second] == static[root_id, "union-2"]
        assert tries[root_id, second] == static[root_id, "trie-2"]
        if first == 0:
            assert serial[root_id, 0] == static[root_id, "union-1"]
        assert root.texts == tuple(root.shown.values())
    assert compared


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("view", ["copy", "miscopy"])
def test_copies_are_asked_for_as_the_cohort_asks_for_them(folder: Path, view: str, wire: str) -> None:
    roots = emitted(folder, "arithmetic", COPIED, view, wire)
    static = payloads(roots)
    for evidence in ("indexed", "direct", "padded"):
        asked = runs(roots, Arm("copy", feedback="none", evidence=evidence))
        assert all(asked[root, 1] == static[root, f"at-2+{evidence}"] for root in roots.by_id)
    reworded = runs(roots, Arm("copy", feedback="none", wording=1))
    assert all(reworded[root, 1] == static[root, "at-2+wording-1"] for root in roots.by_id)
    gold = roots.gold
    record = construct(roots.folder, Arm("copy"), script=Script())[0].records[0]
    assert (record.record.output == gold[record.root_id]) == (view == "copy")  # type: ignore[union-attr]  # no dialogue


def test_a_cohort_that_shows_the_problem_can_be_copied_from(folder: Path) -> None:
    """The right answer is supplied, through the view that a cohort of copies has."""
    problem = emitted(folder, "arithmetic", PLAIN, "problem", "systemone")
    copies = emitted(folder, "arithmetic", COPIED, "copy", "systemone")
    arm = Arm("copy", evidence="indexed")
    mine, theirs = runs(problem, arm), runs(copies, arm)
    assert list(mine.values()) == list(theirs.values())  # one seed has one item in every view


@pytest.mark.parametrize(
    ("view", "arm", "fault"),
    [
        ("candidates", Arm("serial"), "the view candidates of arithmetic does not show left"),
        ("copy", Arm("native"), "the view copy of arithmetic does not show left"),
        ("problem", Arm("self-plan-spell"), "about strings that a system chose before"),
        ("problem", Arm("program-return"), "about strings that a system chose before"),
    ],
)
def test_what_a_cohort_does_not_show_is_not_asked(folder: Path, view: str, arm: Arm, fault: str) -> None:
    roots = emitted(folder, "arithmetic", ("canonical",), view, "chat")
    with pytest.raises(SheetError, match=fault):
        sheet(roots, arm)


def test_plans_of_other_roots_leave_these_out(folder: Path) -> None:
    roots = emitted(folder, "arithmetic", PLAIN, "problem", "systemone")
    first = next(iter(roots.by_id))
    plans = {first: roots.by_id[first].candidates[3]}
    asked = sheet(roots, Arm("self-plan-spell"), Extras(plans))
    assert list(asked.names) == [first] and asked.tasks[first].supplied == plans[first]
    with pytest.raises(SheetError, match="the supplied string has 9 characters"):
        sheet(roots, Arm("self-plan-spell"), Extras({first: "123456789"}))


def test_drafts_and_claims_slip_where_they_are_to(folder: Path) -> None:
    roots = emitted(folder, "arithmetic", PLAIN, "problem", "systemone")
    for slip in (False, True):
        probes = sheet(roots, Arm("prefix-probe"), Extras(slip=slip)).tasks
        for root_id, task in probes.items():
            assert task.draft and len(task.draft) == task.asked[0]
            wrong = [a != b for a, b in zip(task.draft, roots.gold[root_id], strict=False)]
            assert sum(wrong) == slip
        checks = sheet(roots, Arm("identity-check"), Extras(slip=slip)).tasks
        for root_id, task in checks.items():
            assert (task.claimed == roots.gold[root_id][task.asked[0]]) != slip
    assert sheet(roots, Arm("prefix-probe"), Extras(slip=True)).tasks == probes
    assert sheet(roots, Arm("prefix-probe"), Extras(slip=True, seed=1)).tasks != probes


def test_names_are_distinct_and_keep_no_symbol() -> None:
    chance = Chance(5, "r")
    naming = chance.naming(LETTERS)
    assert len(set(naming.opaque)) == 26 and all(len(code) == 6 for code in naming.opaque)
    orders = chance.orders(26)
    assert orders[1] == orders[0][::-1] and sorted(orders[2]) == list(orders[0]) and len({*orders}) == 3


@pytest.mark.parametrize("binding", ["opaque", "remapped", "aligned", "conflicting"])
@pytest.mark.parametrize("order", [0, 1, 2])
def test_any_binding_and_order_can_be_driven(folder: Path, binding: str, order: int) -> None:
    roots = emitted(folder, "arithmetic", PLAIN, "problem", "systemone")
    arm = Arm("serial", "union", binding=binding, order=order)  # type: ignore[arg-type]  # a literal
    construction, _ = construct(roots.folder, arm, script=Script())
    for each in construction.records:
        assert each.record.output == roots.gold[each.root_id]  # type: ignore[union-attr]  # no dialogue
    chosen = construct(roots.folder, arm)[0].pending[0].request.options
    assert all((option.code == option.symbol) == (binding == "aligned") for option in chosen)


def test_a_world_without_candidates_is_refused(folder: Path) -> None:
    emit(cohort_of(read_world("noisy-sensor"), ("event",)), 4, 1, folder / "sensor")
    with pytest.raises(SheetError, match="noisy-sensor has no candidates to construct"):
        roots_of(open_cohort(folder / "sensor"))


def test_a_world_that_words_otherwise_is_refused(folder: Path) -> None:
    roots = emitted(folder, "facts", PLAIN, "problem", "systemone")
    with pytest.raises(SheetError, match="has no stratum"):
        roots_of(roots.folder, "arithmetic")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("world", ["facts", "dialogue"])
def test_fields_are_asked_for_by_name_as_the_cohort_does(folder: Path, world: str, wire: str) -> None:
    roots = emitted(folder / "named", world, ("canonical", "at-1+named", "at-2+named"), "problem", wire)
    static = payloads(roots)
    extras = Extras(named=True)
    asked = runs(roots, Arm("independent"), extras)
    for root in roots.by_id:
        for at in range(2):
            assert asked[root, at] == static[root, f"at-{at + 1}+named"]
    done, _ = construct(roots.folder, Arm("serial"), script=Script(), extras=extras)
    assert {each.root_id: each.record.output for each in done.records} == roots.gold  # type: ignore[union-attr]  # no dialogue
    for arm in (Arm("native"), Arm("independent", feedback="batch"), Arm("stopping")):
        with pytest.raises(SheetError, match="has no fields"):
            sheet(roots, arm, extras)


def test_what_has_no_fields_is_not_asked_for_them(folder: Path) -> None:
    roots = emitted(folder, "arithmetic", PLAIN, "problem", "systemone")
    with pytest.raises(SheetError, match="arithmetic has no fields that serial could ask for by name"):
        sheet(roots, Arm("serial"), Extras(named=True))
