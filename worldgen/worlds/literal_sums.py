"""The posterior once more: the literal sum over the states that a view leaves open.

It shares with elimination the tables of the factors and the text of the rule, and nothing else. Many patterns
are summed together: along the first axis of an array lie patterns, along the second states of what is hidden.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.factors import Factor
from worldgen.exact.numbers import Integers, integers
from worldgen.exact.rules import Rule

Codes = NDArray[np.int64]

_STATES = 2**16  # that are looked at together: states of some patterns, or of more where each has few
_PATTERNS = 2**8  # that are, though each has many: what depends on hidden factors alone is the same for all


def literal_sums(factors: Sequence[Factor], rule: Rule, shown: Sequence[str], patterns: Codes) -> Integers:
    """P(class | pattern) of n patterns, each by the sum over every state that agrees with it.

    Patterns are codes of the factors `shown`, (n, number of these). Found are integers (n, K), each row over
    its own sum and in lowest terms; a pattern of probability zero has zeros.

    >>> from worldgen.exact.rules import Scope
    >>> coin = Factor("coin", ("tails", "heads"), (), [1, 1], 2)
    >>> noise = Factor("noise", ("none", "flip"), (), [9, 1], 10)
    >>> scope = Scope({"coin": coin.levels, "noise": noise.levels}, {}, {}, {}, ("lost", "won"))
    >>> rule = Rule("won if coin == heads and noise == none else lost", scope)
    >>> literal_sums([coin, noise], rule, ["coin"], np.array([[0], [1]])).tolist()
    [[1, 0], [1, 9]]
    """
    # A factor whose scope is shown weighs the same in every state: it cancels, unless its weight is zero.
    known = [factor for factor in factors if {*factor.scope} <= {*shown}]
    others = [factor for factor in factors if not {*factor.scope} <= {*shown}]
    hidden = {factor.name: factor.size for factor in factors if factor.name not in shown}
    at_once = max(_PATTERNS, _STATES // prod(hidden.values()))
    cuts = range(at_once, len(patterns), at_once)
    parts = [
        _summed(others, rule, dict(zip(shown, rows.T[..., None], strict=True)), len(rows), hidden)
        for rows in np.split(patterns, cuts)
    ]
    masses = np.concatenate(parts)
    codes = dict(zip(shown, patterns.T, strict=True))
    for factor in known:
        masses[factor.table[tuple(codes[name] for name in factor.scope)] == 0] = 0
    divisors = np.gcd.reduce(masses, axis=1, keepdims=True)
    return cast(Integers, masses // np.maximum(divisors, 1))


def _summed(
    factors: Sequence[Factor], rule: Rule, codes: Mapping[str, Codes], n: int, hidden: Mapping[str, int]
) -> Integers:
    """The weights of the classes, (n, K), for n patterns, codes (n, 1), over all states of what is hidden."""
    states, classes = prod(hidden.values()), len(rule.scope.outcomes)
    # No weight of a state is above the product of the largest of each table, so no sum of them is above this.
    bound = states * prod(int(factor.table.max()) for factor in factors) + 1
    tables = [(factor.scope, integers(factor.table, bound)) for factor in factors]
    masses = integers(np.zeros((n, classes), dtype=np.int64), bound)
    step = max(1, _STATES // max(n, 1))
    for first in range(0, states, step):
        numbers = np.arange(first, min(first + step, states))
        state = {**codes, **_codes(numbers, hidden)}
        weights = integers(1, bound)
        for scope, table in tables:
            weights = weights * table[tuple(state[name] for name in scope)]
        outcomes = np.broadcast_to(rule.slow_outcomes(state), (n, len(numbers)))
        for k in range(classes):
            masses[:, k] += np.where(outcomes == k, weights, 0).sum(axis=1)
    return masses


def _codes(numbers: Codes, sizes: Mapping[str, int]) -> dict[str, Codes]:
    """The codes of states that are numbered in C order."""
    codes = {}
    for name, size in reversed(list(sizes.items())):
        numbers, codes[name] = np.divmod(numbers, size)
    return codes
