"""Worlds of candidates as plain data."""

from typing import Any

from worldgen.spec.lexicons import lexicon_data
from worldgen.spec.write_domains import encoding_data
from worldgen.worlds.candidate_models import CandidateModel
from worldgen.worlds.dialogues import Dialogues
from worldgen.worlds.facts import Facts
from worldgen.worlds.items import Task
from worldgen.worlds.lexical import Lexical
from worldgen.worlds.products import Products
from worldgen.worlds.symbols import Symbols

Data = dict[str, Any]


def candidate_data(model: CandidateModel) -> Data:
    """A model of candidates as plain data; which of its views is looked through is not part of it.

    >>> from worldgen.spec import read_spec
    >>> candidate_data(read_spec("arithmetic").model)["geometry"]["slots"][0]
    {'p000': ['3', '1', '2']}
    """
    title = {"title": model.title} if model.title else {}
    slots = [{slot.name: list(map(str, (slot.length, *slot.positions)))} for slot in model.slots]
    return {
        "kind": "candidates",
        "name": model.name,
        **title,
        "task": {model.task.name: _task(model.task)},
        "geometry": {"widths": list(map(str, model.widths)), "slots": slots},
        "views": list(model.views),
        "encodings": [{name: encoding_data(one)} for name, one in model.encodings.items()],
    }


def _task(task: Task) -> Data:
    if isinstance(task, Products):
        return {"split": task.split}
    if isinstance(task, Symbols):
        scripts = [{script: list(named)} for script, named in task.scripts]
        options = {"options": task.options} if task.options else {}
        return {"scripts": scripts, "operations": list(task.operations), **options}
    if isinstance(task, Facts):
        return {}
    if isinstance(task, Dialogues):
        return {"turns": list(map(str, task.turns))}
    if isinstance(task, Lexical):
        return lexicon_data(task)
    raise AssertionError(f"the task {task.name} has no written form")
