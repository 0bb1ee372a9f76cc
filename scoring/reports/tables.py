"""The tables of a cohort, joined into what scoring needs: requests with their gold, claims of relations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from worldgen.exact.arrow import Table
from worldgen.exact.errors import WorldgenError
from worldgen.exact.numbers import read_number

Rows = Table | Sequence[Mapping[str, Any]]

FORMS = ("event", "choice", "score")
WIRES = ("systemone", "chat")


class TablesError(WorldgenError):
    """Tables of a cohort that do not fit each other."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request with its answer: what was asked, in which stratum, and the exact truth.

    `answer_ids`, `options`, `events` and `q` are aligned: option i is written `answer_ids[i]` on the
    wire, means the set of atoms `events[i]`, and has probability `q[i]` given `given`. `q` is None
    where the request is not eligible; such a request is never sent. `outcome` is the position of the option
    that came true, None where the cohort does not say or it lies outside `given`.
    """

    request_id: str
    root_id: str
    stratum: str
    variant: str
    form: str
    wire: str
    options: tuple[str, ...]
    answer_ids: tuple[str, ...]
    eligible: bool
    events: tuple[frozenset[int], ...]
    given: frozenset[int]
    q: tuple[Fraction, ...] | None
    outcome: int | None = None


@dataclass(frozen=True, slots=True)
class Claims:
    """One relation on one root: the requests of its claims in the declared order."""

    root_id: str
    relation: str
    request_ids: tuple[str, ...]
    eligible: bool
    tolerance: Fraction
    primary: bool
    identity_control: bool


@dataclass(frozen=True)
class AnswerKey:
    """What a cohort's answers are judged by: its requests by id and the claims of its relations, both in
    table order, the stratum of every root, and the exact posterior of every root over its atoms (of none,
    where the truth table was not given).
    """

    requests: Mapping[str, Request]
    relations: tuple[Claims, ...]
    strata: Mapping[str, str]
    posteriors: Mapping[str, tuple[Fraction, ...]]

    @classmethod
    def of(cls, roots: Rows, requests: Rows, targets: Rows, relations: Rows, truth: Rows = ()) -> "AnswerKey":
        """The answer key of a cohort from its tables. Raises TablesError where they do not fit each other."""
        strata = {
            row["root_id"]: row["stratum"]
            for row in table_rows(roots, ("root_id", "stratum"), unique="root_id", table="roots")
        }
        gold = {
            row["request_id"]: row
            for row in table_rows(
                targets,
                ("request_id", "event_map", "given", "q", "outcome"),
                unique="request_id",
                table="targets",
            )
        }
        columns = (
            *("request_id", "root_id", "variant", "form", "wire"),
            *("options", "answer_ids", "eligible"),
        )
        joined = {
            row["request_id"]: _request(row, strata, gold)
            for row in table_rows(requests, columns, unique="request_id", table="requests")
        }
        unasked = gold.keys() - joined.keys()
        if unasked:
            raise TablesError(f"targets: {min(unasked)!r} is no request of the requests table")
        declared = (
            *("root_id", "relation", "request_ids", "eligible"),
            *("tolerance", "primary", "identity_control"),
        )
        claims = tuple(_claims(row, joined) for row in table_rows(relations, declared, table="relations"))
        posteriors = {
            row["root_id"]: tuple(map(read_number, row["posterior"]))
            for row in table_rows(truth, ("root_id", "posterior"), unique="root_id", table="truth")
        }
        if truth and posteriors.keys() != strata.keys():
            raise TablesError("truth: its roots are not those of the roots table")
        return cls(joined, claims, strata, posteriors)


def table_rows(
    rows: Rows, columns: Sequence[str], *, table: str, unique: str | None = None
) -> Sequence[Mapping[str, Any]]:
    """Some columns of a table as dictionaries, from Arrow or from plain rows.

    Raises TablesError for a missing column, or if a value of the column `unique` stands twice.
    """
    found: Sequence[Mapping[str, Any]]
    if isinstance(rows, Sequence):
        found = rows
        missing = [name for name in columns if any(name not in row for row in rows)]
    else:
        missing = [name for name in columns if name not in rows.column_names]
        found = [] if missing else rows.select(columns).to_pylist()
    if missing:
        raise TablesError(f"{table}: there is no column {', '.join(missing)}")
    if unique is not None:
        seen: set[str] = set()
        for row in found:
            if row[unique] in seen:
                raise TablesError(f"{table}: {unique} {row[unique]!r} stands twice")
            seen.add(row[unique])
    return found


def _request(
    row: Mapping[str, Any], strata: Mapping[str, str], gold: Mapping[str, Mapping[str, Any]]
) -> Request:
    name = row["request_id"]
    if row["root_id"] not in strata:
        raise TablesError(f"requests: {name!r} belongs to root {row['root_id']!r}, which no table knows")
    if name not in gold:
        raise TablesError(f"requests: {name!r} has no row among the targets")
    if row["form"] not in FORMS or row["wire"] not in WIRES:
        raise TablesError(f"requests: {name!r} has form {row['form']!r} and wire {row['wire']!r}")
    target = gold[name]
    q = None if target["q"] is None else tuple(map(read_number, target["q"]))
    events = tuple(map(frozenset, target["event_map"]))
    sizes = {len(row["options"]), len(row["answer_ids"]), len(events), len(events if q is None else q)}
    if len(sizes) != 1 or len(set(row["answer_ids"])) != len(events):
        raise TablesError(f"{name!r}: options, answer_ids, event_map and q are not aligned")
    if (q is not None) != row["eligible"] or (q is not None and sum(q) != 1):
        raise TablesError(f"{name!r}: an eligible request, and no other, has a q that sums to 1")
    if row["form"] == "event" and set(row["options"]) != {"true", "false"}:
        raise TablesError(f"{name!r}: the options of an event are true and false")
    if (row["form"], row["wire"]) == ("event", "systemone") and set(row["answer_ids"]) != {"true", "false"}:
        raise TablesError(f"{name!r}: the answer ids of an event on systemone are true and false")
    outcome = target["outcome"]
    if outcome is not None and not 0 <= outcome < len(events):
        raise TablesError(f"{name!r}: outcome {outcome} is no option")
    return Request(
        name,
        row["root_id"],
        strata[row["root_id"]],
        row["variant"],
        row["form"],
        row["wire"],
        tuple(row["options"]),
        tuple(row["answer_ids"]),
        row["eligible"],
        events,
        frozenset(target["given"]),
        q,
        outcome,
    )


def _claims(row: Mapping[str, Any], requests: Mapping[str, Request]) -> Claims:
    place = f"relations: {row['relation']!r} of root {row['root_id']!r}"
    for name in row["request_ids"]:
        if name not in requests or requests[name].root_id != row["root_id"]:
            raise TablesError(f"{place} claims {name!r}, which is no request of that root")
    if row["eligible"] and not all(requests[name].eligible for name in row["request_ids"]):
        raise TablesError(f"{place} is eligible while one of its requests is not")
    return Claims(
        row["root_id"],
        row["relation"],
        tuple(row["request_ids"]),
        row["eligible"],
        read_number(row["tolerance"]),
        row["primary"],
        row["identity_control"],
    )
