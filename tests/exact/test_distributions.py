"""Distributions and questions: the laws of probability, exactly, one at a time and in batches."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from worldgen.exact.distributions import Distribution, Posteriors
from worldgen.exact.errors import EventError, PartitionError, ZeroMassError
from worldgen.exact.events import Atoms, Conditional, Event
from worldgen.exact.numbers import integers
from worldgen.exact.questions import Option, Question

ATOMS = Atoms(("a", "b", "c", "d"))
events = st.sets(st.integers(0, 3)).map(ATOMS.event)
weights = st.one_of(st.integers(0, 3), st.integers(0, 10**30))
rows = st.tuples(weights, weights, weights, weights).filter(any)
Row = tuple[int, ...]
distributions = rows.map(lambda row: Distribution(ATOMS, row))


@given(distributions, events, events)
def test_probability_is_a_measure(law: Distribution, a: Event, b: Event) -> None:
    assert law.probability(ATOMS.everything) == 1 and law.probability(ATOMS.nothing) == 0
    assert law.probability(a | b) == law.probability(a) + law.probability(b) - law.probability(a & b)
    assert law.probability(~a) == 1 - law.probability(a)
    assert law.probability(a) == sum((law.masses[i] for i in a.indices), Fraction(0))


@given(distributions, events, events)
def test_the_product_rule(law: Distribution, a: Event, b: Event) -> None:
    if law.probability(b) == 0:
        with pytest.raises(ZeroMassError) as caught:
            law.given(b.named("the impossible"))
        assert caught.value.event == "the impossible"
        with pytest.raises(ZeroMassError, match="cannot condition on 'the impossible'"):
            law.probability(Conditional(a, b.named("the impossible")))
    else:
        assert law.probability(a & b) == law.probability(a.given(b)) * law.probability(b)
        assert law.given(b).probability(a) == law.probability(a.given(b)) <= 1
        assert law.given(b).support == law.support & b


@given(rows, st.integers(1, 10**6))
def test_equal_distributions_are_equal_objects(row: tuple[int, ...], factor: int) -> None:
    law = Distribution(ATOMS, row)
    assert Distribution(ATOMS, tuple(w * factor for w in row)) == law
    assert Distribution.of(ATOMS, law.masses) == law
    assert law.masses == tuple(Fraction(w, sum(row)) for w in row)
    assert sum(law.masses) == 1


@pytest.mark.parametrize(("row", "reason"), [((1, 2), "2 weights do not fit 4"), ((1, 1, 1, -1), "negative")])
def test_weights_that_are_no_distribution_are_refused(row: tuple[int, ...], reason: str) -> None:
    with pytest.raises(EventError, match=reason):
        Distribution(ATOMS, row)


def test_all_zero_weights_are_refused_by_name() -> None:
    with pytest.raises(ZeroMassError, match=r"everything.*\n.*positive weight"):
        Distribution(ATOMS, (0, 0, 0, 0))


def test_events_of_another_world_have_no_probability_here() -> None:
    heads = Atoms(("heads", "tails")).event([0], "heads")
    law = Distribution(ATOMS, (1, 1, 1, 1))
    batch = Posteriors(ATOMS, np.array([[1, 1, 1, 1]]), np.array([4]))
    for ask in (law.probability, law.given, batch.weight):
        with pytest.raises(EventError, match="'heads' is an event of another world"):
            ask(heads)


def batch_of(table: list[tuple[int, ...]]) -> Posteriors:
    """A batch as `posteriors` makes it: int64 where the totals allow it."""
    bound = max(map(sum, table)) + 1
    return Posteriors(ATOMS, integers(table, bound), integers([sum(row) for row in table], bound))


@given(st.lists(rows, min_size=1, max_size=5), events)
def test_a_batch_is_its_rows(table: list[tuple[int, ...]], event: Event) -> None:
    batch = batch_of(table)
    laws = [Distribution(ATOMS, row) for row in table]
    assert [batch.row(i) for i in range(len(batch))] == laws
    shares = zip(batch.weight(event).tolist(), batch.denominators.tolist(), strict=True)
    assert [Fraction(top, bottom) for top, bottom in shares] == [law.probability(event) for law in laws]


@given(distributions, events, events)
def test_a_question_about_an_event_is_answered_by_its_probability(
    law: Distribution, event: Event, given: Event
) -> None:
    assume(law.probability(given) > 0)
    conditional = law.probability(event.given(given))
    assert Question.about(event, given).answer(law) == (conditional, 1 - conditional)
    assert Question.about(event).answer(law) == (law.probability(event), law.probability(~event))


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Up to three options of any atoms, overlapping or missing as they happen to."""
    options = draw(st.lists(events, min_size=1, max_size=3))
    named = tuple(Option(f"option {i}", event) for i, event in enumerate(options))
    return Question("choice", named, draw(events))


def is_partition(question: Question, law: Distribution) -> bool:
    """Whether each possible atom of `given` lies in exactly one option."""
    possible = (law.support & question.given).indices
    return all(sum(i in o.event.indices for o in question.options) == 1 for i in possible)


@given(questions(), st.lists(rows, min_size=1, max_size=4))
def test_answers_in_batches_are_the_answers_row_by_row(
    question: Question, table: list[tuple[int, ...]]
) -> None:
    laws = [Distribution(ATOMS, row) for row in table]
    if not all(is_partition(question, law) for law in laws):
        with pytest.raises(PartitionError):
            question.answers(batch_of(table))
        return
    tops, bottoms, defined = question.answers(batch_of(table))
    assert (bottoms > 0).all()
    for law, row, bottom, known in zip(laws, tops.tolist(), bottoms.tolist(), defined.tolist(), strict=True):
        assert known == (law.probability(question.given) > 0)
        if known:
            assert tuple(Fraction(top, bottom) for top in row) == question.answer(law)
            assert sum(row) == bottom
        else:
            assert (row, bottom) == ([0] * len(question.options), 1)
            with pytest.raises(ZeroMassError):
                question.answer(law)


@given(questions(), distributions)
def test_exactly_the_partitions_are_accepted(question: Question, law: Distribution) -> None:
    if is_partition(question, law):
        question.check(law.support)
    else:
        with pytest.raises(PartitionError, match=r"overlap on possible atoms|no option covers"):
            question.check(law.support)


def test_a_bad_partition_names_the_options_and_the_atoms() -> None:
    law = Distribution(ATOMS, (1, 1, 1, 0))
    first, second = Option("first", ATOMS.event([0, 1])), Option("second", ATOMS.event([1, 3]))
    with pytest.raises(PartitionError, match="options 'first' and 'second' overlap on possible atoms"):
        Question("choice", (first, second), ATOMS.everything).answer(law)
    with pytest.raises(PartitionError, match=r"no option covers the possible atoms \{c\}"):
        Question("choice", (first,), ATOMS.everything).answer(law)
    with pytest.raises(PartitionError, match=r"distinct names, got \['first', 'first'\]"):
        Question("choice", (first, first), ATOMS.everything)
    with pytest.raises(PartitionError, match="distinct names"):
        Question("choice", (), ATOMS.everything)


def test_a_question_on_an_impossible_condition_names_it() -> None:
    law = Distribution(ATOMS, (1, 1, 1, 0))
    with pytest.raises(ZeroMassError) as caught:
        Question.about(ATOMS.event([0]), ATOMS.event([3], "the last")).answer(law)
    assert caught.value.event == "the last"


def test_a_batch_without_rows_has_no_answers() -> None:
    empty = Posteriors(ATOMS, np.zeros((0, 4), dtype=np.int64), np.zeros(0, dtype=np.int64))
    tops, bottoms, defined = Question.about(ATOMS.event([0])).answers(empty)
    assert (tops.shape, bottoms.shape, defined.shape) == ((0, 2), (0,), (0,))


FOUR = st.tuples(*[st.integers(0, 2) | st.integers(0, 2**70)] * 4)


@given(st.lists(st.tuples(FOUR.filter(any), FOUR | st.none(), st.integers(1, 2**40)), max_size=5))
def test_rows_are_unlike_where_some_fraction_is(pairs: list[tuple[Row, Row | None, int]]) -> None:
    """None stands for weights that are a multiple of the numerators."""
    given_weights = [other or tuple(times * top for top in tops) for tops, other, times in pairs]
    largest = max((max(row) for tops, _, _ in pairs for row in (tops, *given_weights)), default=0)
    tops = integers([tops for tops, _, _ in pairs], 4 * largest + 1).reshape(-1, 4)
    others = integers(given_weights, 4 * largest + 1).reshape(-1, 4)
    expected = [
        row
        for row, ((first, _, _), second) in enumerate(zip(pairs, given_weights, strict=True))
        if not any(second)
        or [Fraction(x, sum(first)) for x in first] != [Fraction(y, sum(second)) for y in second]
    ]
    assert Posteriors(ATOMS, tops, tops.sum(axis=1)).unlike(others) == expected


def test_products_that_would_wrap_to_equal_ones_differ() -> None:
    """2**32 times 2**32 is 2**64, which int64 cannot tell from 0."""
    half = Posteriors(Atoms(("a", "b")), np.array([[2**32, 2**32]]), np.array([2**33]))
    assert half.unlike(np.array([[0, 2**32]])) == [0]
    assert half.unlike(np.array([[2**62, 2**62]])) == []


@pytest.mark.parametrize("weights", [(3 * 2**62, 3 * 2**62), (3 * 2**61, 5 * 2**61), (2**63, 2**63)])
def test_masses_that_wrapped_are_unlike_those_that_did_not(weights: tuple[int, int]) -> None:
    """Modulo 2**64 the products crosswise are equal: only their size tells."""
    tops = np.array([weights], dtype=np.uint64).astype(np.int64)
    wrapped = Posteriors(Atoms(("a", "b")), tops, tops.sum(axis=1))
    assert wrapped.unlike(np.array([weights], dtype=np.object_)) == [0]
    assert wrapped.unlike(np.array([weights], dtype=np.object_) // 2**61) == [0]
