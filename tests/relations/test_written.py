"""Relations written as data: the same numbers as the declared ones, and nothing that a report could break."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.expressions import Expression
from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS, Relation
from worldgen.relations.written import RelationError, Written

ATOMS = frozenset(range(4))
A, B = frozenset({0, 1}), frozenset({1, 3})
BY_NAME = {relation.name: relation for relation in RELATIONS}

# Declared relations on events, as a user would write them.
TWINS: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {
    "complement": ((("x", "event"), ("y", "complement")), "x + y - 1"),
    "exact-repeat": ((("x", "event"), ("y", "exact-repeat")), "x - y"),
    "intersection": (
        (("a", "event"), ("b", "query-b"), ("both", "intersection")),
        "max(0, a + b - 1 - both, -both, both - min(a, b))",
    ),
    "product": ((("both", "intersection"), ("b", "query-b"), ("c", "conditional")), "both - b * c"),
}


def claim(variant: str, p: Fraction) -> Aligned:
    event, condition = {
        "event": (A, ATOMS),
        "exact-repeat": (A, ATOMS),
        "complement": (ATOMS - A, ATOMS),
        "query-b": (B, ATOMS),
        "intersection": (A & B, ATOMS),
        "conditional": (A, B),
    }[variant]
    return Aligned((event, condition - event), condition, (p, 1 - p))


chances = st.fractions(0, 1, max_denominator=10**6)


@pytest.mark.parametrize("name", TWINS)
@given(data=st.data())
def test_a_declared_relation_written_out_measures_the_same(name: str, data: st.DataObject) -> None:
    claims, residual = TWINS[name]
    written = Written(name, claims, Expression(residual)).relation
    reports = [claim(variant, data.draw(chances)) for _, variant in claims]
    found = written.residual(reports)
    assert type(found) is Fraction
    assert found == BY_NAME[name].residual(reports)
    assert written.claims == BY_NAME[name].claims


def test_it_is_a_relation_like_the_others_and_travels() -> None:
    claims, residual = TWINS["product"]
    written = Written("own", claims, Expression(residual), Fraction(1, 3), primary=True)
    relation = written.relation
    assert isinstance(relation, Relation)
    assert (relation.name, relation.tolerance, relation.primary) == ("own", Fraction(1, 3), True)
    assert relation.condition == "both - b * c = 0"
    assert relation.passes(Fraction(1, 3)) and not relation.passes(Fraction(1, 3) + Fraction(1, 10**30))
    again = pickle.loads(pickle.dumps(written))
    assert again == written
    reports = [claim(variant, Fraction(1, 7)) for _, variant in claims]
    assert again.relation.residual(reports) == relation.residual(reports) == Fraction(6, 49)


def test_a_residual_is_never_negative_and_decimals_are_those_written() -> None:
    written = Written("own", (("x", "event"), ("y", "query-b")), Expression("x - y"), Fraction("0.02"))
    relation = written.relation
    close = [claim("event", Fraction("0.82")), claim("query-b", Fraction("0.84"))]
    assert relation.residual(close) == relation.residual(close[::-1]) == Fraction(1, 50)
    assert relation.passes(relation.residual(close))


PAIR = (("x", "event"), ("y", "complement"))
WRONG: dict[str, tuple[tuple[tuple[str, str], ...], str, str]] = {
    "no claim": ((), "1", "fewer than two claims"),
    "one claim": (PAIR[:1], "x - 1", "fewer than two claims"),
    "one variant twice": ((("x", "event"), ("y", "event")), "x - y", "two claims on one variant"),
    "one symbol twice": ((("x", "event"), ("x", "complement")), "x", "its claims are x, x"),
    "a claim left out": (PAIR, "x - 1", "names x, its claims are x, y"),
    "a name too many": (PAIR, "x + y - z", "names x, y, z, its claims are x, y"),
    "no name": (PAIR, "1", "names none, its claims are x, y"),
    "a division by a claim": (PAIR, "x / y", "divides by y"),
    "a division by a claim deep down": (PAIR, "x - 1 / (1 + abs(y * 2 - x))", "divides by x, y"),
    "a division by zero": (PAIR, "x + y / (2 - 2)", "it divides by zero"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_could_not_be_measured_on_every_report_is_refused(name: str) -> None:
    claims, residual, said = WRONG[name]
    with pytest.raises(RelationError, match=said) as caught:
        Written("own", claims, Expression(residual))
    assert caught.value.remedy


def test_a_negative_tolerance_is_refused_and_zero_is_not() -> None:
    assert Written("own", PAIR, Expression("x + y - 1"), Fraction(0)).relation.passes(Fraction(0))
    with pytest.raises(RelationError, match="negative"):
        Written("own", PAIR, Expression("x + y - 1"), Fraction(-1, 10**9))
