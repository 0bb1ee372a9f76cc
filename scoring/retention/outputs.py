"""What runs gave, whatever native got right: classes, endings, copies, masses, calls."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import get_args

from worldgen.scoring.retention.fidelity import Copy, Copying
from worldgen.scoring.retention.outcomes import OutputClass, StoppingOutcome, WordClass
from worldgen.scoring.retention.projection import gaps, mean_known
from worldgen.scoring.retention.rows import Row, number, who
from worldgen.scoring.retention.runs import Item, Runs, native_for

Items = Mapping[str, Item]


def cost_rows(runs: Runs) -> Iterator[Row]:
    """A row for each setting: its runs, how many are right and how many valid, how they ended, and what they
    took: calls, positions filled without one, and steps with more than one possible symbol.
    """
    for setting, by_root in runs.items():
        found = list(by_root.values())
        endings = Counter(run.ending for run in found)
        yield {
            **who(setting),
            "runs": len(found),
            "right": sum(run.right for run in found),
            "accuracy": number(_share([run.right for run in found])),
            "valid": sum(run.valid for run in found),
            "calls": sum(run.calls for run in found),
            "fills": sum(run.fills for run in found),
            "decisions": sum(run.decisions for run in found),
            "ended": endings["ended"],
            "cap": endings["cap"],
            "aborted": endings["aborted"],
        }


def class_rows(runs: Runs) -> Iterator[Row]:
    """A row for each setting and class of output that occurred: how many answers were of it."""
    for setting, by_root in runs.items():
        found = Counter(one for run in by_root.values() for one in run.classes)
        for name in get_args(OutputClass):
            if found[name]:
                yield {**who(setting), "class": name, "answers": found[name], "of": found.total()}


def word_rows(runs: Runs) -> Iterator[Row]:
    """A row for each setting and class of string that occurred, where answers are words of a lexicon."""
    for setting, by_root in runs.items():
        found = Counter(run.word for run in by_root.values() if run.word is not None)
        for name in get_args(WordClass):
            if found[name]:
                yield {**who(setting), "class": name, "runs": found[name], "of": found.total()}


def stopping_rows(runs: Runs) -> Iterator[Row]:
    """A row for each setting that says itself where its answers end and each outcome: how many runs had it.
    `content`, `beginning` and `exhausted` count, among these, the facts that overlap with it.
    """
    for setting, by_root in runs.items():
        found = [run.stopped for run in by_root.values() if run.stopped is not None]
        for name in get_args(StoppingOutcome) if found else ():
            those = [one for one in found if one.outcome == name]
            yield {
                **who(setting),
                "outcome": name,
                "runs": len(those),
                "of": len(found),
                "content": sum(one.content for one in those),
                "beginning": sum(one.beginning for one in those),
                "exhausted": sum(one.exhausted for one in those),
            }


def fidelity_rows(items: Items, runs: Runs) -> Iterator[Row]:
    """A row for each setting that was given a string: how often it came back, right or wrong, and how often
    the output answers the item.
    """
    for setting, by_root in runs.items():
        if not setting.copies:
            continue
        copying = Copying.of(
            Copy(run.output, run.supplied, items[root_id].gold if run.wanted is None else run.wanted)
            for root_id, run in by_root.items()
            if run.supplied is not None
        )
        if not copying.items:
            continue  # only checked, not copied
        yield {
            **who(setting),
            "items": copying.items,
            "of_wrong": copying.of_wrong,
            "fidelity": number(copying.fidelity),
            "on_right": number(copying.on_right),
            "on_wrong": number(copying.on_wrong),
            "accuracy": number(copying.accuracy),
        }


def projection_rows(items: Items, runs: Runs) -> Iterator[Row]:
    """A row for each setting that reported masses at every position of items whose native choice reported
    some: how the two differ. Figures are means over positions within an item, then over items.
    """
    for setting, by_root in runs.items():
        native = native_for(setting, list(runs))
        if not setting.paired or native is None:
            continue
        found = []
        for root_id, run in by_root.items():
            whole = runs[native].get(root_id)
            if whole is not None and whole.masses is not None and run.local is not None:
                found.append(gaps(items[root_id].candidates, whole.masses, run.local))
        if found:
            yield {
                **who(setting),
                "items": len(found),
                "positions": sum(map(len, found)),
                "whole": _mean([[gap.whole for gap in each] for each in found]),
                "local": _mean([[gap.local for gap in each] for each in found]),
                "total_variation": _mean([[gap.total_variation for gap in each] for each in found]),
                "jensen_shannon": _mean([[gap.divergence for gap in each] for each in found]),
                "unsupported": _mean([[gap.unsupported for gap in each] for each in found]),
                "reference": _mean([[gap.reference for gap in each] for each in found]),
            }


def _share(flags: Sequence[bool]) -> Fraction | None:
    return Fraction(sum(flags), len(flags)) if flags else None


def _mean(rows: Sequence[Sequence[Fraction | None]]) -> float | None:
    """The mean over items of the mean over their positions, of those that are known."""
    return number(mean_known([mean_known(row) for row in rows]))
