"""Requests and fills that the items of `lexical` take, by driving controllers with answerers that are
right, and with such that go wrong at the first letter.
"""

import pytest

from tests.collecting.items import perfect, wrong_at
from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.driving import drive
from worldgen.collecting.controllers.running import start
from worldgen.collecting.controllers.symbols import LETTERS
from worldgen.collecting.controllers.tasks import Task
from worldgen.spec import read_candidates
from worldgen.worlds.lexical import Lexical

LEXICAL = read_candidates("lexical").model.task
assert isinstance(LEXICAL, Lexical)
TASKS = [Task(one.answer, one.candidates, LETTERS) for one in LEXICAL.sets]


@pytest.mark.parametrize(
    ("arm", "calls", "fills"),
    [
        (Arm("native"), 384, 0),
        (Arm("serial"), 2112, 0),
        (Arm("serial", "union", "fill"), 2112, 0),  # no letter is the same in all eight (Table D7)
        (Arm("serial", "trie", "fill"), 768, 1344),  # as in arithmetic, whose K it shares (Table D6)
    ],
    ids=["native", "full", "union", "trie"],
)
def test_calls_are_those_of_the_published_design(arm: Arm, calls: int, fills: int) -> None:
    found = [drive(start(arm, task), perfect(task)) for task in TASKS]
    assert (sum(one.calls for one in found), sum(one.fills for one in found)) == (calls, fills)
    assert all(one.output == task.gold for one, task in zip(found, TASKS, strict=True))


def test_a_wrong_first_letter_leads_a_trie_to_another_candidate_in_as_many_calls() -> None:
    """Every pair branches once, wherever it does."""
    for task in TASKS:
        record = drive(start(Arm("serial", "trie", "fill"), task), wrong_at(task, 0))
        assert record.calls == 2 and record.output in set(task.candidates) - {task.gold}
