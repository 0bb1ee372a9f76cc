"""`worldgen construct`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from worldgen.cli.arguments import folder_argument, json_option, read_places, read_seed
from worldgen.cli.output import counted, print_fields, print_json, stdout

if TYPE_CHECKING:
    from worldgen.collecting.construction import Construction, Told

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(short_help="Drive an arm over a cohort, round by round.")
@folder_argument
@click.option(
    "--runs",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder of these runs.",
)
@click.option(
    "--arm", default="", metavar="NAME", help="How it asks: native, serial, copy, joint, rollout ..."
)
@click.option("--support", help="Which options there are: answers, full, union or trie.")
@click.option("--filling", help="What is put in without a request: call, fill, full-fill or listed.")
@click.option("--feedback", help="Which prefix is shown: own, none, gold, draft or batch.")
@click.option("--evidence", help="How a string to be copied is shown: raw, indexed, direct or padded.")
@click.option("--binding", help="What options are called: literal, opaque, remapped, aligned, conflicting.")
@click.option("--contract", help="What an answer is: code or character.")
@click.option("--wording", type=int, help="The number of the wording, from 0.")
@click.option("--order", type=int, help="The number of the displayed order, from 0.")
@click.option(
    "--listed", default="", callback=read_places, metavar="1,4", help="Ask for these positions, too."
)
@click.option("--slip", is_flag=True, help="State a draft with a wrong character, or claim a wrong one.")
@click.option("--named", is_flag=True, help="Ask for fields by name, with words for characters.")
@click.option(
    "--plans", multiple=True, metavar="FILE", type=_FILE, help="Whole answers to be copied; repeatable."
)
@click.option(
    "--answers", multiple=True, metavar="FILE", type=_FILE, help="Reports on these runs; repeatable."
)
@click.option("--oracle", is_flag=True, help="Let a system that is right everywhere answer what is left.")
@click.option("--script", default="", metavar="NAME", help="Likewise by a script: wrong-at-2, codes, ...")
@click.option(
    "--every", type=click.IntRange(1), default=1, metavar="N", help="Follow it on every N-th run alone."
)
@click.option("--system", default="", metavar="NAME", help="What the scripted system is called.")
@click.option("--spec", default="", metavar="FILE", help="The file of the world, where public/ is alone.")
@click.option("--seed", callback=read_seed, default="20261130", show_default=True, help="Of what is drawn.")
@json_option
def construct(
    folder: Path,
    runs: Path,
    arm: str,
    support: str | None,
    filling: str | None,
    feedback: str | None,
    evidence: str | None,
    binding: str | None,
    contract: str | None,
    wording: int | None,
    order: int | None,
    listed: tuple[int, ...],
    slip: bool,
    named: bool,
    plans: tuple[Path, ...],
    answers: tuple[Path, ...],
    oracle: bool,
    script: str,
    every: int,
    system: str,
    spec: str,
    seed: int,
    as_json: bool,
) -> None:
    """Construct answers a step at a time, without a network: write requests, take answers, go on.

    The first call names an arm and writes DIR/requests.jsonl, one request for each run. Send the payloads,
    write what comes back as reports, and call again with --answers: that takes them and writes the next
    round. Runs that are over stand in DIR/records.jsonl, for `worldgen retention`. An answer that was taken
    before changes nothing; one to a request that these runs did not send is refused and counted.

    \b
    Example: worldgen construct cohort --arm serial --support trie --filling fill --runs trie
    Example: worldgen construct cohort --runs trie --answers reports.jsonl
    Example: worldgen construct cohort --arm native --runs native --oracle
    """
    from worldgen.collecting.doors import arm_for, plans_for
    from worldgen.collecting.doors import construct as construct_cohort
    from worldgen.collecting.scripts import Script
    from worldgen.collecting.sheets import Extras
    from worldgen.emission.folder import open_cohort

    if oracle and script:
        raise click.UsageError("--oracle is the script perfect, so it takes no --script beside it")
    cohort = open_cohort(folder)
    fields = {
        "support": support,
        "filling": filling,
        "feedback": feedback,
        "evidence": evidence,
        "binding": binding,
        "contract": contract,
        "wording": wording,
        "order": order,
    }
    if not arm and (listed or slip or named or plans or any(value is not None for value in fields.values())):
        raise click.UsageError("these options are of an arm: name it with --arm")
    extras = Extras(plans_for(cohort, *plans) if plans else None, listed, slip, named, seed)
    construction, told = construct_cohort(
        cohort,
        arm_for(cohort, arm, extras, **fields) if arm else None,
        *answers,
        runs=runs,
        script=Script("perfect" if oracle else script, every=every) if oracle or script else None,
        system=system,
        extras=extras if arm else None,
        spec=spec,
    )
    if as_json:
        print_json(_summary(construction, told, runs))
    else:
        _print(construction, told, folder, runs)


def _summary(construction: "Construction", told: "Told", runs: Path) -> dict[str, object]:
    return {
        "runs": str(runs),
        "over": len(construction.records),
        "of": len(construction.runs),
        "without": construction.sheet.without,
        "requests": len(construction.pending),
        "taken": told.taken,
        "known": told.known,
        "earlier": told.earlier,
        "refused": dict(told.refused),
    }


def _print(construction: "Construction", told: "Told", folder: Path, runs: Path) -> None:
    fields: list[tuple[str, object]] = []
    if told.taken:
        fields.append(("taken", counted(told.taken, "answer")))
    if told.known:
        fields.append(("known", f"{counted(told.known, 'answer')} taken before"))
    if told.earlier:
        fields.append(("earlier", f"{counted(told.earlier, 'attempt')} before a final one, left out"))
    fields += [(f"refused, {reason}", counted(rows, "row")) for reason, rows in told.refused.items()]
    if construction.sheet.without:
        fields.append(("left out", f"{counted(construction.sheet.without, 'item')} without a plan"))
    records, every = len(construction.records), len(construction.runs)
    if records:
        fields.append(("records", f"{records:,} of {every:,} in {runs / 'records.jsonl'}"))
    if construction.pending:
        requests = counted(len(construction.pending), "request")
        fields.append(("round", f"{requests} in {runs / 'requests.jsonl'}"))
        fields.append(("next", f"worldgen construct {folder} --runs {runs} --answers REPORTS"))
    else:
        fields.append(("next", f"worldgen retention {folder} {runs / 'records.jsonl'} ..."))
    print_fields(stdout(), fields)
