"""All tables of retention together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from worldgen.scoring.reports.report import Fault
from worldgen.scoring.retention.contrasts import contrast_rows
from worldgen.scoring.retention.dialogues import dialogue_rows
from worldgen.scoring.retention.interactions import binding_rows, interaction_rows
from worldgen.scoring.retention.outputs import (
    class_rows,
    cost_rows,
    fidelity_rows,
    projection_rows,
    stopping_rows,
    word_rows,
)
from worldgen.scoring.retention.pairing import pairs_of
from worldgen.scoring.retention.rows import Drawn, Row
from worldgen.scoring.retention.runs import Item, Runs, Setting, Talks, native_for
from worldgen.scoring.retention.settings import domain_rows, template_rows
from worldgen.scoring.retention.strings import confidence_rows, reliability_rows
from worldgen.scoring.retention.tables import common_rows, joint_rows, p_value_rows, stratum_rows


@dataclass(frozen=True)
class Retention:
    """What runs and dialogues come to: the tables by name, and how their intervals were drawn.

    `joint` has the joint tables and SCR, `tests` the exact tests, `common` the joint tables on the items
    that the native settings of several systems got right, `strata` and `domains` parts of items,
    `templates` mean and worst wording or order. `contrasts` hold two arms against each other that differ in
    one way; `bindings` and `interactions` are differences of such differences: what names of options cost,
    and what a table of positions is worth to either controller. `runs` counts runs and what they took,
    `classes` answers, `words` strings, `stopping` where runs ended; `fidelity` is of copies, `projection`
    compares masses, `confidence` scores completed strings, `reliability` has the bins of that. `dialogues`
    has the endpoints of dialogues. Where runs were read from files, `refused` counts rows that were left
    out, and `faults` says what is wrong with lines that are no records. `alone` names systems of which
    nothing native is there to hold others against.
    """

    tables: Mapping[str, Sequence[Row]]
    drawn: Drawn
    faults: tuple[Fault, ...] = ()
    alone: tuple[str, ...] = ()


def assembled(
    items: Mapping[str, Item],
    runs: Runs,
    talks: Talks,
    drawn: Drawn = Drawn(),  # noqa: B008  (a frozen value)
) -> Retention:
    """All tables of runs on items, and of dialogues."""
    pairs = pairs_of(items, runs)
    tables: dict[str, Sequence[Row]] = {
        "joint": list(joint_rows(pairs, drawn)),
        "tests": list(p_value_rows(pairs, drawn.seed)),
        "common": list(common_rows(pairs)),
        "strata": list(stratum_rows(pairs, drawn)),
        "domains": list(domain_rows(pairs, drawn)),
        "templates": list(template_rows(pairs, drawn)),
        "contrasts": list(contrast_rows(items, runs, drawn)),
        "bindings": list(binding_rows(items, runs, drawn)),
        "interactions": list(interaction_rows(items, runs, drawn)),
        "runs": list(cost_rows(runs)),
        "classes": list(class_rows(runs)),
        "words": list(word_rows(runs)),
        "stopping": list(stopping_rows(runs)),
        "fidelity": list(fidelity_rows(items, runs)),
        "projection": list(projection_rows(items, runs)),
        "confidence": list(confidence_rows(items, runs)),
        "reliability": list(reliability_rows(items, runs)),
        "dialogues": list(dialogue_rows(talks, drawn)),
    }
    return Retention(tables, drawn, alone=_alone(runs, talks))


def _alone(*settings: Mapping[Setting, object]) -> tuple[str, ...]:
    """The systems with settings that nothing native is there for."""
    known = [setting for each in settings for setting in each]
    return tuple(dict.fromkeys(w.system for w in known if w.paired and native_for(w, known) is None))
