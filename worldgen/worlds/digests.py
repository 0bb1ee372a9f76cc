"""The semantic digest of a table of cells: what the posterior depends on, and nothing else."""

import hashlib
from collections.abc import Sequence

import rfc8785

Column = tuple[tuple[str, ...], Sequence[str], Sequence[str]]


def table_digests(
    rule: str, attributes: Sequence[str], categories: Sequence[str], columns: Sequence[Column]
) -> list[str]:
    """SHA-256, in hex, of the RFC 8785 JSON of each of n tables.

    A column is a cell: its values in the order of the sorted attributes with its category after them, its n
    counts and its n likelihoods, as texts in lowest terms. A table is digested as

        {"attributes": [sorted], "categories": [sorted],
         "cells": [sorted [value, ..., category, count, likelihood]], "rule": rule}

    so no order of display matters. Texts of cells may hold no character below '-'.

    >>> table_digests("a draw", ["a"], ["x"], [(("u", "x"), ["1"], ["1/2"])])[0][:16]
    '811208767ad41d29'
    """
    head = {"attributes": sorted(attributes), "categories": sorted(categories)}
    opening = rfc8785.dumps(head).decode()[:-1] + ',"cells":['
    closing = '],"rule":' + rfc8785.dumps(rule).decode() + "}"
    cells = []
    for fixed, counts, likelihoods in columns:
        start = rfc8785.dumps(list(fixed)).decode()[:-1]
        pairs = zip(counts, likelihoods, strict=True)
        cells.append([f'{start},"{count}","{likelihood}"]' for count, likelihood in pairs])
    # Sorting the JSON texts sorts the lists: the quotation mark that ends a text is below its characters.
    texts = (opening + ",".join(sorted(row)) + closing for row in zip(*cells, strict=True))
    return [hashlib.sha256(text.encode()).hexdigest() for text in texts]
