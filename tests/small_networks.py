"""Small networks drawn at random, and what they mean: every state with its class and probability."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
from hypothesis import strategies as st

from worldgen.exact.events import Atoms
from worldgen.exact.factors import Factor
from worldgen.exact.networks import Codes, Network, Outcome

# Totals on every rung of the arithmetic, and at the edges between them.
TOTALS = [1, 2, 10, 1000, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**63, 2**64 - 1, 2**64, 10**30]


@st.composite
def rows(draw: st.DrawFn, size: int, total: int) -> list[int]:
    """Non-negative integers, `size` of them, that sum to `total`: zeros and whole totals are frequent."""
    ends = st.one_of(st.sampled_from([0, total]), st.integers(0, total))
    cuts = sorted(draw(st.lists(ends, min_size=size - 1, max_size=size - 1)))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


@st.composite
def factors(draw: st.DrawFn) -> tuple[Factor, ...]:
    """One to five factors of one to three levels with at most two parents each, in any order."""
    made: list[Factor] = []
    for place in range(draw(st.integers(1, 5))):
        parents = draw(st.lists(st.sampled_from(made), max_size=2, unique=True)) if made else []
        size, total = draw(st.integers(1, 3)), draw(st.sampled_from(TOTALS))
        shape = [parent.size for parent in parents]
        table = np.array([draw(rows(size, total)) for _ in range(prod(shape))], dtype=np.object_)
        levels = tuple(f"level {code}" for code in range(size))
        names = tuple(parent.name for parent in parents)
        made.append(Factor(f"factor {place}", levels, names, table.reshape(*shape, size), total))
    return tuple(draw(st.permutations(made)))


class TableRule:
    """An outcome rule that looks its class up."""

    def __init__(self, reads: Sequence[str], classes: Codes) -> None:
        self.reads, self.table = tuple(reads), classes

    def __call__(self, codes: Mapping[str, Codes]) -> Codes:
        return np.asarray(self.table[tuple(codes[name] for name in self.reads)])


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """A small network whose outcome, one of up to three classes, is any function of some of its factors."""
    made = draw(factors())
    read = [factor for factor in made if draw(st.booleans())]
    sizes = [factor.size for factor in read]
    classes = draw(st.integers(1, 3))
    cells = draw(st.lists(st.integers(0, classes - 1), min_size=prod(sizes), max_size=prod(sizes)))
    rule = TableRule([factor.name for factor in read], np.array(cells, dtype=np.int64).reshape(sizes))
    return Network(made, Outcome(Atoms(tuple(f"class {k}" for k in range(classes))), rule.reads, rule))


def states(network: Network) -> Iterator[tuple[dict[str, int], int, Fraction]]:
    """Every state, its class and its probability: a product of one probability a factor, by definition."""
    names = [factor.name for factor in network.factors]
    for codes in product(*(range(factor.size) for factor in network.factors)):
        state = dict(zip(names, codes, strict=True))
        chance = prod((f.probability(state[f.name], state) for f in network.factors), start=Fraction(1))
        here = {name: np.asarray(state[name]) for name in network.outcome.reads}
        yield state, int(network.outcome.classes(here)), chance


Masses = dict[tuple[int, ...], list[Fraction]]


def literal(network: Network, shown: Sequence[str], given: Mapping[str, int]) -> Masses:
    """P(pattern, class, evidence), pattern by pattern: the sum over the states, written out."""
    found: Masses = {
        codes: [Fraction(0)] * len(network.outcome.atoms)
        for codes in product(*(range(network.size(name)) for name in shown))
    }
    for state, k, chance in states(network):
        if all(state[name] == code for name, code in given.items()):
            found[tuple(state[name] for name in shown)][k] += chance
    return found


@st.composite
def questions(draw: st.DrawFn) -> tuple[Network, list[str], dict[str, int]]:
    """A network, factors to show in any order, and evidence on some of the others."""
    network = draw(networks())
    names = draw(st.permutations([factor.name for factor in network.factors]))
    first, second = sorted([draw(st.integers(0, len(names))), draw(st.integers(0, len(names)))])
    given = {name: draw(st.integers(0, network.size(name) - 1)) for name in names[first:second]}
    return network, names[:first], given
