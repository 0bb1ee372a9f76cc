"""A construction in a folder: what it was told is kept there, and all else follows from that.

    DIR/
      construction.json   the arm, and what else decides which requests there are
      answers.jsonl       the answers so far, in the order of runs: all that is remembered
      requests.jsonl      the next round: made anew from the answers
      records.jsonl       the runs that are over: made anew, too

Every file is written beside its place and then moved there, the answers first. So whatever interrupts it, the
folder holds the answers of some whole number of steps, and the next step makes the other files fit them.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldgen.collecting.answers import Taken
from worldgen.collecting.construction import AnySheet, Construction, Pending
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.record_files import line_of
from worldgen.collecting.unfiled import TreeError, read_answer, read_masses, tree_in
from worldgen.exact.errors import WorldgenError
from worldgen.scoring.figures.means import exact_text

FORMAT = 1
HEAD, ANSWERS, REQUESTS, RECORDS = "construction.json", "answers.jsonl", "requests.jsonl", "records.jsonl"
_PART = ".part"  # what a call that was interrupted may leave
_ELSEWHERE = "name another folder for other runs"


class ConstructionError(WorldgenError):
    """A folder that does not hold the construction that is wanted, or not a whole one."""


@dataclass(frozen=True)
class Head:
    """What decides the requests of a construction: the content digest of the public side of its cohort, and
    how it asks, as JSON values.
    """

    cohort: str
    asks: Mapping[str, Any]

    @property
    def tree(self) -> dict[str, Any]:
        """The head as it is written."""
        return {"format": FORMAT, "cohort": self.cohort, **self.asks}

    @property
    def tag(self) -> str:
        """Eight hexadecimal digits that tell requests of different constructions apart."""
        return hashlib.sha256(json.dumps(self.tree, sort_keys=True).encode()).hexdigest()[:8]


def read_head(folder: Path) -> Head | None:
    """The head of the construction in a folder; None where there is none yet.

    Raises ConstructionError for a folder that holds something else.
    """
    file = folder / HEAD
    if not file.exists():
        if folder.exists() and any(path.suffix != _PART for path in folder.iterdir()):
            raise ConstructionError(f"{folder} is not empty, and holds no construction", remedy=_ELSEWHERE)
        return None
    try:
        tree = json.loads(file.read_text(encoding="utf-8"))
        if tree.pop("format") != FORMAT:
            raise ConstructionError(f"{file} has another format", remedy=_ELSEWHERE)
        return Head(tree.pop("cohort"), tree)
    except (OSError, ValueError, AttributeError, KeyError) as error:
        raise ConstructionError(f"{file} is no head of a construction", remedy=_ELSEWHERE) from error


def read_construction(folder: Path, head: Head, sheet: AnySheet) -> Construction:
    """The construction in a folder, or one that begins where there is none yet.

    Raises ConstructionError where the answers there are not those of this sheet, saying the line.
    """
    found = Construction(sheet, head.tag)
    file = folder / ANSWERS
    if not file.exists():
        return found
    answers: dict[str, list[Taken]] = {}
    system = ""
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            tree = tree_in(line)
            name = tree["root_id"]
            if system not in ("", tree["system"]):
                raise TreeError("it is of another system than the lines before")
            system = tree["system"]
            told = answers.setdefault(name, [])
            if tree["request_id"] != found.request_id(name, len(told)):
                raise TreeError("it answers another request than the next one of its run")
            told.append(Taken(read_answer(tree["answer"]), read_masses(tree["probabilities"])))
        except (TreeError, KeyError, TypeError) as error:
            what = error.message if isinstance(error, TreeError) else "it is no answer"
            raise ConstructionError(f"{file}:{number}: {what}", remedy=_ELSEWHERE) from error
    known = Construction(sheet, head.tag, system, {name: tuple(told) for name, told in answers.items()})
    try:
        strange = answers.keys() - known.runs.keys()
    except ControllerError as error:
        raise ConstructionError(f"{file}: {error.message}", remedy=_ELSEWHERE) from error
    if strange:
        raise ConstructionError(f"{file}: nothing is asked about {min(strange)}", remedy=_ELSEWHERE)
    return known


def write_construction(folder: Path, head: Head, construction: Construction) -> None:
    """Write a construction into a folder, which is made. Raises ConstructionError where that cannot be."""
    files = {
        HEAD: json.dumps(head.tree, indent=2) + "\n",
        ANSWERS: "".join(_answers(construction)),
        REQUESTS: "".join(map(request_line, construction.pending)),
        RECORDS: "".join(map(line_of, construction.records)),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            beside = folder / f"{name}{_PART}"
            beside.write_text(text, encoding="utf-8", newline="\n")
            os.replace(beside, folder / name)
    except OSError as error:
        raise ConstructionError(f"{folder}: cannot be written: {error.strerror}") from error


def request_line(pending: Pending) -> str:
    """A request of the next round as one line: what to send, and the answer ids to report it by."""
    worded = pending.asked.worded
    return (
        json.dumps(
            {
                "request_id": pending.request_id,
                "root_id": pending.root_id,
                "wire": pending.asked.wire,
                "payload": worded.payload,
                "questions": worded.questions,
                "answer_ids": worded.answer_ids,
                "options": [[option.symbol for option in row] for row in pending.asked.options],
                "portable": worded.portable,
            }
        )
        + "\n"
    )


def _answers(construction: Construction) -> list[str]:
    return [
        json.dumps(
            {
                "request_id": construction.request_id(name, number),
                "root_id": name,
                "system": construction.system,
                "answer": one.answer,
                "probabilities": [None if row is None else list(map(exact_text, row)) for row in one.masses],
            }
        )
        + "\n"
        for name, told in construction.answers.items()
        for number, one in enumerate(told)
    ]
