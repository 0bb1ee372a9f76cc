"""The texts of open slots, a whole column at a time: written for a payload, and read back from one."""

import numpy as np
from numpy.typing import NDArray

from worldgen.exact.arrow import Array, strings
from worldgen.exact.domains import Code, Codes, Grid, Identifiers, Texts
from worldgen.exact.errors import DomainError
from worldgen.exact.pools import objects, text_bytes
from worldgen.exact.variables import Variable
from worldgen.renderers.lines import escaped

Mask = NDArray[np.bool_]
Places = NDArray[np.int64]

_CLEAN = np.array([byte >= 0x20 and byte not in b'"\\' for byte in range(256)])


def written(variable: Variable, codes: Codes) -> tuple[Array, Places]:
    r"""The texts of the codes as they stand in a payload: a pool, and the place of each code in it.

    Raises DomainError for a code outside the domain.

    >>> pool, places = written(Variable("says", Texts()), np.array(['"no"'], dtype=np.object_))
    >>> pool.to_pylist(), places.tolist()
    (['\\"no\\"'], [0])
    """
    domain = variable.domain
    if isinstance(domain, Identifiers | Texts):
        try:
            texts = objects(np.asarray(codes, dtype=np.object_))
            fits = bool(held(domain, texts).all())
        except (TypeError, ValueError):  # no text, or none that UTF-8 can write
            fits = False
        if not fits:
            texts = strings([domain.text(code) for code in codes.tolist()])
        if not _CLEAN[text_bytes(texts)[0]].all():
            texts = strings([escaped(text) for text in texts.to_pylist()])
        return texts, np.arange(len(codes))
    distinct, places = np.unique(codes, return_inverse=True)
    return strings([domain.text(code) for code in distinct.tolist()]), places  # no number needs an escape


def held(domain: Identifiers | Texts, texts: Array) -> Mask:
    """Whether each text is in the domain.

    >>> held(Identifiers("abc", 1, 2), strings(["ab", "abc", "x"])).tolist()
    [True, False, False]
    """
    if isinstance(domain, Texts):  # what Arrow holds is UTF-8, which has no lone surrogates
        return np.ones(len(texts), dtype=np.bool_)
    if not domain.alphabet.isascii():
        return np.array([domain.code(text) is not None for text in texts.to_pylist()], dtype=np.bool_)
    # In UTF-8 every byte of a character outside ASCII is outside ASCII, so bytes can be judged alone.
    known = np.zeros(256, dtype=np.bool_)
    known[list(domain.alphabet.encode())] = True
    data, offsets = text_bytes(texts)
    lengths = np.diff(offsets)
    fits: Mask = (lengths >= domain.shortest) & (lengths <= domain.longest)
    fits[np.searchsorted(offsets, np.flatnonzero(~known[data]), side="right") - 1] = False
    return fits


def read(variable: Variable, shown: Array) -> tuple[Codes, Mask]:
    """The codes that `written` writes as these texts, and where there are any.

    A text that needs no escape is its own code; one that has a backslash is left to the walk.

    >>> from fractions import Fraction
    >>> codes, known = read(Variable("n", Grid(Fraction(0), Fraction(1), 50)), strings(["7", "07"]))
    >>> codes.tolist(), known.tolist()
    ([7, 0], [True, False])
    """
    domain = variable.domain
    if isinstance(domain, Identifiers | Texts):
        codes = np.array(shown.to_pylist(), dtype=np.object_)
        fits = held(domain, shown)
        data, offsets = text_bytes(shown)
        fits[np.searchsorted(offsets, np.flatnonzero(~_CLEAN[data]), side="right") - 1] = False
        return np.where(fits, codes, ""), fits
    if not isinstance(domain, Grid):
        raise DomainError(f"'{variable.name}' has a table of values: it is no slot")
    found: dict[str, Code | None] = {}
    texts = shown.to_pylist()
    for text in texts:
        if text not in found:
            found[text] = domain.code(text)
    fits = np.array([found[text] is not None for text in texts], dtype=np.bool_)
    return np.array([found[text] or 0 for text in texts], dtype=np.int64), fits
