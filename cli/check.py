"""`worldgen check`."""

from dataclasses import asdict

import click

from worldgen.cli.arguments import json_option, known_spec
from worldgen.cli.output import counted, print_json, print_table, print_text, stdout


@click.command(short_help="Read a spec; list every fault, or prove it.")
@click.argument("spec", metavar="SPEC", callback=known_spec)
@json_option
def check(spec: str, as_json: bool) -> None:
    """Read a spec and prove everything that it can render; SPEC is a file or a shipped name.

    Every fault is listed with its line and a remedy. A spec without faults is shown with what it
    offers: each line is a payload that was proved to lose nothing and to be readable back.

    \b
    Example: worldgen check my-world.yaml
    """
    from worldgen.faults import SpecError
    from worldgen.spec import read_spec
    from worldgen.spec.checking import check as check_spec
    from worldgen.spec.checking import notes

    try:
        found = read_spec(spec, prove=True)
        proofs = check_spec(found)
    except SpecError as error:
        if not as_json:
            raise
        print_json({"ok": False, "faults": [asdict(fault) for fault in error.faults]})
        click.get_current_context().exit(1)
    if as_json:
        listed = [asdict(proof) for proof in proofs]
        print_json({"ok": True, "name": found.name, "proofs": listed, "notes": notes(found)})
        return
    console = stdout()
    print_table(
        console,
        ("stratum", "layout", "variant", ("variables shown", "right")),
        ((proof.stratum, proof.layout, proof.variant, proof.variables) for proof in proofs),
    )
    console.print()
    console.print(
        f"{found.name} is fine: {counted(len(proofs), 'payload')} proved injective and readable back"
    )
    for note in notes(found):
        print_text(console, f"note: {note}")
