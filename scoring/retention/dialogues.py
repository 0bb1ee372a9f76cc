"""Arms over dialogues: endpoints, and what asking field by field keeps of states asked for whole."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm

from worldgen.scoring.figures.columns import Axis
from worldgen.scoring.figures.measures import Weighted
from worldgen.scoring.figures.multiplicity import holm
from worldgen.scoring.retention.paired import SignTest, sign_test
from worldgen.scoring.retention.retained import counted
from worldgen.scoring.retention.rows import Drawn, Row, estimated, label, who
from worldgen.scoring.retention.runs import Setting, Talked, Talks, native_for
from worldgen.scoring.retention.trajectories import endpoints, mean_turn


def dialogue_rows(talks: Talks, drawn: Drawn) -> Iterator[Row]:
    """A row for each arm over dialogues, each of which weighs the same: the mean share of right turns, the
    shares whose last state is right and that are right throughout, what became of those that failed. Against
    the arm `joint` of the same system, on the dialogues of both: the share that is kept of its right states,
    and the sign test of the differences of right shares, adjusted after Holm over the arms of the system.
    Intervals resample dialogues by their number of turns.
    """
    tests = _tests(talks, drawn.seed)
    for setting, by_name in talks.items():
        turns = {name: talk.turns for name, talk in by_name.items()}
        axis = _axis(by_name.values())
        found = drawn.figures(axis, _endpoints(setting, axis, by_name))
        ends = endpoints(list(turns.values()))
        row: Row = {
            **who(setting),
            "dialogues": ends.dialogues,
            "turns": sum(map(len, turns.values())),
            "calls": sum(talk.calls for talk in by_name.values()),
            "valid": sum(talk.valid for talk in by_name.values()),
            **estimated("mean_turn", found["mean_turn"]),
            **estimated("final_state", found["final_state"]),
            **estimated("trajectory", found["trajectory"]),
            "failed": ends.failed,
            "recovered": ends.recovered,
            "recovered_finally": ends.recovered_finally,
            **dict.fromkeys(("retained", "retained_low", "retained_high", "signs", "signs_holm", "draws")),
        }
        if setting in tests:
            test, adjusted = tests[setting]
            kept = drawn.figures(*_retained(setting, talks))["retained"]
            row |= estimated("retained", kept)
            row |= {"signs": float(test.p_value), "signs_holm": float(adjusted), "draws": test.draws}
        yield row


def _axis(talks: Iterable[Talked]) -> Axis:
    return Axis.of({talk.name: f"{len(talk.turns)} turns" for talk in talks})


def _endpoints(setting: Setting, axis: Axis, talks: Mapping[str, Talked]) -> Iterator[Weighted]:
    """The three endpoints as measures. Shares of turns are counted in parts of a common number of them."""
    rows = [talks[name].turns for name in axis.roots]
    unit = lcm(*map(len, rows))
    yield counted(
        label(setting, "mean_turn"), [sum(row) * (unit // len(row)) for row in rows], [unit] * len(rows)
    )
    yield counted(label(setting, "final_state"), [row[-1] for row in rows], [1] * len(rows))
    yield counted(label(setting, "trajectory"), [all(row) for row in rows], [1] * len(rows))


def _shared(setting: Setting, talks: Talks) -> tuple[Setting, list[str]] | None:
    """The joint arm of the same system, and the dialogues that both have; None for that arm itself."""
    joint = native_for(setting, list(talks))
    if setting.native or joint is None:
        return None
    shared = [name for name in talks[setting] if name in talks[joint]]
    return (joint, shared) if shared else None


def _retained(setting: Setting, talks: Talks) -> tuple[Axis, list[Weighted]]:
    found = _shared(setting, talks)
    assert found is not None, "a setting has a test where it shares dialogues with the joint arm"
    joint, shared = found
    axis = _axis(talks[setting][name] for name in shared)
    unit = lcm(*(len(talks[setting][name].turns) for name in shared))
    both, whole = [], []
    for name in axis.roots:
        first, second = talks[joint][name].turns, talks[setting][name].turns
        share = unit // len(first)
        whole.append(sum(first) * share)
        both.append(sum(one and other for one, other in zip(first, second, strict=True)) * share)
    return axis, [counted(label(setting, "retained"), both, whole)]


def _tests(talks: Talks, seed: int) -> dict[Setting, tuple[SignTest, Fraction]]:
    """The sign test of each setting against the joint arm of its system, with the adjusted p-value."""
    found: dict[Setting, SignTest] = {}
    for setting, by_name in talks.items():
        if (pair := _shared(setting, talks)) is not None:
            joint, shared = pair
            differences = [
                mean_turn(by_name[name].turns) - mean_turn(talks[joint][name].turns) for name in shared
            ]
            found[setting] = sign_test(differences, seed=seed)
    adjusted: dict[Setting, tuple[SignTest, Fraction]] = {}
    for system in dict.fromkeys(setting.system for setting in found):
        own = [setting for setting in found if setting.system == system]
        for setting, p_value in zip(own, holm([found[one].p_value for one in own]), strict=True):
            adjusted[setting] = found[setting], p_value
    return adjusted
