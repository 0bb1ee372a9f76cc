"""Semantic digests of many roots at once: of what the posterior depends on, and of nothing else."""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, cast

import numpy as np
import rfc8785
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, strings
from worldgen.exact.pools import Places, spelled, text_bytes

Texts = tuple[Sequence[str], Places]
Cell = tuple[tuple[str, ...], Texts, Texts]
Digests = NDArray[np.bytes_]  # (n,), of 64 bytes each


def table_digests(
    rule: str, attributes: Sequence[str], categories: Sequence[str], cells: Sequence[Cell]
) -> Digests:
    """SHA-256, in hex, of the RFC 8785 JSON of each of n tables.

    A cell is its values in the order of the sorted attributes with its category after them, its n counts
    and its n likelihoods, each a pool of texts in lowest terms with n places in it. A table is digested as

        {"attributes": [sorted], "categories": [sorted],
         "cells": [sorted [value, ..., category, count, likelihood]], "rule": rule}

    so no order of display matters. Texts of cells may hold no character below '-'.

    >>> here = np.array([0])
    >>> table_digests("a draw", ["a"], ["x"], [(("u", "x"), (["1"], here), (["1/2"], here))])[0][:16]
    b'811208767ad41d29'
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
    return text_digests(spelled([(strings([opening]), here), *middle, (strings([closing]), here)]))


def object_digests(
    fixed: Mapping[str, object], name: str, members: Mapping[str, Texts], rows: int
) -> Digests:
    """SHA-256, in hex, of the RFC 8785 JSON of n objects: each has the members `fixed`, whose names stand
    before `name`, and under that name an object of texts that differs by row. A member of it is a pool of
    texts with n places in it.

    >>> object_digests({"law": "a coin"}, "shown", {"side": (["heads", "tails"], np.array([1]))}, 1)[0][:16]
    b'795ba099fb278917'
    """
    opening = (rfc8785.dumps(cast(Any, fixed))[:-1] + b"," + rfc8785.dumps(name) + b":{").decode()
    here = np.zeros(rows, dtype=np.int64)
    parts: list[tuple[Array, Places]] = [(strings([opening]), here)]
    # RFC 8785 sorts names by their UTF-16 code units.
    for member, (texts, places) in sorted(members.items(), key=lambda pair: pair[0].encode("utf-16-be")):
        before = ("," if len(parts) > 1 else "") + rfc8785.dumps(member).decode() + ":"
        parts.append((strings([before + rfc8785.dumps(text).decode() for text in texts]), places))
    return text_digests(spelled([*parts, (strings(["}}"]), here)]))


def text_digests(texts: Array) -> Digests:
    """SHA-256, in hex, of the UTF-8 of each text.

    >>> text_digests(strings([""]))[0][:16]
    b'e3b0c44298fc1c14'
    """
    data, ends = text_bytes(texts)
    view = data.data
    found = [hashlib.sha256(view[start:end]).hexdigest() for start, end in pairwise(ends.tolist())]
    return np.array(found, dtype="S64")


def _spelled(start: str, counts: Texts, likelihoods: Texts) -> Array:
    """The JSON texts of one cell, row by row."""
    opened = strings([f'{start},"{count}","' for count in counts[0]])
    closed = strings([f'{likelihood}"]' for likelihood in likelihoods[0]])
    return spelled([(opened, counts[1]), (closed, likelihoods[1])])
