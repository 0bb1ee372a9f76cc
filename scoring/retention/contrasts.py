"""Two arms of one system that differ in one way, on the items that both have run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention.pairing import Pair, axis_of
from worldgen.scoring.retention.retained import counted, difference
from worldgen.scoring.retention.rows import Drawn, Row, estimated, label, number, who
from worldgen.scoring.retention.runs import Done, Item, Runs, Setting

FAMILIES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "controller": {
        "interface": ("independent", "serial"),
        "feedback": ("none", "batch", "own", "draft", "gold"),
    },
    "support": {"support": ("full", "union", "trie", "answers"), "filling": ("call", "fill", "full-fill")},
    "evidence": {"evidence": ("raw", "padded", "indexed", "direct")},
    "binding": {"binding": ("literal", "opaque", "remapped", "aligned", "conflicting")},
    "contract": {"contract": ("code", "character")},
    "wording": {"wording": ()},
    "order": {"order": ()},
    "task": {"task": ()},
}
"""The ways in which two arms may differ, each a family of contrasts: the fields that say each, with values in
the order by which the later arm is held against the earlier; values that are not named come after, as numbers
and words are ordered.
"""

MEASURES = ("exact match", "fidelity")
"""Whether an output answers its item, and whether it is the string that was supplied."""


@dataclass(frozen=True)
class Contrast:
    """A pair of settings, the later in the order of its family against the earlier, native in `pair`."""

    family: str
    measure: str
    pair: Pair


def family_of(one: Setting, other: Setting) -> str | None:
    """The one way in which two settings of a system differ; None where that is none, several, or such that
    their answers cannot be compared: one is about strings and the other about positions, or only one was
    given a string, or they are of different systems. Whole answers that were chosen have tables of their own.

    >>> first = Setting("m", "copy", copies=True, ways=(("evidence", "raw"), ("feedback", "own")))
    >>> family_of(first, replace(first, arm="copy indexed", ways=(("evidence", "indexed"), first.ways[1])))
    'evidence'
    >>> family_of(first, replace(first, wording=1, order=1)) is None
    True
    """
    if one.native or other.native:
        return None
    left, right = _fields(one), _fields(other)
    differing = {name for name in left.keys() | right.keys() if left.get(name) != right.get(name)}
    found = (family for family, fields in FAMILIES.items() if differing and differing <= set(fields))
    return next(found, None)


def _fields(setting: Setting) -> dict[str, str | int]:
    own: dict[str, str | int] = {
        name: getattr(setting, name) for name in ("system", "copies", "binding", "wording", "order")
    }
    return {**own, **dict(setting.ways)}


def _place(setting: Setting, family: str) -> list[tuple[int, int, str]]:
    said = _fields(setting)
    found = []
    for field, order in FAMILIES[family].items():
        value = said.get(field, "")
        known = order.index(value) if value in order else len(order)
        found.append((known, value if isinstance(value, int) else 0, str(value)))
    return found


def measured(runs: Mapping[str, Done], measure: str) -> dict[str, Done]:
    """The runs that a measure is of, by root, `right` saying whether it holds of them.

    That something was supplied does not make it the right answer: fidelity to a wrong one counts.
    """
    if measure == "exact match":
        return dict(runs)
    return {
        name: replace(run, right=run.output == run.supplied)
        for name, run in runs.items()
        if run.supplied is not None
    }


def common(items: Mapping[str, Item], several: Sequence[Mapping[str, Done]]) -> tuple[Item, ...]:
    """The items that all have run, and on which all were given the same string, or none."""
    return tuple(
        item
        for name, item in items.items()
        if all(name in runs for runs in several) and len({runs[name].supplied for runs in several}) == 1
    )


def contrasts(items: Mapping[str, Item], runs: Runs) -> Iterator[Contrast]:
    """Every two settings that differ in one way and have items in common, by each measure that both have.

    Which of two is held against the other does not depend on which was filed first.
    """
    for two in combinations(runs, 2):
        family = family_of(*two)
        if family is None:
            continue
        against, setting = sorted(two, key=partial(_place, family=family))
        for measure in MEASURES:
            left, right = (measured(runs[one], measure) for one in (against, setting))
            if shared := common(items, (left, right)):
                yield Contrast(family, measure, Pair(setting, against, shared, left, right))


def contrast_rows(items: Mapping[str, Item], runs: Runs, drawn: Drawn) -> Iterator[Row]:
    """A row for each contrast: how many items hold under both settings or one, the two shares and the first
    less the second with its interval of resampled units, the exact McNemar test of items and the sign test of
    the differences of units.

    The tests are adjusted after Holm over the contrasts of a system, family and measure.
    """
    families: dict[tuple[str, str, str], list[Contrast]] = {}
    for one in contrasts(items, runs):
        families.setdefault((one.pair.setting.system, one.family, one.measure), []).append(one)
    for several in families.values():
        discordant = [one.pair.mcnemar for one in several]
        signs = [one.pair.signs(drawn.seed) for one in several]
        adjusted = zip(holm(discordant), holm([sign.p_value for sign in signs]), strict=True)
        for one, p_value, sign, (first, second) in zip(several, discordant, signs, adjusted, strict=True):
            joint = one.pair.joint
            yield {
                **who(one.pair.setting),
                "family": one.family,
                "against": one.pair.native.name,
                "measure": one.measure,
                "items": joint.items,
                "both": joint.both,
                "arm_only": joint.serial_only,
                "against_only": joint.native_only,
                "neither": joint.neither,
                "arm_share": number(joint.serial),
                "against_share": number(joint.native),
                **_difference(one.pair, drawn),
                "mcnemar": float(p_value),
                "mcnemar_holm": float(first),
                "signs": float(sign.p_value),
                "signs_holm": float(second),
                "draws": sign.draws,
            }


def _difference(pair: Pair, drawn: Drawn) -> Row:
    axis = axis_of(pair.items)
    every = pair.counts(axis, lambda against, arm: True)
    arm = counted(label(pair.setting, "arm"), pair.counts(axis, lambda against, arm: arm), every)
    other = counted(label(pair.setting, "against"), pair.counts(axis, lambda against, arm: against), every)
    less = difference(label(pair.setting, "difference"), arm, other)
    return estimated("difference", drawn.figures(axis, [less])["difference"])
