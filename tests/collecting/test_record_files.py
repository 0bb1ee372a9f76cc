"""Files of records: what is written is read back equal, and a line that says anything else is refused."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.collecting.items import arithmetic, perfect, wrong_at
from tests.collecting.test_dialogues import ARMS, TALK, drawn
from tests.collecting.test_runs import PAIRS, answers
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import DialogueArm, DialogueRun
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.running import replay, start
from worldgen.collecting.controllers.tasks import Task
from worldgen.collecting.filed import AnyRecord, Filed, Masses, calls, tree_of
from worldgen.collecting.record_files import RecordsError, line_of, read_records, write_records
from worldgen.collecting.unfiled import TreeError, filed_of
from worldgen.scoring.reports.jsontext import decode

TEXT = st.text(min_size=1, max_size=8).filter(lambda text: "\ud800" not in text)


def filed(data: st.DataObject, record: AnyRecord, roots: int = 1) -> Filed:
    """A record with drawn names and masses."""

    def masses(options: int) -> Masses | None:
        weights = data.draw(
            st.none() | st.lists(st.integers(0, 9), min_size=options, max_size=options).filter(any)
        )
        return None if weights is None else tuple(Fraction(weight, sum(weights)) for weight in weights)

    rows = tuple(tuple(masses(len(row)) for row in call.options) for call in calls(record))
    return Filed(data.draw(TEXT), tuple(f"r{place}" for place in range(roots)), record, rows)


@given(PAIRS, st.data())
def test_a_record_is_read_back_as_it_was_written(pair: tuple[Arm, Task], data: st.DataObject) -> None:
    task = replace(pair[1], gold=pair[1].gold if pair[0].feedback == "gold" else None)
    record = drive(start(pair[0], task), lambda request: answers(data, request))
    found = filed(data, record)
    read = filed_of(decode(line_of(found))[0])
    assert read == found
    assert read.record == record and replay(record) == record


@given(ARMS, st.data())
def test_a_record_of_a_dialogue_is_read_back_as_it_was_written(arm: DialogueArm, data: st.DataObject) -> None:
    talk = TALK if arm == "oracle" else replace(TALK, gold=None, count=3)
    record = drive(DialogueRun(arm, talk), lambda request: drawn(data, request))
    found = filed(data, record, 3)
    assert filed_of(decode(line_of(found))[0]) == found


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of everything in a tree."""
    parts = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(found for name, part in parts for found in leaves(part, (*path, name)))]


def put(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The tree with another value at a path."""
    if not path:
        return value
    copied = dict(tree) if isinstance(tree, dict) else list(tree)
    copied[path[0]] = put(copied[path[0]], path[1:], value)
    return copied


@given(PAIRS, st.data())
def test_a_line_with_any_other_value_is_refused_or_is_another_record(
    pair: tuple[Arm, Task], data: st.DataObject
) -> None:
    record = drive(start(*pair), lambda request: answers(data, request))
    found = filed(data, record)
    tree = json.loads(line_of(found))
    path = data.draw(st.sampled_from(leaves(tree)))
    forged = put(tree, path, data.draw(st.sampled_from([None, "5", "", 7, True, [], ["5"], {}, {"a": "b"}])))
    try:
        read = filed_of(decode(json.dumps(forged))[0])
    except TreeError:
        return
    assert tree_of(read) == forged  # nothing was believed, nothing repaired


def built() -> list[Filed]:
    """Records of a few items."""
    arm, found = Arm("serial", "trie", "fill"), []
    for place, task in enumerate(arithmetic(1)):
        script = wrong_at(task, 0) if place % 2 else perfect(task)
        record = drive(start(arm, replace(task, gold=None)), script)
        found.append(Filed("m", (f"r{place}",), record, ((None,),) * record.calls))
    return found


def test_bad_lines_are_counted_and_the_others_stand(tmp_path: Path) -> None:
    file, runs = tmp_path / "records.jsonl", built()
    write_records(runs, file)
    assert read_records([file]).runs == tuple(runs) and read_records([file]).faults == ()
    lines = file.read_text().splitlines()
    lines[1] = lines[1].replace('"ending": "complete"', '"ending": "aborted"')
    lines[3] = lines[3][:-1]
    lines[4] = lines[4].replace('"fills"', '"fill"')
    lines[5] = lines[5].replace('"support": "trie"', '"support": "tree"')
    file.write_text("\n".join(lines))
    found = read_records([file])
    assert found.runs == (runs[0], runs[2])
    assert [str(fault).removeprefix(str(tmp_path)) for fault in found.faults] == [
        "/records.jsonl:2: its 'ending' is not what its arm, its task and its answers lead to "
        "(try: keep lines as they were written)",
        "/records.jsonl:4: it is not a line of JSON (Expecting ',' delimiter: line 1 column "
        f"{len(lines[3]) + 1} (char {len(lines[3])}))",
        "/records.jsonl:5: a run has no key 'fill' (try: did you mean 'fills'?)",
        "/records.jsonl:6: the interface serial has no support tree (try: one of full, union, trie)",
    ]


def test_a_file_without_a_record_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    with pytest.raises(RecordsError, match="there is no record"):
        read_records([empty])
    empty.write_text('{"a": 1, "a": 2}\n[]\n{} {}\n')
    with pytest.raises(RecordsError) as refused:
        read_records([empty])
    assert [fault.message for fault in refused.value.faults] == [
        "a key stands twice in one object",
        "it is not a JSON object",
        "it goes on after its JSON object",
    ]
    with pytest.raises(RecordsError, match="cannot be read"):
        read_records([tmp_path / "none.jsonl"])


@pytest.mark.parametrize(
    ("masses", "fault"),
    [
        ([["1/2", "1/2"]], "has not a probability for each option"),
        ([["1/4"] * 4, ["1/4"] * 4], "has not a probability for each option"),
        ([["1/4", "1/4", "1/4", "2"]], "'2' is no probability"),
        ([["1/4", "1/4", "1/4", "x"]], "'x' is no probability"),
        ([[0.25] * 4], "0.25 is no whole number"),
    ],
)
def test_masses_that_do_not_fit_are_refused(masses: object, fault: str) -> None:
    tree = json.loads(line_of(built()[0]))
    tree["requests"][0]["probabilities"] = masses
    with pytest.raises(TreeError, match=fault):
        filed_of(decode(json.dumps(tree))[0])


def test_masses_may_be_written_in_any_way() -> None:
    tree = json.loads(line_of(built()[0]))
    tree["requests"][0]["probabilities"] = [["0.25", "2/8", "0.50", "0"]]
    read = filed_of(decode(json.dumps(tree))[0])
    assert read.masses[0] == ((Fraction(1, 4), Fraction(1, 4), Fraction(1, 2), Fraction(0)),)
