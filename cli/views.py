"""What `worldgen show` prints of a world with views: of factors, of covert transfer, or of candidates."""

from typing import TYPE_CHECKING

from worldgen.cli.output import print_fields, print_heading, print_table, print_text

if TYPE_CHECKING:
    from rich.console import Console

    from worldgen.spec.describe_candidates import CandidateDescription
    from worldgen.spec.describe_factors import (
        FactorWorldDescription,
        Probability,
        TransferDescription,
        ViewedDescription,
    )


def print_views(console: "Console", world: "ViewedDescription") -> None:
    """The prior, the Bayes error of each view, and the classes."""
    print_heading(console, f"{world.name}: {world.title}" if world.title else world.name)
    print_fields(
        console,
        [
            ("kind", world.kind),
            ("states", f"{int(world.states):,}"),
            *((f"irrelevant {name}", values) for name, values in world.irrelevant.items()),
            *((f"encoding {name}", f"layouts {', '.join(ls)}") for name, ls in world.encodings.items()),
            ("variants", ", ".join(world.variants)),
            ("spec digest", world.spec_digest),
        ],
    )
    console.print()
    print_table(
        console,
        ("class", "says", ("prior", "right"), ("decimal", "right")),
        ((name, world.classes[name], p.exact, _decimal(p)) for name, p in world.prior.items()),
    )
    console.print()
    print_table(
        console,
        ("view", "what it shows", ("patterns", "right"), ("Bayes error", "right"), ("decimal", "right")),
        (
            (name, view.says, f"{int(view.patterns):,}", view.bayes_error.exact, _decimal(view.bayes_error))
            for name, view in world.views.items()
        ),
    )


def print_factors(console: "Console", world: "FactorWorldDescription") -> None:
    """The factors and what each is worth, the rule, and the factor graph."""
    print_views(console, world)
    console.print()
    print_table(
        console,
        ("factor", "levels", "depends on", "shown as", ("error if hidden", "right"), ("decimal", "right")),
        (
            (
                name,
                ", ".join(factor.levels),
                ", ".join(factor.depends_on),
                factor.measured_as,
                "never shown" if factor.worth is None else factor.worth.exact,
                "" if factor.worth is None else _decimal(factor.worth),
            )
            for name, factor in world.factors.items()
        ),
    )
    console.print()
    print_heading(console, "Rule")
    print_fields(console, [*world.terms.items(), ("outcome", world.rule)])
    console.print()
    print_heading(console, "Factor graph")
    for line in world.graph:
        print_text(console, line)


def print_transfer(console: "Console", world: "TransferDescription") -> None:
    """The types of reports and where the tag goes in each."""
    print_views(console, world)
    console.print()
    print_fields(console, [("alphabet", world.alphabet), ("identifier", world.identifier)])
    console.print()
    print_table(
        console,
        ("type of report", ("tag at letter", "right")),
        ((name, p) for name, p in world.reports.items()),
    )


def _decimal(value: "Probability") -> str:
    return f"{value.decimal:.5f}"


def print_candidates(console: "Console", world: "CandidateDescription") -> None:
    """The task, what the candidates are like, and what each view shows."""
    print_heading(console, f"{world.name}: {world.title}" if world.title else world.name)
    widths = " x ".join(map(str, world.widths))
    print_fields(
        console,
        [
            ("kind", world.kind),
            ("task", world.task),
            ("alphabet", world.alphabet),
            ("items", f"{world.items:,} for each seed"),
            ("candidates", f"{world.candidates} for each item: {widths} characters where they differ"),
            ("lengths", ", ".join(f"{length} ({count} slots)" for length, count in world.lengths.items())),
            *((f"encoding {name}", f"layouts {', '.join(ls)}") for name, ls in world.encodings.items()),
            ("variants", ", ".join((*world.variants, "at-N"))),
            *((f"parts, {what}", "+" + ", +".join(parts)) for what, parts in world.parts.items()),
            ("spec digest", world.spec_digest),
        ],
    )
    console.print()
    print_table(console, ("view", "what it shows, and what follows"), world.views.items())
