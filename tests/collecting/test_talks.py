"""Dialogues of a cohort: which roots are one dialogue, how their turns are asked about, and what is kept."""

import json
from pathlib import Path

import pytest

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import WAYS, DialogueArm, DialogueRecord
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.doors import arm_for, construct, retention
from worldgen.collecting.roots import SheetError, roots_of
from worldgen.collecting.scripts import Script
from worldgen.collecting.sheets import Extras
from worldgen.collecting.talks import talk_sheet, talks_of, turns
from worldgen.emission.emit import emit
from worldgen.emission.folder import CohortFolder, open_cohort
from worldgen.scoring.retention.trajectories import endpoints, state_retention
from worldgen.spec import cohort_of, read_candidates
from worldgen.worlds.services import ABSENT

NAMES = ("canonical", "at-1", "at-2")


def emitted(folder: Path, roots: int, wire: str, view: str = "problem") -> CohortFolder:
    emit(cohort_of(read_candidates("dialogue").through(view), NAMES, wire=wire), roots, 2, folder)
    return open_cohort(folder)


@pytest.fixture(scope="session")
def talks(tmp_path_factory: pytest.TempPathFactory) -> CohortFolder:
    """Six dialogues, four turns each. Nothing may be written there."""
    return emitted(tmp_path_factory.mktemp("talks") / "cohort", 24, "systemone")


def test_roots_are_put_together_as_the_evaluator_has_them(talks: CohortFolder) -> None:
    (stratum,) = talks.manifest["strata"]
    place = stratum["hidden"].index("dialogue")
    names = {row["root_id"]: row["hidden"][place] for row in talks.table("truth").to_pylist()}
    found = talks_of(roots_of(talks))
    assert [len(talk.roots) for talk in found] == [4] * 6
    for talk in found:
        assert len({names[root.root_id] for root in talk.roots}) == 1
        assert len(talk.fields) == len(talk.roots[0].candidates[0]) and talk.fields[0] == "intent"


@pytest.mark.parametrize("wire", ["systemone", "chat"])
@pytest.mark.parametrize("arm", list(WAYS))
def test_every_arm_can_be_driven_on_every_wire(tmp_path: Path, arm: DialogueArm, wire: str) -> None:
    cohort = emitted(tmp_path / "cohort", 8, wire)
    done, _ = construct(cohort, arm, script=Script())
    for each in done.records:
        assert isinstance(each.record, DialogueRecord)
        states = tuple(tuple(roots_of(cohort).gold[root]) for root in each.roots)
        assert each.record.states == states


def test_requests_show_what_their_arm_says(talks: CohortFolder) -> None:
    static = {(row["root_id"], row["variant"]): row["payload"] for row in talks.table("requests").to_pylist()}
    for arm in WAYS:
        begun, _ = construct(talks, arm)
        begun, _ = begun.tell([Script("wrong-at-1").report(begun.sheet, each, "m") for each in begun.pending])
        way, sheet = WAYS[arm], talk_sheet(roots_of(talks), arm)
        for each in begun.pending:
            talk = sheet.talks[each.root_id]
            root = talk.roots[each.request.turn]
            body = json.loads(each.asked.worded.payload)
            assert len(body["questions"]) == (1 if way.by_field else len(talk.fields))
            for turn in turns(root)[:-1]:
                assert (turn in body["state"]) == (way.history == "all")
            assert turns(root)[-1] in body["state"]
            assert ("Before it the state was given as" in body["state"]) == (way.prior != "none")
            if arm == "independent":
                assert each.asked.worded.payload == static[root.root_id, "at-2"]
            if way.prior == "own":
                assert f"given as {''.join(each.request.prior)}," in body["state"]
                assert body["state"].count(ABSENT) == 7


def test_a_field_without_a_value_goes_on_as_a_mark(talks: CohortFolder) -> None:
    begun, _ = construct(talks, "rollout")
    for _ in range(2):
        begun, _ = begun.tell([Script("silent").report(begun.sheet, each, "m") for each in begun.pending])
    assert all("given as ?" in each.asked.worded.payload for each in begun.pending)
    serial, _ = construct(talks, "serial")
    serial, _ = serial.tell([Script("silent").report(serial.sheet, each, "m") for each in serial.pending])
    assert all("reads ?," in each.asked.worded.payload for each in serial.pending)


def test_dialogues_that_are_not_all_there_are_refused(tmp_path: Path, talks: CohortFolder) -> None:
    roots = roots_of(talks)
    cut = dict(list(roots.by_id.items())[2:])
    with pytest.raises(SheetError, match="goes on with a dialogue whose turns before are not there"):
        talks_of(type(roots)(roots.folder, roots.cohort, cut))
    with pytest.raises(SheetError, match="the view candidates shows no turns"):
        talks_of(roots_of(emitted(tmp_path / "cohort", 4, "systemone", "candidates")))


def test_arms_are_those_of_dialogues_unless_more_is_said(talks: CohortFolder) -> None:
    assert arm_for(talks, "serial", support=None) == "serial"
    assert arm_for(talks, "serial", support="trie") == Arm("serial", "trie")
    assert arm_for(talks, "serial", Extras(named=True)) == Arm("serial")
    assert arm_for(talks, "native") == Arm("native")
    with pytest.raises(ControllerError, match="the arm joint of a dialogue makes nothing of wording"):
        arm_for(talks, "joint", wording=1)
    with pytest.raises(ControllerError, match="the arm rollout of a dialogue makes nothing of named"):
        arm_for(talks, "rollout", Extras(named=True))
    with pytest.raises(SheetError, match="the arm joint of a dialogue makes nothing of slip"):
        construct(talks, "joint", extras=Extras(slip=True))


def test_endpoints_and_what_is_kept_of_joint_states(talks: CohortFolder) -> None:
    """The joint arm is wrong in two dialogues, the serial one in three others and one of these."""
    names = [talk.roots[0].root_id for talk in talks_of(roots_of(talks))]
    joint, _ = construct(talks, "joint", script=Script("wrong-at-1", names[:2]), system="m")
    serial, _ = construct(talks, "serial", script=Script("wrong-at-2", names[1:5]), system="m")
    found = retention(talks, *joint.records, *serial.records, replicates=100)
    rows = {row["arm"]: row for row in found.tables["dialogues"]}
    right = {
        arm: [[name not in wrong] * 4 for name in names]
        for arm, wrong in (("joint", names[:2]), ("serial", names[1:5]))
    }
    for arm, turned in right.items():
        wanted = endpoints(turned)
        assert rows[arm]["mean_turn"] == float(wanted.mean_turn or 0)
        assert rows[arm]["trajectory"] == float(wanted.trajectory or 0)
        assert (rows[arm]["failed"], rows[arm]["recovered"]) == (wanted.failed, 0)
    assert rows["joint"]["retained"] is None
    assert rows["serial"]["retained"] == float(state_retention(right["joint"], right["serial"]) or 0) == 0.25
    assert rows["serial"]["signs"] == rows["serial"]["signs_holm"] == 0.625  # 3 lost, 1 gained, of 4 coins
    assert not found.tables["joint"]
