"""Rows of the tables of retention, and how intervals in them are drawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from worldgen.scoring.figures.bootstrap import REPLICATES, SEED, Bootstrap
from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.estimates import Figure, figures
from worldgen.scoring.figures.measures import Label, Measure
from worldgen.scoring.retention.binomial import retained_interval
from worldgen.scoring.retention.joint import Joint
from worldgen.scoring.retention.runs import Setting

FAMILY = "retention"

Cell = str | int | float | bool | None
Row = dict[str, Cell]


@dataclass(frozen=True)
class Drawn:
    """How intervals are drawn: so many replicates, keyed by a seed."""

    replicates: int = REPLICATES
    seed: int = SEED

    def figures(self, axis: Axis, found: Iterable[Measure]) -> dict[str, Figure]:
        """The figures of measures along the units of an axis, by metric."""
        bootstrap = Bootstrap(axis, self.replicates, self.seed)
        return {each.label.metric: each for each in figures(found, bootstrap, by_stratum=False)}


def label(setting: Setting, metric: str) -> Label:
    """The label of a figure of a setting."""
    return Label(FAMILY, metric, setting.name, setting.system, "paired valid")


def who(setting: Setting) -> Row:
    """The system and the arm."""
    return {"system": setting.system, "arm": setting.name}


def number(value: Fraction | None) -> float | None:
    """The nearest double, None where there is no value."""
    return None if value is None else float(value)


def estimated(name: str, figure: Figure) -> Row:
    """A figure and the ends of its interval; None where they are undefined."""
    ends = figure.slots
    return {
        name: figure.value,
        f"{name}_low": ends.low if ends else None,
        f"{name}_high": ends.high if ends else None,
    }


def counts(joint: Joint) -> Row:
    """A joint table."""
    return {
        "items": joint.items,
        "both": joint.both,
        "native_only": joint.native_only,
        "built_only": joint.serial_only,
        "neither": joint.neither,
    }


def exact(joint: Joint) -> Row:
    """The exact interval of SCR, the items that native got right taken as given trials."""
    found = retained_interval(joint)
    return {
        "exact_low": number(found.low if found else None),
        "exact_high": number(found.high if found else None),
    }
