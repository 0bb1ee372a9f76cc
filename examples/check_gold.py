"""Check the gold of a cohort of cell worlds: plain Python that imports nothing of worldgen.

From the payload of each eligible request in an encoding that ships, and nothing else, this page reads cells,
question and condition, adds up count times likelihood in whole fractions, and compares with the targets.
"""

import json
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

SHIPPED = {"joined-tables", "nested-records"}
WORDING = re.compile(
    r"^(?:Take it as certain that the following holds: (?P<given>.+)\. )?"
    r"(?:(?:State the probability.*? that|.*?[dD]oes) the following holds?(?: too)?: (?P<event>[^?]+)"
    r"(?:\.|\? Spread a probability over the two answers\.)"
    r"|Spread a probability over the listed (?:options|levels, lowest first)\. Exactly one of them holds\."
    r"|Under this condition exactly one of the listed options holds\. Spread a probability over them\.)$"
)


def cells(state: str) -> Iterator[tuple[dict[str, str], Fraction]]:
    """The attributes and the mass of each cell, whichever way the state is laid out."""
    found: dict[str, list[list[str]]] = {}
    columns, record = [""], ""
    for line in re.sub(r"\|( --- \|)+\n", "", state).split("\n"):
        fields = line.strip("| ").split(" | ") if line.startswith("|") else line.split(",")
        if fields[0] == "cell":  # the head of a table, whose rows follow
            columns = fields
        elif len(fields) == len(columns) > 1:
            found.setdefault(fields[0], []).extend(map(list, zip(columns[1:], fields[1:], strict=True)))
        elif line.startswith("cell="):  # a cell on one line
            (_, name), *found[name] = (item.split("=") for item in line.split(" "))
        elif record and line.startswith("  "):  # a line of the record of a cell
            found.setdefault(record, []).append(line.strip().split(": "))
        else:
            columns, record = [""], line[:-1] if re.fullmatch(r"\d+:", line) else ""
    for *attributes, (_, count), (_, likelihood) in found.values():
        yield dict(attributes), Fraction(count) * Fraction(likelihood)


def holds(phrase: str, cell: dict[str, str]) -> bool:
    """Whether what a phrase says is true of a cell."""
    if phrase.startswith("not ("):
        return not holds(phrase[5:-1], cell)
    if phrase.startswith("("):
        depths = [phrase.count("(", 0, i) - phrase.count(")", 0, i) for i in range(len(phrase) + 1)]
        edges = [i for i in range(len(phrase)) if {depths[i], depths[i + 1]} == {0, 1}]
        parts = [holds(phrase[i + 1 : j], cell) for i, j in zip(edges[::2], edges[1::2], strict=True)]
        return any(parts) if phrase[edges[1] :].startswith(") or ") else all(parts)
    name, said = phrase.split(" is ")
    values = re.sub("^(one of|none of|not) ", "", said).split(", ")
    return (cell[name] in values) != said.startswith(("none of ", "not "))


def question(body: dict[str, Any]) -> tuple[str, str, list[str]]:
    """The state, the instructions and what each listed option says, on either wire."""
    if "messages" in body:
        *state, instructions, options = body["messages"][1]["content"].split("\n\n")
        return "\n\n".join(state), instructions, [line.split(": ", 1)[1] for line in options.split("\n")]
    asked = body["questions"]["q"]
    listed = asked.get("criteria", [])
    return body["state"], asked["instructions"], list(listed.values() if isinstance(listed, dict) else listed)


def answer(payload: str) -> list[str]:
    """The probability of each option in displayed order, or of true and false."""
    state, instructions, phrases = question(json.loads(payload))
    [(given, event)] = WORDING.findall(instructions)
    possible = [(cell, mass) for cell, mass in cells(state) if not given or holds(given, cell)]
    total = sum(mass for _, mass in possible)
    if event:  # the lines, where there are any, are yes and no
        phrases = [event if line == "yes" else f"not ({event})" for line in phrases or ("yes", "no")]
    return [str(sum(mass for cell, mass in possible if holds(phrase, cell)) / total) for phrase in phrases]


def fault(payload: str, q: list[str] | None) -> str:
    """What is wrong with the gold of a payload; empty if nothing is."""
    try:
        ours = answer(payload)
    except (ArithmeticError, LookupError, ValueError) as error:
        return f"the payload cannot be read: {error!r}"
    return "" if ours == q else f"the payload gives {ours}, the targets {q}"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/check_gold.py COHORT")
    tables = ("public/requests", "evaluator/targets")
    try:
        requests, targets = (pq.read_table(f"{sys.argv[1]}/{table}").to_pylist() for table in tables)
        manifest = json.loads(Path(sys.argv[1], "public", "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"the cohort cannot be read: {error}")
    own = {str(k) for k, s in enumerate(manifest["strata"]) if s["encoding"] not in SHIPPED}
    gold = {row["request_id"]: row["q"] for row in targets}
    sent = {row["request_id"]: row["payload"] for row in requests if row["eligible"]}
    asked = {name: text for name, text in sent.items() if name.split("-")[1] not in own}
    wrong = [f"{name}: {said}" for name, text in asked.items() if (said := fault(text, gold.get(name)))]
    left = f", {len(sent) - len(asked)} in layouts of your own left out" if own else ""
    said = f"{len(asked)} checked, {len(wrong)} wrong, {len(requests) - len(sent)} not eligible{left}"
    print(*wrong[:10], said, sep="\n")
    sys.exit(1 if wrong or not asked else 0)
