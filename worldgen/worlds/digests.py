"""The semantic digest of a table of cells: what the posterior depends on, and nothing else."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, strings
from worldgen.exact.pools import spelled, text_bytes

Texts = tuple[Sequence[str], NDArray[np.int64]]
Cell = tuple[tuple[str, ...], Texts, Texts]


def table_digests(
    rule: str, attributes: Sequence[str], categories: Sequence[str], cells: Sequence[Cell]
) -> list[str]:
    """SHA-256, in hex, of the RFC 8785 JSON of each of n tables.

    A cell is its values in the order of the sorted attributes with its category after them, its n counts
    and its n likelihoods, each a pool of texts in lowest terms with n places in it. A table is digested as

        {"attributes": [sorted], "categories": [sorted],
         "cells": [sorted [value, ..., category, count, likelihood]], "rule": rule}

    so no order of display matters. Texts of cells may hold no character below '-'.

    >>> here = np.array([0])
    >>> table_digests("a draw", ["a"], ["x"], [(("u", "x"), (["1"], here), (["1/2"], here))])[0][:16]
    '811208767ad41d29'
    """
    head = {"attributes": sorted(attributes), "categories": sorted(categories)}
    opening = rfc8785.dumps(head).decode()[:-1] + ',"cells":['
    closing = '],"rule":' + rfc8785.dumps(rule).decode() + "}"
    # Sorting the JSON texts sorts the lists: the quotation mark that ends a text is below its characters.
    opened = [(rfc8785.dumps(list(fixed)).decode()[:-1], counts, chances) for fixed, counts, chances in cells]
    laid = sorted(opened, key=itemgetter(0))
    texts = [_spelled(start, counts, likelihoods) for start, counts, likelihoods in laid]
    rows = len(laid[0][1][1])
    here = np.zeros(rows, dtype=np.int64)
    if len({start for start, *_ in laid}) < len(laid):
        # Cells that are alike but for their numbers: these decide, row by row.
        inner = zip(*(column.to_pylist() for column in texts), strict=True)
        middle = [(strings([",".join(sorted(row)) for row in inner]), np.arange(rows))]
    else:
        between = [(strings([","]), here)] * len(texts)
        parts = [(column, np.arange(rows)) for column in texts]
        middle = [part for pair in zip(between, parts, strict=True) for part in pair][1:]
    whole = spelled([(strings([opening]), here), *middle, (strings([closing]), here)])
    data, ends = text_bytes(whole)
    view = data.data
    return [hashlib.sha256(view[start:end]).hexdigest() for start, end in pairwise(ends.tolist())]


def _spelled(start: str, counts: Texts, likelihoods: Texts) -> Array:
    """The JSON texts of one cell, row by row."""
    opened = strings([f'{start},"{count}","' for count in counts[0]])
    closed = strings([f'{likelihood}"]' for likelihood in likelihoods[0]])
    return spelled([(opened, counts[1]), (closed, likelihoods[1])])
