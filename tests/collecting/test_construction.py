"""Constructions round by round: what is taken, what is refused, and what a folder remembers."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.cohort.manifests import CohortError
from worldgen.collecting import doors
from worldgen.collecting.construction import Construction, Pending
from worldgen.collecting.construction_files import ConstructionError
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.controllers.records import Answer, Record, Request
from worldgen.collecting.doors import arm_for, construct, plans_for, retention
from worldgen.collecting.record_files import RecordsError, read_records
from worldgen.collecting.roots import SheetError, roots_of
from worldgen.collecting.scripts import Script, ScriptError, response
from worldgen.collecting.sheets import Extras, sheet
from worldgen.emission.emit import emit
from worldgen.emission.folder import CohortFolder, open_cohort
from worldgen.emission.locks import alone
from worldgen.scoring.reports.files import write_reports
from worldgen.scoring.reports.report import Report, ReportsError
from worldgen.spec import cohort_of, read_candidates

SERIAL = Arm("serial", "trie", "fill")


@pytest.fixture(scope="session")
def sums(tmp_path_factory: pytest.TempPathFactory) -> CohortFolder:
    """Eight sums. Nothing may be written there."""
    folder = tmp_path_factory.mktemp("sums") / "cohort"
    emit(cohort_of(read_candidates("arithmetic"), ["canonical", "at-1"]), 8, 1, folder)
    return open_cohort(folder)


def answered(pending: Pending, place: int, system: str = "m") -> Report:
    """A report that chooses the option at a place, counted on from the first."""
    worded = pending.asked.worded
    picked = worded.answer_ids[place % len(worded.answer_ids)]
    body = response(pending.asked.wire, worded.questions, worded.answer_ids, [picked])
    return Report(system, pending.request_id, response=body)


def choice(request: Request, place: int) -> Answer:
    return request.options[place % len(request.options)].code


@pytest.fixture(scope="session")
def begun(sums: CohortFolder) -> list[Construction]:
    """Constructions that nothing was told yet."""
    arms = (SERIAL, Arm("serial"), Arm("independent", "union"), Arm("native"))
    return [construct(sums, arm)[0] for arm in arms]


@given(st.data())
def test_rounds_come_to_what_driving_comes_to(begun: list[Construction], data: st.DataObject) -> None:
    """In parts and in any order, with reports of several rounds at once, runs end as they do when driven."""
    places = data.draw(st.lists(st.integers(0, 9), min_size=8, max_size=8))
    first = construction = data.draw(st.sampled_from(begun))
    numbers = dict(zip(construction.runs, places, strict=True))
    wanted = {
        name: drive(construction.sheet.start(name), lambda request, at=place: choice(request, at))  # type: ignore[misc]  # bound as it is made
        for name, place in numbers.items()
    }
    kept: list[Report] = []
    while construction.pending:
        some = data.draw(st.permutations(construction.pending))[: data.draw(st.integers(1, 8))]
        reports = [answered(each, numbers[each.root_id]) for each in some]
        kept += reports
        construction, told = construction.tell(reports)
        assert (told.taken, told.refused) == (len(some), {})
    assert {each.root_id: each.record for each in construction.records} == wanted
    again, told = first.tell(data.draw(st.permutations(kept)))
    assert again == construction and told.taken == len(kept)
    same, told = construction.tell(kept)
    assert same == construction and (told.taken, told.known) == (0, len(kept))


def test_what_does_not_fit_is_refused_and_counted(sums: CohortFolder) -> None:
    construction, _ = construct(sums, SERIAL)
    first, second, third, fourth, *_ = construction.pending
    others = construct(sums, Arm("serial"))[0].pending[0]
    later = first.request_id[:-1] + "1"
    reports = [
        answered(first, 0),
        Report("m", later, repeat=1, response="x"),
        Report("m", f"{later}0", response="x"),
        Report("m", "nobody", response="x"),
        answered(others, 0),
        answered(second, 0, system="other"),
        answered(third, 0),
        answered(third, 1),
        Report("m", fourth.request_id, attempt=0, final=False, status="unavailable"),
        Report("m", fourth.request_id, attempt=1, response="c1"),
    ]
    construction, told = construction.tell(reports)
    assert (construction.system, told.taken, told.earlier) == ("m", 2, 1)
    assert told.refused == {
        "unknown request": 2,
        "not asked yet": 1,
        "another system": 1,
        "two final attempts": 2,
        "a repeat": 1,
    }
    both = [answered(each, 0, system) for each in (first, second) for system in ("m", "n")]
    other, told = construct(sums, SERIAL)[0].tell([Report("x", "nobody", response="x"), *both])
    assert (other.system, told.taken, told.refused) == ("m", 2, {"another system": 3})
    none, told = construct(sums, SERIAL)[0].tell([Report("x", "nobody", response="x")])
    assert (none.system, told.refused) == ("", {"unknown request": 1})
    construction, told = construction.tell([answered(first, 1)])
    assert told.refused == {"answered otherwise before": 1}
    with pytest.raises(ReportsError):
        construction.tell([Report("m", "x")])


def test_what_counts_as_chosen(sums: CohortFolder) -> None:
    """The pick of a column, then of the response, then the greatest mass, then the response itself."""
    first = construct(sums, SERIAL)[0].pending[0]
    masses = {"c1": 0.2, "c2": 0.5, "c3": 0.2, "c4": 0.1}

    def body(**more: str) -> str:
        return json.dumps({"answers": {"q": {"type": "choice", **more, "probabilities": masses}}})

    def answer(**said: object) -> Answer:
        return first.asked.taken(Report("m", first.request_id, **said)).answer  # type: ignore[arg-type]  # its fields

    assert answer(response=body(choice="c3"), selected="c1") == "c1"
    assert answer(response=body(choice="c3")) == "c3"
    assert answer(response=body(choice="c9")) == "c9"  # named to the letter, and no option
    assert answer(response=body()) == "c2"
    assert answer(probabilities=(("c4", "0.4"), ("c3", "0.4"), ("c2", "0.1"), ("c1", "0.1"))) == "c3"
    assert answer(logprobs=(("c4", "-0.01"), ("c3", "-inf"), ("c2", "-inf"), ("c1", "-9"))) == "c4"
    assert answer(response="c4") == "c4"
    assert answer(response="It is c4.") == "It is c4."
    assert answer(status="unavailable") is None
    assert first.asked.taken(Report("m", first.request_id, response="c4")).masses == (None,)
    (row,) = first.asked.taken(Report("m", first.request_id, response=body())).masses
    assert row is not None and list(map(str, row)) == ["1/5", "1/2", "1/5", "1/10"]


def test_masses_of_any_length_are_kept(sums: CohortFolder, tmp_path: Path) -> None:
    """Log-probabilities as small as a report may have are ratios of thousands of digits."""
    asked = construct(sums, Arm("native"))[0].pending
    logs = (("c1", "0"), ("c2", "-9999.5"), *((f"c{n}", "-inf") for n in range(3, 9)))
    reports = [Report("m", each.request_id, logprobs=logs) for each in asked]
    done, _ = construct(sums, Arm("native"), *reports, runs=tmp_path / "runs")
    (masses,) = done.records[0].masses[0]
    assert masses is not None and masses[1].denominator > 10**4300
    assert construct(sums, runs=tmp_path / "runs")[0] == done
    assert read_records([tmp_path / "runs" / "records.jsonl"]).runs == done.records
    assert retention(sums, tmp_path / "runs" / "records.jsonl", replicates=100).tables["confidence"]


def test_a_batch_is_answered_question_by_question(sums: CohortFolder) -> None:
    pending = construct(sums, Arm("copy", feedback="batch"))[0].pending[0]
    ids, questions = pending.asked.worded.answer_ids, pending.asked.worded.questions
    whole = json.loads(response("systemone", questions, ids, [ids[0], ids[1], ids[2]]))
    report = Report("m", pending.request_id, response=json.dumps(whole))
    taken = pending.asked.taken(report)
    assert taken.answer == ids[:3] and all(row is not None for row in taken.masses)
    whole["answers"]["q2"]["probabilities"]["c1"] = "much"
    taken = pending.asked.taken(Report("m", pending.request_id, response=json.dumps(whole)))
    assert isinstance(taken.answer, tuple) and taken.answer[0] == "c1" and "much" in taken.answer[1]
    assert [row is None for row in taken.masses] == [False, True, False]
    del whole["answers"]["q2"]
    body = json.dumps(whole)
    assert pending.asked.taken(Report("m", pending.request_id, response=body)).answer == body


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_folder_goes_on_where_it_was(sums: CohortFolder, tmp_path: Path) -> None:
    runs, file = tmp_path / "runs", tmp_path / "answers.jsonl"
    construction, _ = construct(sums, SERIAL, runs=runs)
    assert len(lines(runs / "requests.jsonl")) == 8 and not (runs / "records.jsonl").read_text()
    asked = lines(runs / "requests.jsonl")[0]
    assert asked["payload"] == construction.pending[0].asked.worded.payload
    kept: list[Report] = []
    while construction.pending:
        kept += [answered(each, 1) for each in construction.pending]
        write_reports(kept, file)  # all answers so far, as one file that grows
        construction, told = construct(sums, None, file, runs=runs)
        assert told.refused == {} and told.taken + told.known == len(kept)
        assert construct(sums, runs=runs)[0] == construction
    assert read_records([runs / "records.jsonl"]).runs == construction.records
    assert (runs / "requests.jsonl").read_text() == ""
    before = {path.name: path.read_bytes() for path in runs.iterdir()}
    (runs / "records.jsonl").unlink()
    (runs / "requests.jsonl").write_text("cut off")
    construct(sums, SERIAL, runs=runs)
    assert {path.name: path.read_bytes() for path in runs.iterdir()} == before


def test_one_call_at_a_time_is_at_work_in_a_folder(
    sums: CohortFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, arm = tmp_path / "runs", Arm("independent")
    with (
        alone(runs, "call of construct"),
        pytest.raises(CohortError, match="another call of construct is writing to"),
    ):
        construct(sums, arm, runs=runs, script=Script())
    assert not list(runs.iterdir())
    construct(sums, arm, runs=runs, script=Script())

    @contextmanager
    def after_another(folder: Path, work: str) -> Iterator[None]:
        """What comes of a second call that has found no folder yet when the first one writes it."""
        with alone(folder, work):
            monkeypatch.setattr(doors, "alone", lambda *_: nullcontext())
            construct(sums, arm, runs=folder, extras=Extras(seed=2))
            yield

    monkeypatch.setattr(doors, "alone", after_another)
    with pytest.raises(ConstructionError, match="asked in another way"):
        construct(sums, arm, runs=tmp_path / "later", script=Script())
    assert not (tmp_path / "later" / "answers.jsonl").read_text()
    monkeypatch.setattr(doors, "alone", after_another)
    construction, _ = construct(sums, arm, runs=tmp_path / "same", extras=Extras(seed=2))
    assert not construction.over


@pytest.mark.parametrize("door", [construct, retention])
def test_a_cohort_is_opened_first(door: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=f"{door.__name__} takes an opened cohort, not 'sums'"):
        door("sums", Arm("serial"))


def test_a_folder_of_other_runs_is_refused(sums: CohortFolder, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    with pytest.raises(TypeError, match="takes an arm"):
        construct(sums)
    with pytest.raises(ConstructionError, match="holds no runs yet"):
        construct(sums, runs=runs)
    runs.mkdir()
    (runs / "construction.json.part").write_text("cut o")  # left by a first call that was interrupted
    construct(sums, SERIAL, runs=runs)
    with pytest.raises(ConstructionError, match="asked in another way"):
        construct(sums, Arm("serial"), runs=runs)
    with pytest.raises(ConstructionError, match="asked in another way"):
        construct(sums, SERIAL, runs=runs, extras=Extras(seed=3))
    other = tmp_path / "other"
    emit(cohort_of(read_candidates("arithmetic"), ["canonical"]), 8, 2, other)
    with pytest.raises(ConstructionError, match="another cohort"):
        construct(open_cohort(other), SERIAL, runs=runs)
    with pytest.raises(ConstructionError, match="holds no construction"):
        construct(sums, SERIAL, runs=other)
    (runs / "construction.json").write_text("{}")
    with pytest.raises(ConstructionError, match="no head"):
        construct(sums, SERIAL, runs=runs)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"root_id"', '"root"', "answers.jsonl:2: it is no answer"),
        ('-0", "root_id"', '-1", "root_id"', "answers.jsonl:2: it answers another request"),
        ('"probabilities": [[', '"probabilities": [["x", ', "answers.jsonl:2: 'x' is no probability"),
        ("}", "", "answers.jsonl:2: it is not a line of JSON"),
        ('"m"', '"n"', "answers.jsonl:2: it is of another system"),
    ],
)
def test_a_damaged_folder_is_refused_with_its_line(
    sums: CohortFolder, tmp_path: Path, old: str, new: str, fault: str
) -> None:
    runs = tmp_path / "runs"
    construction, _ = construct(sums, SERIAL)
    construct(sums, SERIAL, *[answered(each, 1) for each in construction.pending], runs=runs)
    file = runs / "answers.jsonl"
    written = file.read_text().splitlines()
    written[1] = written[1].replace(old, new)
    file.write_text("\n".join(written))
    with pytest.raises(ConstructionError, match=fault):
        construct(sums, runs=runs)


def test_answers_of_a_run_that_was_over_are_refused(sums: CohortFolder, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    construct(sums, Arm("native"), runs=runs, script=Script())
    file = runs / "answers.jsonl"
    one = lines(file)[0]
    more = {**one, "request_id": str(one["request_id"])[:-1] + "1"}
    file.write_text(file.read_text() + json.dumps(more) + "\n")
    with pytest.raises(ConstructionError, match="the run is over"):
        construct(sums, runs=runs)


def test_plans_are_copied_whether_they_are_right_or_not(sums: CohortFolder, tmp_path: Path) -> None:
    native, copies = tmp_path / "native", tmp_path / "copies"
    roots = sums.table("roots").column("root_id").to_pylist()
    construct(sums, Arm("native"), runs=native, script=Script("wrong-at-1", set(roots[:3])), system="m")
    perfect = tmp_path / "perfect"
    construct(sums, Arm("native"), runs=perfect, script=Script(), system="m")
    plans = plans_for(sums, native / "records.jsonl")
    gold = {row["root_id"]: row["gold"] for row in sums.table("geometry").to_pylist()}
    assert [root for root in roots if plans[root] != gold[root]] == roots[:3]
    arm = Arm("self-plan-spell", evidence="indexed")
    done, _ = construct(sums, arm, runs=copies, script=Script(), extras=Extras(plans))
    assert {each.root_id: output(each.record) for each in done.records} == plans
    assert construct(sums, runs=copies)[0] == done
    returned, _ = construct(sums, Arm("program-return"), extras=Extras(plans))
    assert returned.over and {each.root_id: output(each.record) for each in returned.records} == plans
    both = [*lines(native / "records.jsonl"), {**lines(native / "records.jsonl")[0], "system": "n"}]
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text("".join(json.dumps(line) + "\n" for line in both))
    with pytest.raises(RecordsError, match="plans of m, n"):
        plans_for(sums, mixed)
    with pytest.raises(RecordsError, match=f"two plans for {roots[0]}"):
        plans_for(sums, native / "records.jsonl", perfect / "records.jsonl")
    mixed.write_text("".join(json.dumps(line) + "\n" for line in both[:2]) + "{\n")
    with pytest.raises(RecordsError, match=r"some lines of the plans are no records\n.*mixed.jsonl:3"):
        plans_for(sums, mixed)


def test_plans_of_some_items_leave_the_others_out(sums: CohortFolder) -> None:
    first = sums.table("roots").column("root_id").to_pylist()[0]
    gold = sums.table("geometry").to_pylist()[0]["gold"]
    done, _ = construct(sums, Arm("program-return"), extras=Extras({first: gold}))
    assert done.over and [each.root_id for each in done.records] == [first]
    assert done.sheet.without == 7


def test_a_copy_can_show_the_beginning_of_what_is_copied(sums: CohortFolder) -> None:
    """Its right prefix is that of the string to be copied, which is shown anyhow: it needs no gold."""
    roots = roots_of(sums)
    wrong = {
        name: next(word for word in root.candidates if word != roots.gold[name])
        for name, root in roots.by_id.items()
    }
    done, _ = construct(sums, Arm("copy", feedback="gold"), script=Script(), extras=Extras(wrong))
    for each in done.records:
        assert output(each.record) == wrong[each.root_id]
        run = done.sheet.start(each.root_id)
        for at in range(len(wrong[each.root_id])):
            assert run.request.prefix == tuple(wrong[each.root_id][:at])
            run = run.give(choice(run.request, 0))


def output(record: object) -> str | None:
    assert isinstance(record, Record)
    return record.output


def test_reports_on_a_cohort_s_own_requests_are_whole_answers(sums: CohortFolder, tmp_path: Path) -> None:
    requests = {row["request_id"]: row for row in sums.table("requests").to_pylist()}
    reports = []
    for name, row in requests.items():
        masses = [(one, "1" if place == 2 else "0") for place, one in enumerate(row["answer_ids"])]
        reports.append(Report("m", name, probabilities=tuple(masses)))
    file = tmp_path / "reports.parquet"
    write_reports(reports, file)
    plans = plans_for(sums, file)
    assert plans == {
        row["root_id"]: row["options"][2] for row in requests.values() if row["variant"] == "canonical"
    }
    with pytest.raises(RecordsError, match=r"no requests of the variant canonical\+wording-1"):
        plans_for(sums, file, variant="canonical+wording-1")
    for other in ("at-1", "event", "canonical+draft-1", "typo"):
        with pytest.raises(RecordsError, match=f"no request {re.escape(other)} asks for a whole answer"):
            plans_for(sums, file, variant=other)


def test_scripts_have_names() -> None:
    for name in ("wrong-at-N", "wrong-at-0", "prefect"):
        with pytest.raises(ScriptError, match="there is no script"):
            Script(name)


def test_a_script_goes_on_as_the_system_that_began(sums: CohortFolder, tmp_path: Path) -> None:
    pending = construct(sums, SERIAL)[0].pending
    construct(sums, SERIAL, answered(pending[0], 0), runs=tmp_path / "runs")
    with pytest.raises(ConstructionError, match="the runs are of the system m"):
        construct(sums, runs=tmp_path / "runs", script=Script(), system="n")
    done, _ = construct(sums, runs=tmp_path / "runs", script=Script())
    assert done.over and done.system == "m"


def test_arms_are_named_for_what_the_cohort_is(sums: CohortFolder) -> None:
    assert arm_for(sums, "serial", support="trie", filling=None) == Arm("serial", "trie")
    with pytest.raises(ControllerError, match="the arm joint asks for the states of dialogues"):
        arm_for(sums, "joint")
    with pytest.raises(ControllerError, match="no interface is called jiont"):
        arm_for(sums, "jiont")


@pytest.mark.parametrize(
    ("arm", "extras", "fault"),
    [
        (Arm("serial"), Extras(slip=True), "the arm serial makes nothing of slip"),
        (Arm("serial"), Extras(plans={}), "the arm serial makes nothing of plans"),
        (Arm("serial"), Extras(listed=(0,)), "the arm serial makes nothing of listed"),
        (Arm("serial", filling="listed"), Extras(listed=(0, 8)), "no answer of the cohort has a position 9"),
        (Arm("copy"), Extras(plans={"nobody": "123"}), "the plans say nothing about any root"),
    ],
)
def test_what_would_change_nothing_is_refused(
    sums: CohortFolder, arm: Arm, extras: Extras, fault: str
) -> None:
    with pytest.raises(SheetError, match=fault):
        construct(sums, arm, extras=extras)


def test_the_public_side_is_enough_for_arms_that_show_nothing_of_the_answer(
    sums: CohortFolder, tmp_path: Path
) -> None:
    shutil.copytree(str(sums.root / "public"), tmp_path / "alone" / "public")
    alone = open_cohort(tmp_path / "alone")
    for arm in (SERIAL, Arm("independent"), Arm("native"), Arm("candidates-only"), Arm("stopping")):
        mine, theirs = construct(alone, arm)[0], construct(sums, arm)[0]
        assert [each.asked for each in mine.pending] == [each.asked for each in theirs.pending]
    for arm in (Arm("teacher-forced"), Arm("copy"), Arm("prefix-probe")):
        with pytest.raises(SheetError, match="which only the evaluator's side has") as refused:
            construct(alone, arm)
        assert "keep evaluator/ beside public/" in str(refused.value)


def test_a_run_shows_no_gold_that_it_need_not(sums: CohortFolder) -> None:
    roots = roots_of(sums)
    for arm in (SERIAL, Arm("native"), Arm("independent"), Arm("stopping")):
        assert all(task.gold is None for task in sheet(roots, arm).tasks.values())
    assert "gold" not in vars(roots)  # the evaluator's side was not opened
