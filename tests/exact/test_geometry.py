"""Candidate geometry: every column against filtering words one by one, and what prefixes and unions owe."""

from fractions import Fraction
from itertools import product
from math import log2, prod

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldgen.exact.entropy import Entropy, mean_entropy
from worldgen.exact.errors import DomainError, ZeroMassError
from worldgen.exact.geometry import Candidates, Geometry, GeometryError, trie

ALPHABET = "bacd"


def words(length: int) -> st.SearchStrategy[list[str]]:
    return st.lists(st.text("abc", min_size=length, max_size=length), min_size=1, max_size=9, unique=True)


SETS = st.integers(1, 4).flatmap(words).map(lambda found: Candidates(tuple(found), ALPHABET))
GEOMETRIES = SETS.flatmap(lambda found: st.sampled_from(found.words).map(lambda gold: Geometry(found, gold)))


def everything(candidates: Candidates) -> list[str]:
    return ["".join(found) for found in product(candidates.alphabet, repeat=candidates.length)]


@given(GEOMETRIES)
def test_columns_are_what_filtering_finds(geometry: Geometry) -> None:
    candidates, gold = geometry.candidates, geometry.gold
    length = len(gold)
    counts = []
    for k in range(length + 1):
        left = [word for word in candidates.words if word[:k] == gold[:k]]
        counts.append(len(left))
        if k < length:
            symbols = [word[k] for word in left]
            assert set(candidates.following(gold[:k])) == set(symbols)
            shares = {s: Fraction(symbols.count(s), len(left)) for s in ALPHABET}
            assert candidates.next_law(gold[:k]).masses == tuple(shares[s] for s in ALPHABET)
            bits = -sum(float(share) * log2(share) for share in shares.values() if share)
            assert abs(float(geometry.branch_entropies[k].text(20)) - bits) < 1e-12
        assert candidates.law(gold[:k]).masses == tuple(
            Fraction(word in left, len(left)) for word in candidates.words
        )
        assert abs(float(geometry.entropies[k].text(20)) - log2(len(left))) < 1e-12
    assert geometry.counts == tuple(counts)
    assert counts[geometry.first_unique] == 1 and 1 not in counts[: geometry.first_unique]
    assert geometry.branches == tuple(k for k in range(length) if len(candidates.following(gold[:k])) > 1)
    assert abs(float(geometry.mean_entropy.text(20)) - sum(map(log2, counts[:-1])) / length) < 1e-12


@given(GEOMETRIES)
def test_the_count_of_compatible_candidates_never_increases(geometry: Geometry) -> None:
    counts = geometry.counts
    assert counts[0] == len(geometry.candidates.words) and counts[-1] == 1
    assert list(counts) == sorted(counts, reverse=True)


@given(SETS)
def test_unions_admit_exactly_the_cartesian_support(candidates: Candidates) -> None:
    columns = [{word[k] for word in candidates.words} for k in range(candidates.length)]
    support = {"".join(found) for found in product(*columns)}
    admitted = {word for word in everything(candidates) if candidates.admits(word)}
    assert admitted == support and len(support) == candidates.cartesian
    assert {word for word in admitted if candidates.recombines(word)} == support - set(candidates.words)
    assert candidates.mean_union == Fraction(sum(map(len, columns)), len(columns))
    assert candidates.open_positions == tuple(k for k, column in enumerate(columns) if len(column) > 1)
    assert not candidates.admits("") and not candidates.admits(candidates.words[0] + "a")


@given(SETS)
def test_completions_of_the_trie_are_the_candidates(candidates: Candidates) -> None:
    reached = [""]
    for _ in range(candidates.length):
        reached = [prefix + symbol for prefix in reached for symbol in candidates.following(prefix)]
    assert sorted(reached) == sorted(candidates.words)
    tree = trie(candidates)
    assert nx.is_arborescence(tree)
    assert {node for node, degree in tree.out_degree() if degree == 0} == set(candidates.words)
    for node in tree:
        assert tree.nodes[node]["count"] == len(candidates.compatible(node))
        edges = {data["symbol"] for _, _, data in tree.out_edges(node, data=True)}
        assert edges == set(candidates.following(node))


@given(st.text("0123456789", min_size=3, max_size=8), st.data())
def test_four_first_digits_and_two_later_ones_have_the_documented_geometry(
    gold: str, data: st.DataObject
) -> None:
    """Union sizes multiply to 8 and average 1 + 4/L; K = (8, 2, ..., 2, 1, ..., 1)."""
    later = data.draw(st.integers(1, len(gold) - 1))
    others = data.draw(st.permutations([d for d in "0123456789" if d != gold[0]]))
    mate = data.draw(st.sampled_from([d for d in "0123456789" if d != gold[later]]))
    choices = {0: gold[0] + "".join(others[:3]), later: gold[later] + mate}
    candidates = Candidates.crossed(gold, choices, "0123456789")
    geometry = Geometry(candidates, gold)
    assert len(candidates.words) == candidates.cartesian == 8
    assert candidates.mean_union == 1 + Fraction(4, len(gold))
    assert geometry.counts == (8, *[2] * later, *[1] * (len(gold) - later))
    assert geometry.branches == candidates.open_positions == (0, later)
    assert geometry.mean_entropy.bits == Fraction(3 + (later - 1) + 1, len(gold))


@pytest.mark.parametrize(
    ("found", "alphabet", "fault"),
    [
        ((), "ab", "at least one"),
        (("ab", "ab"), "ab", "distinct words"),
        (("ab", "a"), "ab", "one length"),
        (("",), "ab", "one length"),
        (("ax",), "ab", "lacks 'x'"),
        (("a",), "aa", "distinct characters"),
    ],
)
def test_what_is_no_candidate_set_is_refused(found: tuple[str, ...], alphabet: str, fault: str) -> None:
    with pytest.raises(GeometryError, match=fault):
        Candidates(found, alphabet)


def test_words_and_positions_that_do_not_fit_are_refused() -> None:
    two = Candidates(("ab", "ba"), "ab")
    with pytest.raises(GeometryError, match="not among"):
        Geometry(two, "aa")
    with pytest.raises(GeometryError, match="nothing follows"):
        two.next_law("ab")
    with pytest.raises(ZeroMassError, match="the prefix 'bb'"):
        two.law("bb")
    with pytest.raises(ZeroMassError):
        two.next_law("c")
    with pytest.raises(GeometryError, match="no position 2"):
        Candidates.crossed("ab", {2: "a"}, "ab")
    with pytest.raises(GeometryError, match="lack 'a'"):
        Candidates.crossed("ab", {0: "b"}, "ab")
    with pytest.raises(GeometryError, match="distinct words"):
        Candidates.crossed("ab", {0: "aa"}, "ab")
    assert two.following("bb") == two.following("ab") == ""


RATIOS = st.fractions(1, 40, max_denominator=30)


@given(RATIOS, st.integers(1, 12), st.integers(1, 12))
def test_an_entropy_is_one_object_however_it_is_written(ratio: Fraction, parts: int, power: int) -> None:
    assert Entropy(ratio**power, parts * power) == Entropy(ratio, parts)
    assert hash(Entropy(ratio**power, parts * power)) == hash(Entropy(ratio, parts))


@given(st.tuples(RATIOS, st.integers(1, 6)), st.tuples(RATIOS, st.integers(1, 6)))
def test_entropies_compare_as_their_values(left: tuple[Fraction, int], right: tuple[Fraction, int]) -> None:
    first, second = Entropy(*left), Entropy(*right)
    values = [log2(ratio) / parts for ratio, parts in (left, right)]
    if abs(values[0] - values[1]) > 1e-9:
        assert (first < second) == (values[0] < values[1]) and first != second
    else:
        assert (first == second) == (left[0] ** right[1] == right[0] ** left[1])
    mean = float(mean_entropy([first, second]).text(20))
    assert abs(mean - sum(values) / 2) < 1e-12


@given(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any))
def test_an_entropy_is_rational_exactly_where_its_power_of_two_is(weights: list[int]) -> None:
    found, total = Entropy.of(weights), sum(weights)
    value = -sum(w / total * log2(w / total) for w in weights if w)
    assert abs(float(found.text(20)) - value) < 1e-12
    ratio = Fraction(total**total, prod(w**w for w in weights))
    power = ratio.numerator.bit_length() - 1
    assert found.bits == (Fraction(power, total) if ratio == 2**power else None)


def test_what_has_no_entropy_is_refused() -> None:
    with pytest.raises(DomainError, match="of nothing"):
        Entropy(Fraction(1, 2))
    with pytest.raises(DomainError, match="negative"):
        Entropy.of([1, -1])
    with pytest.raises(ZeroMassError):
        Entropy.of([0, 0])
    with pytest.raises(DomainError, match="no mean"):
        mean_entropy([])
    with pytest.raises(DomainError, match="20 places"):
        Entropy(Fraction(2)).text(21)
