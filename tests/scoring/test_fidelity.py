"""Fidelity against correctness, copy by copy."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from worldgen.scoring.retention.fidelity import Copy, Copying

WORDS = st.sampled_from(["aa", "ab", "ba"])


@given(st.lists(st.builds(Copy, st.one_of(WORDS, st.none()), WORDS, WORDS), max_size=8))
def test_copies_are_judged_by_what_was_supplied_and_by_the_task(copies: list[Copy]) -> None:
    found = Copying.of(copies)
    assert found.items == len(copies)
    for kind, rate in ((True, found.on_right), (False, found.on_wrong)):
        some = [copy for copy in copies if (copy.supplied == copy.gold) == kind]
        assert rate == (Fraction(sum(c.output == c.supplied for c in some), len(some)) if some else None)
    if copies:
        assert found.fidelity == Fraction(sum(c.output == c.supplied for c in copies), len(copies))
        assert found.accuracy == Fraction(sum(c.output == c.gold for c in copies), len(copies))
    else:
        assert found.fidelity is found.accuracy is None


def test_faithful_copies_of_wrong_plans_are_wrong_answers() -> None:
    """Table 4: of 30 plans 30 come back, 28 of them right."""
    copies = [Copy("ab", "ab", "ab")] * 28 + [Copy("ba", "ba", "ab")] * 2
    found = Copying.of(copies)
    assert found.fidelity == found.on_right == found.on_wrong == 1
    assert found.accuracy == Fraction(28, 30) and found.faithful_wrong == 2
