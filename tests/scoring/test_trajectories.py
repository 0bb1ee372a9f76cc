"""Endpoints of dialogues, against reading them turn by turn."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.retention.trajectories import endpoints, mean_turn, state_retention

TALKS = st.lists(st.lists(st.booleans(), min_size=1, max_size=5), max_size=6)


@given(TALKS)
def test_endpoints_are_what_reading_turn_by_turn_finds(talks: list[list[bool]]) -> None:
    found = endpoints(talks)
    failed = [talk for talk in talks if False in talk]
    again = [t for t in failed if any(not t[i] and t[j] for i in range(len(t)) for j in range(i + 1, len(t)))]
    assert (found.dialogues, found.failed, found.recovered) == (len(talks), len(failed), len(again))
    assert found.recovered_finally == sum(talk[-1] for talk in failed) <= found.recovered
    if not talks:
        assert found.mean_turn is found.final_state is found.trajectory is None
        return
    assert found.trajectory == 1 - Fraction(len(failed), len(talks))
    assert found.final_state == found.trajectory + Fraction(found.recovered_finally, len(talks))
    assert found.mean_turn == sum((mean_turn(talk) for talk in talks), Fraction(0)) / len(talks)


def test_equal_trajectories_can_differ_later() -> None:
    """After the first error a trajectory stays wrong; its later states need not."""
    first, second = endpoints([[False, True, True]]), endpoints([[False, False, False]])
    assert first.trajectory == second.trajectory == 0
    assert first.mean_turn == Fraction(2, 3) and second.mean_turn == 0
    assert first.final_state == 1 and second.final_state == 0


@given(st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=4), max_size=5))
def test_state_retention_weighs_dialogues_alike(talks: list[list[tuple[bool, bool]]]) -> None:
    joint, local = ([[turn[side] for turn in talk] for talk in talks] for side in (0, 1))
    mass = sum((Fraction(sum(a for a, _ in talk), len(talk)) for talk in talks), Fraction(0))
    kept = sum((Fraction(sum(a and b for a, b in talk), len(talk)) for talk in talks), Fraction(0))
    assert state_retention(joint, local) == (kept / mass if mass else None)


def test_dialogues_that_do_not_match_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one turn"):
        endpoints([[]])
    with pytest.raises(ValueError, match="shorter"):
        state_retention([[True, True]], [[True]])
