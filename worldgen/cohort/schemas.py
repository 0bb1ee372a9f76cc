"""The tables of a cohort: one schema each, all of them here. A folder is named after its table.

Every cohort has the tables of PUBLIC and EVALUATOR; one with a pool of cases has its rows besides, and one
with worlds of candidates the geometry of each root of theirs.
"""

from collections.abc import Sequence

import pyarrow as pa

_texts = pa.list_(pa.field("item", pa.string(), nullable=False))
_numbers = pa.list_(pa.field("item", pa.int32(), nullable=False))


def _schema(*fields: tuple[str, pa.DataType, bool]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, nullable=nullable) for name, kind, nullable in fields])


ROOTS = _schema(
    ("root_id", pa.string(), False),
    ("world", pa.string(), False),
    ("stratum", pa.string(), False),
    ("view", pa.string(), False),
    ("visible", _texts, False),
    ("semantic_digest", pa.string(), False),
)

REQUESTS = _schema(
    ("request_id", pa.string(), False),
    ("root_id", pa.string(), False),
    ("variant", pa.string(), False),
    ("position", pa.int32(), False),
    ("form", pa.string(), False),
    ("wire", pa.string(), False),
    ("payload", pa.string(), True),
    ("options", _texts, False),
    ("answer_ids", _texts, False),
    ("eligible", pa.bool_(), False),
    ("portable", pa.bool_(), False),
)

TRUTH = _schema(
    ("root_id", pa.string(), False),
    ("view", pa.string(), False),
    ("posterior", _texts, False),
    ("hidden", _texts, False),
    ("outcome", pa.int32(), False),
)

TARGETS = _schema(
    ("request_id", pa.string(), False),
    ("event_map", pa.list_(pa.field("item", _numbers, nullable=False)), False),
    ("given", _numbers, False),
    ("q", _texts, True),
    ("q_float", pa.list_(pa.field("item", pa.float64(), nullable=False)), True),
    ("outcome", pa.int32(), True),
    ("ineligible_reason", pa.string(), True),
)

RELATIONS = _schema(
    ("root_id", pa.string(), False),
    ("relation", pa.string(), False),
    ("request_ids", _texts, False),
    ("eligible", pa.bool_(), False),
    ("reason", pa.string(), True),
    ("tolerance", pa.string(), False),
    ("primary", pa.bool_(), False),
    ("identity_control", pa.bool_(), False),
)

POOL = _schema(
    ("pool_id", pa.string(), False),
    ("stratum", pa.string(), False),
    ("view", pa.string(), False),
    ("position", pa.int32(), False),
    ("visible", _texts, False),
    ("case", pa.string(), False),
    ("outcome", pa.string(), False),
)

GEOMETRY = _schema(
    ("root_id", pa.string(), False),
    ("gold", pa.string(), False),
    ("length", pa.int32(), False),
    ("counts", _numbers, False),
    ("entropies", _texts, False),
    ("mean_entropy", pa.string(), False),
    ("branch_entropies", _texts, False),
    ("first_unique", pa.int32(), False),
    ("branches", _numbers, False),
    ("unions", _texts, False),
    ("mean_union", pa.string(), False),
    ("cartesian", pa.int32(), False),
)

PUBLIC = {"roots": ROOTS, "requests": REQUESTS}
EVALUATOR = {"truth": TRUTH, "targets": TARGETS, "relations": RELATIONS}
TABLES = PUBLIC | EVALUATOR
POOLED = {"pool": POOL}
CANDIDATES = {"geometry": GEOMETRY}
SCHEMAS = TABLES | POOLED | CANDIDATES

FEW = {
    *("world", "stratum", "view", "visible", "hidden"),
    *("variant", "form", "wire", "options", "ineligible_reason"),
    *("relation", "tolerance", "reason"),
}
"""The columns that say few texts many times."""


def reference_schema(classes: int, snapshots: Sequence[int], *, cases: bool = False) -> pa.Schema:
    """The table of reference inputs of a world of so many classes, with snapshots of these sizes, and with
    each input written out as a case or not. What is one number for two classes is a list of one for each
    class where there are more.

    >>> reference_schema(2, [5]).names
    ['position', 'visible', 'p', 'p_float', 'positives_5']
    >>> reference_schema(3, [5]).names
    ['position', 'visible', 'p', 'p_float', 'labels_5']
    """
    text, double, count = (
        kind if classes == 2 else pa.list_(pa.field("item", kind, nullable=False))
        for kind in (pa.string(), pa.float64(), pa.int32())
    )
    counted = "positives" if classes == 2 else "labels"
    return _schema(
        ("position", pa.int32(), False),
        ("visible", _texts, False),
        *([("case", pa.string(), False)] if cases else []),
        ("p", text, False),
        ("p_float", double, False),
        *((f"{counted}_{size}", count, False) for size in snapshots),
    )


def sides_of(pool: int, candidates: bool = False) -> dict[str, dict[str, pa.Schema]]:
    """The tables of each side of a cohort with a pool of so many cases; there is none where that is 0. The
    geometry is there where some world is one of candidates.

    >>> list(sides_of(0)["public"]), list(sides_of(1000)["public"])
    (['roots', 'requests'], ['roots', 'requests', 'pool'])
    """
    return {
        "public": PUBLIC | (POOLED if pool else {}),
        "evaluator": EVALUATOR | (CANDIDATES if candidates else {}),
    }


def tables_of(pool: int, candidates: bool = False) -> dict[str, pa.Schema]:
    """The tables of both sides."""
    public, evaluator = sides_of(pool, candidates).values()
    return public | evaluator
