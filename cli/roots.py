"""The picture of one root, for `worldgen preview --root`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from worldgen.cli.output import print_fields, print_heading, print_table, print_text

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from worldgen.emission.preview import Preview
    from worldgen.emission.preview_root import RelationPreview, RootPreview


def print_root(console: "Console", root: "RootPreview") -> None:
    """The cells, the requests and the relations of a root, one table each."""
    print_fields(
        console,
        [
            ("root", root.root_id),
            ("stratum", f"{root.stratum}, on the wire {root.wire}"),
            ("digest", root.semantic_digest),
            ("came true", _cell(root)),
            ("drawn", f"at attempt {root.attempts:,}, with {root.demand}"),
            *((f"event {name}", means) for name, means in root.events.items()),
            *(
                (kind, ", ".join(f"{name} is {value}" for name, value in drawn.items()))
                for kind, drawn in (
                    ("shown", root.visible),
                    ("hidden", root.hidden),
                    ("metadata", root.metadata),
                )
                if drawn
            ),
        ],
    )
    console.print()
    print_heading(console, "Classes" if root.visible else "Cells")
    _cells(console, root)
    console.print()
    print_heading(console, f"Requests ({len(root.requests)}), their options as they are displayed")
    print_table(
        console,
        ("request", "asks", "answer", "option", ("exact", "right"), ("decimal", "right"), "outcome"),
        (row for request in root.requests for row in _request(request)),
    )
    for request in root.requests:
        if request.reason is not None:
            print_text(console, f"{request.variant} is never sent: {request.reason}.")
    if root.relations:
        console.print()
        print_heading(console, f"Relations ({len(root.relations)}), their residuals as formulas")
        print_table(
            console,
            ("relation", "compares, residual", ("within", "right"), "counts as"),
            (row for relation in root.relations for row in _relation(relation)),
        )
    for relation in root.relations:
        if relation.reason is not None:
            print_text(console, f"{relation.relation} is not judged here: {relation.reason}.")


def _cells(console: "Console", root: "RootPreview") -> None:
    numbers = ("posterior", "decimal") if root.visible else ("count", "likelihood", "posterior", "decimal")
    print_table(
        console,
        (
            ("cell", "right"),
            *root.cells[0].attributes,
            "class" if root.visible else "category",
            "events",
            *((name, "right") for name in numbers),
        ),
        (
            (
                number,
                *cell.attributes.values(),
                cell.category,
                " ".join(cell.events),
                *(() if root.visible else (cell.count, cell.likelihood)),
                cell.posterior,
                _decimal(cell.posterior),
            )
            for number, cell in enumerate(root.cells)
        ),
    )


def _cell(root: "RootPreview") -> str:
    cell = root.cells[root.outcome]
    if root.visible:
        return cell.category
    facts = (f"{name} is {value}" for name, value in cell.attributes.items())
    return f"cell {root.outcome}: " + ", ".join([*facts, f"category is {cell.category}"])


def _request(request: "Preview") -> Iterator[tuple[object, ...]]:
    """A line for each option. What sets the request apart stands beside them, one thing a line."""
    beside = [f"{request.form}: {request.asks}", *request.manner]
    for place in range(max(len(request.options), len(beside))):
        name = request.variant if place == 0 else ""
        said = beside[place] if place < len(beside) else ""
        if place >= len(request.options):
            yield name, said, "", "", "", "", ""
            continue
        option = request.options[place]
        outcome = "came true" if option.name == request.outcome else ""
        if request.reason is not None and place == 0:
            outcome = "never sent"
        yield name, said, option.answer_id, option.name, _exact(option.q), _decimal(option.q), outcome


def _relation(relation: "RelationPreview") -> Iterator[tuple[str, ...]]:
    counts = "primary" if relation.primary else "diagnostic"
    note = "identity control" if relation.identity_control else ""
    yield relation.relation, ", ".join(relation.claims), relation.tolerance, counts
    yield "", relation.formula, "", note if relation.eligible else "not judged"


def _exact(q: "Fraction | None") -> str:
    return "" if q is None else str(q)


def _decimal(q: "Fraction | None") -> str:
    return "" if q is None else f"{float(q):.6f}"
