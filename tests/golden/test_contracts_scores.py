"""Figures that the document Probability Contracts states about reports, residuals, accounts and decisions."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.relations import residuals
from worldgen.relations.aligned import Aligned
from worldgen.relations.declared import RELATIONS
from worldgen.scoring.accuracy.scores import expected_brier, total_variation
from worldgen.scoring.panels.actions import COSTS, choose, expected_loss, oracle_loss
from worldgen.scoring.reports.accounting import account as accounted
from worldgen.scoring.reports.accounting import judge
from worldgen.scoring.reports.attempts import settle
from worldgen.scoring.reports.reader import Rejected, Valid, read_response
from worldgen.scoring.reports.report import Report
from worldgen.scoring.reports.tables import Request

TENTH = Fraction(1, 10)
Q = (Fraction(220, 317), Fraction(97, 317))
BY_NAME = {relation.name: relation for relation in RELATIONS}


def noul(text: str) -> tuple[Fraction, ...]:
    body = '{"answers": {"q": {"type": "noul", "noul": ' + text + "}}}"
    read = read_response(body, "event", "systemone", ("true", "false"))
    assert isinstance(read, Valid)
    return read.masses


def on_a(masses: tuple[Fraction, ...]) -> Aligned:
    return Aligned((frozenset({0, 1}), frozenset({2, 3})), frozenset(range(4)), masses)


def test_the_event_report_defers_and_the_choice_report_answers() -> None:
    """Probability Contracts, Appendix H: 0.84 loses the cost of deferring, 0.97 loses 97/317."""
    event, choice = choose(noul("0.84"), TENTH), choose(noul("0.97"), TENTH)
    assert (event, choice) == (None, 0)
    assert expected_loss(event, Q, TENTH) == TENTH
    assert expected_loss(choice, Q, TENTH) == Fraction(97, 317)
    assert round(float(Fraction(97, 317) - TENTH), 3) == 0.206


def test_a_difference_of_two_hundredths_passes() -> None:
    """Probability Contracts, Appendix F: pass or fail is decided on the decimals as written."""
    residual = residuals.same_event([on_a(noul("0.84")), on_a(noul("0.82"))])
    assert residual == Fraction(1, 50)
    assert BY_NAME["exact-repeat"].passes(residual)
    assert abs(0.84 - 0.82) > 0.02  # what binary floats would say


def test_a_vector_on_the_simplex_boundary_is_valid() -> None:
    """Probability Contracts, Appendix F: (0.333333, 0.333333, 0.333333) lies on the bound 1e-6."""
    third = '{"a": 0.333333, "b": 0.333333, "c": 0.33333%d}'
    assert read_response(third % 3, "choice", "chat", ("a", "b", "c")) == Valid(
        (Fraction(333333, 10**6),) * 3
    )
    assert read_response(third % 2, "choice", "chat", ("a", "b", "c")) == Rejected("simplex sum")


def test_a_tie_acts() -> None:
    """Probability Contracts, Appendix F: costs are taken under the vector as supplied, and the class is
    taken at a tie; normalised, (0.899999, 0.1) would not reach 0.9.
    """
    masses = (Fraction("0.899999"), TENTH)
    assert choose(masses, TENTH) == 0
    assert max(masses) < 1 - TENTH
    assert choose((Fraction("0.899999"), Fraction("0.100001")), TENTH) is None


def test_validity_and_availability() -> None:
    """Probability Contracts, Appendix M: 11,849 valid, 62 rejected and 2 unavailable of 11,913."""
    events = (frozenset({0}), frozenset({1}))
    requests = {
        f"r{i}": Request(
            *(f"r{i}", "0", "s", "v", "choice", "chat", ("x", "y"), ("A", "B")),
            *(i < 11_913, events, events[0] | events[1], None),
        )
        for i in range(12_000)
    }
    bodies = ['{"A": 0.5, "B": 0.5}'] * 11_849 + ['{"A": 0.5, "B": 0.4}'] * 62
    reports = [Report("m", f"r{i}", response=body) for i, body in enumerate(bodies)]
    reports += [Report("m", f"r{i}", status="unavailable") for i in (11_911, 11_912)]
    (judged,) = judge(settle(reports, requests), requests).values()
    account = accounted(requests.values(), judged)
    assert (account.intended, account.eligible, account.valid) == (12_000, 11_913, 11_849)
    assert (account.rejected["simplex sum"], account.unavailable, account.missing) == (62, 2, 0)
    assert account.native_validity == Fraction(11_849, 11_913)
    assert account.service_availability == Fraction(11_911, 11_913)
    assert round(float(account.native_validity), 4) == 0.9946
    assert round(float(account.service_availability), 4) == 0.9998


def test_the_costs_and_tolerances() -> None:
    """Probability Contracts, Sections 5.2 and 5.3."""
    assert list(COSTS) == [Fraction(k, 100) for k in (2, 5, 10, 20, 40)]
    assert BY_NAME["exact-repeat"].tolerance == Fraction("0.02")
    others = {relation.tolerance for relation in RELATIONS if relation.name != "exact-repeat"}
    assert others == {Fraction("0.05")}


@st.composite
def distributions(draw: st.DrawFn, size: int) -> tuple[Fraction, ...]:
    weights = draw(st.lists(st.integers(0, 1000), min_size=size, max_size=size).filter(any))
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


pairs = st.integers(2, 5).flatmap(lambda size: st.tuples(distributions(size), distributions(size)))
costs = st.fractions(0, 1, max_denominator=1000)


@given(pairs, costs)
def test_total_variation_bounds_regret(
    pair: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], cost: Fraction
) -> None:
    """Probability Contracts, Appendix I: regret <= 2 TV, and <= TV where one of the actions is defer."""
    p, q = pair
    reported, best = choose(p, cost), choose(q, cost)
    regret = expected_loss(reported, q, cost) - oracle_loss(q, cost)
    distance = total_variation(p, q)
    assert expected_loss(best, q, cost) == oracle_loss(q, cost)
    assert 0 <= regret <= 2 * distance
    if (reported is None) != (best is None):
        assert regret <= distance


@given(pairs, costs)
def test_a_normalised_report_acts_at_one_minus_the_cost(
    pair: tuple[tuple[Fraction, ...], tuple[Fraction, ...]], cost: Fraction
) -> None:
    """Probability Contracts, Appendix I."""
    assert (choose(pair[0], cost) is not None) == (max(pair[0]) >= 1 - cost)


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_the_complement_residual_is_a_total_variation(x: Fraction, z: Fraction) -> None:
    """Probability Contracts, Appendix I: TV((1 - x, x), (z, 1 - z)) = |x + z - 1|."""
    assert total_variation((1 - x, x), (z, 1 - z)) == abs(x + z - 1)
    complement = Aligned((frozenset({2, 3}), frozenset({0, 1})), frozenset(range(4)), (z, 1 - z))
    assert residuals.complement([on_a((x, 1 - x)), complement]) == abs(x + z - 1)


@given(st.fractions(0, 1), st.fractions(0, 1), st.fractions(0, 1))
def test_two_reports_of_one_event(p: Fraction, other: Fraction, q: Fraction) -> None:
    """Probability Contracts, Section 7.1: mean error and mean squared error of a pair, split in two."""
    middle, low, high = (p + other) / 2, min(p, other), max(p, other)
    outside = max(low - q, q - high, Fraction(0))
    error = [total_variation((x, 1 - x), (q, 1 - q)) for x in (p, other)]
    assert sum(error) / 2 == abs(p - other) / 2 + outside
    least = expected_brier((q, 1 - q), (q, 1 - q))
    squared = [(expected_brier((x, 1 - x), (q, 1 - q)) - least) / 2 for x in (p, other)]
    assert sum(squared) / 2 == (p - other) ** 2 / 4 + (middle - q) ** 2


@pytest.mark.parametrize("cost", COSTS)
def test_the_action_regions_of_a_binary_report(cost: Fraction) -> None:
    """Probability Contracts, Appendix R: no, defer and yes as p <= c, between, and p >= 1 - c."""
    q = Fraction(1, 3)
    for k in range(101):
        p = Fraction(k, 100)
        loss = expected_loss(choose((p, 1 - p), cost), (q, 1 - q), cost)
        assert loss == (q if p <= cost else 1 - q if p >= 1 - cost else cost)


@given(st.fractions(0, 1), st.fractions(0, 1))
def test_the_brier_score_is_the_loss_averaged_over_costs(p: Fraction, q: Fraction) -> None:
    """Probability Contracts, Appendix R: 2 * integral of R_c over c in (0, 1/2) = (p - q)^2 + q (1 - q)."""
    half = Fraction(1, 2)
    turn = min(p, 1 - p)  # deferring below this cost, acting from it on: two pieces, integrated by hand
    assert turn == 0 or choose((p, 1 - p), turn * Fraction(9, 10)) is None
    acting = expected_loss(choose((p, 1 - p), half), (q, 1 - q), half) if turn < half else half
    assert turn == half or acting == expected_loss(choose((p, 1 - p), turn), (q, 1 - q), turn)
    assert 2 * (turn**2 / 2 + acting * (half - turn)) == (p - q) ** 2 + q * (1 - q)
    assert 2 * ((p - q) ** 2 + q * (1 - q)) == expected_brier((p, 1 - p), (q, 1 - q))
