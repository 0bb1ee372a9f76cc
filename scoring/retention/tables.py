"""What two settings keep of each other: joint tables, tests, and the same by stratum and on common items."""

from collections.abc import Iterator, Sequence

import numpy as np

from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention.joint import composed, on_common, scr_bounds
from worldgen.scoring.retention.pairing import Pair, axis_of, measures
from worldgen.scoring.retention.retained import beyond_composition
from worldgen.scoring.retention.rows import Drawn, Row, counts, estimated, exact, label, number, who


def joint_rows(pairs: Sequence[Pair], drawn: Drawn) -> Iterator[Row]:
    """A row for each pair: its joint table, SCR with three intervals, and the shares that go with it.

    `exact_low` and `exact_high` take the items that native got right as given trials; `low` and `high` are
    of resampled units; `least` and `greatest` are what the two shares alone leave possible. `by_length` is
    SCR with strata weighing the same.
    """
    for pair in pairs:
        axis = axis_of(pair.items)
        found = drawn.figures(axis, measures(pair, axis))
        possible = None
        if pair.joint.native is not None and pair.joint.serial is not None:
            possible = scr_bounds(pair.joint.native, pair.joint.serial)
        yield {
            **who(pair.setting),
            "against": pair.native.name,
            **counts(pair.joint),
            **estimated("native", found["native"]),
            **estimated("built", found["built"]),
            **estimated("scr", found["scr"]),
            **exact(pair.joint),
            "least": number(possible.low if possible else None),
            "greatest": number(possible.high if possible else None),
            **estimated("by_length", found["scr_by_length"]),
            **estimated("loss", found["loss"]),
            **estimated("gain", found["gain"]),
            **estimated("gain_rate", found["gain_rate"]),
            **estimated("beyond_independence", found["beyond_independence"]),
        }


def p_value_rows(pairs: Sequence[Pair], seed: int) -> Iterator[Row]:
    """A row for each pair: the exact McNemar test of its discordant items, and the sign test of the
    differences of its units, each adjusted after Holm over the arms of the system.
    """
    for system in dict.fromkeys(pair.setting.system for pair in pairs):
        own = [pair for pair in pairs if pair.setting.system == system]
        discordant = [pair.mcnemar for pair in own]
        signs = [pair.signs(seed) for pair in own]
        adjusted = zip(holm(discordant), holm([sign.p_value for sign in signs]), strict=True)
        for pair, p_value, sign, (first, second) in zip(own, discordant, signs, adjusted, strict=True):
            yield {
                **who(pair.setting),
                "native_only": pair.joint.native_only,
                "built_only": pair.joint.serial_only,
                "mcnemar": float(p_value),
                "mcnemar_holm": float(first),
                "signs": float(sign.p_value),
                "signs_holm": float(second),
                "draws": sign.draws,
            }


def common_rows(pairs: Sequence[Pair]) -> Iterator[Row]:
    """A row for each pair of an arm that several systems have: its joint table on the items that the native
    settings of all these systems got right.
    """
    for name in dict.fromkeys(pair.setting.name for pair in pairs):
        own = {pair.setting.system: pair for pair in pairs if pair.setting.name == name}
        if len(own) < 2:
            continue
        shared = set.intersection(*({item.root_id for item in pair.items} for pair in own.values()))
        native = {system: [pair.chosen[one].right for one in shared] for system, pair in own.items()}
        built = {system: [pair.built[one].right for one in shared] for system, pair in own.items()}
        for system, joint in on_common(native, built).items():
            yield {
                **who(own[system].setting),
                **counts(joint),
                "scr": number(joint.scr),
                **exact(joint),
            }


def stratum_rows(pairs: Sequence[Pair], drawn: Drawn) -> Iterator[Row]:
    """A row for each pair and stratum: its joint table, and for strings that were built position by position
    what they would be right at were positions right independently of each other.
    """
    for pair in pairs:
        for stratum in dict.fromkeys(item.stratum for item in pair.items):
            part = pair.on(item for item in pair.items if item.stratum == stratum)
            yield {
                **who(pair.setting),
                "stratum": stratum,
                **counts(part.joint),
                "scr": number(part.joint.scr),
                **exact(part.joint),
                "built": number(part.joint.serial),
                **_composition(part, drawn),
            }


def _composition(part: Pair, drawn: Drawn) -> Row:
    rows = [part.built[item.root_id].positions for item in part.items]
    known = [row for row in rows if row is not None]
    nothing: Row = {"composed": None, "beyond": None, "beyond_low": None, "beyond_high": None}
    if len(known) < len(rows) or len({len(row) for row in known}) != 1:
        return nothing
    reached = composed(known)
    units = [item.unit for item in part.items]
    if len(set(units)) < len(units):
        return {**nothing, "composed": number(reached)}
    axis = axis_of(part.items)
    by_unit = dict(zip(units, known, strict=True))
    positions = np.array([by_unit[unit] for unit in axis.roots], dtype=np.bool_)
    everywhere = np.ones(len(axis), dtype=np.bool_)
    measure = beyond_composition(label(part.setting, "beyond"), positions, everywhere)
    return {"composed": number(reached), **estimated("beyond", drawn.figures(axis, [measure])["beyond"])}
