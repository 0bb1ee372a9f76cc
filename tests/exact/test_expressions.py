"""Expressions against trees of fractions that the test builds, and a column for all that is refused."""

import pickle
import warnings
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.expressions import DEEPEST, LONGEST, Expression, ExpressionError, UndefinedError

VALUES = {"x": Fraction(1, 3), "y": Fraction(-2), "zz": Fraction(0), "é": Fraction(7, 10)}


@dataclass(frozen=True)
class Case:
    """A text and its value by the test's own arithmetic; None where a division by zero is reached."""

    text: str
    value: Fraction | None


@st.composite
def numbers(draw: st.DrawFn) -> Case:
    whole, places = draw(st.integers(0, 10**6)), draw(st.integers(0, 4))
    digits = str(whole).zfill(places + 1)
    text = str(whole) if places == 0 else f"{digits[:-places]}.{digits[-places:]}"
    return Case(text, Fraction(whole, 10**places))


def joined(operator: str, left: Case, right: Case) -> Case:
    text = f"({left.text}) {operator} ({right.text})"
    x, y = left.value, right.value
    if x is None or y is None or (operator == "/" and y == 0):
        return Case(text, None)
    return Case(text, {"+": x + y, "-": x - y, "*": x * y, "/": x / y if y else x}[operator])


def called(name: str, parts: list[Case]) -> Case:
    text = f"{name}({', '.join(part.text for part in parts)})"
    values = [part.value for part in parts if part.value is not None]
    if len(values) < len(parts):
        return Case(text, None)
    return Case(text, abs(values[0]) if name == "abs" else sorted(values)[-1 if name == "max" else 0])


def signed(sign: str, part: Case) -> Case:
    return Case(f"{sign}({part.text})", part.value if part.value is None or sign == "+" else -part.value)


def larger(part: st.SearchStrategy[Case]) -> st.SearchStrategy[Case]:
    return st.one_of(
        st.builds(joined, st.sampled_from("+-*/"), part, part),
        st.builds(signed, st.sampled_from("+-"), part),
        st.builds(called, st.just("abs"), st.lists(part, min_size=1, max_size=1)),
        st.builds(called, st.sampled_from(["max", "min"]), st.lists(part, min_size=2, max_size=4)),
    )


cases = st.recursive(
    numbers() | st.sampled_from([Case(*item) for item in VALUES.items()]), larger, max_leaves=12
)


@given(cases)
def test_a_random_tree_has_the_value_of_its_fractions(case: Case) -> None:
    if len(case.text) > LONGEST:
        return
    expression = Expression(case.text)
    if case.value is None:
        with pytest.raises(UndefinedError, match="it divides by zero"):
            expression(VALUES)
    else:
        found = expression(VALUES)
        assert type(found) is Fraction
        assert found == case.value
    assert expression.names <= VALUES.keys()
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression and again.names == expression.names


PRECEDENCE = {
    "1 + 2 * 3": Fraction(7),
    "1 - 2 - 3": Fraction(-4),
    "1/2/3": Fraction(1, 6),
    "-x * y": Fraction(2, 3),
    "2*-y": Fraction(4),
    "0.1 + 0.2": Fraction(3, 10),
    "0.84 - 0.82": Fraction(1, 50),
    "1e-3": Fraction(1, 1000),
    "max(x, y, 0.5) - min(x, y)": Fraction(5, 2),
    "é + x": Fraction(31, 30),
    "12345678901234567890.5 - 12345678901234567890": Fraction(1, 2),
}


@pytest.mark.parametrize("text", PRECEDENCE)
def test_operators_bind_as_people_expect_and_decimals_are_read_as_written(text: str) -> None:
    assert Expression(text)(VALUES) == PRECEDENCE[text]


REFUSED = {
    "f(x)": 1,
    "x + f(x)": 5,
    "x + abs.real": 5,
    "x.numerator": 1,
    "1 .real": 1,
    "x[0]": 1,
    "2 * x[0]": 5,
    "x ** 2": 1,
    "1 + x ** 2": 5,
    "x // 2": 1,
    "x % 2": 1,
    "x @ y": 1,
    "x << 1": 1,
    "x | y": 1,
    "~x": 1,
    "not x": 1,
    "x and y": 1,
    "x < y": 1,
    "1 + (x == y)": 6,
    "x if y else 1": 1,
    "lambda: 1": 1,
    "(x := 1)": 2,
    "f'{x}'": 1,
    "'x'": 1,
    "1 + 'x'": 5,
    "b'x'": 1,
    "abs(x, y)": 1,
    "1 + abs(x, y)": 5,
    "max(x)": 1,
    "max()": 1,
    "abs()": 1,
    "max(x, y, key=abs)": 1,
    "max(*x, y)": 5,
    "max(x, **y)": 1,
    "abs(abs)(x)": 1,
    "(x, y)": 1,
    "[x]": 1,
    "{x}": 1,
    "{x: y}": 1,
    "[x for x in y]": 1,
    "1 + (x for x in y)": 5,
    "True": 1,
    "1 + None": 5,
    "...": 1,
    "1_000": 1,
    "x + 1_000": 5,
    "0x10": 1,
    "0b1": 1,
    "1j": 1,
    "2 + 1j": 5,
    ".5": 1,
    "1e9999": 1,
    "x + é + f(x)": 9,
    "await x": 1,
    "yield": 1,
    "x; y": 2,
    "x = 1": 1,
    "x +": 4,
    "(x": 1,
    "x)": 2,
    "01": 1,
    "": 1,
    " x": 1,
    "x y": 1,
    "x\ny": 1,
    "(x +\n y)": 1,
    "x\0": 1,
    "\ud800": 1,
    "٣": 1,
    "import os": 1,
    "__import__('os')": 1,
    "1 is 1": 1,
    r"'\d'": 1,
    "1(x)": 1,
}


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_anything_else_is_refused_at_its_column(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        with pytest.raises(ExpressionError) as caught:
            Expression(text)
    assert caught.value.remedy
    assert caught.value.column == REFUSED[text] or "this is not an expression" in caught.value.message
    assert 1 <= caught.value.column <= len(text) + 1


DEEP = {
    "unary": "-" * (LONGEST - 1) + "x",
    "not": "not " * 240 + "x",
    "sum": "+".join("x" * 500),
    "brackets": "(" * 400 + "x" + ")" * 400,
    "calls": "abs(" * 150 + "x" + ")" * 150,
    "lists": "[" * 400 + "]" * 400,
    "attributes": "x" + ".a" * 400,
    "powers": "**".join("9" * 300),
    "long": "x" * (LONGEST + 1),
    "a number too long": "9" * (LONGEST + 1),
    "a million brackets": "(" * 10**6,
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_too_deep_or_too_long_is_refused_and_no_limit_of_python_is_met(name: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        Expression(DEEP[name])
    assert len(str(caught.value)) < LONGEST + 300


def test_the_deepest_and_the_longest_are_read() -> None:
    assert Expression("+".join("x" * DEEPEST))(VALUES) == DEEPEST * VALUES["x"]
    assert Expression("9" * LONGEST)({}) == 10**LONGEST - 1


def test_a_missing_name_is_a_key_error_and_names_are_those_that_need_a_value() -> None:
    expression = Expression("max(x, y) + min * 0")
    assert expression.names == {"x", "y", "min"}
    with pytest.raises(KeyError, match="min"):
        expression(VALUES)


def test_the_names_below_a_line_are_known() -> None:
    assert Expression("x / 2 + y / (1 - zz * (x / 3))").divisors == {"x", "zz"}
    assert Expression("x * y / 2").divisors == set()


def test_the_place_of_a_division_by_zero_is_told() -> None:
    with pytest.raises(UndefinedError) as caught:
        Expression("x + 1 / (y - y)")(VALUES)
    assert caught.value.column == 5


@given(st.text(st.sampled_from("xyq()+-*/.,0159e=:[]'\" \t\n\\{}<&~"), max_size=30) | st.text(max_size=20))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        expression = Expression(text)
        value = expression(dict.fromkeys(expression.names, Fraction(1, 2)))
    except ExpressionError:
        return
    assert type(value) is Fraction
