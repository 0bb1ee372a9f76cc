"""Differences of differences: what one way to ask is worth under another, on the items that all four have."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention.contrasts import MEASURES, common, measured
from worldgen.scoring.retention.joint import extra_conflict_loss
from worldgen.scoring.retention.paired import SignTest, sign_test
from worldgen.scoring.retention.pairing import axis_of
from worldgen.scoring.retention.retained import counted, difference
from worldgen.scoring.retention.rows import Drawn, Row, estimated, label, number, who
from worldgen.scoring.retention.runs import Done, Item, Runs, Setting

BINDINGS = ("aligned", "conflicting", "opaque", "remapped")
CROSSED = {
    "serial_indexed": {"feedback": "own", "evidence": "indexed"},
    "serial_raw": {"feedback": "own", "evidence": "raw"},
    "independent_indexed": {"feedback": "none", "evidence": "indexed"},
    "independent_raw": {"feedback": "none", "evidence": "raw"},
}
"""How arms that copy are asked position by position, with what came of the earlier ones or without."""


@dataclass(frozen=True)
class Crossed:
    """Four settings whose shares a, b, c, d, in this order, make the figure (a - b) - (c - d)."""

    setting: Setting
    measure: str
    items: tuple[Item, ...]
    cells: Mapping[str, Mapping[str, Done]]

    def counts(self, axis: Axis, cell: str) -> list[int]:
        """How many items of each unit the measure holds of, in one of the four settings."""
        found = dict.fromkeys(axis.roots, 0)
        for item in self.items:
            found[item.unit] += self.cells[cell][item.root_id].right
        return [found[unit] for unit in axis.roots]

    def signs(self, seed: int) -> SignTest:
        """The sign test on the figures of the units, each from the shares of its own items."""
        found: dict[str, list[Fraction]] = {}
        for item in self.items:
            rights = [Fraction(runs[item.root_id].right) for runs in self.cells.values()]
            found.setdefault(item.unit, []).append(extra_conflict_loss(*rights))
        return sign_test([sum(one, Fraction(0)) / len(one) for one in found.values()], seed=seed)


def binding_rows(items: Mapping[str, Item], runs: Runs, drawn: Drawn) -> Iterator[Row]:
    """A row for each arm that was asked under all four bindings by codes, and each measure: the share under
    each, on the items that all of them have, and the extra conflict loss, what names that contradict their
    options cost beyond what binding opaque names anew does: (aligned - conflicting) - (opaque - remapped).

    Sign tests over units are adjusted after Holm over the arms of a system.
    """
    groups = {
        replace(setting, binding="literal"): {name: replace(setting, binding=name) for name in BINDINGS}
        for setting in runs
        if setting.binding == BINDINGS[0]
    }
    yield from _rows(_crossed(items, runs, groups), "extra_loss", drawn)


def interaction_rows(items: Mapping[str, Item], runs: Runs, drawn: Drawn) -> Iterator[Row]:
    """A row for each arm that copies and was asked with and without its own prefix, each with a string as it
    is and with a table of its positions: what the table adds with the prefix less what it adds without:
    (serial indexed - serial raw) - (independent indexed - independent raw), as `binding_rows` has it.
    """
    asked = {_key(setting): setting for setting in runs}
    found = {
        setting: {name: asked.get(_key(setting, **cell)) for name, cell in CROSSED.items()}
        for setting in runs
        if setting.copies and CROSSED["serial_raw"].items() <= dict(setting.ways).items()
    }
    yield from _rows(_crossed(items, runs, found), "interaction", drawn)


def _key(setting: Setting, **changed: str) -> Setting:
    """A setting with some of its ways changed, and no name, which would follow from them."""
    return replace(setting, arm="", ways=tuple(sorted({**dict(setting.ways), **changed}.items())))


def _crossed(
    items: Mapping[str, Item], runs: Runs, groups: Mapping[Setting, Mapping[str, Setting | None]]
) -> Iterator[Crossed]:
    """The groups of which all four settings were run, by each measure and on what they have in common."""
    for setting, group in groups.items():
        known = {name: runs[one] for name, one in group.items() if one is not None and one in runs}
        for measure in MEASURES if len(known) == len(group) else ():
            cells = {name: measured(by_root, measure) for name, by_root in known.items()}
            if shared := common(items, list(cells.values())):
                yield Crossed(setting, measure, shared, cells)


def _rows(found: Iterable[Crossed], name: str, drawn: Drawn) -> Iterator[Row]:
    families: dict[tuple[str, str], list[Crossed]] = {}
    for one in found:
        families.setdefault((one.setting.system, one.measure), []).append(one)
    for several in families.values():
        signs = [one.signs(drawn.seed) for one in several]
        for one, sign, adjusted in zip(several, signs, holm([s.p_value for s in signs]), strict=True):
            axis = axis_of(one.items)
            every = [0] * len(axis)
            for item in one.items:
                every[axis.positions[item.unit]] += 1
            shares = {
                cell: counted(label(one.setting, cell), one.counts(axis, cell), every) for cell in one.cells
            }
            first, second, third, fourth = shares.values()
            left = difference(label(one.setting, "left"), first, second)
            right = difference(label(one.setting, "right"), third, fourth)
            less = difference(label(one.setting, name), left, right)
            yield {
                **who(one.setting),
                "measure": one.measure,
                "items": len(one.items),
                **{cell: number(share.exact[0]) for cell, share in shares.items()},
                **estimated(name, drawn.figures(axis, [less])[name]),
                "signs": float(sign.p_value),
                "signs_holm": float(adjusted),
                "draws": sign.draws,
            }
