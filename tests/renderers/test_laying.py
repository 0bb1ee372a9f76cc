"""Leaves that several plans show: spelled once, and as if every plan were alone."""

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from worldgen.exact.domains import Codes, Identifiers, Phrases
from worldgen.exact.variables import Variable
from worldgen.renderers.laying import Run, layout_of, render_together
from worldgen.renderers.lines import Column, Leaf, Literal, Slot
from worldgen.renderers.plans import Plan

COIN = Variable("coin", Phrases(("heads", "tails")))
SIDE = Variable("side", Phrases(("left", "right", "middle")))
TAG = Variable("tag", Identifiers("abc", 1, 2))


def tabulated(variable: Variable) -> Column:
    return Column((variable,), tuple(variable.domain.text(code) for code in range(variable.domain.size or 0)))


STATE = Leaf(
    (Literal("it shows "), tabulated(COIN), Literal(", "), Slot(TAG), Literal("; "), tabulated(SIDE))
)
ALL = (COIN, TAG, SIDE)
PLANS = (
    Plan({"state": STATE, "ask": "which?"}, ALL),
    Plan(["one more", STATE], ALL),
    Plan({"a": STATE, "b": Leaf((tabulated(COIN),))}, ALL),
    Plan({"only": Leaf((tabulated(SIDE), Literal("/"), tabulated(COIN)))}, (SIDE, COIN)),
    Plan({"twice": [STATE, STATE]}, ALL),
)


def test_a_leaf_of_several_plans_is_one_run() -> None:
    layout = layout_of(PLANS)
    assert len(layout.runs) == 1
    runs = [[segment for segment in segments if isinstance(segment, Run)] for segments in layout.lines]
    assert [len(found) for found in runs] == [1, 1, 1, 0, 2]


rows = st.fixed_dictionaries(
    {
        "coin": st.tuples(st.integers(0, 1), st.integers(0, 1)),
        "side": st.tuples(st.integers(0, 2), st.integers(0, 2)),
        "tag": st.tuples(*[st.text("abc", min_size=1, max_size=2)] * 2),
        "valid": st.lists(st.booleans(), min_size=len(PLANS), max_size=len(PLANS)),
    }
)


@settings(deadline=None)
@given(st.lists(rows, max_size=5), st.lists(st.integers(0, 1), min_size=len(PLANS), max_size=len(PLANS)))
def test_plans_that_share_leaves_are_the_plans_one_by_one(
    drawn: list[dict[str, Any]], side: list[int]
) -> None:
    """Some plans show one set of values, the others another: a run is shared where the values are."""

    def values(which: int) -> dict[str, Codes]:
        made: dict[str, Codes] = {
            name: np.array([row[name][which] for row in drawn], dtype=np.int64) for name in ("coin", "side")
        }
        return made | {"tag": np.array([row["tag"][which] for row in drawn], dtype=np.object_)}

    both = [values(0), values(1)]
    valid = np.array([row["valid"] for row in drawn], dtype=np.bool_).reshape(len(drawn), len(PLANS))
    together = render_together(PLANS, [both[which] for which in side], valid).to_pylist()
    expected = [
        plan.line.write({name: row[name][side[number]] for name in ("coin", "side", "tag")})
        if row["valid"][number]
        else None
        for row in drawn
        for number, plan in enumerate(PLANS)
    ]
    assert together == expected
