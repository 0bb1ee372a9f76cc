"""The proof and the search, against counting all inputs of small lines."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldgen.exact.domains import Code, Grid, Identifiers, Numbers, Phrases, Texts
from worldgen.exact.variables import Variable
from worldgen.renderers.collisions import find_collision, samples_of
from worldgen.renderers.errors import PlanError
from worldgen.renderers.lines import Column, Item, Leaf, Line, Literal, Slot, straight
from worldgen.renderers.plans import Plan
from worldgen.renderers.proof import prove

FINITE = [Variable(name, Phrases(tuple("pqr"[:size]))) for name, size in (("x", 2), ("y", 3), ("z", 2))]
TAG = Variable("tag", Identifiers("ab", 1, 2))
TAGS = ["".join(marks) for length in (1, 2) for marks in product("ab", repeat=length)]


@st.composite
def finite_items(draw: st.DrawFn) -> Item:
    if draw(st.integers(0, 3)) == 0:
        return Literal(draw(st.text("ab,", max_size=2)))
    variables = tuple(draw(st.lists(st.sampled_from(FINITE), min_size=1, max_size=2, unique=True)))
    cases = 1
    for variable in variables:
        cases *= variable.domain.size or 1
    texts = draw(st.lists(st.text("ab", max_size=3), min_size=cases, max_size=cases))
    return Column(variables, tuple(texts))


def lines(items: st.SearchStrategy[Item]) -> st.SearchStrategy[Line]:
    return st.lists(items, min_size=1, max_size=5).map(lambda made: straight(Leaf(tuple(made))))


def shown(line: Line) -> list[Variable]:
    return list(dict.fromkeys(variable for item in line.items for variable in item.variables))


def inputs(line: Line) -> Iterator[dict[str, Code]]:
    """Every input of a line."""
    variables = shown(line)
    choices = [TAGS if v.domain.size is None else range(v.domain.size) for v in variables]
    for codes in product(*choices):
        named = zip((variable.name for variable in variables), codes, strict=True)
        yield dict(named)  # type: ignore[arg-type]  # codes of open and of listed domains


def collides(line: Line) -> bool:
    return max(Counter(map(line.write, inputs(line))).values()) > 1


def accepted(line: Line) -> bool:
    try:
        prove(line, shown(line))
    except PlanError:
        return False
    return True


@settings(max_examples=400, deadline=None)
@given(lines(finite_items()))
def test_the_search_finds_a_collision_exactly_where_there_is_one(line: Line) -> None:
    search = find_collision(line)
    assert search.complete
    assert (search.collision is not None) == collides(line)
    if search.collision:
        first, second = search.collision.first, search.collision.second
        assert first != second
        assert line.write(first) == line.write(second) == search.collision.text
        assert all(side in list(inputs(line)) for side in (first, second))


@settings(max_examples=400, deadline=None)
@given(lines(finite_items()))
def test_no_accepted_line_has_a_collision(line: Line) -> None:
    if accepted(line):
        assert not collides(line)


@settings(max_examples=300, deadline=None)
@given(lines(st.one_of(finite_items(), st.just(Slot(TAG)))))
def test_slots_obey_the_proof_and_their_witnesses_are_real(line: Line) -> None:
    if accepted(line):
        assert not collides(line)
    search = find_collision(line)
    if search.collision:
        assert collides(line)
    if TAG in shown(line) and not search.collision:
        assert not search.complete


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_accepted_lines_are_read_back(data: st.DataObject) -> None:
    variables = data.draw(st.permutations([*FINITE, TAG]))
    items: list[Item] = []
    for variable in variables[:3]:
        ends = data.draw(st.sampled_from([",", ";", "a,", ""]))
        if variable is TAG:
            items += [Slot(variable), Literal(ends)]
        else:
            size = variable.domain.size or 0
            texts = data.draw(st.lists(st.text("ab", max_size=3), min_size=size, max_size=size))
            items += [Column((variable,), tuple(texts)), Literal(ends)]
    line = straight(Leaf(tuple(items)))
    if not accepted(line):
        return
    plan = Plan(Leaf(tuple(items)), tuple(shown(line)))
    for codes in inputs(line):
        decoded = plan.decode([line.write(codes)])
        assert not decoded.faults
        assert {name: values[0] for name, values in decoded.values.items()} == codes


def column(name: str, *texts: str) -> Column:
    return Column((Variable(name, Phrases(tuple(f"{name}{i}" for i in range(len(texts))))),), texts)


def refusal(*items: Item) -> PlanError:
    line = straight({"state": Leaf(items)})
    with pytest.raises(PlanError) as caught:
        prove(line, shown(line))
    return caught.value


def test_equal_texts_are_refused_with_both_inputs() -> None:
    error = refusal(column("x", "same", "same", "other"), Literal("; "), column("y", "1", "2"))
    assert error.collision is not None
    assert (error.leaf, error.column) == ("$.state", "{x}")
    assert error.message == (
        "$.state, {x}: these two inputs render to one text (all else alike):\n"
        '  x = x0\n  x = x1\n  both: {"state":"same; 1"}'
    )
    assert error.remedy == "show {x} in full"


def test_a_collision_across_columns_names_both_variables() -> None:
    error = refusal(column("x", "1", "11"), column("y", "1", "11"))
    assert "  x = x0, y = y1\n  x = x1, y = y0\n" in error.message
    assert error.remedy == "put a separator right after {x}"


def test_what_only_reads_from_the_right_needs_a_separator() -> None:
    error = refusal(column("x", "a", "ab"), column("y", "c", "cd"))
    assert error.collision is None
    assert "no two inputs render to one text, but it cannot be read from left to right" in error.message
    assert error.remedy == "put a separator right after {x}"


def test_wording_before_showing_says_so() -> None:
    x = Variable("x", Phrases(("p", "q", "r")))
    error = refusal(Column((x,), ("odd", "even", "odd")), Literal(": "), Column((x,), ("p", "q", "r")))
    assert error.collision is None
    assert error.remedy == "show {x} in full before it words anything"
    prove(straight(Leaf((Column((x,), ("p", "q", "r")), Column((x,), ("odd", "even", "odd"))))), [x])


def test_a_slot_needs_a_literal_outside_its_alphabet() -> None:
    tag = Slot(Variable("tag", Identifiers("ab", 1, 3)))
    assert refusal(tag, column("x", "1", "2")).remedy == "put a separator right after {tag}"
    error = refusal(tag, Literal("b"), column("x", "b", "bb"))
    assert error.collision is not None
    prove(straight(Leaf((tag, Literal("c")))), [tag.variable])


def test_a_slot_that_repeats_needs_no_separator() -> None:
    tag, x = Slot(Variable("tag", Identifiers("ab", 1, 3))), column("x", "1", "2")
    plan = Plan(Leaf((tag, Literal("; "), tag, x)), (tag.variable, x.variables[0]))
    assert not plan.decode(['"ab; ab1"']).faults
    assert plan.decode(['"ab; a1"']).faults[0].offset == 6


def test_a_text_ends_its_string() -> None:
    text = Slot(Variable("remark", Texts()))
    error = refusal(text, Literal("."))
    assert error.remedy == "put the end of its string right after {remark}"
    assert (
        "no two inputs with one text were found, trying a few values of each open variable" in error.message
    )
    assert refusal(text, Literal('"')).column == "{remark}"
    assert refusal(text, Literal("A")).column == "{remark}"
    prove(straight(Leaf((Literal("says: "), text))), [text.variable])


@pytest.mark.parametrize(
    ("grid", "mark", "held"),
    [
        (Grid(Fraction(-1), Fraction(1), 5000), "-", True),
        (Grid(Fraction(0), Fraction(1), 5000), "-", False),
        (Grid(Fraction(0), Fraction(1, 10), 5000, "decimal"), ".", True),
        (Grid(Fraction(0), Fraction(1), 5000, "decimal"), ".", False),
        (Grid(Fraction(0), Fraction(1, 3), 5000, "rational"), "/", True),
        (Grid(Fraction(0), Fraction(1), 5000), "7", True),
        (Grid(Fraction(0), Fraction(1), 5000), " ", False),
    ],
)
def test_a_grid_holds_the_characters_of_its_numbers(grid: Grid, mark: str, held: bool) -> None:
    slot = Slot(Variable("g", grid))
    assert slot.holds(mark) == held
    texts = [grid.text(code) for code in range(200)]
    assert all(slot.holds(each) for text in texts for each in text)
    if held:
        assert any(mark in text for text in texts)


def test_exactly_the_variables_of_the_plan_are_shown() -> None:
    x, y = (Variable(name, Phrases(("p", "q"))) for name in "xy")
    line = straight({"state": Leaf((Column((x,), ("p", "q")),))})
    with pytest.raises(PlanError, match="'y' is nowhere shown"):
        prove(line, [x, y])
    with pytest.raises(PlanError, match="'x' is shown but is no variable of this view") as caught:
        prove(line, [])
    assert caught.value.leaf == "$.state"
    with pytest.raises(PlanError, match="'x' is shown but"):
        prove(line, [Variable("x", Phrases(("p", "r")))])


def test_two_variables_of_one_name_are_refused() -> None:
    one, other = Variable("x", Phrases(("p", "q"))), Variable("x", Phrases(("p", "q", "r")))
    line = straight(Leaf((Column((one,), ("p", "q")), Literal(" "), Column((other,), ("p", "q", "r")))))
    with pytest.raises(PlanError, match="two different variables are named 'x'"):
        prove(line, [one])


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(PlanError, match="lone surrogate"):
        prove(straight(Leaf((Literal("\ud800"),))), [])


def test_a_search_that_is_cut_short_says_so() -> None:
    search = find_collision(straight(Leaf((column("x", "a", "ab"), column("y", "c", "cd")))), most_moves=2)
    assert (search.collision, search.complete, search.bound) == (None, False, "among 2 comparisons")


def test_tables_of_twenty_thousand_are_proved_and_refused() -> None:
    values = tuple(Fraction(k) for k in range(20_000))
    big = Variable("big", Numbers(values, "integer"))
    texts = tuple(map(str, range(20_000)))
    prove(straight(Leaf((Column((big,), texts), Literal(" ")))), [big])
    error = refusal(Column((big,), (*texts[:-1], "7")), Literal(" "))
    assert error.collision is not None
    assert "big = 7\n  big = 19999" in error.message


@pytest.mark.parametrize(
    "domain",
    [Identifiers("ab", 2, 2), Identifiers("abc", 1, 10**6), Texts(), Grid(Fraction(-5), Fraction(1), 10**6)],
)
def test_samples_lie_in_the_domain(domain: Identifiers | Texts | Grid) -> None:
    codes = samples_of(Variable("v", domain), "b, ")
    texts = [domain.text(code) for code in codes]
    assert len(set(texts)) == len(texts) > 1
    assert [domain.code(text) for text in texts] == codes
