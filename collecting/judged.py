"""From filed runs to what retention is made of: each held against the right answers of a cohort."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from worldgen.collecting.controllers.arms import Arm
from worldgen.collecting.controllers.dialogues import DialogueRecord
from worldgen.collecting.controllers.options import Option
from worldgen.collecting.controllers.records import Record, Step
from worldgen.collecting.controllers.symbols import END
from worldgen.collecting.controllers.tasks import CHECKED, SPARE
from worldgen.collecting.filed import Filed, Masses, calls
from worldgen.emission.folder import CohortFolder, read_spec_of
from worldgen.exact.geometry import Candidates
from worldgen.lexicon.shipped import index
from worldgen.scoring.retention.confidence import Confidence, confidence
from worldgen.scoring.retention.outcomes import (
    Expected,
    OutputClass,
    WordClass,
    output_class,
    stopping_outcome,
    word_class,
)
from worldgen.scoring.retention.runs import Done, Item, Setting, Talked
from worldgen.worlds.candidates import GOLD, INVENTORY, SLOT, CandidateWorld
from worldgen.worlds.lexical import Lexical

CLUSTERS = ("source_name", "dialogue", SLOT)
"""What is on record of an item that names what is resampled, the first of these that its world has."""

PAIRED = ("independent", "serial", "teacher-forced", "self-plan-spell", "stopping", "program-return")
"""The arms whose runs answer items as native ones do; others are about single positions or given strings."""

LEXICAL = "lexical"
"""The world whose lexicon ships, so that what is constructed for it can be looked up."""

WHOLE_STATES = "joint"
"""The arm over dialogues against which the others are held."""


def items_of(folder: CohortFolder) -> dict[str, Item]:
    """The items of a cohort by root, with their right answers.

    Raises CohortError without the evaluator's side, or for a cohort without candidates.
    """
    strata = {one["name"]: one for one in folder.manifest["strata"]}
    gold = {row["root_id"]: row[GOLD] for row in folder.table("geometry", ["root_id", GOLD]).to_pylist()}
    hidden = {
        row["root_id"]: row["hidden"] for row in folder.table("truth", ["root_id", "hidden"]).to_pylist()
    }
    lemmas = _lemmas(folder) if any(one["world"] == LEXICAL for one in strata.values()) else {}
    found = {}
    for row in folder.table("roots", ["root_id", "stratum", "visible"]).to_pylist():
        root_id, stratum = row["root_id"], strata[row["stratum"]]
        if root_id not in gold:
            continue
        known = dict(zip(stratum["hidden"], hidden[root_id], strict=True))
        shown = zip(stratum["visible"], row["visible"], strict=True)
        words = tuple(text for name, text in shown if name.startswith("candidate_"))
        unit = next(known[name] for name in CLUSTERS if name in known)
        found[root_id] = Item(
            root_id,
            gold[root_id],
            Candidates(words, known[INVENTORY]),
            unit,
            f"length {len(gold[root_id])}",
            stratum["name"],
            lemmas.get(gold[root_id]) if stratum["world"] == LEXICAL else None,
        )
    return found


def _lemmas(folder: CohortFolder) -> dict[str, tuple[str, ...]]:
    """The lemmas of the sense of each word of the lexicon that ships."""
    cohort = read_spec_of(folder.root)
    worlds = [one for one in cohort.worlds.values() if isinstance(one, CandidateWorld)]
    tasks = [world.model.task for world in worlds if isinstance(world.model.task, Lexical)]
    return {entry.word: entry.lemmas for task in tasks for entry in task.entries}


@dataclass(frozen=True)
class Judged:
    """Runs and dialogues by setting and root, and how many filed runs were refused, by reason."""

    runs: Mapping[Setting, Mapping[str, Done]]
    talks: Mapping[Setting, Mapping[str, Talked]]
    refused: Mapping[str, int]


def judged(filed: Iterable[Filed], items: Mapping[str, Item]) -> Judged:
    """Filed runs held against the items that they are about.

    Refused are runs about roots or candidates that the cohort does not have, and all of several that one
    system has of one root in one setting: nothing but their answers could tell which counts.
    """
    runs: dict[Setting, dict[str, Done]] = {}
    talks: dict[Setting, dict[str, Talked]] = {}
    refused: Counter[str] = Counter()
    seen: Counter[tuple[Setting, str]] = Counter()
    kept: list[tuple[Setting, Filed]] = []
    for one in filed:
        if not all(root in items for root in one.roots):
            refused["unknown root"] += 1
        elif isinstance(one.record, Record) and _others(one.record, items[one.root_id]):
            refused["other candidates"] += 1
        else:
            setting = setting_of(one, items)
            seen[setting, one.root_id] += 1
            kept.append((setting, one))
    for setting, one in kept:
        if seen[setting, one.root_id] > 1:
            refused["several runs of one root"] += 1
        elif isinstance(one.record, DialogueRecord):
            talks.setdefault(setting, {})[one.root_id] = _talked(one, one.record, items)
        else:
            runs.setdefault(setting, {})[one.root_id] = _done(one, one.record, items[one.root_id])
    return Judged(runs, talks, dict(refused))


def _others(record: Record, item: Item) -> bool:
    """Whether a record is about other candidates than the item has."""
    return set(record.task.candidates) != set(item.candidates.words)


def setting_of(filed: Filed, items: Mapping[str, Item]) -> Setting:
    """The setting in which a run asked.

    >>> from worldgen.collecting.controllers.arms import Arm
    >>> arm_name(Arm("serial", "trie", "fill")), arm_name(Arm("copy", evidence="indexed"))
    ('serial trie fill', 'copy indexed')
    """
    record = filed.record
    if isinstance(record, DialogueRecord):
        whole = record.arm == WHOLE_STATES
        return Setting(filed.system, record.arm, native=whole, paired=not whole)
    arm, task, gold = record.arm, record.task, items[filed.root_id].gold
    about = ""
    if arm.filling == "listed":
        about += f", {len(task.listed)} of {len(task.symbols)} symbols"
    if task.named:
        about += ", named"
    if arm.feedback == "draft" and not gold.startswith(task.draft or ""):
        about += ", wrong draft"
    if task.claimed is not None and task.supplied is not None:
        about += "" if task.supplied[task.asked[0]] == task.claimed else ", wrong claim"
    native, copies = arm.interface == "native", arm.shows.supplied
    paired = arm.interface in PAIRED
    single = task.positions is not None and not arm.whole
    answers = "claim" if arm.interface == "identity-check" else "position" if single else "string"
    fields = ("interface", "feedback", "support", "filling", "evidence", "contract")
    own = tuple((field, str(getattr(arm, field))) for field in fields)
    return Setting(
        filed.system,
        arm_name(arm) + about,
        arm.wording,
        arm.order,
        native,
        copies,
        paired,
        arm.binding,
        (*own, ("answers", answers), ("task", about.removeprefix(", "))),
    )


def arm_name(arm: Arm) -> str:
    """An arm in words: its interface, and the fields that are not what they usually are, but for its binding
    and those of the template.
    """
    usual = Arm(arm.interface)
    parts = ("support", "filling", "feedback", "evidence", "contract")
    own = [str(getattr(arm, part)) for part in parts if getattr(arm, part) != getattr(usual, part)]
    return " ".join((arm.interface, *own))


def _talked(filed: Filed, record: DialogueRecord, items: Mapping[str, Item]) -> Talked:
    pairs = zip(record.states, filed.roots, strict=True)
    right = tuple(state == tuple(items[root].gold) for state, root in pairs)
    valid = all(value is not None for state in record.states for value in state)
    return Talked(filed.root_id, right, valid, record.calls)


def _done(filed: Filed, record: Record, item: Item) -> Done:
    arm, gold = record.arm, item.gold
    stopped = None
    if arm.interface == "stopping":
        stopped = stopping_outcome(record.symbols, gold, END, len(gold) + SPARE)
    wanted = wanted_of(record, gold)
    rows = _rows(filed, record)
    return Done(
        item.root_id,
        record.output,
        stopped.outcome == "exact completion" if stopped else record.output == wanted,
        record.valid,
        record.ending,
        record.calls,
        record.fills,
        record.decisions,
        tuple(_class(record, step, options, gold) for step, options, _ in rows),
        _positions(record, gold),
        _supplied(record),
        stopped,
        _confidence(rows),
        _whole(rows, item) if arm.whole else None,
        _local(record, rows),
        _word(record, item),
        wanted,
    )


def _supplied(record: Record) -> str | None:
    """What the output of a run would be if it copied what was supplied; an identity check copies nothing."""
    task = record.task
    if task.supplied is None or record.arm.interface == "identity-check":
        return None
    return wanted_of(record, task.supplied)


def _word(record: Record, item: Item) -> WordClass | None:
    """The class of a string that answers an item of the lexicon; one with a mark in it is malformed."""
    if item.lemmas is None or record.task.positions is not None:
        return None
    return word_class(record.output or "", item.gold, item.candidates.words, item.lemmas, index())


def wanted_of(record: Record, gold: str) -> str:
    """What the output of a run would be if it answered its item.

    That is the right answer, of a run about single positions its characters there, and of an identity check
    whether what is claimed holds.
    """
    arm, task = record.arm, record.task
    if arm.interface == "identity-check":
        return CHECKED[0] if (task.supplied or "")[task.asked[0]] == task.claimed else CHECKED[1]
    if arm.whole or task.positions is None:
        return gold
    return "".join(gold[at] for at in task.positions)


Row = tuple[Step, tuple[Option, ...], Masses | None]


def _rows(filed: Filed, record: Record) -> list[Row]:
    """Each step that was called for, with its options and their masses."""
    called = [step for step in record.steps if step.how == "call"]
    options = [row for call in calls(record) for row in call.options]
    masses = [row for rows in filed.masses for row in rows]
    return list(zip(called, options, masses, strict=True))


def _class(record: Record, step: Step, options: Sequence[Option], gold: str) -> OutputClass:
    """The class of one answer. Where what is right is no option, nothing is strictly correct."""
    wanted = gold if record.task.supplied is None else record.task.supplied
    symbol: str = wanted
    if record.arm.interface == "identity-check":
        symbol = wanted_of(record, gold)
    elif not record.arm.whole:
        symbol = wanted[step.position] if step.position < len(wanted) else END
    text = step.answer or ""
    codes = {option.symbol: option.code for option in options}
    texts = codes if record.arm.contract == "code" else {symbol: symbol for symbol in codes}
    legal, listed = frozenset(texts.values()), frozenset(codes.values())
    if symbol in codes:
        return output_class(text, Expected(legal, texts[symbol], listed, codes[symbol]))
    if text in legal:
        return "format-valid wrong"
    if text in listed:
        return "another listed code"
    one = options[0].symbol
    return output_class(text, Expected(legal, texts[one], listed, codes[one]))


def _positions(record: Record, gold: str) -> tuple[bool, ...] | None:
    """Whether each position of the answer is right, where a run goes through them all."""
    by_place = {step.position: step.symbol for step in record.steps}
    if record.arm.interface == "stopping" or set(by_place) != set(range(len(gold))):
        return None
    return tuple(by_place[at] == gold[at] for at in range(len(gold)))


def _confidence(rows: Sequence[Row]) -> Confidence | None:
    """The confidence of a string, where every step that was called for has a symbol and masses."""
    chosen, tops = [], []
    for step, options, masses in rows:
        if masses is None or step.symbol is None:
            return None
        symbols = [option.symbol for option in options]
        chosen.append(masses[symbols.index(step.symbol)])
        tops.append(max(masses))
    return confidence(chosen, tops)


def _whole(rows: Sequence[Row], item: Item) -> Masses | None:
    """The masses of the candidates in the order of the item."""
    if len(rows) != 1:
        return None
    _, options, masses = rows[0]
    if masses is None:
        return None
    by_word = dict(zip((option.symbol for option in options), masses, strict=True))
    return tuple(by_word[word] for word in item.candidates.words)


def _local(record: Record, rows: Sequence[Row]) -> tuple[dict[str, Fraction], ...] | None:
    """The masses of the symbols at each position, where every position was called for and has some."""
    found = {}
    for step, options, masses in rows:
        if masses is not None and step.position >= 0:
            found[step.position] = dict(zip((option.symbol for option in options), masses, strict=True))
    length = record.task.length
    if record.arm.interface == "stopping" or set(found) != set(range(length)):
        return None
    return tuple(found[at] for at in range(length))
