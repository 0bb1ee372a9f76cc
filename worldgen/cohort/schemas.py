"""The tables of a cohort: one schema each, all of them here. A folder is named after its table.

Every cohort has the tables of PUBLIC and EVALUATOR; one with a pool of cases has its rows besides, and one
with worlds of candidates the geometry of each root of theirs.
"""

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
