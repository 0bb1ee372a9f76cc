"""How fast exact answers come, next to floats and to two libraries that answer with fractions.

    python -m benchmarks.exact [--rounds R] [--libraries NAME ...]

The question is that of credit risk: the prior, and the table of 8,748 posteriors of the view that shows
least. First against floats, with ever larger denominators for every factor, and once with classes drawn at
random in the place of the rule, where no two rows are alike: `exact` is the engine; `same` the same code on
doubles; `plain` numpy's own way, a table of doubles multiplied and summed variable by variable. Then against
libraries, each on the model as its documentation would have it written; their fractions are compared with
ours. Milliseconds of processor time of one thread, medians of rounds that take turns; the libraries answer
once.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")  # before numpy is loaded

import icepool
import lea
import numpy as np
from numpy.typing import NDArray

from tests.networks import CREDIT_RESIDUAL, CREDIT_VIEWS, POSITIONS, credit
from worldgen.exact import elimination
from worldgen.exact.elimination import Table, elimination_order
from worldgen.exact.factors import Factor
from worldgen.exact.joints import joint
from worldgen.exact.networks import Network, Outcome

Answer = Mapping[tuple[int, ...], Fraction]
QUERIES = {"prior": (), "table": CREDIT_VIEWS["high"]}
DENOMINATORS = {
    "10^2": 100,
    "10^4": 10**4 - 27,
    "10^6": 10**6 - 17,
    "double": 2**53 - 111,
}  # primes, but the first


def finer(network: Network, total: int) -> Network:
    """The network with probabilities in parts of `total`, rounded down; the first level has the rest."""
    made = []
    for factor in network.factors:
        table = factor.table.astype(np.object_) * total // factor.total
        table[..., 0] += total - table.sum(axis=-1)
        made.append(Factor(factor.name, factor.levels, factor.parents, table, total))
    return Network(tuple(made), network.outcome)


def exact(network: Network, shown: tuple[str, ...]) -> Any:
    """What is timed: integers, one row a pattern."""
    return joint(network, shown).numerators


def scrambled(network: Network) -> Network:
    """The network with classes drawn at random in the place of its rule."""
    reads = network.outcome.reads
    drawn = np.random.default_rng(7).integers(0, 2, size=network.sizes(reads))
    rule = Outcome(network.outcome.atoms, reads, lambda codes: drawn[tuple(codes[name] for name in reads)])
    return Network(network.factors, rule)


class Plain:
    """The variable elimination of a textbook, in doubles: one large table, one small one at a time."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.tables = {f.name: (f.scope, (f.table / f.total).astype(np.float64)) for f in network.factors}

    def __call__(self, shown: tuple[str, ...]) -> NDArray[np.float64]:
        """P(default | pattern)."""
        reads = self.network.outcome.reads
        sizes = dict(zip(reads, self.network.sizes(reads), strict=True))
        left = {name: table for name, table in self.tables.items() if not {*table[0]} <= {*shown}}
        order = elimination_order([reads, *(scope for scope, _ in left.values())], sizes, shown)
        axes = [*shown, *reversed(order)]
        classes = self.network.classes.transpose([reads.index(name) for name in axes])
        values = np.ascontiguousarray(classes).astype(np.float64)
        for name in order:
            touched = [left.pop(factor) for factor in list(left) if name in left[factor][0]]
            for scope, table in touched[1:]:
                values = values * self.along(scope, table, axes[: values.ndim], sizes)
            scope, table = touched[0]
            if len(scope) == 1:
                values = values @ table
            else:
                values = (values * self.along(scope, table, axes[: values.ndim], sizes)).sum(axis=-1)
        return np.asarray(values)

    @staticmethod
    def along(
        scope: tuple[str, ...], table: NDArray[np.float64], axes: list[str], sizes: Mapping[str, int]
    ) -> NDArray[np.float64]:
        """A table with an axis for each of `axes`."""
        moved = table.transpose([scope.index(axis) for axis in axes if axis in scope])
        return moved.reshape([sizes[axis] if axis in scope else 1 for axis in axes])


def seconds(actions: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median processor time of each action; they take turns, so that a busy moment is shared."""
    spent: dict[str, list[float]] = {name: [] for name in actions}
    for _ in range(rounds):
        for name, action in actions.items():
            start = time.process_time()
            action()
            spent[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in spent.items()}


def in_doubles(network: Network, shown: tuple[str, ...]) -> object:
    """The engine with doubles wherever it chooses an arithmetic, and doubles out."""
    with (
        patch.object(elimination, "arithmetic", lambda bound: np.float64),
        patch.object(Table, "integers", property(lambda table: table.values)),
    ):
        return exact(network, shown)


def against_floats(rounds: int, networks: Mapping[str, Network]) -> dict[str, float]:
    """Print a line a network and query; the times of the exact answers to the first of them."""
    heads = "".join(f"{head:>10}" for head in ("exact ms", "same ms", "ratio", "plain ms", "ratio"))
    print(f"{'denominators':<14}{'query':<8}{heads}")
    own: dict[str, float] = {}
    for title, network in networks.items():
        plain = Plain(network)
        for query, shown in QUERIES.items():
            law = joint(network, shown)
            found = [top / bottom for top, bottom in zip(law.numerators[:, 1], law.totals, strict=True)]
            assert np.allclose(found, plain(shown).ravel())
            spent = seconds(
                {
                    "exact": partial(exact, network, shown),
                    "same": partial(in_doubles, network, shown),
                    "plain": partial(plain, shown),
                },
                rounds,
            )
            own.setdefault(query, spent["exact"])
            figures = f"{1000 * spent['exact']:>10.2f}"
            for other in ("same", "plain"):
                figures += f"{1000 * spent[other]:>10.2f}{spent['exact'] / spent[other]:>10.2f}"
            print(f"{title:<14}{query:<8}{figures}", flush=True)
    return own


def defaults(*codes: int) -> bool:
    """The rule of the world for one state of plain integers, in the order of what the rule reads."""
    sector, cycle, cash, buffer, refinancing, service, exposure, due, concentration, flexibility, residual = (
        codes
    )
    money = (60, 100, 140)[cash]
    if cycle == 2:
        money -= 20 + (15 + (5, 10, 15, 0)[sector]) * concentration - 10 * flexibility
    money += (20, 60, 100)[buffer] + 2 * refinancing * (20, 15, 8)[cycle] + RESIDUAL[residual]
    return money < (20, 40, 60)[service] + exposure * (0, 5, 15)[cycle] + (20, 60, 120)[due]


RESIDUAL = [20 * int(level) for level in CREDIT_RESIDUAL]
SHOWN = (0, 1, 2, 4, 5, 6, 8, 9)  # the arguments of the rule that the view shows


def icepool_answers(network: Network) -> dict[str, Callable[[], Answer]]:
    """Dice with integer weights: dependent ones are mapped from others, then all go into one map."""

    def die(weights: Any) -> Any:
        return icepool.Die(dict(enumerate(map(int, weights))))

    tables = {factor.name: factor.table for factor in network.factors}

    def pair(parent: str, child: str) -> Any:
        return die(tables[parent]).map(lambda x: icepool.tupleize(x, die(tables[child][x])))

    dice = [
        die(tables["sector"]),
        pair("cycle", "refinancing"),
        pair("cash_generation", "cash_buffer"),
        *(die(tables[name]) for name in POSITIONS[3:]),
        die(tables["residual"]),
    ]

    def state(sector: int, market: Any, money: Any, *others: int) -> tuple[int, ...]:
        return (sector, market[0], money[0], money[1], market[1], *others)

    def prior() -> Answer:
        found = icepool.map(lambda *drawn: defaults(*state(*drawn)), *dice)
        return {(): Fraction(found.quantity(True), found.denominator())}

    def table() -> Answer:
        def seen(*drawn: Any) -> tuple[int, ...]:
            codes = state(*drawn)
            return (*(codes[place] for place in SHOWN), int(defaults(*codes)))

        found = icepool.map(seen, *dice)
        counts = {key: (found.quantity((*key, 1)), found.quantity((*key, 0))) for key in patterns(network)}
        return {key: Fraction(bad, bad + fine) for key, (bad, fine) in counts.items()}

    return {"prior": prior, "table": table}


def lea_answers(network: Network) -> dict[str, Callable[[], Answer]]:
    """Random variables in fractions: dependent ones switch on others, then the rule is applied to all."""
    lea.set_prob_type("r")

    def law(weights: Any, total: int) -> Any:
        return lea.pmf({code: Fraction(int(weight), total) for code, weight in enumerate(weights)})

    made: dict[str, Any] = {}
    for factor in network.factors:
        if factor.parents:
            rows = {code: law(row, factor.total) for code, row in enumerate(factor.table)}
            made[factor.name] = made[factor.parents[0]].switch(rows)
        else:
            made[factor.name] = law(factor.table, factor.total)
    variables = [made[name] for name in network.outcome.reads]
    bad = lea.func_wrapper(defaults)(*variables)

    def prior() -> Answer:
        return {(): Fraction(lea.P(bad))}

    def table() -> Answer:
        found = dict(lea.joint(*(variables[place] for place in SHOWN), bad).pmf_tuple())
        keys = patterns(network)
        masses = {key: [found.get((*key, bad), 0) for bad in (False, True)] for key in keys}
        return {key: Fraction(pair[1] / sum(pair)) for key, pair in masses.items()}

    return {"prior": prior, "table": table}


def patterns(network: Network) -> list[tuple[int, ...]]:
    """Every pattern of the view, in the order of its rows."""
    return list(np.ndindex(*network.sizes(QUERIES["table"])))


LIBRARIES = {"icepool": icepool_answers, "lea": lea_answers}


def against_libraries(own: Mapping[str, float], chosen: list[str]) -> None:
    """Print a line a library and query, after comparing every fraction."""
    network = credit()
    law = joint(network, QUERIES["table"])
    rows = zip(law.numerators[:, 1].tolist(), law.totals.tolist(), strict=True)
    expected: dict[str, Answer] = {
        "prior": {(): joint(network, ()).prior.masses[1]},
        "table": {key: Fraction(*row) for key, row in zip(patterns(network), rows, strict=True)},
    }
    print(f"\n{'library':<14}{'query':<8}{'exact ms':>10}{'its ms':>10}{'ratio':>10}")
    for name in chosen:
        for query, answer in LIBRARIES[name](network).items():
            start = time.process_time()
            found = answer()
            took = time.process_time() - start
            assert found == expected[query], f"{name} and the engine disagree on the {query}"
            figures = f"{1000 * own[query]:>10.2f}{1000 * took:>10.0f}{took / own[query]:>10,.0f}"
            print(f"{name:<14}{query:<8}{figures}", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(
        description="Exact answers next to floats and to libraries of fractions."
    )
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--libraries", nargs="*", default=list(LIBRARIES), choices=list(LIBRARIES))
    chosen = parser.parse_args()
    networks = {"10^2": credit()}
    networks |= {title: finer(credit(), total) for title, total in DENOMINATORS.items()}
    networks["no two alike"] = scrambled(credit())
    own = against_floats(chosen.rounds, networks)
    against_libraries(own, chosen.libraries)


if __name__ == "__main__":
    main()
