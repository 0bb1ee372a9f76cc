"""A diagram is the table that it stands for, before and after every elimination."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exact.test_elimination import SIZES, tables
from worldgen.exact import diagrams
from worldgen.exact.diagrams import CLASS, NODE, Diagram, eliminate_outcome
from worldgen.exact.elimination import Table, eliminate


@st.composite
def outcomes(draw: st.DrawFn) -> Diagram:
    """Any classes of the joint levels of some variables: few of them alike, or most."""
    names = tuple(draw(st.lists(st.sampled_from(sorted(SIZES)), max_size=4, unique=True)))
    count, seed = draw(st.integers(1, 4)), draw(st.integers(0, 2**32))
    few = draw(st.integers(1, count))
    classes = np.random.default_rng(seed).integers(0, few, size=[SIZES[name] for name in names])
    return Diagram.of(names, np.asarray(classes).astype(np.uint8), count)


def as_table(diagram: Diagram) -> Table:
    """One where the class is the class of the state: the definition, with no sharing."""
    count = len(diagram.values.values)
    found = diagram.codes[..., None] == np.arange(count)
    return Table((*diagram.names, CLASS), np.asarray(found).astype(np.uint8), 1)


@pytest.mark.parametrize("lookup", [0, diagrams._LOOKUP])
@given(outcomes(), st.lists(tables(), max_size=4), st.sets(st.sampled_from(sorted(SIZES))), st.booleans())
def test_sharing_changes_no_sum(
    lookup: int, outcome: Diagram, weights: list[Table], wanted: set[str], crowded: bool
) -> None:
    keep = sorted(wanted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagrams, "_LOOKUP", lookup)
        if not crowded:  # otherwise small diagrams become tables at once
            patch.setattr(Diagram, "crowded", False)
        found = eliminate_outcome(outcome, weights, keep)
    expected = eliminate([as_table(outcome), *weights], [*keep, CLASS])
    assert found.names == expected.names
    assert found.integers.tolist() == expected.integers.tolist()


def test_equal_rows_are_one_node() -> None:
    codes = np.broadcast_to(np.arange(12).reshape(3, 4, 1) % 2, (3, 4, 5))
    outcome = Diagram.of(("a", "b", "c"), codes.astype(np.uint8), 2)
    once = outcome.eliminate("c", [Table(("c",), np.arange(5), 4)])
    assert once.names == ("a", "b") and once.values.values.shape == (2, 2)
    assert once.values.values.tolist() == [[10, 0], [0, 10]]


@pytest.mark.parametrize("nodes", [3, 300, 70_000])
def test_many_nodes_are_told_apart(nodes: int) -> None:
    """Keys of two codes need up to 33 bits here."""
    generator = np.random.default_rng(nodes)
    codes = generator.integers(0, nodes, size=(500, 3)).astype(np.min_scalar_type(nodes))
    values = Table((NODE, CLASS), generator.integers(0, 2**20, size=(nodes, 2)), 2**20)
    found = Diagram(("a", "b"), codes, values).eliminate("b", [Table(("b",), np.array([1, 10, 100]), 100)])
    weighted = values.values[codes] * np.array([1, 10, 100])[:, None]
    assert found.table.integers.tolist() == weighted.sum(axis=1).tolist()
