"""The doors of this room: an arm over a cohort a step at a time, and what its runs keep."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, cast

from worldgen.cohort.fields import INTERFACES, Interface, one_of
from worldgen.collecting.construction import AnySheet, Construction, Told
from worldgen.collecting.construction_files import (
    HEAD,
    ConstructionError,
    Head,
    read_construction,
    read_head,
    write_construction,
)
from worldgen.collecting.controllers.arms import Arm, columns
from worldgen.collecting.controllers.dialogues import WAYS, DialogueArm
from worldgen.collecting.controllers.options import ControllerError
from worldgen.collecting.filed import Filed
from worldgen.collecting.judged import items_of, judged
from worldgen.collecting.native import CANONICAL, Chosen, read_chosen
from worldgen.collecting.record_files import RecordsError
from worldgen.collecting.roots import SheetError, roots_of
from worldgen.collecting.scripts import Script
from worldgen.collecting.sheets import Extras, sheet
from worldgen.collecting.talks import talk_sheet
from worldgen.emission.folder import CohortFolder
from worldgen.emission.locks import alone
from worldgen.scoring.figures.bootstrap import REPLICATES, SEED
from worldgen.scoring.reports.files import read_reports
from worldgen.scoring.reports.report import Report
from worldgen.scoring.retention.assembled import Retention, assembled
from worldgen.scoring.retention.rows import Drawn, Row

AnyArm = Arm | DialogueArm
_PLAIN = "leave out what describes single characters"


def construct(  # noqa: PLR0913  (what may be left out has a name)
    cohort: CohortFolder,
    arm: AnyArm | None = None,
    *reports: Report | str | PathLike[str],
    runs: str | PathLike[str] | None = None,
    script: Script | None = None,
    system: str = "",
    extras: Extras | None = None,
    spec: str = "",
) -> tuple[Construction, Told]:
    """The runs of an arm over a cohort after some reports, and what became of these.

    A report is a `Report`, or the path of a file of them. With `runs` the construction is read from that
    folder, where there is one, and written there: then `arm` and `extras` may be left out, and must be what
    they were otherwise. With `script` a scripted `system` answers every request that is left. `spec` is the
    file of the world, where the cohort's evaluator's side is not here and the world does not ship.

    While one call is at work in a folder another one is refused, where the system has locks (Windows has
    none).

    Raises CohortError for such a folder, SheetError for a cohort that the arm cannot ask about,
    ConstructionError for a folder that holds something else, ReportsError for reports that cannot be read,
    TypeError for a cohort that is not opened, and without an arm.
    """
    _opened(cohort, "construct")
    folder = None if runs is None else Path(runs)
    head = _head(cohort, arm, extras, None if folder is None else read_head(folder), folder)
    begun = Construction(_sheet(cohort, head, spec), head.tag)
    if folder is None:
        return _told(begun, reports, script, system)
    with alone(folder, "call of construct"):
        # Only now nobody else begins there: what was not there before may be.
        if _head(cohort, arm, extras, read_head(folder), folder) != head:
            raise _asked_otherwise(folder)
        construction, told = _told(read_construction(folder, head, begun.sheet), reports, script, system)
        write_construction(folder, head, construction)
    return construction, told


def _opened(cohort: object, door: str) -> None:
    if not isinstance(cohort, CohortFolder):
        raise TypeError(f"{door} takes an opened cohort, not {cohort!r}: write worldgen.open(...)")


def _told(
    construction: Construction,
    reports: Sequence[Report | str | PathLike[str]],
    script: Script | None,
    system: str,
) -> tuple[Construction, Told]:
    given = [report for report in reports if isinstance(report, Report)]
    files = [Path(report) for report in reports if not isinstance(report, Report)]
    construction, told = construction.tell([*given, *read_reports(files)])
    if script is None:
        return construction, told
    return scripted(construction, script, system or construction.system or script.name, told)


def scripted(
    construction: Construction, script: Script, system: str, told: Told
) -> tuple[Construction, Told]:
    """The construction after a script has answered every request that is left, and what became of all
    reports, those that `told` counts among them.
    """
    script = script.over(construction.sheet.names)
    while construction.pending:
        reports = [script.report(construction.sheet, each, system) for each in construction.pending]
        construction, more = construction.tell(reports)
        told = replace(told, taken=told.taken + more.taken)
        if not more.taken:
            raise ConstructionError(
                f"the runs are of the system {construction.system}", remedy="give the script that name"
            )
    return construction, told


def _head(
    cohort: CohortFolder, arm: AnyArm | None, extras: Extras | None, before: Head | None, folder: Path | None
) -> Head:
    content = str(cohort.manifest["content"])
    if before is None:
        if arm is None and folder is None:
            raise TypeError("construct takes an arm, unless a folder says which one its runs are of")
        if arm is None:
            remedy = "name an arm, or the folder of runs that have begun"
            raise ConstructionError(f"{folder} holds no runs yet", remedy=remedy)
        return Head(content, asks(arm, extras or Extras()))
    if before.cohort != content:
        raise ConstructionError(
            f"{folder} holds runs over another cohort", remedy="name another folder for these"
        )
    wanted = dict(before.asks)
    if arm is not None:
        wanted["arm"] = asks(arm, Extras())["arm"]
    if extras is not None:
        wanted |= {name: value for name, value in asks("joint", extras).items() if name != "arm"}
    if wanted != before.asks:
        raise _asked_otherwise(folder)
    return before


def _asked_otherwise(folder: Path | None) -> ConstructionError:
    remedy = "name another folder for these"
    return ConstructionError(f"{folder} holds runs that are asked in another way", remedy=remedy)


def asks(arm: AnyArm, extras: Extras) -> dict[str, Any]:
    """How an arm asks, as JSON values."""
    return {
        "arm": columns(arm) if isinstance(arm, Arm) else arm,
        "plans": None if extras.plans is None else dict(extras.plans),
        "listed": list(extras.listed),
        "slip": extras.slip,
        "named": extras.named,
        "seed": extras.seed,
    }


def _sheet(cohort: CohortFolder, head: Head, spec: str) -> AnySheet:
    said = head.asks
    try:
        extras = Extras(said["plans"], tuple(said["listed"]), said["slip"], said["named"], said["seed"])
        arm = arm_named(said["arm"]) if isinstance(said["arm"], str) else Arm(**said["arm"])
    except (KeyError, TypeError) as error:
        raise ConstructionError(f"{HEAD} is not whole", remedy="begin in another folder") from error
    roots = roots_of(cohort, spec)
    if isinstance(arm, Arm):
        return sheet(roots, arm, extras)
    if extras.given:
        raise SheetError(f"the arm {arm} of a dialogue makes nothing of {extras.given[0]}", remedy=_PLAIN)
    return talk_sheet(roots, arm)


def arm_named(name: str) -> DialogueArm:
    """The arm of a dialogue by its name. Raises ControllerError."""
    for arm in WAYS:
        if arm == name:
            return arm
    raise ControllerError(f"no arm of a dialogue is called {name}", remedy=f"one of {', '.join(WAYS)}")


def retention(
    cohort: CohortFolder,
    *runs: Filed | str | PathLike[str],
    variant: str = CANONICAL,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> Retention:
    """What runs over a cohort keep of what was right when whole answers were chosen.

    Each of `runs` is a filed run, or the path of a file: of records, as `construct` leaves them, or of
    reports about the cohort's own requests, of which those of `variant` are whole answers. Native ones are
    told from others by what they are. What does not fit is refused and counted in the table `refused`.

    Raises CohortError without the evaluator's side, RecordsError for files that hold no record and where
    nothing at all is left to judge, ReportsError for reports that cannot be read, TypeError for a cohort that
    is not opened, and for no runs.
    """
    _opened(cohort, "retention")
    if not runs:
        raise TypeError("retention takes runs, or files of them, after the cohort")
    items = items_of(cohort)
    given = [run for run in runs if isinstance(run, Filed)]
    files = [run for run in runs if not isinstance(run, Filed)]
    chosen = read_chosen(cohort, files, variant) if files else Chosen(())
    found = judged([*given, *chosen.runs], items)
    if not found.runs and not found.talks:
        raise RecordsError(
            "no run is about this cohort", chosen.faults, remedy="name the cohort that was asked"
        )
    counts = Counter(chosen.refused) + Counter(found.refused)
    if chosen.faults:
        counts["a line that is no record"] += len(chosen.faults)
    refused: list[Row] = [{"reason": reason, "rows": count} for reason, count in counts.items()]
    done = assembled(items, found.runs, found.talks, Drawn(replicates, seed))
    return replace(done, tables={**done.tables, "refused": refused}, faults=chosen.faults)


def arm_for(cohort: CohortFolder, name: str, extras: Extras | None = None, **fields: Any) -> AnyArm:
    """The arm of a name: over a cohort of dialogues one of those that ask for their states, else one with
    these fields, those that are None left out.

    The names independent and serial are of both kinds. With a field, or with an extra, they are arms that
    construct the answer to each root, over a cohort of dialogues, too. Raises ControllerError for an arm that
    there is not, and for one of dialogues where there are none, or with fields or extras.
    """
    said = {field: value for field, value in fields.items() if value is not None}
    talks = all({"schema", "turn_1"} <= set(one.get("visible", ())) for one in cohort.manifest["strata"])
    more = extras.given if extras is not None else ()
    plain = not said and not more
    if name in WAYS and name not in INTERFACES:
        if not talks:
            raise ControllerError(
                f"the arm {name} asks for the states of dialogues, which the cohort does not show",
                remedy=f"{one_of(INTERFACES)}; or emit the world dialogue with --view problem",
            )
        if not plain:
            first = next(iter((*said, *more)))
            raise ControllerError(f"the arm {name} of a dialogue makes nothing of {first}", remedy=_PLAIN)
    if talks and name in WAYS and plain:
        return arm_named(name)
    return Arm(cast(Interface, name), **said)


def plans_for(cohort: CohortFolder, *files: str | PathLike[str], variant: str = CANONICAL) -> dict[str, str]:
    """What a system chose, by root, from records or reports of whole answers, for arms that copy it.

    Raises RecordsError for a line that is no record, where two systems chose, and where one chose twice.
    """
    return read_chosen(cohort, files, variant).plans()
