"""Columns made of pools and positions: a text stands once in a pool, a column says where.

Nothing here goes through a Python value of a row. Lengths and offsets are int32, as Arrow has them, so one
column holds fewer than 2**31 items, and fewer than 2**31 bytes of text.
"""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, byte_lengths, join, strings
from worldgen.exact.numbers import Integers, lowest_terms

Places = NDArray[np.int64]
Mask = NDArray[np.bool_]


def take(pool: Array | Sequence[str], places: Places) -> Array:
    """The entries of a pool at some positions.

    >>> take(["no", "yes"], np.array([1, 0, 1])).to_pylist()
    ['yes', 'no', 'yes']
    """
    entries = pool if isinstance(pool, pa.Array) else strings(cast(Sequence[str], pool))
    return cast(Array, cast(Any, entries).take(pa.array(places)))


def coded(pool: Array | Sequence[str], places: Places, valid: Mask | None = None) -> Array:
    """What `take` gives, as places in the pool and the pool: no text is copied. Null where not `valid`.

    A text that stands twice in the pool stands once in what is made: Parquet would write bytes of no
    meaning otherwise.

    >>> coded(["no", "yes", "no"], np.array([1, 2]), np.array([True, False])).to_pylist()
    ['yes', None]
    """
    entries = pool if isinstance(pool, pa.Array) else strings(cast(Sequence[str], pool))
    known = cast(Any, entries).dictionary_encode()
    if len(known.dictionary) < len(known):
        places = np.take(known.indices.to_numpy(), places)
    return cast(Array, pa.DictionaryArray.from_arrays(cast(Any, numbers(places, valid)), known.dictionary))


def kept(texts: Array, chosen: Mask) -> Array:
    """The texts at which a mask holds; all of them are not copied.

    >>> kept(strings(["a", "b"]), np.array([False, True])).to_pylist()
    ['b']
    """
    return texts if chosen.all() else take(texts, np.flatnonzero(chosen))


def together(pools: Sequence[Array]) -> tuple[Array, Places]:
    """The string pools one after another, and where each begins.

    >>> whole, starts = together([strings(["a", "b"]), strings(["c"])])
    >>> whole.to_pylist(), starts.tolist()
    (['a', 'b', 'c'], [0, 2])
    """
    starts = np.concatenate([[0], np.cumsum([len(pool) for pool in pools], dtype=np.int64)])[:-1]
    whole = pa.concat_arrays(cast(Any, pools)) if pools else strings([])
    return cast(Array, whole), np.asarray(starts, dtype=np.int64)


def numbers(values: NDArray[Any], valid: Mask | None = None) -> Array:
    """An array of int32, doubles or booleans; null where not `valid`.

    >>> numbers(np.array([1, 2]), np.array([True, False])).to_pylist()
    [1, None]
    """
    kind = pa.int32() if values.dtype.kind == "i" else None
    mask = None if valid is None or bool(valid.all()) else ~valid
    return cast(Array, pa.array(values, type=kind, mask=mask))


def lists(items: Array, lengths: Places, valid: Mask | None = None) -> Array:
    """Lists cut from items that lie end to end; null where not `valid`, and then of length 0.

    >>> lists(strings(["a", "b", "c"]), np.array([2, 0, 1])).to_pylist()
    [['a', 'b'], [], ['c']]
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    kind = pa.list_(pa.field("item", cast(Any, items).type, nullable=False))
    mask = None if valid is None or bool(valid.all()) else pa.array(~valid)
    return cast(Array, pa.ListArray.from_arrays(pa.array(offsets), items, type=kind, mask=mask))


def spelled(parts: Sequence[tuple[Array, Places]]) -> Array:
    """Texts spelled by one entry of each pool: row i is the parts' entries at their i-th positions, joined.

    >>> spelled([(strings(["a-", "b-"]), np.array([0, 1])), (strings(["x"]), np.array([0, 0]))]).to_pylist()
    ['a-x', 'b-x']
    """
    pool, starts = together([entries for entries, _ in parts])
    columns = [places + start for (_, places), start in zip(parts, starts, strict=True)]
    index = np.stack(columns, axis=1)
    return join(pool, index, [len(parts)], np.ones((len(index), 1), dtype=np.bool_))


def ragged(starts: Places, lengths: Places) -> Places:
    """The positions start, ..., start + length - 1 of every row, one row after another.

    >>> ragged(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - ends + lengths, lengths) + np.arange(total)


def rationals(numerators: Integers, denominators: Integers) -> Array:
    """The texts of n/d in lowest terms, as `str(Fraction)` writes them.

    >>> rationals(np.array([440, 0, 3]), np.array([634, 9, 3])).to_pylist()
    ['220/317', '0', '1']
    """
    tops, bottoms = (_written(part) for part in lowest_terms(numerators, denominators))
    ratio = pc.binary_join_element_wise(tops, bottoms, "/")
    return cast(Array, pc.if_else(pc.equal(bottoms, "1"), tops, ratio))


def _written(values: Integers) -> Array:
    if values.dtype == np.object_:
        return strings([str(value) for value in values.tolist()])
    return cast(Array, pa.array(values).cast(pa.string()))


def present(texts: Array) -> Mask:
    """Which entries are not null.

    >>> present(strings(["a", None])).tolist()
    [True, False]
    """
    if not cast(Any, texts).null_count:
        return np.ones(len(texts), dtype=np.bool_)
    return np.array(pc.is_valid(texts).to_numpy(zero_copy_only=False), dtype=np.bool_)


def equal(left: Array, right: Array) -> Mask:
    """Where two arrays of one type hold the same, a null only where the other has one too.

    >>> equal(strings(["a", None, "b"]), strings(["a", None, None])).tolist()
    [True, True, False]
    """
    same = np.asarray(
        pc.fill_null(pc.equal(left, right), False).to_numpy(zero_copy_only=False), dtype=np.bool_
    )
    return same | ~(present(left) | present(right))


def same(texts: Array, tables: Sequence[Places]) -> list[Mask]:
    """For each (n, k) table of places, the rows at all places of which one text stands; null equals nothing.

    Texts are compared where their lengths are equal, which is seldom.

    >>> texts, table = strings(["a", "b", "a", None]), np.array([[0, 2], [0, 1], [3, 3]])
    >>> same(texts, [table])[0].tolist()
    [True, False, False]
    """
    if not tables:
        return []
    lengths = np.where(present(texts), byte_lengths(texts), -1)
    return [_same(texts, lengths[places], places) for places in tables]


def _same(texts: Array, lengths: Places, places: Places) -> Mask:
    found: Mask = (lengths == lengths[:, :1]).all(axis=1) & (lengths[:, 0] >= 0)
    for column in places.T[1:]:
        rows = np.flatnonzero(found)
        if len(rows):
            found[rows] = equal(take(texts, places[rows, 0]), take(texts, column[rows]))
    return found


def numerals(values: Places, width: int) -> Array:
    """Whole numbers from 0 written in decimal, with zeros before them up to a width.

    >>> numerals(np.array([7, 12345]), 3).to_pylist()
    ['007', '12345']
    """
    return cast(Array, pc.utf8_lpad(pa.array(values).cast(pa.string()), width, "0"))


def alike(texts: Array) -> Places:
    """A number for each text, one number for all that are equal. No text is null.

    >>> alike(strings(["b", "a", "b"])).tolist()
    [0, 1, 0]
    """
    encoded = cast(Any, texts).dictionary_encode()
    return np.asarray(encoded.indices.to_numpy(), dtype=np.int64)


def objects(texts: NDArray[np.object_]) -> Array:
    """A string array of an array of `str`. Raises UnicodeEncodeError for a lone surrogate."""
    return cast(Array, pa.array(texts, type=pa.string()))


def ascii_texts(texts: NDArray[np.bytes_]) -> Array:
    """A string array of ASCII texts, each as long as an item of the array.

    >>> ascii_texts(np.array([b"ab", b"cd"])).to_pylist()
    ['ab', 'cd']
    """
    ends = np.arange(len(texts) + 1, dtype=np.int32) * texts.itemsize
    body = pa.py_buffer(np.ascontiguousarray(texts))
    return cast(Array, pa.StringArray.from_buffers(len(texts), pa.py_buffer(ends), body))


def text_bytes(texts: Array) -> tuple[NDArray[np.uint8], Places]:
    """The UTF-8 of all texts, end to end, and the n + 1 offsets of the texts in it. No text is null.

    >>> data, offsets = text_bytes(strings(["ab", "c"]))
    >>> bytes(data), offsets.tolist()
    (b'abc', [0, 2, 3])
    """
    array = cast(Any, texts)
    if not len(array):
        return np.zeros(0, dtype=np.uint8), np.zeros(1, dtype=np.int64)
    _, bounds, data = array.buffers()
    offsets = np.frombuffer(bounds, dtype=np.int32, count=array.offset + len(array) + 1)[array.offset :]
    whole = np.frombuffer(data, dtype=np.uint8) if data is not None else np.zeros(0, dtype=np.uint8)
    return whole[offsets[0] : offsets[-1]], offsets.astype(np.int64) - int(offsets[0])


def texts_of(data: NDArray[np.uint8], starts: Places, lengths: Places) -> Array:
    """The texts that lie at some places of UTF-8 bytes. Raises ValueError where one is no UTF-8.

    >>> texts_of(np.frombuffer(b"abc", np.uint8), np.array([1, 0]), np.array([2, 1])).to_pylist()
    ['bc', 'a']
    """
    offsets = np.zeros(len(starts) + 1, dtype=np.int32)
    np.cumsum(lengths, out=offsets[1:])
    body = np.take(data, ragged(starts, lengths)) if len(data) else data
    made = pa.StringArray.from_buffers(len(starts), pa.py_buffer(offsets), pa.py_buffer(body))
    made.validate(full=True)
    return cast(Array, made)
