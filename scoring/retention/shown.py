"""The tables of retention for people: which columns, under which headings, shares beside their intervals."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from worldgen.scoring.retention.assembled import Retention
from worldgen.scoring.retention.rows import Cell, Row

Shown = Callable[[Row, str], Cell]


def share(row: Row, name: str) -> str:
    """A share with its interval, four places each.

    >>> share({"scr": 0.25, "scr_low": 0.0, "scr_high": 0.5}, "scr"), share({"scr": None}, "scr")
    ('0.2500 [0.0000, 0.5000]', 'undefined')
    """
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    value = row[name]
    if value is None or low is None or high is None:
        return "undefined" if value is None else f"{value:.4f}"
    return f"{value:.4f} [{low:.4f}, {high:.4f}]"


def given(row: Row, name: str) -> str:
    """A share, and nothing where there cannot be one.

    >>> given({"brier": 0.25}, "brier"), given({"brier": None}, "brier")
    ('0.2500', '')
    """
    return "" if row[name] is None else share(row, name)


def ends(row: Row, name: str) -> str:
    """Two ends alone, whose columns `name` holds with a blank between them."""
    low, high = (row[one] for one in name.split())
    return "undefined" if low is None or high is None else f"[{low:.4f}, {high:.4f}]"


def plain(row: Row, name: str) -> Cell:
    """What stands there."""
    return row[name]


def p_value(row: Row, name: str) -> str:
    """A p-value to three significant digits.

    >>> p_value({"p": 1.0}, "p"), p_value({"p": 0.00012345}, "p"), p_value({"p": None}, "p")
    ('1', '0.000123', '')
    """
    value = row[name]
    return "" if value is None else f"{value:.3g}"


@dataclass(frozen=True)
class View:
    """How a table is shown: its title, and for each heading what stands below it and how it is written."""

    table: str
    title: str
    columns: Mapping[str, tuple[str, Shown]]

    def rows(self, found: Retention, system: str) -> list[Row]:
        """Its rows about a system."""
        return [
            {heading: show(row, name) for heading, (name, show) in self.columns.items()}
            for row in found.tables[self.table]
            if row.get("system") == system
        ]


def _columns(**named: Shown | tuple[str, Shown]) -> dict[str, tuple[str, Shown]]:
    return {
        heading.replace("_", " "): each if isinstance(each, tuple) else (heading, each)
        for heading, each in named.items()
    }


_COUNTS: dict[str, Shown] = dict.fromkeys(("items", "both", "native_only", "built_only", "neither"), plain)
_EXACT = ("exact_low exact_high", ends)

VIEWS = (
    View(
        "joint",
        "How many items native got right, and how many were built right",
        _columns(arm=plain, **_COUNTS, native=share, built=share),
    ),
    View(
        "joint",
        "SCR, the share of what native got right that was built right too: 95 % intervals of resampled units "
        "and exact, what the two shares alone leave possible, and SCR with strata weighing the same",
        _columns(
            arm=plain,
            SCR=("scr", share),
            exact=_EXACT,
            possible=("least greatest", ends),
            even=("by_length", share),
        ),
    ),
    View(
        "joint",
        "What was lost and what was gained, and how far SCR is above the share built right",
        _columns(
            arm=plain,
            loss=share,
            gain=share,
            gain_rate=share,
            above=("beyond_independence", share),
        ),
    ),
    View(
        "tests",
        "Whether native and built differ: exact McNemar tests and sign tests, each adjusted after Holm",
        _columns(
            arm=plain,
            native_only=plain,
            built_only=plain,
            McNemar=("mcnemar", p_value),
            McNemar_Holm=("mcnemar_holm", p_value),
            signs=p_value,
            signs_Holm=("signs_holm", p_value),
        ),
    ),
    View(
        "common",
        "The same on the items that the native settings of all systems with this arm got right",
        _columns(arm=plain, items=plain, both=plain, SCR=("scr", share), exact=_EXACT),
    ),
    View(
        "domains",
        "By domain, partners drawn together",
        _columns(arm=plain, domain=plain, **_COUNTS, SCR=("scr", share), exact=_EXACT),
    ),
    View(
        "templates",
        "Over templates of one arm: mean and worst SCR",
        _columns(arm=plain, templates=plain, mean=share, worst=share, worst_at=plain),
    ),
    View(
        "contrasts",
        "Two arms that differ in one way: what the first adds to the share of the second",
        _columns(family=plain, arm=plain, against=plain, measure=plain, adds=("difference", share)),
    ),
    View(
        "contrasts",
        "Items that hold under one of the two alone: exact McNemar tests, adjusted after Holm in a family",
        _columns(
            arm=plain,
            against=plain,
            measure=plain,
            first=("arm_only", plain),
            second=("against_only", plain),
            McNemar=("mcnemar", p_value),
            Holm=("mcnemar_holm", p_value),
        ),
    ),
    View(
        "bindings",
        "Shares by what options are called",
        _columns(
            arm=plain,
            measure=plain,
            items=plain,
            aligned=share,
            conflicting=share,
            opaque=share,
            remapped=share,
        ),
    ),
    View(
        "bindings",
        "What contradicting names cost beyond new names: (aligned - conflicting) - (opaque - remapped)",
        _columns(
            arm=plain,
            measure=plain,
            extra_loss=share,
            signs=p_value,
            signs_Holm=("signs_holm", p_value),
        ),
    ),
    View(
        "interactions",
        "Shares with and without the own prefix, from raw strings and from tables of positions",
        _columns(
            arm=plain,
            measure=plain,
            items=plain,
            raw_alone=("independent_raw", share),
            indexed_alone=("independent_indexed", share),
            raw_serial=("serial_raw", share),
            indexed_serial=("serial_indexed", share),
        ),
    ),
    View(
        "interactions",
        "What a table of positions adds with the own prefix, beyond what it adds without",
        _columns(
            arm=plain,
            measure=plain,
            interaction=share,
            signs=p_value,
            signs_Holm=("signs_holm", p_value),
        ),
    ),
    View(
        "fidelity",
        "Strings that were supplied: how many came back, right ones and wrong ones, and how many are right",
        _columns(
            arm=plain,
            items=plain,
            of_wrong=plain,
            fidelity=share,
            on_right=share,
            on_wrong=share,
            accuracy=share,
        ),
    ),
    View(
        "stopping",
        "Where answers ended that end by themselves",
        _columns(arm=plain, outcome=plain, runs=plain, content=plain, beginning=plain, exhausted=plain),
    ),
    View(
        "classes",
        "What single answers were",
        _columns(arm=plain, **{"class": plain}, answers=plain, of=plain),
    ),
    View(
        "words",
        "What constructed words were",
        _columns(arm=plain, kind=("class", plain), runs=plain, of=plain),
    ),
    View(
        "projection",
        "Masses of whole answers, added up by position, against those of single positions",
        _columns(
            arm=plain,
            items=plain,
            whole=share,
            local=share,
            TV=("total_variation", share),
            JS=("jensen_shannon", share),
            unsupported=share,
            reference=share,
        ),
    ),
    View(
        "confidence",
        "Confidence of completed strings, with lengths as they occur and weighing alike",
        _columns(
            arm=plain,
            score=plain,
            lengths=plain,
            mean=("value", given),
            right=("accuracy", share),
            Brier=("brier", given),
            of_share=("prevalence", given),
            ECE=("calibration_error", given),
        ),
    ),
    View(
        "confidence",
        "Whether strings with more confidence are right, beside what their lengths alone say",
        _columns(
            arm=plain,
            score=plain,
            lengths=plain,
            items=plain,
            AUROC=("auroc", share),
            precision=("average_precision", share),
        ),
    ),
    View(
        "dialogues",
        "States of dialogues, each dialogue weighing the same",
        _columns(
            arm=plain,
            dialogues=plain,
            mean_turn=share,
            final_state=share,
            trajectory=share,
            recovered=plain,
            failed=plain,
        ),
    ),
    View(
        "dialogues",
        "What asking field by field keeps of states that are right when asked for whole",
        _columns(
            arm=plain,
            turns=plain,
            calls=plain,
            retained=share,
            signs=p_value,
            signs_Holm=("signs_holm", p_value),
        ),
    ),
    View(
        "runs",
        "What the runs took",
        _columns(
            arm=plain,
            runs=plain,
            right=plain,
            valid=plain,
            calls=plain,
            fills=plain,
            decisions=plain,
            ended=plain,
            cap=plain,
            aborted=plain,
        ),
    ),
)

STRATA = View(
    "strata",
    "By stratum, and what strings would be right at were their positions right independently",
    _columns(
        arm=plain, stratum=plain, **_COUNTS, SCR=("scr", share), exact=_EXACT, composed=share, beyond=share
    ),
)


def shown(found: Retention, system: str, *, strata: bool = False) -> Iterator[tuple[str, list[Row]]]:
    """Title and rows of each table that has any for a system."""
    for view in (*VIEWS, *[STRATA] * strata):
        if rows := view.rows(found, system):
            yield view.title, rows


def systems(found: Retention) -> list[str]:
    """The systems, in order."""
    rows = [row for name in ("runs", "dialogues") for row in found.tables[name]]
    return list(dict.fromkeys(str(row["system"]) for row in rows))


def to_json(found: Retention) -> dict[str, object]:
    """The tables as one tree of JSON values, with how intervals were drawn and what is wrong with lines."""
    return {
        "systems": systems(found),
        "bootstrap": {"replicates": found.drawn.replicates, "seed": found.drawn.seed, "level": 0.95},
        **{name: [dict(row) for row in rows] for name, rows in found.tables.items()},
        "faults": [str(fault) for fault in found.faults],
        "alone": list(found.alone),
    }
