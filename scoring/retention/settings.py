"""One arm in several settings: templates, domains whose partners are drawn together, and bindings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.retention.joint import across
from worldgen.scoring.retention.pairing import Pair, axis_of, scr
from worldgen.scoring.retention.retained import across_settings, counted, difference
from worldgen.scoring.retention.rows import Drawn, Row, counts, estimated, exact, label, number, who
from worldgen.scoring.retention.runs import Done, Item, Runs, Setting


def template_rows(pairs: Sequence[Pair], drawn: Drawn) -> Iterator[Row]:
    """A row for each arm that was asked in several templates: the mean of SCR over them and the worst, on the
    items that all of them have, and in which templates it is the worst.
    """
    found: dict[Setting, list[Pair]] = {}
    for pair in pairs:
        found.setdefault(replace(pair.setting, wording=0, order=0), []).append(pair)
    for setting, several in found.items():
        if len(several) < 2:
            continue
        shared = set.intersection(*({item.root_id for item in pair.items} for pair in several))
        parts = [pair.on(item for item in pair.items if item.root_id in shared) for pair in several]
        axis = axis_of(parts[0].items)
        rates = [scr(part, axis) for part in parts]
        sides = [
            across_settings(label(setting, "mean"), rates, "mean"),
            across_settings(label(setting, "worst"), rates, "worst"),
        ]
        figures = drawn.figures(axis, sides)
        worst = across({part.setting.name: part.joint.scr for part in parts})
        yield {
            **who(setting),
            "templates": len(parts),
            "items": len(shared),
            **estimated("mean", figures["mean"]),
            **estimated("worst", figures["worst"]),
            "worst_at": None if worst is None else "; ".join(worst.at),
        }


def domain_rows(pairs: Sequence[Pair], drawn: Drawn) -> Iterator[Row]:
    """A row for each pair and each domain where there are several, then one for each two of them: the SCR of
    the first less that of the second. Units with items in both are drawn with all their items.
    """
    for pair in pairs:
        domains = list(dict.fromkeys(item.domain for item in pair.items))
        if len(domains) < 2:
            continue
        axis = axis_of(pair.items)
        parts = {name: pair.on(item for item in pair.items if item.domain == name) for name in domains}
        rates = {name: scr(part, axis) for name, part in parts.items()}
        for name, part in parts.items():
            yield {
                **who(pair.setting),
                "domain": name,
                **counts(part.joint),
                **estimated("scr", drawn.figures(axis, [rates[name]])["scr"]),
                **exact(part.joint),
            }
        for first, second in combinations(domains, 2):
            less = difference(label(pair.setting, "difference"), rates[first], rates[second])
            yield {
                **who(pair.setting),
                "domain": f"{first} - {second}",
                **dict.fromkeys(("items", "both", "native_only", "built_only", "neither")),
                **estimated("scr", drawn.figures(axis, [less])["difference"]),
                "exact_low": None,
                "exact_high": None,
            }


BINDINGS = ("aligned", "conflicting", "opaque", "remapped")


def binding_rows(items: Mapping[str, Item], runs: Runs, drawn: Drawn) -> Iterator[Row]:
    """A row for each arm that was asked under all four bindings by codes: the share of right items under
    each, on the items that all of them have, and the extra conflict loss, what names that contradict their
    options cost beyond what binding opaque names anew does: (aligned - conflicting) - (opaque - remapped).
    """
    for setting in runs:
        settings = {binding: replace(setting, binding=binding) for binding in BINDINGS}
        if setting.binding != BINDINGS[0] or not all(one in runs for one in settings.values()):
            continue
        shared = [item for name, item in items.items() if all(name in runs[one] for one in settings.values())]
        if not shared:
            continue
        axis = axis_of(shared)
        every = _by_unit(axis, shared, lambda _: True)
        shares = {
            name: counted(label(one, name), _by_unit(axis, shared, _right(runs[one])), every)
            for name, one in settings.items()
        }
        aligned, conflicting, opaque, remapped = shares.values()
        conflict = difference(label(setting, "conflict"), aligned, conflicting)
        renaming = difference(label(setting, "renaming"), opaque, remapped)
        extra = difference(label(setting, "extra_loss"), conflict, renaming)
        yield {
            **who(replace(setting, binding="literal")),
            "items": len(shared),
            **{name: number(share.exact[0]) for name, share in shares.items()},
            **estimated("extra_loss", drawn.figures(axis, [extra])["extra_loss"]),
        }


def _right(by_root: Mapping[str, Done]) -> Callable[[str], bool]:
    return lambda root_id: by_root[root_id].right


def _by_unit(axis: Axis, items: Sequence[Item], holds: Callable[[str], bool]) -> list[int]:
    """How many items of each unit something holds of."""
    found = dict.fromkeys(axis.roots, 0)
    for item in items:
        found[item.unit] += holds(item.root_id)
    return [found[unit] for unit in axis.roots]
