"""The certificate against its definition, its closed forms, and what makes it one."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.relations.aligned import Aligned, AlignmentError
from worldgen.relations.certificate import Certificate, certificate, error, mean_error, payoffs

Masses = tuple[Fraction, ...]
HALF = Fraction(1, 2)


@st.composite
def distributions(draw: st.DrawFn, size: int) -> Masses:
    weights = draw(st.lists(st.integers(0, 6), min_size=size, max_size=size).filter(any))
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@st.composite
def claims_on(draw: st.DrawFn, atoms: int) -> Aligned:
    """A report on any partition of any condition; now and then one that leaves an atom of it out, or whose
    masses do not quite sum to 1.
    """
    condition = frozenset(draw(st.sets(st.integers(0, atoms - 1))) if draw(st.booleans()) else range(atoms))
    size = draw(st.integers(1, 3))
    place = {atom: draw(st.integers(0, size - 1 + draw(st.sampled_from([0, 0, 1])))) for atom in condition}
    events = tuple(frozenset(a for a in condition if place[a] == k) for k in range(size))
    masses = draw(distributions(size))
    if draw(st.sampled_from([False, False, True])):
        masses = (masses[0] + Fraction(1, 10**6), *masses[1:])
    return Aligned(events, condition, masses)


@st.composite
def roots(draw: st.DrawFn, most: int = 5, reports: int = 5) -> tuple[list[Aligned], int]:
    atoms = draw(st.integers(1, most))
    claims = draw(st.lists(claims_on(atoms), min_size=1, max_size=reports))
    if draw(st.booleans()):
        claims.append(draw(st.sampled_from(claims)))
    return claims, atoms


def event(atoms: int, asked: set[int], p: Fraction | str, given: set[int] | None = None) -> Aligned:
    condition = set(range(atoms)) if given is None else given
    return Aligned(
        (frozenset(asked), frozenset(condition - asked)), frozenset(condition), (Fraction(p), 1 - Fraction(p))
    )


def vector(*masses: str) -> Aligned:
    atoms = range(len(masses))
    return Aligned(tuple(frozenset({w}) for w in atoms), frozenset(atoms), tuple(map(Fraction, masses)))


def determinant(rows: Sequence[Sequence[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    minors = ([row[:j] + row[j + 1 :] for row in map(list, rows[1:])] for j in range(len(rows)))
    terms = ((-1) ** j * rows[0][j] * determinant(minor) for j, minor in enumerate(minors) if rows[0][j])
    return sum(terms, Fraction(0))


def by_corners(claims: Sequence[Aligned], atoms: int) -> Fraction:
    """The least mean error at the corners of the simplex as cut by the lines on which an error bends.

    Between them the mean error is linear, so it is least at a corner of such a part: there atoms - 1 of all
    mu(w) and mu(E) - p mu(B) are zero. By Cramer's rule the k-th mass of a corner is proportional to the
    signed minor without column k.
    """
    walls = [[Fraction(v == w) for v in range(atoms)] for w in range(atoms)]
    for claim in claims:
        for option, p in zip(claim.events, claim.masses, strict=True):
            walls.append([(w in option) - p * (w in claim.given) for w in range(atoms)])
    found = []
    for some in combinations(walls, atoms - 1):
        corner = [(-1) ** k * determinant([row[:k] + row[k + 1 :] for row in some]) for k in range(atoms)]
        total = sum(corner)
        if total and all(mass / total >= 0 for mass in corner):
            found.append(mean_error(claims, [mass / total for mass in corner]))
    return min(found)


@given(roots(most=3))
def test_the_value_is_the_least_over_all_corners(root: tuple[list[Aligned], int]) -> None:
    claims, atoms = root
    found = certificate(claims, atoms)
    assert found.value == by_corners(claims, atoms)
    assert found.holds(claims)


@given(roots(most=4, reports=2))
def test_the_value_is_the_least_over_all_corners_of_four_atoms(root: tuple[list[Aligned], int]) -> None:
    claims, atoms = root
    assert certificate(claims, atoms).value == by_corners(claims, atoms)


@given(roots(most=9, reports=12))
def test_the_posterior_attains_it_and_the_book_gains_it_at_every_atom(
    root: tuple[list[Aligned], int],
) -> None:
    claims, atoms = root
    found = certificate(claims, atoms)
    assert len(found.posterior) == atoms and sum(found.posterior) == 1 and min(found.posterior) >= 0
    assert mean_error(claims, found.posterior) == found.value >= 0
    assert [len(report) for report in found.stakes] == [len(claim.masses) for claim in claims]
    assert all(-HALF <= stake <= HALF for report in found.stakes for stake in report)
    assert min(payoffs(claims, found.stakes, atoms)) == found.gain == found.value * len(claims)
    assert found.holds(claims)
    parts = {type(part) for part in (found.value, *found.posterior, *sum(found.stakes, ()))}
    assert parts == {Fraction}


@given(roots(), st.data())
def test_the_mean_error_is_the_mean_of_the_errors(
    root: tuple[list[Aligned], int], data: st.DataObject
) -> None:
    claims, atoms = root
    mu = data.draw(distributions(atoms))
    assert mean_error(claims, mu) == sum((error(claim, mu) for claim in claims), Fraction(0)) / len(claims)


@given(roots(), st.data())
def test_no_posterior_errs_less_and_no_stakes_gain_more(
    root: tuple[list[Aligned], int], data: st.DataObject
) -> None:
    claims, atoms = root
    found = certificate(claims, atoms)
    mu = data.draw(distributions(atoms))
    stake = st.fractions(-HALF, HALF, max_denominator=4)
    stakes = tuple(tuple(data.draw(stake) for _ in claim.masses) for claim in claims)
    paid = payoffs(claims, stakes, atoms)
    assert min(paid) <= found.gain <= len(claims) * mean_error(claims, mu)
    assert (
        min(paid)
        <= sum(m * each for m, each in zip(mu, paid, strict=True))
        <= len(claims) * mean_error(claims, mu)
    )


@given(roots(), st.data())
def test_the_order_of_reports_options_and_atoms_does_not_matter(
    root: tuple[list[Aligned], int], data: st.DataObject
) -> None:
    claims, atoms = root
    names = data.draw(st.permutations(range(atoms)))
    moved = []
    for claim in data.draw(st.permutations(claims)):
        order = data.draw(st.permutations(range(len(claim.masses))))
        events = tuple(frozenset(names[a] for a in claim.events[k]) for k in order)
        condition = frozenset(names[a] for a in claim.given)
        moved.append(Aligned(events, condition, tuple(claim.masses[k] for k in order)))
    assert certificate(moved, atoms).value == certificate(claims, atoms).value


@given(roots(), st.data())
def test_one_more_report_never_lowers_the_sum_of_errors(
    root: tuple[list[Aligned], int], data: st.DataObject
) -> None:
    claims, atoms = root
    more = [*claims, data.draw(claims_on(atoms))]
    before, after = certificate(claims, atoms).gain, certificate(more, atoms).gain
    assert before <= after <= before + error(more[-1], certificate(claims, atoms).posterior)


@given(roots(reports=3), st.integers(2, 3))
def test_asking_everything_again_changes_nothing(root: tuple[list[Aligned], int], times: int) -> None:
    claims, atoms = root
    assert certificate(claims * times, atoms).value == certificate(claims, atoms).value


@given(roots(), st.integers(1, 3))
def test_atoms_of_which_nobody_speaks_let_conditional_reports_off(
    root: tuple[list[Aligned], int], extra: int
) -> None:
    claims, atoms = root
    wider = certificate(claims, atoms + extra)
    everything = [claim for claim in claims if len(claim.given) == atoms]
    assert wider.value <= certificate(claims, atoms).value
    if not everything:
        assert wider.value == 0


@given(
    st.integers(1, 6).flatmap(
        lambda n: st.tuples(distributions(n), st.lists(claims_on(n), min_size=1, max_size=9))
    )
)
def test_zero_for_what_one_posterior_yields(made: tuple[Masses, list[Aligned]]) -> None:
    mu, asked = made
    yielded = []
    for claim in asked:
        mass = sum((mu[w] for w in claim.given), Fraction(0))
        if mass and sum(len(e) for e in claim.events) == len(claim.given):
            p = tuple(sum((mu[w] for w in e), Fraction(0)) / mass for e in claim.events)
            yielded.append(replace(claim, masses=p))
    if yielded:
        assert certificate(yielded, len(mu)).value == mean_error(yielded, mu) == 0


@given(roots())
def test_zero_only_where_some_posterior_yields_every_report_that_it_does_not_call_off(
    root: tuple[list[Aligned], int],
) -> None:
    claims, atoms = root
    found = certificate(claims, atoms)
    yields = True
    for claim in claims:
        mass = sum((found.posterior[w] for w in claim.given), Fraction(0))
        for option, p in zip(claim.events, claim.masses, strict=True):
            yields &= sum((found.posterior[w] for w in option), Fraction(0)) == p * mass
    assert (found.value == 0) == yields


probabilities = st.fractions(0, 1, max_denominator=1000)


@given(probabilities, probabilities)
def test_an_event_reported_twice_errs_by_half_the_difference(p: Fraction, r: Fraction) -> None:
    assert certificate([event(3, {0}, p), event(3, {0}, r)], 3).value == abs(p - r) / 2


@given(probabilities, probabilities)
def test_an_event_and_its_complement_err_by_half_of_what_their_sum_is_off(x: Fraction, z: Fraction) -> None:
    assert certificate([event(4, {0, 1}, x), event(4, {2, 3}, z)], 4).value == abs(x + z - 1) / 2


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(distributions(n), distributions(n))))
def test_two_vectors_err_by_half_their_total_variation(pair: tuple[Masses, Masses]) -> None:
    p, r = (vector(*map(str, masses)) for masses in pair)
    distance = sum((abs(a - b) for a, b in zip(*pair, strict=True)), Fraction(0)) / 2
    assert certificate([p, r], len(pair[0])).value == distance / 2


@given(st.lists(probabilities, min_size=1, max_size=9))
def test_an_event_reported_often_errs_by_the_spread_around_a_median(reported: list[Fraction]) -> None:
    median = sorted(reported)[len(reported) // 2]
    spread = sum(abs(p - median) for p in reported) / len(reported)
    assert certificate([event(2, {0}, p) for p in reported], 2).value == spread


@given(probabilities, probabilities, probabilities)
def test_a_part_reported_likelier_than_the_whole_is_seen(p: Fraction, r: Fraction, s: Fraction) -> None:
    """A, B and both: what the Frechet bounds forbid, the certificate forbids, and nothing else."""
    found = certificate([event(4, {0, 1}, p), event(4, {0, 2}, r), event(4, {0}, s)], 4)
    outside = max(Fraction(0), s - min(p, r), p + r - 1 - s)
    assert (found.value == 0) == (outside == 0)


@given(probabilities, probabilities, probabilities)
def test_the_product_rule_errs_by_a_third_of_its_residual(p: Fraction, r: Fraction, s: Fraction) -> None:
    """A and B, B, and A given B. With u = mu(A and B) and v = mu(B), the residual is
    (both - u) + (u - p v) + p (v - b), hence at most the sum of the three errors; u = both, v = b attains it.
    """
    both, b = min(r, s), max(r, s)
    found = certificate([event(4, {0}, both), event(4, {0, 1}, b), event(4, {0, 2}, p, {0, 1})], 4)
    assert found.value == abs(both - p * b) / 3


def test_under_a_condition_an_error_counts_by_the_mass_of_the_condition() -> None:
    claim = event(4, {0}, "1/2", {0, 1})
    assert error(claim, vector("0.3", "0.1", "0.2", "0.4").masses) == Fraction("0.3") - Fraction("0.4") / 2
    assert error(claim, vector("0", "0", "1/2", "1/2").masses) == 0


def test_masses_that_do_not_sum_to_one_err_by_themselves() -> None:
    assert certificate([vector("0.333333", "0.333333", "0.333333")], 3).value == Fraction("0.0000005")
    assert certificate([vector("0.899999", "0.1")], 2).value == Fraction("0.0000005")


def test_one_atom_is_certain() -> None:
    holds, fails = frozenset({0}), frozenset[int]()
    sure = Aligned((holds, fails), holds, (Fraction(1), Fraction(0)))
    unsure = Aligned((holds, fails), holds, (Fraction(1, 3), Fraction(2, 3)))
    assert certificate([sure], 1) == Certificate(Fraction(0), (Fraction(1),), ((Fraction(0), Fraction(0)),))
    assert certificate([unsure], 1).value == Fraction(2, 3)
    assert certificate([sure, unsure], 1).value == Fraction(1, 3)


def test_a_report_under_the_impossible_says_nothing() -> None:
    assert certificate([event(2, set(), "0.3", set())], 2).value == 0


def test_fifty_atoms_and_long_decimals_are_exact() -> None:
    size, whole = 50, 10**9
    claims = []
    for shift in range(1, 4):
        weights = [(w * w * 7 + shift * w) % 53 + 1 for w in range(size)]
        masses = [Fraction(weight * whole // sum(weights), whole) for weight in weights]
        masses[0] += 1 - sum(masses)
        claims.append(vector(*map(str, masses)))
        claims.append(
            event(size, set(range(shift, 40)), masses[shift], set(range(0, size, 2)) | set(range(shift, 40)))
        )
    found = certificate(claims, size)
    assert found.value > 0 and found.holds(claims)


def test_a_false_certificate_does_not_hold() -> None:
    claims = [event(3, {0}, "0.7"), event(3, {0}, "0.5"), vector("0.2", "0.3", "0.5")]
    found = certificate(claims, 3)
    assert found.holds(claims) and found.value == Fraction(1, 6)
    greedy = tuple(tuple(2 * stake for stake in report) for report in found.stakes)
    idle = tuple(tuple(Fraction(0) for _ in report) for report in found.stakes)
    forged = [
        replace(found, value=found.value + Fraction(1, 10**9)),
        replace(found, value=found.value - Fraction(1, 10**9)),
        replace(found, posterior=(Fraction(1), Fraction(0), Fraction(0))),
        replace(found, posterior=tuple(mass * 2 for mass in found.posterior)),
        replace(found, posterior=(Fraction("1.1"), Fraction("-0.1"), Fraction(0))),
        replace(found, stakes=greedy),
        replace(found, stakes=idle),
    ]
    assert not any(false.holds(claims) for false in forged)


def test_only_probabilities_attain_a_value() -> None:
    """Neither of these masses is a posterior, and both have the mean error of one."""
    claims = [event(3, {0}, "0.7"), event(3, {0}, "0.5")]
    found = certificate(claims, 3)
    for masses in (("0.6", "0.5", "-0.1"), ("0.4", "0.1", "0")):
        forged = tuple(map(Fraction, masses))
        assert mean_error(claims, forged) == found.value == Fraction("0.1")
        assert not replace(found, posterior=forged).holds(claims)


def test_what_cannot_be_certified_is_refused() -> None:
    with pytest.raises(ValueError, match="0 reports on 3 atoms"):
        certificate([], 3)
    with pytest.raises(ValueError, match="1 reports on 0 atoms"):
        certificate([event(2, set(), "0.3", set())], 0)
    with pytest.raises(AlignmentError, match="report 1 speaks of atom 3; there are 3"):
        certificate([event(3, {0}, "0.3"), event(4, {0}, "0.3")], 3)
