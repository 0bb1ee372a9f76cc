"""The second path to a posterior of a network: the definition, state by state.

It shares no code with `exact.elimination`: every state that agrees with the evidence is written down, its
weight is the product of Python integers, and the weights are added up class by class.
"""

from collections.abc import Mapping
from itertools import product
from math import prod

import numpy as np

from worldgen.exact.distributions import Distribution
from worldgen.exact.errors import ZeroMassError
from worldgen.exact.networks import Network, check_size


def enumerated(network: Network, given: Mapping[str, int]) -> Distribution:
    """P(outcome | evidence), where `given` maps names of factors to codes.

    Raises ZeroMassError, which names the evidence, where that has probability zero, and TooLargeError for
    more than 10**8 states.

    >>> from worldgen.exact.events import Atoms
    >>> from worldgen.exact.factors import Factor
    >>> from worldgen.exact.networks import Outcome
    >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> rule = Outcome(Atoms(("0", "1")), ("coin", "noise"), lambda codes: codes["coin"] ^ codes["noise"])
    >>> enumerated(Network((coin, noise), rule), {"coin": 1}).weights
    (1, 9)
    """
    names = [factor.name for factor in network.factors]
    choices = [[given[f.name]] if f.name in given else range(f.size) for f in network.factors]
    check_size("the states that agree with the evidence", [len(codes) for codes in choices])
    states = [dict(zip(names, state, strict=True)) for state in product(*choices)]
    codes = {name: np.array([state[name] for state in states], dtype=np.int64) for name in names}
    classes = np.broadcast_to(network.outcome.classes(codes), len(states)).tolist()
    weights = [0] * len(network.outcome.atoms)
    for state, k in zip(states, classes, strict=True):
        entries = (f.table[tuple(state[name] for name in f.scope)] for f in network.factors)
        weights[k] += prod(map(int, entries))
    if not any(weights):
        raise ZeroMassError(network.described(given), remedy="ask about what can occur")
    return Distribution(network.outcome.atoms, tuple(weights))
