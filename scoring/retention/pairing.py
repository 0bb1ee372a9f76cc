"""Pairs of runs: one setting and the native one of its system, item by item, and what is measured."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from worldgen.scoring.figures.columns import Axis, Column
from worldgen.scoring.figures.measures import Measure, Ratio, Weighted
from worldgen.scoring.retention.joint import Joint
from worldgen.scoring.retention.paired import SignTest, mcnemar, sign_test
from worldgen.scoring.retention.retained import counted, difference
from worldgen.scoring.retention.rows import label
from worldgen.scoring.retention.runs import Done, Item, Runs, Setting, native_for


@dataclass(frozen=True)
class Pair:
    """A setting beside the native one of its system, on the items that both have run."""

    setting: Setting
    native: Setting
    items: tuple[Item, ...]
    chosen: Mapping[str, Done]
    built: Mapping[str, Done]

    @cached_property
    def joint(self) -> Joint:
        """The joint table of all its items."""
        ids = [item.root_id for item in self.items]
        return Joint.of([self.chosen[one].right for one in ids], [self.built[one].right for one in ids])

    def on(self, items: Iterable[Item]) -> "Pair":
        """The pair on some of its items."""
        return replace(self, items=tuple(items))

    @property
    def mcnemar(self) -> Fraction:
        """The exact p-value of the items that only one of the two got right."""
        return mcnemar(self.joint.native_only, self.joint.serial_only)

    def signs(self, seed: int) -> SignTest:
        """The sign test on the differences of the units: the share of their items that the setting got right
        less the share that native did.
        """
        found: dict[str, list[int]] = {}
        for item in self.items:
            gain = int(self.built[item.root_id].right) - int(self.chosen[item.root_id].right)
            found.setdefault(item.unit, []).append(gain)
        return sign_test([Fraction(sum(gains), len(gains)) for gains in found.values()], seed=seed)

    def counts(self, axis: Axis, kept: Callable[[bool, bool], bool]) -> list[int]:
        """How many of the items of each unit are such, by whether native and the setting got them right."""
        found = dict.fromkeys(axis.roots, 0)
        for item in self.items:
            one = item.root_id
            found[item.unit] += kept(self.chosen[one].right, self.built[one].right)
        return [found[unit] for unit in axis.roots]


def pairs_of(items: Mapping[str, Item], runs: Runs) -> list[Pair]:
    """Every setting that can be held against a native one, where its system has one, in order."""
    found = []
    for setting, built in runs.items():
        native = native_for(setting, list(runs))
        if not setting.paired or native is None:
            continue
        chosen = runs[native]
        both = tuple(item for root_id, item in items.items() if root_id in built and root_id in chosen)
        if both:
            found.append(Pair(setting, native, both, chosen, built))
    return found


def axis_of(items: Iterable[Item]) -> Axis:
    """The units along which is resampled, in their strata."""
    return Axis.of({item.unit: item.stratum for item in items})


def scr(pair: Pair, axis: Axis) -> Weighted:
    """SCR as a measure: items weigh as they occur."""
    both = pair.counts(axis, lambda native, built: native and built)
    return counted(label(pair.setting, "scr"), both, pair.counts(axis, lambda native, _: native))


def measures(pair: Pair, axis: Axis) -> Iterator[Measure]:
    """The measures of a pair: the two shares of right items, what is lost and gained, SCR, SCR with strata
    weighing the same, and SCR less the share that the setting got right.
    """
    every = pair.counts(axis, lambda native, built: True)
    shares: dict[str, Callable[[bool, bool], bool]] = {
        "native": lambda native, built: native,
        "built": lambda native, built: built,
        "loss": lambda native, built: native and not built,
        "gain": lambda native, built: built and not native,
    }
    parts = {
        name: counted(label(pair.setting, name), pair.counts(axis, kept), every)
        for name, kept in shares.items()
    }
    yield from parts.values()
    wrong = pair.counts(axis, lambda native, built: not native)
    yield counted(label(pair.setting, "gain_rate"), pair.counts(axis, shares["gain"]), wrong)
    rate = scr(pair, axis)
    yield rate
    yield difference(label(pair.setting, "beyond_independence"), rate, parts["built"])
    both, native = (
        _column(pair.counts(axis, kept), every)
        for kept in (lambda native, built: native and built, lambda native, built: native)
    )
    yield Ratio(label(pair.setting, "scr_by_length"), both, native, both.valid)


def _column(part: Sequence[int], whole: Sequence[int]) -> Column:
    """The share of a unit, nothing where it has no items."""
    return Column.of(
        [Fraction(top, bottom) if bottom else None for top, bottom in zip(part, whole, strict=True)]
    )
