"""The joint law by elimination is the literal sum over all states, and evidence without mass is named."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given as drawn

from tests.small_networks import Masses, literal, networks, questions
from worldgen.exact.distributions import Distribution
from worldgen.exact.errors import DomainError, ZeroMassError
from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.joints import Joint, bayes_error, joint
from worldgen.exact.networks import Codes, Network, NetworkError, Outcome, TooLargeError

Question = tuple[Network, list[str], dict[str, int]]


def total(masses: Masses) -> Fraction:
    return sum((mass for row in masses.values() for mass in row), Fraction(0))


@drawn(questions())
def test_elimination_is_the_sum_over_all_states(question: Question) -> None:
    network, shown, given = question
    masses = literal(network, shown, given)
    whole = total(masses)
    if not whole:
        with pytest.raises(ZeroMassError) as caught:
            joint(network, shown, given)
        assert caught.value.event == network.described(given)
        return
    law = joint(network, shown, given)
    found = [[Fraction(top, law.denominator) for top in row] for row in law.table.tolist()]
    assert found == [[mass / whole for mass in row] for row in masses.values()]
    sums = [Fraction(top, law.denominator) for top in law.masses.tolist()]
    assert sums == [sum(row) / whole for row in masses.values()]
    assert law.possible.tolist() == [sum(row) > 0 for row in masses.values()]
    assert law.numerators.sum(axis=1).tolist() == law.totals.tolist()
    assert law.bayes_error == 1 - sum(max(row) for row in masses.values()) / whole
    assert law.prior == Distribution.of(
        law.atoms, [sum(column) for column in zip(*masses.values(), strict=True)]
    )
    assert law.coverage(3) == sum(p * (1 - (1 - p) ** 3) for p in sums)


@drawn(questions())
def test_posteriors_are_those_of_every_possible_pattern(question: Question) -> None:
    network, shown, given = question
    masses = literal(network, shown, given)
    if not total(masses):
        return
    law = joint(network, shown, given)
    patterns = np.array(list(masses), dtype=np.int64).reshape(len(masses), len(shown))
    assert law.index(patterns).tolist() == list(range(len(masses)))
    posteriors = law.posteriors(patterns[law.possible])
    expected = [Distribution.of(law.atoms, row) for row in masses.values() if sum(row)]
    assert [posteriors.row(i) for i in range(len(posteriors))] == expected
    for codes in patterns[~law.possible]:
        with pytest.raises(ZeroMassError) as caught:
            law.posteriors(np.array([codes]))
        assert caught.value.event == network.described(dict(zip(shown, codes.tolist(), strict=True)))


@drawn(questions())
def test_what_is_not_relevant_changes_nothing(question: Question) -> None:
    network, shown, given = question
    if not total(literal(network, shown, given)):
        return
    relevant = network.relevant(shown, [*given])
    assert set(network.outcome.reads) & set(shown) <= set(relevant)
    whole, part = joint(network, shown, given), joint(network, relevant, given)
    assert whole.bayes_error == part.bayes_error
    for row in np.flatnonzero(whole.possible):
        codes = dict(zip(shown, np.unravel_index(row, whole.sizes) if shown else (), strict=True))
        short = np.array([[codes[name] for name in relevant]], dtype=np.int64).reshape(1, len(relevant))
        assert part.posteriors(short).row(0) == whole.row(int(row))


@drawn(networks())
def test_bayes_error_leaves_out_what_does_not_matter(network: Network) -> None:
    names = [factor.name for factor in network.factors]
    assert bayes_error(network, names) == joint(network, names).bayes_error == 0


def clinic() -> Network:
    """A cause that never has its third level, a sign that follows from it, and chance; these two decide."""
    cause = Factor("cause", ("none", "mild", "never"), (), [3, 1, 0], 4)
    sign = Factor("sign", ("absent", "present"), ("cause",), [[1, 0], [0, 1], [1, 0]], 1)
    chance = Factor("chance", ("bad", "good"), (), [1, 9], 10)
    ill = Outcome(Atoms(("well", "ill")), ("sign", "chance"), lambda c: c["sign"] & (c["chance"] < 1))
    return Network((cause, sign, chance), ill)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"cause": 2}, "cause=never"),  # the asked-for node hangs below an impossible one
        ({"cause": 2, "chance": 0}, "cause=never, chance=bad"),
        ({"cause": 0, "sign": 1}, "cause=none, sign=present"),  # each is possible, and not together
    ],
)
@pytest.mark.parametrize("shown", [[], ["chance"], ["sign"]])
def test_impossible_evidence_is_named_whatever_is_asked(
    given: dict[str, int], named: str, shown: list[str]
) -> None:
    shown = [name for name in shown if name not in given]
    message = f"cannot condition on '{named}': its probability is zero\n  try: ask about what can occur"
    with pytest.raises(ZeroMassError, match="its probability is zero") as caught:
        joint(clinic(), shown, given)
    assert str(caught.value) == message


def test_an_impossible_pattern_is_named() -> None:
    law = joint(clinic(), ["cause", "sign"])
    assert law.possible.tolist() == [True, False, False, True, False, False]
    with pytest.raises(ZeroMassError, match="'cause=none, sign=present'"):
        law.posteriors(np.array([[0, 0], [0, 1]]))


def test_evidence_on_a_hidden_parent_moves_the_outcome() -> None:
    assert joint(clinic(), []).prior.weights == (39, 1)
    assert joint(clinic(), [], {"cause": 1}).prior.weights == (9, 1)


def chain(total: int, length: int) -> Network:
    """Coins of weights 1 and total - 1 whose exclusive or is the outcome."""
    coins = [Factor(f"coin {i}", ("a", "b"), (), [1, total - 1], total) for i in range(length)]
    names = tuple(coin.name for coin in coins)

    def odd(codes: Mapping[str, Codes]) -> Codes:
        return np.asarray(sum(codes[name] for name in names) % 2)

    return Network(tuple(coins), Outcome(Atoms(("even", "odd")), names, odd))


@pytest.mark.parametrize("total", [2**22 - 1, 2**31 - 1, 2**53 - 1, 2**62 + 1, 2**63 - 1])
def test_nothing_wraps_and_nothing_rounds(total: int) -> None:
    for length in range(1, 6):
        law = joint(chain(total, length), ["coin 0"])
        # P(odd) of n coins with bias p is (1 - (1 - 2p)**n) / 2.
        odd = (1 - (1 - 2 * Fraction(total - 1, total)) ** length) / 2
        assert law.prior.masses == (1 - odd, odd)
        assert law.denominator == total**length
        rest = (1 - (1 - 2 * Fraction(total - 1, total)) ** (length - 1)) / 2
        assert [Fraction(top, law.totals[0]) for top in law.numerators[0]] == [1 - rest, rest]


def test_a_total_does_not_wrap_where_its_parts_fit() -> None:
    coin = Factor("coin", ("a", "b"), (), [2**62 + 1, 2**62 - 1], 2**63)
    law = joint(Network((coin,), Outcome(Atoms(("a", "b")), ("coin",), lambda codes: codes["coin"])), [])
    assert law.numerators.tolist() == [[2**62 + 1, 2**62 - 1]] and law.totals.tolist() == [2**63]


def test_integers_come_out_as_int64_where_they_fit() -> None:
    small, large = joint(chain(100, 4), ["coin 0"]), joint(chain(10**9, 4), ["coin 0"])
    assert small.numerators.dtype == small.totals.dtype == np.int64
    assert large.numerators.dtype == large.totals.dtype == np.object_
    assert {type(value) for value in large.numerators.ravel()} == {int}


def test_what_is_asked_for_must_be_there() -> None:
    with pytest.raises(NetworkError, match="a view shows 'luck', and there is no such factor") as caught:
        joint(clinic(), ["luck"])
    assert "choose from cause, sign, chance" in str(caught.value)
    with pytest.raises(NetworkError, match="the evidence is on 'luck'"):
        joint(clinic(), [], {"luck": 0})
    with pytest.raises(NetworkError, match="'sign' is asked for twice"):
        joint(clinic(), ["sign", "cause", "sign"])
    with pytest.raises(NetworkError, match="'sign' is asked for twice"):
        joint(clinic(), ["sign"], {"sign": 0})
    with pytest.raises(DomainError, match="'sign' has no level 2: codes run from 0 to 1"):
        joint(clinic(), [], {"sign": 2})
    with pytest.raises(DomainError, match="outside the levels of cause, sign"):
        joint(clinic(), ["cause", "sign"]).posteriors(np.array([[0, -1]]))


def test_too_many_patterns_are_refused_before_they_are_made() -> None:
    fields = [Factor(f"field {i}", tuple("0123456789"), (), [1] * 10, 10) for i in range(12)]
    outcome = Outcome(Atoms(("no", "yes")), ("field 0",), lambda codes: codes["field 0"] > 4)
    network = Network(tuple(fields), outcome)
    names = [field.name for field in fields]
    with pytest.raises(TooLargeError, match=r"2,000,000,000,000 entries") as caught:
        joint(network, names)
    assert caught.value.size == 2 * 10**12
    assert bayes_error(network, names) == 0  # one of them matters


def test_hidden_factors_that_meet_in_a_table_too_large_are_refused() -> None:
    wide = [Factor(f"wide {i}", tuple(map(str, range(480))), (), [1] * 480, 480) for i in range(4)]
    table = np.stack([np.ones((480, 480), dtype=np.int64), np.zeros((480, 480), dtype=np.int64)], axis=-1)
    pairs = [(wide[i].name, wide[j].name) for i in range(4) for j in range(i)]
    ends = [Factor(f"end {i}", ("a", "b"), pair, table, 1) for i, pair in enumerate(pairs)]
    names = tuple(end.name for end in ends)
    network = Network((*wide, *ends), Outcome(Atoms(("no", "yes")), names, lambda c: c["end 0"]))
    with pytest.raises(TooLargeError, match=r"884,736,000 entries"):
        joint(network, names)


def test_a_joint_law_counts_its_patterns() -> None:
    law = joint(clinic(), ["sign"])
    assert isinstance(law, Joint) and len(law) == 2 and law.names == ("sign",)
