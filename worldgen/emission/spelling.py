"""Spelling: the texts of variables as a column of lists, one list a root."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from worldgen.exact.arrow import Array, strings
from worldgen.exact.domains import LARGEST_TABLE, Codes, texts_at
from worldgen.exact.pools import Places, coded, lists, together
from worldgen.exact.variables import Variable


class Spelling:
    """Some variables, with the texts of all values of those that have few made once.

    >>> from worldgen.exact.domains import Phrases
    >>> side = Variable("side", Phrases(("heads", "tails")))
    >>> Spelling([side, side]).spelled({"side": np.array([1, 0])}, 2).to_pylist()
    [['tails', 'tails'], ['heads', 'heads']]
    """

    def __init__(self, variables: Sequence[Variable]) -> None:
        self._variables = variables

    @cached_property
    def _tables(self) -> list[Array | None]:
        return [_table(variable) for variable in self._variables]

    def spelled(self, values: Mapping[str, Codes], n: int) -> Array:
        """The texts of all variables, a list for each of n rows."""
        found = [
            _texts(variable, values[variable.name], table)
            for variable, table in zip(self._variables, self._tables, strict=True)
        ]
        pool, starts = together([texts for texts, _ in found])
        laid = np.empty((n, len(found)), dtype=np.int64)
        for column, (_, places), start in zip(laid.T, found, starts, strict=True):
            np.add(places, start, out=column)
        return lists(coded(pool, laid.ravel()), np.full(n, len(found)))


def _table(variable: Variable) -> Array | None:
    """The texts of all values, where they are few."""
    domain = variable.domain
    return strings(domain.texts) if domain.size and domain.size <= LARGEST_TABLE else None


def _texts(variable: Variable, codes: Codes, table: Array | None) -> tuple[Array, Places]:
    """A pool with the texts of the codes, and the place of each."""
    if table is not None:
        return table, np.asarray(codes, dtype=np.int64)
    if variable.domain.size is None:  # a code is its text
        return strings(codes.tolist()), np.arange(len(codes))
    texts, places = texts_at(variable.domain, codes)
    return strings(texts), places
