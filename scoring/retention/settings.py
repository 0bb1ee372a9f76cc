"""One arm in several settings: templates, and domains whose partners are drawn together."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from worldgen.scoring.retention.joint import across
from worldgen.scoring.retention.pairing import Pair, axis_of, scr
from worldgen.scoring.retention.retained import across_settings, difference
from worldgen.scoring.retention.rows import Drawn, Row, counts, estimated, exact, label, who
from worldgen.scoring.retention.runs import Setting


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
