"""Check the gold of a cohort of cell worlds by hand: plain Python that imports nothing of worldgen.

    python examples/check_gold.py build/cohort

From the payload of each eligible request, and nothing else, it reads the cells, the question and its
condition, adds up count times likelihood in whole fractions, and compares with evaluator/targets.
It prints one line of counts, and before it the first few requests that disagree; exit code 1 if any does.
"""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq

SHOWN = 10
WORDING = re.compile(
    r"(?:Take it as certain that the following holds: (?P<given>.+)\. )?"
    r"(?:State the probability(?:, under this condition,)? that the following holds(?: too)?: (?P<event>.+)\."
    r"|Spread a probability over the listed options\. Exactly one of them holds\."
    r"|Under this condition exactly one of the listed options holds\. Spread a probability over them\.)"
)


def cells(state: str) -> Iterator[tuple[dict[str, str], Fraction]]:
    """The attributes and the mass of each cell, whichever way the state is laid out."""
    found: dict[str, list[tuple[str, str]]] = {}
    columns: list[str] = []
    record = ""
    for line in state.split("\n"):
        fields = line.strip("| ").split(" | ") if line.startswith("|") else line.split(",")
        if fields[0] == "cell":  # the head of a table, whose rows follow
            columns = fields[1:]
        elif columns and len(fields) == len(columns) + 1:
            if fields[0] != "---":
                found.setdefault(fields[0], []).extend(zip(columns, fields[1:], strict=True))
        elif line.startswith("cell="):  # a cell on one line
            (_, name), *pairs = (item.split("=") for item in line.split(" "))
            found[name] = [(key, value) for key, value in pairs]
        elif record and line.startswith("  "):  # a line of a record
            key, value = line.strip().split(": ")
            found.setdefault(record, []).append((key, value))
        else:
            columns, record = [], line[:-1] if re.fullmatch(r"\d+:", line) else ""
    for *attributes, (_, count), (_, likelihood) in found.values():
        yield dict(attributes), Fraction(count) * Fraction(likelihood)


def holds(phrase: str, cell: dict[str, str]) -> bool:
    """Whether what a phrase says is true of a cell."""
    if phrase.startswith("not ("):
        return not holds(phrase[5:-1], cell)
    if phrase.startswith("("):
        parts = list(bracketed(phrase))
        return (any if phrase.startswith(f"({parts[0]}) or ") else all)(holds(part, cell) for part in parts)
    name, said = phrase.split(" is ")
    for opening, wanted in (("one of ", True), ("none of ", False), ("not ", False), ("", True)):
        if said.startswith(opening):
            return (cell[name] in said.removeprefix(opening).split(", ")) == wanted
    raise AssertionError("every text starts with the empty one")


def bracketed(phrase: str) -> Iterator[str]:
    """The parts of a phrase that stand in outermost brackets."""
    depth, start = 0, 0
    for place, mark in enumerate(phrase):
        depth += (mark == "(") - (mark == ")")
        if mark == "(" and depth == 1:
            start = place + 1
        if mark == ")" and depth == 0:
            yield phrase[start:place]


def answer(payload: str) -> list[str]:
    """The probability of each option, in displayed order, worked out from the payload."""
    body = json.loads(payload)
    question = body["questions"]["q"]
    wording = WORDING.fullmatch(question["instructions"])
    if wording is None:
        raise ValueError(f"it is worded in a way unknown here: {question['instructions']}")
    given, event = wording["given"], wording["event"]
    possible = [(cell, mass) for cell, mass in cells(body["state"]) if given is None or holds(given, cell)]
    phrases = [event, f"not ({event})"] if event else question["criteria"].values()
    total = sum(mass for _, mass in possible)
    return [str(sum(mass for cell, mass in possible if holds(phrase, cell)) / total) for phrase in phrases]


def checked(payload: str, q: list[str] | None) -> str:
    """What is wrong with the gold of a payload; empty if nothing is."""
    try:
        ours = answer(payload)
    except (ArithmeticError, LookupError, ValueError) as error:
        return f"the payload cannot be read: {error!r}"
    return "" if ours == q else f"the payload gives {ours}, the targets say {q}"


def main(folder: Path) -> int:
    """Check a cohort, say what came of it, and return the exit code."""
    wanted = ["request_id", "payload", "eligible"]
    requests = pq.read_table(folder / "public" / "requests", columns=wanted).to_pylist()
    targets = pq.read_table(folder / "evaluator" / "targets", columns=["request_id", "q"]).to_pylist()
    gold = {target["request_id"]: target["q"] for target in targets}
    eligible = [row for row in requests if row["eligible"]]
    faults = {row["request_id"]: checked(row["payload"], gold.get(row["request_id"])) for row in eligible}
    wrong = {name: fault for name, fault in faults.items() if fault}
    for name in list(wrong)[:SHOWN]:
        print(f"{name}: {wrong[name]}")
    agree, rest = len(faults) - len(wrong), len(requests) - len(eligible)
    print(f"{len(requests)} requests: {agree} agree, {len(wrong)} disagree, {rest} not eligible")
    return 1 if wrong or not agree else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/check_gold.py COHORT")
    sys.exit(main(Path(sys.argv[1])))
