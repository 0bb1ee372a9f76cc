"""A diagram is the table that it stands for, before and after every elimination."""

import numpy as np
import pytest
from hypothesis import given, settings
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
@settings(max_examples=100)
@given(outcomes(), st.data())
def test_sharing_changes_no_sum(lookup: int, outcome: Diagram, data: st.DataObject) -> None:
    """Most tables speak of what the outcome reads, so that what is left of them becomes axes of its nodes."""
    weights = data.draw(st.lists(tables(outcome.names), max_size=3)) + data.draw(
        st.lists(tables(), max_size=2)
    )
    keep = sorted(data.draw(st.sets(st.sampled_from(sorted(SIZES)), max_size=3)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagrams, "_LOOKUP", lookup)
        if data.draw(st.booleans()):  # otherwise small diagrams become tables at once
            patch.setattr(Diagram, "crowded", False)
        found = eliminate_outcome(outcome, weights, keep)
    expected = eliminate([as_table(outcome), *weights], [*keep, CLASS])
    assert found.names == expected.names
    assert found.integers.tolist() == expected.integers.tolist()


def test_a_variable_may_be_an_axis_of_the_codes_and_of_the_nodes() -> None:
    outcome = Diagram.of(("b", "c"), np.array([[0, 0, 1], [1, 0, 1]], dtype=np.uint8), 2)
    once = outcome.eliminate("b", [Table(("b", "c"), np.array([[1, 2, 3], [4, 5, 6]]), 6)])
    assert once.names == ("c",) and once.values.names == (NODE, CLASS, "c")
    assert once.table.names == ("c", CLASS)
    assert once.table.values.tolist() == [[1, 4], [7, 0], [0, 9]]
    assert once.eliminate("c", []).table.values.tolist() == [8, 13]


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
