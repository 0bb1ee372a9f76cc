"""Events form a Boolean algebra, and say what is wrong when they are misused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.errors import EventError
from worldgen.exact.events import Atoms, Conditional, Event

DIE = Atoms(("1", "2", "3", "4", "5", "6"))
events = st.sets(st.integers(0, 5)).map(DIE.event)


@given(events, events, events)
def test_the_laws_of_boolean_algebra(a: Event, b: Event, c: Event) -> None:
    everything, nothing = DIE.everything, DIE.nothing
    assert a & b == b & a and a | b == b | a
    assert a & (b & c) == (a & b) & c and a | (b | c) == (a | b) | c
    assert a & (b | c) == (a & b) | (a & c) and a | (b & c) == (a | b) & (a | c)
    assert a & everything == a == a | nothing
    assert a & ~a == nothing and a | ~a == everything
    assert ~~a == a and ~(a & b) == ~a | ~b


@given(events, events)
def test_operations_are_those_of_sets_of_positions(a: Event, b: Event) -> None:
    left, right = set(a.indices), set(b.indices)
    assert set((a & b).indices) == left & right
    assert set((a | b).indices) == left | right
    assert set((~a).indices) == set(range(6)) - left
    assert (a <= b) == (left <= right)
    assert (a == b) == (left == right)
    assert list(a.indices) == sorted(left)


@given(events, st.text())
def test_a_label_is_for_people_only(event: Event, label: str) -> None:
    relabelled = event.named(label)
    assert relabelled == event and hash(relabelled) == hash(event)
    assert DIE.event(event.indices) == event == DIE.membership(DIE.names[i] for i in event.indices)


@given(events, events, events)
def test_conditionals_are_equal_when_their_extensions_are(a: Event, b: Event, condition: Event) -> None:
    same = set((a & condition).indices) == set((b & condition).indices)
    assert (a.given(condition) == b.given(condition)) == same
    assert Conditional(a, condition) == a.given(condition) == (a & condition).given(condition)


def test_an_event_is_shown_by_its_label_or_by_its_atoms() -> None:
    even = DIE.event([5, 1, 3, 1])
    assert str(even) == "{2, 4, 6}"
    assert str(even.named("even") & ~DIE.event([0], "one")) == "(even and not one)"
    assert str(even | DIE.nothing) == "({2, 4, 6} or nothing)"
    assert str(DIE.everything) == "everything"


@pytest.mark.parametrize("names", [(), ("a", "a")])
def test_atoms_need_distinct_names(names: tuple[str, ...]) -> None:
    with pytest.raises(EventError, match="distinct names"):
        Atoms(names)


@pytest.mark.parametrize("index", [-1, 6])
def test_a_position_beyond_the_atoms_is_refused(index: int) -> None:
    with pytest.raises(EventError, match=f"no atom {index}: positions run from 0 to 5"):
        DIE.event([index])


@pytest.mark.parametrize("mask", [-1, 1 << 6])
def test_a_mask_beyond_the_atoms_is_refused(mask: int) -> None:
    with pytest.raises(EventError, match="does not fit 6 atoms"):
        Event(DIE, mask)


def test_every_unknown_name_is_listed() -> None:
    with pytest.raises(EventError, match="no atom is named 7, 8"):
        DIE.membership(["7", "1", "8"])


def test_events_of_different_worlds_do_not_mix() -> None:
    coin = Atoms(("heads", "tails"))
    heads = coin.event([0], "heads")
    for mix in (DIE.everything.__and__, DIE.everything.__or__, DIE.everything.given):
        with pytest.raises(EventError, match="'everything' and 'heads' are events of different worlds"):
            mix(heads)
    assert Atoms(("heads", "tails")).event([0]) == heads, "atoms are the same when their names are"
